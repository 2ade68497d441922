-- SPDX-License-Identifier: Apache-2.0
-- sched with its 32 warps: any two that leave at once are reported, the lower one first, each once.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.front_pkg.all;
use work.branch_pkg.all;
use work.bench_pkg.all;

entity leave_tb is
end entity leave_tb;

architecture sim of leave_tb is
  constant WARPS : positive := 32;
  subtype warps_t is std_ulogic_vector(WARPS - 1 downto 0);
  constant NO_WARP : warp_event_t := (valid => '0', slot => (others => '0'));
  constant NO_FATE : issue_to_sched_t := (slot => (others => '0'), others => '0');

  signal clk       : std_ulogic := '0';
  signal rst       : std_ulogic := '1';
  signal start     : warp_event_t := NO_WARP;
  signal redirect  : branch_to_sched_t := BRANCH_TO_SCHED_INIT;
  signal load_busy : warps_t := (others => '0');
  signal fate      : issue_to_sched_t := NO_FATE;
  signal finished  : warp_event_t;
begin

  u_dut : entity work.sched
    generic map (WARPS => WARPS, CROWDS => true)
    port map (clk => clk, rst => rst, halt_i => '0', start_i => start, redirect_i => redirect,
              release_i => (others => '0'), load_back_i => NO_WARP, ready_i => (others => '0'), free_i => '0',
              fate_i => fate, choice_o => open, reading_o => open, running_o => open, finished_o => finished,
              load_busy_i => load_busy, refetch_o => open, wait_o => open);

  stimulus : process
    -- Warp w starts and ends, with a load still under way.
    procedure ends(w : natural) is
    begin
      start.valid <= '1';
      start.slot  <= to_unsigned(w, SLOT_BITS);
      tick(clk);
      start.valid <= '0';
      fate.slot   <= to_unsigned(w, SLOT_BITS);
      fate.blocks <= '1';
      fate.ends   <= '1';
      tick(clk);
      fate     <= NO_FATE;
      redirect <= (valid => '1', slot => to_unsigned(w, SLOT_BITS), pc => (others => '0'), finished => '1',
                   others => '0');
      tick(clk);
      redirect <= BRANCH_TO_SCHED_INIT;
      check(finished.valid = '0', "not before its load is back");
    end procedure ends;

    procedure reported(w : natural) is
    begin
      tick(clk);
      check(finished.valid = '1' and finished.slot = w,
            "warp " & integer'image(w) & " is reported, not " & integer'image(to_integer(finished.slot)));
    end procedure reported;
  begin
    tick(clk);
    rst <= '0';
    for i in 0 to WARPS - 1 loop
      for j in i + 1 to WARPS - 1 loop
        load_busy <= one_hot(to_unsigned(i, SLOT_BITS), WARPS) or one_hot(to_unsigned(j, SLOT_BITS), WARPS);
        ends(j);
        ends(i);
        load_busy <= (others => '0');
        reported(i);
        reported(j);
        tick(clk);
        check(finished.valid = '0', "each is reported once");
      end loop;
    end loop;
    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
