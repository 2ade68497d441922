-- SPDX-License-Identifier: Apache-2.0
-- The multiplier of one lane: four products of 16 bits (DSP blocks; unsigned, as ghdl has no other for synthesis) and
-- their sum. It shifts too: to the left by n is times 2 ** n; to the right by n is the upper word of the product with
-- 2 ** (32 - n). Combinational.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;

entity multiplier is
  port (
    a_i       : in  word_t;
    b_i       : in  word_t;
    shifts_i  : in  std_ulogic;                              -- a, 32 bits, times 2 ** power; b does not matter
    complement_i : in std_ulogic;                            -- ... a's complement
    power_i   : in  unsigned(4 downto 0);
    mul24_i   : in  std_ulogic;                              -- else of each source 24 bits, or 16
    sign_a_i  : in  std_ulogic;
    sign_b_i  : in  std_ulogic;
    product_o : out std_ulogic_vector(63 downto 0);
    bit_32_o  : out std_ulogic                               -- of a shift: the same as product_o(32), but earlier
  );
end entity;

architecture rtl of multiplier is
begin

  multiply : process (all)
    variable a_sign, b_sign : std_ulogic;
    variable byte, within   : std_ulogic_vector(7 downto 0); -- 2 ** power: the byte that has the bit, the bit in it
    variable power  : word_t;
    variable a, b   : word_t;                                -- the factors, signed ones extended
    variable low    : unsigned(31 downto 0);
    variable middle : unsigned(32 downto 0);
    variable high   : unsigned(31 downto 0);
    variable excess : unsigned(15 downto 0);
  begin
    a_sign := sign_a_i and a_i(15);
    b_sign := sign_b_i and b_i(15);
    if mul24_i = '1' then
      a_sign := sign_a_i and a_i(23);
      b_sign := sign_b_i and b_i(23);
    end if;
    a_sign := a_sign and not shifts_i;
    b_sign := b_sign and not shifts_i;

    byte   := one_hot(power_i(4 downto 3), 8) and (7 downto 0 => shifts_i);
    within := one_hot(power_i(2 downto 0), 8);
    for i in 0 to 3 loop
      power(8 * i + 7 downto 8 * i) := within and (7 downto 0 => byte(i));
    end loop;

    a(31 downto 16) := (others => a_sign);
    if mul24_i = '1' or shifts_i = '1' then
      a(23 downto 16) := a_i(23 downto 16);
    end if;
    if shifts_i = '1' then
      a(31 downto 24) := a_i(31 downto 24);
    end if;
    a(15 downto 0)  := a_i(15 downto 0);
    a := a xor (31 downto 0 => complement_i);

    b(31 downto 16) := (others => b_sign);
    b(15 downto 0)  := b_i(15 downto 0) and (15 downto 0 => not shifts_i);
    if mul24_i = '1' and shifts_i = '0' then
      b(23 downto 16) := b_i(23 downto 16);
    end if;
    b := b or power;

    low    := unsigned(a(15 downto 0)) * unsigned(b(15 downto 0));
    high   := unsigned(a(31 downto 16)) * unsigned(b(31 downto 16));
    middle := resize(unsigned(a(31 downto 16)) * unsigned(b(15 downto 0)), 33)
              + resize(unsigned(a(15 downto 0)) * unsigned(b(31 downto 16)), 33);

    -- A negative factor of 32 bits, taken as unsigned, is 2 ** 32 too much.
    excess := unsigned(a(15 downto 0)) + unsigned(b(15 downto 0));
    if a_sign = '0' and b_sign = '0' then
      excess := (others => '0');
    elsif a_sign = '0' then
      excess := unsigned(a(15 downto 0));
    elsif b_sign = '0' then
      excess := unsigned(b(15 downto 0));
    end if;
    high(15 downto 0) := high(15 downto 0) - excess;

    -- The parts of a shifted word do not overlap.
    bit_32_o <= middle(16) or high(0);
    product_o(15 downto 0)  <= std_ulogic_vector(low(15 downto 0));
    product_o(63 downto 16) <= std_ulogic_vector((high & low(31 downto 16)) + resize(middle, 48));
  end process;

end architecture;
