-- SPDX-License-Identifier: Apache-2.0
-- stall_cause: each cause alone, the order in which they go first, and that a cause of stage SELECT counts four cycles,
-- in which the gap passes READ, WORD and CHECK, after the causes of the handover to stage ROWS.
library ieee;
use ieee.std_logic_1164.all;

use work.gpu_pkg.all;
use work.front_pkg.all;
use work.operands_pkg.all;
use work.lists_pkg.all;
use work.bench_pkg.all;

entity stall_cause_tb is
end entity stall_cause_tb;

architecture sim of stall_cause_tb is
  constant USE_NONE  : operands_to_cause_t := (others => '0');
  constant WAIT_NONE : sched_to_cause_t := (others => '0');

  signal clk         : std_ulogic := '0';
  signal rst         : std_ulogic := '1';
  signal advance     : std_ulogic := '1';
  signal unwinds     : std_ulogic := '0';
  signal front       : operands_to_cause_t := USE_NONE;
  signal hazard      : std_ulogic := '0';
  signal turned_away : std_ulogic := '0';
  signal full        : std_ulogic := '0';
  signal waits       : sched_to_cause_t := WAIT_NONE;
  signal halt        : std_ulogic := '0';
  signal dispatching : std_ulogic := '0';
  signal blocks_left : std_ulogic := '0';
  signal empty       : std_ulogic := '1';
  signal idle        : std_ulogic := '1';
  signal cause       : cause_t;
begin

  u_dut : entity work.stall_cause
    port map (clk => clk, rst => rst, advance_i => advance, unwinds_i => unwinds, use_i => front,
              hazard_i => hazard, turned_away_i => turned_away, full_i => full, wait_i => waits,
              halt_i => halt, dispatching_i => dispatching, blocks_left_i => blocks_left, empty_i => empty,
              idle_i => idle, cause_o => cause);

  stimulus : process
    -- The cause of this cycle's inputs, one cycle later.
    procedure now(must_be : cause_t; what : string) is
    begin
      tick(clk);
      assert cause = must_be
        report what & ": cause " & integer'image(cause) & ", must be " & integer'image(must_be) severity failure;
    end procedure now;

    -- SELECT's reason of this cycle counts if HOLD is empty four cycles later, whatever SELECT says then.
    procedure then_empty(must_be : cause_t; what : string) is
      variable said : sched_to_cause_t;
    begin
      wait for 0 ns;
      said := waits;
      tick(clk);
      waits <= (fetch => not said.fetch, others => '0');
      for stage in 1 to 3 loop
        tick(clk);
      end loop;
      now(must_be, what);
      waits <= said;
    end procedure then_empty;
  begin
    tick(clk);
    rst <= '0';
    now(CAUSE_DISPATCH, "before the first block");

    -- the handover to stage ROWS, the last first
    hazard <= '1';
    now(CAUSE_DEPENDENCY, "an instruction is in HOLD and does not issue");
    turned_away <= '1';
    now(CAUSE_GLOBAL_WAIT, "it is turned away");
    turned_away <= '0';
    full        <= '1';
    now(CAUSE_GLOBAL_WAIT, "it is one load too many");
    full        <= '0';
    turned_away <= '1';
    halt <= '1';
    now(CAUSE_DRAIN, "the grid is stopped");
    halt  <= '0';
    waits <= (others => '1');
    now(CAUSE_GLOBAL_WAIT, "what other warps wait for is no matter");
    front.starts <= '1';
    now(CAUSE_DISPATCH, "a warp is being started");
    front.starts <= '0';
    front.issues <= '1';
    now(CAUSE_ISSUE, "a beat issues");
    hazard      <= '0';
    turned_away <= '0';
    now(CAUSE_ISSUE, "the next row");
    front.issues  <= '0';
    front.replays <= '1';
    now(CAUSE_SHARED_REPLAY, "a row is replayed");
    front.stores <= '1';
    now(CAUSE_DEPENDENCY, "a row waits for a shared store");
    advance <= '0';
    now(CAUSE_GLOBAL_WAIT, "stage X takes nothing");
    unwinds <= '1';
    now(CAUSE_BRANCH, "a stack is being unwound");
    advance <= '1';
    front   <= USE_NONE;
    unwinds <= '0';

    -- stage SELECT chose nothing, the first in the order last
    waits <= WAIT_NONE;
    then_empty(CAUSE_NO_WARP, "nothing is left to do");
    idle <= '0';
    then_empty(CAUSE_DRAIN, "a store is under way");
    idle  <= '1';
    empty <= '0';
    then_empty(CAUSE_DRAIN, "a block has not left");
    blocks_left <= '1';
    then_empty(CAUSE_DRAIN, "... the next cannot begin");
    empty <= '1';
    then_empty(CAUSE_DISPATCH, "a block is to come");
    blocks_left <= '0';
    dispatching <= '1';
    then_empty(CAUSE_DISPATCH, "a block is being started");
    empty <= '0';
    idle  <= '0';
    then_empty(CAUSE_DISPATCH, "... while another drains");
    waits.barrier <= '1';
    then_empty(CAUSE_BARRIER, "all wait at a barrier");
    waits.load <= '1';
    then_empty(CAUSE_GLOBAL_WAIT, "some wait for loads");
    waits.branch <= '1';
    then_empty(CAUSE_BRANCH, "some wait for a branch");
    waits.fetch <= '1';
    then_empty(CAUSE_FETCH, "some wait for a word");
    waits.issue <= '1';
    then_empty(CAUSE_DEPENDENCY, "some have an instruction on its way");
    halt <= '1';
    then_empty(CAUSE_DRAIN, "the grid is stopped");
    idle <= '1';
    then_empty(CAUSE_NO_WARP, "the grid is stopped and this SM is quiet");

    rst <= '1';
    tick(clk);
    rst <= '0';
    now(CAUSE_DISPATCH, "before the first block of the next grid");

    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
