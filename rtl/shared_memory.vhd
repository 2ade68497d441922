-- SPDX-License-Identifier: Apache-2.0
-- Shared memory of one SM: CORES banks of 32-bit words, one word a bank and cycle, each broadcast to all lanes that
-- want it. Stage M asks with the word addresses of its lanes; `served_o` says at once which of them this pass can serve
-- (each bank takes the first lane that wants it, and all others that want the same word). Their words come one cycle
-- later and hold. A store asks in stage M as a read does and is written from stage X, two moves later (re_i): in each
-- bank to the line that its pass found there, which its lanes agree about. Its words are sorted by bank already, by
-- store_words. A read never coincides with a write of the same word: stage M waits.

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
    -- write, by bank: the beat in X, or the dispatcher's word
    bytes_i    : in  nibbles_t(0 to CORES - 1);              -- byte enables
    wdata_i    : in  words_t(0 to CORES - 1);
    init_i     : in  std_ulogic;
    init_addr_i : in shared_word_t
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

  signal bank       : banks_t;                               -- by lane: the one it reads
  signal leads      : lanes_t;                               -- the lowest lane that wants its bank
  signal reads      : lane_sets_t;                           -- by lane: the bank that it leads
  signal read_line  : lines_t;                               -- by bank: of the pass in M
  signal o_line     : lines_t;                               -- ... of the beat in O
  signal x_line     : lines_t;
  signal write_line : lines_t;
  signal bank_data  : words_t(0 to CORES - 1);
  signal lane_bank  : banks_t;                               -- of the words that arrive, by lane

begin

  follow : process (clk)
  begin
    if rising_edge(clk) then
      if re_i = '1' then
        o_line <= read_line;
        x_line <= o_line;
      end if;
    end if;
  end process;

  lane : for l in 0 to CORES - 1 generate
    bank(l)  <= read_i(l)(BANK_BITS - 1 downto 0);
    reads(l) <= one_hot(bank(l), CORES) and lanes_t'(others => leads(l));

    -- Among lanes, as each of them compares its address with lower ones only; to compare with what the bank serves
    -- would take a multiplexer of the banks' addresses for each lane.
    compare : process (all)
      variable leader : std_ulogic;
      variable served : std_ulogic;
    begin
      leader := pending_i(l);
      served := pending_i(l);
      for lower in 0 to l - 1 loop
        if bank(lower) = bank(l) then
          leader := leader and not pending_i(lower);
          served := served and not (leads(lower) and to_sl(line_of(read_i(lower)) /= line_of(read_i(l))));
        end if;
      end loop;
      leads(l)    <= leader;
      served_o(l) <= served;
    end process;

    remember_bank : process (clk)
    begin
      if rising_edge(clk) then
        if re_i = '1' then
          lane_bank(l) <= bank(l);
        end if;
      end if;
    end process;

    u_deliver : entity work.mux_word
      generic map (CORES => CORES)
      port map (words_i => bank_data, index_i => lane_bank(l), word_o => data_o(l));
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

    write_line(b) <= line_of(init_addr_i) when init_i = '1' else x_line(b);

    u_bank : entity work.ram_1r1w
      generic map (ADDR_BITS => LINE_BITS, COLUMN_BITS => 8, COLUMNS => 4, SEED => SEED)
      port map (
        clk     => clk,
        re_i    => re_i,
        raddr_i => read_line(b),
        rdata_o => bank_data(b),
        we_i    => bytes_i(b),
        waddr_i => write_line(b),
        wdata_i => wdata_i(b)
      );
  end generate;

end architecture;
