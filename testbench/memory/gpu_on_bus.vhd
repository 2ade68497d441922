-- SPDX-License-Identifier: Apache-2.0
-- gpu_flat with its global memory behind a bus, and that memory: what simulations have for `--memory bus`. Ports are
-- those of gpu_flat but for the bus, and how fast the memory is.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.retire_pkg.all;

entity gpu_on_bus is
  generic (
    SMS          : positive := 1;
    CORES        : positive := 8;
    GLOBAL_BYTES : positive := 262144;
    BUS_WORDS    : positive := 8;
    HAS_ATOMICS  : boolean  := true;
    HAS_FPU      : boolean  := true;
    HAS_SFU      : boolean  := true;
    WIDE         : natural  := 0;
    DIVIDERS     : natural  := 0;
    SEED         : natural  := 0
  );
  port (
    clk        : in  std_ulogic;
    rst        : in  std_ulogic;
    wb_adr_i   : in  std_ulogic_vector(31 downto 0);
    wb_dat_i   : in  std_ulogic_vector(31 downto 0);
    wb_sel_i   : in  std_ulogic_vector(3 downto 0);
    wb_we_i    : in  std_ulogic;
    wb_cyc_i   : in  std_ulogic;
    wb_stb_i   : in  std_ulogic;
    wb_dat_o   : out std_ulogic_vector(31 downto 0);
    wb_ack_o   : out std_ulogic;
    wb_stall_o : out std_ulogic;
    irq_o      : out std_ulogic;
    line_o     : out std_ulogic_vector(CORES * 32 - 1 downto 0);
    retire_o   : out std_ulogic_vector(SMS * (RETIRE_BITS + CORES * RETIRE_LANE_BITS) - 1 downto 0);
    -- see bus_memory
    memory_latency_i : in std_ulogic_vector(7 downto 0);
    memory_stall_i   : in std_ulogic_vector(7 downto 0);
    memory_seed_i    : in std_ulogic_vector(31 downto 0);
    memory_stores_o  : out std_ulogic;
    memory_stored_o  : out std_ulogic_vector(31 downto 0)
  );
end entity;

architecture sim of gpu_on_bus is
  signal araddr, awaddr : std_ulogic_vector(31 downto 0);
  signal arlen, awlen   : std_ulogic_vector(7 downto 0);
  signal arvalid, arready, rvalid, rready : std_ulogic;
  signal awvalid, awready, wvalid, wready, wlast, bvalid, bready : std_ulogic;
  signal rdata, wdata   : std_ulogic_vector(BUS_WORDS * 32 - 1 downto 0);
  signal wstrb          : std_ulogic_vector(BUS_WORDS * 4 - 1 downto 0);
  signal arsize, awsize : std_ulogic_vector(2 downto 0);
  signal arburst, awburst : std_ulogic_vector(1 downto 0);
begin

  u_gpu : entity work.gpu_flat
    generic map (SMS => SMS, CORES => CORES, GLOBAL_BYTES => GLOBAL_BYTES, HAS_ATOMICS => HAS_ATOMICS,
                 HAS_FPU => HAS_FPU, HAS_SFU => HAS_SFU, WIDE => WIDE, DIVIDERS => DIVIDERS, BUS_WORDS => BUS_WORDS,
                 SEED => SEED)
    port map (
      clk        => clk,
      rst        => rst,
      wb_adr_i   => wb_adr_i,
      wb_dat_i   => wb_dat_i,
      wb_sel_i   => wb_sel_i,
      wb_we_i    => wb_we_i,
      wb_cyc_i   => wb_cyc_i,
      wb_stb_i   => wb_stb_i,
      wb_dat_o   => wb_dat_o,
      wb_ack_o   => wb_ack_o,
      wb_stall_o => wb_stall_o,
      irq_o      => irq_o,
      line_o     => line_o,
      retire_o   => retire_o,
      axi_araddr_o  => araddr,
      axi_arlen_o   => arlen,
      axi_arsize_o  => arsize,
      axi_arburst_o => arburst,
      axi_arvalid_o => arvalid,
      axi_arready_i => arready,
      axi_rdata_i   => rdata,
      axi_rresp_i   => "00",
      axi_rvalid_i  => rvalid,
      axi_rready_o  => rready,
      axi_awaddr_o  => awaddr,
      axi_awlen_o   => awlen,
      axi_awsize_o  => awsize,
      axi_awburst_o => awburst,
      axi_awvalid_o => awvalid,
      axi_awready_i => awready,
      axi_wdata_o   => wdata,
      axi_wstrb_o   => wstrb,
      axi_wlast_o   => wlast,
      axi_wvalid_o  => wvalid,
      axi_wready_i  => wready,
      axi_bresp_i   => "00",
      axi_bvalid_i  => bvalid,
      axi_bready_o  => bready
    );

  u_memory : entity work.bus_memory
    generic map (WORDS => BUS_WORDS, BYTES => GLOBAL_BYTES, SEED => SEED)
    port map (
      clk       => clk,
      rst       => rst,
      latency_i => unsigned(memory_latency_i),
      stall_i   => unsigned(memory_stall_i),
      seed_i    => memory_seed_i,
      araddr_i  => araddr,
      arlen_i   => arlen,
      arvalid_i => arvalid,
      arready_o => arready,
      rdata_o   => rdata,
      rvalid_o  => rvalid,
      rready_i  => rready,
      awaddr_i  => awaddr,
      awlen_i   => awlen,
      awvalid_i => awvalid,
      awready_o => awready,
      wdata_i   => wdata,
      wstrb_i   => wstrb,
      wlast_i   => wlast,
      wvalid_i  => wvalid,
      wready_o  => wready,
      bvalid_o  => bvalid,
      bready_i  => bready,
      stores_o  => memory_stores_o,
      stored_o  => memory_stored_o
    );

  rules : process (clk)
  begin
    if rising_edge(clk) then
      size_is_a_beat : assert rst = '1'
        or (unsigned(arsize) = log2(BUS_WORDS) + 2 and unsigned(awsize) = log2(BUS_WORDS) + 2)
        report "the size of a beat" severity failure;
      bursts_count_up : assert rst = '1' or (arburst = "01" and awburst = "01")
        report "bursts count up" severity failure;
    end if;
  end process;

end architecture;
