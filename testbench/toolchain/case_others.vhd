-- SPDX-License-Identifier: Apache-2.0
-- avoid: differs
-- avoid with ghdl 5: agrees
-- instead: agrees
-- rule: a case names every choice; others is for X alone
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
    case a(1 downto 0) is
      when "00" => v := b;
      when "01" => v := not b;
      when others => v := x"5a";
    end case;
    y <= v;
  end process;
end architecture avoid;

architecture instead of probe is
begin
  comb : process (all)
    variable v : std_ulogic_vector(7 downto 0);
  begin
    case a(1 downto 0) is
      when "00" => v := b;
      when "01" => v := not b;
      when "10" | "11" => v := x"5a";
      when others => v := (others => 'X');
    end case;
    y <= v;
  end process;
end architecture instead;
