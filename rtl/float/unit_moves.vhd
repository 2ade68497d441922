-- SPDX-License-Identifier: Apache-2.0
-- Which stages of a unit of floating point or special functions take something in this cycle. Stages 2 to 4 move with
-- the beats in X2 to Y; those behind never wait. What is not the unit's leaves its registers as they are.

library ieee;
use ieee.std_logic_1164.all;

use work.gpu_pkg.all;

entity unit_moves is
  port (
    clk       : in  std_ulogic;
    asks_i    : in  std_ulogic;                    -- there is a beat in X1, for the unit
    x_moves_i : in  std_ulogic;                    -- X1 to X3 move; so does Y
    y_moves_i : in  std_ulogic;                    -- Y moves
    forget_i  : in  std_ulogic;                    -- there are no beats in X2 to Y in the next cycle
    moves_o   : out unit_moves_t
  );
end entity;

architecture rtl of unit_moves is
  signal has    : std_ulogic_vector(2 to 4);       -- there is a beat in the stage, and it is the unit's
  signal behind : std_ulogic_vector(6 to UNIT_STAGES);
begin

  regs : process (clk)
  begin
    if rising_edge(clk) then
      if x_moves_i = '1' then
        has(2) <= asks_i;
        has(3) <= has(2);
      end if;
      if y_moves_i = '1' then
        has(4) <= x_moves_i and has(3);
      end if;
      if forget_i = '1' then
        has <= (others => '0');
      end if;
      behind <= moves_o(5 to UNIT_STAGES - 1);
    end if;
  end process;

  moves_o <= (x_moves_i and asks_i) & (x_moves_i and has(2)) & (x_moves_i and has(3)) & has(4) & behind;

end architecture;
