-- SPDX-License-Identifier: Apache-2.0
-- avoid: refused
-- rule: no abs of an integer
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
  y <= std_ulogic_vector(to_unsigned(abs s, 8));
end architecture avoid;
