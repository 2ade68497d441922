-- SPDX-License-Identifier: Apache-2.0
-- avoid: differs
-- avoid with ghdl 5: agrees
-- instead: agrees
-- rule: no sra: shift sign and word together, as unsigned
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
  y <= std_ulogic_vector(signed(a) sra to_integer(unsigned(b(2 downto 0))));
end architecture avoid;

architecture instead of probe is
  signal wide : unsigned(15 downto 0);
begin
  wide <= shift_right(unsigned'(7 downto 0 => a(7)) & unsigned(a), to_integer(unsigned(b(2 downto 0))));
  y    <= std_ulogic_vector(wide(7 downto 0));
end architecture instead;
