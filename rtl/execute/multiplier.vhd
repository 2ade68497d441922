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

  signal f, f_in : factors_t;
  signal p, p_in : products_t;

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
    f_in <= (a => a, b => b, a_sign => a_sign, b_sign => b_sign);
  end process;

  multiply : process (all)
    variable a_low, src_a_high, b_low, src_b_high : half_t;
  begin
    a_low  := signed('0' & f.a(15 downto 0));
    src_a_high := signed(f.a_sign & f.a(31 downto 16));
    b_low  := signed('0' & f.b(15 downto 0));
    src_b_high := signed(f.b_sign & f.b(31 downto 16));
    p_in.low     <= unsigned(f.a(15 downto 0)) * unsigned(f.b(15 downto 0));
    p_in.cross_1 <= src_a_high * b_low;
    p_in.cross_2 <= a_low * src_b_high;
    p_in.high    <= src_a_high * src_b_high;
  end process;

  sum : process (all)
    variable middle : middle_t;
    variable upper  : signed(47 downto 0);
  begin
    middle := p.cross_1(middle_t'range) + p.cross_2(middle_t'range);
    upper  := p.high(31 downto 0) & signed(p.low(31 downto 16));
    upper  := upper + resize(middle, 48);
    product_o <= std_ulogic_vector(upper) & std_ulogic_vector(p.low(15 downto 0));
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i.x2 = '1' then
        f <= f_in;
      end if;
      if moves_i.x3 = '1' then
        p <= p_in;
      end if;
    end if;
  end process;

end architecture;
