-- SPDX-License-Identifier: Apache-2.0
-- Which stages of a unit of floating point or special functions take something in this cycle. Stages 2 to 4 move with
-- the beats in X2 to Y; those behind never wait. What is not the unit's leaves its registers as they are.

library ieee;
use ieee.std_logic_1164.all;

use work.gpu_pkg.all;

entity unit_moves is
  port (
    clk     : in  std_ulogic;
    asks_i  : in  std_ulogic;                      -- the beat in X1 is one for the unit
    moves_i : in  back_moves_t;
    moves_o : out unit_moves_t
  );
end entity;

architecture rtl of unit_moves is
  signal has    : std_ulogic_vector(2 to 4);       -- the beat in the stage is the unit's
  signal behind : std_ulogic_vector(6 to UNIT_STAGES);
begin

  regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i.x2 = '1' then
        has(2) <= asks_i;
      end if;
      if moves_i.x3 = '1' then
        has(3) <= has(2);
      end if;
      if moves_i.y = '1' then
        has(4) <= has(3);
      end if;
      behind <= moves_o(5 to UNIT_STAGES - 1);
    end if;
  end process;

  moves_o <= (moves_i.x2 and asks_i) & (moves_i.x3 and has(2)) & (moves_i.y and has(3)) & (moves_i.w and has(4))
             & behind;

end architecture;
