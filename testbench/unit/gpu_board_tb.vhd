-- SPDX-License-Identifier: Apache-2.0
-- gpu_board: a classic master reads and writes the machine; the sums over what it did are those of zlib, and nobody
-- else's transfers are in them; a reset stops a grid.
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
begin

  u_dut : entity work.gpu_board
    generic map (WARPS => 4, BLOCKS => 1, REGISTERS => 1024, SHARED_BYTES => 1024, CODE_BYTES => 1024,
                 GLOBAL_BYTES => 1024, STACK_DEPTH => 4)
    port map (
      clk           => clk,
      rst           => rst,
      wb_adr_i      => adr,
      wb_dat_i      => wdat,
      wb_we_i       => we,
      wb_cyc_i      => stb,
      wb_stb_i      => stb,
      wb_dat_o      => rdat,
      wb_ack_o      => ack,
      bridge_ack_i  => ack,
      bridge_we_i   => we,
      bridge_adr_i  => adr,
      bridge_wdat_i => wdat,
      bridge_rdat_i => rdat,
      irq_o         => open
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

    -- Words of the launch of one endless warp, whose only instruction branches to itself.
    procedure launch is
    begin
      write(HOST_CODE, x"10000003");
      write(HOST_CODE + 4, x"00000780");
      write(HOST_GRID, x"00010001");
      write(HOST_BLOCK_XY, x"00010020");
      write(HOST_BLOCK_Z, x"00000001");
      write(HOST_THREADS, x"00000020");
      write(HOST_REGS, x"00000004");
      write(HOST_SHARED, x"00000010");
      write(HOST_CODE_BYTES, x"00000008");
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
    report "done";
    wait;
  end process;

end architecture;
