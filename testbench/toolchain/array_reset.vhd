-- SPDX-License-Identifier: Apache-2.0
-- avoid: larger
-- instead: agrees
-- rule: no reset of an array: it becomes a flip-flop a bit
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

architecture avoid of probe is
  type memory_t is array (0 to 255) of std_ulogic_vector(7 downto 0);
  signal memory : memory_t;
  signal count  : unsigned(3 downto 0) := "0000";
begin
  count <= count + 1 when rising_edge(clk) and count /= 15;
  store : process (clk)
  begin
    if rising_edge(clk) then
      if count = 0 then
        memory <= (others => x"00");
      else
        memory(to_integer(unsigned(a))) <= b;
      end if;
      y <= memory(to_integer(unsigned(b)));
    end if;
  end process store;
end architecture avoid;

architecture instead of probe is
  type memory_t is array (0 to 255) of std_ulogic_vector(7 downto 0);
  signal memory : memory_t := (others => x"00");
  signal count  : unsigned(3 downto 0) := "0000";
begin
  count <= count + 1 when rising_edge(clk) and count /= 15;
  store : process (clk)
  begin
    if rising_edge(clk) then
      if count /= 0 then
        memory(to_integer(unsigned(a))) <= b;
      end if;
      y <= memory(to_integer(unsigned(b)));
    end if;
  end process store;
end architecture instead;
