-- SPDX-License-Identifier: Apache-2.0
-- Shared by the harnesses.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.branch_pkg.all;
use work.lists_pkg.all;

package formal_pkg is

  -- The kind of control flow of this number, FLOW_NONE where there is none of it.
  function flow_of(number : unsigned(3 downto 0)) return flow_t;

  -- The result of execute.vhd for an instruction's last beat: the lanes that act, faults of any, the target of a BRX.
  function verdict_of(insn : front_to_operands_t; exec : lane_mask_t; faults : faults_t; target : pc_t;
                      stack_depth : positive) return judge_to_branch_t;

end package formal_pkg;

package body formal_pkg is

  function flow_of(number : unsigned(3 downto 0)) return flow_t is
    variable flow : flow_t := FLOW_NONE;
  begin
    for f in flow_t loop
      if number = flow_t'pos(f) then
        flow := f;
      end if;
    end loop;
    return flow;
  end function;

  function verdict_of(insn : front_to_operands_t; exec : lane_mask_t; faults : faults_t; target : pc_t;
                      stack_depth : positive) return judge_to_branch_t
  is
    variable beat : beat_t;
  begin
    beat := (valid => '1', last => '1', row => "00", insn => insn);
    return judge(beat, exec, or_reduce(exec), or_reduce(insn.state.active and not exec), faults, target, stack_depth);
  end function;

end package body formal_pkg;
