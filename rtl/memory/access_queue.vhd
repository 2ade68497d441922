-- SPDX-License-Identifier: Apache-2.0
-- The accesses of an SM that wait for global memory, in order: a small memory in front of the register of the head.
-- A pushed access may be the head two cycles later. free_o depends on no input.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;

entity access_queue is
  generic (
    BITS   : positive;
    PLACES : positive;                                       -- a power of two
    AHEAD  : positive := 1;                                  -- free_o: there is room for so many
    SEED   : natural
  );
  port (
    clk     : in  std_ulogic;
    rst     : in  std_ulogic;
    push_i  : in  std_ulogic;
    data_i  : in  std_ulogic_vector(BITS - 1 downto 0);
    free_o  : out std_ulogic;
    valid_o : out std_ulogic;
    data_o  : out std_ulogic_vector(BITS - 1 downto 0);      -- the head
    pop_i   : in  std_ulogic;                                -- only when valid
    empty_o : out std_ulogic
  );
end entity;

architecture rtl of access_queue is

  constant PLACE_BITS : positive := log2(PLACES);

  type queue_t is record
    valid  : std_ulogic;                                     -- there is a head
    filled : unsigned(PLACE_BITS downto 0);                  -- behind it
    some   : std_ulogic;                                     -- filled is not 0
    room   : std_ulogic;                                     -- filled leaves room for AHEAD
    empty  : std_ulogic;                                     -- neither a head nor anything behind it
    first  : unsigned(PLACE_BITS - 1 downto 0);
    free   : unsigned(PLACE_BITS - 1 downto 0);
  end record;

  signal r, rin : queue_t;
  signal push   : std_ulogic_vector(0 downto 0);
  signal moves  : std_ulogic;                                -- the first of the memory becomes the head

begin

  comb : process (all)
    variable v : queue_t;
  begin
    v       := r;
    moves   <= r.some and (pop_i or not r.valid);
    v.valid := moves or (r.valid and not pop_i);
    if moves = '1' then
      v.first := r.first + 1;
    end if;
    if push_i = '1' then
      v.free := r.free + 1;
    end if;
    if push_i = '1' and moves = '0' then
      v.filled := r.filled + 1;
      v.some   := '1';
      v.room   := to_sl(r.filled < PLACES - AHEAD);
    elsif push_i = '0' and moves = '1' then
      v.filled := r.filled - 1;
      v.some   := to_sl(r.filled /= 1);
      v.room   := to_sl(r.filled <= PLACES - AHEAD + 1);
    end if;
    v.empty := not v.valid and not v.some;
    rin <= v;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
      if rst = '1' then
        r.valid  <= '0';
        r.filled <= (others => '0');
        r.some   <= '0';
        r.room   <= '1';
        r.empty  <= '1';
        r.first  <= (others => '0');
        r.free   <= (others => '0');
      end if;
    end if;
  end process;

  free_o  <= r.room;
  valid_o <= r.valid;
  empty_o <= r.empty;
  push(0) <= push_i;

  -- Never reads what it writes: first and free are the same place only while the memory is empty, when nothing moves,
  -- or full, when nothing may be pushed.
  u_places : entity work.ram_1r1w
    generic map (ADDR_BITS => PLACE_BITS, COLUMN_BITS => BITS, SEED => SEED)
    port map (
      clk     => clk,
      re_i    => moves,
      raddr_i => r.first,
      rdata_o => data_o,
      we_i    => push,
      waddr_i => r.free,
      wdata_i => data_i
    );

  rules : process (clk)
  begin
    if rising_edge(clk) then
      pops_a_head : assert rst = '1' or (pop_i and not r.valid) = '0'
        report "an access is taken where none waits" severity failure;
      room_for_push : assert rst = '1' or push_i = '0' or r.filled < PLACES
        report "an access is lost" severity failure;
      filled_fits : assert rst = '1' or r.filled <= PLACES
        report "more accesses than places" severity failure;
    end if;
  end process;

end architecture;
