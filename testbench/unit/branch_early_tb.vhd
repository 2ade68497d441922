-- SPDX-License-Identifier: Apache-2.0
-- branch_early: what is answered in stage ADDRESS, what in the later stage, and what is left to the branch unit;
-- which answer goes first when there are two; what a warp's state and its stack become; what an answered instruction
-- takes along.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.branch_pkg.all;
use work.bench_pkg.all;

entity branch_early_tb is
end entity branch_early_tb;

architecture sim of branch_early_tb is
  constant DEPTH : positive := 4;
  constant ALL_LANES : lane_mask_t := (others => '1');
  constant EVEN  : lane_mask_t := x"55555555";
  constant ODD   : lane_mask_t := x"aaaaaaaa";
  constant SLOT  : slot_t := to_unsigned(2, SLOT_BITS);

  signal clk         : std_ulogic := '0';
  signal rst         : std_ulogic := '1';
  signal moves       : std_ulogic := '1';
  signal a_beat      : beat_t := BEAT_INIT;
  signal enters      : std_ulogic := '0';
  signal i_insn      : front_to_operands_t := FRONT_TO_OPERANDS_INIT;
  signal top         : entry_vector_t := (others => '0');
  signal a_early     : early_to_operands_t;
  signal late        : beat_t := BEAT_INIT;
  signal asks        : std_ulogic;
  signal late_moves  : std_ulogic := '1';
  signal late_early  : std_ulogic;
  signal taken       : std_ulogic := '0';
  signal stays       : std_ulogic := '0';
  signal push        : early_to_branch_t;
  signal unit_may    : std_ulogic := '0';
  signal unit_pushes : std_ulogic := '0';
  signal answers_a   : std_ulogic := '0';                    -- A answered in the last cycle
  signal redirect    : branch_to_sched_t;
  signal state_we    : std_ulogic;
  signal state       : warp_state_t;
begin

  asks <= asks_early(late);

  u_dut : entity work.branch_early
    generic map (STACK_DEPTH => DEPTH)
    port map (clk => clk, rst => rst, moves_i => moves, enters_i => enters, rows_insn_i => i_insn,
              top_i => top, address_beat_i => a_beat,
              address_early_o => a_early, late_beat_i => late, late_moves_i => late_moves, late_early_o => late_early,
              guard_i.asks      => asks, guard_i.taken => taken, guard_i.stays => stays,
              push_o => push, unit_may_i => unit_may, unit_pushes_i => unit_pushes,
              answer_o.redirect => redirect, answer_o.state_we => state_we, answer_o.state => state);

  nothing_else_pushes : process (clk)
  begin
    if rising_edge(clk) then
      assert rst = '1' or push.valid = '0' or answers_a = '1'
        report "only what is answered in ADDRESS pushes" severity failure;
      answers_a <= redirect.valid and not late_early;
    end if;
  end process nothing_else_pushes;

  stimulus : process
    variable pushes : boolean := false;                      -- the next answer does, this entry
    variable must_push : entry_t;

    function insn(flow : flow_t; entries : natural; cond : natural := 15) return front_to_operands_t is
      variable i : front_to_operands_t := FRONT_TO_OPERANDS_INIT;
    begin
      i.valid := '1';
      i.slot  := SLOT;
      i.pc    := x"000100";
      i.long  := '1';
      i.state.active   := EVEN;
      i.state.alive    := ALL_LANES;
      i.state.depth    := to_unsigned(entries, DEPTH_BITS);
      i.control.flow   := flow;
      i.control.target := x"000200";
      i.control.cond   := to_unsigned(cond, 5);
      i.control.redirects := '1';
      return i;
    end function insn;

    function join(entries : natural) return front_to_operands_t is
      variable i : front_to_operands_t := insn(FLOW_NONE, entries);
    begin
      i.control.is_join := '1';
      return i;
    end function join;

    -- It passes stage ROWS, its stack read or not, and is in ADDRESS: one beat, or the first of two.
    procedure enter(i : front_to_operands_t; with_top : std_ulogic := '0'; last : std_ulogic := '1';
                    next_top : std_ulogic := '0') is
    begin
      a_beat  <= BEAT_INIT;
      moves   <= '1';
      enters  <= with_top;
      tick(clk);
      i_insn <= i;
      enters  <= next_top;
      tick(clk);
      moves  <= '0';
      enters <= '0';
      a_beat       <= BEAT_INIT;
      a_beat.valid <= '1';
      a_beat.last  <= last;
      a_beat.insn  <= i;
      wait for 1 ns;
    end procedure enter;

    -- The second of two beats.
    procedure second_beat is
      variable kept : early_to_operands_t;
    begin
      moves <= '1';
      wait for 1 ns;
      kept := a_early;
      tick(clk);
      a_beat.insn.early <= kept;
      moves <= '0';
      a_beat.last <= '1';
      a_beat.row  <= "01";
      wait for 1 ns;
    end procedure second_beat;

    procedure answered(pc, entries, calls, breaks : natural; what : string) is
      variable kept : early_to_operands_t;
    begin
      check(redirect.valid = '1' and a_early.goes = '1' and redirect.slot = SLOT, what & ": is answered in ADDRESS");
      check(redirect.pc = pc and redirect.falls_through = to_sl(pc = 16#108#), what & ": where it goes on");
      check(state_we = '0' or (state.depth = entries and state.calls = calls and state.breaks = breaks),
            what & ": the warp's stack");
      check(redirect.finished = '0' and redirect.waits = '0' and redirect.trapped = '0', what & ": it runs");
      kept := a_early;
      tick(clk);
      a_beat.insn.early <= kept;
      wait for 1 ns;
      check(redirect.valid = '0' and a_early.goes = '1' and state_we = '0', what & ": is answered once");
      check(push.valid = to_sl(pushes), what & ": pushes, or does not");
      check(not pushes or (push.slot = SLOT and push.depth = entries and push.entry = must_push),
            what & ": what it pushes, and its place");
      pushes := false;
      tick(clk);
      check(push.valid = '0', what & ": pushes once");
    end procedure answered;

    procedure not_answered(what : string) is
    begin
      check(redirect.valid = '0' and a_early.goes = '0' and state_we = '0', what);
    end procedure not_answered;

    procedure pushed(token : token_t; pc : natural; what : string) is
    begin
      check(state_we = '1', what & " pushes");
      pushes    := true;
      must_push := (token => token, mask => EVEN, pc => to_unsigned(pc, 24));
      check(state.active = EVEN, what & ": no lane leaves");
    end procedure pushed;

    procedure popped_by(lanes : lane_mask_t; at : natural; what : string) is
    begin
      check(state_we = '1', what & " pops");
      check(state.active = lanes and a_early.active = lanes, what & ": lanes that go on");
      check(a_early.pc = at, what & ": where they go on");
    end procedure popped_by;

    -- A beat of a guarded branch in the later stage.
    procedure in_late(row : natural; last, takes, keeps : std_ulogic; flow : flow_t := FLOW_BRA) is
    begin
      late       <= BEAT_INIT;
      late.valid <= '1';
      late.last  <= last;
      late.row   <= to_unsigned(row, 2);
      late.insn  <= insn(flow, 0, 5);
      taken <= takes;
      stays <= keeps;
      wait for 1 ns;
    end procedure in_late;

    procedure entry(token : token_t; mask : lane_mask_t) is
    begin
      top <= to_vector(entry_t'(token => token, mask => mask, pc => x"000300"));
    end procedure entry;

    variable caller, all_join : front_to_operands_t;
  begin
    tick(clk);
    rst <= '0';

    enter(insn(FLOW_BRA, 0));
    check(state_we = '0', "BRA leaves the state alone");
    answered(16#200#, 0, 0, 0, "BRA");
    enter(insn(FLOW_CAL, 1));
    pushed(TOKEN_CALL, 16#108#, "CAL");
    answered(16#200#, 2, 1, 0, "CAL");
    enter(insn(FLOW_SSY, 3));
    pushed(TOKEN_SYNC, 16#200#, "SSY");
    answered(16#108#, 4, 0, 0, "SSY");
    enter(insn(FLOW_PBK, 0));
    pushed(TOKEN_BREAK, 16#200#, "PBK");
    answered(16#108#, 1, 0, 1, "PBK");
    enter(insn(FLOW_PRET, 0));
    pushed(TOKEN_CALL, 16#200#, "PRET");
    answered(16#108#, 1, 1, 0, "PRET");
    enter(insn(FLOW_SSY, 4));
    not_answered("SSY on a full stack");
    enter(insn(FLOW_CAL, 4));
    not_answered("CAL on a full stack");
    enter(insn(FLOW_BAR, 0));
    not_answered("BAR");
    enter(insn(FLOW_SSY, 0));
    unit_may <= '1';
    wait for 1 ns;
    not_answered("SSY beside the branch unit");
    unit_may <= '0';
    unit_pushes <= '1';
    wait for 1 ns;
    not_answered("SSY a cycle before the branch unit pushes");
    unit_pushes <= '0';
    wait for 1 ns;
    pushed(TOKEN_SYNC, 16#200#, "SSY, later");
    answered(16#108#, 1, 0, 0, "SSY, later");
    unit_pushes <= '1';
    enter(insn(FLOW_BRA, 0));
    answered(16#200#, 0, 0, 0, "BRA, which pushes nothing");
    unit_pushes <= '0';

    -- JOIN
    entry(TOKEN_SYNC, ALL_LANES);
    enter(join(1), '1');
    popped_by(ALL_LANES, 16#108#, "JOIN at SYNC");
    answered(16#108#, 0, 0, 0, "JOIN at SYNC");
    entry(TOKEN_DIVERGE, ODD);
    enter(join(2), '1');
    popped_by(ODD, 16#300#, "JOIN at DIVERGE");
    answered(16#300#, 1, 0, 0, "JOIN at DIVERGE");
    enter(join(2), '1');
    unit_may <= '1';
    wait for 1 ns;
    not_answered("JOIN beside the branch unit");
    enters <= '1';                                           -- for what follows, which stage ROWS does not take
    tick(clk);
    enters   <= '0';
    unit_may <= '0';
    wait for 1 ns;
    not_answered("and not later, what was read is gone");
    enter(join(1), '0');
    not_answered("JOIN whose entry was not read");
    enter(join(1), '0', '0', '1');
    second_beat;
    popped_by(ODD, 16#300#, "JOIN, read with its second beat");
    answered(16#300#, 0, 0, 0, "JOIN, read with its second beat");
    enter(join(1), '1', '0');
    popped_by(ODD, 16#300#, "JOIN of two beats");
    second_beat;
    check(redirect.valid = '0' and a_early.goes = '1' and a_early.active = ODD and a_early.pc = 16#300#,
          "JOIN of two beats: the second knows what the first was answered");
    enter(join(0), '0');
    not_answered("JOIN with nothing on the stack, of some of the lanes that live");
    all_join := join(0);
    all_join.state.alive := EVEN;
    enter(all_join, '0');
    answered(16#108#, 0, 0, 0, "JOIN with nothing on the stack");
    entry(TOKEN_DIVERGE, (others => '0'));
    enter(join(1), '1');
    not_answered("JOIN that frees no lane unwinds");
    for token in 2 to 3 loop
      entry(std_ulogic_vector(to_unsigned(token, 2)), ALL_LANES);
      enter(join(1), '1');
      not_answered("JOIN at CALL or BREAK traps");
    end loop;

    -- RET and BRK: others wait, parked, on the entry; or on one below it
    for flow in FLOW_RET to FLOW_BRK loop
      next when flow /= FLOW_RET and flow /= FLOW_BRK;
      for token in 0 to 3 loop
        entry(std_ulogic_vector(to_unsigned(token, 2)), ALL_LANES);
        for cond in 14 to 15 loop
          caller := insn(flow, 2, cond);
          caller.state.calls  := to_unsigned(1, DEPTH_BITS);
          caller.state.breaks := to_unsigned(1, DEPTH_BITS);
          if flow = FLOW_RET then
            caller.state.call_parked := x"0000aaaa";
            caller.state.brk_parked  := x"000a0000";
          else
            caller.state.brk_parked  := x"0000aaaa";
            caller.state.call_parked := x"000a0000";
          end if;
          enter(caller, '1');
          if cond = 14 then
            not_answered(flow_t'image(flow) & " that has a guard");
          elsif (flow = FLOW_RET and token = 2) or (flow = FLOW_BRK and token = 3) then
            popped_by(x"fff5ffff", 16#300#, flow_t'image(flow));
            check(state.call_parked = (x"000a0000" and lane_mask_t'(others => to_sl(flow = FLOW_BRK)))
                  and state.brk_parked = (x"000a0000" and lane_mask_t'(others => to_sl(flow = FLOW_RET))),
                  flow_t'image(flow) & ": lanes that wait");
            answered(16#300#, 1, to_integer(to_unsigned(1, 1) - to_sl(flow = FLOW_RET)),
                     to_integer(to_unsigned(1, 1) - to_sl(flow = FLOW_BRK)), flow_t'image(flow));
          else
            not_answered(flow_t'image(flow) & " above another entry");
          end if;
          enter(caller, '0');
          not_answered(flow_t'image(flow) & " whose entry was not read");
        end loop;
      end loop;
      enter(insn(flow, 0), '1');
      not_answered(flow_t'image(flow) & " with nothing on the stack");
    end loop;

    -- guarded BRA in ADDRESS
    enter(insn(FLOW_BRA, 0, 5));
    not_answered("a BRA that has a guard");
    a_beat <= BEAT_INIT;
    tick(clk);

    -- guarded BRA in the later stage, one row or two
    for takes in std_ulogic range '0' to '1' loop
      in_late(0, '1', takes, not takes);
      check(late_early = '1' and redirect.valid = '1' and redirect.falls_through = not takes, "BRA of one beat");
      check(redirect.pc = x"000200" or takes = '0', "its target");
      check(state_we = '0', "no state");
      tick(clk);
      in_late(0, '0', takes, not takes);
      check(late_early = '0' and redirect.valid = '0', "the first of two beats");
      tick(clk);
      in_late(1, '1', '0', '0');
      check(late_early = '1' and redirect.falls_through = not takes, "no lane is active in the second");
      tick(clk);
      in_late(0, '0', takes, not takes);
      tick(clk);
      in_late(1, '1', not takes, takes);
      check(late_early = '0' and redirect.valid = '0', "the rows disagree");
      tick(clk);
      for flow in FLOW_RET to FLOW_BRK loop
        in_late(0, '1', takes, not takes, flow);
        check(late_early = (not takes and to_sl(flow = FLOW_RET or flow = FLOW_BRK)),
              flow_t'image(flow) & " that no lane takes goes on, no other");
        check(redirect.falls_through = '1' or late_early = '0', "behind it");
        tick(clk);
      end loop;
    end loop;
    in_late(0, '1', '1', '1');
    check(late_early = '0' and redirect.valid = '0', "lanes disagree");
    tick(clk);
    in_late(0, '1', '1', '0');
    late_moves <= '0';
    wait for 1 ns;
    check(late_early = '0' and redirect.valid = '0', "it does not leave the stage");
    tick(clk);
    late_moves <= '1';
    unit_may   <= '1';
    wait for 1 ns;
    check(late_early = '0' and redirect.valid = '0', "the branch unit has an answer");
    unit_may <= '0';
    late.insn.early.goes <= '1';
    wait for 1 ns;
    check(late_early = '0' and redirect.valid = '0', "it was answered in ADDRESS");
    in_late(0, '1', '1', '0');

    -- of two answers the later stage's goes first
    enter(insn(FLOW_SSY, 0));
    check(late_early = '1' and a_early.goes = '0' and redirect.valid = '1' and state_we = '0',
          "the later stage before ADDRESS");
    check(redirect.pc = x"000200" and redirect.falls_through = '0', "and its target");
    tick(clk);
    late.valid <= '0';
    wait for 1 ns;
    pushed(TOKEN_SYNC, 16#200#, "then ADDRESS");
    answered(16#108#, 1, 0, 0, "then ADDRESS");
    -- a trap between the beats of a BRA
    in_late(0, '0', '1', '0');
    tick(clk);
    in_late(0, '1', '0', '1');
    check(late_early = '1', "the beats before a trap are forgotten");

    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
