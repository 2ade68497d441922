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
    variable carries  : std_ulogic;                -- the significand becomes a power of two
    variable rounding : std_ulogic_vector(1 downto 0);
    variable at_zero  : std_ulogic;                -- exponent 0: half of the smallest number, or more
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
    at_zero  := to_sl(s.exponent = 0);
    up       := moves_up(rounding, s.negative, place_i.lowest, place_i.below, place_i.sticky);

    -- A cut sum that is all ones just below the smallest number is that number.
    carries  := place_i.ones and (up or (e.cut and at_zero));

    -- The highest bit of the significand adds one to the exponent.
    places   := (31 downto 14 => '0') & (up and e.half) & (12 downto 1 => '0')
                & ((up or (e.cut and at_zero)) and not e.half);
    sum      := std_ulogic_vector((unsigned(s.exponent(8 downto 0) - 1) & (22 downto 0 => '0'))
                                  + unsigned(s.bits(31 downto 8)) + places);

    none  := s.normalises and not s.bits(31);
    small := s.exponent(10) or (at_zero and not carries);
    one   := to_sl(s.exponent >= 127);
    large := to_sl(s.exponent >= 255) or (to_sl(s.exponent = 254) and carries);
    if e.half = '1' then
      one   := to_sl(s.exponent >= 15);
      large := to_sl(s.exponent >= 31) or (to_sl(s.exponent = 30) and carries);
    end if;
    away := to_sl(e.rounding = ROUND_NEAREST or (e.rounding = ROUND_DOWN and s.negative = '1')
                  or (e.rounding = ROUND_UP and s.negative = '0'));

    negative := s.negative;
    if e.infinite = '1' then
      negative := e.infinity_negative;
    elsif none = '1' or (small = '1' and e.cut = '0') then
      negative := e.zero_negative;
    end if;
    zero := not e.infinite and (none or small or (place_i.zeros and not up));
    zero := zero or (e.saturates and negative);

    exponent := sum(30 downto 23);
    fraction := sum(22 downto 0);
    if e.nan = '1' then
      exponent := (others => '1');
      fraction := (others => '1');
    elsif zero = '1' then
      exponent := (others => '0');
      fraction := (others => '0');
    elsif e.saturates = '1' and (one = '1' or e.infinite = '1') then
      exponent := x"7f";
      fraction := (others => '0');
      if e.half = '1' then
        exponent := x"0f";
      end if;
    elsif e.infinite = '1' or large = '1' then
      exponent := (7 downto 1 => '1') & (e.infinite or away);
      fraction := (others => not (e.infinite or away));
    end if;
    negative := negative and not e.saturates and not e.nan;

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
