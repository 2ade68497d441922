-- SPDX-License-Identifier: Apache-2.0
-- branch_early: what is answered in stage I, in stage O, and what is left to the branch unit; who goes first when two
-- have an answer; what a warp's state becomes.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.branch_pkg.all;

entity branch_early_tb is
end entity branch_early_tb;

architecture sim of branch_early_tb is
  constant DEPTH : positive := 4;
  constant EVEN  : lane_mask_t := x"55555555";
  constant ODD   : lane_mask_t := x"aaaaaaaa";
  constant SLOT  : slot_t := to_unsigned(2, SLOT_BITS);

  signal clk      : std_ulogic := '0';
  signal rst      : std_ulogic := '1';
  signal d_slot   : slot_t := SLOT;
  signal d_reads  : std_ulogic := '0';
  signal stages   : beats_t(1 to 5) := (others => BEAT_INIT);
  signal top      : entry_vector_t := (others => '0');
  signal i_enters : std_ulogic := '0';
  signal i_early  : std_ulogic;
  signal advance  : std_ulogic := '1';
  signal taken    : std_ulogic := '0';
  signal stays    : std_ulogic := '0';
  signal o_early  : std_ulogic;
  signal unit_may : std_ulogic := '0';
  signal unit     : redirect_t := REDIRECT_INIT;
  signal unit_we  : std_ulogic := '0';
  signal unit_state : warp_state_t := ISSUE_INIT.state;
  signal redirect : redirect_t;
  signal state_we : std_ulogic;
  signal state    : warp_state_t;
begin

  u_dut : entity work.branch_early
    generic map (STACK_DEPTH => DEPTH)
    port map (clk => clk, rst => rst, d_slot_i => d_slot, d_reads_i => d_reads, stages_i => stages, top_i => top,
              i_enters_i => i_enters, i_early_o => i_early, advance_i => advance, taken_i => taken, stays_i => stays,
              o_early_o => o_early, unit_may_i => unit_may, redirect_i => unit, state_we_i => unit_we,
              state_i => unit_state, redirect_o => redirect, state_we_o => state_we, state_o => state);

  stimulus : process
    procedure tick is
    begin
      wait for 1 ns;
      clk <= '1';
      wait for 1 ns;
      clk <= '0';
      wait for 0 ns;
    end procedure tick;

    procedure check(ok : boolean; what : string) is
    begin
      assert ok report what severity failure;
    end procedure check;

    function insn(flow : flow_t; entries : natural; cond : natural := 15) return issue_t is
      variable i : issue_t := ISSUE_INIT;
    begin
      i.valid := '1';
      i.slot  := SLOT;
      i.pc    := x"000100";
      i.long  := '1';
      i.state.active   := EVEN;
      i.state.alive    := (others => '1');
      i.state.depth    := to_unsigned(entries, DEPTH_BITS);
      i.control.flow   := flow;
      i.control.target := x"000200";
      i.control.cond   := to_unsigned(cond, 5);
      i.control.redirects := '1';
      return i;
    end function insn;

    function join(entries : natural) return issue_t is
      variable i : issue_t := insn(FLOW_NONE, entries);
    begin
      i.control.is_join := '1';
      return i;
    end function join;

    -- It enters stage I, its stack read with it or not.
    procedure enter(i : issue_t; with_top : std_ulogic := '0') is
    begin
      i_enters <= '1';
      d_reads  <= with_top;
      tick;
      i_enters <= '0';
      d_reads  <= '0';
      stages(1)       <= BEAT_INIT;
      stages(1).valid <= '1';
      stages(1).last  <= '1';
      stages(1).insn  <= i;
      wait for 1 ns;
    end procedure enter;

    procedure answered(pc, entries, calls, breaks : natural; what : string) is
    begin
      check(redirect.valid = '1' and i_early = '1' and redirect.slot = SLOT, what & ": is answered in I");
      check(redirect.pc = pc and redirect.falls_through = to_sl(pc = 16#108#), what & ": where it goes on");
      check(state_we = '0' or (state.depth = entries and state.calls = calls and state.breaks = breaks),
            what & ": the warp's stack");
      check(redirect.finished = '0' and redirect.waits = '0' and redirect.trapped = '0', what & ": it runs");
      tick;
      wait for 1 ns;
      check(redirect.valid = '0' and i_early = '1', what & ": is answered once");
    end procedure answered;

    procedure not_answered(what : string) is
    begin
      check(redirect.valid = '0' and i_early = '0' and state_we = '0', what);
    end procedure not_answered;

    -- A beat of a guarded BRA in stage O.
    procedure in_o(row : natural; last, takes, keeps : std_ulogic) is
    begin
      stages(4)       <= BEAT_INIT;
      stages(4).valid <= '1';
      stages(4).last  <= last;
      stages(4).row   <= to_unsigned(row, 2);
      stages(4).insn  <= insn(FLOW_BRA, 0, 5);
      taken <= takes;
      stays <= keeps;
      wait for 1 ns;
    end procedure in_o;

    procedure entry(token : token_t; mask : lane_mask_t) is
    begin
      top <= to_vector(entry_t'(token => token, mask => mask, pc => x"000300"));
    end procedure entry;
  begin
    tick;
    rst <= '0';

    enter(insn(FLOW_BRA, 0));
    answered(16#200#, 0, 0, 0, "BRA");
    check(state_we = '0', "which leaves the state alone");
    enter(insn(FLOW_CAL, 1));
    check(state_we = '1', "CAL pushes");
    answered(16#200#, 2, 1, 0, "CAL");
    enter(insn(FLOW_SSY, 3));
    check(state_we = '1' and state.active = EVEN, "SSY pushes, nobody leaves");
    answered(16#108#, 4, 0, 0, "SSY");
    enter(insn(FLOW_PBK, 0));
    answered(16#108#, 1, 0, 1, "PBK");
    enter(insn(FLOW_PRET, 0));
    answered(16#108#, 1, 1, 0, "PRET");
    enter(insn(FLOW_SSY, 4));
    not_answered("SSY on a full stack");
    enter(insn(FLOW_CAL, 4));
    not_answered("CAL on a full stack");
    enter(insn(FLOW_BRA, 0, 5));
    not_answered("a guarded BRA");
    enter(insn(FLOW_RET, 1));
    not_answered("RET");
    enter(insn(FLOW_BAR, 0));
    not_answered("BAR");

    -- JOIN
    entry(TOKEN_SYNC, (others => '1'));
    enter(join(1), '1');
    check(state_we = '1' and state.active = (state.active'range => '1'), "JOIN at SYNC: all go on");
    answered(16#108#, 0, 0, 0, "JOIN at SYNC");
    entry(TOKEN_DIVERGE, ODD);
    enter(join(2), '1');
    check(state_we = '1' and state.active = ODD, "JOIN at DIVERGE: the others go on");
    answered(16#300#, 1, 0, 0, "JOIN at DIVERGE");
    enter(join(2), '1');
    unit_may <= '1';
    wait for 1 ns;
    not_answered("JOIN beside the branch unit");
    tick;
    unit_may <= '0';
    wait for 1 ns;
    not_answered("and not later, what was read is gone");
    enter(join(1), '0');
    not_answered("JOIN whose entry was not read");
    enter(join(0), '1');
    answered(16#108#, 0, 0, 0, "JOIN with nothing on the stack");
    entry(TOKEN_CALL, (others => '1'));
    enter(join(1), '1');
    not_answered("JOIN at CALL traps");
    entry(TOKEN_DIVERGE, (others => '0'));
    enter(join(1), '1');
    not_answered("JOIN that frees nobody unwinds");
    entry(TOKEN_SYNC, (others => '1'));
    for s in 1 to 5 loop
      for kind in flow_t loop
        stages    <= (others => BEAT_INIT);
        stages(s) <= (valid => '1', last => '1', row => "00", insn => insn(kind, 0));
        stages(s).insn.early <= '1';
        enter(join(1), '1');
        check(i_early = to_sl(kind /= FLOW_SSY and kind /= FLOW_PBK and kind /= FLOW_PRET and kind /= FLOW_CAL),
              "JOIN behind " & flow_t'image(kind) & " in stage " & integer'image(s));
      end loop;
    end loop;
    stages <= (others => BEAT_INIT);
    tick;

    -- guarded BRA in O, one or two rows
    for takes in std_ulogic range '0' to '1' loop
      in_o(0, '1', takes, not takes);
      check(o_early = '1' and redirect.valid = '1' and redirect.falls_through = not takes, "BRA of one beat");
      check(redirect.pc = x"000200" or takes = '0', "its target");
      check(state_we = '0', "no state");
      tick;
      in_o(0, '0', takes, not takes);
      check(o_early = '0' and redirect.valid = '0', "the first of two beats");
      tick;
      in_o(1, '1', '0', '0');
      check(o_early = '1' and redirect.falls_through = not takes, "nobody is active in the second");
      tick;
      in_o(0, '0', takes, not takes);
      tick;
      in_o(1, '1', not takes, takes);
      check(o_early = '0' and redirect.valid = '0', "the rows disagree");
      tick;
    end loop;
    in_o(0, '1', '1', '1');
    check(o_early = '0' and redirect.valid = '0', "lanes disagree");
    tick;
    in_o(0, '1', '1', '0');
    advance <= '0';
    wait for 1 ns;
    check(o_early = '0' and redirect.valid = '0', "it does not leave O");
    tick;
    advance  <= '1';
    unit_may <= '1';
    wait for 1 ns;
    check(o_early = '0' and redirect.valid = '0', "the branch unit has an answer");
    unit_may <= '0';

    -- who goes first
    enter(insn(FLOW_BRA, 0));
    check(o_early = '1' and i_early = '0' and redirect.valid = '1', "O before I");
    tick;
    stages(4).valid <= '0';
    wait for 1 ns;
    answered(16#200#, 0, 0, 0, "then I");
    unit_may   <= '1';
    unit       <= (valid => '1', slot => to_unsigned(3, SLOT_BITS), pc => x"000400", others => '0');
    unit_we    <= '1';
    unit_state.depth <= to_unsigned(3, DEPTH_BITS);
    enter(insn(FLOW_SSY, 0));
    check(redirect = unit and state_we = '1' and state.depth = 3 and i_early = '0', "the branch unit before I");
    unit_may <= '0';
    unit     <= (valid => '1', slot => SLOT, pc => x"000400", trapped => '1', others => '0');
    unit_we  <= '0';
    wait for 1 ns;
    check(redirect = unit and state_we = '0', "a trap before all");
    unit <= REDIRECT_INIT;

    -- a trap between the beats of a BRA
    in_o(0, '0', '1', '0');
    unit.valid   <= '1';
    unit.trapped <= '1';
    tick;
    unit <= REDIRECT_INIT;
    in_o(0, '1', '0', '1');
    check(o_early = '1', "the beats before a trap are forgotten");

    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
