-- SPDX-License-Identifier: Apache-2.0
-- The hash of what a warp retires: docs/decisions.md says what goes in,
-- loader/hash.c computes the same in C. It is a sum of terms modulo 2^32, so that the order in which lanes, words and
-- loads come is free.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

package hash_pkg is

  constant OCTET     : positive := 8;                        -- lanes that have keys of their own
  constant HALF_BITS : positive := 18;                       -- a factor of the FPGA's multiplier

  subtype sum_t    is unsigned(31 downto 0);
  subtype half_t   is unsigned(HALF_BITS - 1 downto 0);
  subtype weight_t is unsigned(15 downto 0);
  subtype number_t is unsigned(23 downto 0);                 -- of an instruction, in its warp

  -- Numbers of keys: an octet's lanes from the first one on, or the words that all lanes have in common.
  constant KEY_DST    : natural := 0;
  constant KEY_DATA   : natural := 8;
  constant KEY_PLACE  : natural := 16;                       -- address, A register, flags
  constant KEY_COMMON : natural := 24;
  constant KEY_WORDS  : natural := 64;                       -- weights: 4 * octet + part of dst and data
  constant KEY_PLACES : natural := 80;                       -- octet

  type halves_t is record
    low, high : half_t;
  end record;

  -- A number without a pattern, for each number.
  function mix(n : sum_t) return sum_t;
  function mix_first(n : sum_t) return sum_t;                -- mix in two steps
  function mix_second(n : sum_t) return sum_t;

  -- The two factors of a term.
  function keyed(h : halves_t; key : natural) return halves_t;
  function to_halves(word : std_ulogic_vector(31 downto 0)) return halves_t;
  function product(h : halves_t) return sum_t;
  function weight(key : natural) return weight_t;            -- odd
  function weigh(s : sum_t; w : unsigned) return sum_t;

end package;

package body hash_pkg is

  function weigh(s : sum_t; w : unsigned) return sum_t is
  begin
    return resize(s * w, 32);
  end function;

  function mix_first(n : sum_t) return sum_t is
    variable v : sum_t;
  begin
    v := weigh(n, sum_t'(x"9e3779b1"));
    return v xor ("000000000000000" & v(31 downto 15));
  end function;

  function mix_second(n : sum_t) return sum_t is
    variable v : sum_t;
  begin
    v := weigh(n, sum_t'(x"85ebca77"));
    return v xor ("0000000000000" & v(31 downto 13));
  end function;

  function mix(n : sum_t) return sum_t is
  begin
    return mix_second(mix_first(n));
  end function;

  function half_key(number : natural) return half_t is
    variable v : sum_t;
  begin
    v := mix(to_unsigned(number + 1, 32));
    return v(HALF_BITS - 1 downto 0);
  end function;

  function keyed(h : halves_t; key : natural) return halves_t is
  begin
    return (low => h.low xor half_key(2 * key), high => h.high xor half_key(2 * key + 1));
  end function;

  function to_halves(word : std_ulogic_vector(31 downto 0)) return halves_t is
  begin
    return (low  => resize(unsigned(word(15 downto 0)), HALF_BITS),
            high => resize(unsigned(word(31 downto 16)), HALF_BITS));
  end function;

  function product(h : halves_t) return sum_t is
  begin
    return resize(h.low * h.high, 32);
  end function;

  function weight(key : natural) return weight_t is
    variable v : sum_t;
  begin
    v := mix(to_unsigned(2 * key + 1, 32));
    return v(15 downto 1) & '1';
  end function;

end package body;
