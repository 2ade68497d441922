-- SPDX-License-Identifier: Apache-2.0
-- Drives a probe (architecture avoid or instead) with 4096 pairs of values and prints one line of y after each clock
-- edge. probe_main.cpp does the same to the Verilog, number for number.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use std.textio.all;

entity probe_tb is
end entity probe_tb;

architecture sim of probe_tb is
  signal clk     : std_ulogic := '0';
  signal a, b, y : std_ulogic_vector(7 downto 0) := (others => '0');
begin

  u_probe : entity work.probe
    port map (clk => clk, a => a, b => b, y => y);

  drive : process
    variable state : unsigned(31 downto 0) := x"2545f491";
    variable row   : line;
  begin
    for i in 0 to 4095 loop
      state := state xor shift_left(state, 13);
      state := state xor shift_right(state, 17);
      state := state xor shift_left(state, 5);
      a <= std_ulogic_vector(state(7 downto 0));
      b <= std_ulogic_vector(state(15 downto 8));
      wait for 1 ns;
      clk <= '1';
      wait for 1 ns;
      hwrite(row, y);
      writeline(output, row);
      clk <= '0';
      wait for 1 ns;
    end loop;
    wait;
  end process;

end architecture sim;
