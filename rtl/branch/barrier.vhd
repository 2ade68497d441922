-- SPDX-License-Identifier: Apache-2.0
-- Barriers of the resident blocks, 16 ids each. A barrier counts the warps it still waits for and opens when every warp
-- of the block has arrived or finished. Waiting warps resume one cycle after it opens.
--
-- Arrivals are told apart by phase: a barrier flips its phase when it opens, and a warp has arrived if its last arrival
-- was in the current phase. So opening clears all arrivals at once.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;

entity barrier is
  generic (
    WARPS : positive;
    SEED  : natural
  );
  port (
    clk       : in  std_ulogic;
    rst       : in  std_ulogic;
    -- the warps of a block start one by one, the first one first; never in the cycle of an event
    start_i       : in  std_ulogic;
    start_slot_i  : in  slot_t;
    start_block_i : in  block_slot_t;
    start_first_i : in  slot_t;                              -- its block's first warp
    start_warps_i : in  unsigned(SLOT_BITS downto 0);        -- number of the block's warps
    -- the warp of the next event, from the next cycle on
    next_i       : in  std_ulogic;
    next_slot_i  : in  slot_t;
    next_block_i : in  block_slot_t;
    -- one event a cycle, from the branch unit
    event_i   : in  std_ulogic;                              -- late in the cycle: one of the two takes place
    arrive_i  : in  std_ulogic;                              -- the warp arrives at barrier id_i
    wait_i    : in  std_ulogic;                              -- the arriving warp waits, unless it is the last
    exit_i    : in  std_ulogic;                              -- the warp finishes
    slot_i    : in  slot_t;
    block_i   : in  block_slot_t;
    id_i      : in  unsigned(3 downto 0);
    opens_o   : out std_ulogic;                              -- an arrival there opens the barrier
    release_o : out std_ulogic_vector(WARPS - 1 downto 0)    -- one cycle later
  );
end entity;

architecture rtl of barrier is

  constant IDS : positive := 16;
  subtype ids_t is std_ulogic_vector(IDS - 1 downto 0);
  subtype count_t is unsigned(SLOT_BITS downto 0);
  type counts_t is array (0 to IDS - 1) of count_t;

  -- Of a block: its warps that have not finished, and for each barrier the phase and how many of them it waits for.
  constant BLOCK_BITS : positive := count_t'length + IDS + IDS * count_t'length;
  signal block_read, block_data : std_ulogic_vector(BLOCK_BITS - 1 downto 0);
  signal block_we   : std_ulogic_vector(0 downto 0);
  signal block_slot : block_slot_t;
  signal alive, alive_in : count_t;
  signal phase, phase_in : ids_t;
  signal missing, missing_in : counts_t;

  -- Of a warp: the phase of each barrier when it arrived there last.
  signal warp_read, warp_data : ids_t;
  signal warp_we    : std_ulogic_vector(0 downto 0);
  signal warp_slot  : slot_t;

  -- Of a warp that waits: where.
  type waiting_t is record
    waits      : std_ulogic;
    block_slot : block_slot_t;
    id         : unsigned(3 downto 0);
  end record;
  type waitings_t is array (0 to WARPS - 1) of waiting_t;
  signal waiting : waitings_t;
  signal begins, begins_in : waiting_t;                      -- a warp does, since the event of the cycle before:
  signal begins_slot : slot_t;

  signal here     : ids_t;                                   -- the barrier of the event
  signal absent   : ids_t;                                   -- barriers at which the warp of the event has not arrived
  signal last     : ids_t;                                   -- barriers that wait for the warp of the event alone
  signal opens    : ids_t;
  signal opened, opened_in : ids_t;                          -- in the cycle before, of this block:
  signal opened_of : block_slot_t;
  signal first    : std_ulogic;                              -- a block starts with this warp
  signal released : std_ulogic_vector(WARPS - 1 downto 0);

begin

  exclusive : process (clk)
  begin
    if rising_edge(clk) then
      no_start_with_event : assert rst = '1' or (start_i and event_i and (arrive_i or exit_i)) = '0'
        report "a warp starts in the cycle of an event" severity failure;
    end if;
  end process;

  first  <= start_i and to_sl(start_slot_i = start_first_i);
  here   <= one_hot(id_i, IDS);
  absent <= warp_read xor phase;
  opens  <= last and ((here and ids_t'(others => arrive_i)) or ids_t'(others => exit_i));

  alive <= unsigned(block_read(count_t'range));
  phase <= block_read(count_t'length + IDS - 1 downto count_t'length);

  warps_of_block : process (all)
  begin
    alive_in <= alive;
    if exit_i = '1' then
      alive_in <= alive - 1;
    end if;
    if start_i = '1' then
      alive_in <= start_warps_i;
    end if;
  end process;

  phase_in <= (phase xor opens) and not ids_t'(others => start_i);

  id : for i in 0 to IDS - 1 generate
    constant LOW : positive := count_t'length + IDS + i * count_t'length;
  begin
    missing(i) <= unsigned(block_read(LOW + count_t'length - 1 downto LOW));
    last(i)    <= absent(i) and to_sl(missing(i) = 1);

    count : process (all)
    begin
      missing_in(i) <= missing(i);
      if absent(i) = '1' and (exit_i = '1' or (arrive_i = '1' and here(i) = '1')) then
        missing_in(i) <= missing(i) - 1;
      end if;
      if opens(i) = '1' or start_i = '1' then
        missing_in(i) <= alive_in;
      end if;
    end process;

    block_data(LOW + count_t'length - 1 downto LOW) <= std_ulogic_vector(missing_in(i));
  end generate;

  block_data(count_t'length + IDS - 1 downto 0) <= phase_in & std_ulogic_vector(alive_in);

  opens_o <= or_reduce(last and here);

  choose_writer : process (all)
  begin
    block_we(0) <= (event_i and (arrive_i or exit_i)) or first;
    block_slot  <= block_i;
    warp_we(0)  <= (event_i and arrive_i) or start_i;
    warp_slot   <= slot_i;
    warp_data   <= (warp_read and not here) or (phase and here);
    if start_i = '1' then
      block_slot <= start_block_i;
      warp_slot  <= start_slot_i;
      warp_data  <= (others => '1');                         -- not the phase in which a block starts
    end if;
  end process;

  u_blocks : entity work.ram_1r1w
    generic map (ADDR_BITS => BLOCK_SLOT_BITS, COLUMN_BITS => BLOCK_BITS, NEW_DATA => true, SEED => SEED)
    port map (
      clk => clk, re_i => next_i, raddr_i => next_block_i, rdata_o => block_read,
      we_i => block_we, waddr_i => block_slot, wdata_i => block_data
    );

  u_warps : entity work.ram_1r1w
    generic map (ADDR_BITS => SLOT_BITS, COLUMN_BITS => IDS, NEW_DATA => true, SEED => SEED)
    port map (
      clk => clk, re_i => next_i, raddr_i => next_slot_i, rdata_o => warp_read,
      we_i => warp_we, waddr_i => warp_slot, wdata_i => warp_data
    );

  opened_in <= opens and ids_t'(others => event_i);
  begins_in <= (waits => event_i and arrive_i and wait_i and not or_reduce(opens), block_slot => block_i, id => id_i);

  opening_regs : process (clk)
  begin
    if rising_edge(clk) then
      opened      <= opened_in;
      opened_of   <= block_i;
      begins      <= begins_in;
      begins_slot <= slot_i;
      if rst = '1' then
        opened       <= (others => '0');
        begins.waits <= '0';
      end if;
    end if;
  end process;

  warp : for w in 0 to WARPS - 1 generate
    released(w) <= waiting(w).waits and to_sl(waiting(w).block_slot = opened_of)
                   and opened(to_integer(waiting(w).id));

    waiting_regs : process (clk)
    begin
      if rising_edge(clk) then
        if released(w) = '1' then
          waiting(w).waits <= '0';
        end if;
        if begins.waits = '1' and begins_slot = w then       -- in time for the next event
          waiting(w) <= begins;
        end if;
        if rst = '1' then
          waiting(w).waits <= '0';
        end if;
      end if;
    end process;
  end generate;

  release_o <= released;

  rules : process (clk)
  begin
    if rising_edge(clk) then
      one_event : assert rst = '1' or (event_i and arrive_i and exit_i) = '0'
        report "a warp arrives and finishes in a cycle" severity failure;
    end if;
  end process;

end architecture;
