-- SPDX-License-Identifier: Apache-2.0
-- avoid: renamed
-- instead: agrees
-- rule: no record ports at the top: rtl/generated/gpu_flat.vhd
-- top: couple
-- The entity at the top.
library ieee;
use ieee.std_logic_1164.all;

package couple_pkg is
  type pair_t is record
    low  : std_ulogic_vector(7 downto 0);
    high : std_ulogic_vector(7 downto 0);
  end record;
end package couple_pkg;

library ieee;
use ieee.std_logic_1164.all;
use work.couple_pkg.all;

entity couple is
  port (
    pair_i : in  pair_t;
    y_o    : out std_ulogic_vector(7 downto 0)
  );
end entity couple;

architecture rtl of couple is
begin
  y_o <= pair_i.low xor pair_i.high;
end architecture rtl;

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity probe is
  port (
    clk : in  std_ulogic;
    a   : in  std_ulogic_vector(7 downto 0);
    b   : in  std_ulogic_vector(7 downto 0);
    y   : out std_ulogic_vector(7 downto 0)
  );
end entity probe;

architecture avoid of probe is
begin
  u_couple : entity work.couple
    port map (pair_i.low => a, pair_i.high => b, y_o => y);
end architecture avoid;

architecture instead of probe is
begin
  y <= a xor b;
end architecture instead;
