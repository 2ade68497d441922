-- SPDX-License-Identifier: Apache-2.0
-- Repeats in GHDL what decode_bench recorded of the Verilog: reads lines "LO HI CONTROL" (hexadecimal) from the file
-- decode.words and fails where decode_flat says otherwise. Equal to the Verilog is equal to the table.
library ieee;
use ieee.std_logic_1164.all;
use std.textio.all;

use work.control_pkg.all;

entity decode_words_tb is
end entity decode_words_tb;

architecture sim of decode_words_tb is
  constant BITS   : positive := CONTROL_BITS + 1;              -- with `long` above
  constant DIGITS : positive := (BITS + 3) / 4;
  signal lo, hi  : std_ulogic_vector(31 downto 0) := (others => '0');
  signal control : std_ulogic_vector(BITS - 1 downto 0);
begin

  u_dut : entity work.decode_flat
    port map (lo_i => lo, hi_i => hi, control_o => control);

  stimulus : process
    file words        : text open read_mode is "decode.words";
    variable l        : line;
    variable lo_word  : std_ulogic_vector(31 downto 0);
    variable hi_word  : std_ulogic_vector(31 downto 0);
    variable must     : std_ulogic_vector(4 * DIGITS - 1 downto 0);
    variable compared : natural := 0;
  begin
    while not endfile(words) loop
      readline(words, l);
      hread(l, lo_word);
      hread(l, hi_word);
      hread(l, must);
      lo <= lo_word;
      hi <= hi_word;
      wait for 1 ns;
      assert control = must(BITS - 1 downto 0)
        report to_hstring(lo_word) & " " & to_hstring(hi_word) & ": control must be "
               & to_hstring(must(BITS - 1 downto 0)) & ", is " & to_hstring(control) severity failure;
      compared := compared + 1;
    end loop;
    assert compared >= 1000 report integer'image(compared) & " words are too few" severity failure;
    report integer'image(compared) & " words";
    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
