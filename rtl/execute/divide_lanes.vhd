-- SPDX-License-Identifier: Apache-2.0
-- Integer division of one SM, beside stage X3 (IDIV, IREM). DIVIDERS units share the lanes. A unit takes magnitudes,
-- finds four quotient bits a cycle and restores the sign: 10 cycles a lane. The beat stays in X3 until all its lanes
-- are done.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.operands_pkg.all;

entity divide_lanes is
  generic (
    CORES    : positive;
    DIVIDERS : positive
  );
  port (
    clk       : in  std_ulogic;
    rst       : in  std_ulogic;
    x2_beat_i : in  beat_t;
    -- stage X3
    beat_i   : in  beat_t;
    lanes_i  : in  lanes_to_execute_t(0 to CORES - 1);
    leaves_i : in  std_ulogic;                               -- the beat leaves stage X3
    blocks_o : out std_ulogic;                               -- the beat in X3 must stay in the next cycle
    result_o : out words_t(0 to CORES - 1)                   -- of a division, when it leaves; else zero
  );
end entity;

architecture rtl of divide_lanes is

  constant SHARE : positive := CORES / DIVIDERS;             -- lanes of a unit

  -- Step of all units.
  type phase_t is (TAKE, STEP, GIVE);
  type state_t is record
    phase : phase_t;
    step  : unsigned(2 downto 0);                            -- of four bits each
    lane  : unsigned(4 downto 0);                            -- of each unit
    done  : std_ulogic;
  end record;
  constant STATE_INIT : state_t := (phase => TAKE, step => (others => '0'), lane => (others => '0'), done => '0');
  signal r, rin : state_t;

  type unit_t is record
    divisor   : unsigned(31 downto 0);
    remainder : unsigned(31 downto 0);
    quotient  : unsigned(31 downto 0);                       -- above it, the rest of the dividend
    negative  : std_ulogic;                                  -- the result is
    by_zero   : std_ulogic;
  end record;

  signal divides : std_ulogic;

  function has_division(beat : beat_t) return std_ulogic is
  begin
    return beat.valid and is_division(beat.insn.control);
  end function;

  function negated_if(negative : std_ulogic; v : unsigned(31 downto 0)) return unsigned is
    variable one : unsigned(31 downto 0) := (others => '0');
  begin
    one(0) := negative;
    return (v xor (31 downto 0 => negative)) + one;
  end function;

  function taken(lane : lane_to_execute_t; c : control_t) return unit_t is
    variable a_sign, b_sign : std_ulogic;
  begin
    a_sign := c.sign_a and lane.src_a(31);
    b_sign := c.sign_a and lane.src_b(31);
    return (divisor   => negated_if(b_sign, unsigned(lane.src_b)),
            remainder => (others => '0'),
            quotient  => negated_if(a_sign, unsigned(lane.src_a)),
            negative  => a_sign xor (b_sign and not c.mul_hi),
            by_zero   => not or_reduce(lane.src_b));
  end function;

  -- One bit more of the quotient.
  function stepped(u : unit_t) return unit_t is
    variable v    : unit_t;
    variable high : unsigned(32 downto 0);                   -- the remainder and the next bit of the dividend
    variable rest : unsigned(32 downto 0);
  begin
    v    := u;
    high := u.remainder & u.quotient(31);
    rest := high - ('0' & u.divisor);
    v.remainder := rest(31 downto 0);
    v.quotient  := u.quotient(30 downto 0) & not rest(32);
    if rest(32) = '1' then
      v.remainder := high(31 downto 0);
    end if;
    return v;
  end function;

  function given(u : unit_t; remainder : std_ulogic) return word_t is
    variable v : unsigned(31 downto 0);
  begin
    v := u.quotient;
    if remainder = '1' then
      v := u.remainder;
    end if;
    return std_ulogic_vector(negated_if(u.negative, v)) or (31 downto 0 => u.by_zero);
  end function;

begin

  assert CORES mod DIVIDERS = 0 report "DIVIDERS is a part of CORES" severity failure;

  divides <= has_division(beat_i);

  comb : process (all)
    variable v : state_t;
  begin
    v := r;
    case r.phase is
      when TAKE =>
        if divides = '1' and r.done = '0' then
          v.phase := STEP;
          v.step  := (others => '0');
        end if;
      when STEP =>
        v.step := r.step + 1;
        if r.step = 7 then
          v.phase := GIVE;
        end if;
      when GIVE =>
        v.phase := TAKE;
        v.lane := r.lane + 1;
        v.done := to_sl(r.lane = SHARE - 1);
    end case;
    blocks_o <= divides and not v.done;
    if leaves_i = '1' or divides = '0' then                  -- or a trap has taken it away
      v := STATE_INIT;
    end if;
    if leaves_i = '1' then
      blocks_o <= has_division(x2_beat_i);
    end if;
    rin <= v;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
      if rst = '1' then
        r <= STATE_INIT;
      end if;
    end if;
  end process;

  each_unit : for d in 0 to DIVIDERS - 1 generate
    signal u, u_in : unit_t;
    signal result  : word_t;
    signal results : words_t(0 to SHARE - 1);
  begin
    work_on : process (all)
      variable lane : lane_to_execute_t;
    begin
      lane := lanes_i(d * SHARE);
      for l in 1 to SHARE - 1 loop
        if r.lane = l then
          lane := lanes_i(d * SHARE + l);
        end if;
      end loop;
      case r.phase is
        when TAKE => u_in <= taken(lane, beat_i.insn.control);
        when STEP => u_in <= stepped(stepped(stepped(stepped(u))));
        when GIVE => u_in <= u;
      end case;
      result <= given(u, beat_i.insn.control.mul_hi);
    end process;

    unit_regs : process (clk)
    begin
      if rising_edge(clk) then
        u <= u_in;
      end if;
    end process;

    each_lane : for l in 0 to SHARE - 1 generate
      result_regs : process (clk)
      begin
        if rising_edge(clk) then
          if r.phase = GIVE and r.lane = l then
            results(l) <= result;
          end if;
        end if;
      end process;

      result_o(d * SHARE + l) <= results(l) and (31 downto 0 => divides);
    end generate;
  end generate;

end architecture;
