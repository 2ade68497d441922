-- SPDX-License-Identifier: Apache-2.0
-- avoid: differs
-- avoid with ghdl 5: wrong
-- instead: agrees
-- rule: no signed / mod rem: unsigned is right
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
begin
  y <= std_ulogic_vector(signed(a) / signed(b or x"02"));
end architecture avoid;

architecture instead of probe is
begin
  y <= std_ulogic_vector(unsigned(a) / unsigned(b or x"02"));
end architecture instead;
