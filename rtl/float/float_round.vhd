-- SPDX-License-Identifier: Apache-2.0
-- Stages ROUND and RANGE of a lane's floating-point unit. ROUND rounds the sum, saturates, and finds the result
-- that replaces the sum out of range; RANGE selects one of the two and makes the flags. Latency: one cycle.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.float_pkg.all;

entity float_round is
  port (
    clk      : in  std_ulogic;
    moves_i  : in  unit_moves_t;
    sum_i    : in  float_sum_t;
    place_i  : in  float_place_t;
    result_o : out word_t;
    flags_o  : out nibble_t                        -- O C S Z
  );
end entity;

architecture rtl of float_round is

  -- From ROUND to RANGE.
  type choice_t is record
    number   : std_ulogic_vector(30 downto 0);     -- the rounded sum, as it is in the result
    word     : word_t;                             -- the result, if it is a word: without its sign; else zero
    half     : std_ulogic;                         -- the result has 16 bits
    zero     : std_ulogic;                         -- the result is zero, or a word
    one      : std_ulogic;                         -- the result is one
    full     : std_ulogic;                         -- the result is infinite, the largest number, or a NaN
    edge     : std_ulogic;                         -- the result is the smallest number
    away     : std_ulogic;                         -- if full: infinite or a NaN
    nan      : std_ulogic;
    negative : std_ulogic;
    flags    : nibble_t;
  end record;

  signal range_r, range_in : choice_t;

  -- True if an exponent is at least 2 ** n - 2.
  function at_least(exponent : signed(10 downto 0); n : positive) return std_ulogic is
  begin
    return not exponent(10) and (or_reduce(std_ulogic_vector(exponent(9 downto n)))
                                 or not or_reduce(not std_ulogic_vector(exponent(n - 1 downto 1))));
  end function;

begin

  stage_round : process (all)
    variable v : choice_t;
    variable s : float_sum_t;
    variable e : float_end_t;
    variable up       : std_ulogic;
    variable rounding : std_ulogic_vector(1 downto 0);
    variable at_zero  : std_ulogic;                -- exponent 0: half of the smallest number, or more
    variable below_zero : std_ulogic;
    variable above    : unsigned(31 downto 0);     -- exponent and fraction
    variable places, carry : unsigned(31 downto 0);       -- increments of above
    variable sum      : std_ulogic_vector(31 downto 0);   -- of an F16 at 27 downto 13
    variable none     : std_ulogic;                -- the sum is zero
    variable small    : std_ulogic;                -- the sum is too small
    variable large    : std_ulogic;
    variable one      : std_ulogic;                -- at least one
    variable word     : word_t;
    variable word_top : std_ulogic;
    variable word_zero : std_ulogic;
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
    v.number := sum(30 downto 0);
    if e.half = '1' then
      v.number := (30 downto 15 => '0') & sum(27 downto 13);
    end if;

    -- A cut sum that is all ones just below the smallest number is that number.
    at_zero  := not or_reduce(not std_ulogic_vector(s.exponent));
    none     := s.normalises and not s.bits(31);
    small    := s.exponent(10) and not (at_zero and place_i.ones and (up or e.cut));
    one      := at_least(s.exponent, 7);
    large    := at_least(s.exponent, 8) or (to_sl(s.exponent = 253) and place_i.ones and up);
    if e.half = '1' then
      one    := at_least(s.exponent, 4);
      large  := at_least(s.exponent, 5) or (to_sl(s.exponent = 29) and place_i.ones and up);
    end if;

    v.negative := s.negative;
    if e.infinite = '1' then
      v.negative := e.infinity_negative;
    elsif none = '1' or (small = '1' and e.cut = '0') then
      v.negative := e.zero_negative;
    end if;
    v.negative := v.negative and not e.saturates and not e.nan;

    -- The result that replaces the sum.
    below_zero := e.saturates and ((e.infinite and e.infinity_negative) or (not e.infinite and s.negative));
    v.half := e.half;
    v.zero := below_zero or ((none or small or (place_i.zeros and not up)) and not e.infinite);
    v.one  := e.saturates and (one or e.infinite);
    v.full := ((e.infinite or large) and not e.saturates) or e.nan;
    v.edge := at_zero and place_i.ones and e.cut and not (e.saturates and s.negative);
    v.away := to_sl(e.rounding = ROUND_NEAREST or (e.rounding = ROUND_DOWN and s.negative = '1')
                    or (e.rounding = ROUND_UP and s.negative = '0')) or e.infinite or e.nan;
    v.nan  := e.nan;
    v.flags := "00" & ((v.negative and not v.zero) or e.nan) & (v.zero or e.nan);

    word     := '0' & (30 downto 25 => not e.reduced) & (24 downto 0 => '1');
    word_top := (s.bits(31) and not e.sets_top) or (e.negative and e.sets_top);
    if e.half = '1' then
      word     := (31 downto 15 => '0') & word(14 downto 0);
      word_top := s.bits(15);
    end if;
    word      := word and s.bits;
    word_top  := word_top xor e.flips_top;
    word_zero := not or_reduce(word) and (e.word_float or not word_top);
    v.word    := word and (31 downto 0 => e.word);
    if e.word = '1' then
      v.zero     := '1';
      v.full     := '0';
      v.edge     := '0';
      v.negative := word_top;
      v.flags    := "00" & (word_top and not word_zero) & word_zero;
    end if;
    range_in <= v;
  end process;

  range_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i(IN_RANGE) = '1' then
        range_r <= range_in;
      end if;
    end if;
  end process;

  stage_range : process (all)
    variable one   : std_ulogic;
    variable takes : std_ulogic;                   -- the rounded sum
    variable sets  : word_t;                       -- without a sum: the bits that are set
    variable sign  : word_t;
  begin
    one   := range_r.one and not range_r.zero;
    takes := not (range_r.zero or range_r.one or range_r.full or range_r.edge);
    sets  := '0' & range_r.full & (29 downto 24 => range_r.full or one)
             & ((range_r.full and range_r.away) or one or range_r.edge)
             & (22 downto 0 => range_r.full and (not range_r.away or range_r.nan));
    if range_r.half = '1' then
      sets := (31 downto 15 => '0') & sets(30) & sets(26 downto 23) & sets(9 downto 0);
    end if;
    sign  := (31 => range_r.negative and not range_r.half, 15 => range_r.negative and range_r.half, others => '0');
    result_o <= range_r.word or sets or ('0' & (range_r.number and (30 downto 0 => takes))) or sign;
    flags_o  <= range_r.flags;
  end process;

end architecture;
