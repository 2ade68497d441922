-- SPDX-License-Identifier: Apache-2.0
-- avoid: crash
-- avoid with ghdl 5: agrees
-- instead: agrees
-- rule: no conditional assignment to a variable in process (all): if
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
  choose : process (all)
    variable v : std_ulogic_vector(7 downto 0);
  begin
    v := a when b(0) = '1' else b;
    y <= v;
  end process choose;
end architecture avoid;

architecture instead of probe is
begin
  choose : process (all)
    variable v : std_ulogic_vector(7 downto 0);
  begin
    v := b;
    if b(0) = '1' then
      v := a;
    end if;
    y <= v;
  end process choose;
end architecture instead;
