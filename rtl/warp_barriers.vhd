-- SPDX-License-Identifier: Apache-2.0
-- What the barriers know of one warp slot: whose block it is in, at which of the 16 barriers of that block it has
-- arrived since they last opened, and at which it waits. Combinational answer in the cycle of the event.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;

entity warp_barriers is
  port (
    clk       : in  std_ulogic;
    rst       : in  std_ulogic;
    -- a new block takes this slot
    start_i       : in  std_ulogic;
    start_block_i : in  block_slot_t;
    -- an event in block_i; arrive_i, wait_i and exit_i are for this warp
    block_i   : in  block_slot_t;
    arrive_i  : in  std_ulogic;                              -- it arrives at barrier id_i
    wait_i    : in  std_ulogic;                              -- ... and waits there, unless that opens it
    exit_i    : in  std_ulogic;                              -- it finishes
    id_i      : in  unsigned(3 downto 0);
    opens_i   : in  std_ulogic_vector(15 downto 0);          -- barriers of block_i that the event opens
    missing_o : out std_ulogic_vector(15 downto 0);          -- barriers of block_i that must wait for this warp
    release_o : out std_ulogic                               -- it need not wait any more
  );
end entity;

architecture rtl of warp_barriers is

  type warp_t is record
    alive   : std_ulogic;                                    -- there is a warp, and it has not finished
    block_slot : block_slot_t;
    arrived : std_ulogic_vector(15 downto 0);
    waits   : std_ulogic;
    id      : unsigned(3 downto 0);                          -- of the barrier it waits at
  end record;

  signal r, rin : warp_t;

begin

  comb : process (all)
    variable v        : warp_t;
    variable concerns : std_ulogic;                          -- the event is in this warp's block
    variable released : std_ulogic;
  begin
    v := r;
    concerns := to_sl(r.block_slot = block_i);
    v.alive  := r.alive and not exit_i;
    if arrive_i = '1' then
      v.arrived := r.arrived or one_hot(id_i, 16);
    end if;
    missing_o <= not v.arrived and (15 downto 0 => v.alive and concerns);

    released := r.waits and concerns and opens_i(to_integer(r.id));
    if released = '1' then
      v.waits := '0';
    end if;
    if (arrive_i and wait_i and not opens_i(to_integer(id_i))) = '1' then
      v.waits := '1';
      v.id    := id_i;
    end if;
    v.arrived := v.arrived and not (opens_i and (15 downto 0 => concerns));

    if start_i = '1' then
      v.alive      := '1';
      v.block_slot := start_block_i;
      v.arrived    := (others => '0');
      v.waits      := '0';
    end if;
    release_o <= released;
    rin <= v;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
      if rst = '1' then
        r.alive <= '0';
        r.waits <= '0';
      end if;
    end if;
  end process;

end architecture;
