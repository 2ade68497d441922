-- SPDX-License-Identifier: Apache-2.0
-- avoid: differs
-- avoid with ghdl 5: agrees
-- instead: agrees
-- rule: no conditional write of part of a vector that holds a non-zero constant: build it whole
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
  comb : process (all)
    variable v : std_ulogic_vector(7 downto 0);
  begin
    v := x"a5";
    if b(0) = '1' then
      v(7 downto 4) := a(3 downto 0);
    end if;
    y <= v;
  end process;
end architecture avoid;

architecture instead of probe is
begin
  comb : process (all)
    variable high : std_ulogic_vector(3 downto 0);
  begin
    high := x"a";
    if b(0) = '1' then
      high := a(3 downto 0);
    end if;
    y <= high & x"5";
  end process;
end architecture instead;
