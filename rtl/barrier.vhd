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

  subtype count_t is unsigned(SLOT_BITS downto 0);
  type counts_t is array (0 to 15) of count_t;
  type block_counts_t is array (0 to BLOCKS - 1) of counts_t;
  type alive_t is array (0 to BLOCKS - 1) of count_t;

  type waiter_t is record
    waits : std_ulogic;
    block_slot : block_slot_t;
    id    : unsigned(3 downto 0);
  end record;
  type waiters_t is array (0 to WARPS - 1) of waiter_t;

  type barriers_t is record
    arrived : block_counts_t;
    alive   : alive_t;
    waiters : waiters_t;
  end record;

  signal r, rin : barriers_t;

begin

  comb : process (all)
    variable v     : barriers_t;
    variable count : count_t;
    variable left  : count_t;
    variable opens : std_ulogic_vector(15 downto 0);
  begin
    v     := r;
    opens := (others => '0');

    left := r.alive(to_integer(block_i));
    if exit_i = '1' then
      left := left - 1;
    end if;
    for i in 0 to 15 loop
      count := r.arrived(to_integer(block_i))(i);
      if arrive_i = '1' and id_i = i then
        count := count + 1;
      end if;
      opens(i) := (arrive_i or exit_i) and to_sl(count /= 0 and count = left);
      if opens(i) = '1' then
        count := (others => '0');
      end if;
      for b in 0 to BLOCKS - 1 loop
        if block_i = b and (arrive_i = '1' or exit_i = '1') then
          v.arrived(b)(i) := count;
          v.alive(b)      := left;
        end if;
      end loop;
    end loop;

    for w in 0 to WARPS - 1 loop
      release_o(w) <= '0';
      if r.waiters(w).waits = '1' and r.waiters(w).block_slot = block_i
        and opens(to_integer(r.waiters(w).id)) = '1'
      then
        release_o(w)       <= '1';
        v.waiters(w).waits := '0';
      end if;
      if arrive_i = '1' and wait_i = '1' and slot_i = w and opens(to_integer(id_i)) = '0' then
        v.waiters(w) := (waits => '1', block_slot => block_i, id => id_i);
      end if;
    end loop;
    opens_o <= opens(to_integer(id_i));

    for b in 0 to BLOCKS - 1 loop
      if start_i = '1' and start_block_i = b then
        v.alive(b)   := start_warps_i;
        v.arrived(b) := (others => (others => '0'));
      end if;
    end loop;
    rin <= v;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
      if rst = '1' then
        for w in 0 to WARPS - 1 loop
          r.waiters(w).waits <= '0';
        end loop;
      end if;
    end if;
  end process;

end architecture;
