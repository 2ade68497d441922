-- SPDX-License-Identifier: Apache-2.0
-- Names what an SM did with a cycle, for the performance counters: a beat of an instruction entered the pipeline, or
-- the one reason why none did. docs/architecture.md has the same list in the same order. Looked at is where stage D
-- hands over to stage I; that D is empty was decided one cycle earlier, when S found nothing to choose. The answer
-- comes one cycle after the cycle it is about.

library ieee;
use ieee.std_logic_1164.all;

use work.gpu_pkg.all;

entity stall_cause is
  port (
    clk           : in  std_ulogic;
    rst           : in  std_ulogic;
    advance_i     : in  std_ulogic;                          -- stage X takes a beat, or could
    unwinds_i     : in  std_ulogic;                          -- the branch unit unwinds a stack
    use_i         : in  front_use_t;
    decoding_i    : in  std_ulogic;                          -- stage D holds an instruction
    turned_away_i : in  std_ulogic;                          -- ... which leaves it, for a load is under way
    full_i        : in  std_ulogic;                          -- ... which is a load and stays, too many are under way
    wait_i        : in  warps_wait_t;
    halt_i        : in  std_ulogic;                          -- a trap stopped the grid
    dispatching_i : in  std_ulogic;                          -- a block is being started
    blocks_left_i : in  std_ulogic;                          -- blocks were not given to any SM yet
    empty_i       : in  std_ulogic;                          -- no block is resident
    idle_i        : in  std_ulogic;                          -- nothing is in the pipeline or under way to memory
    cause_o       : out cause_t                              -- of the last cycle
  );
end entity;

architecture rtl of stall_cause is
  signal none, none_in   : cause_t;                          -- why S chooses no warp, if it does not
  signal cause, cause_in : cause_t;
begin

  stage_s : process (all)
  begin
    if halt_i = '1' then
      none_in <= CAUSE_DRAIN;
      if idle_i = '1' then
        none_in <= CAUSE_NO_WARP;
      end if;
    elsif wait_i.fetch = '1' then
      none_in <= CAUSE_FETCH;
    elsif wait_i.branch = '1' then
      none_in <= CAUSE_BRANCH;
    elsif wait_i.load = '1' then
      none_in <= CAUSE_GLOBAL_WAIT;
    elsif wait_i.barrier = '1' then
      none_in <= CAUSE_BARRIER;
    elsif dispatching_i = '1' or (blocks_left_i = '1' and empty_i = '1') then
      none_in <= CAUSE_DISPATCH;
    elsif empty_i = '0' or idle_i = '0' then
      none_in <= CAUSE_DRAIN;
    else
      none_in <= CAUSE_NO_WARP;
    end if;
  end process;

  handover : process (all)
  begin
    if advance_i = '0' and unwinds_i = '1' then
      cause_in <= CAUSE_BRANCH;
    elsif advance_i = '0' then
      cause_in <= CAUSE_GLOBAL_WAIT;
    elsif use_i.stores = '1' then
      cause_in <= CAUSE_DEPENDENCY;
    elsif use_i.replays = '1' then
      cause_in <= CAUSE_SHARED_REPLAY;
    elsif use_i.issues = '1' then
      cause_in <= CAUSE_ISSUE;
    elsif use_i.starts = '1' then
      cause_in <= CAUSE_DISPATCH;
    elsif decoding_i = '0' then
      cause_in <= none;
    elsif halt_i = '1' then
      cause_in <= CAUSE_DRAIN;
    elsif (turned_away_i or full_i) = '1' then
      cause_in <= CAUSE_GLOBAL_WAIT;
    else
      cause_in <= CAUSE_DEPENDENCY;
    end if;
  end process;

  cause_o <= cause;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      none  <= none_in;
      cause <= cause_in;
      if rst = '1' then
        none <= CAUSE_DISPATCH;                              -- the grid is about to start
      end if;
    end if;
  end process;

end architecture;
