-- SPDX-License-Identifier: Apache-2.0
-- gpu_flat's AXI4 pins: those that never change, by bus width; all others carry what gpu has in its records, in each
-- cycle of accesses by the host to a memory there. Responses SLVERR and DECERR fail an access; EXOKAY does not.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.bench_pkg.all;
use work.gpu_pkg.all;
use work.host_pkg.all;
use work.lists_pkg.all;
use work.machine_pkg.all;
use work.memory_pkg.all;

entity gpu_flat_bus_tb is
end entity gpu_flat_bus_tb;

architecture sim of gpu_flat_bus_tb is
  constant SMALL : string := "C8-S1-warps4-blocks1-regs1024-shared1024-code1024-G4096-stack4-noatomics-nofpu-nosfu";

  signal clk       : std_ulogic := '0';
  signal rst       : std_ulogic := '1';
  signal adr, dat  : word_t := (others => '0');
  signal we, stb   : std_ulogic := '0';
  signal answer    : word_t;
  signal ack       : std_ulogic;
  signal host      : host_to_master_t;
  signal resp      : std_ulogic_vector(1 downto 0) := "00";  -- of both channels

  -- a bus of two words: the pins, and the records of the same machine
  signal araddr, awaddr   : word_t;
  signal arlen, awlen     : std_ulogic_vector(7 downto 0);
  signal arsize, awsize   : std_ulogic_vector(2 downto 0);
  signal arburst, awburst : std_ulogic_vector(1 downto 0);
  signal arvalid, arready, rvalid, rready, awvalid, awready : std_ulogic;
  signal wlast, wvalid, wready, bvalid, bready              : std_ulogic;
  signal rdata, wdata     : std_ulogic_vector(63 downto 0);
  signal wstrb            : std_ulogic_vector(7 downto 0);
  signal asks             : global_to_axi_t;
  signal word_strobes     : nibbles_t(0 to 1);
  signal words_out        : words_t(0 to 1);

  -- buses of one word and of eight: the constant pins
  type lengths_t is array (0 to 1) of std_ulogic_vector(7 downto 0);
  type sizes_t is array (0 to 1) of std_ulogic_vector(2 downto 0);
  type bursts_t is array (0 to 1) of std_ulogic_vector(1 downto 0);
  signal arlens, awlens     : lengths_t;
  signal arsizes, awsizes   : sizes_t;
  signal arbursts, awbursts : bursts_t;
  signal breadys            : std_ulogic_vector(0 to 1);
begin

  u_flat : entity work.gpu_flat
    generic map (MACHINE => SMALL & "-B2")
    port map (
      clk => clk, rst => rst, wb_adr_i => adr, wb_dat_i => dat, wb_sel_i => "1111", wb_we_i => we, wb_cyc_i => stb,
      wb_stb_i => stb, wb_dat_o => answer, wb_ack_o => ack, wb_stall_o => open, irq_o => open, line_o => open,
      retire_o => open, axi_araddr_o => araddr, axi_arlen_o => arlen, axi_arsize_o => arsize, axi_arburst_o => arburst,
      axi_arvalid_o => arvalid, axi_arready_i => arready, axi_rdata_i => rdata, axi_rresp_i => resp,
      axi_rvalid_i => rvalid, axi_rready_o => rready, axi_awaddr_o => awaddr, axi_awlen_o => awlen,
      axi_awsize_o => awsize, axi_awburst_o => awburst, axi_awvalid_o => awvalid, axi_awready_i => awready,
      axi_wdata_o => wdata, axi_wstrb_o => wstrb, axi_wlast_o => wlast, axi_wvalid_o => wvalid,
      axi_wready_i => wready, axi_bresp_i => resp, axi_bvalid_i => bvalid, axi_bready_o => bready
    );

  u_gpu : entity work.gpu
    generic map (CONFIG => config_of(SMALL & "-B2"))
    port map (
      clk => clk, rst => rst, bus_i => (adr => adr, dat => dat, we => we, cyc => stb, stb => stb), bus_o => host,
      irq_o => open, line_o => open, retire_o => open, retire_lanes_o => open, axi_o => asks,
      axi_i => (ar_ready => arready, aw_ready => awready, w_ready => wready, r_valid => rvalid, r_error => resp(1),
                b_valid => bvalid, b_error => resp(1)),
      axi_wstrb_o => word_strobes, axi_wdata_o => words_out,
      axi_rdata_i => (rdata(31 downto 0), rdata(63 downto 32))
    );

  u_memory : entity work.bus_memory
    generic map (WORDS => 2, BYTES => 4096, SEED => 1)
    port map (
      clk => clk, rst => rst, latency_i => to_unsigned(5, 8), stall_i => to_unsigned(64, 8), seed_i => x"00000001",
      araddr_i => araddr, arlen_i => arlen, arvalid_i => arvalid, arready_o => arready, rdata_o => rdata,
      rvalid_o => rvalid, rready_i => rready, awaddr_i => awaddr, awlen_i => awlen, awvalid_i => awvalid,
      awready_o => awready, wdata_i => wdata, wstrb_i => wstrb, wlast_i => wlast, wvalid_i => wvalid,
      wready_o => wready, bvalid_o => bvalid, bready_i => bready, stores_o => open, stored_o => open
    );

  u_one : entity work.gpu_flat
    generic map (MACHINE => SMALL & "-B1")
    port map (
      clk => clk, rst => rst, wb_adr_i => adr, wb_dat_i => dat, wb_sel_i => "1111", wb_we_i => '0', wb_cyc_i => '0',
      wb_stb_i => '0', wb_dat_o => open, wb_ack_o => open, wb_stall_o => open, irq_o => open, line_o => open,
      retire_o => open, axi_arlen_o => arlens(0), axi_arsize_o => arsizes(0), axi_arburst_o => arbursts(0),
      axi_awlen_o => awlens(0), axi_awsize_o => awsizes(0), axi_awburst_o => awbursts(0), axi_bready_o => breadys(0)
    );

  u_eight : entity work.gpu_flat
    generic map (MACHINE => SMALL & "-B8")
    port map (
      clk => clk, rst => rst, wb_adr_i => adr, wb_dat_i => dat, wb_sel_i => "1111", wb_we_i => '0', wb_cyc_i => '0',
      wb_stb_i => '0', wb_dat_o => open, wb_ack_o => open, wb_stall_o => open, irq_o => open, line_o => open,
      retire_o => open, axi_arlen_o => arlens(1), axi_arsize_o => arsizes(1), axi_arburst_o => arbursts(1),
      axi_awlen_o => awlens(1), axi_awsize_o => awsizes(1), axi_awburst_o => awbursts(1), axi_bready_o => breadys(1)
    );

  stimulus : process
    variable loads, stores : natural := 0;                   -- bursts

    procedure step is
    begin
      tick(clk);
      wait for 0 ns;
      check(arlen = x"03" and awlen = x"03", "a burst of two words has four beats");
      check(arsize = "011" and awsize = "011", "a beat has eight bytes");
      check(arburst = "01" and awburst = "01", "bursts increment");
      check(bready = '1', "store responses are always accepted");
      check(arlens = (x"07", x"00") and awlens = (x"07", x"00"), "bursts of one word and of eight");
      check(arsizes = ("010", "101") and awsizes = ("010", "101"), "beats of 4 and of 32 bytes");
      check(arbursts = ("01", "01") and awbursts = ("01", "01") and breadys = "11", "the same at any width");
      check(arvalid = asks.ar.valid and awvalid = asks.aw.valid and rready = asks.r_ready, "handshakes of addresses");
      check(arvalid = '0' or araddr = asks.ar.address, "address of a load");
      check(awvalid = '0' or awaddr = asks.aw.address, "address of a store");
      check(wvalid = asks.w_valid and (wvalid = '0' or wlast = asks.w_last), "handshake of data");
      check(wvalid = '0' or wstrb = word_strobes(1) & word_strobes(0), "strobes");
      check(wvalid = '0' or wdata = words_out(1) & words_out(0), "data");
      loads  := loads + boolean'pos((arvalid and arready) = '1');
      stores := stores + boolean'pos((awvalid and awready) = '1');
    end procedure step;

    procedure transfer(to_write : std_ulogic; address : natural; data : word_t) is
      variable cycles : natural := 0;
    begin
      adr <= std_ulogic_vector(to_unsigned(address, 32));
      dat <= data;
      we  <= to_write;
      stb <= '1';
      step;
      stb <= '0';
      while ack /= '1' loop
        step;
        cycles := cycles + 1;
        check(cycles < 200, "a transfer is acknowledged");
      end loop;
    end procedure transfer;

    procedure expect(address : natural; data : word_t; what : string) is
    begin
      transfer('0', address, x"deadbeef");
      check(answer = data, what & ": " & to_hstring(answer));
    end procedure expect;

    procedure start is
    begin
      rst <= '1';
      for i in 1 to 4 loop
        tick(clk);
      end loop;
      rst <= '0';
      tick(clk);
    end procedure start;

    -- After an access with this response, HOST_STATUS is `status`.
    procedure respond(response : std_ulogic_vector(1 downto 0); to_write : std_ulogic; status : word_t) is
    begin
      start;
      resp <= response;
      transfer(to_write, HOST_GLOBAL + 64, x"0badcafe");
      for i in 1 to 60 loop
        step;
      end loop;
      resp <= "00";
      expect(HOST_STATUS, status, "response " & to_string(response) & ", write " & std_ulogic'image(to_write));
    end procedure respond;
  begin
    start;
    for i in 0 to 15 loop
      transfer('1', HOST_GLOBAL + 4 * i, std_ulogic_vector(to_unsigned(16#1234560# + i, 32)));
    end loop;
    for i in 0 to 15 loop
      expect(HOST_GLOBAL + 4 * i, std_ulogic_vector(to_unsigned(16#1234560# + i, 32)), "a word of the memory");
    end loop;
    check(loads >= 2 and stores >= 2, "bursts of both kinds");
    for to_write in std_ulogic range '0' to '1' loop
      respond("00", to_write, x"00000000");
      respond("01", to_write, x"00000000");
      respond("10", to_write, x"00000020");
      respond("11", to_write, x"00000020");
    end loop;
    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
