-- SPDX-License-Identifier: Apache-2.0
-- Instruction fetch of one SM: a small buffer of 8-byte words for each warp, filled ahead of execution, round robin
-- among the warps that have room. A redirection empties the warp's buffer and goes to the code memory in its own cycle,
-- before all other requests; what was under way for that warp is forgotten. A word can be read from the cycle in which
-- it arrives: one cycle after a redirection, two after choosing a warp, when the code memory grants at once. One word
-- arrives a cycle, also when all are for one warp.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;

entity fetch is
  generic (
    WARPS : positive;
    SEED  : natural
  );
  port (
    clk        : in  std_ulogic;
    rst        : in  std_ulogic;
    running_i  : in  std_ulogic_vector(WARPS - 1 downto 0);  -- warps that fetch
    redirect_i : in  std_ulogic;                             -- slot goes on at pc
    slot_i     : in  slot_t;
    pc_i       : in  pc_t;
    -- code memory, in units of 8 bytes; data one cycle after the grant
    req_o      : out std_ulogic;
    addr_o     : out unsigned(20 downto 0);
    grant_i    : in  std_ulogic;
    data_i     : in  std_ulogic_vector(63 downto 0);
    -- to the scheduler: read the head of a buffer, then perhaps consume an instruction of it
    ready_o    : out std_ulogic_vector(WARPS - 1 downto 0);  -- warps with an instruction, behind that in stage D
    read_i     : in  std_ulogic;
    read_slot_i : in slot_t;
    word_o     : out std_ulogic_vector(63 downto 0);         -- one cycle after read_i, holds until the next
    addr_of_word_o : out unsigned(20 downto 0);
    upper_o    : out std_ulogic;                             -- the next instruction is the upper half of the word
    -- the instruction read last, while it is in stage D
    decoding_i : in  std_ulogic;
    decode_slot_i : in slot_t;
    take_i     : in  std_ulogic;                             -- it is consumed; only then its warp may be read again
    take_word_i : in std_ulogic                              -- it is the last of its word
  );
end entity;

architecture rtl of fetch is

  subtype warps_t is std_ulogic_vector(WARPS - 1 downto 0);
  subtype word_addr_t is unsigned(20 downto 0);
  type places_t is array (0 to WARPS - 1) of unsigned(2 downto 0);

  -- a request in front of the code memory: its address is where the warp's fetching goes on
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

  signal asking, asking_in : asking_t;
  signal arriving, granted : arriving_t;

  signal wants, choice : warps_t;
  signal arrive, decoding, take, redirect : warps_t;
  signal hold        : std_ulogic;
  signal free        : std_ulogic;                           -- no other warp waits in front of the code memory
  signal coming      : unsigned(1 downto 0);                 -- words that the redirection requests
  signal next_place  : places_t;                             -- of each warp: place and half of its next instruction
  signal again       : std_ulogic;                           -- the warp that is read is that in stage D

  -- who asks the code memory in this cycle, what for, and what it asks for next
  signal req         : std_ulogic;
  signal req_slot    : slot_t;
  signal req_addr    : word_addr_t;
  signal beyond      : word_addr_t;

  signal asking_addr : std_ulogic_vector(20 downto 0);
  signal addr_read   : std_ulogic;
  signal addr_slot   : slot_t;
  signal addr_write  : std_ulogic_vector(0 downto 0);

  signal write_enable : std_ulogic_vector(0 downto 0);
  signal write_addr   : unsigned(SLOT_BITS + 1 downto 0);
  signal write_data   : std_ulogic_vector(84 downto 0);
  signal read_addr    : unsigned(SLOT_BITS + 1 downto 0);
  signal read_data    : std_ulogic_vector(84 downto 0);

begin

  hold <= redirect_i or (asking.valid and not grant_i);

  u_turns : entity work.round_robin
    generic map (REQUESTERS => WARPS)
    port map (clk => clk, rst => rst, hold_i => hold, req_i => wants, turn_o => open, grant_o => choice);

  redirect <= one_hot(slot_i, WARPS) and warps_t'(others => redirect_i);
  arrive   <= one_hot(arriving.slot, WARPS) and warps_t'(others => arriving.valid);
  decoding <= one_hot(decode_slot_i, WARPS) and warps_t'(others => decoding_i);
  take     <= decoding and warps_t'(others => take_i);

  warp : for w in 0 to WARPS - 1 generate
    u_buffer : entity work.warp_buffer
      port map (
        clk         => clk,
        rst         => rst,
        running_i   => running_i(w),
        request_i   => choice(w),
        arrive_i    => arrive(w),
        decoding_i  => decoding(w),
        take_i      => take(w),
        take_word_i => take_word_i,
        redirect_i  => redirect(w),
        place_i     => pc_i(4 downto 2),
        coming_i    => coming,
        wants_o     => wants(w),
        ready_o     => ready_o(w),
        place_o     => next_place(w)
      );
  end generate;

  -- A redirection asks the code memory now, and for one word in the next cycle, if nobody else waits in front of it:
  -- for the second word, or for the first if that was not granted.
  free   <= not asking.valid or to_sl(asking.slot = slot_i);
  coming <= (free and grant_i) & (free xor grant_i);

  ask : process (all)
  begin
    req      <= asking.valid or redirect_i;
    req_slot <= asking.slot;
    req_addr <= unsigned(asking_addr);
    if redirect_i = '1' then
      req_slot <= slot_i;
      req_addr <= pc_i(23 downto 3);
    end if;

    asking_in <= asking;
    if redirect_i = '1' then
      asking_in.valid <= '1';
      if free = '1' then
        asking_in.slot <= slot_i;
      end if;
    elsif hold = '0' then
      asking_in.valid <= or_reduce(choice);
      asking_in.slot  <= one_hot_index(choice, SLOT_BITS);
    end if;
  end process;

  granted <= (valid => req and grant_i, slot => req_slot, addr => req_addr);
  beyond  <= req_addr + ("" & grant_i);
  req_o   <= req;
  addr_o  <= req_addr;

  -- Where each warp's fetching goes on, read for the one that asks next.
  addr_read     <= not hold or (redirect_i and free);
  addr_slot     <= slot_i when redirect_i = '1' else one_hot_index(choice, SLOT_BITS);
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

  regs : process (clk)
  begin
    if rising_edge(clk) then
      asking   <= asking_in;
      arriving <= granted;
      -- the scheduler reads one slot and needs to know, with the word, which half comes next
      if read_i = '1' then
        upper_o <= next_place(to_integer(read_slot_i))(0);
        if again = '1' then
          upper_o <= not take_word_i;
        end if;
      end if;
      if rst = '1' then
        asking.valid   <= '0';
        arriving.valid <= '0';
      end if;
    end if;
  end process;

  again <= decoding_i and to_sl(read_slot_i = decode_slot_i);

  -- A word lies at the place that the low bits of its address name.
  write_enable(0) <= arriving.valid;
  write_addr      <= arriving.slot & arriving.addr(1 downto 0);
  write_data      <= std_ulogic_vector(arriving.addr) & data_i;

  read_place : process (all)
    variable place : unsigned(1 downto 0);
  begin
    place := next_place(to_integer(read_slot_i))(2 downto 1);
    if again = '1' and take_word_i = '1' then
      place := place + 1;
    end if;
    read_addr <= read_slot_i & place;
  end process;

  u_words : entity work.ram_1r1w
    generic map (ADDR_BITS => SLOT_BITS + 2, COLUMN_BITS => 85, NEW_DATA => true, SEED => SEED)
    port map (
      clk     => clk,
      re_i    => read_i,
      raddr_i => read_addr,
      rdata_o => read_data,
      we_i    => write_enable,
      waddr_i => write_addr,
      wdata_i => write_data
    );

  word_o         <= read_data(63 downto 0);
  addr_of_word_o <= unsigned(read_data(84 downto 64));

end architecture;
