-- SPDX-License-Identifier: Apache-2.0
-- Instruction fetch of one SM: a buffer of 8-byte words for each warp, filled round robin. A redirect empties the
-- warp's buffer and has priority in its own cycle; words in flight for that warp are dropped. A decoded word arrives
-- LATENCY cycles after its grant, at most one a cycle.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.front_pkg.all;

entity fetch is
  generic (
    WARPS     : positive;
    LATENCY   : positive;                                    -- from the grant to the word
    WORD_BITS : positive;                                    -- of a word as it arrives
    SEED      : natural
  );
  port (
    clk       : in  std_ulogic;
    rst       : in  std_ulogic;
    running_i : in  std_ulogic_vector(WARPS - 1 downto 0);   -- warps that fetch
    refetch_i : in  sched_to_fetch_t;
    -- code memory, in units of 8 bytes
    req_o      : out std_ulogic;
    addr_o     : out unsigned(20 downto 0);
    grant_i    : in  std_ulogic;
    arrives_o  : out std_ulogic;                             -- the code memory delivers a word
    arriving_addr_o : out unsigned(20 downto 0);             -- of the word that arrives decoded
    data_i     : in  std_ulogic_vector(WORD_BITS - 1 downto 0); -- the arriving word, decoded
    -- to the scheduler: read the head of a buffer, then perhaps consume an instruction of it
    ready_o    : out std_ulogic_vector(WARPS - 1 downto 0);  -- warps with an instruction
    read_i     : in  warp_event_t;
    read_warp_i : in std_ulogic_vector(WARPS - 1 downto 0);  -- slot of read_i, one-hot
    word_o     : out std_ulogic_vector(WORD_BITS - 1 downto 0); -- one cycle after read_i, holds until the next
    addr_of_word_o : out unsigned(20 downto 0);
    upper_o    : out std_ulogic;                             -- the next instruction is the upper half of the word
    -- an instruction that was read is consumed; only then its warp may be read again
    fate_i     : in  issue_to_sched_t
  );
end entity;

architecture rtl of fetch is

  subtype warps_t is std_ulogic_vector(WARPS - 1 downto 0);
  subtype word_addr_t is unsigned(20 downto 0);
  type places_t is array (0 to WARPS - 1) of unsigned(2 downto 0);

  -- a request: of the warp that was chosen, whose address is read; then in front of the code memory
  type asking_t is record
    valid : std_ulogic;
    slot  : slot_t;
  end record;

  -- a word whose data arrive
  type arriving_t is record
    valid : std_ulogic;
    slot  : slot_t;
    addr  : word_addr_t;
  end record;
  type under_way_t is array (1 to LATENCY) of arriving_t;

  signal chosen, chosen_in, asking, asking_in : asking_t;
  signal arriving, granted : arriving_t;
  signal under_way, under_way_in : under_way_t;              -- by cycles since the grant

  signal wants, choice : warps_t;
  signal asks, asks_in : warps_t;                            -- it wanted, and was not chosen meanwhile
  signal choice_slot : slot_t;
  signal arrive, take, redirect : warps_t;
  signal hold        : std_ulogic;
  signal free        : std_ulogic;                           -- no other warp waits in front of the code memory
  signal coming      : unsigned(1 downto 0);                 -- words that the redirection requests
  signal next_place  : places_t;                             -- of each warp: place and half of its next instruction

  -- requester of the code memory in this cycle, its address, and its next one
  signal req         : std_ulogic;
  signal req_slot    : slot_t;
  signal req_addr    : word_addr_t;
  signal beyond      : word_addr_t;

  signal waiting     : std_ulogic;                           -- the chosen warp has to wait
  signal held        : std_ulogic;                           -- no warp is chosen
  signal addr_slot   : slot_t;
  signal asking_addr : std_ulogic_vector(20 downto 0);
  signal addr_read   : std_ulogic;
  signal addr_write  : std_ulogic_vector(0 downto 0);

  signal write_enable : std_ulogic_vector(0 downto 0);
  signal write_addr   : unsigned(SLOT_BITS + 1 downto 0);
  signal write_data   : std_ulogic_vector(WORD_BITS + 20 downto 0);
  signal read_place   : unsigned(2 downto 0);
  signal read_addr    : unsigned(SLOT_BITS + 1 downto 0);
  signal read_data    : std_ulogic_vector(WORD_BITS + 20 downto 0);

begin

  hold    <= refetch_i.valid or (asking.valid and not grant_i);
  waiting <= chosen.valid and hold;
  held    <= waiting or refetch_i.valid;

  u_turns : entity work.round_robin
    generic map (REQUESTERS => WARPS)
    port map (clk => clk, rst => rst, hold_i => held, req_i => asks, turn_o => open, grant_o => choice,
              index_o => choice_slot);

  redirect <= one_hot(refetch_i.slot, WARPS) and warps_t'(others => refetch_i.valid);
  arrive   <= one_hot(arriving.slot, WARPS) and warps_t'(others => arriving.valid);
  take     <= one_hot(fate_i.slot, WARPS) and warps_t'(others => fate_i.take);

  warp : for w in 0 to WARPS - 1 generate
    u_buffer : entity work.warp_buffer
      port map (
        clk         => clk,
        rst         => rst,
        running_i   => running_i(w),
        request_i   => choice(w),
        arrive_i    => arrive(w),
        take_i      => take(w),
        take_word_i => fate_i.take_word,
        redirect_i  => redirect(w),
        place_i     => refetch_i.pc(4 downto 2),
        coming_i    => coming,
        wants_o     => wants(w),
        ready_o     => ready_o(w),
        place_o     => next_place(w)
      );
  end generate;

  asks_in <= wants and not choice and not redirect;

  choose : process (all)
  begin
    chosen_in <= chosen;
    if waiting = '0' then
      chosen_in <= (valid => or_reduce(asks) and not refetch_i.valid, slot => choice_slot);
    elsif refetch_i.valid = '1' and chosen.slot = refetch_i.slot then -- the redirected warp asks anew
      chosen_in.valid <= '0';
    end if;
  end process;

  chosen_regs : process (clk)
  begin
    if rising_edge(clk) then
      asks   <= asks_in;
      chosen <= chosen_in;
      if rst = '1' then
        asks         <= (others => '0');
        chosen.valid <= '0';
      end if;
    end if;
  end process;

  -- A redirection asks the code memory now, and for one word in the next cycle, if no other warp waits before it:
  -- for the second word, or for the first if that was not granted.
  free   <= not asking.valid or to_sl(asking.slot = refetch_i.slot);
  coming <= (free and grant_i) & (free xor grant_i);

  ask : process (all)
  begin
    req      <= asking.valid or refetch_i.valid;
    req_slot <= asking.slot;
    req_addr <= unsigned(asking_addr);
    if refetch_i.valid = '1' then
      req_slot <= refetch_i.slot;
      req_addr <= refetch_i.pc(23 downto 3);
    end if;

    asking_in <= asking;
    if refetch_i.valid = '1' then
      asking_in.valid <= '1';
      if free = '1' then
        asking_in.slot <= refetch_i.slot;
      end if;
    elsif hold = '0' then
      asking_in <= chosen;
    end if;
  end process;

  asking_regs : process (clk)
  begin
    if rising_edge(clk) then
      asking <= asking_in;
      if rst = '1' then
        asking.valid <= '0';
      end if;
    end if;
  end process;

  granted <= (valid => req and grant_i, slot => req_slot, addr => req_addr);
  beyond  <= req_addr + ("" & grant_i);
  req_o   <= req;
  addr_o  <= req_addr;

  -- The next address that each warp fetches, read for the warp that asks next.
  addr_read     <= not hold or (refetch_i.valid and free);
  addr_slot     <= refetch_i.slot when refetch_i.valid = '1' else chosen.slot;
  addr_write(0) <= req;

  u_addresses : entity work.ram_1r1w
    generic map (ADDR_BITS => SLOT_BITS, COLUMN_BITS => 21, NEW_DATA => true, SEED => SEED)
    port map (
      clk     => clk,
      re_i    => addr_read,
      raddr_i => addr_slot,
      rdata_o => asking_addr,
      we_i    => addr_write,
      waddr_i => req_slot,
      wdata_i => std_ulogic_vector(beyond)
    );

  -- words overtaken by a redirect are dropped
  follow : process (all)
  begin
    for stage in 2 to LATENCY loop
      under_way_in(stage) <= under_way(stage - 1);
      if refetch_i.valid = '1' and under_way(stage - 1).slot = refetch_i.slot then
        under_way_in(stage).valid <= '0';
      end if;
    end loop;
    under_way_in(1) <= granted;
  end process;

  under_way_regs : process (clk)
  begin
    if rising_edge(clk) then
      under_way <= under_way_in;
      if rst = '1' then
        for stage in 1 to LATENCY loop
          under_way(stage).valid <= '0';
        end loop;
      end if;
    end if;
  end process;

  -- the scheduler reads one slot and needs to know, with the word, which half comes next
  upper_regs : process (clk)
  begin
    if rising_edge(clk) then
      if read_i.valid = '1' then
        upper_o <= read_place(0);
      end if;
    end if;
  end process;

  -- A word lies at the place that the low bits of its address name.
  arriving        <= under_way(LATENCY);
  arrives_o       <= under_way(1).valid;
  arriving_addr_o <= under_way(LATENCY - 1).addr;
  write_enable(0) <= arriving.valid;
  write_addr      <= arriving.slot & arriving.addr(1 downto 0);
  write_data      <= std_ulogic_vector(arriving.addr) & data_i;
  read_addr       <= read_i.slot & read_place(2 downto 1);

  find_place : process (all)
    variable place : unsigned(2 downto 0);
  begin
    place := (others => '0');
    for w in 0 to WARPS - 1 loop
      place := place or (next_place(w) and (2 downto 0 => read_warp_i(w)));
    end loop;
    read_place <= place;
  end process;

  u_words : entity work.ram_1r1w
    generic map (ADDR_BITS => SLOT_BITS + 2, COLUMN_BITS => WORD_BITS + 21, SEED => SEED)
    port map (
      clk     => clk,
      re_i    => read_i.valid,
      raddr_i => read_addr,
      rdata_o => read_data,
      we_i    => write_enable,
      waddr_i => write_addr,
      wdata_i => write_data
    );

  word_o         <= read_data(WORD_BITS - 1 downto 0);
  addr_of_word_o <= unsigned(read_data(WORD_BITS + 20 downto WORD_BITS));

  rules : process (clk)
  begin
    if rising_edge(clk) then
      reads_a_word : assert rst = '1' or read_i.valid = '0' or ready_o(to_integer(read_i.slot)) = '1'
        report "an instruction is read that is not there" severity failure;
      reads_one_warp : assert rst = '1' or read_i.valid = '0' or read_warp_i = one_hot(read_i.slot, WARPS)
        report "not the warp of the slot is read" severity failure;
      takes_a_word : assert rst = '1' or fate_i.take = '0' or ready_o(to_integer(fate_i.slot)) = '1'
        report "an instruction is taken that is not there" severity failure;
    end if;
  end process;

end architecture;
