-- SPDX-License-Identifier: Apache-2.0
-- The integer unit of one lane: two stages. Stage X multiplies, shifts, compares, combines; stage Y adds, saturates,
-- clamps and makes the flags. Latency: two cycles with `advance_i` high; nothing moves while it is low. Flags: ISA text
-- section 5; C after a subtraction means "no borrow".

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;

entity alu is
  port (
    clk       : in  std_ulogic;
    advance_i : in  std_ulogic;        -- the beats in X and Y move on
    x_i       : in  control_t;         -- of the beat in stage X
    a_i       : in  word_t;            -- sources, extended to 32 bits as their cell says
    b_i       : in  word_t;
    c_i       : in  word_t;
    carry_i   : in  std_ulogic;        -- C flag of the register that the instruction names
    y_i       : in  control_t;         -- of the beat in stage Y
    result_o  : out word_t;            -- of the beat in stage Y, combinational
    flags_o   : out nibble_t           -- O C S Z
  );
end entity;

architecture rtl of alu is

  -- What stage Y does with the two addends.
  type finish_t is (FINISH_ADD, FINISH_PASS, FINISH_CONVERT);

  type x_to_y_t is record
    finish   : finish_t;
    first    : word_t;                 -- addend, or the finished value
    second   : word_t;
    carry    : std_ulogic;             -- carry in of the adder
    c        : std_ulogic;             -- flags that stage X already knows (FINISH_PASS)
    o        : std_ulogic;
    w16      : std_ulogic;             -- width of the adder and of Z and S
    magnitude : unsigned(32 downto 0); -- FINISH_CONVERT: the value is magnitude, or minus it
    minus    : std_ulogic;
  end record;

  signal r   : x_to_y_t;
  signal rin : x_to_y_t;

  function reversed(v : std_ulogic_vector(31 downto 0)) return std_ulogic_vector is
    variable mirror : std_ulogic_vector(31 downto 0);
  begin
    for i in 0 to 31 loop
      mirror(i) := v(31 - i);
    end loop;
    return mirror;
  end function;

begin

  stage_x : process (all)
    variable v        : x_to_y_t;
    variable a        : word_t;
    variable b        : word_t;
    variable ma       : signed(24 downto 0);
    variable mb       : signed(24 downto 0);
    variable product  : signed(49 downto 0);
    variable less     : std_ulogic;
    variable equal    : std_ulogic;
    variable difference : unsigned(32 downto 0);   -- a - b
    variable reverse_difference : unsigned(32 downto 0);
    variable fill     : std_ulogic;
    variable shifted  : unsigned(63 downto 0);     -- sign fill, value and the last bit shifted out
    variable count    : natural range 0 to 31;
    variable beyond   : std_ulogic;                -- count >= 32
    variable chosen   : std_ulogic;
    variable top      : std_ulogic;
    variable wide     : unsigned(32 downto 0);
  begin
    a := a_i;
    b := b_i;
    v := (finish => FINISH_PASS, first => (others => '0'), second => (others => '0'),
          magnitude => (others => '0'), w16 => x_i.w16, others => '0');

    -- A 16-bit operation sees 16-bit sources; a signed one that compares, extends them.
    if x_i.w16 = '1' then
      a(31 downto 16) := (others => x_i.sign_a and a_i(15));
      b(31 downto 16) := (others => x_i.sign_a and b_i(15));
    end if;

    -- multiplier: 16 or 24 bits of each source, signed or not
    if x_i.mul24 = '1' then
      ma := signed((x_i.sign_a and a_i(23)) & a_i(23 downto 0));
      mb := signed((x_i.sign_b and b_i(23)) & b_i(23 downto 0));
    else
      ma(24 downto 16) := (others => x_i.sign_a and a_i(15));
      ma(15 downto 0)  := signed(a_i(15 downto 0));
      mb(24 downto 16) := (others => x_i.sign_b and b_i(15));
      mb(15 downto 0)  := signed(b_i(15 downto 0));
    end if;
    product := ma * mb;

    -- comparison: an extra bit makes it signed or unsigned
    difference         := ('0' & unsigned(a)) - ('0' & unsigned(b));
    reverse_difference := ('0' & unsigned(b)) - ('0' & unsigned(a));
    less               := difference(32) xor (x_i.sign_a and (a(31) xor b(31)));
    equal              := to_sl(a = b);

    -- one right shifter: a left shift is a right shift of the mirrored value
    count  := to_integer(unsigned(b_i(4 downto 0)));
    beyond := or_reduce(b_i(31 downto 5));
    if x_i.w16 = '1' then
      beyond := or_reduce(b_i(15 downto 5));
    end if;
    fill := x_i.sign_a and a(31);
    if x_i.alu = ALU_SHL then
      fill    := '0';
      shifted := (63 downto 33 => '0') & unsigned(reversed(a)) & '0';
    else
      shifted := (63 downto 33 => fill) & unsigned(a) & '0';
    end if;
    shifted := shift_right(shifted, count);

    case x_i.alu is

      when ALU_ADD =>
        v.finish := FINISH_ADD;
        v.first  := a;
        v.second := b;
        if x_i.w16 = '1' then
          v.first(31 downto 16)  := (others => '0');
          v.second(31 downto 16) := (others => '0');
        end if;

      when ALU_MUL =>
        v.first := std_ulogic_vector(product(31 downto 0));
        if x_i.mul_hi = '1' then
          v.first := std_ulogic_vector(product(47 downto 16));
        end if;
        if x_i.mul_add = '1' then
          v.finish := FINISH_ADD;
          v.second := c_i;
        end if;

      when ALU_SAD =>
        v.finish := FINISH_ADD;
        v.w16    := '0';
        v.first  := std_ulogic_vector(difference(31 downto 0));
        if less = '1' then
          v.first := std_ulogic_vector(reverse_difference(31 downto 0));
        end if;
        v.second := c_i;

      when ALU_COMPARE =>
        chosen  := (x_i.compare(0) and less) or (x_i.compare(1) and equal)
                   or (x_i.compare(2) and not less and not equal);
        v.first := (others => chosen);

      when ALU_MIN | ALU_MAX =>
        v.first := b;
        if (less = '1') = (x_i.alu = ALU_MIN) then
          v.first := a;
        end if;

      when ALU_SHL | ALU_SHR =>
        if x_i.alu = ALU_SHL then
          v.first := reversed(std_ulogic_vector(shifted(32 downto 1)));
        else
          v.first := std_ulogic_vector(shifted(32 downto 1));
        end if;
        v.c := shifted(0);
        top := a(31);
        if x_i.w16 = '1' then
          top := a(15);
          if x_i.alu = ALU_SHL then
            v.c := v.first(16);
          end if;
        end if;
        if beyond = '1' then
          v.first := (others => fill);
        end if;
        if beyond = '1' or count = 0 or (x_i.w16 = '1' and count > 15) then
          v.c := '0';
        end if;
        if beyond = '0' and count = 1 then
          if x_i.w16 = '1' then
            v.o := top xor v.first(15);
          else
            v.o := top xor v.first(31);
          end if;
        end if;

      when ALU_LOGIC =>
        if x_i.inv_a = '1' then
          a := not a;
        end if;
        if x_i.inv_b = '1' then
          b := not b;
        end if;
        case x_i.logic_op is
          when "00"   => v.first := a and b;
          when "01"   => v.first := a or b;
          when "10"   => v.first := a xor b;
          when "11"   => v.first := b;
          when others => null;
        end case;

      when ALU_CONVERT =>
        v.finish := FINISH_CONVERT;
        if x_i.byte = '1' then
          wide := (32 downto 8 => x_i.sign_a and a_i(7)) & unsigned(a_i(7 downto 0));
        elsif x_i.src16 = '1' then
          wide := (32 downto 16 => x_i.sign_a and a_i(15)) & unsigned(a_i(15 downto 0));
        else
          wide := (x_i.sign_a and a_i(31)) & unsigned(a_i);
        end if;
        top := wide(32);
        v.magnitude := wide;
        if top = '1' then
          v.magnitude := not wide + 1;
        end if;
        v.minus := (top and not x_i.abs_a) xor x_i.neg_a;

      when ALU_PASS_A => v.first := a;
      when ALU_PASS_B => v.first := b;
    end case;

    -- the adder's complements: -x is not x, plus one
    if v.finish = FINISH_ADD then
      v.carry := x_i.neg_a or x_i.neg_b or (x_i.carry and carry_i);
      if x_i.neg_a = '1' then
        v.first := not v.first;
      end if;
      if x_i.neg_b = '1' then
        v.second := not v.second;
      end if;
      if v.w16 = '1' then
        v.first(31 downto 16)  := (others => '0');
        v.second(31 downto 16) := (others => '0');
      end if;
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
    variable sum      : unsigned(32 downto 0);
    variable carry_in : unsigned(32 downto 0);
    variable value    : word_t;
    variable carry    : std_ulogic;
    variable overflow : std_ulogic;
    variable top      : std_ulogic;
    variable above    : std_ulogic;                -- magnitude does not fit the positive range
    variable below    : std_ulogic;                -- ... the negative one
    variable limit    : unsigned(32 downto 0);     -- one more than the largest positive value
  begin
    carry_in := (0 => r.carry, others => '0');
    sum      := ('0' & unsigned(r.first)) + ('0' & unsigned(r.second)) + carry_in;

    value    := std_ulogic_vector(sum(31 downto 0));
    carry    := sum(32);
    overflow := (r.first(31) xnor r.second(31)) and (r.first(31) xor sum(31));
    top      := sum(31);
    if r.w16 = '1' then
      carry    := sum(16);
      overflow := (r.first(15) xnor r.second(15)) and (r.first(15) xor sum(15));
      top      := sum(15);
    end if;
    if y_i.saturate = '1' and overflow = '1' then
      -- wrapped to negative: the largest positive value, and the other way round
      value := (others => top);
      value(31) := not top;
      if r.w16 = '1' then
        value(15) := not top;
      end if;
    end if;

    -- conversion: clamp to the destination's range
    if y_i.dst8 = '1' then
      limit := (8 => not y_i.sign_d, 7 => y_i.sign_d, others => '0');
    elsif y_i.w16 = '1' then
      limit := (16 => not y_i.sign_d, 15 => y_i.sign_d, others => '0');
    else
      limit := (32 => not y_i.sign_d, 31 => y_i.sign_d, others => '0');
    end if;
    above := to_sl(r.magnitude >= limit) and not r.minus;
    below := r.minus and to_sl(r.magnitude > limit);

    case r.finish is
      when FINISH_ADD => null;
      when FINISH_PASS =>
        value    := r.first;
        carry    := r.c;
        overflow := r.o;
      when FINISH_CONVERT =>
        carry    := '0';
        overflow := '0';
        value    := std_ulogic_vector(r.magnitude(31 downto 0));
        if r.minus = '1' then
          value := std_ulogic_vector(unsigned(not value) + 1);
        end if;
        if above = '1' then
          value := std_ulogic_vector(limit(31 downto 0) - 1);
        elsif r.minus = '1' and y_i.sign_d = '0' then
          value := (others => '0');
        elsif below = '1' then
          value := std_ulogic_vector(unsigned(not std_ulogic_vector(limit(31 downto 0))) + 1);
        end if;
    end case;

    top := value(31);
    if r.w16 = '1' then
      value(31 downto 16) := (others => '0');
      top := value(15);
    end if;

    result_o <= value;
    flags_o  <= overflow & carry & top & to_sl(value = x"00000000");
  end process;

end architecture;
