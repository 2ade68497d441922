-- SPDX-License-Identifier: Apache-2.0
-- Shared memory of one SM: CORES banks of 32-bit words, one word a bank and cycle, each broadcast to all lanes that want it.
-- Stage M asks with the word addresses of its lanes; `served_o` says at once which of them this pass can serve (each bank takes the
-- first lane that wants it, and all others that want the same word). Their words come one cycle later and hold.
-- Writes (stage X) come only for lanes that one pass has served, so they never disagree about a bank's row; bytes of
-- one word may come from several lanes, the highest lane wins. A read never coincides with a write of the same word: stage M waits.

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
  type lines_t is array (0 to CORES - 1) of line_t;
  type banks_t is array (0 to CORES - 1) of bank_t;

  signal read_line  : lines_t;                               -- by bank
  signal bank_data  : words_t(0 to CORES - 1);
  signal lane_bank  : banks_t;                               -- of the words that arrive, by lane
  signal write_line : lines_t;
  signal write_en   : nibbles_t(0 to CORES - 1);
  signal write_data : words_t(0 to CORES - 1);

  function bank_of(a : shared_word_t) return bank_t is
  begin
    return a(BANK_BITS - 1 downto 0);
  end function;

  function line_of(a : shared_word_t) return line_t is
  begin
    return a(11 downto BANK_BITS);
  end function;

begin

  arbitrate : process (all)
    variable lines : lines_t;
    variable taken : std_ulogic_vector(CORES - 1 downto 0);
  begin
    for b in 0 to CORES - 1 loop
      lines(b) := (others => '0');
      taken(b) := '0';
      for l in 0 to CORES - 1 loop
        if taken(b) = '0' and pending_i(l) = '1' and bank_of(read_i(l)) = b then
          taken(b) := '1';
          lines(b) := line_of(read_i(l));
        end if;
      end loop;
    end loop;
    for l in 0 to CORES - 1 loop
      served_o(l) <= pending_i(l) and to_sl(lines(to_integer(bank_of(read_i(l)))) = line_of(read_i(l)));
    end loop;
    read_line <= lines;
  end process;

  remember_banks : process (clk)
  begin
    if rising_edge(clk) then
      if re_i = '1' then
        for l in 0 to CORES - 1 loop
          lane_bank(l) <= bank_of(read_i(l));
        end loop;
      end if;
    end if;
  end process;

  deliver : process (all)
  begin
    for l in 0 to CORES - 1 loop
      data_o(l) <= bank_data(to_integer(lane_bank(l)));
    end loop;
  end process;

  gather_writes : process (all)
    variable enable : nibble_t;
    variable data   : word_t;
  begin
    for b in 0 to CORES - 1 loop
      enable        := "0000";
      data          := (others => '0');
      write_line(b) <= (others => '0');
      for l in 0 to CORES - 1 loop
        if write_i(l) = '1' and bank_of(waddr_i(l)) = b then
          write_line(b) <= line_of(waddr_i(l));
          enable        := enable or bytes_i(l);
          for byte in 0 to 3 loop
            if bytes_i(l)(byte) = '1' then
              data(byte * 8 + 7 downto byte * 8) := wdata_i(l)(byte * 8 + 7 downto byte * 8);
            end if;
          end loop;
        end if;
      end loop;
      if or_reduce(write_i) = '0' and init_i = '1' and bank_of(init_addr_i) = b then
        write_line(b) <= line_of(init_addr_i);
        enable        := "1111";
        data          := init_data_i;
      end if;
      write_en(b)   <= enable;
      write_data(b) <= data;
    end loop;
    init_done_o <= init_i and not or_reduce(write_i);
  end process;

  banks : for b in 0 to CORES - 1 generate
    u_bank : entity work.ram_1r1w
      generic map (ADDR_BITS => LINE_BITS, COLUMN_BITS => 8, COLUMNS => 4, SEED => SEED)
      port map (
        clk     => clk,
        re_i    => re_i,
        raddr_i => read_line(b),
        rdata_o => bank_data(b),
        we_i    => write_en(b),
        waddr_i => write_line(b),
        wdata_i => write_data(b)
      );
  end generate;

end architecture;
