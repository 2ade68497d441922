-- SPDX-License-Identifier: Apache-2.0
-- Chooses the line that one bank of shared memory serves: that of the lowest lane that wants this bank. Combinational.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;

entity bank_choice is
  generic (
    CORES : positive
  );
  port (
    lanes_i : in  std_ulogic_vector(CORES - 1 downto 0);     -- lanes that want this bank
    words_i : in  shared_words_t(0 to CORES - 1);            -- their word addresses
    word_o  : out shared_word_t                              -- of the lowest of them
  );
end entity;

architecture rtl of bank_choice is
begin

  choose : process (all)
    variable first : std_ulogic_vector(CORES - 1 downto 0);
    variable word  : shared_word_t;
  begin
    first := lowest_set(lanes_i);
    word  := (others => '0');
    for l in 0 to CORES - 1 loop
      if first(l) = '1' then
        word := word or words_i(l);
      end if;
    end loop;
    word_o <= word;
  end process;

end architecture;
