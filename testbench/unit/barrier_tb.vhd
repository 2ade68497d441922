-- SPDX-License-Identifier: Apache-2.0
-- barrier: opens for the last warp and releases the others, keeps ids and blocks apart, counts arrivals that do not
-- wait, and does not wait for warps that have finished.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;

entity barrier_tb is
end entity barrier_tb;

architecture sim of barrier_tb is
  constant WARPS  : positive := 8;
  constant BLOCKS : positive := 2;
  signal clk         : std_ulogic := '0';
  signal rst         : std_ulogic := '1';
  signal start       : std_ulogic := '0';
  signal start_block : block_slot_t := (others => '0');
  signal start_warps : unsigned(SLOT_BITS downto 0) := (others => '0');
  signal arrives     : std_ulogic := '0';
  signal waits       : std_ulogic := '0';
  signal exits       : std_ulogic := '0';
  signal slot        : slot_t := (others => '0');
  signal block_slot  : block_slot_t := (others => '0');
  signal id          : unsigned(3 downto 0) := (others => '0');
  signal opens       : std_ulogic;
  signal released    : std_ulogic_vector(WARPS - 1 downto 0);
begin

  u_dut : entity work.barrier
    generic map (WARPS => WARPS, BLOCKS => BLOCKS)
    port map (clk => clk, rst => rst, start_i => start, start_block_i => start_block, start_warps_i => start_warps,
              arrive_i => arrives, wait_i => waits, exit_i => exits, slot_i => slot, block_i => block_slot, id_i => id,
              opens_o => opens, release_o => released);

  stimulus : process
    procedure tick is
    begin
      wait for 1 ns;
      clk <= '1';
      wait for 1 ns;
      clk <= '0';
      wait for 0 ns;
    end procedure tick;

    procedure begin_block(b, count : natural) is
    begin
      start       <= '1';
      start_block <= to_unsigned(b, start_block'length);
      start_warps <= to_unsigned(count, start_warps'length);
      tick;
      start <= '0';
    end procedure begin_block;

    procedure expect(must_open : std_ulogic; must_release : std_ulogic_vector(WARPS - 1 downto 0); what : string) is
    begin
      wait for 1 ns;
      assert opens = must_open report what & ": opens is " & std_ulogic'image(opens) severity failure;
      assert released = must_release report what & ": releases " & to_string(released) severity failure;
      tick;
      arrives <= '0';
      waits   <= '0';
      exits   <= '0';
    end procedure expect;

    procedure arrive(b, warp, barrier_id : natural; must_wait, must_open : std_ulogic;
                     must_release : std_ulogic_vector(WARPS - 1 downto 0)) is
    begin
      arrives    <= '1';
      waits      <= must_wait;
      block_slot <= to_unsigned(b, block_slot'length);
      slot       <= to_unsigned(warp, slot'length);
      id         <= to_unsigned(barrier_id, 4);
      expect(must_open, must_release, "warp " & integer'image(warp) & " arrives at " & integer'image(barrier_id));
    end procedure arrive;

    procedure leave(b, warp : natural; must_release : std_ulogic_vector(WARPS - 1 downto 0)) is
    begin
      exits      <= '1';
      block_slot <= to_unsigned(b, block_slot'length);
      slot       <= to_unsigned(warp, slot'length);
      wait for 1 ns;
      assert released = must_release
        report "warp " & integer'image(warp) & " leaves: releases " & to_string(released) severity failure;
      tick;
      exits <= '0';
    end procedure leave;

    constant NOBODY : std_ulogic_vector(WARPS - 1 downto 0) := (others => '0');
  begin
    tick;
    rst <= '0';
    begin_block(0, 3);                                       -- warps 0, 1, 2
    begin_block(1, 2);                                       -- warps 4, 5

    -- the last one opens, twice in a row, whatever the order
    for times in 0 to 1 loop
      arrive(0, 0, 0, '1', '0', NOBODY);
      arrive(0, 2, 0, '1', '0', NOBODY);
      arrive(0, 1, 0, '1', '1', "00000101");
    end loop;
    -- ids are apart
    arrive(0, 0, 3, '1', '0', NOBODY);
    arrive(0, 1, 4, '1', '0', NOBODY);
    -- blocks are apart
    arrive(1, 4, 3, '1', '0', NOBODY);
    arrive(1, 5, 3, '1', '1', "00010000");
    -- an arrival without waiting counts and is never released
    arrive(0, 2, 3, '0', '0', NOBODY);
    -- warp 2 leaves: two are left. Two have arrived at 3, which opens; one at 4, which does not.
    leave(0, 2, "00000001");
    arrive(0, 0, 4, '1', '1', "00000010");
    -- all but one leave: it passes alone
    leave(0, 1, NOBODY);
    arrive(0, 0, 0, '1', '1', NOBODY);
    leave(0, 0, NOBODY);
    -- a new block in the slot starts afresh
    arrive(1, 4, 7, '1', '0', NOBODY);
    begin_block(0, 2);
    arrive(0, 1, 7, '1', '0', NOBODY);
    arrive(0, 3, 7, '1', '1', "00000010");
    arrive(1, 5, 7, '1', '1', "00010000");

    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
