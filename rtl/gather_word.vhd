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
    masks_i : in  words_t(0 to CORES - 1);                   -- the same as a mask of bits
    data_i  : in  words_t(0 to CORES - 1);                   -- bytes in place, the others zero
    bytes_o : out nibble_t;
    data_o  : out word_t
  );
end entity;

architecture rtl of gather_word is
begin

  merge : process (all)
    variable bytes : nibble_t;
    variable data  : word_t;
  begin
    bytes := (others => '0');
    data  := (others => '0');
    for l in 0 to CORES - 1 loop
      if lanes_i(l) = '1' then
        bytes := bytes or bytes_i(l);
        data  := (data and not masks_i(l)) or data_i(l);
      end if;
    end loop;
    bytes_o <= bytes;
    data_o  <= data;
  end process;

end architecture;
