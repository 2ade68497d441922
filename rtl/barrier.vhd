-- SPDX-License-Identifier: Apache-2.0
-- Barriers of the resident blocks: 16 ids each. A barrier holds the set of warps that have arrived, so that one that
-- arrives twice counts once. It opens when every warp of the block has arrived or finished; it is then empty again, and
-- the warps that wait on it go on. Combinational answer in the cycle of the event.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;

entity barrier is
  generic (
    WARPS  : positive
  );
  port (
    clk       : in  std_ulogic;
    rst       : in  std_ulogic;
    -- a new block, in the warp slots first, first + 1 ... first + warps - 1
    start_i       : in  std_ulogic;
    start_block_i : in  block_slot_t;
    start_first_i : in  slot_t;
    start_warps_i : in  unsigned(SLOT_BITS downto 0);
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

  type missing_t is array (0 to WARPS - 1) of std_ulogic_vector(15 downto 0);

  signal here    : std_ulogic_vector(WARPS - 1 downto 0);    -- the warp of the event
  signal missing : missing_t;
  signal opens   : std_ulogic_vector(15 downto 0);           -- of the event's block

begin

  here <= one_hot(slot_i, WARPS);

  open_barriers : process (all)
    variable closed : std_ulogic_vector(15 downto 0);
  begin
    closed := (others => not (arrive_i or exit_i));
    for w in 0 to WARPS - 1 loop
      closed := closed or missing(w);
    end loop;
    opens <= not closed;
  end process;

  opens_o <= opens(to_integer(id_i));

  warp : for w in 0 to WARPS - 1 generate
    signal first                : unsigned(SLOT_BITS downto 0);
    signal start, arrive, leave : std_ulogic;
    signal waits                : std_ulogic;
  begin
    first  <= resize(start_first_i, SLOT_BITS + 1);
    start  <= start_i and to_sl(first <= w and first + start_warps_i > w);
    arrive <= here(w) and arrive_i;
    waits  <= here(w) and wait_i;
    leave  <= here(w) and exit_i;

    u_warp : entity work.warp_barriers
      port map (
        clk           => clk,
        rst           => rst,
        start_i       => start,
        start_block_i => start_block_i,
        block_i       => block_i,
        arrive_i      => arrive,
        wait_i        => waits,
        exit_i        => leave,
        id_i          => id_i,
        opens_i       => opens,
        missing_o     => missing(w),
        release_o     => release_o(w)
      );
  end generate;

end architecture;
