-- SPDX-License-Identifier: Apache-2.0
-- avoid: crash
-- avoid with ghdl 5: agrees
-- instead: agrees
-- rule: no call of a function of one's own as an actual of a port map: a signal between
-- Something to be instantiated.
library ieee;
use ieee.std_logic_1164.all;

entity inverter is
  port (
    i : in  std_ulogic_vector(7 downto 0);
    o : out std_ulogic_vector(7 downto 0)
  );
end entity inverter;

architecture rtl of inverter is
begin
  o <= not i;
end architecture rtl;

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
  type pair_t is record
    low  : std_ulogic_vector(7 downto 0);
    flag : std_ulogic;
  end record;
  signal pair : pair_t;

  function swap (v : pair_t) return std_ulogic_vector is
  begin
    return v.low(3 downto 0) & v.low(7 downto 4);
  end function swap;
begin
  pair <= (low => a xor b, flag => b(0));
  u_inverter : entity work.inverter
    port map (i => swap(pair), o => y);
end architecture avoid;

architecture instead of probe is
  type pair_t is record
    low  : std_ulogic_vector(7 downto 0);
    flag : std_ulogic;
  end record;
  signal pair : pair_t;

  function swap (v : pair_t) return std_ulogic_vector is
  begin
    return v.low(3 downto 0) & v.low(7 downto 4);
  end function swap;
  signal swapped : std_ulogic_vector(7 downto 0);
begin
  pair    <= (low => a xor b, flag => b(0));
  swapped <= swap(pair);
  u_inverter : entity work.inverter
    port map (i => swapped, o => y);
end architecture instead;
