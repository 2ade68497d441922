-- SPDX-License-Identifier: Apache-2.0
-- An assertion with a label, and an implication in PSL. See testbench/toolchain/flags.sh.
library ieee;
use ieee.std_logic_1164.all;

entity assertions is
  port (
    clk : in  std_ulogic;
    a   : in  std_ulogic_vector(7 downto 0);
    b   : in  std_ulogic_vector(7 downto 0);
    y   : out std_ulogic_vector(7 downto 0)
  );
end entity assertions;

architecture rtl of assertions is
begin

  check : process (clk)
  begin
    if rising_edge(clk) then
      y <= a;
      no_twins : assert a /= b report "the words of the report" severity failure;
    end if;
  end process check;

  -- psl default clock is rising_edge(clk);
  -- psl follows : assert always (a(0) = '1' -> next b(0) = '1');

end architecture rtl;
