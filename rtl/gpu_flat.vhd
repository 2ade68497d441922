-- SPDX-License-Identifier: Apache-2.0
-- The machine with nothing but std_ulogic and std_ulogic_vector ports, for `ghdl --synth`, Verilator and Yosys, which
-- rename and pack record ports. The retire port is one vector: for each SM the scalars lowest, then lane 0, lane 1, ...

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.memory_pkg.all;
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
    WIDE         : natural  := 0;                            -- sm_10x is opt-in
    DIVIDERS     : natural  := 0;
    BUS_WORDS    : natural  := 0;                            -- see gpu; without a bus its port has one word, unused
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
    retire_o   : out std_ulogic_vector(SMS * (RETIRE_BITS + CORES * RETIRE_LANE_BITS) - 1 downto 0);
    -- global memory's bus: AXI4, one ID
    axi_araddr_o  : out std_ulogic_vector(31 downto 0);
    axi_arlen_o   : out std_ulogic_vector(7 downto 0);
    axi_arsize_o  : out std_ulogic_vector(2 downto 0);
    axi_arburst_o : out std_ulogic_vector(1 downto 0);
    axi_arvalid_o : out std_ulogic;
    axi_arready_i : in  std_ulogic := '0';
    axi_rdata_i   : in  std_ulogic_vector(axi_words(BUS_WORDS) * 32 - 1 downto 0) := (others => '0');
    axi_rresp_i   : in  std_ulogic_vector(1 downto 0) := "00";
    axi_rvalid_i  : in  std_ulogic := '0';
    axi_rready_o  : out std_ulogic;
    axi_awaddr_o  : out std_ulogic_vector(31 downto 0);
    axi_awlen_o   : out std_ulogic_vector(7 downto 0);
    axi_awsize_o  : out std_ulogic_vector(2 downto 0);
    axi_awburst_o : out std_ulogic_vector(1 downto 0);
    axi_awvalid_o : out std_ulogic;
    axi_awready_i : in  std_ulogic := '0';
    axi_wdata_o   : out std_ulogic_vector(axi_words(BUS_WORDS) * 32 - 1 downto 0);
    axi_wstrb_o   : out std_ulogic_vector(axi_words(BUS_WORDS) * 4 - 1 downto 0);
    axi_wlast_o   : out std_ulogic;
    axi_wvalid_o  : out std_ulogic;
    axi_wready_i  : in  std_ulogic := '0';
    axi_bresp_i   : in  std_ulogic_vector(1 downto 0) := "00";
    axi_bvalid_i  : in  std_ulogic := '0';
    axi_bready_o  : out std_ulogic
  );
end entity;

architecture rtl of gpu_flat is

  constant SM_BITS : positive := RETIRE_BITS + CORES * RETIRE_LANE_BITS;

  signal line   : words_t(0 to CORES - 1);
  signal retire : retires_t(0 to SMS - 1);
  signal lanes  : retire_lanes_t(0 to SMS * CORES - 1);

  constant BEAT_WORDS : positive := axi_words(BUS_WORDS);
  constant BEATS : std_ulogic_vector(7 downto 0) := std_ulogic_vector(to_unsigned(CORES / BEAT_WORDS - 1, 8));
  constant BYTES : std_ulogic_vector(2 downto 0) := std_ulogic_vector(to_unsigned(log2(BEAT_WORDS) + 2, 3));
  constant INCR  : std_ulogic_vector(1 downto 0) := "01";

  signal wstrb : nibbles_t(0 to BEAT_WORDS - 1);
  signal wdata, rdata : words_t(0 to BEAT_WORDS - 1);

begin

  u_gpu : entity work.gpu
    generic map (SMS => SMS, CORES => CORES, WARPS => WARPS, GLOBAL_BYTES => GLOBAL_BYTES, HAS_ATOMICS => HAS_ATOMICS,
                 HAS_FPU => HAS_FPU, HAS_SFU => HAS_SFU, WIDE => WIDE, DIVIDERS => DIVIDERS, BUS_WORDS => BUS_WORDS,
                 SEED => SEED)
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
      retire_lanes_o => lanes,
      axi_o.ar.valid   => axi_arvalid_o,
      axi_o.ar.address => axi_araddr_o,
      axi_o.aw.valid   => axi_awvalid_o,
      axi_o.aw.address => axi_awaddr_o,
      axi_o.w_valid    => axi_wvalid_o,
      axi_o.w_last     => axi_wlast_o,
      axi_o.r_ready    => axi_rready_o,
      axi_i.ar_ready   => axi_arready_i,
      axi_i.aw_ready   => axi_awready_i,
      axi_i.w_ready    => axi_wready_i,
      axi_i.r_valid    => axi_rvalid_i,
      axi_i.r_error    => axi_rresp_i(1),
      axi_i.b_valid    => axi_bvalid_i,
      axi_i.b_error    => axi_bresp_i(1),
      axi_wstrb_o      => wstrb,
      axi_wdata_o      => wdata,
      axi_rdata_i      => rdata
    );

  axi_arlen_o   <= BEATS;
  axi_arsize_o  <= BYTES;
  axi_arburst_o <= INCR;
  axi_awlen_o   <= BEATS;
  axi_awsize_o  <= BYTES;
  axi_awburst_o <= INCR;
  axi_bready_o  <= '1';
  beat : for w in 0 to BEAT_WORDS - 1 generate
    axi_wstrb_o(w * 4 + 3 downto w * 4)    <= wstrb(w);
    axi_wdata_o(w * 32 + 31 downto w * 32) <= wdata(w);
    rdata(w) <= axi_rdata_i(w * 32 + 31 downto w * 32);
  end generate;

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
