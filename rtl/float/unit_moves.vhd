-- SPDX-License-Identifier: Apache-2.0
-- The stages of a floating-point or special-function unit that take a result in this cycle. The first three move with
-- the beats in X2, X3 and RESOLVE; later ones never wait. Other instructions leave the unit's registers as they are.

library ieee;
use ieee.std_logic_1164.all;

use work.gpu_pkg.all;
use work.stages_pkg.all;

entity unit_moves is
  port (
    clk             : in  std_ulogic;
    asks_i          : in  std_ulogic;              -- there is a beat in X1, for the unit
    execute_moves_i : in  std_ulogic;              -- X1 to X3 move; so does RESOLVE
    resolve_moves_i : in  std_ulogic;              -- RESOLVE moves
    forget_i        : in  std_ulogic;              -- there are no beats in X2 to RESOLVE in the next cycle
    moves_o         : out unit_moves_t
  );
end entity;

architecture rtl of unit_moves is
  signal has    : std_ulogic_vector(IN_X2 to IN_RESOLVE); -- there is a beat in the stage, and it is the unit's
  signal behind : std_ulogic_vector(IN_RESOLVE + 2 to UNIT_STAGES);
  signal enters_resolve : std_ulogic;
begin

  enters_resolve <= execute_moves_i and has(IN_X3);

  regs : process (clk)
  begin
    if rising_edge(clk) then
      if execute_moves_i = '1' then
        has(IN_X2) <= asks_i;
        has(IN_X3) <= has(IN_X2);
      end if;
      if resolve_moves_i = '1' then
        has(IN_RESOLVE) <= enters_resolve;
      end if;
      if forget_i = '1' then
        has <= (others => '0');
      end if;
      behind <= moves_o(IN_RESOLVE + 1 to UNIT_STAGES - 1);
    end if;
  end process;

  moves_o <= (execute_moves_i and asks_i) & (execute_moves_i and has(IN_X2)) & (execute_moves_i and has(IN_X3))
             & has(IN_RESOLVE) & behind;

end architecture;
