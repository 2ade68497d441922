-- SPDX-License-Identifier: Apache-2.0
-- Records between the stages of the floating-point unit: ten stages, one result a clock.
--
--     X1, X2          float_operands.vhd    formats, modifiers, classes, results of zeros, infinities and NaNs
--     X3              float_product.vhd     product, distance of the exponents
--     ALIGN, ADD      float_add.vhd         alignment, sum
--     NORM1 - NORM3   float_normalise.vhd   normalisation
--     ROUND, RANGE    float_round.vhd       rounding; range, saturation, flags
--
-- Other operations take the same way without a product or an addend. A *word* is an integer or fixed-point value.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;

package float_pkg is

  -- Stages behind X3, as unit_moves_t counts them; ALIGN is beside RESOLVE.
  constant IN_ALIGN : positive := 4;
  constant IN_ADD   : positive := 5;
  constant IN_NORM1 : positive := 6;
  constant IN_NORM2 : positive := 7;
  constant IN_NORM3 : positive := 8;
  constant IN_ROUND : positive := 9;
  constant IN_RANGE : positive := 10;

  -- An instruction, as the unit sees it.
  type float_control_t is record
    op        : float_t;
    rounding  : std_ulogic_vector(1 downto 0);     -- ROUND_..
    relations : std_ulogic_vector(3 downto 0);     -- FSET: unordered, greater, equal, less
    neg_a     : std_ulogic;                        -- FMAD: of the product
    neg_b     : std_ulogic;                        -- of FMAD and FCMP c
    abs_a     : std_ulogic;                        -- before the sign
    abs_b     : std_ulogic;
    saturates : std_ulogic;
    source_16 : std_ulogic;                        -- conversions: the source has 16 bits
    source_8  : std_ulogic;                        -- I2F: ... 8
    result_16 : std_ulogic;                        -- conversions: the result has 16 bits
    signed_a  : std_ulogic;                        -- I2F
    signed_d  : std_ulogic;                        -- F2I
    integral  : std_ulogic;                        -- F2F: to an integral value
  end record;
  function float_control(c : control_t) return float_control_t;

  constant ROUND_NEAREST : std_ulogic_vector(1 downto 0) := "00";
  constant ROUND_DOWN    : std_ulogic_vector(1 downto 0) := "01";
  constant ROUND_UP      : std_ulogic_vector(1 downto 0) := "10";
  constant ROUND_ZERO    : std_ulogic_vector(1 downto 0) := "11";

  -- Fields of an instruction that every stage needs.
  type float_end_t is record
    rounding   : std_ulogic_vector(1 downto 0);
    saturates  : std_ulogic;
    half       : std_ulogic;                       -- the result has 16 bits
    word       : std_ulogic;                       -- it is a word
    word_float : std_ulogic;                       -- the word's top bit is no part of a zero
    reduced    : std_ulogic;                       -- the word is that of RRO.SIN: 25 bits and a sign
    sets_top   : std_ulogic;                       -- the word's top bit becomes `negative`
    flips_top  : std_ulogic;                       -- the word's top bit is inverted
    drops      : std_ulogic;                       -- bits beyond the result are dropped, whatever the rounding
    cut        : std_ulogic;                       -- a sum of a cut product: just below 2 ** -126 it is 2 ** -126
    nan        : std_ulogic;                       -- the result, whatever the sum
    infinite   : std_ulogic;
    infinity_negative : std_ulogic;
    zero_negative : std_ulogic;                    -- sign of a sum that is zero, or too small if it is not cut
    negative   : std_ulogic;                       -- sign of the addend
  end record;
  constant FLOAT_END_INIT : float_end_t := (rounding => "00", others => '0');

  -- From X2 to X3.
  type addend_from_t is (ADDEND_ZERO, ADDEND_NUMBER, ADDEND_WORD, ADDEND_ONES);
  type float_prepared_t is record
    y          : word_t;                           -- the addend, as it came
    y_from     : addend_from_t;                    -- source of the addend
    y_hidden   : std_ulogic;                       -- bit 23 of a number
    y_infinity : std_ulogic;                       -- RRO: code of an infinity
    y_special  : std_ulogic;                       -- RRO: code of a NaN
    y_negative : std_ulogic;
    product    : std_ulogic;                       -- there is one
    product_negative : std_ulogic;
    normal     : std_ulogic;                       -- the product is one of two numbers; else a word
    scaled     : std_ulogic;                       -- the product is a scaled number, its point at bit 23
    below_one  : std_ulogic;                       -- the scaled number is less than one
    half_one   : std_ulogic;                       -- the scaled number is at least one half
    fraction   : std_ulogic;                       -- the scaled number is no power of two
    clamps_15  : std_ulogic;                       -- F2I: the largest result has 15 bits
    aligns     : std_ulogic;                       -- the smaller one moves to the right
    jams       : std_ulogic;                       -- bits lost by alignment leave a sticky bit
    product_large : std_ulogic;                    -- the product counts as the larger one
    addend_large  : std_ulogic;                    -- the addend does
    distance   : signed(9 downto 0);               -- of the product's exponent from the addend's
    product_exponent : unsigned(8 downto 0);       -- more by 128
    addend_exponent  : unsigned(7 downto 0);
    subtracts  : std_ulogic;                       -- the product, from nothing or from the addend; without a
                                                   -- product the addend, from nothing
    rounds     : std_ulogic;                       -- to an integer
    normalises : std_ulogic;
    moves_one  : std_ulogic;                       -- the sum moves by one bit unconditionally
    ends       : float_end_t;
  end record;

  -- From X3 to ALIGN.
  type float_parts_t is record
    product    : word_t;
    long       : std_ulogic;                       -- of two numbers, with 48 bits
    below      : std_ulogic;                       -- its next bit
    sticky     : std_ulogic;                       -- any after it
    product_negative : std_ulogic;
    normal     : std_ulogic;
    y          : word_t;                           -- a number has its 24 bits at 30 downto 7
    y_negative : std_ulogic;
    jams       : std_ulogic;
    near       : unsigned(5 downto 0);             -- a distance of the exponents; 32: that or more
    far        : unsigned(5 downto 0);             -- one more
    behind     : std_ulogic;                       -- the product is to the left: its distance is `near`, with 48 bits
                                                   -- `far`
    product_large : std_ulogic;                    -- the product counts as larger
    carry_large   : std_ulogic;                    -- the product counts as larger, with 48 bits
    compares   : std_ulogic;                       -- of equal exponents one is subtracted: the bits tell which
    left       : unsigned(4 downto 0);             -- places that the sum moves to the left, if it is not normalised
    product_exponent : unsigned(8 downto 0);
    addend_exponent  : unsigned(7 downto 0);
    subtracts  : std_ulogic;
    negates    : std_ulogic;                       -- the addend is subtracted from nothing
    rounds     : std_ulogic;
    normalises : std_ulogic;
    clamps_15  : std_ulogic;
    ends       : float_end_t;
  end record;

  -- From ADD to NORM1, and from NORM3 to ROUND: (-1) ** negative * bits / 2 ** 31 * 2 ** (exponent - 126):
  -- one less than in an F32.
  type float_sum_t is record
    bits       : word_t;
    negative   : std_ulogic;
    exponent   : signed(10 downto 0);
    normalises : std_ulogic;
    left       : unsigned(4 downto 0);             -- else by this
    ends       : float_end_t;
  end record;

  -- The bits at which the result ends.
  type float_place_t is record
    lowest : std_ulogic;                           -- the result's lowest bit
    below  : std_ulogic;                           -- the next one
    sticky : std_ulogic;                           -- any after it
    ones   : std_ulogic;                           -- the result's bits are all ones
    zeros  : std_ulogic;                           -- the bits of an F16 result are all zeros
  end record;

  function moves_up(rounding : std_ulogic_vector(1 downto 0); negative, lowest, below, sticky : std_ulogic)
    return std_ulogic;

end package;

package body float_pkg is

  function float_control(c : control_t) return float_control_t is
  begin
    return (op        => c.float,
            rounding  => c.rounding,
            relations => c.compare,
            neg_a     => c.neg_a,
            neg_b     => c.neg_b,
            abs_a     => c.abs_a,
            abs_b     => c.abs_b,
            saturates => c.saturate,
            source_16 => c.src_half,
            source_8  => c.src_byte,
            result_16 => c.to_half,
            signed_a  => c.sign_a,
            signed_d  => c.sign_d,
            integral  => c.integral);
  end function;

  -- 1 if a magnitude is rounded up. lowest: its last bit; below: the next one; sticky: a later bit is set.
  function moves_up(rounding : std_ulogic_vector(1 downto 0); negative, lowest, below, sticky : std_ulogic)
    return std_ulogic is
    variable nearest, directed : std_ulogic;
  begin
    nearest  := to_sl(rounding = ROUND_NEAREST) and below and (lowest or sticky);
    directed := (to_sl(rounding = ROUND_DOWN and negative = '1') or to_sl(rounding = ROUND_UP and negative = '0'))
                and (below or sticky);
    return nearest or directed;
  end function;

end package body;
