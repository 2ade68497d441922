-- SPDX-License-Identifier: Apache-2.0
-- The floating-point unit of one lane: arithmetic, comparison, conversions, range reduction. It multiplies with the
-- lane's multiplier and compares with its comparator, of the same instruction in the same cycle. Latency: the result is
-- there in the tenth cycle, the first included, if it moves on in the first three. float_pkg.vhd has the stages.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.operands_pkg.all;
use work.float_pkg.all;

entity float_unit is
  port (
    clk       : in  std_ulogic;
    moves_i   : in  unit_moves_t;
    -- stage X1
    control_i : in  control_t;
    src_a_i   : in  word_t;
    src_b_i   : in  word_t;
    src_c_i   : in  word_t;
    factors_i : in  factors_t;
    factor_o  : out word_t;                        -- source a of the multiplier
    -- stage X2: bits 30 downto 0 of a and b compared
    less_i    : in  std_ulogic;
    equal_i   : in  std_ulogic;
    -- stage X3
    product_i : in  std_ulogic_vector(63 downto 0);
    -- stage RANGE
    result_o  : out word_t;
    flags_o   : out nibble_t                       -- O C S Z
  );
end entity;

architecture rtl of float_unit is
  signal control    : float_control_t;
  signal prepared   : float_prepared_t;
  signal parts      : float_parts_t;
  signal sum        : float_sum_t;
  signal normalised : float_sum_t;
  signal place      : float_place_t;
begin

  control <= float_control(control_i);

  u_operands : entity work.float_operands
    port map (
      clk        => clk,
      moves_i    => moves_i,
      control_i  => control,
      src_a_i    => src_a_i,
      src_b_i    => src_b_i,
      src_c_i    => src_c_i,
      factors_i  => factors_i,
      factor_o   => factor_o,
      less_i     => less_i,
      equal_i    => equal_i,
      prepared_o => prepared
    );

  u_product : entity work.float_product
    port map (
      clk        => clk,
      moves_i    => moves_i,
      prepared_i => prepared,
      product_i  => product_i,
      parts_o    => parts
    );

  u_add : entity work.float_add
    port map (
      clk       => clk,
      moves_i   => moves_i,
      parts_i   => parts,
      sum_o     => sum
    );

  u_normalise : entity work.float_normalise
    port map (
      clk       => clk,
      moves_i   => moves_i,
      sum_i     => sum,
      sum_o     => normalised,
      place_o   => place
    );

  u_round : entity work.float_round
    port map (
      clk      => clk,
      moves_i  => moves_i,
      sum_i    => normalised,
      place_i  => place,
      result_o => result_o,
      flags_o  => flags_o
    );

end architecture;
