-- SPDX-License-Identifier: Apache-2.0
-- Stages ALIGN and ADD of the floating-point unit: align the smaller of product and addend, then add or subtract. The
-- difference is never negative; with equal exponents the significands decide the order. Words (float_pkg.vhd) are
-- subtracted from zero to negate them. Latency: two cycles.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.float_pkg.all;

entity float_add is
  port (
    clk       : in  std_ulogic;
    moves_i   : in  unit_moves_t;
    parts_i   : in  float_parts_t;
    sum_o     : out float_sum_t
  );
end entity;

architecture rtl of float_add is

  type addends_t is record
    large      : word_t;
    small      : word_t;
    lost       : std_ulogic;                       -- bits lost by the small one are not zero
    right      : unsigned(1 downto 0);             -- places that it is still to move
    jams       : std_ulogic;
    from_large : std_ulogic;                       -- the small one is taken from the large one; for the other way
                                                   -- round, that is complemented
    carry      : std_ulogic;
    negative   : std_ulogic;
    base       : unsigned(8 downto 0);             -- exponent
    from_product : std_ulogic;                     -- base is the product's, plus 128
    product_carry : std_ulogic;                    -- and plus one
    normalises : std_ulogic;
    left       : unsigned(4 downto 0);
    ends       : float_end_t;
  end record;

  signal add_r, add_in     : addends_t;
  signal norm1_r, norm1_in : float_sum_t;

begin

  stage_align : process (all)
    variable v : addends_t;
    variable p : float_parts_t;
    variable product : word_t;                     -- a number has its 24 bits at 30 downto 7, as the addend
    variable sticky  : std_ulogic;                 -- bits below its lowest bit are not zero
    variable right   : unsigned(5 downto 0);
    variable takes_product : std_ulogic;           -- for the large one
    variable product_less  : std_ulogic;           -- the product is less, though taken as the large one
    variable largest : std_ulogic;                 -- F2I to 16 bits: rounded up it would be too large
    variable up      : std_ulogic;
    variable from_small : std_ulogic;
  begin
    p := parts_i;

    product := (p.product(31) and not p.normal) & p.product(30 downto 0);
    sticky  := p.normal and (p.below or p.sticky);
    if p.long = '1' then
      product := '0' & p.product(31 downto 1);
      sticky  := p.product(0) or p.below or p.sticky;
    end if;
    product := product(31 downto 7) & (product(6 downto 0) and (6 downto 0 => not p.ends.cut));
    product(0) := product(0) or (sticky and not p.ends.cut);

    right         := p.near;
    takes_product := p.product_large;
    if (p.long xnor p.behind) = '1' then
      right := p.far;
    end if;
    if p.long = '1' then
      takes_product := p.carry_large;
    end if;
    product_less := p.compares and to_sl(unsigned(product(30 downto 7)) < unsigned(p.y(30 downto 7)));

    v.large    := p.y;
    v.small    := product;
    v.negative := p.y_negative;
    v.base     := '0' & p.addend_exponent;
    if takes_product = '1' then
      v.large    := product;
      v.small    := '0' & p.y(30 downto 7) & "0000000";
      v.negative := p.product_negative;
      v.base     := p.product_exponent;
    end if;
    v.from_product  := takes_product;
    v.product_carry := p.long;

    v.lost := '0';
    if right(5) = '1' then
      v.lost  := v.small(30);
      v.small := (others => '0');
    end if;
    if right(4) = '1' then
      v.lost  := v.lost or or_reduce(v.small(15 downto 0));
      v.small := (31 downto 16 => '0') & v.small(31 downto 16);
    end if;
    if right(3) = '1' then
      v.lost  := v.lost or or_reduce(v.small(7 downto 0));
      v.small := (31 downto 24 => '0') & v.small(31 downto 8);
    end if;
    if right(2) = '1' then
      v.lost  := v.lost or or_reduce(v.small(3 downto 0));
      v.small := "0000" & v.small(31 downto 4);
    end if;
    v.right := right(1 downto 0);
    v.jams  := p.jams;

    largest := p.ends.half and p.ends.word and not p.subtracts and to_sl(p.product(14 downto 0) = 15x"7fff")
               and (p.product(15) or p.clamps_15);
    up      := p.rounds and not largest
               and moves_up(p.ends.rounding, p.y_negative, p.product(0), p.below, p.sticky);
    from_small   := product_less or p.negates;
    v.from_large := p.subtracts and not product_less;
    v.large      := v.large xor (31 downto 0 => from_small);
    v.negative   := v.negative xor product_less;
    v.carry      := (p.subtracts or p.negates) xor up;

    v.normalises := p.normalises;
    v.left       := p.left;
    v.ends       := p.ends;
    add_in <= v;
  end process;

  add_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i(IN_ADD) = '1' then
        add_r <= add_in;
      end if;
    end if;
  end process;

  stage_add : process (all)
    variable v      : float_sum_t;
    variable small  : word_t;
    variable lost   : std_ulogic;
    variable more   : signed(10 downto 0);         -- to the exponent: of a product; of an F16
    variable carry  : unsigned(31 downto 0);
  begin
    small := add_r.small;
    lost  := add_r.lost;
    if add_r.right(1) = '1' then
      lost  := lost or or_reduce(small(1 downto 0));
      small := "00" & small(31 downto 2);
    end if;
    if add_r.right(0) = '1' then
      lost  := lost or small(0);
      small := '0' & small(31 downto 1);
    end if;
    small(0) := small(0) or (lost and add_r.jams);
    small    := small xor (31 downto 0 => add_r.from_large);
    carry    := (0 => add_r.carry, others => '0');
    v.bits     := std_ulogic_vector(unsigned(add_r.large) + unsigned(small) + carry);
    v.negative := add_r.negative;

    more := to_signed(0, 11);
    if add_r.from_product = '1' and add_r.product_carry = '1' then
      more := to_signed(-127, 11);
    elsif add_r.from_product = '1' then
      more := to_signed(-128, 11);
    end if;
    if add_r.ends.half = '1' then
      more := to_signed(-(127 - 15), 11);
      if add_r.from_product = '1' then
        more := to_signed(-128 - (127 - 15), 11);
      end if;
    end if;
    v.exponent   := signed(resize(add_r.base, 11)) + more;
    v.normalises := add_r.normalises;
    v.left       := add_r.left;
    v.ends       := add_r.ends;
    norm1_in <= v;
  end process;

  norm1_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i(IN_NORM1) = '1' then
        norm1_r <= norm1_in;
      end if;
    end if;
  end process;

  sum_o <= norm1_r;

end architecture;
