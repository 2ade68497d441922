-- SPDX-License-Identifier: Apache-2.0
-- grid: every block once, x fastest, to SMs that have room, in turn; done when all are empty and idle; stopped by a
-- trap, whose place is that of the lowest SM, whatever traps later; the counters. The largest grids number their last
-- blocks right. A launch that fits nowhere ends without a trap's code.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.host_pkg.all;
use work.lists_pkg.all;
use work.bench_pkg.all;

entity grid_tb is
end entity grid_tb;

architecture sim of grid_tb is
  constant SMS     : positive := 5;
  constant LARGEST : positive := 65535;                      -- blocks of a row or column
  subtype sms_t is std_ulogic_vector(SMS - 1 downto 0);
  constant NONE    : sms_t := (others => '0');
  constant EVERY   : sms_t := (others => '1');
  constant FIRST   : sms_t := (0 => '1', others => '0');
  constant SECOND  : sms_t := (1 => '1', others => '0');

  type traps_t is array (natural range <>) of trap_t;
  type slots_t is array (natural range <>) of slot_t;
  type pcs_t is array (natural range <>) of pc_t;

  signal clk     : std_ulogic := '0';
  signal rst     : std_ulogic := '1';
  signal launch  : launch_t;
  signal start   : std_ulogic := '0';
  signal grid_rst, setup : std_ulogic;
  signal offer   : sms_t;
  signal block_x, block_y : unsigned(15 downto 0);
  signal accept  : sms_t := NONE;
  signal empty   : sms_t := EVERY;
  signal idle    : sms_t := EVERY;
  signal trap    : sms_t := NONE;
  signal trap_code : traps_t(0 to SMS - 1) := (
    TRAP_BREAKPOINT, TRAP_GLOBAL_RANGE, TRAP_STACK_MISMATCH, TRAP_UNDEFINED, TRAP_LOCAL_ALIGN);
  signal trap_slot            : slots_t(0 to SMS - 1) := ("00011", "10001", "01110", "11000", "00100");
  signal trap_pc              : pcs_t(0 to SMS - 1) := (x"000040", x"000088", x"f00000", x"0f0ff8", x"a5a5a0");
  signal halt                 : std_ulogic;
  signal blocks_left, counted : std_ulogic;
  signal retires              : sms_t := NONE;
  signal active : lane_masks_t(0 to SMS - 1) := (x"000000ff", x"80000001", x"ffffffff", x"fffffffe", x"00010000");
  signal refused              : sms_t := NONE;
  signal reports              : sms_to_grid_t(0 to SMS - 1);
  signal status               : grid_to_host_t;
begin

  u_dut : entity work.grid
    generic map (SMS => SMS)
    port map (clk => clk, rst => rst, launch_i => launch, start_i => start, grid_rst_o => grid_rst,
              order_o.setup => setup, order_o.halt => halt, order_o.blocks_left => blocks_left,
              order_o.block_x => block_x, order_o.block_y => block_y, offer_o => offer, report_i => reports,
              retire_i => retires, active_i => active, counted_o => counted, status_o => status);

  each_sm : for s in 0 to SMS - 1 generate
    reports(s) <= (refused => refused(s), accept => accept(s), empty => empty(s), idle => idle(s), trapped => trap(s),
                   trap => trap_code(s), trap_slot => trap_slot(s), trap_pc => trap_pc(s));
  end generate;

  stimulus : process
    type counts_t is array (0 to SMS - 1) of natural;
    variable columns, rows : natural;
    variable blocks : natural;
    variable given  : counts_t;
    variable cycles : natural;                               -- that must be counted
    variable said   : natural;                               -- cycles that were said to count

    procedure tick is
    begin
      wait for 1 ns;
      clk <= '1';
      wait for 1 ns;
      clk <= '0';
      cycles := cycles + 1;
      said   := said + boolean'pos(counted = '1');
      wait for 0 ns;
    end procedure tick;

    procedure shape(x, y : natural) is
    begin
      columns := x;
      rows    := y;
      launch.grid_x <= to_unsigned(x, 16);
      launch.grid_y <= to_unsigned(y, 16);
    end procedure shape;

    procedure begin_grid is
    begin
      start <= '1';
      tick;
      start <= '0';
      wait for 1 ns;
      check(grid_rst = '1' and setup = '0' and status.state = "01", "the last grid is forgotten");
      tick;
      cycles := 0;
      said   := 0;
      wait for 1 ns;
      check(grid_rst = '0' and setup = '1' and status.cycles = 0, "then this one is prepared");
      tick;
      check(setup = '0', "for one cycle");
      blocks := 0;
      given  := (others => 0);
    end procedure begin_grid;

    -- SMs of `room` accept for some cycles; every block must be the next one.
    procedure give(room : sms_t; count : natural) is
    begin
      accept <= room;
      for turn in 1 to count loop
        wait for 1 ns;
        if blocks / columns < rows and room /= NONE then
          check(offer /= NONE and (offer and sms_t(unsigned(offer) - 1)) = NONE, "one SM gets a block");
          check((offer and not room) = NONE, "it has room");
          check(blocks /= 0 or room(0) = '0' or offer(0) = '1', "of a new grid the first SM has the first turn");
          check(block_x = blocks mod columns and block_y = blocks / columns, "the blocks' order");
          for s in offer'range loop
            given(s) := given(s) + boolean'pos(offer(s) = '1');
          end loop;
          blocks := blocks + 1;
        else
          check(offer = NONE, "no SM gets a block");
        end if;
        tick;
      end loop;
      accept <= NONE;
    end procedure give;
  begin
    shape(3, 2);
    tick;
    rst <= '0';
    accept <= EVERY;
    tick;
    check(offer = NONE and status.state = "00", "idle");

    begin_grid;
    empty <= NONE;
    idle  <= NONE;
    give(SECOND, 1);
    give(NONE, 2);
    give(EVERY, 4);
    check(given = (0 to SMS - 1 => 1), "in turn");
    give(FIRST, 3);
    check(given(0) = 2 and blocks_left = '0', "the last one");
    retires <= FIRST;
    tick;
    tick;
    retires <= EVERY;
    tick;
    retires <= NONE;
    for s in 0 to SMS - 1 loop
      empty   <= EVERY;
      idle    <= EVERY;
      idle(s) <= '0';
      tick;
      check(status.state = "01", "an SM that is not idle");
      idle     <= EVERY;
      empty(s) <= '0';
      tick;
      check(status.state = "01", "an SM that is not empty");
    end loop;
    empty <= EVERY;
    tick;
    check(status.state = "10", "done");
    check(status.cycles = cycles,
          "cycles: " & integer'image(to_integer(status.cycles)) & " of " & integer'image(cycles));
    tick;
    check(status.cycles = cycles - 1, "and no more");
    tick;
    check(said = cycles - 2 and counted = '0', "so many cycles were said to count");
    check(status.warp_insns = 2 + SMS and status.thread_insns = 2 * 8 + 8 + 2 + 32 + 31 + 1, "retired instructions");
    check(status.trap = TRAP_NONE and status.trap_slot = 0 and status.trap_pc = 0, "without a trap");

    -- a trap: of several, that of the lowest SM; no more blocks; drained before it says so
    for lowest in 0 to SMS - 1 loop
      begin_grid;
      check(status.warp_insns = 0 and blocks_left = '1', "counts begin again");
      check(status.trap = TRAP_NONE and halt = '0', "a new grid forgets the trap");
      empty <= NONE;
      idle  <= NONE;
      give(EVERY, 2);
      for s in lowest to SMS - 1 loop
        trap(s) <= '1';
      end loop;
      accept <= EVERY;
      wait for 1 ns;
      check(offer = NONE, "no block in the cycle of the trap");
      tick;
      trap <= EVERY;                                         -- a trap behind the first one does not count
      wait for 1 ns;
      check(halt = '1' and status.state = "01" and offer = NONE, "stopping");
      tick;
      trap <= NONE;
      wait for 1 ns;
      check(halt = '1' and status.state = "01", "still stopping");
      for s in 0 to SMS - 1 loop
        idle    <= EVERY;
        idle(s) <= '0';
        tick;
        check(status.state = "01", "not drained");
      end loop;
      idle <= EVERY;
      tick;
      check(status.state = "11" and halt = '1', "trapped");
      check(status.trap = trap_code(lowest) and status.trap_sm = lowest and status.trap_slot = trap_slot(lowest)
            and status.trap_pc = trap_pc(lowest), "where");
      accept <= NONE;
    end loop;
    rst <= '1';
    tick;
    rst <= '0';
    check(status.state = "00" and status.trap = TRAP_NONE and status.cycles = 0, "a reset forgets that");

    -- the largest rows and columns, to their last blocks
    for turn in 0 to 2 loop
      case turn is
        when 0 => shape(LARGEST, 2);
        when 1 => shape(2, LARGEST);
        when others => shape(LARGEST, LARGEST);
      end case;
      begin_grid;
      empty <= NONE;
      give(EVERY, 2 * LARGEST - 1);
      wait for 1 ns;
      check(block_x = (blocks mod columns) and block_y = blocks / columns and offer = NONE, "the next one");
      give(EVERY, 3);
      check(turn = 2 or blocks = 2 * LARGEST, "the last one");
      empty <= EVERY;
      tick;
      tick;
      check((status.state = "10") = (turn /= 2), "done when there are no more");
    end loop;

    -- no block of the launch fits, or it has none
    for turn in 0 to 2 loop
      case turn is
        when 0 => shape(3, 2); refused <= FIRST;
        when 1 => shape(0, 2); refused <= NONE;
        when others => shape(3, 0); refused <= NONE;
      end case;
      accept <= NONE;
      begin_grid;
      tick;
      refused <= NONE;
      accept  <= EVERY;
      for i in 0 to 5 loop
        wait for 1 ns;
        check(offer = NONE, "no block of a launch that is refused");
        tick;
      end loop;
      check(status.state = "11" and status.trap = TRAP_NONE, "refused");
    end loop;

    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
