-- SPDX-License-Identifier: Apache-2.0
-- The whole machine, two SMs, and launches of which no block fits, or which have none: each ends at once, as trapped
-- without a trap's code and without a cycle of work; the next launch runs.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.host_pkg.all;
use work.lists_pkg.all;
use work.bench_pkg.all;

entity launch_tb is
end entity launch_tb;

architecture sim of launch_tb is
  constant CORES : positive := 8;

  constant TRAPPED : natural := 3;
  constant REFUSED : word_t := x"00000003";                  -- trapped, by no trap

  signal request    : master_to_host_t;
  signal bus_answer : host_to_master_t;
  signal clk        : std_ulogic := '0';
  signal rst        : std_ulogic := '1';
  signal adr        : std_ulogic_vector(31 downto 0) := (others => '0');
  signal dat        : word_t := (others => '0');
  signal we, stb    : std_ulogic := '0';
  signal answer     : word_t;
  signal irq        : std_ulogic;
begin

  u_dut : entity work.gpu
    generic map (SMS => 2, CORES => CORES, GLOBAL_BYTES => 4096, CODE_BYTES => 4096)
    port map (clk => clk, rst => rst, bus_i => request, bus_o => bus_answer, irq_o => irq, line_o => open,
              retire_o => open, retire_lanes_o => open);

  request <= (adr => adr, dat => dat, we => we, cyc => stb, stb => stb);
  answer  <= bus_answer.dat;

  stimulus : process
    procedure write(reg, value : natural) is
    begin
      adr <= std_ulogic_vector(to_unsigned(reg, 32));
      dat <= std_ulogic_vector(to_unsigned(value, 32));
      we  <= '1';
      stb <= '1';
      tick(clk);
      stb <= '0';
    end procedure write;

    procedure expect(reg : natural; value : word_t; what : string) is
    begin
      adr <= std_ulogic_vector(to_unsigned(reg, 32));
      we  <= '0';
      stb <= '1';
      tick(clk);
      stb <= '0';
      tick(clk);
      assert answer = value report what & ": it reads " & to_hstring(answer) severity failure;
    end procedure expect;

    -- A launch of one warp, which a test then spoils.
    procedure prepare is
    begin
      write(HOST_GRID, 16#1_0001#);
      write(HOST_BLOCK_XY, 16#1_0020#);
      write(HOST_BLOCK_Z, 1);
      write(HOST_THREADS, 32);
      write(HOST_REGS, 4);
      write(HOST_SHARED, 16);
      write(HOST_CODE_BYTES, 0);
      write(HOST_PARAM_WORDS, 0);
      write(HOST_LOCAL_BYTES, 0);
      write(HOST_LOCAL_WARPS, 0);
    end procedure prepare;

    procedure run(cycles : positive; what : string) is
    begin
      write(HOST_CONTROL, 1);
      tick(clk);
      tick(clk);
      for c in 1 to cycles loop
        exit when irq = '1';
        tick(clk);
      end loop;
      assert irq = '1' report what & ": it does not end" severity failure;
    end procedure run;

    procedure refuse(what : string) is
    begin
      run(8, what);
      expect(HOST_STATUS, REFUSED, what);
      expect(HOST_WARP_INSNS, x"00000000", what & ": nothing has run");
      prepare;
    end procedure refuse;

    -- The kernel has no code, and says so with the trap of its first fetch.
    procedure accept(what : string) is
    begin
      run(500, what);
      expect(HOST_STATUS, x"0000030" & std_ulogic_vector(to_unsigned(TRAPPED, 4)), what & ": runs");
      prepare;
    end procedure accept;
  begin
    for i in 1 to 4 loop
      tick(clk);
    end loop;
    rst <= '0';
    prepare;
    accept("one warp");
    write(HOST_GRID, 16#1_0000#);
    refuse("no columns");
    write(HOST_GRID, 16#1#);
    refuse("no rows");
    write(HOST_THREADS, 0);
    refuse("no threads");
    write(HOST_THREADS, 1025);
    refuse("1025 threads");
    write(HOST_THREADS, 2047);
    refuse("2047 threads");
    write(HOST_THREADS, 1024);
    write(HOST_REGS, 17);
    refuse("17 registers for 1024 threads");
    write(HOST_THREADS, 1024);
    write(HOST_REGS, 16);
    accept("16 registers for 1024 threads");
    write(HOST_SHARED, 16388);
    refuse("16388 bytes of shared memory");
    write(HOST_SHARED, 32768);
    refuse("32768 bytes of shared memory");
    write(HOST_SHARED, 16384);
    accept("16384 bytes of shared memory");
    write(HOST_PARAM_WORDS, 60);
    write(HOST_SHARED, 252);
    refuse("252 bytes of shared memory, 60 parameters");
    write(HOST_PARAM_WORDS, 60);
    write(HOST_SHARED, 256);
    accept("256 bytes of shared memory, 60 parameters");
    write(HOST_THREADS, 64);
    write(HOST_LOCAL_BYTES, 4);
    write(HOST_LOCAL_WARPS, 1);
    refuse("two warps, and local memory for one");
    accept("one warp again");
    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
