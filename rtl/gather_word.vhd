-- SPDX-License-Identifier: Apache-2.0
-- Merges what several lanes store into one 32-bit word, byte by byte; where two lanes store to the same byte the higher one wins.
-- Combinational.

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

  byte : for b in 0 to 3 generate
    merge : process (all)
      variable enable : std_ulogic;
      variable value  : std_ulogic_vector(7 downto 0);
    begin
      enable := '0';
      value  := (others => '0');
      for l in 0 to CORES - 1 loop
        if (lanes_i(l) and bytes_i(l)(b)) = '1' then
          enable := '1';
          value  := data_i(l)(8 * b + 7 downto 8 * b);
        end if;
      end loop;
      bytes_o(b)                        <= enable;
      data_o(8 * b + 7 downto 8 * b) <= value;
    end process;
  end generate;

end architecture;
