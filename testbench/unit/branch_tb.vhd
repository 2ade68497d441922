-- SPDX-License-Identifier: Apache-2.0
-- branch: each rule of divergence and reconvergence on a short program, two beats an instruction: which lanes are
-- active, where the warp goes on, how deep its stack is; a BRX whose lanes read several constants; unwinding after an
-- exit, a return or a break; what stage ADDRESS is told of the stack; each trap of its own.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.front_pkg.all;
use work.branch_pkg.all;
use work.lists_pkg.all;
use work.bench_pkg.all;

entity branch_tb is
end entity branch_tb;

architecture sim of branch_tb is
  constant CORES : positive := 16;
  constant WARPS : positive := 4;
  constant DEPTH : positive := 4;
  constant ALL_LANES : lane_mask_t := (others => '1');
  constant NO_LANES  : lane_mask_t := (others => '0');
  constant EVEN      : lane_mask_t := x"55555555";
  constant ODD       : lane_mask_t := x"aaaaaaaa";

  signal clk         : std_ulogic := '0';
  signal rst         : std_ulogic := '1';
  constant SLOT      : slot_t := to_unsigned(2, SLOT_BITS);
  signal x3_beat     : beat_t := BEAT_INIT;
  signal x3_moves    : std_ulogic := '0';
  signal x3_pops     : std_ulogic;
  signal early_slot  : slot_t := to_unsigned(1, SLOT_BITS);
  signal early_depth : depth_t := to_unsigned(1, DEPTH_BITS);
  signal early_at    : stack_place_t;
  signal early_reads : std_ulogic;
  signal top         : entry_vector_t;
  signal push        : early_to_branch_t := (valid => '0', slot => SLOT, depth => to_unsigned(1, DEPTH_BITS),
                               entry => (token => TOKEN_CALL, mask => EVEN, pc => x"000a00"));
  signal beat                : beat_t := BEAT_INIT;
  signal exec                : std_ulogic_vector(CORES - 1 downto 0) := (others => '0');
  signal goes_on, ends_insn  : std_ulogic;                   -- the beat leaves; it is the last of its instruction
  signal all_exec            : lane_mask_t;
  signal all_faults          : faults_t;
  signal all_target          : pc_t;
  signal all_acts, all_rests : std_ulogic;
  signal verdict             : judge_to_branch_t;
  signal leaves              : std_ulogic;
  signal faults              : faults_t := (others => '0');
  signal constant_read       : pc_t := (others => '0');
  signal moves               : std_ulogic := '0';
  signal busy                : std_ulogic;
  signal outcome             : branch_to_writeback_t;
  signal trapped             : std_ulogic;
  signal redirect            : branch_to_sched_t;
  signal state_we            : std_ulogic;
  signal state               : warp_state_t;
  signal released            : std_ulogic_vector(WARPS - 1 downto 0);
  signal start               : std_ulogic := '0';            -- of a block of warps 2 and 3
  signal start_slot          : slot_t := SLOT;
  signal starts              : dispatch_to_warps_t;
begin

  goes_on   <= beat.valid and moves and not beat.last;
  ends_insn <= beat.valid and moves and beat.last and not busy;

  u_gather : entity work.branch_gather
    generic map (CORES => CORES)
    port map (clk => clk, rst => rst, beat_i => beat, exec_i => exec, faults_i => faults, target_i => constant_read,
              next_i => goes_on, clear_i => ends_insn, exec_o => all_exec, faults_o => all_faults,
              target_o => all_target, acts_o => all_acts, rests_o => all_rests);

  verdict <= judge(beat, all_exec, all_acts, all_rests, all_faults, all_target, DEPTH);
  leaves <= moves and not busy;
  x3_pops <= x3_beat.valid and may_pop(x3_beat);

  early_at <= (slot => early_slot, below => early_depth - 1);
  starts   <= (valid => start, slot => start_slot,
               warp => (FRONT_TO_OPERANDS_INIT.info, FRONT_TO_OPERANDS_INIT.state), first => SLOT,
               warps => to_unsigned(2, SLOT_BITS + 1));

  u_dut : entity work.branch
    generic map (WARPS => WARPS, STACK_DEPTH => DEPTH, SEED => 1)
    port map (clk => clk, rst => rst, x3_beat_i => x3_beat, x3_pops_i => x3_pops, x3_moves_i => x3_moves,
              early_at_i => early_at, early_reads_o => early_reads, top_o => top,
              push_i => push, beat_i => beat, verdict_i => verdict,
              moves_i => leaves, busy_o => busy, blocks_o => open, outcome_o => outcome, trap_o => trapped,
              answer_o.redirect => redirect, answer_o.state_we => state_we, answer_o.state => state,
              release_o => released, start_i => starts);

  stimulus : process
    variable warp         : warp_state_t;
    variable pc           : natural;
    variable c            : control_t;
    variable steps        : natural;                         -- cycles that an instruction held stage RESOLVE
    variable slot_of      : slot_t := SLOT;                  -- the warp's
    variable bytes        : positive := 8;                   -- of the instruction
    variable must_wait    : std_ulogic := '0';               -- it waits at a barrier,
    variable must_release : std_ulogic_vector(WARPS - 1 downto 0) := (others => '0');  -- it opens the barrier for these

    procedure new_warp(lanes : lane_mask_t) is
    begin
      warp        := FRONT_TO_OPERANDS_INIT.state;
      warp.active := lanes;
      warp.alive  := lanes;
      pc          := 16#100#;
    end procedure new_warp;

    -- The instruction is in X3, about to enter RESOLVE: it has the stack's read port, if it may pop.
    procedure enter_x is
    begin
      x3_beat              <= BEAT_INIT;
      x3_beat.valid        <= '1';
      x3_beat.last         <= '1';
      x3_beat.insn.slot    <= slot_of;
      x3_beat.insn.state   <= warp;
      x3_beat.insn.control <= c;
      x3_moves             <= '1';
      wait for 1 ns;
      assert early_reads = to_sl(warp.depth = 0 or (c.is_join = '0' and c.is_end = '0' and c.flow /= FLOW_RET
                                                    and c.flow /= FLOW_BRK))
        report "the early read takes what stage X leaves" severity failure;
    end procedure enter_x;

    -- An instruction of control `c` that was answered early is in RESOLVE: `lanes` execute it, and the lanes
    -- `popped` go on at `at`.
    procedure run_early(lanes : lane_mask_t; popped : lane_mask_t; at, must_pc : natural; must_active : lane_mask_t;
                        must_depth : natural; what : string) is
    begin
      enter_x;
      x3_beat.insn.early.goes <= '1';
      wait for 1 ns;
      assert early_reads = '1' report what & ": leaves the stack's read port" severity failure;
      tick(clk);
      x3_beat             <= BEAT_INIT;
      beat               <= BEAT_INIT;
      beat.valid         <= '1';
      beat.insn.slot     <= SLOT;
      beat.insn.pc       <= to_unsigned(pc, 24);
      beat.insn.long     <= '1';
      beat.insn.early    <= (goes => '1', active => popped, pc => to_unsigned(at, 24));
      beat.insn.state    <= warp;
      beat.insn.control  <= c;
      moves <= '1';
      exec  <= lanes(15 downto 0);
      tick(clk);
      beat.row  <= "01";
      beat.last <= '1';
      exec      <= lanes(31 downto 16);
      wait for 1 ns;
      assert busy = '0' and redirect.valid = '0' and state_we = '0' and outcome.trap = TRAP_NONE
        report what & ": is answered already" severity failure;
      assert outcome.next_pc = must_pc and outcome.active = must_active and outcome.depth = must_depth
        report what & ": " & to_hstring(outcome.next_pc) & " " & to_hstring(outcome.active) severity failure;
      tick(clk);
      beat    <= BEAT_INIT;
      moves   <= '0';
      x3_moves <= '0';
    end procedure run_early;

    -- One instruction of control `c`, guard true in `lanes`; must have this trap, and go on there unless it trapped.
    procedure run(lanes : lane_mask_t; must_trap : trap_t; must_pc : natural; must_active : lane_mask_t;
                  must_depth : natural; what : string) is
      variable redirects : std_ulogic;
    begin
      enter_x;
      tick(clk);
      x3_moves            <= '0';
      beat               <= BEAT_INIT;
      beat.valid         <= '1';
      beat.insn.slot     <= slot_of;
      beat.insn.pc       <= to_unsigned(pc, 24);
      beat.insn.long     <= to_sl(bytes = 8);
      beat.insn.state    <= warp;
      beat.insn.control  <= c;
      exec  <= lanes(15 downto 0) and warp.active(15 downto 0);
      moves <= '1';
      tick(clk);
      x3_beat.insn.slot            <= not slot_of;              -- of another block
      x3_beat.insn.info.block_slot <= (others => '1');
      beat.row  <= "01";
      beat.last <= '1';
      exec      <= lanes(31 downto 16) and warp.active(31 downto 16);
      steps     := 1;
      wait for 1 ns;
      while busy = '1' loop
        assert redirect.valid = '0' and state_we = '0' report what & ": answers too early" severity failure;
        tick(clk);
        wait for 1 ns;
        steps := steps + 1;
        assert steps < 20 report what & ": never ends" severity failure;
      end loop;
      -- It waits for what else may hold RESOLVE, and leaves as it would have.
      moves <= '0';
      wait for 1 ns;
      assert (busy or redirect.valid or state_we or trapped) = '0' and released = (released'range => '0')
        report what & ": does not leave" severity failure;
      tick(clk);
      moves <= '1';
      wait for 1 ns;
      assert outcome.trap = must_trap report what & ": trap " & to_hstring(outcome.trap) severity failure;
      assert trapped = to_sl(must_trap /= TRAP_NONE) report what & ": trap_o" severity failure;
      redirects := c.redirects or to_sl(must_trap /= TRAP_NONE);
      assert redirect.valid = redirects report what & ": redirects" severity failure;
      if must_trap = TRAP_NONE then
        assert outcome.active = must_active and state.active = must_active
          report what & ": active is " & to_hstring(outcome.active) severity failure;
        assert outcome.depth = must_depth
          report what & ": depth is " & integer'image(to_integer(outcome.depth)) severity failure;
        assert state_we = c.redirects report what & ": writes the warp's state" severity failure;
        assert redirect.waits = must_wait and outcome.state(0) = must_wait
          report what & ": waits" severity failure;
        assert redirect.finished = to_sl(must_active = NO_LANES) report what & ": finished" severity failure;
        assert must_active = NO_LANES or outcome.next_pc = must_pc
          report what & ": goes on at " & to_hstring(outcome.next_pc) severity failure;
        assert must_active = NO_LANES or redirect.falls_through = '0' or must_pc = pc + bytes
          report what & ": falls through" severity failure;
        -- A jump, or an instruction that pops an entry, may report a redirect even to the next instruction.
        assert redirect.falls_through = '1' or c.is_join = '1' or c.is_end = '1' or c.flow = FLOW_BRA
               or c.flow = FLOW_BRX
               or c.flow = FLOW_CAL or c.flow = FLOW_RET or c.flow = FLOW_BRK
          report what & ": only falls through" severity failure;
        warp := state;
        pc   := must_pc;
      else
        assert state_we = '0' and redirect.trapped = '1' and outcome.depth = warp.depth
          report what & ": a trap changes nothing" severity failure;
      end if;
      tick(clk);
      assert released = must_release report what & ": releases " & to_string(released) severity failure;
      beat   <= BEAT_INIT;
      moves  <= '0';
      faults <= (others => '0');
    end procedure run;

    -- A BRX of all active lanes, two beats a row: `lanes` read the constants to_0 and to_1 (rows 0 and 1),
    -- the others other_0 and other_1. A row's lowest lane is in its first beat.
    procedure run_brx(lanes : lane_mask_t; to_0, to_1, other_0, other_1 : natural; must_trap : trap_t;
                      must_pc : natural; must_active : lane_mask_t; must_depth : natural; what : string) is
      variable acts : lane_mask_t;

      procedure one_beat(lanes : lane_mask_t; row, address : natural; last : std_ulogic) is
      begin
        beat          <= BEAT_INIT;
        beat.valid    <= '1';
        beat.last     <= last;
        beat.row      <= to_unsigned(row, 2);
        beat.insn.slot    <= SLOT;
        beat.insn.pc      <= to_unsigned(pc, 24);
        beat.insn.long    <= '1';
        beat.insn.state   <= warp;
        beat.insn.control <= c;
        exec          <= lanes(16 * row + 15 downto 16 * row);
        constant_read <= to_unsigned(address, 24);
        if last = '0' then
          tick(clk);
          x3_moves <= '0';
        else
          wait for 1 ns;
        end if;
      end procedure one_beat;
    begin
      c           := CONTROL_INIT;
      c.flow      := FLOW_BRX;
      c.redirects := '1';
      enter_x;
      tick(clk);
      moves <= '1';
      acts  := warp.active and lanes;
      one_beat(acts, 0, to_0, '0');
      one_beat(warp.active and not lanes, 0, other_0, '0');
      one_beat(acts, 1, to_1, '0');
      one_beat(warp.active and not lanes, 1, other_1, '1');
      assert busy = '0' report what & ": answers at once" severity failure;
      assert outcome.trap = must_trap report what & ": trap " & to_hstring(outcome.trap) severity failure;
      if must_trap = TRAP_NONE then
        assert redirect.valid = '1' and state_we = '1' and outcome.next_pc = must_pc
          report what & ": goes on at " & to_hstring(outcome.next_pc) severity failure;
        assert outcome.active = must_active and state.active = must_active
          report what & ": active is " & to_hstring(outcome.active) severity failure;
        assert outcome.depth = must_depth
          report what & ": depth is " & integer'image(to_integer(outcome.depth)) severity failure;
        warp := state;
        pc   := must_pc;
      end if;
      tick(clk);
      beat  <= BEAT_INIT;
      moves <= '0';
    end procedure run_brx;

    procedure flow(kind : flow_t; target : natural := 0) is
    begin
      c           := CONTROL_INIT;
      c.flow      := kind;
      c.target    := to_unsigned(target, 24);
      c.redirects := '1';
    end procedure flow;

    procedure marker(is_end, is_join : std_ulogic) is
    begin
      c           := CONTROL_INIT;
      c.is_end    := is_end;
      c.is_join   := is_join;
      c.redirects := '1';
    end procedure marker;
  begin
    tick(clk);
    rst <= '0';

    -- SSY, a divergent branch, both sides join
    new_warp(ALL_LANES);
    flow(FLOW_BRA, 16#200#);
    run(ALL_LANES, TRAP_NONE, 16#200#, ALL_LANES, 0, "BRA taken by all");
    run(NO_LANES, TRAP_NONE, 16#208#, ALL_LANES, 0, "BRA taken by none");
    flow(FLOW_SSY, 16#300#);
    run(ALL_LANES, TRAP_NONE, 16#210#, ALL_LANES, 1, "SSY");
    flow(FLOW_BRA, 16#300#);
    run(EVEN, TRAP_NONE, 16#300#, EVEN, 2, "BRA taken by some");
    marker('0', '1');
    run(EVEN, TRAP_NONE, 16#218#, ODD, 1, "JOIN of the taken side");
    flow(FLOW_BRA, 16#300#);
    run(ALL_LANES, TRAP_NONE, 16#300#, ODD, 1, "the other side jumps");
    marker('0', '1');
    run(ALL_LANES, TRAP_NONE, 16#308#, ALL_LANES, 0, "JOIN of both goes on behind itself");
    run(ALL_LANES, TRAP_NONE, 16#310#, ALL_LANES, 0, "JOIN with nothing on the stack");
    warp.active := EVEN;
    warp.alive  := not x"0000000f";
    run(EVEN, TRAP_NONE, 16#318#, not x"0000000f", 0, "JOIN with nothing on the stack: all that live go on");
    new_warp(ALL_LANES);
    pc := 16#310#;

    -- one side exits: its SYNC entry gives the others back behind the join
    flow(FLOW_SSY, 16#400#);
    run(ALL_LANES, TRAP_NONE, 16#318#, ALL_LANES, 1, "SSY");
    flow(FLOW_BRA, 16#400#);
    run(EVEN, TRAP_NONE, 16#400#, EVEN, 2, "BRA");
    marker('0', '1');
    run(EVEN, TRAP_NONE, 16#320#, ODD, 1, "JOIN");
    flow(FLOW_RET);
    run(ALL_LANES, TRAP_NONE, 16#408#, EVEN, 0, "exit of one side");
    assert steps > 1 report "unwinding takes a cycle an entry" severity failure;
    assert warp.alive = EVEN report "the others have exited" severity failure;
    flow(FLOW_RET);
    run(x"0000ffff", TRAP_NONE, 16#410#, EVEN and x"ffff0000", 0, "exit of some");
    marker('1', '0');
    run(NO_LANES, TRAP_NONE, 0, NO_LANES, 0, "END under a false guard ends");
    assert warp.alive = NO_LANES report "all have exited" severity failure;

    -- a call: some return early and wait for the rest
    new_warp(ALL_LANES);
    flow(FLOW_CAL, 16#500#);
    run(ALL_LANES, TRAP_NONE, 16#500#, ALL_LANES, 1, "CAL");
    flow(FLOW_SSY, 16#600#);
    run(ALL_LANES, TRAP_NONE, 16#508#, ALL_LANES, 2, "SSY in the call");
    flow(FLOW_BRA, 16#600#);
    run(EVEN, TRAP_NONE, 16#600#, EVEN, 3, "BRA in the call");
    flow(FLOW_RET);
    run(ALL_LANES, TRAP_NONE, 16#510#, ODD, 2, "RET of one side runs the other");
    marker('0', '1');
    run(ALL_LANES, TRAP_NONE, 16#518#, ODD, 1, "JOIN does not revive lanes that returned");
    marker('0', '1');
    run(ALL_LANES, TRAP_STACK_MISMATCH, 0, NO_LANES, 0, "JOIN on a CALL entry");
    flow(FLOW_RET);
    run(ALL_LANES, TRAP_NONE, 16#108#, ALL_LANES, 0, "RET of the rest");

    -- a call in which some exit
    flow(FLOW_CAL, 16#108#);
    run(ALL_LANES, TRAP_NONE, 16#108#, ALL_LANES, 1, "CAL");
    flow(FLOW_BRA, 16#600#);
    run(EVEN, TRAP_NONE, 16#600#, EVEN, 2, "BRA in the call");
    marker('1', '0');
    run(ALL_LANES, TRAP_NONE, 16#110#, ODD, 1, "END of one side runs the other");
    flow(FLOW_RET);
    run(ALL_LANES, TRAP_NONE, 16#110#, ODD, 0, "RET does not revive lanes that exited");

    -- a call in a loop, in which some break
    new_warp(ALL_LANES);
    flow(FLOW_PBK, 16#700#);
    run(ALL_LANES, TRAP_NONE, 16#108#, ALL_LANES, 1, "PBK");
    flow(FLOW_CAL, 16#500#);
    run(ALL_LANES, TRAP_NONE, 16#500#, ALL_LANES, 2, "CAL in the loop");
    flow(FLOW_BRK);
    run(EVEN, TRAP_NONE, 16#508#, ODD, 2, "BRK of some");
    flow(FLOW_RET);
    run(ALL_LANES, TRAP_NONE, 16#110#, ODD, 1, "RET does not revive lanes that broke");
    flow(FLOW_BRK);
    run(ALL_LANES, TRAP_NONE, 16#700#, ALL_LANES, 0, "BRK of the rest");

    -- a loop that lanes leave in turn
    new_warp(ALL_LANES);
    pc := 16#108#;
    flow(FLOW_PBK, 16#700#);
    run(ALL_LANES, TRAP_NONE, 16#110#, ALL_LANES, 1, "PBK");
    marker('0', '1');
    run(ALL_LANES, TRAP_STACK_MISMATCH, 0, NO_LANES, 0, "JOIN on a BREAK entry");
    flow(FLOW_BRA, 16#110#);
    run(EVEN, TRAP_NONE, 16#110#, EVEN, 2, "BRA in the loop");
    flow(FLOW_BRK);
    run(ALL_LANES, TRAP_NONE, 16#118#, ODD, 1, "BRK of one side runs the other");
    run(ALL_LANES, TRAP_NONE, 16#700#, ALL_LANES, 0, "BRK of both goes on at the target");
    run(NO_LANES, TRAP_NONE, 16#708#, ALL_LANES, 0, "BRK that no lane takes");
    run(EVEN, TRAP_STACK_MISMATCH, 0, NO_LANES, 0, "BRK without PBK");

    -- a jump table: all agree; row by row; lanes of both rows come back to it
    new_warp(ALL_LANES);
    run_brx(ALL_LANES, 16#200#, 16#200#, 0, 0, TRAP_NONE, 16#200#, ALL_LANES, 0, "BRX of all");
    run_brx(ALL_LANES, 16#300#, 16#400#, 0, 0, TRAP_NONE, 16#300#, x"0000ffff", 1, "BRX, the rows disagree");
    marker('0', '1');
    run(ALL_LANES, TRAP_NONE, 16#200#, x"ffff0000", 0, "the others return to it");
    run_brx(ALL_LANES, 16#300#, 16#400#, 0, 0, TRAP_NONE, 16#400#, x"ffff0000", 0, "BRX of row 1 alone");
    new_warp(ALL_LANES);
    run_brx(EVEN, 16#300#, 16#400#, 16#400#, 16#300#, TRAP_NONE, 16#300#, x"aaaa5555", 1, "BRX, two targets");
    marker('0', '1');
    run(ALL_LANES, TRAP_NONE, 16#100#, x"5555aaaa", 0, "the others return to it");
    run_brx(EVEN, 16#300#, 16#400#, 16#400#, 16#300#, TRAP_NONE, 16#400#, x"5555aaaa", 0, "BRX of the others");

    -- targets that only their highest bit tells apart
    new_warp(ALL_LANES);
    run_brx(ALL_LANES, 16#300#, 16#800300#, 0, 0, TRAP_NONE, 16#300#, x"0000ffff", 1, "BRX, far targets");

    -- a return address that is not behind a call
    new_warp(ALL_LANES);
    flow(FLOW_PRET, 16#900#);
    run(ALL_LANES, TRAP_NONE, 16#108#, ALL_LANES, 1, "PRET");
    flow(FLOW_RET);
    run(EVEN, TRAP_NONE, 16#110#, ODD, 1, "RET of some");
    run(ALL_LANES, TRAP_NONE, 16#900#, ALL_LANES, 0, "RET of the rest");

    -- an entry that is pushed early is read in the same cycle, and stays until something is read again
    early_slot <= SLOT;
    push.valid <= '1';
    x3_beat     <= BEAT_INIT;
    x3_moves    <= '1';
    wait for 1 ns;
    assert early_reads = '1' report "the early read" severity failure;
    tick(clk);
    assert top = to_vector(push.entry) report "what is pushed now is read now" severity failure;
    push.valid  <= '0';
    x3_moves     <= '0';
    early_depth <= to_unsigned(2, DEPTH_BITS);
    wait for 1 ns;
    assert early_reads = '0' report "nothing is read while stage RESOLVE holds" severity failure;
    tick(clk);
    assert top = to_vector(push.entry) report "what was read stays" severity failure;

    -- an instruction that was answered early pushes no more, and says what it was answered
    new_warp(ALL_LANES);
    flow(FLOW_SSY, 16#300#);
    run_early(ALL_LANES, ALL_LANES, 16#300#, 16#108#, ALL_LANES, 1, "early SSY");
    early_depth <= to_unsigned(1, DEPTH_BITS);
    x3_moves     <= '1';
    tick(clk);
    assert top = to_vector(push.entry) report "an early SSY has pushed" severity failure;
    flow(FLOW_BRA, 16#300#);
    run_early(ALL_LANES, ALL_LANES, 16#300#, 16#300#, ALL_LANES, 0, "early BRA taken by all");
    run_early(NO_LANES, ALL_LANES, 16#300#, 16#108#, ALL_LANES, 0, "early BRA taken by none");
    warp.depth  := to_unsigned(2, DEPTH_BITS);
    warp.calls  := to_unsigned(1, DEPTH_BITS);
    warp.breaks := to_unsigned(1, DEPTH_BITS);
    warp.active := EVEN;
    marker('0', '1');
    run_early(EVEN, ODD, 16#400#, 16#400#, ODD, 1, "early JOIN");
    flow(FLOW_RET);
    run_early(EVEN, ALL_LANES, 16#400#, 16#400#, ALL_LANES, 1, "early RET");
    run_early(NO_LANES, ALL_LANES, 16#400#, 16#108#, EVEN, 2, "early RET of none");
    flow(FLOW_BRK);
    run_early(EVEN, ALL_LANES, 16#400#, 16#400#, ALL_LANES, 1, "early BRK");
    run_early(NO_LANES, ALL_LANES, 16#400#, 16#108#, EVEN, 2, "early BRK of none");
    warp.depth := (others => '0');
    warp.alive := ODD;
    marker('0', '1');
    run_early(EVEN, NO_LANES, 16#400#, 16#108#, ODD, 0, "early JOIN with nothing on the stack: the living lanes");
    new_warp(ALL_LANES);

    -- the stack's end, and the other traps
    pc := 16#708#;
    for entry in 1 to DEPTH loop
      flow(FLOW_SSY, 16#800#);
      run(ALL_LANES, TRAP_NONE, 16#708# + 8 * entry, ALL_LANES, entry, "SSY");
    end loop;
    run(ALL_LANES, TRAP_STACK_OVERFLOW, 0, NO_LANES, 0, "SSY on a full stack");
    flow(FLOW_PBK, 16#900#);
    run(ALL_LANES, TRAP_STACK_OVERFLOW, 0, NO_LANES, 0, "PBK on a full stack");
    flow(FLOW_CAL, 16#900#);
    run(ALL_LANES, TRAP_STACK_OVERFLOW, 0, NO_LANES, 0, "CAL on a full stack");
    flow(FLOW_PRET, 16#900#);
    run(ALL_LANES, TRAP_STACK_OVERFLOW, 0, NO_LANES, 0, "PRET on a full stack");
    flow(FLOW_BRA, 16#728#);
    run(EVEN, TRAP_STACK_OVERFLOW, 0, NO_LANES, 0, "BRA of some on a full stack");
    run(ALL_LANES, TRAP_NONE, 16#728#, ALL_LANES, DEPTH, "BRA of all on a full stack");
    run_brx(EVEN, 16#300#, 16#400#, 16#400#, 16#300#, TRAP_STACK_OVERFLOW, 0, NO_LANES, 0, "BRX on a full stack");
    flow(FLOW_BREAKPOINT);
    run(ODD, TRAP_BREAKPOINT, 0, NO_LANES, 0, "BPT");
    run(NO_LANES, TRAP_NONE, 16#730#, ALL_LANES, DEPTH, "BPT that no lane takes");
    flow(FLOW_BAR);
    c.bar_legal := '1';
    new_warp(ALL_LANES);
    warp.active := EVEN;
    run(ALL_LANES, TRAP_BARRIER_PARTIAL, 0, NO_LANES, 0, "BAR without the whole warp");
    warp.call_parked := ODD;
    run(ALL_LANES, TRAP_BARRIER_PARTIAL, 0, NO_LANES, 0, "BAR without lanes that returned");
    warp.call_parked := NO_LANES;
    warp.brk_parked  := ODD;
    run(ALL_LANES, TRAP_BARRIER_PARTIAL, 0, NO_LANES, 0, "BAR without lanes that left a loop");
    warp.brk_parked  := NO_LANES;
    warp.active := ALL_LANES;
    c.bar_legal := '0';
    run(ALL_LANES, TRAP_BARRIER_PARTIAL, 0, NO_LANES, 0, "BAR of an undefined kind");

    -- two warps at a barrier: the first one waits, the second one releases it
    for w in 2 to 3 loop
      start      <= '1';
      start_slot <= to_unsigned(w, SLOT_BITS);
      tick(clk);
    end loop;
    start <= '0';
    for w in 2 to 3 loop
      flow(FLOW_BAR);
      c.bar_legal  := '1';
      c.bar_wait   := '1';
      slot_of      := to_unsigned(w, SLOT_BITS);
      must_wait    := to_sl(w = 2);
      must_release := (2 => to_sl(w = 3), others => '0');
      new_warp(ALL_LANES);
      warp.depth   := to_unsigned(1, DEPTH_BITS);             -- in a region
      run(ALL_LANES, TRAP_NONE, 16#108#, ALL_LANES, 1, "BAR of warp " & integer'image(w));
    end loop;
    must_release := (others => '0');

    -- warp 2 waits again, and warp 3 exits, which it unwinds for
    flow(FLOW_BAR);
    c.bar_legal := '1';
    c.bar_wait  := '1';
    slot_of     := to_unsigned(2, SLOT_BITS);
    must_wait   := '1';
    new_warp(ALL_LANES);
    run(ALL_LANES, TRAP_NONE, 16#108#, ALL_LANES, 0, "BAR of warp 2");
    slot_of     := to_unsigned(3, SLOT_BITS);
    must_wait   := '0';
    new_warp(ALL_LANES);
    flow(FLOW_SSY, 16#300#);
    run(ALL_LANES, TRAP_NONE, 16#108#, ALL_LANES, 1, "SSY of warp 3");
    flow(FLOW_RET);
    must_release := (2 => '1', others => '0');
    run(ALL_LANES, TRAP_NONE, 0, NO_LANES, 0, "exit of warp 3");
    must_release := (others => '0');

    -- half instructions
    c     := CONTROL_INIT;
    bytes := 4;
    new_warp(ALL_LANES);
    run(ALL_LANES, TRAP_NONE, 16#104#, ALL_LANES, 0, "the lower half of a word");
    run(ALL_LANES, TRAP_NONE, 16#108#, ALL_LANES, 0, "the upper half");
    bytes := 8;

    new_warp(ALL_LANES);
    c      := CONTROL_INIT;
    c.is_join    := '1';
    warp.depth   := to_unsigned(1, DEPTH_BITS);
    for first in faults_t'low to faults_t'high loop
      for second in first to faults_t'high loop
        faults         <= (others => '0');
        faults(first)  <= '1';
        faults(second) <= '1';
        run(ALL_LANES, std_ulogic_vector(unsigned(TRAP_SHARED_ALIGN) + first), 0, NO_LANES, 0,
            "the first of two faults");
      end loop;
    end loop;
    c := CONTROL_INIT;
    run(ALL_LANES, TRAP_NONE, 16#108#, ALL_LANES, 1, "faults are forgotten");

    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
