-- SPDX-License-Identifier: Apache-2.0
-- Shared by the benches: addresses of the host's port, a clock that the stimulus drives itself, one call a cycle,
-- random numbers, and a check that ends the bench.
library ieee;
use ieee.std_logic_1164.all;
use ieee.math_real.all;

use work.gpu_pkg.all;

package bench_pkg is
  -- One cycle of 2 ns. Inputs that were assigned before are taken at its edge; outputs have settled when it returns.
  procedure tick(signal clk : out std_ulogic);

  procedure check(ok : boolean; what : string);

  -- Random numbers, the same ones from the same seed.
  type random_t is protected
    procedure start(seed : positive);
    impure function draw(n : positive) return natural;       -- 0 to n - 1
    impure function flag(n : positive) return std_ulogic;    -- set once in n
  end protected random_t;
end package bench_pkg;

package body bench_pkg is

  procedure tick(signal clk : out std_ulogic) is
  begin
    wait for 1 ns;
    clk <= '1';
    wait for 1 ns;
    clk <= '0';
    wait for 0 ns;
  end procedure tick;

  procedure check(ok : boolean; what : string) is
  begin
    assert ok report what severity failure;
  end procedure check;

  type random_t is protected body
    variable seed1, seed2 : positive := 1;

    procedure start(seed : positive) is
    begin
      seed1 := seed;
      seed2 := seed;
    end procedure start;

    impure function draw(n : positive) return natural is
      variable x : real;
    begin
      uniform(seed1, seed2, x);
      return integer(floor(x * real(n)));
    end function draw;

    impure function flag(n : positive) return std_ulogic is
    begin
      return to_sl(draw(n) = 0);
    end function flag;
  end protected body random_t;

end package body bench_pkg;
