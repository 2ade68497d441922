-- SPDX-License-Identifier: Apache-2.0
-- thread_ids: for blocks of several shapes, row by row, R0 of every thread is as divisions give it, which the entity
-- avoids. A block may begin again at any row.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.bench_pkg.all;

entity thread_ids_tb is
end entity thread_ids_tb;

architecture sim of thread_ids_tb is
  constant CORES : positive := 8;
  signal clk        : std_ulogic := '0';
  signal launch     : launch_t;
  signal setup      : std_ulogic := '0';
  signal ready      : std_ulogic;
  signal first_row  : std_ulogic := '0';
  signal next_row   : std_ulogic := '0';
  signal tid        : words_t(0 to CORES - 1);
begin

  u_dut : entity work.thread_ids
    generic map (CORES => CORES)
    port map (clk => clk, launch_i => launch, setup_i => setup, ready_o => ready, first_i => first_row,
              next_i => next_row, tid_o => tid);

  stimulus : process
    procedure expect_row(row, x, y, z : natural) is
      variable thread : natural;
      variable r0     : unsigned(31 downto 0);
    begin
      for l in 0 to CORES - 1 loop
        thread := row * CORES + l;
        r0     := to_unsigned(thread / (x * y), 6) & to_unsigned(thread / x mod y, 10) & to_unsigned(thread mod x, 16);
        assert thread >= x * y * z or tid(l) = std_ulogic_vector(r0)
          report "block " & integer'image(x) & "," & integer'image(y) & "," & integer'image(z) & ", thread "
                 & integer'image(thread) & ": R0 is " & to_hstring(tid(l)) & ", not " & to_hstring(r0)
          severity failure;
      end loop;
    end procedure expect_row;

    procedure try(x, y, z : natural) is
      constant rows : positive := (x * y * z + CORES - 1) / CORES;
    begin
      launch.block_x <= to_unsigned(x, 16);
      launch.block_y <= to_unsigned(y, 16);
      launch.block_z <= to_unsigned(z, 16);
      setup <= '1';
      wait for 1 ns;
      tick(clk);
      setup <= '0';
      for i in 0 to CORES loop
        wait for 1 ns;
        assert ready = '0' report "ready before all is counted" severity failure;
        tick(clk);
      end loop;
      assert ready = '1' report "not ready after CORES + 1 cycles" severity failure;
      first_row <= '1';
      tick(clk);
      for times in 0 to 1 loop                               -- the second begins when the first is left
        for row in 0 to rows - 1 loop
          first_row <= '0';
          wait for 1 ns;
          expect_row(row, x, y, z);
          first_row <= to_sl(row = rows - 1);
          next_row  <= '1';
          tick(clk);
          next_row <= '0';
        end loop;
      end loop;
    end procedure try;
  begin
    try(1, 1, 1);
    try(64, 1, 1);
    try(512, 1, 1);
    try(1, 512, 1);
    try(1, 1, 64);
    try(16, 16, 1);
    try(3, 5, 7);
    try(7, 3, 2);
    try(5, 1, 9);
    try(1, 2, 3);
    try(31, 2, 8);
    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
