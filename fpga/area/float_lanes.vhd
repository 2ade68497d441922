-- SPDX-License-Identifier: Apache-2.0
-- The floating-point units of four lanes, which execute the same instruction: what of it each would find out for itself
-- is found once. `make area` measures a lane as a quarter of this.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.operands_pkg.all;

entity float_lanes is
  port (
    clk       : in  std_ulogic;
    moves_i   : in  unit_moves_t;
    control_i : in  control_t;
    src_a_i   : in  std_ulogic_vector(127 downto 0);
    src_b_i   : in  std_ulogic_vector(127 downto 0);
    src_c_i   : in  std_ulogic_vector(127 downto 0);
    factors_i : in  factors_t;
    factor_o  : out std_ulogic_vector(127 downto 0);
    less_i    : in  std_ulogic_vector(3 downto 0);
    equal_i   : in  std_ulogic_vector(3 downto 0);
    product_i : in  std_ulogic_vector(255 downto 0);
    result_o  : out std_ulogic_vector(127 downto 0);
    flags_o   : out std_ulogic_vector(15 downto 0)
  );
end entity;

architecture rtl of float_lanes is
begin

  lanes : for i in 0 to 3 generate
    u_float : entity work.float_unit
      port map (
        clk       => clk,
        moves_i   => moves_i,
        control_i => control_i,
        src_a_i   => src_a_i(32 * i + 31 downto 32 * i),
        src_b_i   => src_b_i(32 * i + 31 downto 32 * i),
        src_c_i   => src_c_i(32 * i + 31 downto 32 * i),
        factors_i => factors_i,
        factor_o  => factor_o(32 * i + 31 downto 32 * i),
        less_i    => less_i(i),
        equal_i   => equal_i(i),
        product_i => product_i(64 * i + 63 downto 64 * i),
        result_o  => result_o(32 * i + 31 downto 32 * i),
        flags_o   => flags_o(4 * i + 3 downto 4 * i)
      );
  end generate;

end architecture;
