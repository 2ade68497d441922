-- SPDX-License-Identifier: Apache-2.0
-- avoid: differs
-- avoid with ghdl 5: wrong
-- instead: agrees
-- rule: no write through two variable indices: one index, one wide word
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity probe is
  port (
    clk : in  std_ulogic;
    a   : in  std_ulogic_vector(7 downto 0);
    b   : in  std_ulogic_vector(7 downto 0);
    y   : out std_ulogic_vector(7 downto 0)
  );
end entity probe;

-- The Verilog has no register at all; with more around it, GHDL crashes.
architecture avoid of probe is
  type rows_t is array (0 to 3) of std_ulogic_vector(7 downto 0);
  signal m : rows_t;
begin
  regs : process (clk)
  begin
    if rising_edge(clk) then
      m(to_integer(unsigned(a(1 downto 0))))(to_integer(unsigned(a(4 downto 2)))) <= b(0);
    end if;
  end process;
  y <= m(to_integer(unsigned(b(2 downto 1))));
end architecture avoid;

architecture instead of probe is
  type bits_t is array (0 to 31) of std_ulogic;
  signal m : bits_t;
begin
  regs : process (clk)
  begin
    if rising_edge(clk) then
      m(to_integer(unsigned(a(4 downto 0)))) <= b(0);
    end if;
  end process;
  y <= "0000000" & m(to_integer(unsigned(b(5 downto 1))));
end architecture instead;
