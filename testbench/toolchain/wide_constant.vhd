-- SPDX-License-Identifier: Apache-2.0
-- avoid: differs
-- avoid with ghdl 5: agrees
-- instead: agrees
-- rule: a constant of a wide record is all zero bits
library ieee;
use ieee.std_logic_1164.all;

entity probe is
  port (
    clk : in  std_ulogic;
    a   : in  std_ulogic_vector(7 downto 0);
    b   : in  std_ulogic_vector(7 downto 0);
    y   : out std_ulogic_vector(7 downto 0)
  );
end entity probe;

-- A wide constant with a one in it, taken whole, becomes a string of '0' and '1' characters, eight bits each.
architecture avoid of probe is
  type wide_t is record
    low  : std_ulogic_vector(7 downto 0);
    gap  : std_ulogic_vector(239 downto 0);
    high : std_ulogic_vector(7 downto 0);
  end record;
  constant WIDE_INIT : wide_t := (low => x"00", gap => (others => '0'), high => x"0f");
  signal wide : wide_t;
begin
  choose : process (all)
  begin
    wide <= WIDE_INIT;
    if a(0) = '1' then
      wide <= (low => b, gap => (239 downto 8 => b(0)) & b, high => b);
    end if;
  end process choose;
  y <= wide.low xor wide.high xor wide.gap(107 downto 100);
end architecture avoid;

architecture instead of probe is
  type wide_t is record
    low  : std_ulogic_vector(7 downto 0);
    gap  : std_ulogic_vector(239 downto 0);
    high : std_ulogic_vector(7 downto 0);
  end record;
  constant WIDE_INIT : wide_t := (low => x"00", gap => (others => '0'), high => x"00");
  signal wide : wide_t;
begin
  choose : process (all)
  begin
    wide      <= WIDE_INIT;
    wide.high <= x"0f";
    if a(0) = '1' then
      wide <= (low => b, gap => (239 downto 8 => b(0)) & b, high => b);
    end if;
  end process choose;
  y <= wide.low xor wide.high xor wide.gap(107 downto 100);
end architecture instead;
