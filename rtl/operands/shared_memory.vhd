-- SPDX-License-Identifier: Apache-2.0
-- Shared memory of one SM: CORES banks of 32-bit words; a bank serves one word a cycle to all lanes that read it.
--
--   BOUNDS  finds lanes that meet in a bank     MEMORY, FILES, LATCH  words of the pass
--   PASS    served_o: the lanes of this pass    MERGE                 a store, sorted by bank (store_words)
--
-- Stage PASS waits where a read would meet a write of the same word.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.stages_pkg.all;

entity shared_memory is
  generic (
    CORES : positive;
    SEED  : natural
  );
  port (
    clk        : in  std_ulogic;
    -- stage BOUNDS
    front_i        : in  std_ulogic;                         -- its beat goes on
    bounds_words_i : in  shared_words_t(0 to CORES - 1);     -- word addresses
    conflicts_o    : out lane_pairs_t(0 to CORES - 1);       -- of each lane: lower ones that want the same bank's other
                                                             -- words
    -- stage PASS, or MEMORY again
    again_i          : in  std_ulogic;
    pass_pending_i   : in std_ulogic_vector(CORES - 1 downto 0); -- of the beat in PASS: lanes that want a word
    memory_pending_i : in std_ulogic_vector(CORES - 1 downto 0); -- of the beat in MEMORY: lanes that want a word
    read_i           : in  shared_words_t(0 to CORES - 1);   -- of the beat that is read
    pass_served_o    : out std_ulogic_vector(CORES - 1 downto 0); -- of the lanes in PASS: those that one pass serves
    memory_served_o  : out std_ulogic_vector(CORES - 1 downto 0); -- of the lanes in MEMORY: those that one pass serves
    re_i             : in  std_ulogic;
    data_o           : out words_t(0 to CORES - 1);          -- four moves later
    -- write, by bank, in stage MERGE: the store of a beat, or the dispatcher's word
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
  signal bounds_pairs, pass_pairs, memory_pairs : meeting_t;

  signal pass_leads, memory_leads, leads : lanes_t;          -- the lowest lane that wants its bank: in PASS, in MEMORY,
                                                             -- of the beat that is read
  signal bank                                : banks_t;      -- by lane: the one it reads
  signal memory_bank, files_bank, latch_bank : banks_t;
  signal reads                               : lane_sets_t;  -- by lane: the bank that it leads
  signal read_line                           : lines_t;      -- by bank: of the pass in PASS
  signal bank_read                           : words_t(0 to CORES - 1);
  signal latch_data                          : words_t(0 to CORES - 1); -- by bank
  signal lane_data                           : words_t(0 to CORES - 1); -- by lane

  type stages_lines_t is array (STAGE_FILES to STAGE_RESOLVE) of lines_t;
  signal memory_line               : lines_t;                -- lines of the beat in MEMORY
  signal stage_line                : stages_lines_t;         -- lines of the beats in FILES to RESOLVE
  signal write_line, write_line_in : lines_t;                -- lines of the store in MERGE
  signal init_line, init_line_in   : line_t;

begin

  --------------------------------------------------------------------------------------------------------------
  -- BOUNDS: pairs of lanes. To compare with what the bank serves would take a multiplexer of the banks' addresses for
  -- each lane.

  pairs : for l in 0 to CORES - 1 generate
    compare : process (all)
      variable met : std_ulogic;
    begin
      bounds_pairs.meet(l)   <= (others => '0');
      bounds_pairs.differ(l) <= (others => '0');
      for lower in 0 to CORES - 1 loop
        met := to_sl(lower < l)
               and to_sl(bounds_words_i(lower)(BANK_BITS - 1 downto 0) = bounds_words_i(l)(BANK_BITS - 1 downto 0));
        bounds_pairs.meet(l)(lower)   <= met;
        bounds_pairs.differ(l)(lower) <= met and to_sl(line_of(bounds_words_i(lower)) /= line_of(bounds_words_i(l)));
      end loop;
    end process;
  end generate;

  conflicts_o <= bounds_pairs.differ;

  pass_regs : process (clk)
  begin
    if rising_edge(clk) then
      if front_i = '1' then
        pass_pairs <= bounds_pairs;
      end if;
    end if;
  end process;

  --------------------------------------------------------------------------------------------------------------
  -- PASS, or MEMORY again: the lanes of a pass, and the lines that they read

  leads <= memory_leads when again_i = '1' else pass_leads;

  lane : for l in 0 to CORES - 1 generate
    pass_leads(l)      <= pass_pending_i(l)
                          and not or_reduce(pass_pending_i and pass_pairs.meet(l)(CORES - 1 downto 0));
    memory_leads(l)    <= memory_pending_i(l)
                          and not or_reduce(memory_pending_i and memory_pairs.meet(l)(CORES - 1 downto 0));
    pass_served_o(l)   <= pass_pending_i(l)
                          and not or_reduce(pass_leads and pass_pairs.differ(l)(CORES - 1 downto 0));
    memory_served_o(l) <= memory_pending_i(l)
                          and not or_reduce(memory_leads and memory_pairs.differ(l)(CORES - 1 downto 0));

    bank(l)  <= read_i(l)(BANK_BITS - 1 downto 0);
    reads(l) <= one_hot(bank(l), CORES) and lanes_t'(others => leads(l));
  end generate;

  choose_lines : process (all)
    variable line : line_t;
  begin
    for b in 0 to CORES - 1 loop
      line := (others => '0');
      for l in 0 to CORES - 1 loop
        line := line or (line_of(read_i(l)) and line_t'(others => reads(l)(b)));
      end loop;
      read_line(b) <= line;
    end loop;
  end process;

  memory_regs : process (clk)
  begin
    if rising_edge(clk) then
      if re_i = '1' then
        memory_bank <= bank;
        memory_line <= read_line;
      end if;
      if re_i = '1' and again_i = '0' then
        memory_pairs <= pass_pairs;
      end if;
    end if;
  end process;

  --------------------------------------------------------------------------------------------------------------
  -- FILES, LATCH, SOURCES: the banks' words, and which of them each lane gets

  files_regs : process (clk)
  begin
    if rising_edge(clk) then
      if re_i = '1' then
        files_bank <= memory_bank;
      end if;
    end if;
  end process;

  latch_regs : process (clk)
  begin
    if rising_edge(clk) then
      if re_i = '1' then
        latch_bank <= files_bank;
        latch_data <= bank_read;
      end if;
    end if;
  end process;

  deliver : for l in 0 to CORES - 1 generate
    u_word : entity work.mux_word
      generic map (CORES => CORES)
      port map (words_i => latch_data, index_i => latch_bank(l), word_o => lane_data(l));
  end generate;

  sources_regs : process (clk)
  begin
    if rising_edge(clk) then
      if re_i = '1' then
        data_o <= lane_data;
      end if;
    end if;
  end process;

  --------------------------------------------------------------------------------------------------------------
  -- MERGE: a store finds its lines as if it read. The banks

  line_regs : process (clk)
  begin
    if rising_edge(clk) then
      if re_i = '1' then
        stage_line(STAGE_FILES) <= memory_line;
        for stage in STAGE_FILES + 1 to STAGE_RESOLVE loop
          stage_line(stage) <= stage_line(stage - 1);
        end loop;
      end if;
    end if;
  end process;

  init_line_in <= line_of(init_addr_i);

  init_regs : process (clk)
  begin
    if rising_edge(clk) then
      init_line <= init_line_in;
    end if;
  end process;

  write_line_in <= (others => init_line) when init_i = '1' else stage_line(STAGE_RESOLVE);

  merge_regs : process (clk)
  begin
    if rising_edge(clk) then
      write_line <= write_line_in;
    end if;
  end process;

  banks : for b in 0 to CORES - 1 generate
    u_bank : entity work.ram_1r1w
      generic map (ADDR_BITS => LINE_BITS, COLUMN_BITS => 8, COLUMNS => 4, SEED => SEED)
      port map (
        clk     => clk,
        re_i    => re_i,
        raddr_i => memory_line(b),
        rdata_o => bank_read(b),
        we_i    => bytes_i(b),
        waddr_i => write_line(b),
        wdata_i => wdata_i(b)
      );
  end generate;

end architecture;
