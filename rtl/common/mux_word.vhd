-- SPDX-License-Identifier: Apache-2.0
-- Picks one of CORES words, through a gate for each: half a LUT of four inputs where a multiplexer takes one.
-- Combinational.

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
  pick : process (all)
    variable chosen : std_ulogic_vector(CORES - 1 downto 0);
    variable word   : word_t;
  begin
    chosen := one_hot(index_i, CORES);
    word   := (others => '0');
    for w in 0 to CORES - 1 loop
      word := word or (words_i(w) and (31 downto 0 => chosen(w)));
    end loop;
    word_o <= word;
  end process;
end architecture;
