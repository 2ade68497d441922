-- SPDX-License-Identifier: Apache-2.0
-- The 16 barriers of one resident block: how many of its warps have arrived at each, and how many have not finished.
-- Combinational answer in the cycle of the event.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;

entity block_barriers is
  port (
    clk      : in  std_ulogic;
    start_i  : in  std_ulogic;                               -- a new block ...
    warps_i  : in  unsigned(SLOT_BITS downto 0);             -- ... with this many warps
    arrive_i : in  std_ulogic;                               -- a warp arrives at barrier id_i
    exit_i   : in  std_ulogic;                               -- a warp finishes
    id_i     : in  unsigned(3 downto 0);
    opens_o  : out std_ulogic_vector(15 downto 0)            -- barriers that this event opens
  );
end entity;

architecture rtl of block_barriers is
  subtype count_t is unsigned(SLOT_BITS downto 0);
  signal alive : count_t;                                    -- warps that have not finished
  signal left  : count_t;                                    -- ... after this event
begin

  left <= alive - 1 when exit_i = '1' else alive;

  count_alive : process (clk)
  begin
    if rising_edge(clk) then
      alive <= left;
      if start_i = '1' then
        alive <= warps_i;
      end if;
    end if;
  end process;

  barrier : for i in 0 to 15 generate
    signal arrived : count_t;
    signal updated : count_t;                                -- with this event
    signal opens   : std_ulogic;
  begin
    updated    <= arrived + 1 when arrive_i = '1' and id_i = i else arrived;
    opens      <= (arrive_i or exit_i) and to_sl(updated /= 0 and updated = left);
    opens_o(i) <= opens;

    count_arrived : process (clk)
    begin
      if rising_edge(clk) then
        arrived <= updated;
        if opens = '1' or start_i = '1' then
          arrived <= (others => '0');
        end if;
      end if;
    end process;
  end generate;

end architecture;
