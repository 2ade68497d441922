-- SPDX-License-Identifier: Apache-2.0
-- sched: warps take turns; one is not chosen again before its instruction has left stage HOLD; one that was redirected,
-- turned away for a load or waits at a barrier is not chosen until its answer, load or release; of those for whose
-- loads there was no room, one goes on for each load that is back, in turns; one that has finished is reported once its
-- load is back; one that was redirected fetches at its new pc.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.front_pkg.all;
use work.branch_pkg.all;
use work.bench_pkg.all;

entity sched_tb is
end entity sched_tb;

architecture sim of sched_tb is
  constant WARPS : positive := 4;
  subtype warps_t is std_ulogic_vector(WARPS - 1 downto 0);

  signal clk           : std_ulogic := '0';
  signal rst           : std_ulogic := '1';
  signal halt          : std_ulogic := '0';
  signal start         : std_ulogic := '0';
  signal start_slot    : slot_t := (others => '0');
  signal redirect      : branch_to_sched_t := BRANCH_TO_SCHED_INIT;
  signal releases      : warps_t := (others => '0');
  signal load_done     : std_ulogic := '0';
  signal load_slot     : slot_t := (others => '0');
  signal ready         : warps_t := (others => '1');
  signal free          : std_ulogic := '0';
  signal fate_slot     : slot_t := (others => '0');
  signal leaves        : std_ulogic := '0';
  signal blocks        : std_ulogic := '0';
  signal arrives       : std_ulogic := '0';
  signal ends_warp     : std_ulogic := '0';
  signal waits         : std_ulogic := '0';
  signal crowded       : std_ulogic := '0';
  signal fate          : issue_to_sched_t;
  signal choose        : std_ulogic;
  signal slot          : slot_t;
  signal running       : warps_t;
  signal finished      : std_ulogic;
  signal finished_slot : slot_t;
  signal load_busy     : warps_t := (others => '0');
  signal refetch       : std_ulogic;
  signal refetch_slot  : slot_t;
  signal refetch_pc    : pc_t;
  signal warps_wait    : sched_to_cause_t;
  signal reading       : std_ulogic_vector(WARPS - 1 downto 0);
begin

  fate <= (slot => fate_slot, leaves => leaves, take => '0', take_word => '0', blocks => blocks, arrives => arrives,
           ends => ends_warp, waits => waits, crowded => crowded);

  u_dut : entity work.sched
    generic map (WARPS => WARPS, CROWDS => true)
    port map (clk => clk, rst => rst, halt_i => halt, start_i.valid => start,
              start_i.slot => start_slot, redirect_i => redirect, release_i => releases,
              load_back_i.valid => load_done, load_back_i.slot => load_slot,
              ready_i => ready, free_i => free, fate_i => fate,
              choice_o.valid => choose, choice_o.slot => slot, reading_o => reading, running_o => running,
              finished_o.valid => finished, finished_o.slot => finished_slot, load_busy_i => load_busy,
              refetch_o.valid => refetch, refetch_o.slot => refetch_slot, refetch_o.pc => refetch_pc,
              wait_o => warps_wait);

  -- The warp that was chosen is in stage READ.
  follow : process (clk)
    variable chosen : boolean := false;
    variable warp   : slot_t;
  begin
    if rising_edge(clk) then
      assert not chosen or reading = one_hot(warp, WARPS) report "the warp in R is not the chosen one" severity failure;
      chosen := choose = '1' and rst = '0';
      warp   := slot;
    end if;
  end process;

  stimulus : process
    -- Checks the causes for which warps wait in this cycle.
    procedure counted(what : string; issue, fetch, branch, load, barrier : std_ulogic := '0') is
    begin
      wait for 1 ns;
      check(warps_wait = (issue => issue, fetch => fetch, branch => branch, load => load, barrier => barrier),
            what & ": waits for issue " & std_ulogic'image(warps_wait.issue) & ", fetch "
            & std_ulogic'image(warps_wait.fetch) & ", branch "
            & std_ulogic'image(warps_wait.branch) & ", load " & std_ulogic'image(warps_wait.load) & ", barrier "
            & std_ulogic'image(warps_wait.barrier));
    end procedure counted;

    -- In twelve turns exactly the warps of `chosen` are chosen, each as often as the others. The instruction of the
    -- chosen warp leaves HOLD one cycle later.
    procedure turns(chosen : warps_t; what : string) is
      type counts_t is array (0 to WARPS - 1) of natural;
      variable count : counts_t := (others => 0);
      variable last  : integer := -1;
      variable many  : natural := 0;
      variable left  : std_ulogic;
    begin
      for w in chosen'range loop
        many := many + boolean'pos(chosen(w) = '1');
      end loop;
      for turn in 1 to 12 loop
        free <= '1';
        wait for 1 ns;
        check(choose = to_sl(many > 0), what & ": chooses");
        if choose = '1' then
          check(many = 1 or to_integer(slot) /= last, what & ": the same warp twice in a row");
          last        := to_integer(slot);
          count(last) := count(last) + 1;
        end if;
        left        := choose;
        fate_slot <= slot;
        tick(clk);
        free   <= '0';
        leaves <= left;
        wait for 1 ns;
        check(warps_wait.issue = left, what & ": the instruction is on its way");
        tick(clk);
        leaves <= '0';
      end loop;
      for w in chosen'range loop
        check(many = 0 or count(w) = boolean'pos(chosen(w) = '1') * 12 / many,
              what & ": warp " & integer'image(w) & " " & integer'image(count(w)) & " times");
      end loop;
    end procedure turns;

    -- A load is back, of the warp load_slot; then the warps of `chosen` go on.
    procedure back(chosen : warps_t; what : string) is
    begin
      load_done <= '1';
      tick(clk);
      load_done <= '0';
      turns(chosen, what);
    end procedure back;

    procedure answer(w : natural; pc : natural; falls, stays, ends, traps : std_ulogic) is
    begin
      redirect <= (valid => '1', slot => to_unsigned(w, SLOT_BITS), pc => to_unsigned(pc, 24),
                   falls_through => falls, waits => stays, finished => ends, trapped => traps);
      tick(clk);
      redirect <= BRANCH_TO_SCHED_INIT;
      wait for 1 ns;
      check(refetch = not falls, "fetching goes on somewhere else");
      check(falls = '1' or (refetch_slot = w and refetch_pc = pc), "... there");
      tick(clk);
      check(refetch = '0', "... once");
      check(finished = (ends and not load_busy(w)), "an answer is no end, but for the last");
    end procedure answer;
  begin
    tick(clk);
    rst <= '0';
    turns("0000", "before the start");
    redirect.pc <= x"000440";                                -- of no valid answer
    for w in 0 to 3 loop
      start      <= '1';
      start_slot <= to_unsigned(w, SLOT_BITS);
      tick(clk);
      start <= '0';
      free  <= '1';
      ready <= one_hot(to_unsigned(w, SLOT_BITS), WARPS);
      wait for 1 ns;
      check(refetch = '1' and refetch_slot = w and refetch_pc = 0, "a warp begins at 0");
      check(running(w) = '1' and choose = '0', "... not before its buffer is empty");
      free <= '0';
      tick(clk);
      check(refetch = '0', "... once");
    end loop;
    redirect <= BRANCH_TO_SCHED_INIT;
    ready    <= "1111";
    check(running = "1111", "all run");
    turns("1111", "all");
    counted("all could go on");
    ready <= "1010";
    turns("1010", "two have an instruction");
    counted("two have none", fetch => '1');
    ready <= "1111";
    ready <= "0100";
    turns("0100", "it alone has instructions");
    free <= '1';
    tick(clk);
    free  <= '0';
    ready <= "1111";
    counted("one is between SELECT and HOLD", issue => '1');
    turns("1011", "one is between S and H");
    fate_slot <= to_unsigned(2, SLOT_BITS);
    leaves      <= '1';
    tick(clk);
    leaves <= '0';
    turns("1111", "it leaves stage HOLD");

    -- each warp alone ends, and another lives in its slot
    for w in 0 to 3 loop
      fate_slot <= to_unsigned(w, SLOT_BITS);
      ends_warp   <= '1';
      tick(clk);
      ends_warp <= '0';
      wait for 1 ns;
      check(running = not std_ulogic_vector(shift_left(to_unsigned(1, WARPS), w)), "one runs no more");
      start      <= '1';
      start_slot <= to_unsigned(w, SLOT_BITS);
      tick(clk);
      start <= '0';
      wait for 1 ns;
      check(running = "1111", "one runs again");
    end loop;
    tick(clk);
    fate_slot <= to_unsigned(2, SLOT_BITS);

    -- it redirects its warp
    blocks <= '1';
    counted("it redirects its warp", branch => '1');
    tick(clk);
    blocks <= '0';
    counted("one has redirected its warp", branch => '1');
    ready <= "1011";
    counted("an instruction behind it is no use", branch => '1');
    ready <= "1111";
    turns("1011", "one waits for the branch unit");
    answer(2, 16#40#, '1', '0', '0', '0');
    turns("1111", "the branch unit answered");
    counted("the branch unit answered");

    -- it goes on somewhere else: not before its buffer is empty
    fate_slot <= to_unsigned(2, SLOT_BITS);
    blocks    <= '1';
    tick(clk);
    blocks <= '0';
    redirect <= (valid => '1', slot => fate_slot, pc => x"000080", others => '0');
    tick(clk);
    redirect <= BRANCH_TO_SCHED_INIT;
    ready    <= "0100";
    free     <= '1';
    ready    <= "1111";
    counted("it alone lacks a word", fetch => '1');
    ready    <= "0100";
    wait for 1 ns;
    check(refetch = '1' and choose = '0', "what is in its buffer is of before");
    free  <= '0';
    ready <= "1111";
    tick(clk);
    turns("1111", "it has gone on");

    -- it is turned away
    fate_slot <= to_unsigned(1, SLOT_BITS);
    waits       <= '1';
    counted("it is turned away", load => '1');
    tick(clk);
    waits <= '0';
    counted("it was turned away", load => '1');
    turns("1101", "one waits for its load");
    load_slot <= to_unsigned(3, SLOT_BITS);
    back("1101", "the load of another is back");
    load_done <= '1';
    load_slot <= to_unsigned(1, SLOT_BITS);
    counted("its load comes back", load => '1');
    tick(clk);
    load_done <= '0';
    counted("its load is back");
    turns("1111", "its load is back");
    fate_slot <= to_unsigned(1, SLOT_BITS);
    waits     <= '1';
    load_done <= '1';
    tick(clk);
    waits     <= '0';
    load_done <= '0';
    turns("1111", "the load comes back as it is turned away");

    -- there was no room for the loads of three: they go on in turns, one for each load that is back, whose it is
    for w in 0 to 2 loop
      fate_slot <= to_unsigned(w, SLOT_BITS);
      crowded   <= '1';
      counted("it finds no room", load => '1');
      tick(clk);
    end loop;
    crowded <= '0';
    counted("three found no room", load => '1');
    turns("1000", "three wait for room");
    load_slot <= to_unsigned(3, SLOT_BITS);
    back("1001", "one has room");
    fate_slot <= to_unsigned(0, SLOT_BITS);
    crowded   <= '1';
    tick(clk);
    crowded   <= '0';
    turns("1000", "it found none, as another was faster");
    back("1010", "first the others");
    back("1110", "all the others");
    load_slot <= to_unsigned(0, SLOT_BITS);
    back("1111", "then it goes on, too");
    counted("all have room");
    back("1111", "no warp waits for room");

    -- barrier
    fate_slot <= to_unsigned(0, SLOT_BITS);
    blocks  <= '1';
    arrives <= '1';
    counted("it goes to a barrier", barrier => '1');
    tick(clk);
    blocks  <= '0';
    arrives <= '0';
    counted("one is on the way to a barrier", barrier => '1');
    turns("1110", "one is on the way to a barrier");
    answer(0, 16#48#, '1', '1', '0', '0');
    counted("one is at the barrier", barrier => '1');
    turns("1110", "one is at the barrier");
    releases <= "0001";
    tick(clk);
    releases <= "0000";
    turns("1111", "released");
    counted("released");
    fate_slot <= to_unsigned(0, SLOT_BITS);
    blocks  <= '1';
    arrives <= '1';
    tick(clk);
    blocks  <= '0';
    arrives <= '0';
    answer(0, 16#50#, '1', '0', '0', '0');
    turns("1111", "the last one opens the barrier");

    -- the end
    fate_slot <= to_unsigned(3, SLOT_BITS);
    blocks <= '1';
    ends_warp <= '1';
    counted("its last instruction issues");
    tick(clk);
    blocks <= '0';
    ends_warp <= '0';
    counted("its last instruction has issued");
    check(running = "0111" and finished = '0', "it runs no more, and is not out");
    turns("0111", "one ends");
    load_busy <= "1000";
    answer(3, 0, '0', '0', '1', '0');
    turns("0111", "one has finished");
    check(finished = '0', "its load is not back");
    load_busy <= "0000";
    tick(clk);
    check(finished = '1' and finished_slot = 3, "finished, with its load");
    tick(clk);
    wait for 1 ns;
    check(finished = '0', "reported once");
    answer(1, 0, '0', '0', '0', '1');
    turns("0101", "one has trapped");
    check(finished = '0', "which is no end");
    wait for 1 ns;
    check(choose = '0', "stage READ is full");
    halt <= '1';
    tick(clk);
    turns("0000", "a trap stopped the grid");

    -- two leave at once
    load_busy <= "0101";
    answer(2, 0, '0', '0', '1', '0');
    answer(0, 0, '0', '0', '1', '0');
    load_busy <= "0000";
    tick(clk);
    check(finished = '1' and finished_slot = 0, "one of two is reported");
    tick(clk);
    wait for 1 ns;
    check(finished = '1' and finished_slot = 2, "then the other");
    tick(clk);
    wait for 1 ns;
    check(finished = '0', "each once");

    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
