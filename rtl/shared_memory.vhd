-- SPDX-License-Identifier: Apache-2.0
-- Shared memory of one SM: CORES banks of 32-bit words, one word a bank and cycle, each broadcast to all lanes that
-- want it. Stage M asks with the word addresses of its lanes; `served_o` says at once which of them this pass can serve
-- (each bank takes the first lane that wants it, and all others that want the same word). Their words come one cycle
-- later and hold. Writes (stage X) come only for lanes that one pass has served, so they never disagree about a bank's
-- row; bytes of one word may come from several lanes, the highest lane wins. A read never coincides with a write of the
-- same word: stage M waits.

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
    -- read
    pending_i  : in  std_ulogic_vector(CORES - 1 downto 0);
    read_i     : in  shared_words_t(0 to CORES - 1);         -- word addresses
    served_o   : out std_ulogic_vector(CORES - 1 downto 0);
    re_i       : in  std_ulogic;
    data_o     : out words_t(0 to CORES - 1);                -- one cycle after re_i
    -- write
    write_i    : in  std_ulogic_vector(CORES - 1 downto 0);
    waddr_i    : in  shared_words_t(0 to CORES - 1);
    bytes_i    : in  nibbles_t(0 to CORES - 1);              -- byte enables
    wdata_i    : in  words_t(0 to CORES - 1);                -- bytes in place
    -- the dispatcher's single word, taken when no lane writes
    init_i     : in  std_ulogic;
    init_addr_i : in shared_word_t;
    init_data_i : in word_t;
    init_done_o : out std_ulogic
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

  signal reads      : lane_sets_t;                           -- by lane: the bank it reads
  signal writes     : lane_sets_t;                           -- ... writes
  signal wanted     : lane_sets_t;                           -- by bank: the lanes that read it
  signal stored     : lane_sets_t;                           -- ... that write it
  signal chosen     : shared_words_t(0 to CORES - 1);        -- by bank: the word read
  signal bank_data  : words_t(0 to CORES - 1);
  signal lane_bank  : banks_t;                               -- of the words that arrive, by lane
  signal init_now   : std_ulogic;
  signal lane_write : lanes_t;                               -- lane 0 writes the dispatcher's word
  signal lane_waddr : shared_words_t(0 to CORES - 1);
  signal lane_bytes : nibbles_t(0 to CORES - 1);
  signal lane_wdata : words_t(0 to CORES - 1);

  function bank_of(a : shared_word_t) return bank_t is
  begin
    return a(BANK_BITS - 1 downto 0);
  end function;

begin

  lane : for l in 0 to CORES - 1 generate
    signal bank : bank_t;
    signal mine : shared_word_t;                             -- what the lane's bank serves
  begin
    reads(l)  <= one_hot(bank_of(read_i(l)), CORES) and lanes_t'(others => pending_i(l));
    writes(l) <= one_hot(bank_of(lane_waddr(l)), CORES) and lanes_t'(others => lane_write(l));

    bank <= bank_of(read_i(l));
    mine <= chosen(to_integer(bank));
    served_o(l) <= pending_i(l) and to_sl(mine(11 downto BANK_BITS) = read_i(l)(11 downto BANK_BITS));

    remember_bank : process (clk)
    begin
      if rising_edge(clk) then
        if re_i = '1' then
          lane_bank(l) <= bank;
        end if;
      end if;
    end process;

    u_deliver : entity work.mux_word
      generic map (CORES => CORES)
      port map (words_i => bank_data, index_i => lane_bank(l), word_o => data_o(l));
  end generate;

  init_now    <= init_i and not or_reduce(write_i);
  init_done_o <= init_now;

  lane_0_writes_it : process (all)
  begin
    lane_write <= write_i;
    lane_waddr <= waddr_i;
    lane_bytes <= bytes_i;
    lane_wdata <= wdata_i;
    if init_now = '1' then
      lane_write(0) <= '1';
      lane_waddr(0) <= init_addr_i;
      lane_bytes(0) <= "1111";
      lane_wdata(0) <= init_data_i;
    end if;
  end process;

  banks : for b in 0 to CORES - 1 generate
    signal write_line : line_t;
    signal write_en   : nibble_t;
    signal write_data : word_t;
  begin

    who : process (all)
    begin
      for l in 0 to CORES - 1 loop
        wanted(b)(l) <= reads(l)(b);
        stored(b)(l) <= writes(l)(b);
      end loop;
    end process;

    u_read : entity work.bank_choice
      generic map (CORES => CORES)
      port map (lanes_i => wanted(b), words_i => read_i, word_o => chosen(b));

    -- All lanes that write to the bank write to the same line.
    line_written : process (all)
      variable line : line_t;
    begin
      line := (others => '0');
      for l in 0 to CORES - 1 loop
        line := line or (lane_waddr(l)(11 downto BANK_BITS) and (LINE_BITS - 1 downto 0 => stored(b)(l)));
      end loop;
      write_line <= line;
    end process;

    u_gather : entity work.gather_word
      generic map (CORES => CORES)
      port map (
        lanes_i => stored(b),
        bytes_i => lane_bytes,
        data_i  => lane_wdata,
        bytes_o => write_en,
        data_o  => write_data
      );

    u_bank : entity work.ram_1r1w
      generic map (ADDR_BITS => LINE_BITS, COLUMN_BITS => 8, COLUMNS => 4, SEED => SEED)
      port map (
        clk     => clk,
        re_i    => re_i,
        raddr_i => chosen(b)(11 downto BANK_BITS),
        rdata_o => bank_data(b),
        we_i    => write_en,
        waddr_i => write_line,
        wdata_i => write_data
      );
  end generate;

end architecture;
