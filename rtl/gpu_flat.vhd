-- SPDX-License-Identifier: Apache-2.0
-- The machine with nothing but std_ulogic and std_ulogic_vector ports, for `ghdl --synth`, Verilator and Yosys, which
-- rename and pack record ports. The retire port is one vector: for each SM the scalars lowest, then lane 0, lane 1, ...

library ieee;
use ieee.std_logic_1164.all;

use work.gpu_pkg.all;
use work.retire_pkg.all;

entity gpu_flat is
  generic (
    SMS          : positive := 1;
    CORES        : positive := 8;
    WARPS        : positive := 32;
    GLOBAL_BYTES : positive := 262144;
    HAS_ATOMICS  : boolean  := true;                         -- simulations have all there is
    HAS_FPU      : boolean  := true;
    HAS_SFU      : boolean  := true;
    SEED         : natural  := 0
  );
  port (
    clk        : in  std_ulogic;
    rst        : in  std_ulogic;
    wb_adr_i   : in  std_ulogic_vector(31 downto 0);
    wb_dat_i   : in  std_ulogic_vector(31 downto 0);
    wb_sel_i   : in  std_ulogic_vector(3 downto 0);          -- whole words only
    wb_we_i    : in  std_ulogic;
    wb_cyc_i   : in  std_ulogic;
    wb_stb_i   : in  std_ulogic;
    wb_dat_o   : out std_ulogic_vector(31 downto 0);
    wb_ack_o   : out std_ulogic;
    wb_stall_o : out std_ulogic;
    irq_o      : out std_ulogic;
    line_o     : out std_ulogic_vector(CORES * 32 - 1 downto 0);
    retire_o   : out std_ulogic_vector(SMS * (RETIRE_BITS + CORES * RETIRE_LANE_BITS) - 1 downto 0)
  );
end entity;

architecture rtl of gpu_flat is

  constant SM_BITS : positive := RETIRE_BITS + CORES * RETIRE_LANE_BITS;

  signal line   : words_t(0 to CORES - 1);
  signal retire : retires_t(0 to SMS - 1);
  signal lanes  : retire_lanes_t(0 to SMS * CORES - 1);

begin

  u_gpu : entity work.gpu
    generic map (SMS => SMS, CORES => CORES, WARPS => WARPS, GLOBAL_BYTES => GLOBAL_BYTES, HAS_ATOMICS => HAS_ATOMICS,
                 HAS_FPU => HAS_FPU, HAS_SFU => HAS_SFU, SEED => SEED)
    port map (
      clk            => clk,
      rst            => rst,
      bus_i.adr      => wb_adr_i,
      bus_i.dat      => wb_dat_i,
      bus_i.we       => wb_we_i,
      bus_i.cyc      => wb_cyc_i,
      bus_i.stb      => wb_stb_i,
      bus_o.dat      => wb_dat_o,
      bus_o.ack      => wb_ack_o,
      bus_o.stall    => wb_stall_o,
      irq_o          => irq_o,
      line_o         => line,
      retire_o       => retire,
      retire_lanes_o => lanes
    );

  words : for w in 0 to CORES - 1 generate
    line_o(w * 32 + 31 downto w * 32) <= line(w);
  end generate;

  multiprocessor : for s in 0 to SMS - 1 generate
    retire_o(s * SM_BITS + RETIRE_BITS - 1 downto s * SM_BITS) <= to_vector(retire(s));
    lane : for l in 0 to CORES - 1 generate
      retire_o(s * SM_BITS + RETIRE_BITS + (l + 1) * RETIRE_LANE_BITS - 1 downto
               s * SM_BITS + RETIRE_BITS + l * RETIRE_LANE_BITS) <= to_vector(lanes(s * CORES + l));
    end generate;
  end generate;

end architecture;
