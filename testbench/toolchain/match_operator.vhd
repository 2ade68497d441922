-- SPDX-License-Identifier: Apache-2.0
-- avoid: differs
-- instead: agrees
-- rule: no ?= with don't-care bits: compare under a mask
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

-- A literal would do; a pattern that comes from a signal is compared with =.
architecture avoid of probe is
  signal pattern : std_ulogic_vector(2 downto 0) := "1--";
begin
  y <= b when (a(2 downto 0) ?= pattern) = '1' else x"00";
end architecture avoid;

architecture instead of probe is
begin
  y <= b when (a(2 downto 0) and "100") = "100" else x"00";
end architecture instead;
