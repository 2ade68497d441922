-- SPDX-License-Identifier: Apache-2.0
-- Answers branches before they reach the branch unit, so that their warp goes on sooner:
--   in stage I, one cycle after issue (of the last row, where it depends on a guard)
--     unguarded jumps and calls; what only pushes, which is done at once; a JOIN of all live lanes on an empty stack
--     a JOIN, RET or BRK that ends with the entry on top of the stack, if that could be read as the instruction entered
--     a guarded BRA, RET or BRK whose guard is known (guard_early.vhd) and the same for all active lanes
--   in a later stage, M or O (late_stage), those guarded ones that only have to go on somewhere: a BRA that all active
--     lanes take, or none; a RET or BRK that none takes
-- Such an instruction goes on with its `early` bit set: the branch unit still retires it, but redirects its warp no
-- more. What it takes off the stack it takes along (issue_t), for the entry may be overwritten before it retires. The
-- branch unit's own answers pass through here and go first; when it might have one, nothing is answered early, and when
-- the later stage has one, I has not. Whoever lost is answered in a later stage.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.branch_pkg.all;

entity branch_early is
  generic (
    STACK_DEPTH : positive
  );
  port (
    clk        : in  std_ulogic;
    rst        : in  std_ulogic;
    -- stage I
    moves_i    : in  std_ulogic;                             -- takes its next beat at the end of this cycle
    i_beat_i   : in  beat_t;
    reads_i    : in  std_ulogic;                             -- the top of the stack is read for the beat that enters
    top_i      : in  entry_vector_t;                         -- ... what was read in the cycle before
    i_known_i  : in  std_ulogic;                             -- taken_i and stays_i are of the beat in I
    i_insn_o   : out issue_t;                                -- the instruction in I, as it goes on
    -- the later stage
    late_beat_i  : in  beat_t;
    late_moves_i : in  std_ulogic;                           -- the beat leaves
    late_known_i : in  std_ulogic;                           -- taken_i and stays_i are of that beat
    late_early_o : out std_ulogic;                           -- the instruction is answered now
    -- guards
    taken_i    : in  std_ulogic;                             -- a lane of the beat executes
    stays_i    : in  std_ulogic;                             -- an active lane of the beat does not
    -- to the stack
    push_o     : out push_t;
    -- from the branch unit
    unit_may_i : in  std_ulogic;                             -- it may answer in this cycle
    redirect_i : in  redirect_t;
    state_we_i : in  std_ulogic;
    state_i    : in  warp_state_t;
    -- all answers
    redirect_o : out redirect_t;
    state_we_o : out std_ulogic;
    state_o    : out warp_state_t
  );
end entity;

architecture rtl of branch_early is

  -- what the guard lets the rows of an instruction do, up to one of them
  type guard_t is record
    known : std_ulogic;
    taken : std_ulogic;
    stays : std_ulogic;
  end record;

  type early_t is record
    top  : std_ulogic;                                       -- top_i is that of the instruction in I
    i    : guard_t;                                          -- of the rows before that in I
    late : guard_t;
  end record;

  signal r, rin : early_t;

  function with_row(before : guard_t; row : row_t; known, taken, stays : std_ulogic) return guard_t is
  begin
    if row = 0 then
      return (known, taken, stays);
    end if;
    return (before.known and known, before.taken or taken, before.stays or stays);
  end function;

begin

  comb : process (all)
    variable v      : early_t;
    variable c      : control_t;
    variable s      : warp_state_t;
    variable parked : warp_state_t;
    variable guard  : guard_t;
    variable all_act : std_ulogic;                           -- it is known that all active lanes execute
    variable none_act : std_ulogic;                          -- ... that none does
    variable top    : entry_t;
    variable push   : entry_t;
    variable pushes : std_ulogic;
    variable joins  : std_ulogic;
    variable pops   : std_ulogic;
    variable stands : std_ulogic;                            -- nothing changes, the warp goes on behind it
    variable jumps  : std_ulogic;
    variable follows : pc_t;                                 -- the next instruction
    variable i_pc   : pc_t;                                  -- where it goes on
    variable i_goes : std_ulogic;
    variable late_goes : std_ulogic;
  begin
    v := r;

    -- the later stage
    c := late_beat_i.insn.control;
    guard := with_row(r.late, late_beat_i.row, late_known_i, taken_i, stays_i);
    if late_beat_i.valid = '1' and late_moves_i = '1' then
      v.late := guard;
    end if;
    late_goes := late_beat_i.valid and late_beat_i.last and late_moves_i and not late_beat_i.insn.early
                 and not unit_may_i and guard.known
                 and ((to_sl(c.flow = FLOW_BRA) and not (guard.taken and guard.stays))
                      or (to_sl(c.flow = FLOW_RET or c.flow = FLOW_BRK) and not guard.taken));
    redirect_o       <= REDIRECT_INIT;
    redirect_o.slot  <= late_beat_i.insn.slot;
    redirect_o.falls_through <= not guard.taken;
    redirect_o.pc    <= c.target;                            -- if it does not fall through

    -- I
    c := i_beat_i.insn.control;
    s := i_beat_i.insn.state;
    follows := i_beat_i.insn.pc + 8;                         -- no half instruction is answered
    guard := with_row(r.i, i_beat_i.row, i_known_i, taken_i, stays_i);
    if moves_i = '1' then
      v.i := guard;
    end if;
    all_act  := to_sl(c.cond = 15) or (i_beat_i.last and guard.known and not guard.stays);
    none_act := to_sl(c.cond /= 15) and i_beat_i.last and guard.known and not guard.taken;
    stands   := none_act and to_sl(is_guarded_branch(c.flow));

    push   := (token => TOKEN_CALL, mask => s.active, pc => c.target);
    pushes := to_sl((c.flow = FLOW_CAL or c.flow = FLOW_SSY or c.flow = FLOW_PBK or c.flow = FLOW_PRET)
                    and s.depth /= STACK_DEPTH);
    if c.flow = FLOW_CAL then
      push.pc := follows;
    elsif c.flow = FLOW_SSY then
      push.token := TOKEN_SYNC;
    elsif c.flow = FLOW_PBK then
      push.token := TOKEN_BREAK;
    end if;

    top    := to_entry(top_i);
    parked := s;
    joins  := c.is_join and not i_beat_i.insn.more;          -- the marker stands alone: no flow, no END
    if c.flow = FLOW_RET then
      parked.call_parked := s.call_parked or s.active;
      pops := to_sl(top.token = TOKEN_CALL) and all_act;
    elsif c.flow = FLOW_BRK then
      parked.brk_parked := s.brk_parked or s.active;
      pops := to_sl(top.token = TOKEN_BREAK) and all_act;
    else
      pops := to_sl(top.token = TOKEN_SYNC or top.token = TOKEN_DIVERGE) and joins;
    end if;
    parked := popped(parked, top);

    jumps := to_sl(c.flow = FLOW_CAL) or (to_sl(c.flow = FLOW_BRA) and all_act);
    i_pc  := follows;
    if jumps = '1' then
      i_pc := c.target;
    end if;
    pops   := pops and r.top and to_sl(s.depth /= 0) and or_reduce(parked.active);
    stands := stands or (joins and to_sl(s.depth = 0 and s.active = s.alive));
    if pops = '1' then
      s := parked;
      if top.token /= TOKEN_SYNC then
        jumps := '1';
        i_pc  := top.pc;
      end if;
    end if;
    if pushes = '1' then
      s.depth := s.depth + 1;
      if push.token = TOKEN_CALL then
        s.calls := s.calls + 1;
      elsif push.token = TOKEN_BREAK then
        s.breaks := s.breaks + 1;
      end if;
    end if;

    i_goes := i_beat_i.valid and not i_beat_i.insn.early and not unit_may_i and not late_goes
              and (pushes or pops or stands or (to_sl(c.flow = FLOW_BRA) and all_act));
    i_insn_o       <= i_beat_i.insn;
    i_insn_o.early <= i_beat_i.insn.early or i_goes;
    if i_goes = '1' and pops = '1' then
      i_insn_o.state.alive    <= s.active;
      i_insn_o.control.target <= i_pc;
    end if;

    push_o.valid <= i_goes and pushes;
    push_o.slot  <= i_beat_i.insn.slot;
    push_o.depth <= s.depth;
    push_o.entry <= push;

    redirect_o.valid <= i_goes or late_goes;
    if late_goes = '0' then
      redirect_o.slot <= i_beat_i.insn.slot;
      redirect_o.falls_through <= not jumps;
      redirect_o.pc   <= i_pc;
    end if;
    state_we_o <= i_goes and (pushes or pops);
    state_o    <= s;
    if redirect_i.valid = '1' then
      redirect_o <= redirect_i;
      state_we_o <= state_we_i;
    end if;
    if unit_may_i = '1' then
      state_o <= state_i;
    end if;

    v.top := reads_i and moves_i;
    late_early_o <= late_goes;
    rin <= v;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
      if rst = '1' then
        r.top <= '0';
      end if;
    end if;
  end process;

end architecture;
