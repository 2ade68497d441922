-- SPDX-License-Identifier: Apache-2.0
-- Stages NORM1 to NORM3 of a lane's floating-point unit: move the sum to the left until its highest bit is set, or by a
-- given distance. Latency: three cycles.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.float_pkg.all;

entity float_normalise is
  port (
    clk       : in  std_ulogic;
    moves_i   : in  unit_moves_t;
    sum_i     : in  float_sum_t;
    sum_o     : out float_sum_t;                   -- `left` no longer matters
    place_o   : out float_place_t
  );
end entity;

architecture rtl of float_normalise is

  type moving_t is record
    sum   : float_sum_t;
    moved : unsigned(4 downto 1);                  -- so far
  end record;

  signal norm2_r, norm2_in : moving_t;
  signal norm3_r, norm3_in : moving_t;
  signal round_r, round_in : float_sum_t;
  signal place, place_in   : float_place_t;

begin

  stage_norm1 : process (all)
    variable v    : moving_t;
    variable bits : word_t;
    variable none : std_ulogic_vector(7 downto 0); -- four bits each that are zero
    variable left : std_ulogic_vector(4 downto 3);
  begin
    v.sum := sum_i;
    bits  := sum_i.bits;
    for i in 0 to 7 loop
      none(i) := not or_reduce(bits(4 * i + 3 downto 4 * i));
    end loop;
    left := std_ulogic_vector(sum_i.left(4 downto 3));

    if sum_i.normalises = '1' then
      left(4) := none(7) and none(6) and none(5) and none(4);
    end if;
    if left(4) = '1' then
      bits := bits(15 downto 0) & (15 downto 0 => '0');
      none := none(3 downto 0) & "1111";
    end if;
    if sum_i.normalises = '1' then
      left(3) := none(7) and none(6);
    end if;
    if left(3) = '1' then
      bits := bits(23 downto 0) & (7 downto 0 => '0');
    end if;

    v.moved    := unsigned(left) & "00";
    v.sum.bits := bits;
    norm2_in <= v;
  end process;

  norm2_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i(IN_NORM2) = '1' then
        norm2_r <= norm2_in;
      end if;
    end if;
  end process;

  stage_norm2 : process (all)
    variable v    : moving_t;
    variable bits : word_t;
    variable left : std_ulogic_vector(2 downto 1);
  begin
    v    := norm2_r;
    bits := norm2_r.sum.bits;
    left := std_ulogic_vector(norm2_r.sum.left(2 downto 1));
    if norm2_r.sum.normalises = '1' then
      left(2) := not or_reduce(bits(31 downto 28));
    end if;
    if left(2) = '1' then
      bits := bits(27 downto 0) & "0000";
    end if;
    if norm2_r.sum.normalises = '1' then
      left(1) := not (bits(31) or bits(30));
    end if;
    if left(1) = '1' then
      bits := bits(29 downto 0) & "00";
    end if;
    v.moved    := norm2_r.moved(4 downto 3) & unsigned(left);
    v.sum.bits := bits;
    norm3_in <= v;
  end process;

  norm3_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i(IN_NORM3) = '1' then
        norm3_r <= norm3_in;
      end if;
    end if;
  end process;

  stage_norm3 : process (all)
    variable v    : float_sum_t;
    variable left : std_ulogic;
  begin
    v    := norm3_r.sum;
    left := norm3_r.sum.left(0);
    if norm3_r.sum.normalises = '1' then
      left := not v.bits(31);
    end if;
    if left = '1' then
      v.bits := v.bits(30 downto 0) & '0';
    end if;
    v.exponent := norm3_r.sum.exponent - signed(resize(norm3_r.moved & left, 11));
    round_in <= v;

    place_in <= (lowest => v.bits(8), below => v.bits(7), sticky => or_reduce(v.bits(6 downto 0)),
                 ones => to_sl(v.bits(31 downto 8) = x"ffffff"), zeros => '0');
    if v.ends.half = '1' then
      place_in <= (lowest => v.bits(21), below => v.bits(20), sticky => or_reduce(v.bits(19 downto 0)),
                   ones => to_sl(v.bits(31 downto 21) = 11x"7ff"), zeros => not or_reduce(v.bits(31 downto 21)));
    end if;
  end process;

  round_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i(IN_ROUND) = '1' then
        round_r     <= round_in;
        place <= place_in;
      end if;
    end if;
  end process;

  sum_o   <= round_r;
  place_o <= place;

end architecture;
