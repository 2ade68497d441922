-- SPDX-License-Identifier: Apache-2.0
-- decode.vhd and its parts decode_*.vhd as their bench sees them: the control record as one vector, its fields in the
-- order of control.def (enumerations by position), so that ghdl --synth and Verilator keep their names out of it.
-- Combinational.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;

entity decode_flat is
  port (
    lo_i      : in  std_ulogic_vector(31 downto 0);
    hi_i      : in  std_ulogic_vector(31 downto 0);
    control_o : out std_ulogic_vector(252 downto 0)
  );
end entity decode_flat;

architecture rtl of decode_flat is
  signal c    : control_t;
  signal long : std_ulogic;
begin

  u_decode : entity work.decode
    port map (lo_i => lo_i, hi_i => hi_i, control_o => c, long_o => long);

  control_o <=
    long & c.trap & std_ulogic_vector(to_unsigned(alu_t'pos(c.alu), 4)) &
    std_ulogic_vector(to_unsigned(mem_t'pos(c.mem), 3)) & std_ulogic_vector(to_unsigned(flow_t'pos(c.flow), 4)) &
    c.is_end & c.is_join & c.redirects & std_ulogic_vector(to_unsigned(source_t'pos(c.a_from), 4)) &
    std_ulogic_vector(c.a_reg) & c.a_high & std_ulogic_vector(to_unsigned(source_t'pos(c.b_from), 4)) &
    std_ulogic_vector(c.b_reg) & c.b_high & std_ulogic_vector(to_unsigned(source_t'pos(c.c_from), 4)) &
    std_ulogic_vector(c.c_reg) & c.c_high & c.imm & c.mem_size & c.mem_signed & c.atomic & std_ulogic_vector(c.offset) &
    c.const_size & c.const_signed & std_ulogic_vector(c.const_offset) & std_ulogic_vector(c.bank) &
    std_ulogic_vector(c.areg) & c.a_shared & c.a_const & c.a_inc & c.inc_bytes & c.reads_shared & c.reads_const &
    c.w16 & c.sign_a & c.sign_b & c.sign_d & c.mul24 & c.mul_hi & c.mul_add & c.saturate & c.neg_a & c.neg_b &
    c.carry & c.inv_a & c.inv_b & c.abs_a & c.src16 & c.byte & c.dst8 & c.logic_op & c.compare & c.lane_mask &
    std_ulogic_vector(to_unsigned(dest_t'pos(c.dst), 2)) & std_ulogic_vector(c.dst_reg) & c.dst_high & c.dst_number &
    c.set_c & c.c_from_a & std_ulogic_vector(c.c_dst) & c.set_a & std_ulogic_vector(c.a_dst) & c.has_guard &
    std_ulogic_vector(c.cond) & std_ulogic_vector(c.creg) & std_ulogic_vector(c.target) &
    std_ulogic_vector(c.barrier) & c.bar_wait & c.bar_legal;

end architecture rtl;
