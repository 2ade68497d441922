-- SPDX-License-Identifier: Apache-2.0
-- Names what an SM did with a cycle, for the performance counters: issued a beat, or the one reason why not. The order
-- is that of sim_stall_names in testbench/lockstep/sim.h.

library ieee;
use ieee.std_logic_1164.all;

use work.gpu_pkg.all;

entity stall_cause is
  port (
    issues_i     : in  std_ulogic;     -- stage I holds a beat and moves
    held_i       : in  std_ulogic;     -- ... and does not: memory is the only one to stop the pipeline
    hazard_i     : in  std_ulogic;     -- stage D waits for a result
    loading_i    : in  std_ulogic;     -- some warp waits for a load
    redirected_i : in  std_ulogic;     -- some warp waits for the branch unit
    barrier_i    : in  std_ulogic;     -- some warp waits at a barrier
    running_i    : in  std_ulogic;     -- some warp is left
    dispatch_i   : in  std_ulogic;     -- a block is being started
    cause_o      : out cause_t
  );
end entity;

architecture rtl of stall_cause is
begin

  comb : process (all)
  begin
    if issues_i = '1' then
      cause_o <= CAUSE_ISSUE;
    elsif held_i = '1' then
      cause_o <= CAUSE_MEMORY;
    elsif hazard_i = '1' then
      cause_o <= CAUSE_DEPENDENCY;
    elsif loading_i = '1' then
      cause_o <= CAUSE_MEMORY;
    elsif redirected_i = '1' then
      cause_o <= CAUSE_BRANCH;
    elsif barrier_i = '1' then
      cause_o <= CAUSE_BARRIER;
    elsif running_i = '1' then
      cause_o <= CAUSE_FETCH;
    elsif dispatch_i = '1' then
      cause_o <= CAUSE_DISPATCH;
    else
      cause_o <= CAUSE_IDLE;
    end if;
  end process;

end architecture;
