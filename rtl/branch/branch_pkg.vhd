-- SPDX-License-Identifier: Apache-2.0
-- Entries of a warp's stack, the effect of a pop, and the records to and from the branch unit, each named from -> to.
-- Rules: docs/isa.md 6.1.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.front_pkg.all;
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

  -- From the branch unit to the scheduler: a warp goes on, waits or is finished.
  type branch_to_sched_t is record
    valid         : std_ulogic;
    slot          : slot_t;
    pc            : pc_t;
    falls_through : std_ulogic;             -- pc is the next instruction: words fetched ahead stay valid
    waits         : std_ulogic;             -- at a barrier
    finished      : std_ulogic;
    trapped       : std_ulogic;
  end record;
  constant BRANCH_TO_SCHED_INIT : branch_to_sched_t := (slot => (others => '0'), pc => (others => '0'), others => '0');

  -- An answer to a warp, and its write to the warp table.
  type branch_to_warps_t is record
    redirect : branch_to_sched_t;
    state_we : std_ulogic;                  -- the warp has a new state:
    state    : warp_state_t;
  end record;

  -- From the branch unit: outcome of the warp instruction that leaves stage RESOLVE.
  type branch_to_writeback_t is record
    next_pc : pc_t;
    active  : lane_mask_t;
    depth   : depth_t;
    state   : std_ulogic_vector(1 downto 0);   -- enum retire_state: ready, barrier, finished, trapped
    trap    : trap_t;
  end record;

  -- An entry that is pushed before the instruction reaches the branch unit.
  type early_to_branch_t is record
    valid : std_ulogic;
    slot  : slot_t;
    depth : depth_t;                                         -- with it
    entry : entry_t;
  end record;

  -- From the stages before to the branch unit: early answers, starting warps.
  type sm_to_branch_t is record
    look     : stack_place_t;                                -- the top of this stack is read, where X3 does not have to
    push     : early_to_branch_t;                            -- not while the beat in RESOLVE may push
    answered : std_ulogic;                                   -- the branch in X1, now
    start    : dispatch_to_warps_t;
  end record;

  -- From the branch unit to branch_early.
  type branch_to_sm_t is record
    looks    : std_ulogic;                                   -- the stack is read now
    top      : entry_vector_t;                               -- top of the stack, as read in the cycle before
    may_now  : std_ulogic;                                   -- there may be an answer, early in the cycle
    may_soon : std_ulogic;                                   -- the branch unit may answer now or in the next cycle
    answer   : branch_to_warps_t;
    released : std_ulogic_vector(2 ** SLOT_BITS - 1 downto 0); -- warps whose barrier has opened
  end record;

  -- It is the last beat of a branch that may be answered in X1.
  function asks_early(b : beat_t) return std_ulogic;

  -- Everything about a branch that does not depend on the top of the stack. Computed for the last beat of an
  -- instruction as it leaves X3; the branch unit uses it in RESOLVE.
  type judge_to_branch_t is record
    exec    : lane_mask_t;                                   -- lanes that its guard lets act
    next_pc : pc_t;                                          -- the warp goes on here
    falls   : std_ulogic;                                    -- next_pc is the following instruction
    trap    : trap_t;                                        -- but for that of a JOIN at the wrong kind of entry
    traps   : std_ulogic;                                    -- trap is not TRAP_NONE
    pushes  : std_ulogic;                                    -- there is something to push, and room for it
    push_pc : pc_t;
    token   : token_t;
    splits  : std_ulogic;                                    -- of the active lanes only `exec` go on: BRA, BRX
    leaves  : std_ulogic;                                    -- `exec` leave: RET, BRK
    exits   : std_ulogic;                                    -- the lanes that leave exit: no CALL on the stack
    returns : std_ulogic;                                    -- the lanes that leave wait on a CALL entry
    breaks  : std_ulogic;                                    -- the lanes that leave wait on a BREAK entry
    pops    : std_ulogic;                                    -- took the top entry off when it was answered early
    joins   : std_ulogic;                                    -- takes it off here
    rejoins : std_ulogic;                                    -- a JOIN on an empty stack: all lanes go on
    stays   : std_ulogic;                                    -- none of these three, nor does it end the warp
    some    : std_ulogic;                                    -- a lane stays active; if it joins, the entry says
    bottom  : std_ulogic;                                    -- nothing is left on the stack
    arrives : std_ulogic;                                    -- it arrives at a barrier, if nothing traps
    ends    : std_ulogic;                                    -- the warp finishes, with nothing on its stack
    redirects : std_ulogic;                                  -- it may redirect its warp, here
  end record;

  -- Of the last beat of an instruction: lanes that act, some do, not all of the active ones do; faults of any of them;
  -- the target of BRX.
  function judge(beat : beat_t; exec : lane_mask_t; acts, rests : std_ulogic; faults : faults_t; target : pc_t;
                 stack_depth : positive) return judge_to_branch_t;
  -- It is the last beat of an instruction that may take an entry off, at once or unwinding, in the branch unit.
  function may_pop(beat : beat_t) return std_ulogic;
  -- Those of the threads that have neither exited nor wait, parked, on a CALL or BREAK entry.
  function runnable(state : warp_state_t; threads : lane_mask_t) return lane_mask_t;
  -- The warp without the entry: the entry's threads run again, those that are runnable then.
  function popped(state : warp_state_t; top : entry_t) return warp_state_t;
  -- The address at which they resume. For a SYNC entry: behind the joining instruction, which they have executed.
  function resumes_at(top : entry_t) return pc_t;

end package;

package body branch_pkg is

  function to_vector(e : entry_t) return entry_vector_t is
  begin
    return std_ulogic_vector(e.pc) & e.mask & e.token;
  end function;

  function asks_early(b : beat_t) return std_ulogic is
    constant FLOW : flow_t := b.insn.control.flow;
  begin
    return b.valid and b.last and not b.insn.early.goes
           and to_sl(FLOW = FLOW_BRA or FLOW = FLOW_RET or FLOW = FLOW_BRK);
  end function;

  function to_entry(v : entry_vector_t) return entry_t is
    variable e : entry_t;
  begin
    e.token := v(1 downto 0);
    e.mask  := v(LANES + 1 downto 2);
    e.pc    := unsigned(v(ENTRY_BITS - 1 downto LANES + 2));
    return e;
  end function;

  function judge(beat : beat_t; exec : lane_mask_t; acts, rests : std_ulogic; faults : faults_t; target : pc_t;
                 stack_depth : positive) return judge_to_branch_t is
    variable v           : judge_to_branch_t;
    variable c           : control_t;
    variable s           : warp_state_t;
    variable follows     : pc_t;                             -- the next instruction
    variable whole       : std_ulogic;                       -- all live lanes are active
    variable empty, full : std_ulogic;                       -- the stack is
    variable branches    : std_ulogic;
    variable frees       : std_ulogic;                       -- RET or BRK
  begin
    c        := beat.insn.control;
    s        := beat.insn.state;
    follows  := beat.insn.pc + 4;
    if beat.insn.long = '1' then
      follows := beat.insn.pc + 8;
    end if;
    whole    := to_sl(s.active = s.alive);
    empty    := to_sl(s.depth = 0);
    full     := to_sl(s.depth = stack_depth);
    branches := to_sl(c.flow = FLOW_BRA or c.flow = FLOW_BRX);
    frees    := to_sl(c.flow = FLOW_RET or c.flow = FLOW_BRK);

    v.exec      := exec;
    v.redirects := beat.last and c.redirects and not beat.insn.early.goes;
    v.arrives   := to_sl(c.flow = FLOW_BAR) and whole and c.bar_legal;
    v.splits    := branches and acts and rests;
    v.leaves    := frees;
    v.exits     := to_sl(c.flow = FLOW_RET and s.calls = 0);
    v.returns   := to_sl(c.flow = FLOW_RET and s.calls /= 0);
    v.breaks    := to_sl(c.flow = FLOW_BRK);
    v.pops      := beat.insn.early.goes and not empty and not c.is_end and (c.is_join or (frees and acts));
    v.joins     := c.is_join and not beat.insn.early.goes and not empty and not c.is_end;
    v.rejoins   := c.is_join and empty;
    v.stays     := not (c.is_end or v.pops or v.joins or v.rejoins);
    v.some      := v.pops or (not c.is_end and (rests or not frees));
    v.bottom    := empty or ((v.pops or v.joins) and to_sl(s.depth = 1));

    v.next_pc := follows;
    v.falls   := '1';
    if c.flow = FLOW_CAL or (branches = '1' and acts = '1') then
      v.next_pc := c.target;
      v.falls   := '0';
      if c.flow = FLOW_BRX then
        v.next_pc := target;
      end if;
    elsif v.pops = '1' then
      v.next_pc := beat.insn.early.pc;
    end if;

    v.pushes  := v.splits or to_sl(c.flow = FLOW_SSY or c.flow = FLOW_PBK or c.flow = FLOW_CAL or c.flow = FLOW_PRET);
    v.push_pc := c.target;
    v.token   := TOKEN_SYNC;
    if branches = '1' then
      v.push_pc := follows;
      v.token   := TOKEN_DIVERGE;
      if c.flow = FLOW_BRX then                              -- the rest come back to it
        v.push_pc := beat.insn.pc;
      end if;
    elsif c.flow = FLOW_PBK then
      v.token := TOKEN_BREAK;
    elsif c.flow = FLOW_CAL or c.flow = FLOW_PRET then
      v.token := TOKEN_CALL;
      if c.flow = FLOW_CAL then
        v.push_pc := follows;
      end if;
    end if;

    v.trap := c.trap;                                        -- of the instruction itself, or of a lane's access
    for f in faults_t'high downto 0 loop
      if faults(f) = '1' then
        v.trap := std_ulogic_vector(unsigned(TRAP_SHARED_ALIGN) + to_unsigned(f, 4));
      end if;
    end loop;
    v.traps := to_sl(c.trap /= TRAP_NONE) or or_reduce(faults);
    v.ends  := not v.traps and empty and (c.is_end or (to_sl(c.flow = FLOW_RET) and not rests));
    if v.pushes = '1' and full = '1' then
      if v.traps = '0' then
        v.trap := TRAP_STACK_OVERFLOW;
      end if;
      v.traps := '1';
    elsif c.flow = FLOW_BRK and s.breaks = 0 and acts = '1' then
      v.trap  := TRAP_STACK_MISMATCH;
      v.traps := '1';
    elsif c.flow = FLOW_BAR and v.arrives = '0' then
      v.trap  := TRAP_BARRIER_PARTIAL;
      v.traps := '1';
    elsif c.flow = FLOW_BREAKPOINT and acts = '1' then
      v.trap  := TRAP_BREAKPOINT;
      v.traps := '1';
    end if;
    v.pushes := v.pushes and not full;
    return v;
  end function;

  function may_pop(beat : beat_t) return std_ulogic is
    variable c : control_t;
  begin
    c := beat.insn.control;
    return beat.last and not beat.insn.early.goes and to_sl(beat.insn.state.depth /= 0)
           and (c.is_join or c.is_end or to_sl(c.flow = FLOW_RET or c.flow = FLOW_BRK));
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
