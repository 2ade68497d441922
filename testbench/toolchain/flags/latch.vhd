-- SPDX-License-Identifier: Apache-2.0
-- A latch. See testbench/toolchain/flags.sh.
library ieee;
use ieee.std_logic_1164.all;

entity latch is
  port (
    a : in  std_ulogic;
    b : in  std_ulogic;
    y : out std_ulogic
  );
end entity latch;

architecture rtl of latch is
begin

  hold : process (all)
  begin
    if a = '1' then
      y <= b;
    end if;
  end process hold;

end architecture rtl;
