-- SPDX-License-Identifier: Apache-2.0
-- Merges what several lanes store into one 32-bit word, byte by byte; where two lanes store to the same byte the higher
-- one wins. Combinational.

library ieee;
use ieee.std_logic_1164.all;

use work.gpu_pkg.all;

entity gather_word is
  generic (
    CORES : positive
  );
  port (
    lanes_i : in  std_ulogic_vector(CORES - 1 downto 0);     -- lanes that store to this word
    bytes_i : in  nibbles_t(0 to CORES - 1);                 -- which bytes of it
    data_i  : in  words_t(0 to CORES - 1);                   -- bytes in place
    bytes_o : out nibble_t;
    data_o  : out word_t
  );
end entity;

architecture rtl of gather_word is
begin

  merge : process (all)
    variable taken : nibble_t;                               -- bytes that a higher lane stores
    variable wins  : nibble_t;
    variable data  : word_t;
  begin
    taken := (others => '0');
    data  := (others => '0');
    for l in CORES - 1 downto 0 loop
      wins  := bytes_i(l) and not taken and (3 downto 0 => lanes_i(l));
      data  := data or (data_i(l) and bit_mask(wins));
      taken := taken or wins;
    end loop;
    bytes_o <= taken;
    data_o  <= data;
  end process;

end architecture;
