-- SPDX-License-Identifier: Apache-2.0
-- avoid: wrong
-- avoid with ghdl 5: differs
-- instead: agrees
-- rule: no case? with don't-care choices: compare under a mask
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

-- GHDL drops such a choice with a mere warning, in simulation too.
architecture avoid of probe is
begin
  comb : process (all)
  begin
    case? a(2 downto 0) is
      when "1--" => y <= b;
      when "01-" => y <= not b;
      when others => y <= x"00";
    end case?;
  end process;
end architecture avoid;

architecture instead of probe is
begin
  comb : process (all)
  begin
    if (a(2 downto 0) and "100") = "100" then
      y <= b;
    elsif (a(2 downto 0) and "110") = "010" then
      y <= not b;
    else
      y <= x"00";
    end if;
  end process;
end architecture instead;
