-- SPDX-License-Identifier: Apache-2.0
-- Stages X1 and X2 of the floating-point unit. X1 converts source a to F32 and classifies the operands (zero, infinity,
-- NaN). X2 selects product and addend, and the result where that is not their sum. Semantics: docs/isa.md 8.1 to 8.6.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.operands_pkg.all;
use work.float_pkg.all;

entity float_operands is
  port (
    clk        : in  std_ulogic;
    moves_i    : in  unit_moves_t;
    -- stage X1
    control_i : in  float_control_t;
    src_a_i   : in  word_t;
    src_b_i   : in  word_t;
    src_c_i   : in  word_t;
    factors_i : in  factors_t;
    factor_o  : out word_t;                        -- the first source, widened to F32 where it has 16 bits
    -- stage X2
    less_i     : in  std_ulogic;                   -- of a and b, bits 30 downto 0 compared
    equal_i    : in  std_ulogic;
    -- stage X3
    prepared_o : out float_prepared_t
  );
end entity;

architecture rtl of float_operands is

  constant BIAS : natural := 127;

  type class_t is record
    zero     : std_ulogic;                         -- or an F32 denormal
    infinite : std_ulogic;
    nan      : std_ulogic;
  end record;
  constant ORDINARY : class_t := (others => '0');
  constant ZERO     : class_t := (zero => '1', others => '0');

  -- From X1 to X2.
  type classified_t is record
    control    : float_control_t;
    a          : word_t;                           -- as F32 or integer
    y          : word_t;                           -- FMAD: c, else b
    a_class    : class_t;
    b_class    : class_t;
    c_class    : class_t;
    a_negative : std_ulogic;                       -- after the modifiers
    b_negative : std_ulogic;
    c_negative : std_ulogic;
    product_negative : std_ulogic;
    addend_negative  : std_ulogic;                 -- of the arithmetic operations
    hidden     : std_ulogic;                       -- a is no denormal F16
    fraction   : std_ulogic;                       -- a has fraction bits
    product_exponent : unsigned(8 downto 0);       -- more by 128
    limit      : unsigned(7 downto 0);
  end record;

  signal source      : word_t;                     -- the first one, as F32 or integer
  signal x2_r, x2_in : classified_t;
  signal x3_r, x3_in : float_prepared_t;

  function class_of(x : word_t) return class_t is
    variable top, fraction : std_ulogic;
  begin
    top      := to_sl(x(30 downto 23) = x"ff");
    fraction := or_reduce(x(22 downto 0));
    return (zero => not or_reduce(x(30 downto 23)), infinite => top and not fraction, nan => top and fraction);
  end function;

  function is_float_16(c : float_control_t) return std_ulogic is
  begin
    return c.source_16 and to_sl(c.op = FLOAT_TO_INTEGER or c.op = FLOAT_CONVERT);
  end function;

  -- F32 of an F16. A denormal gets the exponent of the smallest normal number; readers know that bit 23 is clear.
  function widened(h : half_t) return word_t is
    variable top, none : std_ulogic;
    variable exponent  : std_ulogic_vector(7 downto 0);
  begin
    top      := to_sl(h(14 downto 10) = "11111");
    none     := to_sl(h(14 downto 10) = "00000");
    exponent := (h(14) & (6 downto 4 => not h(14)) & h(13 downto 10)) or (7 downto 0 => top);
    return h(15) & exponent(7 downto 1) & (exponent(0) or none) & h(9 downto 0) & (12 downto 0 => '0');
  end function;

  -- An integer of 8, 16 or 32 bits as one of 32.
  function extended(c : float_control_t; x : word_t) return word_t is
    variable fill : std_ulogic;
    variable v    : word_t;
  begin
    v    := x;
    fill := c.signed_a and x(15);
    if c.source_8 = '1' then
      fill := c.signed_a and x(7);
      v(15 downto 8) := (others => fill);
    end if;
    if c.source_8 = '1' or c.source_16 = '1' then
      v(31 downto 16) := (others => fill);
    end if;
    return v;
  end function;

  -- The exponent of the first source from which on an operation does something else: F2I is out of its range (signed,
  -- the most negative number is the result of all beyond); F2F to an integral value finds one; F2F to an F16 has more
  -- than half of the smallest; of RRO.SIN all is whole turns; RRO.EX2 is out of its range.
  function limit_of(c : float_control_t) return unsigned is
    variable e : unsigned(7 downto 0);
  begin
    e := to_unsigned(BIAS + 7, 8);
    if c.op = FLOAT_REDUCE_SIN then
      e := to_unsigned(BIAS + 8 + 25, 8);
    elsif c.op = FLOAT_CONVERT and c.integral = '1' then
      e := to_unsigned(BIAS + 23, 8);
    elsif c.op = FLOAT_CONVERT then
      e := to_unsigned(BIAS - 33, 8);
    elsif c.op = FLOAT_TO_INTEGER then
      e := to_unsigned(BIAS + 31, 8);
      if c.result_16 = '1' then
        e := to_unsigned(BIAS + 15, 8);
      end if;
      if c.signed_d = '0' then
        e := e + 1;
      end if;
    end if;
    return e;
  end function;

  -- Two faults of the chip when it converts an integer to F16 (docs/isa.md 8.5), told from the integer v; if that is
  -- negative, its magnitude is not v + 1. The first: where bits 29 to 5 of the magnitude are ones and it might be
  -- rounded away from zero, it becomes zero. So does one whose lower 30 bits are clear: the second takes the upper two.
  function is_lost(v : word_t; minus, away : std_ulogic) return std_ulogic is
    variable same, bit_5 : std_ulogic;
  begin
    same  := not or_reduce(v(29 downto 6) xor (29 downto 6 => not minus));
    bit_5 := v(5) xor (minus and or_reduce(v(4 downto 0)));
    return (away and same and bit_5) or (minus and not or_reduce(v(29 downto 0)));
  end function;

  -- The second: two to seven upper bits are lost, which is to say, become equal to the sign.
  function without_lost(v : word_t; minus, narrows : std_ulogic) return word_t is
    variable lost : std_ulogic_vector(31 downto 25);
  begin
    lost(31) := narrows;
    lost(30) := narrows;
    for i in 29 downto 25 loop
      lost(i) := lost(i + 1) and (v(i - 14) xnor minus);
    end loop;
    return ((v(31 downto 25) and not lost) or (lost and (31 downto 25 => minus))) & v(24 downto 0);
  end function;

begin

  -- An integer of 16 bits is not multiplied.
  factor_o <= widened(src_a_i(15 downto 0)) when factors_i.half = '1' else src_a_i;
  source   <= extended(control_i, src_a_i) when factors_i.from_integer = '1' else factor_o;

  stage_x1 : process (all)
    variable v    : classified_t;
    variable c    : float_control_t;
    variable b_class, c_class : class_t;
    variable e, f : unsigned(7 downto 0);
  begin
    v         := x2_r;                             -- whole: ghdl writes initial values of parts as a string
    c         := control_i;
    v.control := c;
    v.a       := source;
    v.y       := src_b_i;
    if c.op = FLOAT_MULTIPLY_ADD then
      v.y := src_c_i;
    end if;

    v.a_class := class_of(source);
    v.hidden  := '1';
    v.fraction := or_reduce(source(22 downto 0));
    if is_float_16(c) = '1' then
      v.hidden       := or_reduce(src_a_i(14 downto 10));
      v.a_class.zero := not or_reduce(src_a_i(14 downto 0));
    end if;
    b_class := class_of(src_b_i);
    c_class := class_of(src_c_i);

    -- FADD multiplies by one, FMUL adds nothing.
    v.b_class := b_class;
    v.c_class := c_class;
    if c.op = FLOAT_ADD then
      v.b_class := ORDINARY;
      v.c_class := b_class;
    elsif c.op = FLOAT_MULTIPLY then
      v.c_class := ZERO;
    end if;

    v.a_negative := (source(31) and not c.abs_a) xor c.neg_a;
    if factors_i.from_integer = '1' then
      v.a_negative := (source(31) and c.signed_a and not c.abs_a) xor c.neg_a;
    end if;
    v.b_negative := (src_b_i(31) and not c.abs_b) xor c.neg_b;
    v.c_negative := src_c_i(31) xor c.neg_b;
    if c.op = FLOAT_MULTIPLY_ADD then
      v.b_negative := src_b_i(31);
    end if;

    v.product_negative := v.a_negative;
    v.addend_negative  := v.b_negative;
    if c.op = FLOAT_MULTIPLY or c.op = FLOAT_MULTIPLY_ADD then
      v.product_negative := v.a_negative xor v.b_negative;
      v.addend_negative  := v.product_negative;
    end if;
    if c.op = FLOAT_MULTIPLY_ADD then
      v.addend_negative  := v.c_negative;
    end if;

    -- If a number is narrowed, 2 ** -14 stands for the product: smaller ones move to the right.
    e := unsigned(source(30 downto 23));
    f := to_unsigned(BIAS, 8);
    if c.op = FLOAT_CONVERT then
      e := to_unsigned(BIAS - 14, 8);
    end if;
    if c.op = FLOAT_MULTIPLY or c.op = FLOAT_MULTIPLY_ADD then
      f := unsigned(src_b_i(30 downto 23));
    end if;
    v.product_exponent := resize(e, 9) + resize(f, 9) + 1;
    v.limit := limit_of(c);
    x2_in <= v;
  end process;

  x2_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i(IN_X2) = '1' then
        x2_r <= x2_in;
      end if;
    end if;
  end process;

  stage_x2 : process (all)
    variable v : float_prepared_t;
    variable c : float_control_t;
    variable a, b, y : class_t;                    -- y: of the addend, c where the operation has three sources
    variable y_negative : std_ulogic;              -- of the addend
    variable exponent   : unsigned(7 downto 0);    -- of a
    variable aligned_to : unsigned(7 downto 0);
    variable aligned_by : unsigned(8 downto 0);    -- more by 128
    variable is_addition : std_ulogic;
    variable takes_a    : std_ulogic;
    variable both_zero, less, equal, hit : std_ulogic;         -- of a and b
    variable factors_zero, factors_infinite : std_ulogic;
    variable both       : std_ulogic;              -- product and addend
    variable away       : std_ulogic;              -- the magnitude may be rounded up
    variable beyond     : std_ulogic;              -- the limit
    variable below_one  : std_ulogic;
    variable narrows    : std_ulogic;              -- an integer to an F16
  begin
    v        := x3_r;
    c        := x2_r.control;
    a        := x2_r.a_class;
    b        := x2_r.b_class;
    y        := x2_r.c_class;
    exponent := unsigned(x2_r.a(30 downto 23));

    -- In the order of signs and magnitudes; that of two denormals does not matter.
    both_zero := a.zero and b.zero;
    less      := (x2_r.a_negative and not x2_r.b_negative)
                 or ((x2_r.a_negative xnor x2_r.b_negative) and not equal_i and (less_i xor x2_r.a_negative));
    equal     := both_zero or (equal_i and (x2_r.a_negative xnor x2_r.b_negative));
    if (a.nan or b.nan) = '1' then
      hit := c.relations(3);
    elsif equal = '1' then
      hit := c.relations(1);
    else
      hit := (c.relations(0) and less) or (c.relations(2) and not less);
    end if;

    is_addition := to_sl(c.op = FLOAT_ADD or c.op = FLOAT_MULTIPLY or c.op = FLOAT_MULTIPLY_ADD);
    beyond    := to_sl(exponent >= x2_r.limit);
    below_one := not exponent(7) and or_reduce(not std_ulogic_vector(exponent(6 downto 0)));
    narrows   := to_sl(c.op = FLOAT_FROM_INTEGER) and c.result_16;
    takes_a := to_sl(c.op = FLOAT_FROM_INTEGER or c.op = FLOAT_TO_INTEGER or c.op = FLOAT_CONVERT
                     or c.op = FLOAT_REDUCE_SIN or c.op = FLOAT_REDUCE_EX2);
    if c.op = FLOAT_MAX or c.op = FLOAT_MIN then
      takes_a := b.nan or (not a.nan and (less xor to_sl(c.op = FLOAT_MAX)));
    elsif c.op = FLOAT_SELECT then
      takes_a := not y.nan and (y.zero or not x2_r.c_negative);
    end if;

    v.product_negative := x2_r.product_negative;
    y_negative         := x2_r.addend_negative;
    if c.op = FLOAT_MAX or c.op = FLOAT_MIN then
      y_negative := (takes_a and x2_r.a_negative) or (not takes_a and x2_r.b_negative);
    elsif is_addition = '0' then
      y_negative := x2_r.a_negative;
    end if;

    v.y := x2_r.y;
    if takes_a = '1' then
      v.y := x2_r.a;
    end if;
    v.y_from      := ADDEND_ZERO;
    v.y_hidden    := x2_r.hidden or not takes_a;
    v.y_infinity  := '0';
    v.y_special   := '0';
    v.y_negative  := y_negative;
    v.product     := '0';
    v.normal      := '0';
    v.scaled      := '0';
    v.below_one   := '0';
    v.half_one    := to_sl(exponent = BIAS - 1);
    v.fraction    := x2_r.fraction;
    v.clamps_15   := c.result_16 and c.signed_d;
    v.aligns      := '0';
    v.jams        := '0';
    v.product_large := '0';
    v.addend_large  := '0';
    v.product_exponent := x2_r.product_exponent;
    v.addend_exponent  := unsigned(v.y(30 downto 23));
    v.subtracts   := '0';
    v.rounds      := '0';
    v.normalises  := '0';
    v.moves_one   := '0';
    v.ends        := FLOAT_END_INIT;
    v.ends.rounding  := c.rounding;
    v.ends.saturates := c.saturates;
    v.ends.half      := c.result_16;

    factors_zero     := a.zero or b.zero;
    factors_infinite := a.infinite or b.infinite;
    both             := not factors_zero and not y.zero;
    away             := to_sl(c.rounding = ROUND_NEAREST or (c.rounding = ROUND_DOWN and x2_r.a_negative = '1')
                              or (c.rounding = ROUND_UP and x2_r.a_negative = '0'));

    case c.op is

      when FLOAT_ADD | FLOAT_MULTIPLY | FLOAT_MULTIPLY_ADD =>
        v.product       := not factors_zero;
        v.normal        := '1';
        if y.zero = '0' then
          v.y_from := ADDEND_NUMBER;
        end if;
        v.aligns        := '1';
        v.jams          := '1';
        v.product_large := y.zero;
        v.addend_large  := factors_zero and not y.zero;
        v.subtracts     := both and (x2_r.product_negative xor x2_r.addend_negative);
        v.normalises    := '1';
        v.ends.nan      := a.nan or b.nan or y.nan or (a.infinite and b.zero) or (a.zero and b.infinite)
                           or (factors_infinite and y.infinite and (x2_r.product_negative xor x2_r.addend_negative));
        v.ends.infinite := factors_infinite or y.infinite;
        v.ends.infinity_negative := x2_r.product_negative;
        if factors_infinite = '0' then
          v.ends.infinity_negative := x2_r.addend_negative;
        end if;
        v.ends.cut      := both;
        -- Of two numbers only a difference can be zero.
        v.ends.zero_negative := (x2_r.product_negative and x2_r.addend_negative)
                                or (to_sl(c.rounding = ROUND_DOWN) and (x2_r.product_negative or x2_r.addend_negative));

      when FLOAT_MAX | FLOAT_MIN =>
        if (takes_a = '1' and a.zero = '0') or (takes_a = '0' and b.zero = '0') then
          v.y_from := ADDEND_NUMBER;
        end if;
        v.addend_large  := '1';
        v.normalises    := '1';
        v.ends.nan      := a.nan and b.nan;
        v.ends.infinite := (takes_a and a.infinite) or (not takes_a and b.infinite);
        v.ends.infinity_negative := y_negative;
        v.ends.zero_negative     := y_negative;

      when FLOAT_COMPARE =>
        if hit = '1' then
          v.y_from := ADDEND_ONES;
        end if;
        v.addend_large := '1';
        v.ends.word    := '1';

      when FLOAT_SELECT =>
        v.y_from       := ADDEND_WORD;
        v.addend_large := '1';
        v.ends.word    := '1';
        v.ends.word_float := '1';

      -- The magnitude of a negative integer: it is subtracted from nothing.
      when FLOAT_FROM_INTEGER =>
        v.y_from        := ADDEND_WORD;
        v.addend_large  := '1';
        v.addend_exponent := to_unsigned(BIAS + 30, 8);
        v.subtracts     := c.signed_a and x2_r.a(31);
        v.normalises    := '1';
        v.ends.zero_negative := y_negative;
        if (narrows and is_lost(x2_r.a, v.subtracts, away)) = '1' then
          v.y_from := ADDEND_ZERO;
        end if;

      when FLOAT_TO_INTEGER =>
        v.scaled       := '1';
        v.below_one    := below_one;
        v.addend_large := '1';
        v.rounds       := '1';
        if a.nan = '0' and a.zero = '0' and (c.signed_d = '1' or x2_r.a_negative = '0') then
          v.product   := not beyond;
          if beyond = '1' then
            v.ends.flips_top := c.signed_d;
            if x2_r.a_negative = '0' then
              v.y_from := ADDEND_ONES;
            end if;
          end if;
          v.subtracts := x2_r.a_negative and not beyond;
        end if;
        v.ends.word    := '1';

      when FLOAT_CONVERT =>
        v.normalises    := '1';
        v.ends.nan      := a.nan;
        v.ends.infinite := a.infinite;
        v.ends.infinity_negative := y_negative;
        v.ends.zero_negative     := y_negative;
        v.ends.drops    := c.integral;
        if (c.integral and not beyond) = '1' then
          v.scaled       := '1';
          v.below_one    := below_one;
          v.product      := not a.zero;
          v.addend_large := '1';
          v.addend_exponent := to_unsigned(BIAS + 30, 8);
          v.rounds       := '1';
        else
          if a.zero = '0' and (c.result_16 = '0' or c.integral = '1' or beyond = '1') then
            v.y_from := ADDEND_NUMBER;
          end if;
          v.aligns       := c.result_16;
          v.jams         := '1';
          v.addend_large := not c.result_16;
          v.normalises   := not c.result_16;
          v.moves_one    := c.result_16;
        end if;

      when FLOAT_REDUCE_SIN | FLOAT_REDUCE_EX2 =>
        v.scaled        := to_sl(c.op = FLOAT_REDUCE_EX2);
        v.aligns        := to_sl(c.op = FLOAT_REDUCE_SIN);
        v.ends.word     := '1';
        v.ends.word_float := '1';
        v.ends.sets_top := '1';
        v.y_special     := a.nan or a.infinite;
        v.y_infinity    := a.infinite;
        v.product       := not a.zero and not a.nan and not a.infinite;
        v.addend_large  := to_sl(c.op = FLOAT_REDUCE_EX2) or v.y_special;
        if c.op = FLOAT_REDUCE_SIN then
          v.ends.reduced := not v.y_special;
        else
          v.y_special  := beyond;
          v.y_infinity := beyond and not a.nan;
          if exponent < BIAS - 23 then
            v.product := '0';
          end if;
        end if;
        if beyond = '1' then
          v.product := '0';
        end if;

      when FLOAT_NONE => null;
    end case;

    v.y := without_lost(v.y, v.subtracts, narrows);
    v.ends.negative := y_negative;

    -- Not that of the chosen one: it would come late, and a selection moves nothing.
    aligned_to := unsigned(x2_r.y(30 downto 23));
    if c.op = FLOAT_CONVERT then
      aligned_to := exponent;
    elsif c.op = FLOAT_REDUCE_SIN then
      aligned_to := to_unsigned(BIAS + 8, 8);
    end if;
    aligned_by := aligned_to(7) & not aligned_to(7) & aligned_to(6 downto 0);
    v.distance := signed(resize(x2_r.product_exponent, 10) - resize(aligned_by, 10));
    x3_in <= v;
  end process;

  x3_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i(IN_X3) = '1' then
        x3_r <= x3_in;
      end if;
    end if;
  end process;

  prepared_o <= x3_r;

end architecture;
