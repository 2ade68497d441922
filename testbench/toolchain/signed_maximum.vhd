-- SPDX-License-Identifier: Apache-2.0
-- avoid: unparsable
-- instead: agrees
-- rule: no minimum, maximum of signed: compare and select
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
  y <= std_ulogic_vector(maximum(signed(a), signed(b)));
end architecture avoid;

architecture instead of probe is
begin
  y <= a when signed(a) > signed(b) else b;
end architecture instead;
