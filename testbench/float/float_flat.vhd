-- SPDX-License-Identifier: Apache-2.0
-- A lane's floating-point unit, with multiplier and comparator, and a special-function unit as their bench sees them,
-- with flat ports. Operands are taken in every cycle; a result is registered, so it is there ten cycles later.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.operands_pkg.all;

entity float_flat is
  port (
    clk             : in  std_ulogic;
    float_i         : in  std_ulogic_vector(3 downto 0); -- fields of control_t
    special_i       : in  std_ulogic_vector(2 downto 0);
    rounding_i      : in  std_ulogic_vector(1 downto 0);
    compare_i       : in  std_ulogic_vector(3 downto 0);
    bits_i          : in  std_ulogic_vector(10 downto 0); -- the bits are put together below
    lane_i          : in  std_ulogic_vector(1 downto 0); -- the lane that has a; the others have its complement
    src_a_i         : in  std_ulogic_vector(31 downto 0);
    src_b_i         : in  std_ulogic_vector(31 downto 0);
    src_c_i         : in  std_ulogic_vector(31 downto 0);
    result_o        : out std_ulogic_vector(31 downto 0);
    flags_o         : out std_ulogic_vector(3 downto 0);
    special_o       : out std_ulogic_vector(31 downto 0);
    special_flags_o : out std_ulogic_vector(3 downto 0)
  );
end entity float_flat;

architecture rtl of float_flat is
  signal control  : control_t;
  signal factor   : word_t;
  signal factors  : factors_t;
  signal power    : word_t;
  signal less     : std_ulogic;
  signal equal    : std_ulogic;
  signal product  : std_ulogic_vector(63 downto 0);
  signal product_24 : std_ulogic;
  signal result   : word_t;
  signal flags    : nibble_t;
  signal lanes    : words_t(0 to 3);
  signal lane     : nibble_t;
  signal special_result : word_t;
  signal special_flags  : nibble_t;
begin

  join : process (all)
    variable c : control_t;
  begin
    c := CONTROL_INIT;
    c.float    := float_t'val(to_integer(unsigned(float_i)));
    c.special  := special_t'val(to_integer(unsigned(special_i)));
    c.rounding := rounding_i;
    c.compare  := compare_i;
    c.neg_a    := bits_i(10);
    c.neg_b    := bits_i(9);
    c.abs_a    := bits_i(8);
    c.abs_b    := bits_i(7);
    c.saturate := bits_i(6);
    c.src_half    := bits_i(5);
    c.src_byte     := bits_i(4);
    c.to_half  := bits_i(3);
    c.sign_a   := bits_i(2);
    c.sign_d   := bits_i(1);
    c.integral := bits_i(0);
    control <= c;
  end process;

  factors    <= factors_of(control);
  product_24 <= not factors.scales;

  u_unit : entity work.float_unit
    port map (
      clk       => clk,
      moves_i   => (others => '1'),
      control_i => control,
      src_a_i   => src_a_i,
      src_b_i   => src_b_i,
      src_c_i   => src_c_i,
      factors_i => factors,
      factor_o  => factor,
      less_i    => less,
      equal_i   => equal,
      product_i => product,
      result_o  => result,
      flags_o   => flags
    );

  u_factor : entity work.shift_factor
    generic map (HAS_FPU => true)
    port map (
      src_a_i   => src_a_i,
      src_b_i   => unsigned(src_b_i(4 downto 0)),
      factors_i => factors,
      power_o   => power
    );

  u_multiplier : entity work.multiplier
    port map (
      clk        => clk,
      moves_i    => (others => '1'),
      a_i        => factor,
      b_i        => src_b_i,
      shifts_i   => factors.shifts,
      negative_i => '0',
      power_i    => power,
      mul24_i    => product_24,
      float_i    => '1',
      sign_a_i   => '0',
      sign_b_i   => '0',
      product_o  => product
    );

  lane <= one_hot(unsigned(lane_i), 4);
  lanes_of : for i in 0 to 3 generate
    lanes(i) <= src_a_i xor (31 downto 0 => to_sl(i /= to_integer(unsigned(lane_i))));
  end generate;

  u_special : entity work.special_unit
    port map (
      clk       => clk,
      moves_i   => (others => '1'),
      control_i => control,
      lanes_i   => lane,
      src_a_i   => lanes,
      result_o  => special_result,
      flags_o   => special_flags
    );

  regs : process (clk)
  begin
    if rising_edge(clk) then
      less     <= to_sl(unsigned(src_a_i(30 downto 0)) < unsigned(src_b_i(30 downto 0)));
      equal    <= to_sl(src_a_i(30 downto 0) = src_b_i(30 downto 0));
      result_o <= result;
      flags_o  <= flags;
      special_o       <= special_result;
      special_flags_o <= special_flags;
    end if;
  end process;

end architecture rtl;
