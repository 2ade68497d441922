-- SPDX-License-Identifier: Apache-2.0
-- Sorts the store data of a beat by word: CORES words of a line of global memory or of the banks of shared memory. All
-- cells have one size and are aligned; the highest lane wins. In during X3, words found in SORT, out in MERGE.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;

entity store_words is
  generic (
    CORES : positive
  );
  port (
    clk      : in  std_ulogic;
    -- stage X3
    enters_i : in  std_ulogic;                               -- may be low when no lane stores: the registers hold
    lanes_i  : in  std_ulogic_vector(CORES - 1 downto 0);    -- lanes that store
    places_i : in  places_t(0 to CORES - 1);                 -- bytes that they store to
    size_i   : in  size_t;
    data_i   : in  words_t(0 to CORES - 1);
    init_i      : in std_ulogic;                             -- the dispatcher's word, not while a lane stores
    init_word_i : in shared_word_t;
    init_data_i : in word_t;
    -- stage MERGE
    bytes_o : out nibbles_t(0 to CORES - 1);                 -- by word: bytes to write
    data_o  : out words_t(0 to CORES - 1)
  );
end entity;

architecture rtl of store_words is

  constant WORD_BITS : positive := log2(CORES);

  subtype lanes_t is std_ulogic_vector(CORES - 1 downto 0);
  subtype used_t is unsigned(WORD_BITS + 1 downto 0);        -- of a place
  subtype word_number_t is unsigned(WORD_BITS - 1 downto 0);
  type lane_sets_t is array (0 to CORES - 1) of lanes_t;

  -- by lane
  type store_t is record
    stores : std_ulogic;
    word   : word_number_t;
    bytes  : nibble_t;                                       -- of its cell
    value  : word_t;                                         -- value in its bytes, zero elsewhere
    meets  : lanes_t;                                        -- higher lanes with the same cell
  end record;
  type stores_t is array (0 to CORES - 1) of store_t;

  signal sort_moves              : std_ulogic;               -- the store in SORT goes on to MERGE
  signal sort_in, sort_r, merged : stores_t;                 -- in X3, SORT and MERGE
  signal words, merges           : lane_sets_t;              -- by lane: the word that it writes

begin

  -- Computed separately from the record it is assigned to: Verilator would see a loop.
  each_lane : for l in 0 to CORES - 1 generate
    prepare : process (all)
      variable bytes : nibble_t;
      variable meets : lanes_t;
    begin
      bytes := enables(places_i(l)(1 downto 0), size_i);
      meets := (others => '0');
      for higher in l + 1 to CORES - 1 loop
        meets(higher) := to_sl(places_i(higher)(used_t'range) = places_i(l)(used_t'range));
      end loop;
      sort_in(l) <= (stores => lanes_i(l), word => places_i(l)(WORD_BITS + 1 downto 2), bytes => bytes,
                  value => replicate(data_i(l), size_i) and bit_mask(bytes), meets => meets);
      if init_i = '1' then
        sort_in(l).stores <= to_sl(l = 0);
        if l = 0 then
          sort_in(l).word  <= init_word_i(WORD_BITS - 1 downto 0);
          sort_in(l).bytes <= "1111";
          sort_in(l).value <= init_data_i;
        end if;
      end if;
    end process;
  end generate;

  sort_regs : process (clk)
  begin
    if rising_edge(clk) then
      sort_moves <= enters_i;
      if enters_i = '1' then
        sort_r <= sort_in;
      end if;
    end if;
  end process;

  lane : for l in 0 to CORES - 1 generate
    highest : process (all)
      variable met : std_ulogic;
    begin
      met := '0';
      for higher in l + 1 to CORES - 1 loop
        met := met or (sort_r(higher).stores and sort_r(l).meets(higher));
      end loop;
      words(l) <= one_hot(sort_r(l).word, CORES) and lanes_t'(others => sort_r(l).stores and not met);
    end process;
  end generate;

  merge_regs : process (clk)
  begin
    if rising_edge(clk) then
      if sort_moves = '1' then
        merged <= sort_r;
        merges <= words;
      end if;
    end if;
  end process;

  word : for w in 0 to CORES - 1 generate
    merge : process (all)
      variable enabled : nibble_t;
      variable data    : word_t;
    begin
      enabled := (others => '0');
      data    := (others => '0');
      for l in 0 to CORES - 1 loop
        enabled := enabled or (merged(l).bytes and nibble_t'(others => merges(l)(w)));
      end loop;
      for l in 0 to CORES / 2 - 1 loop                       -- in pairs: a LUT each, which an OR chain would not find
        data := data or ((merged(2 * l).value and word_t'(others => merges(2 * l)(w)))
                         or (merged(2 * l + 1).value and word_t'(others => merges(2 * l + 1)(w))));
      end loop;
      bytes_o(w) <= enabled;
      data_o(w)  <= data;
    end process;
  end generate;

end architecture;
