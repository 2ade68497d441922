-- SPDX-License-Identifier: Apache-2.0
-- fetch: whatever the code memory's grants and the redirections, each warp reads its words in order from where it was
-- sent, with address and half; words that were under way when it was sent elsewhere never show. Random, 20000 cycles. A
-- lone warp gets a word every fourth cycle, the first as soon as it can come, and all that it asked for.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.front_pkg.all;
use work.bench_pkg.all;

entity fetch_tb is
end entity fetch_tb;

architecture sim of fetch_tb is
  constant WARPS   : positive := 3;
  constant LATENCY : positive := 1 + DECODE_CYCLES;

  signal clk      : std_ulogic := '0';
  signal rst      : std_ulogic := '1';
  signal running  : std_ulogic_vector(WARPS - 1 downto 0) := (others => '0');
  signal redirect : std_ulogic := '0';
  signal slot     : slot_t := (others => '0');
  signal pc       : pc_t := (others => '0');
  signal req      : std_ulogic;
  signal addr     : unsigned(20 downto 0);
  signal grant    : std_ulogic := '0';
  signal data     : std_ulogic_vector(63 downto 0) := (others => 'X');
  signal ready    : std_ulogic_vector(WARPS - 1 downto 0);
  signal read     : std_ulogic := '0';
  signal read_slot : slot_t := (others => '0');
  signal word     : std_ulogic_vector(63 downto 0);
  signal word_addr : unsigned(20 downto 0);
  signal upper    : std_ulogic;
  signal arriving_addr : unsigned(20 downto 0);
  signal issuing  : std_ulogic := '0';                       -- an instruction was read and has not left
  signal take_slot : slot_t := (others => '0');
  signal take     : std_ulogic := '0';
  signal take_word : std_ulogic := '0';

  function code(address : unsigned(20 downto 0)) return std_ulogic_vector is
  begin
    return "00000" & x"c0d" & "000" & std_ulogic_vector(address) & "00" & not std_ulogic_vector(address);
  end function code;
  signal fate      : issue_to_sched_t;
  signal read_warp : std_ulogic_vector(WARPS - 1 downto 0);
begin

  read_warp <= one_hot(read_slot, WARPS);

  fate <= (slot => take_slot, take => take, take_word => take_word, others => '0');

  u_dut : entity work.fetch
    generic map (WARPS => WARPS, LATENCY => LATENCY, WORD_BITS => 64, SEED => 1)
    port map (clk => clk, rst => rst, running_i => running, refetch_i.valid => redirect,
              refetch_i.slot => slot, refetch_i.pc => pc,
              req_o => req, addr_o => addr, grant_i => grant, arriving_addr_o => arriving_addr, data_i => data,
              ready_o => ready, read_i.valid => read, read_i.slot => read_slot,
              read_warp_i => read_warp, word_o => word,
              addr_of_word_o => word_addr, upper_o => upper,
              fate_i => fate);

  stimulus : process
    type pcs_t is array (0 to WARPS - 1) of natural;
    type counts_t is array (0 to WARPS - 1) of natural;
    variable must_pc  : pcs_t := (others => 0);              -- of the next instruction
    variable taken    : counts_t := (others => 0);
    variable random   : random_t;
    variable warp     : natural := 0;                        -- its instruction was read
    variable next_warp : natural := 0;
    variable other    : natural;
    variable reading  : boolean;
    type words_t is array (1 to LATENCY) of std_ulogic_vector(63 downto 0);
    variable under_way : words_t := (others => (others => 'X'));
    variable leaves   : boolean;                             -- the instruction is consumed or turned away
    variable redirects : natural := 0;
    variable waited   : natural;                             -- for a word
    variable always   : boolean := false;                    -- the memory grants every request
    variable never    : boolean := false;                    -- the memory grants none

    procedure send(w, address : natural) is
    begin
      redirect   <= '1';
      slot       <= to_unsigned(w, SLOT_BITS);
      pc         <= to_unsigned(address, 24);
      must_pc(w) := address;
    end procedure send;

    -- One clock: the memory answers a grant LATENCY cycles later.
    procedure tick is
    begin
      grant <= to_sl(not never and (always or random.draw(3) > 0));
      wait for 1 ns;
      under_way(2 to LATENCY) := under_way(1 to LATENCY - 1);
      under_way(1)            := (others => 'X');
      if req = '1' and grant = '1' then
        under_way(1) := code(addr);
      end if;
      clk <= '1';
      wait for 1 ns;
      clk <= '0';
      data <= under_way(LATENCY);
      redirect <= '0';
      read     <= '0';
      take     <= '0';
      wait for 0 ns;
    end procedure tick;

    procedure check_word(w : natural) is
    begin
      assert word_addr = must_pc(w) / 8 and upper = to_sl(must_pc(w) mod 8 = 4) and word = code(word_addr)
        report "warp " & integer'image(w) & " must read at " & integer'image(must_pc(w)) & ", is at "
               & integer'image(to_integer(word_addr) * 8) severity failure;
    end procedure check_word;
  begin
    tick;
    rst <= '0';
    for w in 0 to WARPS - 1 loop
      send(w, 64 * w);
      running(w) <= '1';
      tick;
    end loop;

    for cycle in 1 to 20000 loop
      leaves := true;
      if issuing = '1' then
        leaves    := random.draw(4) > 0;
        take      <= to_sl(leaves and random.draw(4) > 0);
        wait for 0 ns;
      end if;
      take_slot <= to_unsigned(warp, SLOT_BITS);
      wait for 1 ns;
      next_warp := random.draw(WARPS);
      if leaves and ready(next_warp) = '1' and (issuing = '0' or next_warp /= warp or take = '0') then
        read      <= '1';
        read_slot <= to_unsigned(next_warp, SLOT_BITS);
      end if;
      if take = '1' then
        taken(warp)   := taken(warp) + 1;
        must_pc(warp) := must_pc(warp) + 4;
        if take_word = '1' then
          must_pc(warp) := (must_pc(warp) + 4) / 8 * 8;
        end if;
      end if;
      wait for 0 ns;
      other := random.draw(WARPS);
      if random.draw(8) = 0 and (other /= warp or issuing = '0' or leaves)
         and (other /= next_warp or read = '0') then
        send(other, random.draw(2 ** 22) * 4);               -- all of the address space
        redirects := redirects + 1;
      end if;
      reading := read = '1';
      tick;
      if reading then
        warp      := next_warp;
        issuing   <= '1';
        take_word <= upper or random.flag(2);
        check_word(warp);
      elsif leaves then
        issuing <= '0';
      end if;
      wait for 0 ns;
    end loop;
    for w in 0 to WARPS - 1 loop
      assert taken(w) > 500
        report "warp " & integer'image(w) & " took only " & integer'image(taken(w)) severity failure;
    end loop;
    assert redirects > 500 report "too few redirections" severity failure;

    -- words of 8 bytes, consumed as they come
    always  := true;
    running <= "001";
    issuing <= '0';
    for quiet in 1 to 20 loop
      tick;
    end loop;
    for start in 0 to 1 loop
      send(0, 4096 + 4 * start);
      tick;
      for cycle in 1 to LATENCY loop
        tick;
      end loop;
      take_slot <= to_unsigned(0, SLOT_BITS);
      take_word <= '1';
      for n in 0 to 40 loop
        wait for 1 ns;
        assert ready(0) = '1' report "a lone warp waits for word " & integer'image(n) severity failure;
        read      <= '1';
        read_slot <= to_unsigned(0, SLOT_BITS);
        tick;
        check_word(0);
        must_pc(0) := (must_pc(0) + 8) / 8 * 8;
        take <= '1';
        tick;
        tick;
        tick;
      end loop;
    end loop;

    -- no redirect: a request that is not granted at once is not forgotten
    always := false;
    send(0, 16384);
    tick;
    for n in 0 to 40 loop
      waited := 0;
      wait for 1 ns;
      while ready(0) = '0' loop
        waited := waited + 1;
        assert waited < 100 report "word " & integer'image(n) & " never comes" severity failure;
        tick;
        wait for 1 ns;
      end loop;
      read <= '1';
      tick;
      check_word(0);
      take <= '1';
      must_pc(0) := must_pc(0) + 8;
      tick;
    end loop;

    -- a word that a reset finds under way, or asked for, never shows
    for granted_before in boolean loop
      never   := not granted_before;
      running <= "001";
      send(0, 8192);
      tick;
      rst     <= '1';
      running <= "000";
      tick;
      rst   <= '0';
      never := false;
      for quiet in 1 to LATENCY + 4 loop
        wait for 1 ns;
        assert ready = "000" report "a word has come through the reset" severity failure;
        tick;
      end loop;
    end loop;

    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
