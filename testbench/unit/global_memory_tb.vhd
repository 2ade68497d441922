-- SPDX-License-Identifier: Apache-2.0
-- global_memory: lines of two SMs, byte by byte, of one bank in turn and of two at once; the host before them; an
-- atomic operation, which no access divides; an SM in the middle of an atomic instruction, which keeps the other
-- one out; clearing; accesses and atomic operations in turn, which each grid begins anew.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.memory_pkg.all;
use work.host_pkg.all;
use work.bench_pkg.all;

entity global_memory_tb is
end entity global_memory_tb;

architecture sim of global_memory_tb is
  constant SMS   : positive := 2;
  constant CORES : positive := 8;
  type lines_t is array (natural range <>) of unsigned(31 downto 0);
  signal clk       : std_ulogic := '0';
  signal rst       : std_ulogic := '1';
  signal grid_rst  : std_ulogic := '1';
  signal req       : std_ulogic_vector(SMS - 1 downto 0) := (others => '0');
  signal we        : std_ulogic_vector(SMS - 1 downto 0) := (others => '0');
  signal line      : lines_t(0 to SMS - 1) := (others => (others => '0'));
  signal bytes     : nibbles_t(0 to SMS * CORES - 1) := (others => "0000");
  signal data      : words_t(0 to SMS * CORES - 1) := (others => (others => '0'));
  signal grant     : std_ulogic_vector(SMS - 1 downto 0);
  signal rdata     : words_t(0 to SMS * CORES - 1);
  signal atomic    : sms_to_atomic_unit_t(0 to SMS - 1) := (others => SM_TO_ATOMIC_UNIT_INIT);
  signal done      : std_ulogic_vector(SMS - 1 downto 0);
  signal old       : word_t;
  signal changed   : word_t;
  signal host_re   : std_ulogic := '0';
  signal host_we   : std_ulogic := '0';
  signal host_addr : unsigned(29 downto 0) := (others => '0');
  signal host_data : word_t := (others => '0');
  signal host_word : word_t;
  signal host_line : words_t(0 to CORES - 1);
  signal requests  : sms_to_global_t(0 to SMS - 1);
  signal answers   : global_to_sms_t(0 to SMS - 1);
  signal host      : host_to_memories_t;
  signal clear     : std_ulogic := '0';
  signal clearing  : std_ulogic;
begin

  u_dut : entity work.global_memory
    generic map (SMS => SMS, CORES => CORES, GLOBAL_BYTES => 1024, BANKS => 4, HAS_ATOMICS => true, SEED => 1)
    port map (clk => clk, rst => rst, grid_rst_i => grid_rst, request_i => requests, bytes_i => bytes, data_i => data,
              answer_o => answers, data_o => rdata, host_i => host, host_data_o => host_word,
              host_line_o => host_line, clearing_o => clearing);

  each_sm : for s in 0 to SMS - 1 generate
    requests(s) <= (req => req(s), we => we(s), line => line(s), ready => '0', atomic => atomic(s));
    grant(s)    <= answers(s).grant;
    done(s)     <= answers(s).atomic_done;
  end generate;
  old     <= answers(0).atomic_old;
  changed <= answers(0).atomic_new;
  host <= (addr => host_addr(25 downto 0) & "00", data => host_data, global_re => host_re, global_we => host_we,
           clear => clear, others => '0');

  stimulus : process
    procedure host_write(word : natural; value : word_t) is
    begin
      host_we   <= '1';
      host_addr <= to_unsigned(word, 30);
      host_data <= value;
      tick(clk);
      host_we <= '0';
    end procedure host_write;

    procedure host_must_read(word : natural; must : word_t; what : string) is
    begin
      host_re   <= '1';
      host_addr <= to_unsigned(word, 30);
      tick(clk);
      host_re <= '0';
      wait for 1 ns;
      assert host_word = must report what & ": the host reads " & to_hstring(host_word) severity failure;
    end procedure host_must_read;

    procedure must_grant(must : std_ulogic_vector(SMS - 1 downto 0); what : string) is
    begin
      wait for 1 ns;
      assert grant = must report what & ": grants " & to_string(grant) severity failure;
    end procedure must_grant;
  begin
    tick(clk);
    rst      <= '0';
    grid_rst <= '0';
    for w in 0 to 15 loop
      host_write(w, std_ulogic_vector(to_unsigned(16#100# + w, 32)));
    end loop;

    -- a load of SM 1: the line one cycle later
    req(1)  <= '1';
    line(1) <= to_unsigned(1, 32);
    must_grant("10", "load");
    tick(clk);
    req <= "00";
    wait for 1 ns;
    for w in 0 to CORES - 1 loop
      assert rdata(CORES + w) = std_ulogic_vector(to_unsigned(16#108# + w, 32)) report "loaded line" severity failure;
    end loop;

    -- a store of SM 0: two bytes of word 3
    req(0)   <= '1';
    we(0)    <= '1';
    line(0)  <= to_unsigned(1, 32);
    bytes(3) <= "0110";
    data(3)  <= x"aabbccdd";
    must_grant("01", "store");
    tick(clk);
    req   <= "00";
    we    <= "00";
    bytes <= (others => "0000");
    host_must_read(11, x"00bbcc0b", "stored bytes");
    host_must_read(10, x"0000010a", "the word beside it");
    host_must_read(3, x"00000103", "the same word of another bank");
    host_must_read(11, x"00bbcc0b", "and back");

    for w in 0 to CORES - 1 loop
      assert w = 3 or host_line(w) = std_ulogic_vector(to_unsigned(16#108# + w, 32)) report "the host's line"
        severity failure;
    end loop;

    -- two lines of different banks at once
    line(0) <= to_unsigned(0, 32);
    req     <= "11";
    must_grant("11", "two banks");
    tick(clk);
    req <= "00";
    wait for 1 ns;
    for w in 0 to CORES - 1 loop
      assert rdata(w) = std_ulogic_vector(to_unsigned(16#100# + w, 32)) report "line 0" severity failure;
      assert w = 3 or rdata(CORES + w) = std_ulogic_vector(to_unsigned(16#108# + w, 32)) report "line 1"
        severity failure;
    end loop;
    line(0) <= to_unsigned(1, 32);

    -- the host goes first, then both in turn
    req <= "11";
    host_re <= '1';
    must_grant("00", "the host has the memory");
    host_re <= '0';
    wait for 1 ns;
    assert grant = "01" or grant = "10" report "one of two" severity failure;
    tick(clk);
    req <= "00";

    -- an atomic of SM 1 on word 9: three cycles, in which SM 0 waits
    atomic(1) <= (valid => '1', locks => '0', op => ATOMIC_ADD, is_signed => '0', address => x"00000024",
                  operand => x"00001000", desired => x"00000000");
    -- The host does not wait for it.
    host_re   <= '1';
    host_addr <= to_unsigned(1, 30);
    must_grant("00", "the host has the memory, not the atomic");
    tick(clk);
    host_re <= '0';
    must_grant("00", "an atomic is not granted as an access");
    tick(clk);
    req(0) <= '1';
    must_grant("00", "the word is read");
    assert done = "00" report "too early" severity failure;
    tick(clk);
    must_grant("00", "the new one is written");
    assert done = "10" and old = x"00000109" and changed = x"00001109" report "the answer" severity failure;
    -- The host delays it, at another line.
    host_re   <= '1';
    host_addr <= to_unsigned(3, 30);
    wait for 1 ns;
    assert done = "00" report "the host delays it" severity failure;
    tick(clk);
    host_re <= '0';
    check(host_word = x"00000103", "the host's word beside the write");
    host_we   <= '1';
    host_addr <= to_unsigned(4, 30);
    host_data <= x"00000204";
    wait for 1 ns;
    assert done = "00" report "the host delays it again" severity failure;
    tick(clk);
    host_we <= '0';
    wait for 1 ns;
    assert done = "10" and old = x"00000109" and changed = x"00001109" report "the answer later" severity failure;
    tick(clk);

    -- more lanes of that instruction: SM 0 waits, whichever SM's turn it is
    atomic(1).locks   <= '1';
    atomic(1).operand <= x"00020000";
    must_grant("00", "SM 0 waits for the instruction's end");
    tick(clk);
    host_must_read(2, x"00000102", "beside the computation");
    assert done = "10" and old = x"00001109" and changed = x"00021109" report "the second lane" severity failure;
    tick(clk);
    atomic(1).valid <= '0';
    must_grant("00", "locked between two lanes");
    tick(clk);
    must_grant("00", "and still");
    atomic(1).locks <= '0';
    must_grant("01", "the instruction has ended");
    tick(clk);
    req <= "00";
    host_must_read(9, x"00021109", "the atomics' word");
    host_must_read(8, x"00000108", "the word before it");
    host_must_read(10, x"0000010a", "the word behind it");
    host_must_read(4, x"00000204", "what the host wrote beside it");

    -- clearing, which a grid that begins does not end
    clear <= '1';
    tick(clk);
    clear    <= '0';
    req      <= "01";
    grid_rst <= '1';
    for cycle in 1 to 1024 / 4 / CORES / 4 loop
      must_grant("00", "clearing");
      assert clearing = '1' report "clears" severity failure;
      tick(clk);
      grid_rst <= '0';
    end loop;
    must_grant("01", "cleared");
    assert clearing = '0' report "has cleared" severity failure;
    tick(clk);
    req <= "00";
    for w in 8 to 15 loop
      host_must_read(w, x"00000000", "cleared word");
    end loop;

    -- an atomic waits for the end of that
    clear <= '1';
    tick(clk);
    clear <= '0';
    atomic(1).valid   <= '1';
    atomic(1).operand <= x"00000007";
    for cycle in 1 to 1024 / 4 / CORES / 4 + 2 loop
      assert done = "00" report "an atomic while memory clears itself" severity failure;
      tick(clk);
      wait for 1 ns;
    end loop;
    assert done = "10" and old = x"00000000" and changed = x"00000007" report "the answer after it" severity failure;
    tick(clk);
    atomic(1).valid <= '0';
    host_must_read(9, x"00000007", "the word after it");

    -- accesses and atomic operations take turns, the latter first in a grid
    grid_rst <= '1';
    tick(clk);
    grid_rst <= '0';
    req <= "01";
    atomic(1).valid <= '1';
    for turn in 1 to 3 loop
      for cycle in 1 to 3 loop
        must_grant("00", "an atomic operation");
        tick(clk);
      end loop;
      must_grant("01", "then an access");
      tick(clk);
    end loop;

    -- a grid begins with the first SM's turn, whichever SM had the last one of the grid before: in each bank
    atomic(1).valid <= '0';
    for bank in 0 to 3 loop
      line <= (others => to_unsigned(bank, 32));
      for grid in 1 to 2 loop
        req <= (0 => '1', others => to_sl(grid = 2));
        must_grant("01", "the first SM's turn in bank " & integer'image(bank));
        tick(clk);
        req      <= "00";
        grid_rst <= '1';
        tick(clk);
        grid_rst <= '0';
      end loop;
    end loop;
    -- The same for atomic operations.
    for grid in 1 to 2 loop
      atomic(0).valid <= '1';
      atomic(1).valid <= to_sl(grid = 2);
      tick(clk);
      tick(clk);
      wait for 1 ns;
      check(done = "01", "the first SM's turn for an atomic operation");
      tick(clk);
      atomic(0).valid <= '0';
      atomic(1).valid <= '0';
      grid_rst <= '1';
      tick(clk);
      grid_rst <= '0';
    end loop;

    -- a reset ends clearing
    clear <= '1';
    tick(clk);
    clear <= '0';
    check(clearing = '1', "clears again");
    rst <= '1';
    tick(clk);
    rst <= '0';
    check(clearing = '0', "clears no more");

    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
