-- SPDX-License-Identifier: Apache-2.0
-- avoid: differs
-- avoid with ghdl 5: agrees
-- instead: agrees
-- rule: no variable of a function that begins as a concatenation and is then written in part: it counts from the left
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
  function extended(c, high : std_ulogic; low : std_ulogic_vector(6 downto 0)) return unsigned is
    variable v : unsigned(7 downto 0) := '0' & unsigned(low);
  begin
    if c = '1' then
      v(7) := high;
    end if;
    return v;
  end function;
begin
  y <= std_ulogic_vector(extended(b(0), b(1), a(6 downto 0)));
end architecture avoid;

architecture instead of probe is
  function extended(c, high : std_ulogic; low : std_ulogic_vector(6 downto 0)) return unsigned is
  begin
    return (c and high) & unsigned(low);
  end function;
begin
  y <= std_ulogic_vector(extended(b(0), b(1), a(6 downto 0)));
end architecture instead;
