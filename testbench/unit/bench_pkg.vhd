-- SPDX-License-Identifier: Apache-2.0
-- What the benches share: a clock that the stimulus drives itself, one call a cycle, and a check that ends the bench.
library ieee;
use ieee.std_logic_1164.all;

package bench_pkg is
  -- One cycle of 2 ns. Inputs that were assigned before are taken at its edge; outputs have settled when it returns.
  procedure tick(signal clk : out std_ulogic);

  procedure check(ok : boolean; what : string);
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

end package body bench_pkg;
