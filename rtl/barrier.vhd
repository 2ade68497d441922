-- SPDX-License-Identifier: Apache-2.0
-- Barriers of the resident blocks: 16 ids each. A barrier opens when every warp of the block that has not finished
-- has arrived; it then releases the warps that wait on it. Combinational answer in the cycle of the event.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;

entity barrier is
  generic (
    WARPS  : positive;
    BLOCKS : positive
  );
  port (
    clk       : in  std_ulogic;
    rst       : in  std_ulogic;
    -- a new block with this many warps
    start_i   : in  std_ulogic;
    start_block_i : in block_slot_t;
    start_warps_i : in unsigned(SLOT_BITS downto 0);
    -- one event a cycle, from the branch unit
    arrive_i  : in  std_ulogic;                              -- the warp arrives at barrier id_i
    wait_i    : in  std_ulogic;                              -- ... and waits there, unless it is the last
    exit_i    : in  std_ulogic;                              -- the warp finishes
    slot_i    : in  slot_t;
    block_i   : in  block_slot_t;
    id_i      : in  unsigned(3 downto 0);
    opens_o   : out std_ulogic;                              -- this arrival opens the barrier
    release_o : out std_ulogic_vector(WARPS - 1 downto 0)
  );
end entity;

architecture rtl of barrier is

  subtype blocks_t is std_ulogic_vector(BLOCKS - 1 downto 0);
  type opens_t is array (0 to BLOCKS - 1) of std_ulogic_vector(15 downto 0);

  signal start, arrive, leave : blocks_t;
  signal all_opens            : opens_t;
  signal opens                : std_ulogic_vector(15 downto 0);  -- of the event's block

begin

  start  <= one_hot(start_block_i, BLOCKS) and blocks_t'(others => start_i);
  arrive <= one_hot(block_i, BLOCKS) and blocks_t'(others => arrive_i);
  leave  <= one_hot(block_i, BLOCKS) and blocks_t'(others => exit_i);

  blocks_of_sm : for b in 0 to BLOCKS - 1 generate
    u_barriers : entity work.block_barriers
      port map (
        clk      => clk,
        start_i  => start(b),
        warps_i  => start_warps_i,
        arrive_i => arrive(b),
        exit_i   => leave(b),
        id_i     => id_i,
        opens_o  => all_opens(b)
      );
  end generate;

  opens   <= all_opens(to_integer(block_i));
  opens_o <= opens(to_integer(id_i));

  warp : for w in 0 to WARPS - 1 generate
    signal waits      : std_ulogic;
    signal block_slot : block_slot_t;
    signal id         : unsigned(3 downto 0);
    signal released   : std_ulogic;
  begin
    released     <= waits and to_sl(block_slot = block_i) and opens(to_integer(id));
    release_o(w) <= released;

    remember : process (clk)
    begin
      if rising_edge(clk) then
        if released = '1' then
          waits <= '0';
        end if;
        if (arrive_i and wait_i and not opens(to_integer(id_i))) = '1' and slot_i = w then
          waits      <= '1';
          block_slot <= block_i;
          id         <= id_i;
        end if;
        if rst = '1' then
          waits <= '0';
        end if;
      end if;
    end process;
  end generate;

end architecture;
