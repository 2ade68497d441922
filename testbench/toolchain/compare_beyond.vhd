-- SPDX-License-Identifier: Apache-2.0
-- avoid: differs
-- instead: agrees
-- rule: no comparison with a number of more bits than the unsigned has: widen it first
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
  y <= b when unsigned(a) < 256 else a;
end architecture avoid;

architecture instead of probe is
begin
  y <= b when resize(unsigned(a), 9) < 256 else a;
end architecture instead;
