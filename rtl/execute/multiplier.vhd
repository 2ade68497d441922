-- SPDX-License-Identifier: Apache-2.0
-- The multiplier of one lane: four products of the factors' halves (DSP blocks) and their sum. It shifts too, with a
-- power of two for b, and to the right by the upper word (shift_factor.vhd). Latency: the factors are registered at the
-- end of stage X1, the products at the end of X2, and the sum is there in X3.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.stages_pkg.all;

entity multiplier is
  generic (
    HAS_WIDE : boolean := false
  );
  port (
    clk        : in  std_ulogic;
    moves_i    : in  execute_moves_t;
    a_i        : in  word_t;
    b_i        : in  word_t;
    shifts_i   : in  std_ulogic;                             -- a, 32 bits, times power_i; b does not matter
    negative_i : in std_ulogic;                              -- a is signed and negative
    power_i    : in  word_t;                                 -- power of two; zero if nothing is shifted
    mul24_i    : in  std_ulogic;                             -- else of each source 24 bits, or 16
    float_i    : in  std_ulogic;                             -- both sources are significands: bit 23 is one
    wide_i     : in  std_ulogic := '0';                      -- all 32 bits, unsigned (HAS_WIDE), if mul24_i is set
    sign_a_i   : in  std_ulogic;
    sign_b_i   : in  std_ulogic;
    product_o  : out std_ulogic_vector(63 downto 0)
  );
end entity;

architecture rtl of multiplier is

  -- factors of 33 bits, signed
  type factors_t is record
    a : word_t;
    b : word_t;
    a_sign : std_ulogic;
    b_sign : std_ulogic;
  end record;

  subtype half_t is signed(16 downto 0);                     -- of a factor: the lower one is not negative
  subtype middle_t is signed(32 + boolean'pos(HAS_WIDE) downto 0); -- of 24 bits, or of a power of two: 33 bits hold it
  type products_t is record
    low     : unsigned(31 downto 0);
    cross_1 : signed(33 downto 0);
    cross_2 : signed(33 downto 0);
    high    : signed(33 downto 0);
  end record;

  signal factors_r, factors_in   : factors_t;                -- stage X2
  signal products_r, products_in : products_t;               -- stage X3

begin

  prepare : process (all)
    variable a_sign, b_sign : std_ulogic;
    variable a, b   : word_t;
  begin
    a_sign := sign_a_i and a_i(15);
    b_sign := sign_b_i and b_i(15);
    if mul24_i = '1' then
      a_sign := sign_a_i and a_i(23);
      b_sign := sign_b_i and b_i(23);
    end if;
    a_sign := (a_sign and not shifts_i) or negative_i;
    b_sign := b_sign and not shifts_i;

    a(31 downto 16) := (others => a_sign);
    if mul24_i = '1' or shifts_i = '1' then
      a(23 downto 16) := a_i(23 downto 16);
    end if;
    if shifts_i = '1' and float_i = '0' then
      a(31 downto 24) := a_i(31 downto 24);
    end if;
    if HAS_WIDE then
      a(31 downto 24) := a(31 downto 24) or (a_i(31 downto 24) and (7 downto 0 => wide_i));
    end if;
    a(23) := a(23) or float_i;
    a(15 downto 0)  := a_i(15 downto 0);

    b(31 downto 16) := (others => b_sign);
    b(15 downto 0)  := b_i(15 downto 0) and (15 downto 0 => not shifts_i);
    if mul24_i = '1' and shifts_i = '0' then
      b(23 downto 16) := b_i(23 downto 16);
      b(23) := b(23) or float_i;
    end if;
    if HAS_WIDE then
      b(31 downto 24) := b(31 downto 24) or (b_i(31 downto 24) and (7 downto 0 => wide_i));
    end if;
    b := b or power_i;
    factors_in <= (a => a, b => b, a_sign => a_sign, b_sign => b_sign);
  end process;

  factors_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i.x2 = '1' then
        factors_r <= factors_in;
      end if;
    end if;
  end process;

  multiply : process (all)
    variable a_low, a_high, b_low, b_high : half_t;
  begin
    a_low  := signed('0' & factors_r.a(15 downto 0));
    a_high := signed(factors_r.a_sign & factors_r.a(31 downto 16));
    b_low  := signed('0' & factors_r.b(15 downto 0));
    b_high := signed(factors_r.b_sign & factors_r.b(31 downto 16));
    products_in.low     <= unsigned(factors_r.a(15 downto 0)) * unsigned(factors_r.b(15 downto 0));
    products_in.cross_1 <= a_high * b_low;
    products_in.cross_2 <= a_low * b_high;
    products_in.high    <= a_high * b_high;
  end process;

  products_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i.x3 = '1' then
        products_r <= products_in;
      end if;
    end if;
  end process;

  sum : process (all)
    variable middle : middle_t;
    variable upper  : signed(47 downto 0);
  begin
    middle := products_r.cross_1(middle_t'range) + products_r.cross_2(middle_t'range);
    upper  := products_r.high(31 downto 0) & signed(products_r.low(31 downto 16));
    upper  := upper + resize(middle, 48);
    product_o <= std_ulogic_vector(upper) & std_ulogic_vector(products_r.low(15 downto 0));
  end process;

end architecture;
