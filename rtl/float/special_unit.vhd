-- SPDX-License-Identifier: Apache-2.0
-- Special functions of four lanes: RCP, RSQ, LG2, SIN, COS, EX2. Ten stages, one lane a clock:
--
--     X1              operand of the lane
--     X2              class, interval of the function, offset in the interval
--     X3, TABLE       coefficients c0, c1, c2 from the table; truncated square
--     MULTIPLY, SUM   c0 + c1 * y + c2 * square
--     NORM1 - NORM3   normalisation of the 45-bit sum
--     RANGE           range, saturation, flags
--
-- Semantics: docs/isa.md 8.6.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.sfu_tables_pkg.all;

entity special_unit is
  port (
    clk       : in  std_ulogic;
    moves_i   : in  unit_moves_t;
    -- stage X1
    control_i : in  control_t;
    lanes_i   : in  std_ulogic_vector(3 downto 0); -- the lane of the operand: one of them
    src_a_i   : in  words_t(0 to 3);
    -- stage RANGE
    result_o  : out word_t;
    flags_o   : out nibble_t                       -- O C S Z
  );
end entity;

architecture rtl of special_unit is

  -- Stages behind X3, as unit_moves_t counts them.
  constant IN_TABLE    : positive := 4;
  constant IN_MULTIPLY : positive := 5;
  constant IN_SUM      : positive := 6;
  constant IN_NORM1    : positive := 7;
  constant IN_NORM2    : positive := 8;
  constant IN_NORM3    : positive := 9;
  constant IN_RANGE    : positive := 10;

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

  type number_t is record
    bits     : std_ulogic_vector(44 downto 0);
    exponent : signed(9 downto 0);
    outcome  : outcome_t;
  end record;

  signal x2_r, x2_in : operand_t;

  type x3_stage_t is record
    address : unsigned(8 downto 0);                -- of a row of the table
    y       : unsigned(16 downto 0);
    control : sum_control_t;
  end record;
  signal x3_r, x3_in : x3_stage_t;

  type table_stage_t is record
    y         : unsigned(16 downto 0);
    low, high : unsigned(14 downto 0);             -- addends of the square
    control   : sum_control_t;
  end record;
  signal table_r, table_in       : table_stage_t;
  signal table_row, multiply_row : row_bits_t;     -- of the ROM: beside the records

  type multiply_stage_t is record
    y       : unsigned(16 downto 0);
    square  : unsigned(14 downto 0);
    control : sum_control_t;
  end record;
  signal multiply_r, multiply_in : multiply_stage_t;

  type sum_stage_t is record
    c0        : unsigned(C0_BITS - 1 downto 0);
    linear    : unsigned(32 downto 0);
    quadratic : unsigned(26 downto 0);
    control   : sum_control_t;
  end record;
  signal sum_r, sum_in : sum_stage_t;

  type norm1_stage_t is record
    sum     : unsigned(40 downto 0);
    control : sum_control_t;
  end record;
  signal norm1_r, norm1_in : norm1_stage_t;

  signal norm2_r, norm2_in, norm3_r, norm3_in, range_r, range_in : number_t;

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

  stage_x1 : process (all)
    variable v : operand_t;
  begin
    v.op        := control_i.special;
    v.saturates := control_i.saturate;
    v.a         := (others => '0');
    for l in 0 to 3 loop
      v.a := v.a or (src_a_i(l) and (31 downto 0 => lanes_i(l)));
    end loop;
    v.a := ((v.a(31) and not control_i.abs_a) xor control_i.neg_a) & v.a(30 downto 0);
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
    variable c        : sum_control_t;
    variable op       : special_t;
    variable a        : word_t;
    variable top, fraction, zero, nan, infinite, negative : std_ulogic;  -- of an F32
    variable odd      : std_ulogic;                -- quarter turn, or exponent of a root
    variable inverts  : std_ulogic;
    variable f        : std_ulogic_vector(22 downto 0);
    variable whole    : signed(9 downto 0);
  begin
    op       := x2_r.op;
    a        := x2_r.a;
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
    c.outcome := (saturates => x2_r.saturates, others => '0');
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
      when SPECIAL_RCP => x3_in.address <= unsigned'("00") & unsigned(f(22 downto 16));
      when SPECIAL_RSQ => x3_in.address <= unsigned'("01") & odd & unsigned(f(22 downto 17));
      when SPECIAL_SIN | SPECIAL_COS => x3_in.address <= unsigned'("100") & unsigned(f(22 downto 17));
      when SPECIAL_EX2 => x3_in.address <= unsigned'("101") & unsigned(f(22 downto 17));
      when SPECIAL_LG2 | SPECIAL_NONE => x3_in.address <= unsigned'("110") & unsigned(f(22 downto 17));
    end case;
    x3_in.y <= unsigned(f(16 downto 0));
    if op = SPECIAL_RCP then
      x3_in.y <= shift_left(unsigned(f(16 downto 0)), 1);
    end if;
    x3_in.control <= c;
  end process;

  x3_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i(IN_X3) = '1' then
        x3_r <= x3_in;
      end if;
    end if;
  end process;

  table_in <= (y => x3_r.y, low => square_rows(x3_r.y, 10, 13), high => square_rows(x3_r.y, 14, 16),
               control => x3_r.control);

  table_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i(IN_TABLE) = '1' then
        table_row <= ROM(to_integer(x3_r.address));
        table_r   <= table_in;
      end if;
    end if;
  end process;

  multiply_in <= (y => table_r.y, square => table_r.low + table_r.high, control => table_r.control);

  multiply_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i(IN_MULTIPLY) = '1' then
        multiply_row <= table_row;
        multiply_r   <= multiply_in;
      end if;
    end if;
  end process;

  sum_in <= (c0        => unsigned(multiply_row(ROW_BITS - 1 downto C1_BITS + C2_BITS)),
             linear    => multiply_r.y * unsigned(multiply_row(C1_BITS + C2_BITS - 1 downto C2_BITS)),
             quadratic => multiply_r.square * unsigned(multiply_row(C2_BITS - 1 downto 0)),
             control   => multiply_r.control);

  sum_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i(IN_SUM) = '1' then
        sum_r <= sum_in;
      end if;
    end if;
  end process;

  stage_sum : process (all)
    variable op : special_t;
    variable low : unsigned(LOW_BITS - 1 downto 0);
    variable minus_1, minus_2 : std_ulogic;
    variable linear, quadratic, carries : unsigned(40 downto 0);
  begin
    op := sum_r.control.op;
    case op is
      when SPECIAL_RCP => low := to_unsigned(RCP_ROUNDING mod 2 ** LOW_BITS, LOW_BITS);
      when SPECIAL_RSQ => low := to_unsigned(RSQ_ROUNDING mod 2 ** LOW_BITS, LOW_BITS);
      when SPECIAL_SIN | SPECIAL_COS => low := (others => '0');
      when SPECIAL_EX2 => low := to_unsigned(EX2_ROUNDING mod 2 ** LOW_BITS, LOW_BITS);
      when SPECIAL_LG2 | SPECIAL_NONE => low := to_unsigned(LG2_ROUNDING mod 2 ** LOW_BITS, LOW_BITS);
    end case;
    minus_1   := to_sl(op = SPECIAL_RCP or op = SPECIAL_RSQ);
    minus_2   := to_sl(op = SPECIAL_SIN or op = SPECIAL_COS or op = SPECIAL_LG2);
    linear    := resize(sum_r.linear, 41) xor (40 downto 0 => minus_1);
    quadratic := resize(sum_r.quadratic, 41) xor (40 downto 0 => minus_2);
    -- Never both: the complement wants one more.
    carries   := (0 => minus_1 or minus_2, others => '0');
    norm1_in <= (sum => (sum_r.c0 & low) + linear + quadratic + carries, control => sum_r.control);
  end process;

  norm1_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i(IN_NORM1) = '1' then
        norm1_r <= norm1_in;
      end if;
    end if;
  end process;

  -- All but LG2 have their sum at the place of LG2's lower part. A negative logarithm is inverted, not negated.
  stage_norm1 : process (all)
    variable v     : number_t;
    variable c     : sum_control_t;
    variable sum   : std_ulogic_vector(40 downto 0);
    variable minus : std_ulogic;
  begin
    c   := norm1_r.control;
    sum := std_ulogic_vector(norm1_r.sum) and (40 downto 0 => not c.exact);
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
    norm2_in <= v;
  end process;

  norm2_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i(IN_NORM2) = '1' then
        norm2_r <= norm2_in;
      end if;
    end if;
  end process;

  stage_norm2 : process (all)
    variable v     : number_t;
    variable moved : unsigned(4 downto 3);
  begin
    v     := norm2_r;
    moved := "00";
    if or_reduce(v.bits(44 downto 29)) = '0' then
      v.bits   := v.bits(28 downto 0) & (15 downto 0 => '0');
      moved(4) := '1';
    end if;
    if or_reduce(v.bits(44 downto 37)) = '0' then
      v.bits   := v.bits(36 downto 0) & (7 downto 0 => '0');
      moved(3) := '1';
    end if;
    v.exponent := norm2_r.exponent - signed(resize(moved & "000", 10));
    norm3_in <= v;
  end process;

  norm3_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i(IN_NORM3) = '1' then
        norm3_r <= norm3_in;
      end if;
    end if;
  end process;

  stage_norm3 : process (all)
    variable v     : number_t;
    variable moved : unsigned(2 downto 0);
  begin
    v     := norm3_r;
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
    v.exponent := norm3_r.exponent - signed(resize(moved, 10));
    range_in <= v;
  end process;

  range_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i(IN_RANGE) = '1' then
        range_r <= range_in;
      end if;
    end if;
  end process;

  stage_range : process (all)
    variable o        : outcome_t;
    variable zero, infinite, one, negative : std_ulogic;
    variable exponent : std_ulogic_vector(7 downto 0);
    variable fraction : std_ulogic_vector(22 downto 0);
  begin
    o        := range_r.outcome;
    infinite := o.infinite or (not o.zero and to_sl(range_r.exponent >= 255));
    zero     := not o.infinite and (o.zero or not range_r.bits(44) or to_sl(range_r.exponent < 1));
    one      := o.saturates and (infinite or to_sl(range_r.exponent >= 127)) and not zero;
    negative := o.negative and not o.nan;
    exponent := std_ulogic_vector(range_r.exponent(7 downto 0));
    fraction := range_r.bits(43 downto 21);
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

end architecture;
