-- SPDX-License-Identifier: Apache-2.0
-- The machine as a board has it, its trace left open: what `make area` measures. The board's own things (clock, serial
-- line) would come on top.

library ieee;
use ieee.std_logic_1164.all;
use work.machine_pkg.all;

entity gpu_area is
  generic (
    MACHINE : string := "C8-S1-noatomics-nofpu-nosfu"
  );
  port (
    clk        : in  std_ulogic;
    rst        : in  std_ulogic;
    wb_adr_i   : in  std_ulogic_vector(31 downto 0);
    wb_dat_i   : in  std_ulogic_vector(31 downto 0);
    wb_we_i    : in  std_ulogic;
    wb_cyc_i   : in  std_ulogic;
    wb_stb_i   : in  std_ulogic;
    wb_dat_o   : out std_ulogic_vector(31 downto 0);
    wb_ack_o   : out std_ulogic;
    wb_stall_o : out std_ulogic;
    irq_o      : out std_ulogic
  );
end entity;

architecture rtl of gpu_area is
  constant CONFIG : config_t := config_of(MACHINE);
begin
  u_gpu : entity work.gpu
    generic map (CONFIG => CONFIG)
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
      line_o         => open,
      retire_o       => open,
      retire_lanes_o => open
    );
end architecture;
