-- SPDX-License-Identifier: Apache-2.0
-- code_memory: near words are granted at once to all, far ones in turn, one a cycle; either comes one cycle later, as
-- the host wrote it; the host goes before far words.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.front_pkg.all;
use work.host_pkg.all;
use work.bench_pkg.all;

entity code_memory_tb is
end entity code_memory_tb;

architecture sim of code_memory_tb is
  constant SMS : positive := 5;
  subtype sms_t is std_ulogic_vector(SMS - 1 downto 0);
  type code_addrs_t is array (natural range <>) of unsigned(20 downto 0);
  type code_words_t is array (natural range <>) of std_ulogic_vector(63 downto 0);
  signal clk       : std_ulogic := '0';
  signal rst       : std_ulogic := '1';
  signal req       : sms_t := (others => '0');
  signal addr      : code_addrs_t(0 to SMS - 1) := (others => (others => '0'));
  signal grant     : sms_t;
  signal data      : code_words_t(0 to SMS - 1);
  signal requests  : sms_to_code_t(0 to SMS - 1);
  signal answers   : code_to_sms_t(0 to SMS - 1);
  signal host      : host_to_memories_t;
  signal host_re   : std_ulogic := '0';
  signal host_we   : std_ulogic := '0';
  signal host_addr : unsigned(23 downto 0) := (others => '0');
  signal host_data : word_t := (others => '0');
  signal host_word : word_t;

  constant NEAR : natural := 64 / 8;                         -- words of a copy
begin

  u_dut : entity work.code_memory
    generic map (SMS => SMS, CODE_BYTES => 256, NEAR_BYTES => 64, SEED => 1)
    port map (clk => clk, rst => rst, request_i => requests, answer_o => answers, host_i => host,
              host_data_o => host_word);

  each_sm : for s in 0 to SMS - 1 generate
    requests(s) <= (req => req(s), addr => addr(s));
    grant(s)    <= answers(s).grant;
    data(s)     <= answers(s).data;
  end generate;
  host <= (addr => x"0" & host_addr, data => host_data, code_re => host_re, code_we => host_we, others => '0');

  stimulus : process
    type word_numbers_t is array (0 to SMS - 1) of natural;
    variable must : sms_t;

    function half(number : natural) return word_t is
    begin
      return std_ulogic_vector(to_unsigned(16#1000# + number, 32));
    end function half;

    procedure write(h : natural) is
    begin
      host_we   <= '1';
      host_addr <= to_unsigned(4 * h, 24);
      host_data <= half(h);
      tick(clk);
    end procedure write;

    procedure ask(words : word_numbers_t; granted : sms_t; what : string) is
    begin
      for s in words'range loop
        addr(s) <= to_unsigned(words(s), 21);
      end loop;
      wait for 1 ns;
      assert grant = granted report what & ": grants " & to_string(grant) severity failure;
    end procedure ask;

    -- The words arrive while all ask on the other side, near or far.
    procedure go is
    begin
      tick(clk);
      for s in addr'range loop
        addr(s) <= addr(s) xor to_unsigned(NEAR, 21);
      end loop;
      wait for 1 ns;
    end procedure go;

    procedure must_get(sm, word : natural) is
    begin
      assert data(sm) = half(2 * word + 1) & half(2 * word)
        report "SM " & integer'image(sm) & " gets " & to_hstring(data(sm)) severity failure;
    end procedure must_get;
  begin
    tick(clk);
    rst <= '0';
    for h in 0 to 31 loop
      write(h);
    end loop;
    for h in 63 downto 32 loop                               -- the upper half of a word first
      write(h);
    end loop;
    host_we <= '0';
    host_re <= '1';
    host_addr <= to_unsigned(4 * 45, 24);
    tick(clk);
    host_re <= '0';
    wait for 1 ns;
    assert host_word = half(45) report "the host reads " & to_hstring(host_word) severity failure;

    -- near words, also of one address, while the host is there
    req     <= "11111";
    host_re <= '1';
    ask((0, NEAR - 1, 0, 5, 2), "11111", "near words");
    host_re <= '0';
    go;
    must_get(0, 0);
    must_get(1, NEAR - 1);
    must_get(2, 0);
    must_get(3, 5);
    must_get(4, 2);
    req <= "00000";
    ask((0, NEAR, 1, 2, 3), "00000", "no request");

    -- far words in turn, near ones beside them
    req <= "11111";
    for s in 0 to SMS - 1 loop
      must    := (others => '0');
      must(s) := '1';
      ask((NEAR, NEAR + 1, NEAR + 2, NEAR + 3, NEAR + 4), must, "SM " & integer'image(s) & "'s turn");
      go;
      must_get(s, NEAR + s);
    end loop;
    ask((NEAR, 3, NEAR + 2, 4, NEAR + 1), "01011", "the first SM's turn again, and near words");
    go;
    must_get(0, NEAR);
    must_get(1, 3);
    must_get(3, 4);
    ask((NEAR + 5, 3, 4, NEAR + 6, NEAR + 7), "01110", "the SM that asked for a near word has had no turn");
    go;
    must_get(3, NEAR + 6);

    -- the host before them
    host_re <= '1';
    ask((others => NEAR), "00000", "the host has the far words");
    host_re <= '0';
    ask((others => NEAR), "10000", "and goes on");
    tick(clk);

    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
