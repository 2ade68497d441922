-- SPDX-License-Identifier: Apache-2.0
-- avoid: differs
-- avoid with ghdl 5: larger
-- instead: agrees
-- rule: a ROM is a constant, not an initialised signal
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

-- A wide initial value becomes a string of '0' and '1' characters, eight bits each.
architecture avoid of probe is
  type rom_t is array (0 to 255) of std_ulogic_vector(7 downto 0);
  function multiples return rom_t is
    variable v : rom_t;
  begin
    for i in rom_t'range loop
      v(i) := std_ulogic_vector(to_unsigned((i * 7) mod 256, 8));
    end loop;
    return v;
  end function;
  signal rom : rom_t := multiples;
begin
  y <= rom(to_integer(unsigned(a))) xor rom(3);
end architecture avoid;

architecture instead of probe is
  type rom_t is array (0 to 255) of std_ulogic_vector(7 downto 0);
  function multiples return rom_t is
    variable v : rom_t;
  begin
    for i in rom_t'range loop
      v(i) := std_ulogic_vector(to_unsigned((i * 7) mod 256, 8));
    end loop;
    return v;
  end function;
  constant ROM : rom_t := multiples;
begin
  y <= ROM(to_integer(unsigned(a))) xor ROM(3);
end architecture instead;
