-- SPDX-License-Identifier: Apache-2.0
-- avoid: differs
-- avoid with ghdl 5: wrong
-- instead: agrees
-- rule: no / rem on integers that can be negative
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
  signal s : integer range -128 to 127;
begin
  s <= to_integer(signed(a));
  y <= std_ulogic_vector(to_signed(s / 4, 8));
end architecture avoid;

architecture instead of probe is
  signal s : integer range 0 to 255;
begin
  s <= to_integer(unsigned(a));
  y <= std_ulogic_vector(to_unsigned(s / 4, 8));
end architecture instead;
