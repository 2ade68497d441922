-- SPDX-License-Identifier: Apache-2.0
-- What harnesses share.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;

package formal_pkg is

  -- The kind of control flow of this number, FLOW_NONE where there is none of it.
  function flow_of(number : unsigned(3 downto 0)) return flow_t;

end package formal_pkg;

package body formal_pkg is

  function flow_of(number : unsigned(3 downto 0)) return flow_t is
    variable flow : flow_t := FLOW_NONE;
  begin
    for f in flow_t loop
      if number = flow_t'pos(f) then
        flow := f;
      end if;
    end loop;
    return flow;
  end function;

end package body formal_pkg;
