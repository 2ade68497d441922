-- SPDX-License-Identifier: Apache-2.0
-- avoid: differs
-- instead: agrees
-- rule: a process-variable RAM reads before it writes
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

-- Simulation executes the statements in order, so a read after the write sees the new word. The Verilog reads the old
-- one.
architecture avoid of probe is
begin
  regs : process (clk)
    type ram_t is array (0 to 3) of std_ulogic_vector(7 downto 0);
    variable ram : ram_t;
  begin
    if rising_edge(clk) then
      ram(to_integer(unsigned(a(1 downto 0)))) := b;
      y <= ram(to_integer(unsigned(a(3 downto 2))));
    end if;
  end process;
end architecture avoid;

architecture instead of probe is
begin
  regs : process (clk)
    type ram_t is array (0 to 3) of std_ulogic_vector(7 downto 0);
    variable ram : ram_t;
  begin
    if rising_edge(clk) then
      y <= ram(to_integer(unsigned(a(3 downto 2))));
      ram(to_integer(unsigned(a(1 downto 0)))) := b;
    end if;
  end process;
end architecture instead;
