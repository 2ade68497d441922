-- SPDX-License-Identifier: Apache-2.0
-- Answers branches before they reach the branch unit, so that their warp goes on sooner:
--   in stage I, one cycle after issue, what needs no flags: unguarded jumps and calls, what only pushes, and a JOIN
--     whose entry could be read while the instruction was in stage D
--   in stage O, four cycles after issue (of the last row), a guarded BRA that all active lanes take, or none
-- Such an instruction goes on with its `early` bit set: the branch unit still pushes and retires it, but redirects its
-- warp no more. The branch unit's own answers pass through here and go first; when it might have one, nothing is
-- answered early, and when O has one, I has not. Whoever lost is answered in a later stage.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.branch_pkg.all;

entity branch_early is
  generic (
    STACK_DEPTH : positive
  );
  port (
    clk        : in  std_ulogic;
    rst        : in  std_ulogic;
    -- stage D
    d_slot_i   : in  slot_t;
    d_reads_i  : in  std_ulogic;                             -- the top of the warp's stack is read
    stages_i   : in  beats_t(1 to 5);                        -- I, A, M, O, X
    -- stage I
    top_i      : in  entry_vector_t;                         -- ... what was read in the cycle before
    i_enters_i : in  std_ulogic;                             -- a new instruction enters I at the end of this cycle
    i_early_o  : out std_ulogic;                             -- the instruction in I is answered
    -- stage O
    advance_i  : in  std_ulogic;                             -- the beat in O leaves
    taken_i    : in  std_ulogic;                             -- a lane of the beat executes
    stays_i    : in  std_ulogic;                             -- an active lane of the beat does not
    o_early_o  : out std_ulogic;                             -- the instruction in O is answered now
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

  type early_t is record
    top   : std_ulogic;                                      -- top_i is that of the instruction in I
    done  : std_ulogic;                                      -- the instruction in I was answered in an earlier cycle
    taken : std_ulogic;                                      -- of the rows before that in O
    stays : std_ulogic;
  end record;

  signal r, rin : early_t;
  signal i_beat, o_beat : beat_t;

  function follows(insn : issue_t) return pc_t is
    variable bytes : pc_t;
  begin
    bytes := (3 => insn.long, 2 => not insn.long, others => '0');
    return insn.pc + bytes;
  end function;

begin

  i_beat <= stages_i(1);
  o_beat <= stages_i(4);

  comb : process (all)
    variable v      : early_t;
    variable c      : control_t;
    variable s      : warp_state_t;
    variable top    : entry_t;
    variable joined : warp_state_t;
    variable joins  : std_ulogic;
    variable target : pc_t;
    variable pushed : std_ulogic;                            -- something of the warp in D is to be pushed still
    variable i_goes : std_ulogic;
    variable o_goes : std_ulogic;
    variable jumps  : std_ulogic;
    variable pushes : std_ulogic;
    variable taken  : std_ulogic;
    variable stays  : std_ulogic;
    variable from   : issue_t;                               -- who is answered
  begin
    v := r;

    -- O: what all lanes of the instruction do is known with its last beat
    taken := r.taken or taken_i;
    stays := r.stays or stays_i;
    o_goes := o_beat.valid and o_beat.last and advance_i and not o_beat.insn.early and not unit_may_i
              and to_sl(o_beat.insn.control.flow = FLOW_BRA) and not (taken and stays);
    if o_beat.valid = '1' and advance_i = '1' then
      v.taken := taken and not o_beat.last;
      v.stays := stays and not o_beat.last;
    end if;
    if redirect_i.valid = '1' and redirect_i.trapped = '1' then
      v.taken := '0';                                        -- the beats that would follow are forgotten
      v.stays := '0';
    end if;

    -- I
    c      := i_beat.insn.control;
    s      := i_beat.insn.state;
    jumps  := to_sl(c.flow = FLOW_CAL or (c.flow = FLOW_BRA and c.cond = 15));
    target := c.target;
    pushes := to_sl((c.flow = FLOW_CAL or c.flow = FLOW_SSY or c.flow = FLOW_PBK or c.flow = FLOW_PRET)
                    and s.depth /= STACK_DEPTH);
    top    := to_entry(top_i);
    joined := s;
    joins  := c.is_join and not c.is_end and not i_beat.insn.more and r.top
              and to_sl(c.flow = FLOW_NONE and c.trap = TRAP_NONE);
    if s.depth /= 0 then
      joined := popped(s, top);
      joins  := joins and or_reduce(joined.active) and to_sl(top.token = TOKEN_SYNC or top.token = TOKEN_DIVERGE);
      if joins = '1' and top.token = TOKEN_DIVERGE then
        jumps  := '1';
        target := top.pc;
      end if;
    end if;
    i_goes := i_beat.valid and not i_beat.insn.is_init and not r.done and not unit_may_i and not o_goes
              and (pushes or joins or to_sl(c.flow = FLOW_BRA and c.cond = 15));
    v.done := (r.done or i_goes) and not i_enters_i;

    if joins = '1' then
      s := joined;
    elsif pushes = '1' then
      s.depth := s.depth + 1;
    end if;
    if c.flow = FLOW_CAL or c.flow = FLOW_PRET then
      s.calls := s.calls + 1;
    elsif c.flow = FLOW_PBK then
      s.breaks := s.breaks + 1;
    end if;

    from := i_beat.insn;
    if o_goes = '1' then
      from  := o_beat.insn;
      jumps := taken;
      target := o_beat.insn.control.target;
    end if;
    redirect_o       <= REDIRECT_INIT;
    redirect_o.valid <= i_goes or o_goes;
    redirect_o.slot  <= from.slot;
    redirect_o.falls_through <= not jumps;
    redirect_o.pc    <= follows(from);
    if jumps = '1' then
      redirect_o.pc <= target;
    end if;
    state_we_o <= i_goes and (pushes or joins);
    state_o    <= s;
    if redirect_i.valid = '1' then
      redirect_o <= redirect_i;
      state_we_o <= state_we_i;
    end if;
    if unit_may_i = '1' then
      state_o <= state_i;
    end if;

    -- D: what is pushed when the beat in Y leaves is read already
    pushed := '0';
    for n in stages_i'range loop
      c := stages_i(n).insn.control;
      if stages_i(n).valid = '1' and stages_i(n).insn.slot = d_slot_i
        and (c.flow = FLOW_SSY or c.flow = FLOW_PBK or c.flow = FLOW_PRET or c.flow = FLOW_CAL)
      then
        pushed := '1';
      end if;
    end loop;
    v.top := d_reads_i and i_enters_i and not pushed;

    i_early_o <= r.done or i_goes;
    o_early_o <= o_goes;
    rin <= v;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
      if rst = '1' then
        r.top   <= '0';
        r.done  <= '0';
        r.taken <= '0';
        r.stays <= '0';
      end if;
    end if;
  end process;

end architecture;
