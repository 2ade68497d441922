-- SPDX-License-Identifier: Apache-2.0
-- decode.vhd and its parts decode_*.vhd as their bench sees them: whether the word is long and the control record
-- as one vector (control_pkg), so that ghdl --synth and Verilator keep their names out of it.
-- Combinational.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.machine_pkg.all;

entity decode_flat is
  port (
    lo_i      : in  std_ulogic_vector(31 downto 0);
    hi_i      : in  std_ulogic_vector(31 downto 0);
    control_o : out std_ulogic_vector(CONTROL_BITS downto 0)
  );
end entity decode_flat;

architecture rtl of decode_flat is
  signal c    : control_t;
  signal long : std_ulogic;
begin

  u_decode : entity work.decode
    generic map (HAS_REGISTERS => false, CONFIG => config_of("C8-S1-W8-D8"), HAS_EXTENSION => true)
    port map (clk => '0', lo_i => lo_i, hi_i => hi_i, control_o => c, long_o => long);

  control_o <= long & to_vector(c);

end architecture rtl;
