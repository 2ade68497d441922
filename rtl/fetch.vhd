-- SPDX-License-Identifier: Apache-2.0
-- Instruction fetch of one SM: a small buffer of 8-byte words for each warp, filled ahead of execution, round robin
-- among the warps that have room. A warp's buffer is emptied when it is redirected; words still on their way are then
-- dropped when they arrive. Latency: two cycles from choosing a warp to its word in the buffer, when the code memory
-- grants at once.

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
    ready_o    : out std_ulogic_vector(WARPS - 1 downto 0);  -- warps with an instruction in the buffer
    read_i     : in  std_ulogic;
    read_slot_i : in slot_t;
    word_o     : out std_ulogic_vector(63 downto 0);         -- one cycle after read_i, holds until the next
    addr_of_word_o : out unsigned(20 downto 0);
    upper_o    : out std_ulogic;                             -- the next instruction is the upper half of the word
    take_i     : in  std_ulogic;                             -- the instruction read last is consumed
    take_slot_i : in slot_t;
    take_word_i : in std_ulogic                              -- ... and with it the rest of its word
  );
end entity;

architecture rtl of fetch is

  subtype warps_t is std_ulogic_vector(WARPS - 1 downto 0);
  subtype word_addr_t is unsigned(20 downto 0);
  subtype place_t is unsigned(1 downto 0);
  type places_t is array (0 to WARPS - 1) of place_t;

  -- a request in front of the code memory, or one whose data arrive
  type request_t is record
    valid : std_ulogic;
    slot  : slot_t;
    addr  : word_addr_t;
  end record;

  signal asking, arriving : request_t;

  signal wants, choice, keep, upper : warps_t;
  signal request, arrive, take, redirect : warps_t;
  signal hold        : std_ulogic;
  signal next_word   : code_addrs_t(0 to WARPS - 1);
  signal head, tail  : places_t;
  signal chosen_addr : word_addr_t;

  signal write_enable : std_ulogic_vector(0 downto 0);
  signal write_addr   : unsigned(SLOT_BITS + 1 downto 0);
  signal write_data   : std_ulogic_vector(84 downto 0);
  signal read_addr    : unsigned(SLOT_BITS + 1 downto 0);
  signal read_data    : std_ulogic_vector(84 downto 0);

begin

  hold <= asking.valid and not grant_i;

  u_turns : entity work.round_robin
    generic map (REQUESTERS => WARPS)
    port map (clk => clk, rst => rst, hold_i => hold, req_i => wants, grant_o => choice);

  request  <= choice;
  arrive   <= one_hot(arriving.slot, WARPS) and warps_t'(others => arriving.valid);
  take     <= one_hot(take_slot_i, WARPS) and warps_t'(others => take_i);
  redirect <= one_hot(slot_i, WARPS) and warps_t'(others => redirect_i);

  warp : for w in 0 to WARPS - 1 generate
    u_buffer : entity work.warp_buffer
      port map (
        clk         => clk,
        rst         => rst,
        running_i   => running_i(w),
        request_i   => request(w),
        arrive_i    => arrive(w),
        take_i      => take(w),
        take_word_i => take_word_i,
        redirect_i  => redirect(w),
        pc_i        => pc_i,
        wants_o     => wants(w),
        ready_o     => ready_o(w),
        keep_o      => keep(w),
        next_o      => next_word(w),
        head_o      => head(w),
        tail_o      => tail(w),
        upper_o     => upper(w)
      );
  end generate;

  choose_address : process (all)
    variable addr : word_addr_t;
  begin
    addr := (others => '0');
    for w in 0 to WARPS - 1 loop
      if choice(w) = '1' then
        addr := addr or next_word(w);
      end if;
    end loop;
    chosen_addr <= addr;
  end process;

  req_o  <= asking.valid;
  addr_o <= asking.addr;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      if hold = '0' then
        asking.valid <= or_reduce(choice);
        asking.slot  <= one_hot_index(choice, SLOT_BITS);
        asking.addr  <= chosen_addr;
      end if;
      arriving       <= asking;
      arriving.valid <= asking.valid and grant_i;
      -- the scheduler reads one slot and needs to know, with the word, which half comes next
      if read_i = '1' then
        upper_o <= upper(to_integer(read_slot_i));
      end if;
      if rst = '1' then
        asking.valid   <= '0';
        arriving.valid <= '0';
      end if;
    end if;
  end process;

  write_enable(0) <= or_reduce(keep);
  write_addr      <= arriving.slot & tail(to_integer(arriving.slot));
  write_data      <= std_ulogic_vector(arriving.addr) & data_i;
  read_addr       <= read_slot_i & head(to_integer(read_slot_i));

  u_words : entity work.ram_1r1w
    generic map (ADDR_BITS => SLOT_BITS + 2, COLUMN_BITS => 85, SEED => SEED)
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
