-- SPDX-License-Identifier: Apache-2.0
-- Attributes each cycle of an SM: a beat issued, or the one reason why none did (list: docs/architecture.md). Observed
-- between HOLD and ROWS; an empty HOLD was caused three cycles earlier in SELECT. Inputs are registered, so the answer
-- is one cycle late.

library ieee;
use ieee.std_logic_1164.all;

use work.gpu_pkg.all;
use work.front_pkg.all;
use work.operands_pkg.all;
use work.lists_pkg.all;

entity stall_cause is
  port (
    clk           : in  std_ulogic;
    rst           : in  std_ulogic;
    advance_i     : in  std_ulogic;                          -- stage X1 takes a beat, or could
    unwinds_i     : in  std_ulogic;                          -- the branch unit unwinds a stack
    use_i         : in  operands_to_cause_t;
    hazard_i      : in  std_ulogic;                          -- stage HOLD holds an instruction
    turned_away_i : in  std_ulogic;                          -- the instruction leaves HOLD unissued: a load is pending
    full_i        : in  std_ulogic;                          -- the instruction is a load, and too many are in flight
    wait_i        : in  sched_to_cause_t;
    halt_i        : in  std_ulogic;                          -- a trap stopped the grid
    dispatching_i : in  std_ulogic;                          -- a block is being started
    blocks_left_i : in  std_ulogic;                          -- blocks were not given to any SM yet
    empty_i       : in  std_ulogic;                          -- no block is resident
    idle_i        : in  std_ulogic;                          -- nothing is in the pipeline or under way to memory
    cause_o       : out cause_t                              -- of the last cycle
  );
end entity;

architecture rtl of stall_cause is

  -- inputs, of the last cycle
  type seen_t is record
    advance     : std_ulogic;
    unwinds     : std_ulogic;
    front       : operands_to_cause_t;
    hazard      : std_ulogic;
    turned_away : std_ulogic;
    full        : std_ulogic;
    waits       : sched_to_cause_t;
    halt        : std_ulogic;
    dispatching : std_ulogic;
    blocks_left : std_ulogic;
    empty       : std_ulogic;
    idle        : std_ulogic;
  end record;

  signal r                                           : seen_t;
  signal none_in                                     : cause_t; -- why SELECT chose no warp, if it did not
  signal none_read, none_word, none_check, none_hold : cause_t; -- none_in, as the gap passes stages READ, WORD, CHECK
                                                                -- and HOLD

begin

  seen_regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= (advance => advance_i, unwinds => unwinds_i, front => use_i, hazard => hazard_i,
            turned_away => turned_away_i, full => full_i, waits => wait_i, halt => halt_i,
            dispatching => dispatching_i, blocks_left => blocks_left_i, empty => empty_i, idle => idle_i);
      if rst = '1' then                                      -- the grid is about to start
        r.halt        <= '0';
        r.waits       <= (others => '0');
        r.dispatching <= '1';
      end if;
    end if;
  end process;

  stage_select : process (all)
  begin
    if r.halt = '1' then
      none_in <= CAUSE_DRAIN;
      if r.idle = '1' then
        none_in <= CAUSE_NO_WARP;
      end if;
    elsif r.waits.issue = '1' then
      none_in <= CAUSE_DEPENDENCY;
    elsif r.waits.fetch = '1' then
      none_in <= CAUSE_FETCH;
    elsif r.waits.branch = '1' then
      none_in <= CAUSE_BRANCH;
    elsif r.waits.load = '1' then
      none_in <= CAUSE_GLOBAL_WAIT;
    elsif r.waits.barrier = '1' then
      none_in <= CAUSE_BARRIER;
    elsif r.dispatching = '1' or (r.blocks_left = '1' and r.empty = '1') then
      none_in <= CAUSE_DISPATCH;
    elsif r.empty = '0' or r.idle = '0' then
      none_in <= CAUSE_DRAIN;
    else
      none_in <= CAUSE_NO_WARP;
    end if;
  end process;

  -- The gap that SELECT leaves goes through READ, WORD and CHECK to HOLD.
  gap_regs : process (clk)
  begin
    if rising_edge(clk) then
      none_read  <= none_in;
      none_word  <= none_read;
      none_check <= none_word;
      none_hold  <= none_check;
      if rst = '1' then
        none_read  <= CAUSE_DISPATCH;
        none_word  <= CAUSE_DISPATCH;
        none_check <= CAUSE_DISPATCH;
        none_hold  <= CAUSE_DISPATCH;
      end if;
    end if;
  end process;

  handover : process (all)
  begin
    if r.advance = '0' and r.unwinds = '1' then
      cause_o <= CAUSE_BRANCH;
    elsif r.advance = '0' then
      cause_o <= CAUSE_GLOBAL_WAIT;
    elsif r.front.stores = '1' then
      cause_o <= CAUSE_DEPENDENCY;
    elsif r.front.replays = '1' then
      cause_o <= CAUSE_SHARED_REPLAY;
    elsif r.front.issues = '1' then
      cause_o <= CAUSE_ISSUE;
    elsif r.front.starts = '1' then
      cause_o <= CAUSE_DISPATCH;
    elsif r.hazard = '0' then
      cause_o <= none_hold;
    elsif r.halt = '1' then
      cause_o <= CAUSE_DRAIN;
    elsif (r.turned_away or r.full) = '1' then
      cause_o <= CAUSE_GLOBAL_WAIT;
    else
      cause_o <= CAUSE_DEPENDENCY;
    end if;
  end process;

end architecture;
