-- SPDX-License-Identifier: Apache-2.0
-- Picks one of CORES words. Combinational.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;

entity mux_word is
  generic (
    CORES : positive
  );
  port (
    words_i : in  words_t(0 to CORES - 1);
    index_i : in  unsigned(log2(CORES) - 1 downto 0);
    word_o  : out word_t
  );
end entity;

architecture rtl of mux_word is
begin
  word_o <= words_i(to_integer(index_i));
end architecture;
