-- SPDX-License-Identifier: Apache-2.0
-- avoid: refused
-- rule: no rotate of a signed
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
  y <= std_ulogic_vector(rotate_left(signed(a), to_integer(unsigned(b(2 downto 0)))));
end architecture avoid;
