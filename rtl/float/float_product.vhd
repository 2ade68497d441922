-- SPDX-License-Identifier: Apache-2.0
-- Stage X3 of a lane's floating-point unit: takes the product from the multiplier, puts the addend beside it, and finds
-- how far apart their exponents are. Whether the product has 47 or 48 bits comes too late for that, so both distances
-- are handed on. Latency: one cycle.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.float_pkg.all;

entity float_product is
  port (
    clk        : in  std_ulogic;
    moves_i    : in  unit_moves_t;
    prepared_i : in  float_prepared_t;
    product_i  : in  std_ulogic_vector(63 downto 0);
    parts_o    : out float_parts_t
  );
end entity;

architecture rtl of float_product is
  signal align_r, align_in : float_parts_t;
begin

  stage_x3 : process (all)
    variable v : float_parts_t;
    variable p : float_prepared_t;
    variable ahead    : std_ulogic;                -- the addend's exponent is larger
    variable distance : unsigned(9 downto 0);      -- the lesser of the two
    variable next_one : unsigned(5 downto 0);      -- lowest five bits of the distance, plus 1
    variable beyond   : std_ulogic;                -- it is 32 or more
  begin
    p := prepared_i;

    -- A scaled number has its point at bit 23; one below 1 has been scaled by something else.
    v.product := product_i(47 downto 16);
    v.below   := product_i(15);
    v.sticky  := or_reduce(product_i(14 downto 0));
    if p.scaled = '1' then
      v.product := product_i(54 downto 23);
      v.below   := product_i(22);
      v.sticky  := or_reduce(product_i(21 downto 0));
    end if;
    if p.below_one = '1' then
      v.below  := p.half_one;
      v.sticky := p.fraction or not p.half_one;
    end if;
    if p.product = '0' or p.below_one = '1' then
      v.product := (others => '0');
    end if;
    v.long   := product_i(47) and p.normal and p.product;
    v.below  := v.below and p.product;
    v.sticky := v.sticky and p.product;
    v.product_negative := p.product_negative;
    v.normal := p.normal;

    case p.y_from is
      when ADDEND_ZERO   => v.y := '0' & p.y_special & (29 downto 24 => '0') & p.y_infinity & (22 downto 0 => '0');
      when ADDEND_NUMBER => v.y := '0' & p.y_hidden & p.y(22 downto 0) & "0000000";
      when ADDEND_WORD   => v.y := p.y;
      when ADDEND_ONES   => v.y := (others => '1');
    end case;
    v.y_negative := p.y_negative;

    -- A negative distance is one more than its complement, and that is the distance with a product of 48 bits.
    ahead    := p.distance(9);
    distance := unsigned(p.distance) xor (9 downto 0 => ahead);
    next_one := resize(distance(4 downto 0), 6) + 1;
    beyond   := or_reduce(std_ulogic_vector(distance(9 downto 5)));
    v.near   := beyond & distance(4 downto 0);
    v.far    := (beyond or next_one(5)) & next_one(4 downto 0);
    if p.aligns = '0' then
      v.near := (others => '0');
      v.far  := (others => '0');
    end if;
    v.behind        := not ahead;
    v.product_large := (p.product_large or not ahead) and not p.addend_large;
    v.carry_large   := (p.product_large or not ahead or to_sl(distance = 0)) and not p.addend_large;
    v.left          := unsigned(p.distance(4 downto 0));
    if p.ends.reduced = '0' or ahead = '1' then
      v.left := "0000" & p.moves_one;
    end if;

    v.product_exponent := p.product_exponent;
    v.addend_exponent  := p.addend_exponent;
    v.jams       := p.jams;
    v.subtracts  := p.subtracts and p.product;
    v.negates    := p.subtracts and not p.product;
    v.compares   := v.subtracts and p.normal and to_sl(distance = 0) and (v.long xor v.behind);
    v.rounds     := p.rounds;
    v.clamps_15  := p.clamps_15;
    v.normalises := p.normalises;
    v.ends       := p.ends;
    align_in <= v;
  end process;

  align_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i(IN_ALIGN) = '1' then
        align_r <= align_in;
      end if;
    end if;
  end process;

  parts_o <= align_r;

end architecture;
