-- SPDX-License-Identifier: Apache-2.0
-- The integer unit of one lane: two stages. Stage X multiplies, shifts, compares, and makes two addends; stage Y adds
-- them, saturates, clamps and makes the flags. What is no sum is a first addend whose second is zero. Latency: two
-- cycles with `advance_i` high; nothing moves while it is low. Flags: docs/isa.md 2.7; C after a subtraction means
-- "no borrow".

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;

entity alu is
  port (
    clk       : in  std_ulogic;
    advance_i : in  std_ulogic;        -- the beats in X and Y move on
    x_i       : in  control_t;         -- of the beat in stage X
    a_i       : in  word_t;            -- sources; those of 16 bits extended to 32 (with x_i.w16 as x_i.sign_a says)
    b_i       : in  word_t;
    c_i       : in  word_t;
    carry_i   : in  std_ulogic;        -- C flag of the register that the instruction names
    y_i       : in  control_t;         -- of the beat in stage Y
    result_o  : out word_t;            -- of the beat in stage Y, combinational
    flags_o   : out nibble_t           -- O C S Z
  );
end entity;

architecture rtl of alu is

  -- A function of a bit of a and a bit of b: its value where a & b is 3, 2, 1, 0.
  subtype table_t is std_ulogic_vector(3 downto 0);
  constant TABLE_A    : table_t := "1100";
  constant TABLE_B    : table_t := "1010";
  constant TABLE_ZERO : table_t := "0000";

  type x_to_y_t is record
    first    : word_t;
    second   : word_t;
    sign     : std_ulogic;             -- bit 32 of the first addend: ALU_CONVERT
    carry    : std_ulogic;             -- carry in of the adder
    negative : std_ulogic;             -- sign of the first addend, for flag O
    c        : std_ulogic;             -- flags of a shift
    o        : std_ulogic;
  end record;

  signal r   : x_to_y_t;
  signal rin : x_to_y_t;

  signal shifts  : std_ulogic;
  signal fill    : std_ulogic;         -- what comes in from the left; a negative value shifts as its complement
  signal power   : unsigned(4 downto 0);
  signal product : std_ulogic_vector(63 downto 0);
  signal bit_32  : std_ulogic;

  -- Two LUTs of four inputs a bit, which is why it is no lookup: for b = 0 and for b = 1 the value is a, 1 or the
  -- complement of one. Each part of the word has its table.
  function look_up(high, middle, low : table_t; a, b : word_t) return word_t is
    variable t : words_t(0 to 3);
  begin
    for i in 0 to 3 loop
      t(i) := (31 downto 16 => high(i)) & (15 downto 8 => middle(i)) & (7 downto 0 => low(i));
    end loop;
    return (a or (b and (t(3) xnor t(1))) or (not b and (t(2) xnor t(0))))
           xor ((b and not t(3)) or (not b and not t(2)));
  end function;

  function gated(v : std_ulogic_vector; enable : std_ulogic) return std_ulogic_vector is
  begin
    return v and (v'range => enable);
  end function;

begin

  -- to the right by n: to the left by 32 - n, and a word higher
  shifts <= to_sl(x_i.alu = ALU_SHL or x_i.alu = ALU_SHR);
  power  <= unsigned(not b_i(4 downto 0)) + 1 when x_i.alu = ALU_SHR else unsigned(b_i(4 downto 0));
  fill   <= to_sl(x_i.alu = ALU_SHR) and x_i.sign_a and a_i(31);

  u_multiplier : entity work.multiplier
    port map (
      a_i       => a_i,
      b_i       => b_i,
      shifts_i  => shifts,
      complement_i => fill,
      power_i   => power,
      mul24_i   => x_i.mul24,
      sign_a_i  => x_i.sign_a,
      sign_b_i  => x_i.sign_b,
      product_o => product,
      bit_32_o  => bit_32
    );

  stage_x : process (all)
    variable v          : x_to_y_t;
    variable difference : unsigned(32 downto 0);             -- a - b
    variable low_zero   : std_ulogic;                        -- ... its lower 31 bits
    variable less       : std_ulogic;
    variable equal      : std_ulogic;
    variable chosen     : std_ulogic;
    variable beyond     : std_ulogic;                        -- shift by 32 or more
    variable top        : std_ulogic;                        -- sign bits of a
    variable below_top  : std_ulogic;
    variable sign       : std_ulogic;                        -- of the source that is converted
    variable table      : table_t;
    variable table_15_8 : table_t;
    variable table_31_16 : table_t;
    variable takes_low, takes_middle, takes_high, takes_difference, invert : std_ulogic;
    variable picked     : word_t;
  begin
    -- comparison
    difference := ('0' & unsigned(a_i)) - ('0' & unsigned(b_i));
    less       := difference(32) xor (x_i.sign_a and (a_i(31) xor b_i(31)));
    low_zero   := not or_reduce(std_ulogic_vector(difference(30 downto 0)));
    equal      := low_zero and not difference(31);
    chosen     := (x_i.compare(0) and less) or (x_i.compare(1) and equal)
                  or (x_i.compare(2) and not less and not equal);

    -- shift
    beyond := or_reduce(b_i(31 downto 5));

    -- conversion
    sign := a_i(31);
    if x_i.byte = '1' then
      sign := a_i(7);
    elsif x_i.src16 = '1' then
      sign := a_i(15);
    end if;
    sign := sign and x_i.sign_a;

    v      := (first => (others => '0'), second => (others => '0'), others => '0');
    table  := TABLE_ZERO;
    invert := '0';
    takes_low        := '0';
    takes_middle     := '0';
    takes_high       := '0';
    takes_difference := '0';

    case x_i.alu is

      when ALU_ADD =>
        table := TABLE_A xor (3 downto 0 => x_i.neg_a);

      when ALU_MUL =>
        takes_low    := not x_i.mul_hi;
        takes_middle := x_i.mul_hi;
        invert       := x_i.mul_add and x_i.neg_a;

      -- |a - b|: where it is b - a, that is the complement of a - b, plus one
      when ALU_SAD =>
        takes_difference := '1';
        invert  := less;
        v.carry := less;

      when ALU_COMPARE =>
        table := (others => chosen);

      when ALU_MIN | ALU_MAX =>
        table := TABLE_B;
        if (less = '1') = (x_i.alu = ALU_MIN) then
          table := TABLE_A;
        end if;

      when ALU_SHL | ALU_SHR =>
        takes_low  := not beyond and to_sl(x_i.alu = ALU_SHL or power = 0);
        takes_high := not beyond and not takes_low;
        invert     := fill;

      when ALU_LOGIC =>
        case x_i.logic_op is
          when "00"   => table := TABLE_A and TABLE_B;
          when "01"   => table := TABLE_A or TABLE_B;
          when "10"   => table := TABLE_A xor TABLE_B;
          when "11"   => table := TABLE_B;
          when others => null;
        end case;
        if x_i.inv_a = '1' then
          table := table(1 downto 0) & table(3 downto 2);
        end if;
        if x_i.inv_b = '1' then
          table := table(2) & table(3) & table(0) & table(1);
        end if;

      -- the value or its negation, which is the complement plus one
      when ALU_CONVERT =>
        v.carry := (sign and x_i.abs_a) xor x_i.neg_a;
        v.sign  := sign xor v.carry;
        table   := TABLE_A xor (3 downto 0 => v.carry);

      when ALU_PASS_A => table := TABLE_A;
      when ALU_PASS_B => table := TABLE_B;
    end case;

    table_15_8  := table;
    table_31_16 := table;
    if x_i.byte = '1' then
      table_15_8 := (others => v.sign);
    end if;
    if x_i.byte = '1' or x_i.src16 = '1' then
      table_31_16 := (others => v.sign);
    end if;

    -- Everything else is zero where one of them is picked.
    picked  := (gated(product(31 downto 0), takes_low) or gated(product(47 downto 16), takes_middle)
                or gated(product(63 downto 32), takes_high)
                or gated(std_ulogic_vector(difference(31 downto 0)), takes_difference)) xor (31 downto 0 => invert);
    v.first := picked or look_up(table_31_16, table_15_8, table, a_i, b_i);

    if x_i.alu = ALU_ADD or x_i.mul_add = '1' then
      v.carry := x_i.neg_a or x_i.neg_b or (x_i.carry and carry_i);
    end if;
    -- Outside the case: its multiplexer of twelve words would stay one.
    v.second := c_i;
    if x_i.alu = ALU_ADD then
      v.second := b_i;
    end if;
    v.second := v.second xor (31 downto 0 => x_i.neg_b);
    if x_i.alu /= ALU_ADD and x_i.mul_add = '0' and x_i.alu /= ALU_SAD then
      v.second := (others => '0');
    end if;

    -- In SAD the first addend is that complement without its one, which can change its sign.
    v.negative := v.first(31);
    if x_i.w16 = '1' then
      v.negative := v.first(15);
    end if;
    if x_i.alu = ALU_SAD then
      v.negative := v.first(31) xor (less and low_zero);
    end if;

    -- flags of a shift: C the last bit shifted out, O the sign changes in a shift by one
    top       := a_i(31);
    below_top := a_i(30);
    if x_i.w16 = '1' then
      top       := a_i(15);
      below_top := a_i(14);
    end if;
    if x_i.alu = ALU_SHL and x_i.w16 = '1' then
      v.c := product(16);
    elsif x_i.alu = ALU_SHL then
      v.c := bit_32;
    else
      v.c := product(31) xor fill;
    end if;
    if x_i.alu = ALU_SHL then
      v.o := top xor below_top;
    else
      v.o := top and not x_i.sign_a;
    end if;
    if shifts = '0' or beyond = '1' or power = 0 or (x_i.w16 = '1' and b_i(4) = '1') then
      v.c := '0';
    end if;
    if shifts = '0' or beyond = '1' or unsigned(b_i(4 downto 0)) /= 1 then
      v.o := '0';
    end if;

    rin <= v;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      if advance_i = '1' then
        r <= rin;
      end if;
    end if;
  end process;

  stage_y : process (all)
    variable w16       : std_ulogic;                         -- width of the sum
    variable converts  : std_ulogic;
    variable carry_in  : unsigned(32 downto 0);
    variable sum       : unsigned(32 downto 0);
    variable value     : word_t;
    variable carry     : std_ulogic;
    variable overflow  : std_ulogic;
    variable negative  : std_ulogic;                         -- the sum, its sign wrong where it overflows
    variable differs   : word_t;                             -- from the sign
    variable clamps    : std_ulogic;
    variable bound     : std_ulogic;                         -- of the clamped value: its bits
    variable bound_top : std_ulogic;                         -- ... the highest of its width
    variable bound_31_8 : std_ulogic;                        -- ... those beyond 8 bits
  begin
    w16      := y_i.w16 and to_sl(y_i.alu /= ALU_SAD);
    converts := to_sl(y_i.alu = ALU_CONVERT);

    carry_in := (0 => r.carry, others => '0');
    sum      := unsigned(r.sign & r.first) + ('0' & unsigned(r.second)) + carry_in;

    carry    := sum(32);
    negative := sum(31);
    overflow := (r.negative xnor r.second(31)) and (r.negative xor sum(31));
    if w16 = '1' then
      carry    := sum(16) xor r.first(16) xor r.second(16);
      negative := sum(15);
      overflow := (r.negative xnor r.second(15)) and (r.negative xor sum(15));
    end if;

    -- An overflow saturates to the largest value of the other sign, a conversion to the nearest of its destination.
    differs := std_ulogic_vector(sum(31 downto 0)) xor (31 downto 0 => sum(32));
    if converts = '1' then
      bound     := not sum(32);
      bound_top := bound xor y_i.sign_d;
      if y_i.sign_d = '1' then
        clamps := differs(31);
      else
        clamps := sum(32);
      end if;
      if y_i.w16 = '1' or y_i.dst8 = '1' then
        clamps := clamps or or_reduce(differs(31 downto 16)) or (y_i.sign_d and differs(15));
      end if;
      if y_i.dst8 = '1' then
        clamps := clamps or or_reduce(differs(15 downto 8)) or (y_i.sign_d and differs(7));
      end if;
      carry    := '0';
      overflow := '0';
    else
      bound     := negative;
      bound_top := not negative;
      clamps    := y_i.saturate and overflow;
    end if;
    bound_31_8 := bound;
    if y_i.dst8 = '1' then
      bound_31_8 := bound_top and y_i.sign_d;
    end if;

    value := std_ulogic_vector(sum(31 downto 0));
    if clamps = '1' then
      value := (31 downto 8 => bound_31_8, 7 downto 0 => bound);
      if y_i.dst8 = '1' then
        value(7) := bound_top;
      elsif w16 = '1' then
        value(15) := bound_top;
      else
        value(31) := bound_top;
      end if;
    end if;
    if w16 = '1' then
      value(31 downto 16) := (others => '0');
      negative := value(15);
    else
      negative := value(31);
    end if;

    result_o <= value;
    flags_o  <= (overflow or r.o) & (carry or r.c) & negative & not or_reduce(value);
  end process;

end architecture;
