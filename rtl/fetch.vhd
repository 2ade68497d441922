-- SPDX-License-Identifier: Apache-2.0
-- Instruction fetch of one SM: a small buffer of 8-byte words for each warp, filled ahead of execution, round robin among the warps
-- that have room. A warp's buffer is emptied when it is redirected; words still on their way are then dropped when they arrive.
-- Latency: two cycles from choosing a warp to its word in the buffer, when the code memory grants at once.

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

  constant DEPTH_LOG2 : positive := 2;                       -- words buffered for a warp

  subtype count_t is unsigned(DEPTH_LOG2 downto 0);
  subtype place_t is unsigned(DEPTH_LOG2 - 1 downto 0);
  subtype word_addr_t is unsigned(20 downto 0);
  type counts_t is array (0 to WARPS - 1) of count_t;
  type places_t is array (0 to WARPS - 1) of place_t;
  type word_addrs_t is array (0 to WARPS - 1) of word_addr_t;

  type buffers_t is record
    next_word : word_addrs_t;                                -- to request
    filled    : counts_t;                                    -- words in the buffer
    coming    : counts_t;                                    -- requested, not yet arrived
    stale     : counts_t;                                    -- of these, to be dropped
    head      : places_t;
    tail      : places_t;
    upper     : std_ulogic_vector(WARPS - 1 downto 0);
    -- the request in front of the code memory, and the one whose data arrives
    req       : std_ulogic;
    req_slot  : slot_t;
    req_addr  : word_addr_t;
    arrives   : std_ulogic;
    arr_slot  : slot_t;
    arr_addr  : word_addr_t;
    last      : slot_t;                                      -- served last, for the round robin
  end record;

  signal r, rin : buffers_t;

  signal write_enable : std_ulogic_vector(0 downto 0);
  signal write_addr   : unsigned(SLOT_BITS + DEPTH_LOG2 - 1 downto 0);
  signal write_data   : std_ulogic_vector(84 downto 0);
  signal read_addr    : unsigned(SLOT_BITS + DEPTH_LOG2 - 1 downto 0);
  signal read_data    : std_ulogic_vector(84 downto 0);

begin

  comb : process (all)
    variable v      : buffers_t;
    variable wants  : std_ulogic_vector(WARPS - 1 downto 0);
    variable later  : std_ulogic_vector(WARPS - 1 downto 0);
    variable choice : std_ulogic_vector(WARPS - 1 downto 0);
    variable slot   : slot_t;
    variable keep   : boolean;
  begin
    v := r;

    -- arrival
    keep := false;
    v.arrives := '0';
    if r.arrives = '1' then
      for w in 0 to WARPS - 1 loop
        if r.arr_slot = w then
          v.coming(w) := v.coming(w) - 1;
          if r.stale(w) /= 0 then
            v.stale(w) := v.stale(w) - 1;
          else
            keep        := true;
            v.filled(w) := v.filled(w) + 1;
            v.tail(w)   := v.tail(w) + 1;
          end if;
        end if;
      end loop;
    end if;
    write_enable(0) <= to_sl(keep);
    write_addr      <= r.arr_slot & r.tail(to_integer(r.arr_slot));
    write_data      <= std_ulogic_vector(r.arr_addr) & data_i;

    -- consumption
    if take_i = '1' then
      for w in 0 to WARPS - 1 loop
        if take_slot_i = w then
          v.upper(w) := not take_word_i;
          if take_word_i = '1' then
            v.filled(w) := v.filled(w) - 1;
            v.head(w)   := v.head(w) + 1;
          end if;
        end if;
      end loop;
    end if;

    -- the request is granted
    if r.req = '1' and grant_i = '1' then
      v.req      := '0';
      v.arrives  := '1';
      v.arr_slot := r.req_slot;
      v.arr_addr := r.req_addr;
    end if;

    -- choose the next request
    for w in 0 to WARPS - 1 loop
      wants(w) := running_i(w) and to_sl(v.filled(w) + v.coming(w) < 2 ** DEPTH_LOG2);
      later(w) := wants(w) and to_sl(w > r.last);
    end loop;
    if or_reduce(later) = '1' then
      choice := lowest_set(later);
    else
      choice := lowest_set(wants);
    end if;
    slot := one_hot_index(choice, SLOT_BITS);
    if v.req = '0' and or_reduce(wants) = '1' then
      v.req      := '1';
      v.req_slot := slot;
      v.last     := slot;
      for w in 0 to WARPS - 1 loop
        if choice(w) = '1' then
          v.req_addr     := v.next_word(w);
          v.next_word(w) := v.next_word(w) + 1;
          v.coming(w)    := v.coming(w) + 1;
        end if;
      end loop;
    end if;

    -- redirection empties the buffer
    if redirect_i = '1' then
      for w in 0 to WARPS - 1 loop
        if slot_i = w then
          v.stale(w)     := v.coming(w);
          v.filled(w)    := (others => '0');
          v.head(w)      := v.tail(w);
          v.next_word(w) := pc_i(23 downto 3);
          v.upper(w)     := pc_i(2);
        end if;
      end loop;
    end if;

    for w in 0 to WARPS - 1 loop
      ready_o(w) <= to_sl(r.filled(w) /= 0);
    end loop;
    req_o     <= r.req;
    addr_o    <= r.req_addr;
    read_addr <= read_slot_i & r.head(to_integer(read_slot_i));

    rin <= v;
  end process;

  -- the scheduler reads one slot and needs to know, with the word, which half comes next
  remember_half : process (clk)
  begin
    if rising_edge(clk) then
      if read_i = '1' then
        upper_o <= r.upper(to_integer(read_slot_i));
      end if;
    end if;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
      if rst = '1' then
        r.req     <= '0';
        r.arrives <= '0';
        r.filled  <= (others => (others => '0'));
        r.coming  <= (others => (others => '0'));
        r.stale   <= (others => (others => '0'));
        r.head    <= (others => (others => '0'));
        r.tail    <= (others => (others => '0'));
        r.last    <= (others => '0');
      end if;
    end if;
  end process;

  u_buffer : entity work.ram_1r1w
    generic map (
      ADDR_BITS   => SLOT_BITS + DEPTH_LOG2,
      COLUMN_BITS => 85,
      SEED        => SEED
    )
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
