-- SPDX-License-Identifier: Apache-2.0
-- What the lanes of a beat in stage X store, sorted by word: CORES words, of a line of global memory or of the banks of
-- shared memory, which no beat needs both. All cells have one size and are aligned, so that two lanes store to the same
-- bytes or to none in common; the highest lane wins. The dispatcher's word for shared memory takes the way of lane 0.
-- Combinational.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;

entity store_words is
  generic (
    CORES : positive
  );
  port (
    lanes_i  : in  std_ulogic_vector(CORES - 1 downto 0);    -- lanes that store
    places_i : in  places_t(0 to CORES - 1);                 -- where to
    size_i   : in  size_t;
    data_i   : in  words_t(0 to CORES - 1);
    init_i      : in std_ulogic;                             -- the dispatcher's word, not while a lane stores
    init_word_i : in shared_word_t;
    init_data_i : in word_t;
    bytes_o : out nibbles_t(0 to CORES - 1);                 -- by word: bytes to write
    data_o  : out words_t(0 to CORES - 1)
  );
end entity;

architecture rtl of store_words is

  constant WORD_BITS : positive := log2(CORES);

  subtype lanes_t is std_ulogic_vector(CORES - 1 downto 0);
  subtype used_t is unsigned(WORD_BITS + 1 downto 0);        -- of a place
  type lane_sets_t is array (0 to CORES - 1) of lanes_t;

  signal place : places_t(0 to CORES - 1);
  signal bytes : nibbles_t(0 to CORES - 1);                  -- by lane: the bytes of its cell
  signal cells : words_t(0 to CORES - 1);                    -- ... in their places, zero around them
  signal words : lane_sets_t;                                -- ... the word that it writes

begin

  lane : for l in 0 to CORES - 1 generate
    signal stores : std_ulogic;                              -- and no higher lane does there
  begin
    lane_0 : if l = 0 generate
      choose : process (all)
      begin
        place(0) <= places_i(0);
        bytes(0) <= enables(places_i(0)(1 downto 0), size_i);
        cells(0) <= replicate(data_i(0), size_i) and bit_mask(enables(places_i(0)(1 downto 0), size_i));
        if init_i = '1' then
          place(0) <= init_word_i(4 downto 0) & "00";
          bytes(0) <= "1111";
          cells(0) <= init_data_i;
        end if;
      end process;
    else generate
      place(l) <= places_i(l);
      bytes(l) <= enables(places_i(l)(1 downto 0), size_i);
      cells(l) <= replicate(data_i(l), size_i) and bit_mask(bytes(l));
    end generate;

    highest : process (all)
      variable wins : std_ulogic;
    begin
      wins := lanes_i(l) or to_sl(l = 0 and init_i = '1');
      for higher in l + 1 to CORES - 1 loop
        wins := wins and not (lanes_i(higher) and to_sl(places_i(higher)(used_t'range) = place(l)(used_t'range)));
      end loop;
      stores <= wins;
    end process;

    words(l) <= one_hot(place(l)(WORD_BITS + 1 downto 2), CORES) and lanes_t'(others => stores);
  end generate;

  word : for w in 0 to CORES - 1 generate
    merge : process (all)
      variable enabled : nibble_t;
      variable data    : word_t;
    begin
      enabled := (others => '0');
      data    := (others => '0');
      for l in 0 to CORES - 1 loop
        enabled := enabled or (bytes(l) and nibble_t'(others => words(l)(w)));
      end loop;
      for l in 0 to CORES / 2 - 1 loop                       -- in pairs: a LUT each, which an OR chain would not find
        data := data or ((cells(2 * l) and word_t'(others => words(2 * l)(w)))
                         or (cells(2 * l + 1) and word_t'(others => words(2 * l + 1)(w))));
      end loop;
      bytes_o(w) <= enabled;
      data_o(w)  <= data;
    end process;
  end generate;

end architecture;
