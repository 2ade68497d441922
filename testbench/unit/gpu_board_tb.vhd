-- SPDX-License-Identifier: Apache-2.0
-- gpu_board, with global memory in block RAM and at its bus: a classic master reads and writes the machine; the sums
-- over its transfers are those of zlib, and no other transfers are in them; a reset stops a grid. The memory at the
-- bus is not reset with the machine: its pending accesses and answers disturb nothing.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.bench_pkg.all;
use work.board_pkg.all;
use work.gpu_pkg.all;
use work.lists_pkg.all;

entity gpu_board_tb is
end entity gpu_board_tb;

architecture sim of gpu_board_tb is
  signal clk      : std_ulogic := '0';
  signal rst      : std_ulogic := '1';
  signal adr, wdat, rdat : word_t := (others => '0');
  signal we, stb, ack : std_ulogic := '0';

  -- The boards: block RAM, and a bus of two words.
  constant AT_BUS : natural := 1;
  subtype board_t is natural range 0 to AT_BUS;
  signal board : board_t := 0;                               -- the one that is asked
  signal rdats : words_t(board_t);
  signal stbs, acks : std_ulogic_vector(board_t);

  constant MACHINE : string := "C8-S1-warps4-blocks1-regs1024-shared1024-code1024-G4096-stack4-noatomics-nofpu-nosfu";
  constant GLOBAL_BYTES : positive := 4096;
  constant LATENCY      : positive := 20;
  signal araddr, awaddr : word_t;
  signal arlen, awlen   : std_ulogic_vector(7 downto 0);
  signal arvalid, arready, rvalid, rready : std_ulogic;
  signal awvalid, awready, wvalid, wready, wlast, bvalid, bready : std_ulogic;
  signal rdata, wdata   : std_ulogic_vector(63 downto 0);
  signal wstrb          : std_ulogic_vector(7 downto 0);
  signal arsize, awsize : std_ulogic_vector(2 downto 0);
  signal arburst, awburst : std_ulogic_vector(1 downto 0);
begin

  ack  <= acks(board);
  rdat <= rdats(board);
  each_board : for b in board_t generate
    stbs(b) <= stb and to_sl(board = b);
  end generate;

  u_block_ram : entity work.gpu_board
    generic map (MACHINE => MACHINE)
    port map (
      clk           => clk,
      rst           => rst,
      wb_adr_i      => adr,
      wb_dat_i      => wdat,
      wb_we_i       => we,
      wb_cyc_i      => stbs(0),
      wb_stb_i      => stbs(0),
      wb_dat_o      => rdats(0),
      wb_ack_o      => acks(0),
      bridge_ack_i  => acks(0),
      bridge_we_i   => we,
      bridge_adr_i  => adr,
      bridge_wdat_i => wdat,
      bridge_rdat_i => rdat,
      irq_o         => open
    );

  u_bus : entity work.gpu_board
    generic map (MACHINE => MACHINE & "-B2")
    port map (
      clk           => clk,
      rst           => rst,
      wb_adr_i      => adr,
      wb_dat_i      => wdat,
      wb_we_i       => we,
      wb_cyc_i      => stbs(AT_BUS),
      wb_stb_i      => stbs(AT_BUS),
      wb_dat_o      => rdats(AT_BUS),
      wb_ack_o      => acks(AT_BUS),
      bridge_ack_i  => acks(AT_BUS),
      bridge_we_i   => we,
      bridge_adr_i  => adr,
      bridge_wdat_i => wdat,
      bridge_rdat_i => rdat,
      irq_o         => open,
      axi_araddr_o  => araddr,
      axi_arlen_o   => arlen,
      axi_arsize_o  => arsize,
      axi_arburst_o => arburst,
      axi_arvalid_o => arvalid,
      axi_arready_i => arready,
      axi_rdata_i   => rdata,
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
      axi_bvalid_i  => bvalid,
      axi_bready_o  => bready
    );

  u_memory : entity work.bus_memory
    generic map (WORDS => 2, BYTES => GLOBAL_BYTES, SEED => 1)
    port map (
      clk       => clk,
      rst       => rst,
      latency_i => to_unsigned(LATENCY, 8),
      stall_i   => to_unsigned(64, 8),
      seed_i    => x"00000001",
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
      bready_i  => bready
    );

  stimulus : process
    -- One transfer, held until it is acknowledged, and a cycle without one, as LiteX' bridge has it.
    procedure transfer(to_write : std_ulogic; address : natural; data : word_t; answer : out word_t) is
      variable cycles : natural := 0;
    begin
      adr  <= std_ulogic_vector(to_unsigned(address, 32));
      wdat <= data;
      we   <= to_write;
      stb  <= '1';
      wait for 0 ns;
      while ack /= '1' loop
        tick(clk);
        cycles := cycles + 1;
        check(cycles < 1000, "a transfer is acknowledged");
      end loop;
      answer := rdat;
      tick(clk);
      stb <= '0';
      tick(clk);
      check(ack = '0', "a transfer is acknowledged once");
    end procedure transfer;

    procedure write(address : natural; data : word_t) is
      variable ignored : word_t;
    begin
      transfer('1', address, data, ignored);
    end procedure write;

    procedure expect(address : natural; data : word_t; what : string) is
      variable answer : word_t;
    begin
      transfer('0', address, x"deadbeef", answer);
      assert answer = data report what & ": " & to_hstring(answer) & ", not " & to_hstring(data) severity failure;
    end procedure expect;

    -- Words of the launch of one endless warp: GLD.U32 R1, global14 [R124]; GST.U32 global14 [R124], R1; BRA 0.
    procedure launch is
    begin
      write(HOST_CODE, x"d00ef805");
      write(HOST_CODE + 4, x"80c00780");
      write(HOST_CODE + 8, x"d00ef805");
      write(HOST_CODE + 12, x"a0c00780");
      write(HOST_CODE + 16, x"10000003");
      write(HOST_CODE + 20, x"00000780");
      write(HOST_GRID, x"00010001");
      write(HOST_BLOCK_XY, x"00010020");
      write(HOST_BLOCK_Z, x"00000001");
      write(HOST_THREADS, x"00000020");
      write(HOST_REGS, x"00000004");
      write(HOST_SHARED, x"00000010");
      write(HOST_CODE_BYTES, x"00000018");
      write(HOST_PARAM_WORDS, x"00000000");
      write(HOST_LOCAL_WARPS, x"00000000");
      write(HOST_LOCAL_BYTES, x"00000000");
      write(HOST_CONTROL, x"00000001");
    end procedure launch;
  begin
    for i in 0 to 7 loop
      tick(clk);
    end loop;
    rst <= '0';
    tick(clk);

    for b in board_t loop
      board <= b;
      expect(BOARD_WRITES, x"00000000", "nothing was written");
      expect(BOARD_READS, x"00000000", "reads of sums do not count");
      write(HOST_GLOBAL + 16, x"12345678");
      write(HOST_GLOBAL + 20, x"ffffffff");
      expect(HOST_ID, std_ulogic_vector(to_unsigned(HOST_ID_VALUE, 32)), "the machine answers");
      expect(HOST_GLOBAL + 16, x"12345678", "what was written is there");
      expect(BOARD_WRITES, x"98cb0bc3", "sum of two writes");
      expect(BOARD_READS, x"3d380431", "sum of two reads");
      write(BOARD_WRITES, x"00000000");
      expect(BOARD_READS, x"00000000", "both sums are cleared together");

      launch;
      for i in 0 to 99 loop
        tick(clk);
      end loop;
      expect(HOST_STATUS, x"00000001", "the grid runs");
      write(BOARD_WRITES, x"00000000");
      write(BOARD_RESET, x"00000000");
      expect(HOST_STATUS, x"00000000", "a reset stops it");
      expect(HOST_GLOBAL + 20, x"ffffffff", "memory is as it was");
      expect(BOARD_WRITES, x"4288e0cf", "a reset is a write");
    end loop;

    -- A memory at the bus is in the middle of something, each time of something else.
    for n in 1 to 40 loop
      launch;
      for i in 0 to 50 + n loop
        tick(clk);
      end loop;
      write(BOARD_RESET, x"00000000");
      write(HOST_GLOBAL + 16, std_ulogic_vector(to_unsigned(n, 32)));
      expect(HOST_GLOBAL + 16, std_ulogic_vector(to_unsigned(n, 32)), "the bus is in order after a reset");
      expect(HOST_GLOBAL + 20, x"ffffffff", "memory is as it was");
      expect(HOST_STATUS, x"00000000", "no access has failed");
    end loop;
    -- Such as clearing memory, for which nothing waits.
    for n in 1 to 40 loop
      write(HOST_CONTROL, x"00000002");
      expect(HOST_STATUS, x"00000010", "registers are read meanwhile");
      for i in 1 to n loop
        tick(clk);
      end loop;
      write(BOARD_RESET, x"00000000");
      expect(HOST_STATUS, x"00000000", "it is not cleared any more");
      write(HOST_GLOBAL + 1020, std_ulogic_vector(to_unsigned(n, 32)));
      expect(HOST_GLOBAL + 1020, std_ulogic_vector(to_unsigned(n, 32)), "the bus is in order");
    end loop;
    check(arsize = "011" and awsize = "011", "a beat of the bus has eight bytes");
    check(arburst = "01" and awburst = "01", "bursts count up");
    report "done";
    wait;
  end process;

end architecture;
