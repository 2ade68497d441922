-- SPDX-License-Identifier: Apache-2.0
-- barrier: opens for the last warp and releases the others, keeps ids and blocks apart, counts arrivals that do not
-- wait, a warp that arrives twice only once, and does not wait for warps that have finished. Which warps leave it
-- is told in the cycle after the event, and once.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.bench_pkg.all;

entity barrier_tb is
end entity barrier_tb;

architecture sim of barrier_tb is
  constant WARPS  : positive := 8;
  constant NO_WARPS : std_ulogic_vector(WARPS - 1 downto 0) := (others => '0');
  signal clk         : std_ulogic := '0';
  signal rst         : std_ulogic := '1';
  signal start       : std_ulogic := '0';
  signal start_slot  : slot_t := (others => '0');
  signal start_block : block_slot_t := (others => '0');
  signal start_first : slot_t := (others => '0');
  signal start_warps : unsigned(SLOT_BITS downto 0) := (others => '0');
  signal next_event  : std_ulogic := '0';
  signal next_slot   : slot_t := (others => '0');
  signal next_block  : block_slot_t := (others => '0');
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
    generic map (WARPS => WARPS, SEED => 1)
    port map (clk => clk, rst => rst, start_i => start, start_slot_i => start_slot, start_block_i => start_block,
              start_first_i => start_first, start_warps_i => start_warps, next_i => next_event,
              next_slot_i => next_slot, next_block_i => next_block, event_i => '1', arrive_i => arrives,
              wait_i => waits, exit_i => exits, slot_i => slot,
              block_i => block_slot, id_i => id, opens_o => opens, release_o => released);

  stimulus : process
    procedure begin_block(b, first, count : natural) is
    begin
      start       <= '1';
      start_block <= to_unsigned(b, start_block'length);
      start_first <= to_unsigned(first, start_first'length);
      start_warps <= to_unsigned(count, start_warps'length);
      for w in first to first + count - 1 loop
        start_slot <= to_unsigned(w, start_slot'length);
        tick(clk);
      end loop;
      start <= '0';
    end procedure begin_block;

    -- The warp of an event is told in the cycle before: one of no event, or that of the event before, if after_this has
    -- named the warp.
    variable told       : boolean := false;
    variable after_block, after_warp : integer := -1;

    procedure after_this(b, warp : natural) is
    begin
      after_block := b;
      after_warp  := warp;
    end procedure after_this;

    procedure tell(b, warp : natural) is
    begin
      next_event <= '1';
      next_block <= to_unsigned(b, next_block'length);
      next_slot  <= to_unsigned(warp, next_slot'length);
    end procedure tell;

    procedure begin_event(b, warp : natural) is
    begin
      if not told then
        tell(b, warp);
        tick(clk);
        assert released = NO_WARPS report "releases " & to_string(released) & " without an event" severity failure;
      end if;
      next_event <= '0';
      block_slot <= to_unsigned(b, block_slot'length);
      slot       <= to_unsigned(warp, slot'length);
      told := after_warp >= 0;
      if told then
        tell(after_block, after_warp);
        after_warp := -1;
      end if;
    end procedure begin_event;

    procedure expect(must_open : std_ulogic; must_release : std_ulogic_vector(WARPS - 1 downto 0); what : string) is
    begin
      wait for 1 ns;
      assert opens = must_open report what & ": opens is " & std_ulogic'image(opens) severity failure;
      tick(clk);
      assert released = must_release report what & ": releases " & to_string(released) severity failure;
      arrives <= '0';
      waits   <= '0';
      exits   <= '0';
    end procedure expect;

    procedure arrive(b, warp, barrier_id : natural; must_wait, must_open : std_ulogic;
                     must_release : std_ulogic_vector(WARPS - 1 downto 0)) is
    begin
      begin_event(b, warp);
      arrives <= '1';
      waits   <= must_wait;
      id      <= to_unsigned(barrier_id, 4);
      expect(must_open, must_release, "warp " & integer'image(warp) & " arrives at " & integer'image(barrier_id));
    end procedure arrive;

    procedure leave(b, warp : natural; must_release : std_ulogic_vector(WARPS - 1 downto 0)) is
    begin
      begin_event(b, warp);
      exits <= '1';
      tick(clk);
      assert released = must_release
        report "warp " & integer'image(warp) & " leaves: releases " & to_string(released) severity failure;
      exits <= '0';
    end procedure leave;

    variable others_wait : std_ulogic_vector(WARPS - 1 downto 0);
  begin
    tick(clk);
    rst <= '0';
    begin_block(0, 0, 3);                                    -- warps 0, 1, 2
    begin_block(1, 4, 2);                                    -- warps 4, 5

    -- the last one opens, twice in a row, whatever the order
    for times in 0 to 1 loop
      arrive(0, 0, 0, '1', '0', NO_WARPS);
      arrive(0, 2, 0, '1', '0', NO_WARPS);
      arrive(0, 1, 0, '1', '1', "00000101");
    end loop;
    -- ids are apart
    arrive(0, 0, 3, '1', '0', NO_WARPS);
    arrive(0, 1, 4, '0', '0', NO_WARPS);
    -- blocks are apart
    arrive(1, 4, 3, '1', '0', NO_WARPS);
    arrive(1, 5, 3, '1', '1', "00010000");
    -- an arrival without waiting counts and is never released
    arrive(0, 2, 3, '0', '0', NO_WARPS);
    -- warp 2 leaves: two are left. Two have arrived at 3, but warp 1 is not among them.
    leave(0, 2, NO_WARPS);
    arrive(0, 1, 3, '1', '1', "00000001");
    arrive(0, 0, 4, '1', '1', NO_WARPS);
    -- all but one leave: it passes alone
    leave(0, 1, NO_WARPS);
    arrive(0, 0, 0, '1', '1', NO_WARPS);
    leave(0, 0, NO_WARPS);
    -- a new block in the slot starts afresh
    arrive(1, 4, 7, '1', '0', NO_WARPS);
    begin_block(0, 1, 2);
    arrive(0, 1, 7, '1', '0', NO_WARPS);
    arrive(0, 2, 7, '1', '1', "00000010");
    arrive(1, 5, 7, '1', '1', "00010000");

    -- a block of all other slots: each id, each warp last once
    leave(1, 4, NO_WARPS);
    leave(1, 5, NO_WARPS);
    begin_block(1, 3, 5);                                    -- warps 3 to 7
    for i in 0 to 15 loop
      for w in 3 to 7 loop
        if w /= 3 + i mod 5 then
          arrive(1, w, i, '1', '0', NO_WARPS);
        end if;
      end loop;
      others_wait := "11111000";
      others_wait(3 + i mod 5) := '0';
      arrive(1, 3 + i mod 5, i, '1', '1', others_wait);
    end loop;

    -- arriving twice counts once, also when the second time waits
    arrive(0, 1, 2, '0', '0', NO_WARPS);
    arrive(0, 1, 2, '0', '0', NO_WARPS);
    arrive(0, 1, 2, '1', '0', NO_WARPS);
    arrive(0, 2, 2, '1', '1', "00000010");
    -- the barrier is empty again, for the one that opened it too
    arrive(0, 2, 2, '0', '0', NO_WARPS);
    arrive(0, 1, 2, '0', '1', NO_WARPS);
    -- one that arrives and then leaves: the others are waited for all the same
    arrive(1, 3, 9, '0', '0', NO_WARPS);
    leave(1, 3, NO_WARPS);
    arrive(1, 4, 9, '1', '0', NO_WARPS);
    arrive(1, 5, 9, '1', '0', NO_WARPS);
    arrive(1, 7, 9, '0', '0', NO_WARPS);
    leave(1, 6, "00110000");
    -- the next time it waits for the three that are left, no more and no fewer
    arrive(1, 7, 9, '1', '0', NO_WARPS);
    arrive(1, 4, 9, '1', '0', NO_WARPS);
    arrive(1, 5, 9, '1', '1', "10010000");
    -- arrivals that a block leaves behind are not the next one's
    arrive(0, 1, 5, '0', '0', NO_WARPS);
    begin_block(0, 0, 3);
    arrive(0, 0, 5, '1', '0', NO_WARPS);
    arrive(0, 2, 5, '1', '0', NO_WARPS);
    arrive(0, 1, 5, '0', '1', "00000101");
    -- one event right behind the other: of the same warp, of another, and when it has opened the barrier
    after_this(0, 1);
    arrive(0, 1, 6, '0', '0', NO_WARPS);
    after_this(0, 0);
    arrive(0, 1, 6, '1', '0', NO_WARPS);
    after_this(0, 2);
    arrive(0, 0, 6, '1', '0', NO_WARPS);
    after_this(0, 2);
    arrive(0, 2, 6, '1', '1', "00000011");
    after_this(0, 0);
    arrive(0, 2, 6, '1', '0', NO_WARPS);
    after_this(0, 1);
    leave(0, 0, NO_WARPS);
    leave(0, 1, "00000100");
    -- a block of one warp passes alone
    begin_block(1, 4, 1);
    arrive(1, 4, 9, '1', '1', NO_WARPS);

    -- a reset forgets the warps that wait
    begin_block(0, 0, 3);
    arrive(0, 0, 6, '1', '0', NO_WARPS);
    rst <= '1';
    tick(clk);
    rst <= '0';
    begin_block(0, 1, 2);
    arrive(0, 1, 6, '1', '0', NO_WARPS);
    arrive(0, 2, 6, '1', '1', "00000010");

    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
