-- SPDX-License-Identifier: Apache-2.0
-- Entries of a warp's stack, and what taking one off does to the warp. Rules: docs/isa.md 6.1.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.lists_pkg.all;

package branch_pkg is

  subtype token_t is std_ulogic_vector(1 downto 0);
  constant TOKEN_SYNC    : token_t := "00";
  constant TOKEN_DIVERGE : token_t := "01";
  constant TOKEN_CALL    : token_t := "10";
  constant TOKEN_BREAK   : token_t := "11";

  type entry_t is record
    token : token_t;
    mask  : lane_mask_t;
    pc    : pc_t;
  end record;

  constant ENTRY_BITS : positive := 2 + LANES + 24;
  subtype entry_vector_t is std_ulogic_vector(ENTRY_BITS - 1 downto 0);
  function to_vector(e : entry_t) return entry_vector_t;
  function to_entry(v : entry_vector_t) return entry_t;

  -- An entry that is pushed before the instruction reaches the branch unit.
  type push_t is record
    valid : std_ulogic;
    slot  : slot_t;
    depth : depth_t;                                         -- with it
    entry : entry_t;
  end record;

  -- What the branch unit looks at in stage Y, found for the last beat of an instruction as it leaves X3.
  type verdict_t is record
    exec   : lane_mask_t;                                    -- lanes that its guard lets act
    acts   : std_ulogic;                                     -- ... some
    rests  : std_ulogic;                                     -- ... not all of the active ones
    target : pc_t;                                           -- of a BRX
    trap   : trap_t;                                         -- of the instruction itself, or of a lane's access
    traps  : std_ulogic;                                     -- ... is not TRAP_NONE
    whole  : std_ulogic;                                     -- all live lanes are active
    arrives : std_ulogic;                                    -- it arrives at a barrier, if nothing traps
    ends   : std_ulogic;                                     -- the warp finishes, with nothing on its stack
    redirects : std_ulogic;                                  -- it may redirect its warp, here
  end record;

  -- Those of the threads that have neither exited nor wait, parked, on a CALL or BREAK entry.
  function runnable(state : warp_state_t; threads : lane_mask_t) return lane_mask_t;
  -- The warp without the entry: the entry's threads run again, those that are runnable then.
  function popped(state : warp_state_t; top : entry_t) return warp_state_t;
  -- Where they go on. At a SYNC entry that is behind the joining instruction, which they have executed.
  function resumes_at(top : entry_t) return pc_t;

end package;

package body branch_pkg is

  function to_vector(e : entry_t) return entry_vector_t is
  begin
    return std_ulogic_vector(e.pc) & e.mask & e.token;
  end function;

  function to_entry(v : entry_vector_t) return entry_t is
    variable e : entry_t;
  begin
    e.token := v(1 downto 0);
    e.mask  := v(LANES + 1 downto 2);
    e.pc    := unsigned(v(ENTRY_BITS - 1 downto LANES + 2));
    return e;
  end function;

  function runnable(state : warp_state_t; threads : lane_mask_t) return lane_mask_t is
  begin
    return threads and state.alive and not (state.call_parked or state.brk_parked);
  end function;

  function popped(state : warp_state_t; top : entry_t) return warp_state_t is
    variable s : warp_state_t := state;
  begin
    s.depth := s.depth - 1;
    if top.token = TOKEN_CALL then
      s.calls       := s.calls - 1;
      s.call_parked := s.call_parked and not top.mask;
    elsif top.token = TOKEN_BREAK then
      s.breaks     := s.breaks - 1;
      s.brk_parked := s.brk_parked and not top.mask;
    end if;
    s.active := runnable(s, top.mask);
    return s;
  end function;

  function resumes_at(top : entry_t) return pc_t is
    variable pc : pc_t := top.pc;
  begin
    if top.token = TOKEN_SYNC then
      pc := top.pc + 8;
    end if;
    return pc;
  end function;

end package body;
