-- SPDX-License-Identifier: Apache-2.0
-- shared_memory behind store_words: stage BOUNDS tells which lanes meet; one pass serves each bank once and broadcasts
-- its word, the other lanes come in later passes; bytes of several lanes merge into one word, the highest lane winning.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.bench_pkg.all;

entity shared_memory_tb is
end entity shared_memory_tb;

architecture sim of shared_memory_tb is
  constant CORES : positive := 8;
  subtype lanes_t is std_ulogic_vector(CORES - 1 downto 0);
  type addresses_t is array (0 to CORES - 1) of natural;

  signal clk                  : std_ulogic := '0';
  signal front                : std_ulogic := '0';
  signal b_words              : shared_words_t(0 to CORES - 1) := (others => (others => '0'));
  signal conflicts            : lane_pairs_t(0 to CORES - 1);
  signal again                : std_ulogic := '0';
  signal m_pending, n_pending : lanes_t := (others => '0');
  signal raddr                : shared_words_t(0 to CORES - 1) := (others => (others => '0'));
  signal m_served, n_served   : lanes_t;
  signal re                   : std_ulogic := '0';
  signal data                 : words_t(0 to CORES - 1);
  signal stores               : lanes_t := (others => '0');  -- lanes of the store that comes
  signal writes               : lanes_t := (others => '0');  -- lanes of the store in stage X3
  signal places               : places_t(0 to CORES - 1) := (others => (others => '0'));
  signal size                 : size_t := SIZE_4;
  signal values               : words_t(0 to CORES - 1) := (others => (others => '0'));
  signal init                 : std_ulogic := '0';
  signal init_addr            : shared_word_t := (others => '0');
  signal init_data            : word_t := (others => '0');
  signal p_init               : std_ulogic := '0';           -- the dispatcher's word is in stage SORT
  signal bytes                : nibbles_t(0 to CORES - 1);   -- by bank: what is written
  signal wdata                : words_t(0 to CORES - 1);

  function value(address : natural) return word_t is
  begin
    return std_ulogic_vector(to_unsigned(address, 12)) & x"5" & std_ulogic_vector(not to_unsigned(address, 16));
  end function value;
begin

  u_dut : entity work.shared_memory
    generic map (CORES => CORES, SEED => 1)
    port map (clk => clk, front_i => front, bounds_words_i => b_words, conflicts_o => conflicts, again_i => again,
              pass_pending_i => m_pending, memory_pending_i => n_pending, read_i => raddr, pass_served_o => m_served,
              memory_served_o => n_served, re_i => re, data_o => data, bytes_i => bytes,
              wdata_i => wdata, init_i => p_init, init_addr_i => init_addr);

  u_stores : entity work.store_words
    generic map (CORES => CORES)
    port map (clk => clk, enters_i => '1', lanes_i => writes, places_i => places, size_i => size,
              data_i => values, init_i => init, init_word_i => init_addr, init_data_i => init_data,
              bytes_o => bytes, data_o => wdata);

  p_init <= init when rising_edge(clk);

  stimulus : process
    procedure check(is_word, must_be : word_t; what : string) is
    begin
      assert is_word = must_be
        report what & ": is " & to_hstring(is_word) & ", must be " & to_hstring(must_be) severity failure;
    end procedure check;

    -- The beat with these words goes from stage BOUNDS to PASS.
    procedure enter(words : shared_words_t(0 to CORES - 1)) is
    begin
      b_words <= words;
      front   <= '1';
      wait for 1 ns;
      for l in words'range loop
        for other in 0 to CORES - 1 loop
          assert conflicts(l)(other) = to_sl(other < l and words(l) /= words(other)
                                             and words(l) mod CORES = words(other) mod CORES)
            report "lanes " & integer'image(l) & " and " & integer'image(other) & " in a bank" severity failure;
        end loop;
      end loop;
      tick(clk);
      front   <= '0';
      b_words <= (others => (others => '0'));
      raddr   <= words;
    end procedure enter;

    -- The lanes of `readers` read; must take `passes`, the first of which serves `first`.
    procedure read(readers : lanes_t; addresses : addresses_t; first : lanes_t; passes : positive; what : string) is
      variable left : lanes_t := readers;
      variable now  : lanes_t;
      variable words : shared_words_t(0 to CORES - 1);
    begin
      for l in addresses'range loop
        words(l) := to_unsigned(addresses(l), 12);
      end loop;
      re <= '0';
      enter(words);
      re <= '1';
      for pass in 1 to passes loop
        m_pending <= (others => '1');                        -- another beat, but in the first pass
        n_pending <= (others => '1');
        again     <= to_sl(pass > 1);
        if pass = 1 then
          m_pending <= left;
          wait for 1 ns;
          now := m_served;
        else
          n_pending <= left;
          wait for 1 ns;
          now := n_served;
        end if;
        assert pass > 1 or now = first report what & ": serves " & to_string(now) severity failure;
        tick(clk);
        again     <= '1';
        m_pending <= (others => '0');
        n_pending <= (others => '0');
        for stage in STAGE_FILES to STAGE_SOURCES loop
          tick(clk);
        end loop;
        for l in addresses'range loop
          if now(l) = '1' then
            check(data(l), value(addresses(l)), what & ", lane " & integer'image(l));
          end if;
        end loop;
        left := left and not now;
        assert (pass = passes) = (left = (left'range => '0'))
          report what & ": " & to_string(left) & " left after pass " & integer'image(pass) severity failure;
      end loop;
      again <= '0';
      re    <= '0';
    end procedure read;

    procedure store(lane, address : natural; data_word : word_t) is
    begin
      stores(lane) <= '1';
      raddr(lane)  <= to_unsigned(address / 4, 12);
      places(lane) <= to_unsigned(address mod 128, 7);
      values(lane) <= data_word;
    end procedure store;

    -- The store asks in PASS; others are behind it, and in X2 all wait for a cycle. It is written two cycles after it
    -- has left X3, when the others have moved on.
    procedure write is
    begin
      wait for 0 ns;
      enter(raddr);
      m_pending <= stores;
      re        <= '1';
      wait for 1 ns;
      assert m_served = stores
        report "a store is served but for " & to_string(stores and not m_served) severity failure;
      for l in raddr'range loop
        b_words(l) <= to_unsigned(96 + l, 12);
      end loop;
      front <= '1';
      tick(clk);
      front     <= '0';
      raddr     <= b_words;
      m_pending <= (others => '1');
      for stage in STAGE_FILES to STAGE_RESOLVE loop
        if stage = STAGE_X3 then
          re <= '0';
          tick(clk);
          re <= '1';
        end if;
        if stage = STAGE_RESOLVE then
          writes <= stores;
        end if;
        tick(clk);
      end loop;
      m_pending <= (others => '0');
      writes    <= (others => '0');
      stores    <= (others => '0');
      tick(clk);
      re <= '0';
      tick(clk);
    end procedure write;

    procedure expect(address : natural; must_be : word_t; what : string) is
    begin
      m_pending <= (0 => '1', others => '0');
      raddr(0)  <= to_unsigned(address, 12);
      re        <= '1';
      for stage in STAGE_MEMORY to STAGE_SOURCES loop
        tick(clk);
      end loop;
      check(data(0), must_be, what);
      re <= '0';
      raddr(0) <= to_unsigned(address + 1, 12);
      tick(clk);
      check(data(0), must_be, what & ", held");
    end procedure expect;
  begin
    for a in 0 to 127 loop
      init      <= '1';
      init_addr <= to_unsigned(a, 12);
      init_data <= value(a);
      tick(clk);
    end loop;
    init <= '0';
    tick(clk);
    tick(clk);

    read("11111111", (8, 9, 10, 11, 12, 13, 14, 15), "11111111", 1, "one lane a bank");
    read("11111111", (15, 6, 21, 4, 83, 2, 9, 0), "11111111", 1, "one lane a bank, in disorder");
    read("11111111", (others => 20), "11111111", 1, "broadcast");
    read("11111111", (3, 3, 4, 4, 13, 13, 3, 14), "11111111", 1, "several broadcasts");
    read("10110110", (0, 8, 8, 8, 16, 8, 1, 1), "10100110", 2, "inactive lanes do not choose");
    read("11111111", (0, 8, 16, 24, 32, 40, 48, 56), "00000001", 8, "all in one bank");
    read("11111111", (0, 8, 0, 8, 1, 9, 1, 9), "01010101", 2, "two words in each of two banks");

    -- bytes of four lanes in one word, whatever else they hold; two lanes at one byte of another
    size <= SIZE_1;
    store(0, 4 * 5, x"ffffffaa");
    store(1, 4 * 5 + 1, x"ffffffbb");
    store(6, 4 * 5 + 2, x"ffffffcc");
    store(7, 4 * 5 + 3, x"ffffffdd");
    store(3, 4 * 6 + 1, x"11111111");
    store(4, 4 * 6 + 1, x"22222222");
    write;
    expect(5, x"ddccbbaa", "bytes of four lanes");
    expect(6, value(6)(31 downto 16) & x"22" & value(6)(7 downto 0), "the highest lane wins, other bytes stay");
    expect(101, value(101), "what the beat behind it reads");

    -- halves, of lanes 0 and 5; then words, one of three lanes
    size <= SIZE_2;
    store(5, 4 * 16, x"00001234");
    store(0, 4 * 16 + 2, x"00005678");
    store(7, 4 * 17 + 2, x"00009abc");
    write;
    expect(16, x"56781234", "two halves");
    expect(17, x"9abc" & value(17)(15 downto 0), "a half alone");
    size <= SIZE_4;
    store(1, 4 * 26, x"11111111");
    store(2, 4 * 26, x"22222222");
    store(3, 4 * 26, x"33333333");
    store(0, 4 * 31, x"76543210");
    write;
    expect(26, x"33333333", "the highest of three lanes");
    expect(31, x"76543210", "a word alone");

    init      <= '1';
    init_addr <= to_unsigned(7, 12);
    init_data <= x"12345678";
    tick(clk);
    init <= '0';
    tick(clk);
    tick(clk);
    expect(7, x"12345678", "the dispatcher's word");
    expect(4, value(4), "the words beside it");
    expect(13, value(13), "the next line of the bank");

    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
