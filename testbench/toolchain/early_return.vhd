-- SPDX-License-Identifier: Apache-2.0
-- avoid: larger
-- instead: agrees
-- rule: one return, at the end: an early one is right, but a chain of multiplexers for each call
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
  function first (v : std_ulogic_vector(7 downto 0)) return natural is
  begin
    for i in 0 to 7 loop
      if v(i) = '1' then
        return i;
      end if;
    end loop;
    return 8;
  end function first;
begin
  y <= std_ulogic_vector(to_unsigned(first(a) + first(b), 8));
end architecture avoid;

architecture instead of probe is
  function first (v : std_ulogic_vector(7 downto 0)) return natural is
    variable at : natural range 0 to 8;
  begin
    at := 8;
    for i in 7 downto 0 loop
      if v(i) = '1' then
        at := i;
      end if;
    end loop;
    return at;
  end function first;
begin
  y <= std_ulogic_vector(to_unsigned(first(a) + first(b), 8));
end architecture instead;
