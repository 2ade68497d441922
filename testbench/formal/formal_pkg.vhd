-- SPDX-License-Identifier: Apache-2.0
-- What harnesses share.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.branch_pkg.all;
use work.lists_pkg.all;

package formal_pkg is

  -- The kind of control flow of this number, FLOW_NONE where there is none of it.
  function flow_of(number : unsigned(3 downto 0)) return flow_t;

  -- What execute.vhd finds in X3 of an instruction: the lanes that act, faults of any, where a BRX goes.
  function verdict_of(insn : issue_t; exec : lane_mask_t; faults : faults_t; target : pc_t) return verdict_t;

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

  function verdict_of(insn : issue_t; exec : lane_mask_t; faults : faults_t; target : pc_t) return verdict_t is
    variable v : verdict_t;
  begin
    v.exec   := exec;
    v.acts   := or_reduce(exec);
    v.rests  := or_reduce(insn.state.active and not exec);
    v.target := target;
    v.trap   := insn.control.trap;
    v.traps  := or_reduce(insn.control.trap) or or_reduce(faults);
    v.whole  := to_sl(insn.state.active = insn.state.alive);
    v.arrives := to_sl(insn.control.flow = FLOW_BAR) and v.whole and insn.control.bar_legal;
    v.ends   := not v.traps and to_sl(insn.state.depth = 0)
                and (insn.control.is_end or (to_sl(insn.control.flow = FLOW_RET) and not v.rests));
    v.redirects := insn.control.redirects and not insn.early;
    for f in faults_t'high downto 0 loop
      if faults(f) = '1' then
        v.trap := std_ulogic_vector(unsigned(TRAP_SHARED_ALIGN) + to_unsigned(f, 4));
      end if;
    end loop;
    return v;
  end function;

end package body formal_pkg;
