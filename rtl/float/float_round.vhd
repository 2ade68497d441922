-- SPDX-License-Identifier: Apache-2.0
-- Stage 9 of a lane's floating-point unit: rounds, limits the range, saturates, makes the flags. Combinational.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.float_pkg.all;

entity float_round is
  port (
    sum_i    : in  float_sum_t;
    place_i  : in  float_place_t;
    result_o : out word_t;
    flags_o  : out nibble_t                        -- O C S Z
  );
end entity;

architecture rtl of float_round is

  -- Whether an exponent is at least 2 ** n - 2.
  function at_least(exponent : signed(10 downto 0); n : positive) return std_ulogic is
  begin
    return not exponent(10) and (or_reduce(std_ulogic_vector(exponent(9 downto n)))
                                 or not or_reduce(not std_ulogic_vector(exponent(n - 1 downto 1))));
  end function;

begin

  stage_9 : process (all)
    variable s : float_sum_t;
    variable e : float_end_t;
    variable up       : std_ulogic;
    variable rounding : std_ulogic_vector(1 downto 0);
    variable at_zero  : std_ulogic;                -- exponent 0: half of the smallest number, or more
    variable edge     : std_ulogic;
    variable below_zero, full, other : std_ulogic;
    variable above    : unsigned(31 downto 0);     -- exponent and fraction, ..
    variable places, carry : unsigned(31 downto 0);       -- .. what is added to them
    variable sum      : std_ulogic_vector(31 downto 0);   -- of an F16 at 27 downto 13
    variable none     : std_ulogic;                -- the sum is zero
    variable small    : std_ulogic;                -- ... too small
    variable large    : std_ulogic;
    variable one      : std_ulogic;                -- at least one
    variable away     : std_ulogic;                -- what is too large is infinite
    variable zero, negative : std_ulogic;
    variable number   : word_t;                    -- the sum as it is in the result, without a sign
    variable takes    : word_t;                    -- of the result: bits of number or word; else set or clear: ..
    variable sets     : word_t;                    -- .. of the word, or set
    variable within   : word_t;                    -- of a word: its bits but for the top one
    variable word_top : std_ulogic;
  begin
    s := sum_i;
    e := s.ends;

    rounding := e.rounding or (1 downto 0 => e.drops);
    up       := moves_up(rounding, s.negative, place_i.lowest, place_i.below, place_i.sticky);

    -- The highest bit of the significand adds one to the exponent, which is one less than the result's.
    above    := unsigned(s.exponent(8 downto 0)) & unsigned(s.bits(30 downto 8));
    places   := (31 downto 24 => '0') & s.bits(31) & (22 downto 14 => '0') & (up and e.half) & (12 downto 0 => '0');
    carry    := (0 => up and not e.half, others => '0');
    sum      := std_ulogic_vector(above + places + carry);

    -- A cut sum that is all ones just below the smallest number is that number.
    at_zero  := not or_reduce(not std_ulogic_vector(s.exponent));
    none     := s.normalises and not s.bits(31);
    small    := s.exponent(10) and not (at_zero and place_i.ones and (up or e.cut));
    edge     := at_zero and place_i.ones and e.cut and not (e.saturates and s.negative);
    one      := at_least(s.exponent, 7);
    large    := at_least(s.exponent, 8) or (to_sl(s.exponent = 253) and place_i.ones and up);
    if e.half = '1' then
      one    := at_least(s.exponent, 4);
      large  := at_least(s.exponent, 5) or (to_sl(s.exponent = 29) and place_i.ones and up);
    end if;
    away     := to_sl(e.rounding = ROUND_NEAREST or (e.rounding = ROUND_DOWN and s.negative = '1')
                      or (e.rounding = ROUND_UP and s.negative = '0'));

    negative := s.negative;
    if e.infinite = '1' then
      negative := e.infinity_negative;
    elsif none = '1' or (small = '1' and e.cut = '0') then
      negative := e.zero_negative;
    end if;

    -- What the result is instead of the sum: at most one of these, or a NaN.
    below_zero := e.saturates and ((e.infinite and e.infinity_negative) or (not e.infinite and s.negative));
    zero       := below_zero or ((none or small or (place_i.zeros and not up)) and not e.infinite);
    one        := e.saturates and not zero and (one or e.infinite);
    full       := (e.infinite or large) and not e.saturates;
    away       := away or e.infinite or e.nan;
    full       := full or e.nan;
    other      := zero or one or full or edge;
    negative   := negative and not e.saturates and not e.nan;

    number   := '0' & sum(30 downto 0);
    takes    := (others => not other);
    sets     := '0' & full & (29 downto 24 => full or one) & ((full and away) or one or edge)
                & (22 downto 0 => full and (not away or e.nan));
    within   := '0' & (30 downto 25 => not e.reduced) & (24 downto 0 => '1');
    word_top := (s.bits(31) and not e.sets_top) or (e.negative and e.sets_top);
    if e.half = '1' then
      number   := '0' & sum(30 downto 15) & sum(27 downto 13);
      takes    := (31 downto 15 => '0') & takes(14 downto 0);
      sets     := (31 downto 15 => '0') & sets(30) & sets(26 downto 23) & sets(9 downto 0);
      within   := (31 downto 15 => '0') & within(14 downto 0);
      word_top := s.bits(15);
    end if;

    flags_o <= "00" & ((negative and not zero) or e.nan) & (zero or e.nan);
    if e.word = '1' then
      takes    := within;
      sets     := within;
      negative := word_top xor e.flips_top;
      zero     := not or_reduce(s.bits and within) and (e.word_float or not negative);
      flags_o  <= "00" & (negative and not zero) & zero;
    end if;

    result_o <= (takes and ((number and not sets) or (s.bits and sets))) or (sets and not takes)
                or ((negative and not e.half) & (30 downto 16 => '0') & (negative and e.half) & (14 downto 0 => '0'));
  end process;

end architecture;
