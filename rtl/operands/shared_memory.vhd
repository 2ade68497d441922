-- SPDX-License-Identifier: Apache-2.0
-- Shared memory of one SM: CORES banks of 32-bit words; a bank serves one word a cycle to all lanes that read it.
--
--   B  finds lanes that meet in a bank       N, G, L  words of the pass
--   M  served_o: the lanes of this pass      T        a store, sorted by bank (store_words)
--
-- Stage M waits where a read would meet a write of the same word.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;

entity shared_memory is
  generic (
    CORES : positive;
    SEED  : natural
  );
  port (
    clk        : in  std_ulogic;
    -- stage B
    front_i    : in  std_ulogic;                             -- its beat goes on
    b_words_i  : in  shared_words_t(0 to CORES - 1);         -- word addresses
    conflicts_o : out lane_pairs_t(0 to CORES - 1);          -- of each lane: lower ones that want the same bank's other
                                                             -- words
    -- stage M, or N again
    again_i    : in  std_ulogic;
    m_pending_i : in std_ulogic_vector(CORES - 1 downto 0);  -- of the beat in M: lanes that want a word
    n_pending_i : in std_ulogic_vector(CORES - 1 downto 0);  -- of the beat in N: lanes that want a word
    read_i     : in  shared_words_t(0 to CORES - 1);         -- of the beat that is read
    m_served_o : out std_ulogic_vector(CORES - 1 downto 0);  -- of the lanes in M: those that one pass serves
    n_served_o : out std_ulogic_vector(CORES - 1 downto 0);  -- of the lanes in N: those that one pass serves
    re_i       : in  std_ulogic;
    data_o     : out words_t(0 to CORES - 1);                -- four moves later
    -- write, by bank, in stage T: the store of a beat, or the dispatcher's word
    bytes_i    : in  nibbles_t(0 to CORES - 1);              -- byte enables
    wdata_i    : in  words_t(0 to CORES - 1);
    init_i     : in  std_ulogic;                             -- the dispatcher's, one cycle ahead
    init_addr_i : in shared_word_t                           -- its address, two cycles ahead
  );
end entity;

architecture rtl of shared_memory is

  constant BANK_BITS : natural  := log2(CORES);
  constant LINE_BITS : positive := 12 - BANK_BITS;

  subtype line_t is unsigned(LINE_BITS - 1 downto 0);
  subtype bank_t is unsigned(BANK_BITS - 1 downto 0);
  type banks_t is array (0 to CORES - 1) of bank_t;

  subtype lanes_t is std_ulogic_vector(CORES - 1 downto 0);
  type lane_sets_t is array (0 to CORES - 1) of lanes_t;
  type lines_t is array (0 to CORES - 1) of line_t;

  function line_of(a : shared_word_t) return line_t is
  begin
    return a(11 downto BANK_BITS);
  end function;

  -- pairs of lanes that meet in a bank, and those of them that want different words
  type meeting_t is record
    meet   : lane_pairs_t(0 to CORES - 1);
    differ : lane_pairs_t(0 to CORES - 1);
  end record;
  signal b_pairs, m_pairs, n_pairs : meeting_t;

  signal bank       : banks_t;                               -- by lane: the one it reads
  signal m_leads, n_leads, leads : lanes_t;                  -- the lowest lane that wants its bank: in M, N, of both
  signal reads      : lane_sets_t;                           -- by lane: the bank that it leads
  signal read_line  : lines_t;                               -- by bank: of the pass in M
  type stages_lines_t is array (STAGE_N to STAGE_Y) of lines_t;
  signal stage_line : stages_lines_t;                        -- lines of the beats in stages N to Y
  signal write_line : lines_t;                               -- lines of the store in T
  signal init_line  : line_t;
  signal bank_read  : words_t(0 to CORES - 1);
  signal bank_data  : words_t(0 to CORES - 1);               -- bank_read, latched in L
  signal n_bank, g_bank : banks_t;                           -- by lane: of the pass in N, or G
  signal lane_bank  : banks_t;                               -- by lane: bank of the words that arrive
  signal lane_data  : words_t(0 to CORES - 1);

begin

  conflicts_o <= b_pairs.differ;
  leads       <= n_leads when again_i = '1' else m_leads;

  remember_pairs : process (clk)
  begin
    if rising_edge(clk) then
      if front_i = '1' then
        m_pairs <= b_pairs;
      end if;
      if re_i = '1' and again_i = '0' then
        n_pairs <= m_pairs;
      end if;
    end if;
  end process;

  follow : process (clk)
  begin
    if rising_edge(clk) then
      if re_i = '1' then
        stage_line(STAGE_N) <= read_line;
        bank_data           <= bank_read;
        for stage in STAGE_G to STAGE_Y loop
          stage_line(stage) <= stage_line(stage - 1);
        end loop;
      end if;
      init_line <= line_of(init_addr_i);
      for b in 0 to CORES - 1 loop
        write_line(b) <= stage_line(STAGE_Y)(b);
        if init_i = '1' then
          write_line(b) <= init_line;
        end if;
      end loop;
    end if;
  end process;

  lane : for l in 0 to CORES - 1 generate
    bank(l)  <= read_i(l)(BANK_BITS - 1 downto 0);
    reads(l) <= one_hot(bank(l), CORES) and lanes_t'(others => leads(l));

    -- Among lanes: to compare with what the bank serves would take a multiplexer of the banks' addresses for each lane.
    compare : process (all)
      variable met : std_ulogic;
    begin
      b_pairs.meet(l)   <= (others => '0');
      b_pairs.differ(l) <= (others => '0');
      for lower in 0 to CORES - 1 loop
        met := to_sl(lower < l)
               and to_sl(b_words_i(lower)(BANK_BITS - 1 downto 0) = b_words_i(l)(BANK_BITS - 1 downto 0));
        b_pairs.meet(l)(lower)   <= met;
        b_pairs.differ(l)(lower) <= met and to_sl(line_of(b_words_i(lower)) /= line_of(b_words_i(l)));
      end loop;
    end process;
    m_leads(l)    <= m_pending_i(l) and not or_reduce(m_pending_i and m_pairs.meet(l)(CORES - 1 downto 0));
    n_leads(l)    <= n_pending_i(l) and not or_reduce(n_pending_i and n_pairs.meet(l)(CORES - 1 downto 0));
    m_served_o(l) <= m_pending_i(l) and not or_reduce(m_leads and m_pairs.differ(l)(CORES - 1 downto 0));
    n_served_o(l) <= n_pending_i(l) and not or_reduce(n_leads and n_pairs.differ(l)(CORES - 1 downto 0));

    remember_bank : process (clk)
    begin
      if rising_edge(clk) then
        if re_i = '1' then
          n_bank(l)    <= bank(l);
          g_bank(l)    <= n_bank(l);
          lane_bank(l) <= g_bank(l);
          data_o(l)    <= lane_data(l);
        end if;
      end if;
    end process;

    u_deliver : entity work.mux_word
      generic map (CORES => CORES)
      port map (words_i => bank_data, index_i => lane_bank(l), word_o => lane_data(l));
  end generate;

  banks : for b in 0 to CORES - 1 generate
    choose : process (all)
      variable line : line_t;
    begin
      line := (others => '0');
      for l in 0 to CORES - 1 loop
        line := line or (line_of(read_i(l)) and line_t'(others => reads(l)(b)));
      end loop;
      read_line(b) <= line;
    end process;

    u_bank : entity work.ram_1r1w
      generic map (ADDR_BITS => LINE_BITS, COLUMN_BITS => 8, COLUMNS => 4, SEED => SEED)
      port map (
        clk     => clk,
        re_i    => re_i,
        raddr_i => stage_line(STAGE_N)(b),
        rdata_o => bank_read(b),
        we_i    => bytes_i(b),
        waddr_i => write_line(b),
        wdata_i => wdata_i(b)
      );
  end generate;

end architecture;
