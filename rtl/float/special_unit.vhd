-- SPDX-License-Identifier: Apache-2.0
-- Special functions of four lanes: RCP, RSQ, LG2, SIN, COS, EX2. Ten stages, one lane a clock:
--
--     1        operand of the lane
--     2        class, interval of the function, offset in the interval
--     3, 4     coefficients c0, c1, c2 from the table; truncated square
--     5, 6     c0 + c1 * y + c2 * square
--     7 - 9    normalisation of the 45-bit sum
--     10       range, saturation, flags
--
-- Semantics: docs/isa.md 8.6.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.sfu_tables_pkg.all;

entity special_unit is
  port (
    clk       : in  std_ulogic;
    moves_i   : in  unit_moves_t;
    -- stage 1
    control_i : in  control_t;
    lanes_i   : in  std_ulogic_vector(3 downto 0); -- whose operand it is: one of them
    a_i       : in  words_t(0 to 3);
    -- stage 10
    result_o  : out word_t;
    flags_o   : out nibble_t                       -- O C S Z
  );
end entity;

architecture rtl of special_unit is

  ------------------------------------------------------------------------------------------------------------------
  -- The table: a sum is (c0 & low) + c1 * y + c2 * square, where the function says the signs of c1 and c2, and the
  -- lower eleven bits of what it adds to round; the rest of that is in c0.

  constant LOW_BITS : positive := 11;
  constant C0_BITS  : positive := 30;
  constant C1_BITS  : positive := 16;
  constant C2_BITS  : positive := 12;
  constant ROW_BITS : positive := C0_BITS + C1_BITS + C2_BITS;
  subtype row_bits_t is std_ulogic_vector(ROW_BITS - 1 downto 0);
  type rom_t is array (0 to 511) of row_bits_t;

  function row_of(i : interval_t; shift_0, shift_2, rounding : natural) return row_bits_t is
    variable c1, c2 : integer;
    variable r      : unsigned(ROW_BITS - 1 downto 0);
  begin
    c1 := i.c1;
    if i.c1 < 0 then
      c1 := -i.c1;
    end if;
    c2 := i.c2;
    if i.c2 < 0 then
      c2 := -i.c2;
    end if;
    r := to_unsigned(i.c0 * 2 ** (shift_0 - LOW_BITS) + rounding / 2 ** LOW_BITS, C0_BITS)
         & to_unsigned(c1, C1_BITS) & to_unsigned(c2 * 2 ** shift_2, C2_BITS);
    return std_ulogic_vector(r);
  end function;

  constant RCP_ROUNDING : natural := 16#8fce#;
  constant RSQ_ROUNDING : natural := 16#7fff#;
  constant EX2_ROUNDING : natural := 16#77e2#;
  constant LG2_ROUNDING : natural := 16#3345#;

  function table return rom_t is
    variable rom : rom_t;
  begin
    for i in 0 to 127 loop
      rom(i)       := row_of(RCP_INTERVALS(i), 14, 1, RCP_ROUNDING);
      rom(128 + i) := row_of(RSQ_INTERVALS(i), 14, 2, RSQ_ROUNDING);
    end loop;
    for i in 0 to 63 loop
      rom(256 + i) := row_of(SIN_INTERVALS(i), 11, 0, 0);
      rom(320 + i) := row_of(EX2_INTERVALS(i), 13, 0, EX2_ROUNDING);
      rom(384 + i) := row_of(LG2_INTERVALS(i), 12, 1, LG2_ROUNDING);
      rom(448 + i) := (others => '0');
    end loop;
    return rom;
  end function;
  constant ROM : rom_t := table;

  ------------------------------------------------------------------------------------------------------------------

  -- Results that do not depend on the sum.
  type outcome_t is record
    nan      : std_ulogic;
    infinite : std_ulogic;
    zero     : std_ulogic;
    negative : std_ulogic;                         -- of any but a NaN
    saturates : std_ulogic;
  end record;

  type operand_t is record
    op  : special_t;
    a   : word_t;
    saturates : std_ulogic;
  end record;

  type sum_control_t is record
    op      : special_t;
    is_lg2  : std_ulogic;
    exact   : std_ulogic;                          -- RSQ of a power of four; LG2 of one
    power   : std_ulogic;                          -- RSQ of a power of four
    exponent : signed(9 downto 0);                 -- of the result if its number has the top bit set
    whole   : std_ulogic_vector(6 downto 0);       -- LG2: the upper part of the number
    minus   : std_ulogic;                          -- LG2: the number is negative
    outcome : outcome_t;
  end record;

  type factors_t is record
    y       : unsigned(16 downto 0);
    square  : unsigned(14 downto 0);
    control : sum_control_t;
  end record;

  type number_t is record
    bits     : std_ulogic_vector(44 downto 0);
    exponent : signed(9 downto 0);
    outcome  : outcome_t;
  end record;

  signal s2, s2_in : operand_t;
  signal s3_y      : unsigned(16 downto 0);
  signal address   : unsigned(8 downto 0);
  signal s3_control, s3_control_in : sum_control_t;
  signal s3_y_in   : unsigned(16 downto 0);
  signal low_rows, high_rows : unsigned(14 downto 0);
  signal s3_address : unsigned(8 downto 0);        -- of a row of the table
  signal s4_row, s5_row : row_bits_t;
  signal s4_y      : unsigned(16 downto 0);
  signal s4_low, s4_high : unsigned(14 downto 0);  -- addends of the square
  signal s4_control : sum_control_t;
  signal s5        : factors_t;
  signal s6_linear    : unsigned(32 downto 0);
  signal s6_quadratic : unsigned(26 downto 0);
  signal s6_c0        : unsigned(C0_BITS - 1 downto 0);
  signal s6_control   : sum_control_t;
  signal s7_sum, s7_sum_in : unsigned(40 downto 0);
  signal s7_control   : sum_control_t;
  signal s8, s8_in, s9, s9_in, s10, s10_in : number_t;

  -- The chip's square of 17 bits, y * y / 2 ** 19 without the columns below 2 ** 18: 15 bits. Of that the rows of some
  -- bits of y.
  function square_rows(y : unsigned(16 downto 0); lowest, highest : natural) return unsigned is
    variable sum : unsigned(14 downto 0);
    variable others_of : unsigned(14 downto 0);
    variable own : unsigned(14 downto 0);
  begin
    sum := (others => '0');
    own := (others => '0');
    for j in lowest to highest loop
      others_of := (others => '0');
      for i in 18 - j to j - 1 loop
        others_of(i + j - 18) := y(j) and y(i);
      end loop;
      own(2 * j - 19) := y(j);
      sum := sum + others_of;
    end loop;
    return sum + own;
  end function;

begin

  stage_1 : process (all)
    variable v : operand_t;
  begin
    v.op        := control_i.special;
    v.saturates := control_i.saturate;
    v.a         := (others => '0');
    for l in 0 to 3 loop
      v.a := v.a or (a_i(l) and (31 downto 0 => lanes_i(l)));
    end loop;
    v.a := ((v.a(31) and not control_i.abs_a) xor control_i.neg_a) & v.a(30 downto 0);
    s2_in <= v;
  end process;

  stage_2 : process (all)
    variable c        : sum_control_t;
    variable op       : special_t;
    variable a        : word_t;
    variable top, fraction, zero, nan, infinite, negative : std_ulogic;  -- of an F32
    variable odd      : std_ulogic;                -- quarter turn, or exponent of a root
    variable inverts  : std_ulogic;
    variable f        : std_ulogic_vector(22 downto 0);
    variable whole    : signed(9 downto 0);
  begin
    op       := s2.op;
    a        := s2.a;
    top      := to_sl(a(30 downto 23) = x"ff");
    fraction := or_reduce(a(22 downto 0));
    zero     := not or_reduce(a(30 downto 23));
    nan      := top and fraction;
    infinite := top and not fraction;
    negative := a(31);

    c.op      := op;
    c.is_lg2  := to_sl(op = SPECIAL_LG2);
    c.exact   := '0';
    c.power   := '0';
    c.whole   := a(29 downto 23);
    c.outcome := (saturates => s2.saturates, others => '0');
    c.minus   := '0';
    inverts   := '0';
    odd       := '0';
    whole     := signed(resize(unsigned(a(30 downto 23)), 10));
    c.exponent := (others => '0');

    case op is

      when SPECIAL_RCP =>
        c.exponent := to_signed(253 + 5, 10) - whole;
        c.outcome.nan      := nan;
        c.outcome.infinite := zero;
        c.outcome.zero     := infinite;
        c.outcome.negative := negative;

      when SPECIAL_RSQ =>
        odd        := not a(23);
        c.exponent := to_signed(189 + 5, 10) - signed(resize(unsigned(a(30 downto 24)), 10));
        if odd = '1' then
          c.exponent := c.exponent + 1;
        end if;
        c.exact            := not odd and not fraction;
        c.power            := c.exact;
        c.outcome.nan      := nan or (negative and not zero);
        c.outcome.infinite := zero;
        c.outcome.zero     := infinite;
        c.outcome.negative := negative and zero;

      when SPECIAL_LG2 =>
        c.exponent := to_signed(127 + 6, 10);
        c.exact            := to_sl(a = x"3f800000");
        c.minus            := to_sl(whole < 127);
        c.whole            := std_ulogic_vector(unsigned(a(29 downto 23)) + 1) xor (6 downto 0 => c.minus);
        c.outcome.nan      := nan or (negative and not zero);
        c.outcome.infinite := zero or infinite;
        c.outcome.negative := zero;

      when SPECIAL_SIN | SPECIAL_COS =>
        odd        := a(23) xor to_sl(op = SPECIAL_COS);
        inverts    := odd;
        c.exponent := to_signed(127 + 7, 10);
        c.outcome.nan      := a(30);
        c.outcome.negative := (negative and to_sl(op = SPECIAL_SIN))
                              xor (a(24) xor (a(23) and to_sl(op = SPECIAL_COS)));

      when SPECIAL_EX2 =>
        inverts    := negative and fraction;
        whole      := signed(resize(unsigned(a(29 downto 23)), 10)) xor (9 downto 0 => negative);
        if negative = '1' and fraction = '0' then
          c.exponent := to_signed(127 + 6 + 1, 10) + whole;
        else
          c.exponent := to_signed(127 + 6, 10) + whole;
        end if;
        c.outcome.nan      := a(30) and not a(23);
        c.outcome.infinite := a(30) and not negative;
        c.outcome.zero     := a(30) and negative;

      when SPECIAL_NONE => null;
    end case;

    f := a(22 downto 0) xor (22 downto 0 => inverts);
    case op is
      when SPECIAL_RCP => address <= unsigned'("00") & unsigned(f(22 downto 16));
      when SPECIAL_RSQ => address <= unsigned'("01") & odd & unsigned(f(22 downto 17));
      when SPECIAL_SIN | SPECIAL_COS => address <= unsigned'("100") & unsigned(f(22 downto 17));
      when SPECIAL_EX2 => address <= unsigned'("101") & unsigned(f(22 downto 17));
      when SPECIAL_LG2 | SPECIAL_NONE => address <= unsigned'("110") & unsigned(f(22 downto 17));
    end case;
    s3_y_in <= unsigned(f(16 downto 0));
    if op = SPECIAL_RCP then
      s3_y_in <= shift_left(unsigned(f(16 downto 0)), 1);
    end if;
    s3_control_in <= c;
  end process;

  low_rows  <= square_rows(s3_y, 10, 13);
  high_rows <= square_rows(s3_y, 14, 16);

  stage_6 : process (all)
    variable op : special_t;
    variable low : unsigned(LOW_BITS - 1 downto 0);
    variable minus_1, minus_2 : std_ulogic;
    variable linear, quadratic, carries : unsigned(40 downto 0);
  begin
    op := s6_control.op;
    case op is
      when SPECIAL_RCP => low := to_unsigned(RCP_ROUNDING mod 2 ** LOW_BITS, LOW_BITS);
      when SPECIAL_RSQ => low := to_unsigned(RSQ_ROUNDING mod 2 ** LOW_BITS, LOW_BITS);
      when SPECIAL_SIN | SPECIAL_COS => low := (others => '0');
      when SPECIAL_EX2 => low := to_unsigned(EX2_ROUNDING mod 2 ** LOW_BITS, LOW_BITS);
      when SPECIAL_LG2 | SPECIAL_NONE => low := to_unsigned(LG2_ROUNDING mod 2 ** LOW_BITS, LOW_BITS);
    end case;
    minus_1   := to_sl(op = SPECIAL_RCP or op = SPECIAL_RSQ);
    minus_2   := to_sl(op = SPECIAL_SIN or op = SPECIAL_COS or op = SPECIAL_LG2);
    linear    := resize(s6_linear, 41) xor (40 downto 0 => minus_1);
    quadratic := resize(s6_quadratic, 41) xor (40 downto 0 => minus_2);
    -- Never both: the complement wants one more.
    carries   := (0 => minus_1 or minus_2, others => '0');
    s7_sum_in <= (s6_c0 & low) + linear + quadratic + carries;
  end process;

  -- All but LG2 have their sum at the place of LG2's lower part. A negative logarithm is inverted, not negated.
  stage_7 : process (all)
    variable v     : number_t;
    variable c     : sum_control_t;
    variable sum   : std_ulogic_vector(40 downto 0);
    variable minus : std_ulogic;
  begin
    c   := s7_control;
    sum := std_ulogic_vector(s7_sum) and (40 downto 0 => not c.exact);
    v.bits := "0000" & (sum(40) or c.power) & sum(39 downto 0);
    v.exponent := c.exponent;
    v.outcome  := c.outcome;
    if c.is_lg2 = '1' then
      minus  := c.minus;
      v.bits := c.whole & (sum(37 downto 2) xor (37 downto 2 => minus)) & "00";
      v.outcome.negative := c.outcome.negative or minus;
    end if;
    if or_reduce(v.bits(44 downto 13)) = '0' then
      v.bits     := v.bits(12 downto 0) & (31 downto 0 => '0');
      v.exponent := c.exponent - 32;
    end if;
    s8_in <= v;
  end process;

  stage_8 : process (all)
    variable v     : number_t;
    variable moved : unsigned(4 downto 3);
  begin
    v     := s8;
    moved := "00";
    if or_reduce(v.bits(44 downto 29)) = '0' then
      v.bits   := v.bits(28 downto 0) & (15 downto 0 => '0');
      moved(4) := '1';
    end if;
    if or_reduce(v.bits(44 downto 37)) = '0' then
      v.bits   := v.bits(36 downto 0) & (7 downto 0 => '0');
      moved(3) := '1';
    end if;
    v.exponent := s8.exponent - signed(resize(moved & "000", 10));
    s9_in <= v;
  end process;

  stage_9 : process (all)
    variable v     : number_t;
    variable moved : unsigned(2 downto 0);
  begin
    v     := s9;
    moved := "000";
    if or_reduce(v.bits(44 downto 41)) = '0' then
      v.bits   := v.bits(40 downto 0) & "0000";
      moved(2) := '1';
    end if;
    if or_reduce(v.bits(44 downto 43)) = '0' then
      v.bits   := v.bits(42 downto 0) & "00";
      moved(1) := '1';
    end if;
    if v.bits(44) = '0' then
      v.bits   := v.bits(43 downto 0) & '0';
      moved(0) := '1';
    end if;
    v.exponent := s9.exponent - signed(resize(moved, 10));
    s10_in <= v;
  end process;

  stage_10 : process (all)
    variable o        : outcome_t;
    variable zero, infinite, one, negative : std_ulogic;
    variable exponent : std_ulogic_vector(7 downto 0);
    variable fraction : std_ulogic_vector(22 downto 0);
  begin
    o        := s10.outcome;
    infinite := o.infinite or (not o.zero and to_sl(s10.exponent >= 255));
    zero     := not o.infinite and (o.zero or not s10.bits(44) or to_sl(s10.exponent < 1));
    one      := o.saturates and (infinite or to_sl(s10.exponent >= 127)) and not zero;
    negative := o.negative and not o.nan;
    exponent := std_ulogic_vector(s10.exponent(7 downto 0));
    fraction := s10.bits(43 downto 21);
    if o.nan = '1' then
      exponent := (others => '1');
      fraction := (others => '1');
    elsif zero = '1' then
      exponent := (others => '0');
      fraction := (others => '0');
    elsif one = '1' then
      exponent := x"7f";
      fraction := (others => '0');
    elsif infinite = '1' then
      exponent := (others => '1');
      fraction := (others => '0');
    end if;
    result_o <= negative & exponent & fraction;
    flags_o  <= "00" & ((negative and not zero) or o.nan) & (zero or o.nan);
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i(2) = '1' then
        s2 <= s2_in;
      end if;
      if moves_i(3) = '1' then
        s3_y       <= s3_y_in;
        s3_control <= s3_control_in;
        s3_address <= address;
      end if;
      if moves_i(4) = '1' then
        s4_row     <= ROM(to_integer(s3_address));
        s4_y       <= s3_y;
        s4_low     <= low_rows;
        s4_high    <= high_rows;
        s4_control <= s3_control;
      end if;
      if moves_i(5) = '1' then
        s5_row <= s4_row;
        s5     <= (y => s4_y, square => s4_low + s4_high, control => s4_control);
      end if;
      if moves_i(6) = '1' then
        s6_c0        <= unsigned(s5_row(ROW_BITS - 1 downto C1_BITS + C2_BITS));
        s6_linear    <= s5.y * unsigned(s5_row(C1_BITS + C2_BITS - 1 downto C2_BITS));
        s6_quadratic <= s5.square * unsigned(s5_row(C2_BITS - 1 downto 0));
        s6_control   <= s5.control;
      end if;
      if moves_i(7) = '1' then
        s7_sum     <= s7_sum_in;
        s7_control <= s6_control;
      end if;
      if moves_i(8) = '1' then
        s8 <= s8_in;
      end if;
      if moves_i(9) = '1' then
        s9 <= s9_in;
      end if;
      if moves_i(10) = '1' then
        s10 <= s10_in;
      end if;
    end if;
  end process;

end architecture;
