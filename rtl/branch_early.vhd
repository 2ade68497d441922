-- SPDX-License-Identifier: Apache-2.0
-- Answers branches before they reach the branch unit, so that their warp goes on sooner:
--   in stage A, two cycles after issue
--     unguarded jumps and calls; what only pushes, which is done at once; a JOIN of all live lanes on an empty stack
--     a JOIN, or an unguarded RET or BRK, that ends with the entry on top of the stack, if that could be read as the
--     instruction entered stage I
--   in stage X1, with the last row, those guarded ones that only have to go on somewhere: a BRA that all active lanes
--     take, or none; a RET or BRK that none takes
-- Such an instruction goes on with its `early` bit set: the branch unit still retires it, but redirects its warp no
-- more. What it takes off the stack it takes along (issue_t), for the entry may be overwritten before it retires. The
-- branch unit's own answers pass through here and go first; when it might have one, nothing is answered early, and when
-- X1 has one, A has not. Whoever lost is answered by the branch unit.

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
    moves_i    : in  std_ulogic;                             -- stages I and A take their next beats
    -- stage I
    enters_i   : in  std_ulogic;                             -- it takes a beat at the end of this cycle, for which the
                                                             -- top of the stack is read
    i_state_i  : in  warp_state_t;                           -- of the beat in I
    top_i      : in  entry_vector_t;                         -- ... and the top, if it was read
    -- stage A
    a_beat_i   : in  beat_t;
    a_insn_o   : out issue_t;                                -- the instruction in A, as it goes on
    -- stage X1
    late_beat_i  : in  beat_t;
    late_moves_i : in  std_ulogic;                           -- the beat leaves
    taken_i    : in  std_ulogic;                             -- a lane of the beat executes
    stays_i    : in  std_ulogic;                             -- an active lane of the beat does not
    late_early_o : out std_ulogic;                           -- the instruction is answered now
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
    taken : std_ulogic;
    stays : std_ulogic;
  end record;

  type early_t is record
    i_has_top : std_ulogic;                                  -- top_i is that of the instruction in I
    has_top : std_ulogic;                                    -- the same, of that in A:
    top     : entry_t;
    active  : lane_mask_t;                                   -- ... who runs when it is taken off
    late : guard_t;                                          -- of the rows before that in X1
  end record;

  signal r, rin : early_t;

  function with_row(before : guard_t; row : row_t; taken, stays : std_ulogic) return guard_t is
    variable guard : guard_t;
  begin
    guard := (taken, stays);
    if row /= 0 then
      guard := (before.taken or taken, before.stays or stays);
    end if;
    return guard;
  end function;

begin

  comb : process (all)
    variable v      : early_t;
    variable c      : control_t;
    variable i_top  : entry_t;
    variable s      : warp_state_t;
    variable parked : warp_state_t;
    variable guard  : guard_t;
    variable all_act : std_ulogic;                           -- it has no guard
    variable top    : entry_t;
    variable push   : entry_t;
    variable pushes : std_ulogic;
    variable joins  : std_ulogic;
    variable pops   : std_ulogic;
    variable stands : std_ulogic;                            -- nothing changes, the warp goes on behind it
    variable jumps  : std_ulogic;
    variable follows : pc_t;                                 -- the next instruction
    variable a_pc   : pc_t;                                  -- where it goes on
    variable a_goes : std_ulogic;
    variable late_goes : std_ulogic;
  begin
    v := r;

    -- I: of the threads of the entry those that nothing else keeps, as `popped` has it
    i_top    := to_entry(top_i);
    v.active := i_top.mask and i_state_i.alive;
    if i_top.token /= TOKEN_CALL then
      v.active := v.active and not i_state_i.call_parked;
    end if;
    if i_top.token /= TOKEN_BREAK then
      v.active := v.active and not i_state_i.brk_parked;
    end if;
    v.top       := i_top;
    v.has_top   := r.i_has_top and moves_i;
    v.i_has_top := enters_i and moves_i;

    -- X1
    c := late_beat_i.insn.control;
    guard := with_row(r.late, late_beat_i.row, taken_i, stays_i);
    if late_beat_i.valid = '1' and late_moves_i = '1' then
      v.late := guard;
    end if;
    late_goes := late_beat_i.valid and late_beat_i.last and late_moves_i and not late_beat_i.insn.early
                 and not unit_may_i
                 and ((to_sl(c.flow = FLOW_BRA) and not (guard.taken and guard.stays))
                      or (to_sl(c.flow = FLOW_RET or c.flow = FLOW_BRK) and not guard.taken));
    redirect_o       <= REDIRECT_INIT;
    redirect_o.slot  <= late_beat_i.insn.slot;
    redirect_o.falls_through <= not guard.taken;
    redirect_o.pc    <= c.target;                            -- if it does not fall through

    -- A
    c := a_beat_i.insn.control;
    s := a_beat_i.insn.state;
    follows := a_beat_i.insn.pc + 8;                         -- no half instruction is answered
    all_act := to_sl(c.cond = 15);

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

    top    := r.top;
    parked := s;
    joins  := c.is_join and not a_beat_i.insn.more;          -- the marker stands alone: no flow, no END
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
    parked.active := r.active;

    jumps := to_sl(c.flow = FLOW_CAL) or (to_sl(c.flow = FLOW_BRA) and all_act);
    a_pc  := follows;
    if jumps = '1' then
      a_pc := c.target;
    end if;
    pops   := pops and r.has_top and to_sl(s.depth /= 0);   -- if a thread goes on then
    stands := joins and to_sl(s.depth = 0 and s.active = s.alive);
    if pops = '1' then
      s := parked;
      if top.token /= TOKEN_SYNC then
        jumps := '1';
        a_pc  := top.pc;
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

    a_goes := a_beat_i.valid and not a_beat_i.insn.early and not unit_may_i and not late_goes
              and (pushes or (pops and or_reduce(r.active)) or stands or (to_sl(c.flow = FLOW_BRA) and all_act));
    a_insn_o       <= a_beat_i.insn;
    a_insn_o.early <= a_beat_i.insn.early or a_goes;
    if a_goes = '1' and pops = '1' then
      a_insn_o.state.alive    <= s.active;
      a_insn_o.control.target <= a_pc;
    end if;

    push_o.valid <= a_goes and pushes;
    push_o.slot  <= a_beat_i.insn.slot;
    push_o.depth <= s.depth;
    push_o.entry <= push;

    redirect_o.valid <= a_goes or late_goes;
    if late_goes = '0' then
      redirect_o.slot <= a_beat_i.insn.slot;
      redirect_o.falls_through <= not jumps;
      redirect_o.pc   <= a_pc;
    end if;
    state_we_o <= a_goes and (pushes or pops);
    state_o    <= s;
    if redirect_i.valid = '1' then
      redirect_o <= redirect_i;
      state_we_o <= state_we_i;
    end if;
    if unit_may_i = '1' then
      state_o <= state_i;
    end if;

    late_early_o <= late_goes;
    rin <= v;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
      if rst = '1' then
        r.has_top   <= '0';
        r.i_has_top <= '0';
      end if;
    end if;
  end process;

end architecture;
