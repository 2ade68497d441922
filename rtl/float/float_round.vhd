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
begin

  stage_9 : process (all)
    variable s : float_sum_t;
    variable e : float_end_t;
    variable up       : std_ulogic;
    variable rounding : std_ulogic_vector(1 downto 0);
    variable at_zero  : std_ulogic;                -- exponent 0: half of the smallest number, or more
    variable edge     : std_ulogic;
    variable below_zero, full, other : std_ulogic;
    variable places   : unsigned(31 downto 0);
    variable sum      : std_ulogic_vector(31 downto 0);   -- exponent and fraction; of an F16 at 27 downto 13
    variable none     : std_ulogic;                -- the sum is zero
    variable small    : std_ulogic;                -- ... too small
    variable large    : std_ulogic;
    variable one      : std_ulogic;                -- at least one
    variable away     : std_ulogic;                -- what is too large is infinite
    variable zero, negative : std_ulogic;
    variable exponent : std_ulogic_vector(7 downto 0);    -- the result's
    variable fraction : std_ulogic_vector(22 downto 0);
    variable word     : word_t;
    variable word_top : std_ulogic;
  begin
    s := sum_i;
    e := s.ends;

    rounding := e.rounding or (1 downto 0 => e.drops);
    up       := moves_up(rounding, s.negative, place_i.lowest, place_i.below, place_i.sticky);

    -- The highest bit of the significand adds one to the exponent.
    places   := (31 downto 14 => '0') & (up and e.half) & (12 downto 1 => '0') & (up and not e.half);
    sum      := std_ulogic_vector((unsigned(s.exponent(8 downto 0) - 1) & (22 downto 0 => '0'))
                                  + unsigned(s.bits(31 downto 8)) + places);

    -- A cut sum that is all ones just below the smallest number is that number.
    at_zero  := to_sl(s.exponent = 0);
    none     := s.normalises and not s.bits(31);
    small    := s.exponent(10) or (at_zero and not (place_i.ones and (up or e.cut)));
    edge     := at_zero and place_i.ones and e.cut and not (e.saturates and s.negative);
    one      := to_sl(s.exponent >= 127);
    large    := to_sl(s.exponent >= 255) or (to_sl(s.exponent = 254) and place_i.ones and up);
    if e.half = '1' then
      one    := to_sl(s.exponent >= 15);
      large  := to_sl(s.exponent >= 31) or (to_sl(s.exponent = 30) and place_i.ones and up);
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
    exponent   := (sum(30 downto 23) and (7 downto 0 => not other))
                  or (full & (6 downto 4 => full or (one and not e.half)) & (3 downto 1 => full or one)
                      & ((full and away) or one or edge));
    fraction   := (sum(22 downto 0) and (22 downto 0 => not other)) or (22 downto 0 => full and (not away or e.nan));
    negative   := negative and not e.saturates and not e.nan;

    word     := s.bits;
    word_top := (s.bits(31) and not e.sets_top) or (e.negative and e.sets_top);
    if e.half = '1' then
      word(31 downto 16) := (others => '0');
      word_top := s.bits(15);
      word(15) := word_top xor e.flips_top;
    else
      word(31) := word_top xor e.flips_top;
      word(30 downto 25) := s.bits(30 downto 25) and (30 downto 25 => not e.reduced);
    end if;

    if e.word = '1' then
      result_o <= word;
      negative := (word_top xor e.flips_top);
      zero     := not or_reduce(word(30 downto 0)) and (e.word_float or not negative);
      flags_o  <= "00" & (negative and not zero) & zero;
    else
      result_o <= negative & exponent & fraction;
      if e.half = '1' then
        result_o <= (31 downto 16 => '0') & negative & exponent(4 downto 0) & fraction(22 downto 13);
      end if;
      flags_o <= "00" & ((negative and not zero) or e.nan) & (zero or e.nan);
    end if;
  end process;

end architecture;
