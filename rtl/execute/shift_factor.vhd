-- SPDX-License-Identifier: Apache-2.0
-- The factor by which a lane's multiplier shifts: 2**n to the left; 2**(32 - n) to the right, where the result is the
-- upper word, but 1 and the lower word for n = 0. Combinational, in X1. On the critical path: fpga/timing/synth.sh maps
-- it by itself.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.operands_pkg.all;

entity shift_factor is
  generic (
    HAS_FPU : boolean
  );
  port (
    src_a_i   : in  word_t;                                  -- value to scale: an F32, or an F16 in its lower half
    src_b_i   : in  unsigned(4 downto 0);                    -- shift amount
    factors_i : in  factors_t;
    power_o   : out word_t
  );
end entity;

architecture rtl of shift_factor is

  -- The exponent of a number that is scaled, minus the bias: 1 more, modulo 32. RRO.EX2 wants it 23 higher.
  function scale_of(f : factors_t; a : word_t) return unsigned is
    variable exponent, n : unsigned(4 downto 0);
  begin
    -- The exponent of an F16 is 112 less: with its upper bit inverted it is right, modulo 32. Of an F16 below one, as
    -- denormals are, the product does not count (float_operands.vhd: below_one).
    exponent := unsigned(a(27 downto 23));
    if f.half = '1' then
      exponent := not a(14) & unsigned(a(13 downto 10));
    end if;
    n := plus_one(exponent);
    if f.reduces = '1' then
      n := (exponent(4) xnor exponent(3)) & not exponent(3) & exponent(2 downto 0);
    end if;
    -- FADD multiplies by one.
    if f.unscaled = '1' then
      n := to_unsigned(23, 5);
    end if;
    return n;
  end function;

begin

  shift : process (all)
    variable n      : unsigned(4 downto 0);
    variable byte   : nibble_t;                              -- that has the bit
    variable within : std_ulogic_vector(7 downto 0);         -- the bit in it
  begin
    n := shift_power(factors_i.right, src_b_i);
    if HAS_FPU and factors_i.scales = '1' then
      n := scale_of(factors_i, src_a_i);
    end if;
    byte   := one_hot(n(4 downto 3), 4) and (3 downto 0 => factors_i.shifts);
    within := one_hot(n(2 downto 0), 8);
    for i in 0 to 3 loop
      power_o(8 * i + 7 downto 8 * i) <= within and (7 downto 0 => byte(i));
    end loop;
  end process;

end architecture;
