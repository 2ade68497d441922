-- SPDX-License-Identifier: Apache-2.0
-- avoid: crash
-- avoid with ghdl 5: agrees
-- instead: agrees
-- rule: no case generate: if generate
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
  constant KIND : natural := 1;
begin
  pick : case KIND generate
    when 0 =>
      y <= a;
    when others =>
      y <= b;
  end generate;
end architecture avoid;

architecture instead of probe is
  constant KIND : natural := 1;
begin
  pick_a : if KIND = 0 generate
    y <= a;
  end generate;
  pick_b : if KIND /= 0 generate
    y <= b;
  end generate;
end architecture instead;
