-- SPDX-License-Identifier: Apache-2.0
-- Global memory of the machine behind a bus (in block RAM: global_memory). Arbitrates between SMs, host, clearing and
-- the atomic unit, one access of line_bus a cycle, and routes the answers. Accesses appear to happen in the order of
-- their grants. An atomic operation reads its line and writes the word; only the host is served in between.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.memory_pkg.all;
use work.host_pkg.all;

entity global_bus is
  generic (
    SMS          : positive;
    CORES        : positive;
    GLOBAL_BYTES : positive;
    BUS_WORDS    : positive;                                 -- of a beat
    LOADS        : positive;                                 -- under way on the bus, a power of two
    STORES       : positive;                                 -- likewise
    HAS_ATOMICS  : boolean;
    SEED         : natural
  );
  port (
    clk          : in  std_ulogic;
    rst          : in  std_ulogic;
    grid_rst_i   : in  std_ulogic;                           -- a grid begins: the turns do, too
    request_i    : in  sms_to_global_t(0 to SMS - 1);
    bytes_i      : in  nibbles_t(0 to SMS * CORES - 1);      -- written of each word
    data_i       : in  words_t(0 to SMS * CORES - 1);
    answer_o     : out global_to_sms_t(0 to SMS - 1);
    data_o       : out words_t(0 to CORES - 1);              -- the line of the load that came
    host_i       : in  host_to_memories_t;
    host_full_o  : out std_ulogic;                           -- room for the access of this cycle and one more only
    host_valid_o : out std_ulogic;                           -- a word that the host asked for
    host_data_o  : out word_t;
    host_line_o  : out words_t(0 to CORES - 1);              -- line of the host's word
    clearing_o   : out std_ulogic;
    failed_o     : out std_ulogic;                           -- an access has been answered with an error
    axi_o        : out global_to_axi_t;
    axi_i        : in  axi_to_global_t;
    wstrb_o      : out nibbles_t(0 to BUS_WORDS - 1);
    wdata_o      : out words_t(0 to BUS_WORDS - 1);
    rdata_i      : in  words_t(0 to BUS_WORDS - 1)
  );
end entity;

architecture rtl of global_bus is

  constant WORD_BITS : natural  := log2(CORES);
  constant LINE_BITS : positive := WORD_BITS + 2;            -- byte address bits within a line
  constant ADDR_BITS : positive := log2(GLOBAL_BYTES / 4 / CORES);

  subtype line_t is unsigned(ADDR_BITS - 1 downto 0);
  subtype word_number_t is unsigned(WORD_BITS - 1 downto 0);
  subtype sms_t is std_ulogic_vector(SMS - 1 downto 0);

  -- Owner of an access: one of these, by bit, and the word that the host reads.
  constant OF_HOST    : natural  := SMS;
  constant OF_ATOMIC  : natural  := SMS + 1;
  constant OWNERS     : positive := SMS + 2;
  constant OWNER_BITS : positive := OWNERS + WORD_BITS;
  subtype owner_t is std_ulogic_vector(OWNER_BITS - 1 downto 0);

  constant HOST_PLACES : positive := 8;
  constant HOST_BITS   : positive := 1 + 28 + 32;
  constant COUNT_BITS  : positive := log2(STORES) + 2;

  type counts_t is array (0 to SMS - 1) of unsigned(COUNT_BITS - 1 downto 0);

  signal room        : std_ulogic;                           -- for an access
  signal valid, we   : std_ulogic;                           -- the access that is made
  signal line        : line_t;
  signal owner       : owner_t;
  signal bytes       : nibbles_t(0 to CORES - 1);
  signal data        : words_t(0 to CORES - 1);
  signal loaded, takes, stored : std_ulogic;
  signal loader, storer : owner_t;
  signal answered    : words_t(0 to CORES - 1);
  signal read_word, read_word_in : word_number_t;            -- the host's

  signal host_push, host_waits, host_goes, host_room, host_we : std_ulogic;
  signal host_in, host_head : std_ulogic_vector(HOST_BITS - 1 downto 0);
  signal host_addr   : unsigned(27 downto 0);
  signal clearing, clearing_in : std_ulogic;
  signal clear_line, clear_line_in : line_t;
  signal host_valid_in : std_ulogic;

  signal may         : sms_t;
  signal plain       : sms_t;                                -- loads and stores that may be granted
  signal lanes       : sms_t;                                -- atomic operations that may begin
  signal grant       : sms_t;
  signal begins      : sms_t;                                -- atomic operations that do
  signal hold, hold_atomic : std_ulogic;
  signal atomic_last : std_ulogic;                           -- the last grant was an atomic operation
  signal asker       : sms_t;                                -- SM of the atomic operation that waits for its line
  signal take        : sms_t;                                -- the line comes in the next cycle
  signal atomic      : sms_to_atomic_unit_t(0 to SMS - 1);
  signal unit_busy, unit_writes, unit_waits, atomic_busy : std_ulogic;
  signal atomic_done : sms_t;
  signal atomic_address, atomic_old, atomic_new : word_t;
  signal changes     : sms_t;                                -- a store is granted, or that of an atomic operation
  signal storing, storing_in : counts_t;                     -- by SM: stores that are not done

  function of_address(address : word_t) return line_t is
  begin
    return unsigned(address(LINE_BITS + ADDR_BITS - 1 downto LINE_BITS));
  end function;

  -- The byte enables of one word of a line.
  function only(word : word_number_t) return nibbles_t is
    variable enables : nibbles_t(0 to CORES - 1);
  begin
    for w in 0 to CORES - 1 loop
      enables(w) := (others => to_sl(word = w));
    end loop;
    return enables;
  end function;

begin

  --------------------------------------------------------------------------------------------------------------
  -- Grants: the host, clearing, the atomic unit's word, else the SMs in turn.

  host_push <= host_i.global_re or host_i.global_we;
  host_in   <= host_i.data & std_ulogic_vector(host_i.addr) & host_i.global_we;

  u_host : entity work.access_queue
    generic map (BITS => HOST_BITS, PLACES => HOST_PLACES, AHEAD => 2, SEED => SEED)
    port map (clk => clk, rst => rst, push_i => host_push, data_i => host_in, free_o => host_room,
              valid_o => host_waits, data_o => host_head, pop_i => host_goes, empty_o => open);

  host_full_o <= not host_room;
  host_we     <= host_head(0);
  host_addr   <= unsigned(host_head(28 downto 1));
  host_goes   <= host_waits and room;
  unit_waits  <= host_waits or clearing or not room;

  may         <= may_access(request_i);
  hold        <= host_waits or clearing or not room or atomic_busy or or_reduce(begins);
  hold_atomic <= host_waits or clearing or not room or atomic_busy or (atomic_last and or_reduce(plain));
  atomic_busy <= or_reduce(asker) or unit_busy;

  each_sm : for s in 0 to SMS - 1 generate
    plain(s) <= request_i(s).req and may(s);
    lanes(s) <= request_i(s).atomic.valid and may(s);
    atomic(s) <= request_i(s).atomic;
    answer_o(s).grant       <= grant(s);
    answer_o(s).loads       <= loaded and loader(s) and request_i(s).ready;
    answer_o(s).storing     <= to_sl(storing(s) /= 0);
    answer_o(s).atomic_done <= atomic_done(s);
    changes(s) <= (grant(s) and request_i(s).we) or atomic_done(s);
    answer_o(s).atomic_old  <= atomic_old;
    answer_o(s).atomic_new  <= atomic_new;
  end generate;

  u_atomic_turns : entity work.round_robin
    generic map (REQUESTERS => SMS)
    port map (clk => clk, rst => grid_rst_i, hold_i => hold_atomic, req_i => lanes, turn_o => open, grant_o => begins,
              index_o => open);

  u_turns : entity work.round_robin
    generic map (REQUESTERS => SMS)
    port map (clk => clk, rst => grid_rst_i, hold_i => hold, req_i => plain, turn_o => open, grant_o => grant,
              index_o => open);

  choose : process (all)
  begin
    valid <= (room and (host_waits or clearing or unit_writes)) or or_reduce(begins) or or_reduce(grant);
    line  <= of_address(atomic_address);
    bytes <= only(unsigned(atomic_address(LINE_BITS - 1 downto 2)));
    data  <= (others => atomic_new);
    we    <= unit_writes;
    owner <= (others => '0');
    owner(OF_ATOMIC)  <= not unit_writes;
    owner(sms_t'range) <= atomic_done;
    for s in 0 to SMS - 1 loop
      if begins(s) = '1' then
        line <= of_address(request_i(s).atomic.address);
      end if;
      if grant(s) = '1' then
        line  <= request_i(s).line(ADDR_BITS - 1 downto 0);
        bytes <= bytes_i(s * CORES to s * CORES + CORES - 1);
        data  <= data_i(s * CORES to s * CORES + CORES - 1);
        we    <= request_i(s).we;
        owner <= (others => '0');
        owner(s) <= '1';
      end if;
    end loop;
    if clearing = '1' then
      line  <= clear_line;
      bytes <= (others => "1111");
      data  <= (others => (others => '0'));
      we    <= '1';
    end if;
    if host_waits = '1' then
      line  <= host_addr(LINE_BITS + ADDR_BITS - 1 downto LINE_BITS);
      bytes <= only(host_addr(LINE_BITS - 1 downto 2));
      data  <= (others => host_head(HOST_BITS - 1 downto HOST_BITS - 32));
      we    <= host_we;
      owner <= (others => '0');
      owner(OF_HOST) <= '1';
      owner(OWNER_BITS - 1 downto OWNERS) <= std_ulogic_vector(host_addr(LINE_BITS - 1 downto 2));
    end if;
  end process;

  turns : process (clk)
  begin
    if rising_edge(clk) then
      if or_reduce(begins) = '1' then
        atomic_last <= '1';
        asker       <= begins;
      elsif or_reduce(grant) = '1' then
        atomic_last <= '0';
      end if;
      if or_reduce(take) = '1' then
        asker <= (others => '0');
      end if;
      if grid_rst_i = '1' then
        atomic_last <= '0';
        asker       <= (others => '0');
      end if;
    end if;
  end process;

  clear : process (all)
  begin
    clearing_in   <= clearing;
    clear_line_in <= clear_line;
    if host_i.clear = '1' then
      clearing_in   <= '1';
      clear_line_in <= (others => '0');
    elsif (clearing and room and not host_waits) = '1' then
      clear_line_in <= clear_line + 1;
      if clear_line = 2 ** ADDR_BITS - 1 then
        clearing_in <= '0';
      end if;
    end if;
  end process;

  clear_regs : process (clk)
  begin
    if rising_edge(clk) then
      clearing   <= clearing_in;
      clear_line <= clear_line_in;
      if rst = '1' then
        clearing <= '0';
      end if;
    end if;
  end process;

  --------------------------------------------------------------------------------------------------------------
  -- The bus, and the routing of its answers.

  u_lines : entity work.line_bus
    generic map (CORES => CORES, BUS_WORDS => BUS_WORDS, ADDR_BITS => ADDR_BITS, OWNER_BITS => OWNER_BITS,
                 LOADS => LOADS, STORES => STORES, SEED => SEED)
    port map (
      clk      => clk,
      rst      => rst,
      valid_i  => valid,
      ready_o  => room,
      we_i     => we,
      line_i   => line,
      owner_i  => owner,
      bytes_i  => bytes,
      data_i   => data,
      ends_o.loaded => loaded,
      ends_o.stored => stored,
      ends_o.failed => failed_o,
      loader_o => loader,
      take_i   => takes,
      line_o   => answered,
      storer_o => storer,
      axi_o    => axi_o,
      axi_i    => axi_i,
      wstrb_o  => wstrb_o,
      wdata_o  => wdata_o,
      rdata_i  => rdata_i
    );

  take <= asker and sms_t'(others => loaded and loader(OF_ATOMIC));

  taken : process (all)
    variable ready : std_ulogic;
  begin
    ready := loader(OF_HOST) or loader(OF_ATOMIC);
    for s in 0 to SMS - 1 loop
      ready := ready or (loader(s) and request_i(s).ready);
    end loop;
    takes <= loaded and ready;
  end process;

  ends : process (all)
  begin
    host_valid_in <= loaded and loader(OF_HOST);
    read_word_in  <= unsigned(loader(OWNER_BITS - 1 downto OWNERS));
    storing_in    <= storing;
    for s in 0 to SMS - 1 loop
      if changes(s) = '1' and (stored and storer(s)) = '0' then
        storing_in(s) <= storing(s) + 1;
      elsif changes(s) = '0' and (stored and storer(s)) = '1' then
        storing_in(s) <= storing(s) - 1;
      end if;
    end loop;
  end process;

  end_regs : process (clk)
  begin
    if rising_edge(clk) then
      host_valid_o <= host_valid_in;
      read_word    <= read_word_in;
      storing      <= storing_in;
      if rst = '1' then
        host_valid_o <= '0';
        storing      <= (others => (others => '0'));
      end if;
    end if;
  end process;

  data_o      <= answered;
  host_line_o <= answered;
  host_data_o <= answered(to_integer(read_word));
  clearing_o  <= clearing;

  with_atomics : if HAS_ATOMICS generate
    u_atomic : entity work.atomic_unit
      generic map (SMS => SMS, CORES => CORES)
      port map (
        clk       => clk,
        rst       => grid_rst_i,
        take_i    => take,
        request_i => atomic,
        line_i    => answered,
        host_i    => unit_waits,
        busy_o    => unit_busy,
        write_o   => unit_writes,
        address_o => atomic_address,
        done_o    => atomic_done,
        old_o     => atomic_old,
        new_o     => atomic_new
      );
  else generate
    unit_busy      <= '0';
    unit_writes    <= '0';
    atomic_address <= (others => '0');
    atomic_new     <= (others => '0');
    atomic_done    <= (others => '0');
    atomic_old     <= (others => '0');
  end generate;

  rules : process (clk)
  begin
    if rising_edge(clk) then
      one_access : assert rst = '1'
        or (or_reduce(grant) and (or_reduce(begins) or host_goes or clearing or unit_writes)) = '0'
        report "two accesses at a time" severity failure;
      atomic_alone : assert rst = '1' or (atomic_busy and (or_reduce(grant) or or_reduce(begins))) = '0'
        report "memory is accessed during an atomic operation" severity failure;
      made_with_room : assert rst = '1' or (valid and not room) = '0'
        report "an access is made without room" severity failure;
    end if;
  end process;

end architecture;
