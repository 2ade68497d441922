-- SPDX-License-Identifier: Apache-2.0
-- The integer unit of one lane. X1 subtracts; X1 to X3 multiply and shift; X2 selects the two addends; RESOLVE adds
-- them to the product; WRITE saturates, clamps and makes the flags. A result that is no sum is an addend beside zero.
--
-- Latency: four cycles. Flags: docs/isa.md 2.7; C after a subtraction means "no borrow".

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.operands_pkg.all;
use work.execute_pkg.all;

entity alu is
  generic (
    HAS_FPU      : boolean := false;   -- a floating-point unit multiplies with its multiplier
    HAS_WIDE     : boolean := false;   -- WMUL and WMAD, by a multiplier of its own
    HAS_PARTNER  : boolean := false;   -- WMUL and WMAD, by the multiplier of another lane
    HAS_DIVIDERS : boolean := false    -- IDIV, IREM, beside it
  );
  port (
    clk        : in  std_ulogic;
    moves_i    : in  execute_moves_t;
    src_a_i    : in  word_t;           -- sources; those of 16 bits extended to 32 (where w16 is set as sign_a says)
    src_b_i    : in  word_t;
    src_c_i    : in  word_t;
    carry_i    : in  std_ulogic;       -- C flag of the register that the instruction names
    factors_i  : in  factors_t;
    pair_i     : in  lane_to_multiplier_t;
    x1_i       : in  control_t;        -- of the beat in stage X1
    x2_i       : in  control_t;        -- of the beat in stage X2
    resolve_i  : in  control_t;        -- of the beat in stage RESOLVE
    partner_i  : in  std_ulogic_vector(63 downto 0) := (others => '0'); -- the other lane's product, in stage X3
    partners_i : in std_ulogic := '0';                                 -- partner_i is this lane's product
    divided_i  : in  word_t := (others => '0');                        -- in stage X3, zero unless it divides
    compared_o : out alu_to_float_t;
    product_o  : out std_ulogic_vector(63 downto 0); -- in stage X3
    result_o   : out word_t;           -- of the beat in stage WRITE, combinational
    sum_o      : out word_t;           -- the sum before saturation and conversion, earlier in the cycle
    flags_o    : out nibble_t          -- O C S Z
  );
end entity;

architecture rtl of alu is

  -- A function of one bit of source a and one of source b, which X3 applies to all bits, as a truth table: its value
  -- for a & b = 3, 2, 1, 0. Functions combine like values: BITS_A and not BITS_B is "a and not b".
  subtype bitwise_t is std_ulogic_vector(3 downto 0);
  constant BITS_A    : bitwise_t := "1100";
  constant BITS_B    : bitwise_t := "1010";
  constant BITS_ZERO : bitwise_t := "0000";
  constant BITS_ONES : bitwise_t := "1111";
  -- The same as two LUTs of four inputs a bit: result = (a or f1(b)) xor f0(b). Bits 3:2 are f1 of b = 1, 0; bits 1:0
  -- are f0.
  subtype lut_pair_t is std_ulogic_vector(3 downto 0);

  -- from X1 to X2: sources, and the comparison of a and b
  type x1_to_x2_t is record
    src_a      : word_t;
    src_b      : word_t;
    src_c      : word_t;
    carry      : std_ulogic;
    difference : word_t;               -- a - b
    less       : std_ulogic;
    equal      : std_ulogic;
    low_zero   : std_ulogic;           -- the lower 31 bits of the difference
  end record;

  -- parts of the product that an instruction adds; the others are zero
  type product_part_t is record
    low     : std_ulogic;              -- the first addend: bits 31 to 0
    middle  : std_ulogic;              -- the first addend: bits 47 to 16
    high    : std_ulogic;              -- the first addend: bits 63 to 32
    invert  : std_ulogic;              -- the first addend is complemented
    c_of_16 : std_ulogic;              -- flag C of a shift: which bit
    c_of_32 : std_ulogic;
    c_of_31 : std_ulogic;
  end record;

  -- operation of X3
  type x2_to_x3_t is record
    a           : word_t;              -- input of the bitwise function: source a, or the difference
    b           : word_t;
    second      : word_t;
    low_bits    : lut_pair_t;          -- the function for bits 7 to 0
    middle_bits : lut_pair_t;          -- for bits 15 to 8
    high_bits   : lut_pair_t;          -- for bits 31 to 16
    part        : product_part_t;
    sign        : std_ulogic;
    carry       : std_ulogic;
    turns_sign  : std_ulogic;          -- the first addend is one less than it should be, with another sign
    o           : std_ulogic;
  end record;

  -- The part of it that is the same in all lanes, found in X1.
  type plan_t is record
    usual    : lut_pair_t;             -- the bitwise function
    other    : lut_pair_t;             -- the function where a condition of the lane holds:
    compares : std_ulogic;             -- one of its relations holds
    orders   : std_ulogic;             -- a is less than b
    negates  : std_ulogic;             -- the value is negated
    fills    : std_ulogic;             -- all bits of a negative value are shifted out
    part     : product_part_t;         -- of a product, and whether it is inverted
    shifts   : std_ulogic;             -- it is a shift
    left     : std_ulogic;             -- the shift goes left
    right    : std_ulogic;             -- the shift goes right
    sads     : std_ulogic;             -- ALU_SAD
    adds     : std_ulogic;             -- ALU_ADD
    sums     : std_ulogic;             -- there is a second addend
    one      : std_ulogic;             -- the carry in is one
    carries  : std_ulogic;             -- the carry in is the flag
  end record;

  type x3_to_resolve_t is record
    first    : word_t;                 -- addend that is no product
    product  : std_ulogic_vector(63 downto 0);
    part     : product_part_t;
    second   : word_t;
    sign     : std_ulogic;             -- bit 32 of the first addend: ALU_CONVERT
    carry    : std_ulogic;             -- carry in of the adder
    turns_sign : std_ulogic;           -- the first addend has another sign than its bits say
    o        : std_ulogic;             -- flag of a shift
  end record;

  type resolve_to_write_t is record
    sum      : unsigned(32 downto 0);
    first    : std_ulogic;             -- sign of the first addend
    second   : std_ulogic;             -- sign of the second addend, in the operation's width
    carry    : std_ulogic;             -- out of that width
    c        : std_ulogic;
    o        : std_ulogic;
    w16      : std_ulogic;             -- width of the sum
    converts : std_ulogic;
    to_16    : std_ulogic;             -- a conversion, to so many bits or fewer
    dst8     : std_ulogic;
    sign_d   : std_ulogic;
    saturate : std_ulogic;
  end record;

  signal x2_r, x2_in           : x1_to_x2_t;
  signal plan, plan_in         : plan_t;
  signal x3_r, x3_in           : x2_to_x3_t;
  signal resolve_r, resolve_in : x3_to_resolve_t;
  signal write_r, write_in     : resolve_to_write_t;

  signal below_zero : std_ulogic;      -- in X1
  signal power   : word_t;
  signal wide    : std_ulogic;
  signal own     : std_ulogic_vector(63 downto 0);

  function to_luts(t : bitwise_t) return lut_pair_t is
    variable p : lut_pair_t;
  begin
    p := t(3 downto 2) & t(3 downto 2);
    return not (p xor (t(1 downto 0) & "00"));
  end function;

  -- The same function of the complement of a; of b.
  function of_not_a(f : bitwise_t) return bitwise_t is
  begin
    return f(1 downto 0) & f(3 downto 2);
  end function;

  function of_not_b(f : bitwise_t) return bitwise_t is
  begin
    return f(2) & f(3) & f(0) & f(1);
  end function;

  function plan_of(c : control_t) return plan_t is
    variable v            : plan_t;
    variable usual, other : bitwise_t;
  begin
    v := (usual => to_luts(BITS_ZERO), other => to_luts(BITS_ZERO), part => (others => '0'), others => '0');
    usual := BITS_ZERO;
    other := BITS_ONES;
    case c.alu is
      when ALU_ADD =>
        usual := BITS_A xor (3 downto 0 => c.neg_a);

      when ALU_MUL | ALU_MUL_WORD | ALU_DIVIDE =>
        v.part.low    := not c.mul_hi;
        v.part.middle := c.mul_hi;
        if HAS_WIDE or HAS_PARTNER or HAS_DIVIDERS then      -- a quotient is no part of the product
          v.part.low    := not c.mul_hi and not is_division(c);
          v.part.middle := c.mul_hi and to_sl(c.alu = ALU_MUL);
          v.part.high   := c.mul_hi and is_wide(c);
        end if;

      when ALU_SAD =>
        usual := BITS_A;
        other := not BITS_A;
        v.orders := '1';

      when ALU_COMPARE =>
        v.compares := '1';

      when ALU_MIN =>
        usual := BITS_B;
        other := BITS_A;
        v.orders := '1';

      when ALU_MAX =>
        usual := BITS_A;
        other := BITS_B;
        v.orders := '1';

      when ALU_SHL | ALU_SHR =>
        v.fills := to_sl(c.alu = ALU_SHR) and c.sign_a;

      when ALU_LOGIC =>
        case c.logic_op is
          when "00"   => usual := BITS_A and BITS_B;
          when "01"   => usual := BITS_A or BITS_B;
          when "10"   => usual := BITS_A xor BITS_B;
          when "11"   => usual := BITS_B;
          when others => null;
        end case;
        if c.inv_a = '1' then
          usual := of_not_a(usual);
        end if;
        if c.inv_b = '1' then
          usual := of_not_b(usual);
        end if;

      when ALU_CONVERT =>
        usual := BITS_A;
        other := not BITS_A;
        v.negates := '1';

      when ALU_PASS_A => usual := BITS_A;
      when ALU_PASS_B => usual := BITS_B;
    end case;
    v.usual := to_luts(usual);
    v.other := to_luts(other);
    v.part.invert := c.mul_add and c.neg_a;
    v.left    := to_sl(c.alu = ALU_SHL);
    v.right   := to_sl(c.alu = ALU_SHR);
    v.shifts  := v.left or v.right;
    v.sads    := to_sl(c.alu = ALU_SAD);
    v.adds    := to_sl(c.alu = ALU_ADD);
    v.sums    := v.adds or v.sads or c.mul_add;
    v.one     := (v.adds or c.mul_add) and (c.neg_a or c.neg_b);
    v.carries := (v.adds or c.mul_add) and c.carry;
    return v;
  end function;

  -- Each part of the word has its own function.
  function apply(high, middle, low : lut_pair_t; a, b : word_t) return word_t is
    variable p : words_t(0 to 3);
  begin
    for i in 0 to 3 loop
      p(i) := (31 downto 16 => high(i)) & (15 downto 8 => middle(i)) & (7 downto 0 => low(i));
    end loop;
    return (a or (b and p(3)) or (not b and p(2))) xor ((b and p(1)) or (not b and p(0)));
  end function;

  function gated(v : std_ulogic_vector; enable : std_ulogic) return std_ulogic_vector is
  begin
    return v and (v'range => enable);
  end function;

begin

  below_zero <= factors_i.fills and src_a_i(31);

  wide   <= to_sl(HAS_WIDE) and factors_i.words;

  u_factor : entity work.shift_factor
    generic map (HAS_FPU => HAS_FPU)
    port map (
      src_a_i   => src_a_i,
      src_b_i   => unsigned(src_b_i(4 downto 0)),
      factors_i => factors_i,
      power_o   => power
    );

  u_multiplier : entity work.multiplier
    generic map (HAS_WIDE => HAS_WIDE)
    port map (
      clk       => clk,
      moves_i   => moves_i,
      a_i       => pair_i.a,
      b_i       => pair_i.b,
      wide_i    => wide,
      shifts_i  => factors_i.shifts,
      negative_i => below_zero,
      power_i   => power,
      mul24_i   => factors_i.mul24,
      float_i   => factors_i.float,
      sign_a_i  => factors_i.sign_a,
      sign_b_i  => factors_i.sign_b,
      product_o => own
    );

  compared_o <= (less => x2_r.difference(31) xor x2_r.src_a(31) xor x2_r.src_b(31), -- borrow from bit 31
                 equal => x2_r.low_zero);
  product_o <= own;

  stage_x1 : process (all)
    variable difference : unsigned(32 downto 0);
    variable low_zero   : std_ulogic;
  begin
    difference := ('0' & unsigned(src_a_i)) - ('0' & unsigned(src_b_i));
    low_zero   := not or_reduce(std_ulogic_vector(difference(30 downto 0)));
    x2_in <= (src_a => src_a_i, src_b => src_b_i, src_c => src_c_i, carry => carry_i,
              difference => std_ulogic_vector(difference(31 downto 0)),
              less       => difference(32) xor (factors_i.sign_a and (src_a_i(31) xor src_b_i(31))),
              equal      => low_zero and not difference(31),
              low_zero   => low_zero);
    plan_in <= plan_of(x1_i);
  end process;

  x2_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i.x2 = '1' then
        x2_r <= x2_in;
        plan <= plan_in;
      end if;
    end if;
  end process;

  stage_x2 : process (all)
    variable v              : x2_to_x3_t;
    variable c              : control_t;
    variable less           : std_ulogic;
    variable steps          : unsigned(4 downto 0);          -- the steps of two
    variable relation_holds : std_ulogic;
    variable beyond         : std_ulogic;                    -- shift by 32 or more
    variable within         : std_ulogic;
    variable top            : std_ulogic;                    -- sign bits of a
    variable below_top      : std_ulogic;
    variable sign           : std_ulogic;                    -- of the source that is converted
    variable negates        : std_ulogic;
  begin
    c      := x2_i;
    less   := x2_r.less;
    steps  := shift_power(plan.right, unsigned(x2_r.src_b(4 downto 0)));

    relation_holds := (c.compare(0) and less) or (c.compare(1) and x2_r.equal)
              or (c.compare(2) and not less and not x2_r.equal);

    -- shift
    beyond := or_reduce(x2_r.src_b(31 downto 5));

    -- conversion
    sign := x2_r.src_a(31);
    if c.src_byte = '1' then
      sign := x2_r.src_a(7);
    elsif c.src_half = '1' then
      sign := x2_r.src_a(15);
    end if;
    sign := sign and c.sign_a;

    v := (a => x2_r.src_a, b => x2_r.src_b, second => x2_r.src_c, low_bits => to_luts(BITS_ZERO),
          middle_bits => to_luts(BITS_ZERO), high_bits => to_luts(BITS_ZERO),
          part        => (others => '0'), others => '0');

    -- A conversion is the value or its negation, which is the complement plus one; SAD is |a - b|, which is the
    -- complement of a - b, plus one, where b is the larger one.
    negates := plan.negates and ((sign and c.abs_a) xor c.neg_a);
    v.sign  := plan.negates and (sign xor negates);
    v.carry := negates or (plan.sads and less) or plan.one or (plan.carries and x2_r.carry);
    if plan.sads = '1' then
      v.a := x2_r.difference;
    end if;

    v.part      := plan.part;
    v.part.low  := plan.part.low or (not beyond and (plan.left or (plan.right and to_sl(steps = 0))));
    v.part.high := plan.part.high or (not beyond and plan.right and to_sl(steps /= 0));

    v.low_bits := plan.usual;
    if ((plan.compares and relation_holds) or (plan.orders and less) or (plan.negates and negates)
        or (plan.fills and beyond and x2_r.src_a(31))) = '1'
    then
      v.low_bits := plan.other;
    end if;
    v.middle_bits := v.low_bits;
    v.high_bits   := v.low_bits;
    if c.src_byte = '1' then
      v.middle_bits := to_luts((3 downto 0 => v.sign));
    end if;
    if c.src_byte = '1' or c.src_half = '1' then
      v.high_bits := to_luts((3 downto 0 => v.sign));
    end if;

    v.second := x2_r.src_c;
    if plan.adds = '1' then
      v.second := x2_r.src_b;
    end if;
    v.second := v.second xor (31 downto 0 => c.neg_b);
    if plan.sums = '0' then
      v.second := (others => '0');
    end if;

    v.turns_sign := plan.sads and less and x2_r.low_zero;

    -- flags of a shift: C the last bit shifted out, O the sign changes in a shift by one
    top       := x2_r.src_a(31);
    below_top := x2_r.src_a(30);
    if c.w16 = '1' then
      top       := x2_r.src_a(15);
      below_top := x2_r.src_a(14);
    end if;
    within := plan.shifts and not beyond and to_sl(steps /= 0) and not (c.w16 and x2_r.src_b(4));
    v.part.c_of_16 := within and plan.left and c.w16;
    v.part.c_of_32 := within and plan.left and not c.w16;
    v.part.c_of_31 := within and plan.right;
    v.o := top and not c.sign_a;
    if plan.left = '1' then
      v.o := top xor below_top;
    end if;
    if plan.shifts = '0' or beyond = '1' or unsigned(x2_r.src_b(4 downto 0)) /= 1 then
      v.o := '0';
    end if;

    x3_in <= v;
  end process;

  x3_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i.x3 = '1' then
        x3_r <= x3_in;
      end if;
    end if;
  end process;

  stage_x3 : process (all)
    variable v : x3_to_resolve_t;
  begin
    v.first   := apply(x3_r.high_bits, x3_r.middle_bits, x3_r.low_bits, x3_r.a, x3_r.b);
    if HAS_DIVIDERS then
      v.first := v.first or divided_i;
    end if;
    v.product := own;
    if HAS_PARTNER and partners_i = '1' then
      v.product := partner_i;
    end if;
    -- Bits of one part only are zero where that part is not taken: a reset of the register saves RESOLVE a LUT a bit.
    if x3_r.part.low = '0' then
      v.product(15 downto 0) := (others => '0');
    end if;
    if x3_r.part.high = '0' then
      v.product(63 downto 48) := (others => '0');
    end if;
    v.part    := x3_r.part;
    v.second  := x3_r.second;
    v.sign    := x3_r.sign;
    v.carry   := x3_r.carry;
    v.o       := x3_r.o;
    v.turns_sign := x3_r.turns_sign;
    resolve_in <= v;
  end process;

  resolve_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i.resolve = '1' then
        resolve_r <= resolve_in;
      end if;
    end if;
  end process;

  stage_resolve : process (all)
    variable v                : resolve_to_write_t;
    variable w16              : std_ulogic;                  -- no field of v, which Verilator would see as a loop
    variable sum              : unsigned(32 downto 0);       -- likewise
    variable carry_in         : unsigned(32 downto 0);
    variable low, high, first : word_t;
    variable part             : product_part_t;
  begin
    part       := resolve_r.part;
    low        := gated(resolve_r.product(31 downto 16), part.low) & resolve_r.product(15 downto 0);
    high       := resolve_r.product(63 downto 48) & gated(resolve_r.product(47 downto 32), part.high);
    first      := (low or gated(resolve_r.product(47 downto 16), part.middle) or high) xor (31 downto 0 => part.invert);
    first      := first or resolve_r.first;
    carry_in   := (0 => resolve_r.carry, others => '0');
    sum        := unsigned(resolve_r.sign & first) + ('0' & unsigned(resolve_r.second)) + carry_in;
    v.first    := first(31) xor resolve_r.turns_sign;
    v.second   := resolve_r.second(31);
    v.sum      := sum;
    v.carry    := sum(32);
    v.c        := (part.c_of_16 and resolve_r.product(16)) or (part.c_of_32 and resolve_r.product(32))
                  or (part.c_of_31 and resolve_r.product(31));
    v.o        := resolve_r.o;
    w16        := resolve_i.w16 and to_sl(resolve_i.alu /= ALU_SAD);
    v.w16      := w16;
    v.converts := to_sl(resolve_i.alu = ALU_CONVERT);
    v.to_16    := resolve_i.w16 or resolve_i.dst8;
    v.dst8     := resolve_i.dst8;
    v.sign_d   := resolve_i.sign_d;
    v.saturate := resolve_i.saturate;
    if w16 = '1' then
      v.first  := first(15) xor resolve_r.turns_sign;
      v.second := resolve_r.second(15);
      v.carry  := sum(16) xor first(16) xor resolve_r.second(16);
    end if;
    write_in <= v;
  end process;

  write_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i.write = '1' then
        write_r <= write_in;
      end if;
    end if;
  end process;

  stage_write : process (all)
    variable value     : word_t;
    variable carry     : std_ulogic;
    variable overflow  : std_ulogic;
    variable negative  : std_ulogic;                         -- the sum, its sign wrong where it overflows
    variable differs   : word_t;                             -- from the sign
    variable clamps    : std_ulogic;
    variable bound     : std_ulogic;                         -- of the clamped value: its bits
    variable bound_top : std_ulogic;                         -- highest bit of the clamped value's width
    variable bound_31_8 : std_ulogic;                        -- bits of the clamped value beyond 8
    variable zero      : std_ulogic;
  begin
    negative := write_r.sum(31);
    if write_r.w16 = '1' then
      negative := write_r.sum(15);
    end if;
    carry    := write_r.carry and not write_r.converts;
    overflow := (write_r.first xnor write_r.second) and (write_r.first xor negative) and not write_r.converts;

    -- An overflow saturates to the largest value of the other sign, a conversion to the nearest of its destination.
    differs := std_ulogic_vector(write_r.sum(31 downto 0)) xor (31 downto 0 => write_r.sum(32));
    if write_r.converts = '1' then
      bound     := not write_r.sum(32);
      bound_top := bound xor write_r.sign_d;
      if write_r.sign_d = '1' then
        clamps := differs(31);
      else
        clamps := write_r.sum(32);
      end if;
      clamps := clamps
                or (write_r.to_16 and (or_reduce(differs(31 downto 16)) or (write_r.sign_d and differs(15))))
                or (write_r.dst8 and (or_reduce(differs(15 downto 8)) or (write_r.sign_d and differs(7))));
    else
      bound     := negative;
      bound_top := not negative;
      clamps    := write_r.saturate and overflow;
    end if;
    bound_31_8 := bound;
    if write_r.dst8 = '1' then
      bound_31_8 := bound_top and write_r.sign_d;
    end if;

    value := std_ulogic_vector(write_r.sum(31 downto 0));
    zero  := not or_reduce(value(15 downto 0)) and (write_r.w16 or not or_reduce(value(31 downto 16)));
    if clamps = '1' then
      value := (31 downto 8 => bound_31_8, 7 downto 0 => bound);
      if write_r.dst8 = '1' then
        value(7) := bound_top;
      elsif write_r.w16 = '1' then
        value(15) := bound_top;
      else
        value(31) := bound_top;
      end if;
      zero := not (bound or bound_31_8 or bound_top);
    end if;
    if write_r.w16 = '1' then
      value(31 downto 16) := (others => '0');
      negative := value(15);
    else
      negative := value(31);
    end if;

    result_o <= value;
    sum_o    <= std_ulogic_vector(write_r.sum(31 downto 0));
    flags_o  <= (overflow or write_r.o) & (carry or write_r.c) & negative & zero;
  end process;

end architecture;
