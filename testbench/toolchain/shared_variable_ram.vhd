-- SPDX-License-Identifier: Apache-2.0
-- avoid: rejected
-- rule: no shared variable memory
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
  type ram_t is array (0 to 15) of std_ulogic_vector(7 downto 0);
  shared variable ram : ram_t;
begin
  regs : process (clk)
  begin
    if rising_edge(clk) then
      ram(to_integer(unsigned(a(3 downto 0)))) := b;
      y <= ram(to_integer(unsigned(a(7 downto 4))));
    end if;
  end process;
end architecture avoid;
