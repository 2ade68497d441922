-- SPDX-License-Identifier: Apache-2.0
-- The terms of one beat of the retire port, summed up four cycles later: those of its lanes, those of what all lanes
-- have in common, those of the load beat. Whether there is a beat is the neighbour's to know. What is common is what a
-- trap leaves, where there is one.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.hash_pkg.all;
use work.retire_pkg.all;

entity hash_row is
  generic (
    CORES : positive
  );
  port (
    clk      : in  std_ulogic;
    retire_i : in  retire_t;
    lanes_i  : in  retire_lanes_t(0 to CORES - 1);
    load_row_i  : in  std_ulogic_vector(1 downto 0);
    load_part_i : in  std_ulogic_vector(1 downto 0);
    load_mask_i : in  std_ulogic_vector(0 to CORES - 1);
    load_data_i : in  words_t(0 to CORES - 1);
    lanes_o  : out sum_t;
    common_o : out sum_t;
    load_o   : out sum_t
  );
end entity;

architecture rtl of hash_row is

  constant OCTETS : positive := CORES / OCTET;
  constant WORDS  : positive := 8;                           -- that all lanes have in common

  type factors_t is array (natural range <>) of halves_t;
  type sums_t    is array (natural range <>) of sum_t;
  type weights_t is array (natural range <>) of weight_t;
  type places_t  is array (1 to 3) of std_ulogic_vector(3 downto 0);

  subtype lanes_t is std_ulogic_vector(0 to CORES - 1);

  signal has_word, has_place, has_load                   : lanes_t;
  signal has_word_in, has_place_in                       : lanes_t;
  signal word_factors, place_factors, load_factors       : factors_t(0 to CORES - 1);
  signal word_factors_in, place_factors_in               : factors_t(0 to CORES - 1);
  signal load_factors_in                                 : factors_t(0 to CORES - 1);
  signal common_factors, common_factors_in               : factors_t(0 to WORDS - 1);
  signal word_terms, place_terms, load_terms             : sums_t(0 to CORES - 1);
  signal word_terms_in, place_terms_in, load_terms_in    : sums_t(0 to CORES - 1);
  signal common_terms, common_terms_in                   : sums_t(0 to WORDS - 1);
  signal word_sums, place_sums, load_sums                : sums_t(0 to OCTETS - 1);
  signal word_sums_in, place_sums_in, load_sums_in       : sums_t(0 to OCTETS - 1);
  signal common_sum, common_sum_in                       : sum_t;
  signal lanes_in, load_in                               : sum_t;
  signal at, load_at, at_in, load_at_in                  : places_t; -- row and part

  function weights(first, count : positive) return weights_t is
    variable w : weights_t(0 to count - 1);
  begin
    for i in w'range loop
      w(i) := weight(first + i);
    end loop;
    return w;
  end function;

  constant OF_WORDS  : weights_t(0 to 15) := weights(KEY_WORDS, 16);
  constant OF_PLACES : weights_t(0 to 3)  := weights(KEY_PLACES, 4);

  function octet_of(row : std_ulogic_vector(3 downto 0); octet : natural) return natural is
  begin
    return (to_integer(unsigned(row(3 downto 2))) * OCTETS + octet) mod 4;
  end function;

  function word_weight(row : std_ulogic_vector(3 downto 0); octet : natural) return weight_t is
  begin
    return OF_WORDS(octet_of(row, octet) * 4 + to_integer(unsigned(row(1 downto 0))));
  end function;

  function total(s : sums_t) return sum_t is
    variable v : sum_t := (others => '0');
  begin
    for i in s'range loop
      v := v + s(i);
    end loop;
    return v;
  end function;

  function place_of(l : retire_lane_t) return halves_t is
    variable word : word_t := (others => '0');
  begin
    if l.mem_mask = '1' then
      word := l.addr;
    end if;
    if l.a_mask = '1' then
      word(27 downto 12) := word(27 downto 12) xor l.a;
    end if;
    if l.c_mask = '1' then
      word(31 downto 28) := word(31 downto 28) xor l.c;
    end if;
    return (low  => l.a_mask & l.c_mask & unsigned(word(15 downto 0)),
            high => '0' & l.mem_mask & unsigned(word(31 downto 16)));
  end function;

  function common_of(r : retire_t) return words_t is
    variable kinds : std_ulogic_vector(22 downto 0);
    variable w     : words_t(0 to WORDS - 1);
    variable state : std_ulogic_vector(1 downto 0);
  begin
    kinds := r.mem_bytes & r.mem_kind & r.a_reg & r.c_reg & r.dst_reg & r.dst_kind;
    state := r.state;
    if state = "01" then                                     -- their order decides which warp waits
      state := "00";
    end if;
    w(0) := r.word_lo;
    w(1) := r.word_hi;
    w(2) := r.active;
    w(3) := r.next_active;
    w(4) := r.warp & r.pc;
    w(5) := r.block_y & r.block_x;
    w(6) := r.depth & r.next_pc;
    w(7) := "000" & r.trap & state & kinds;
    if r.trap /= "0000" then
      w(3)              := (others => '0');
      w(6)(23 downto 0) := (others => '0');
      w(7)(22 downto 0) := (others => '0');
    end if;
    return w;
  end function;

begin

  to_factors : process (all)
    variable l      : retire_lane_t;
    variable common : words_t(0 to WORDS - 1);
    variable first  : std_ulogic;
  begin
    first      := to_sl(retire_i.part = "00");
    at_in      <= (1 => retire_i.row & retire_i.part, 2 => at(1), 3 => at(2));
    load_at_in <= (1 => load_row_i & load_part_i, 2 => load_at(1), 3 => load_at(2));
    for i in 0 to CORES - 1 loop
      l := lanes_i(i);
      has_word_in(i)  <= l.dst_mask or l.mem_mask;
      has_place_in(i) <= l.exec and first;
      if l.mem_mask = '1' then
        word_factors_in(i) <= keyed(to_halves(l.data), KEY_DATA + i mod OCTET);
      else
        word_factors_in(i) <= keyed(to_halves(l.dst), KEY_DST + i mod OCTET);
      end if;
      place_factors_in(i) <= keyed(place_of(l), KEY_PLACE + i mod OCTET);
      load_factors_in(i)  <= keyed(to_halves(load_data_i(i)), KEY_DST + i mod OCTET);
    end loop;
    common := common_of(retire_i);
    for i in common'range loop
      common_factors_in(i) <= keyed(to_halves(common(i)), KEY_COMMON + i);
    end loop;
  end process;

  factor_regs : process (clk)
  begin
    if rising_edge(clk) then
      at             <= at_in;
      load_at        <= load_at_in;
      has_word       <= has_word_in;
      has_place      <= has_place_in;
      word_factors   <= word_factors_in;
      place_factors  <= place_factors_in;
      load_factors   <= load_factors_in;
      common_factors <= common_factors_in;
      for i in 0 to CORES - 1 loop
        has_load(i) <= load_mask_i(i);
      end loop;
    end if;
  end process;

  to_terms : process (all)
  begin
    for i in 0 to CORES - 1 loop
      word_terms_in(i)  <= product(word_factors(i)) and sum_t'(others => has_word(i));
      place_terms_in(i) <= product(place_factors(i)) and sum_t'(others => has_place(i));
      load_terms_in(i)  <= product(load_factors(i)) and sum_t'(others => has_load(i));
    end loop;
    for i in 0 to WORDS - 1 loop
      common_terms_in(i) <= product(common_factors(i));
    end loop;
  end process;

  term_regs : process (clk)
  begin
    if rising_edge(clk) then
      word_terms   <= word_terms_in;
      place_terms  <= place_terms_in;
      load_terms   <= load_terms_in;
      common_terms <= common_terms_in;
    end if;
  end process;

  to_sums : process (all)
    variable beat, load : sum_t;
  begin
    beat := (others => '0');
    load := (others => '0');
    for o in 0 to OCTETS - 1 loop
      word_sums_in(o)  <= total(word_terms(o * OCTET to o * OCTET + OCTET - 1));
      place_sums_in(o) <= total(place_terms(o * OCTET to o * OCTET + OCTET - 1));
      load_sums_in(o)  <= total(load_terms(o * OCTET to o * OCTET + OCTET - 1));
      beat := beat + weigh(word_sums(o), word_weight(at(3), o))
                   + weigh(place_sums(o), OF_PLACES(octet_of(at(3), o)));
      load := load + weigh(load_sums(o), word_weight(load_at(3), o));
    end loop;
    common_sum_in <= total(common_terms);
    lanes_in      <= beat;
    load_in       <= load;
  end process;

  sum_regs : process (clk)
  begin
    if rising_edge(clk) then
      word_sums  <= word_sums_in;
      place_sums <= place_sums_in;
      load_sums  <= load_sums_in;
      common_sum <= common_sum_in;
      lanes_o    <= lanes_in;
      common_o   <= common_sum;
      load_o     <= load_in;
    end if;
  end process;

end architecture;
