-- SPDX-License-Identifier: Apache-2.0
-- The machine with its global memory behind a bus, and that memory: simulations with `--memory bus`. gpu_on_bus is its
-- shell. A machine without a bus has its memory inside, and none here.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.machine_pkg.all;
use work.memory_pkg.all;
use work.host_pkg.all;
use work.retire_pkg.all;

entity gpu_and_memory is
  generic (
    CONFIG : config_t := CONFIG_DEFAULT
  );
  port (
    clk            : in  std_ulogic;
    rst            : in  std_ulogic;
    bus_i          : in  master_to_host_t;
    bus_o          : out host_to_master_t;
    irq_o          : out std_ulogic;
    line_o         : out words_t(0 to CONFIG.CORES - 1);
    retire_o       : out retires_t(0 to CONFIG.SMS - 1);
    retire_lanes_o : out retire_lanes_t(0 to CONFIG.SMS * CONFIG.CORES - 1);
    -- see bus_memory
    latency_i : in  std_ulogic_vector(7 downto 0);
    stall_i   : in  std_ulogic_vector(7 downto 0);
    seed_i    : in  word_t;
    stores_o  : out std_ulogic;
    stored_o  : out word_t
  );
end entity;

architecture sim of gpu_and_memory is
  constant WORDS : positive := axi_words(CONFIG.BUS_WORDS);
  constant LAST  : std_ulogic_vector(7 downto 0) := std_ulogic_vector(to_unsigned(CONFIG.CORES / WORDS - 1, 8));
  signal asks         : global_to_axi_t;
  signal answers      : axi_to_global_t;
  signal rdata, wdata : words_t(0 to WORDS - 1);
  signal wstrb        : nibbles_t(0 to WORDS - 1);
begin

  u_gpu : entity work.gpu
    generic map (CONFIG => CONFIG)
    port map (
      clk            => clk,
      rst            => rst,
      bus_i          => bus_i,
      bus_o          => bus_o,
      irq_o          => irq_o,
      line_o         => line_o,
      retire_o       => retire_o,
      retire_lanes_o => retire_lanes_o,
      axi_o          => asks,
      axi_i          => answers,
      axi_wstrb_o    => wstrb,
      axi_wdata_o    => wdata,
      axi_rdata_i    => rdata
    );

  with_memory : if CONFIG.BUS_WORDS > 0 generate
    signal flat_rdata, flat_wdata : std_ulogic_vector(WORDS * 32 - 1 downto 0);
    signal flat_wstrb             : std_ulogic_vector(WORDS * 4 - 1 downto 0);
  begin
    answers.r_error <= '0';
    answers.b_error <= '0';
    word : for w in 0 to WORDS - 1 generate
      rdata(w) <= flat_rdata(w * 32 + 31 downto w * 32);
      flat_wdata(w * 32 + 31 downto w * 32) <= wdata(w);
      flat_wstrb(w * 4 + 3 downto w * 4)    <= wstrb(w);
    end generate;

    u_memory : entity work.bus_memory
      generic map (WORDS => WORDS, BYTES => CONFIG.GLOBAL_BYTES, SEED => CONFIG.SEED)
      port map (
        clk       => clk,
        rst       => rst,
        latency_i => unsigned(latency_i),
        stall_i   => unsigned(stall_i),
        seed_i    => seed_i,
        araddr_i  => asks.ar.address,
        arlen_i   => LAST,
        arvalid_i => asks.ar.valid,
        arready_o => answers.ar_ready,
        rdata_o   => flat_rdata,
        rvalid_o  => answers.r_valid,
        rready_i  => asks.r_ready,
        awaddr_i  => asks.aw.address,
        awlen_i   => LAST,
        awvalid_i => asks.aw.valid,
        awready_o => answers.aw_ready,
        wdata_i   => flat_wdata,
        wstrb_i   => flat_wstrb,
        wlast_i   => asks.w_last,
        wvalid_i  => asks.w_valid,
        wready_o  => answers.w_ready,
        bvalid_o  => answers.b_valid,
        bready_i  => '1',
        stores_o  => stores_o,
        stored_o  => stored_o
      );
  else generate
    answers  <= AXI_TO_GLOBAL_INIT;
    rdata    <= (others => (others => '0'));
    stores_o <= '0';
    stored_o <= (others => '0');
  end generate;

end architecture;
