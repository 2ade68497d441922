-- SPDX-License-Identifier: Apache-2.0
-- Load/store unit of one SM: turns the lanes of a beat into accesses to global and local memory, one line (CORES
-- aligned words) each.
--
--   X1  which lanes share a line        X3           one access a cycle, line by line
--   X2  the lowest lane of each leads   SORT, MERGE  words sorted (store_words), then the queue
--
-- Loads return in order. The last beat of a load always makes an access, so that its end is seen.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.operands_pkg.all;
use work.memory_pkg.all;

entity ldst is
  generic (
    CORES        : positive;
    GLOBAL_BYTES : positive;
    QUEUE        : positive;                                 -- accesses that can wait, see access_queue
    RETURNS      : natural := 0;                             -- granted loads that can wait for a bus; 0: there is none
    SEED         : natural
  );
  port (
    clk      : in  std_ulogic;
    rst      : in  std_ulogic;
    orders_i : in  execute_to_ldst_t;
    -- stage X1
    x1_lanes_i : in  lanes_to_execute_t(0 to CORES - 1);
    -- stage X2
    x2_beat_i  : in  beat_t;
    x2_acts_i  : in  std_ulogic_vector(CORES - 1 downto 0);  -- lanes that execute, without a fault
    -- stage X3
    beat_i   : in  beat_t;
    lanes_i  : in  lanes_to_execute_t(0 to CORES - 1);
    state_o  : out ldst_to_execute_t;
    served_o : out std_ulogic_vector(CORES - 1 downto 0);    -- lanes of the access that enters SORT
    places_o : out places_t(0 to CORES - 1);                  -- byte of the line, by lane
    -- stage MERGE: words to store
    stores_i   : in  word_writes_t(0 to CORES - 1);
    -- global memory: one access a cycle, data of a load one cycle after the grant or after global_i.loads
    global_o : out sm_to_global_t;                           -- no atomic operation
    writes_o : out word_writes_t(0 to CORES - 1);
    global_i : in  global_to_sm_t;
    data_i   : in  words_t(0 to CORES - 1);
    -- load beats to stage WRITE, which always takes them
    load_o      : out ldst_to_writeback_t;
    load_mask_o : out std_ulogic_vector(CORES - 1 downto 0);
    load_data_o : out words_t(0 to CORES - 1)
  );
end entity;

architecture rtl of ldst is

  constant LINE_BITS  : positive := 2 + log2(CORES);         -- byte address bits within a line
  constant ADDR_BITS  : positive := log2(GLOBAL_BYTES) - LINE_BITS;

  subtype lanes_t is std_ulogic_vector(CORES - 1 downto 0);
  subtype line_t is unsigned(ADDR_BITS - 1 downto 0);
  subtype line_place_t is unsigned(LINE_BITS - 1 downto 0);
  type line_places_t is array (0 to CORES - 1) of line_place_t;
  type lane_sets_t is array (0 to CORES - 1) of lanes_t;

  -- one access, and the fields that deliver a load's data
  type access_t is record
    we        : std_ulogic;
    line      : line_t;
    beat      : ldst_to_writeback_t;
    mask      : lanes_t;
    size      : size_t;
    is_signed : std_ulogic;
    places    : line_places_t;                               -- byte of the line, by lane
  end record;

  -- In the queue: the access, then for each word its bytes to write and their data, which a load does not need.
  constant PLACES_AT   : positive := 1 + ADDR_BITS + LOAD_BEAT_BITS + CORES + 3 + 1;
  constant ACCESS_BITS : positive := PLACES_AT + CORES * LINE_BITS;
  constant QUEUE_BITS  : positive := ACCESS_BITS + CORES * 36;

  function to_vector(a : access_t) return std_ulogic_vector is
    variable v : std_ulogic_vector(ACCESS_BITS - 1 downto 0);
  begin
    v(PLACES_AT - 1 downto 0) := a.is_signed & a.size & a.mask & to_vector(a.beat) & std_ulogic_vector(a.line) & a.we;
    for l in 0 to CORES - 1 loop
      v(PLACES_AT + (l + 1) * LINE_BITS - 1 downto PLACES_AT + l * LINE_BITS) := std_ulogic_vector(a.places(l));
    end loop;
    return v;
  end function;

  function to_access(v : std_ulogic_vector(ACCESS_BITS - 1 downto 0)) return access_t is
    variable a : access_t;
    constant BEAT_AT : positive := 1 + ADDR_BITS;
    constant MASK_AT : positive := BEAT_AT + LOAD_BEAT_BITS;
  begin
    a.we        := v(0);
    a.line      := unsigned(v(ADDR_BITS downto 1));
    a.beat      := to_load_beat(v(MASK_AT - 1 downto BEAT_AT));
    a.mask      := v(MASK_AT + CORES - 1 downto MASK_AT);
    a.size      := v(MASK_AT + CORES + 2 downto MASK_AT + CORES);
    a.is_signed := v(MASK_AT + CORES + 3);
    for l in 0 to CORES - 1 loop
      a.places(l) := unsigned(v(PLACES_AT + (l + 1) * LINE_BITS - 1 downto PLACES_AT + l * LINE_BITS));
    end loop;
    return a;
  end function;

  -- stage X2
  signal x2_r, x2_in : lane_sets_t;                          -- by lane: lower ones in its line
  signal x2_access   : std_ulogic;                           -- the beat makes accesses
  signal x2_wanted   : lanes_t;                              -- lanes that take part in them
  signal x2_many     : std_ulogic;                           -- they share no line, all of them

  -- stage X3
  type x3_stage_t is record
    shares    : lane_sets_t;
    wanted    : lanes_t;
    leads     : lanes_t;                                     -- leaders whose access is not made
    many      : std_ulogic;                                  -- more than one
    is_access : std_ulogic;                                  -- the beat makes accesses
  end record;
  signal x3_r, x3_in  : x3_stage_t;
  signal behind       : lanes_t;                             -- leaders but the first
  signal first        : lanes_t;
  signal many_next    : std_ulogic;                          -- many, in the next cycle, if the beat stays
  signal served       : lanes_t;
  signal place        : line_places_t;
  signal line         : line_t;
  signal is_load      : std_ulogic;
  signal makes_access : std_ulogic;
  signal capture      : std_ulogic;                          -- an access enters SORT
  signal made         : access_t;                            -- it, where capture is set

  -- stages SORT and MERGE, the queue
  signal sort_r, merge_r : access_t;
  signal sort_valid      : std_ulogic;                       -- there is an access in SORT
  signal leaves_sort     : std_ulogic;                       -- the access in SORT goes on to MERGE
  signal push            : std_ulogic;                       -- there is an access in MERGE
  signal pushed          : std_ulogic_vector(QUEUE_BITS - 1 downto 0);
  signal queue_free      : std_ulogic;                       -- there is room for those in SORT and MERGE and two more
  signal room            : std_ulogic;                       -- so it was one cycle ago: an access may be made
  signal queue_empty     : std_ulogic;
  signal head_bits       : std_ulogic_vector(QUEUE_BITS - 1 downto 0);
  signal head            : access_t;
  signal waiting         : std_ulogic;                       -- there is a head, which waits for its grant

  -- loads
  signal comes                : std_ulogic;                  -- data come in the next cycle
  signal coming               : std_ulogic_vector(ACCESS_BITS - 1 downto 0); -- the load whose data come
  signal returned             : std_ulogic;                  -- no load waits for them
  signal arrives_r, arrived_r : access_t;                    -- load whose data arrive; whose data are here
  signal arrives_in           : access_t;
  signal arrives, arrived     : std_ulogic;                  -- there is one
  signal data                 : words_t(0 to CORES - 1);     -- of a load

  function has_access(beat : beat_t) return std_ulogic is
  begin
    return beat.valid and (is_global(beat.insn.control.mem) or is_local(beat.insn.control.mem));
  end function;

  -- Bytes from the lane's address to the beat's word. Wide accesses are aligned: adding is OR.
  function word_offset(beat : beat_t) return line_place_t is
    variable offset : line_place_t := (others => '0');
  begin
    if is_global(beat.insn.control.mem) = '1' then
      offset(3 downto 2) := beat.insn.part;
    end if;
    return offset;
  end function;

  function line_of(operands : lane_to_execute_t) return line_t is
  begin
    return unsigned(operands.src_a(ADDR_BITS + LINE_BITS - 1 downto LINE_BITS)); -- addresses beyond are faults
  end function;

  -- All set ones but the lowest.
  function but_lowest(v : lanes_t) return lanes_t is
    variable above : lanes_t := (others => '0');
  begin
    for l in 1 to CORES - 1 loop
      above(l) := or_reduce(v(l - 1 downto 0));
    end loop;
    return v and above;
  end function;

  -- The lanes of which no lower one shares the line.
  function leads_of(wanted : lanes_t; shares : lane_sets_t) return lanes_t is
    variable leads : lanes_t;
  begin
    for l in 0 to CORES - 1 loop
      leads(l) := wanted(l) and not or_reduce(wanted and shares(l));
    end loop;
    return leads;
  end function;

  -- Two of the lanes share no line.
  function differ(lanes : lanes_t; shares : lane_sets_t) return std_ulogic is
    variable v : std_ulogic := '0';
  begin
    for l in 0 to CORES - 1 loop
      for lower in 0 to l - 1 loop
        v := v or (lanes(lower) and lanes(l) and not shares(l)(lower));
      end loop;
    end loop;
    return v;
  end function;

  -- Three are set at least: found by halves, of which each says whether it has one, two, three.
  function at_least_three(v : lanes_t) return std_ulogic is
    variable one, two, three : lanes_t;
    variable nodes : positive := CORES;
  begin
    one   := v;
    two   := (others => '0');
    three := (others => '0');
    for level in 1 to log2(CORES) loop
      nodes := nodes / 2;
      for i in 0 to nodes - 1 loop
        three(i) := three(2 * i) or three(2 * i + 1) or (two(2 * i) and one(2 * i + 1))
                    or (one(2 * i) and two(2 * i + 1));
        two(i)   := two(2 * i) or two(2 * i + 1) or (one(2 * i) and one(2 * i + 1));
        one(i)   := one(2 * i) or one(2 * i + 1);
      end loop;
    end loop;
    return three(0);
  end function;

begin

  --------------------------------------------------------------------------------------------------------------
  -- X2: lanes that share a line

  compare : process (all)
  begin
    for l in 0 to CORES - 1 loop
      x2_in(l) <= (others => '0');
      for lower in 0 to l - 1 loop
        x2_in(l)(lower) <= to_sl(line_of(x1_lanes_i(lower)) = line_of(x1_lanes_i(l)));
      end loop;
    end loop;
  end process;

  x2_regs : process (clk)
  begin
    if rising_edge(clk) then
      if orders_i.moves = '1' then
        x2_r <= x2_in;
      end if;
    end if;
  end process;

  --------------------------------------------------------------------------------------------------------------
  -- X3: the leaders; the access of the first

  x2_access <= has_access(x2_beat_i);
  x2_wanted <= x2_acts_i and lanes_t'(others => x2_access);
  x2_many   <= differ(x2_acts_i, x2_r) and x2_access;

  x3_in <= (shares => x2_r, wanted => x2_wanted, leads => leads_of(x2_wanted, x2_r), many => x2_many,
            is_access => x2_access);

  x3_regs : process (clk)
  begin
    if rising_edge(clk) then
      if orders_i.moves = '1' then
        x3_r <= x3_in;
      else
        if capture = '1' then
          x3_r.leads <= behind;
        end if;
        x3_r.many <= many_next;
      end if;
      if rst = '1' or orders_i.trapped = '1' then
        x3_r.many      <= '0';
        x3_r.is_access <= '0';
      end if;
    end if;
  end process;

  is_load   <= work.gpu_pkg.is_load(beat_i.insn.control.mem);
  behind    <= but_lowest(x3_r.leads);
  first     <= x3_r.leads and not behind;
  -- Of more than one the first makes an access when it may: no need to ask whether there is any.
  many_next <= x3_r.many and (at_least_three(x3_r.leads) or not (orders_i.go and room));

  blocks : process (all)
  begin
    state_o.blocks <= many_next or (x3_r.is_access and not queue_free);
    if orders_i.moves = '1' then
      state_o.blocks <= x2_many or (x2_access and not queue_free);
    end if;
  end process;

  lane : for l in 0 to CORES - 1 generate
    together : process (all)                                 -- with the first leader
      variable shared_with : std_ulogic;
    begin
      shared_with := first(l) or or_reduce(first and x3_r.shares(l));
      served(l)   <= x3_r.wanted(l) and shared_with;
    end process;
    place(l)    <= unsigned(lanes_i(l).src_a(LINE_BITS - 1 downto 0)) or word_offset(beat_i);
    places_o(l) <= resize(place(l), place_t'length);
  end generate;

  served_o <= served;

  choose_line : process (all)
    variable chosen : line_t;
  begin
    chosen := (others => '0');
    for l in 0 to CORES - 1 loop
      chosen := chosen or (line_of(lanes_i(l)) and line_t'(others => first(l)));
    end loop;
    line <= chosen;
  end process;

  makes_access <= x3_r.is_access and (or_reduce(x3_r.leads) or (is_load and beat_i.last));
  capture      <= orders_i.go and not orders_i.trapped and room and makes_access;

  make : process (all)
  begin
    made.we           <= not is_load;
    made.line         <= line;
    made.mask         <= served;
    made.size         <= beat_i.insn.control.mem_size;
    made.is_signed    <= beat_i.insn.control.mem_signed;
    made.places       <= place;
    made.beat.valid   <= '1';
    made.beat.last    <= beat_i.last and not x3_r.many;
    made.beat.slot    <= beat_i.insn.slot;
    made.beat.row     <= beat_i.row;
    made.beat.part    <= beat_i.insn.part;
    made.beat.reg_row <= beat_i.insn.info.reg_base + beat_i.insn.control.dst_reg;
    made.beat.enable  <= not beat_i.insn.dropped;
  end process;

  --------------------------------------------------------------------------------------------------------------
  -- SORT

  sort_regs : process (clk)
  begin
    if rising_edge(clk) then
      sort_valid <= capture;
      sort_r     <= made;
      if rst = '1' then
        sort_valid <= '0';
      end if;
    end if;
  end process;

  --------------------------------------------------------------------------------------------------------------
  -- MERGE and the queue

  leaves_sort <= sort_valid and not orders_i.trapped;

  merge_regs : process (clk)
  begin
    if rising_edge(clk) then
      push    <= leaves_sort;
      merge_r <= sort_r;
      if rst = '1' then
        push <= '0';
      end if;
    end if;
  end process;

  pushed(ACCESS_BITS - 1 downto 0) <= to_vector(merge_r);

  words : for w in 0 to CORES - 1 generate
    pushed(ACCESS_BITS + w * 36 + 35 downto ACCESS_BITS + w * 36) <= stores_i(w).bytes & stores_i(w).data;
    writes_o(w).bytes <= head_bits(ACCESS_BITS + w * 36 + 35 downto ACCESS_BITS + w * 36 + 32);
    writes_o(w).data  <= head_bits(ACCESS_BITS + w * 36 + 31 downto ACCESS_BITS + w * 36);
  end generate;

  u_queue : entity work.access_queue
    generic map (BITS => QUEUE_BITS, PLACES => QUEUE, AHEAD => 4, SEED => SEED)
    port map (
      clk     => clk,
      rst     => rst,
      push_i  => push,
      data_i  => pushed,
      free_o  => queue_free,
      valid_o => waiting,
      data_o  => head_bits,
      pop_i   => global_i.grant,
      empty_o => queue_empty
    );

  room_regs : process (clk)
  begin
    if rising_edge(clk) then
      room <= queue_free;
    end if;
  end process;

  head <= to_access(head_bits(ACCESS_BITS - 1 downto 0));
  global_o.we     <= head.we;
  global_o.line   <= resize(head.line, global_o.line'length);
  global_o.atomic <= SM_TO_ATOMIC_UNIT_INIT;
  state_o.load_next <= arrives;
  state_o.idle <= queue_empty and returned and not (arrives or arrived or sort_valid or push);

  at_once : if RETURNS = 0 generate
    global_o.req    <= waiting and not orders_i.hold;
    global_o.ready  <= '0';
    comes    <= global_i.grant and not head.we;
    coming   <= head_bits(coming'range);
    returned <= '1';
  else generate
    signal places_left, loads : std_ulogic;
  begin
    global_o.req   <= waiting and (head.we or places_left);
    global_o.ready <= not orders_i.hold;
    comes   <= global_i.loads;
    loads   <= global_i.grant and not head.we;

    u_returns : entity work.access_queue
      generic map (BITS => ACCESS_BITS, PLACES => RETURNS, SEED => SEED)
      port map (
        clk     => clk,
        rst     => rst,
        push_i  => loads,
        data_i  => head_bits(coming'range),
        free_o  => places_left,
        valid_o => open,
        data_o  => coming,
        pop_i   => global_i.loads,
        empty_o => returned
      );
  end generate;

  --------------------------------------------------------------------------------------------------------------
  -- Data of a load arrive, and are here

  arrives_in <= to_access(coming);

  arrives_regs : process (clk)
  begin
    if rising_edge(clk) then
      arrives   <= comes;
      arrives_r <= arrives_in;
      if rst = '1' then
        arrives <= '0';
      end if;
    end if;
  end process;

  arrived_regs : process (clk)
  begin
    if rising_edge(clk) then
      arrived   <= arrives;
      arrived_r <= arrives_r;
      data      <= data_i;
      if rst = '1' then
        arrived <= '0';
      end if;
    end if;
  end process;

  load_back : process (all)
  begin
    load_o       <= arrived_r.beat;
    load_o.valid <= arrived;
    load_mask_o  <= arrived_r.mask;
  end process;

  deliver : for l in 0 to CORES - 1 generate
    signal word : word_t;
  begin
    u_word : entity work.mux_word
      generic map (CORES => CORES)
      port map (words_i => data, index_i => arrived_r.places(l)(LINE_BITS - 1 downto 2), word_o => word);
    load_data_o(l) <= extract(word, arrived_r.places(l)(1 downto 0), arrived_r.size, arrived_r.is_signed);
  end generate;

  rules : process (clk)
  begin
    if rising_edge(clk) then
      granted_what_waits : assert rst = '1' or (global_i.grant and not waiting) = '0'
        report "an access is granted without a request" severity failure;
      comes_when_ready : assert rst = '1' or (comes and orders_i.hold) = '0'
        report "a load comes that cannot be written" severity failure;
      serves_its_lanes : assert rst = '1' or (capture and or_reduce(served and not x3_r.wanted)) = '0'
        report "an access serves a lane that makes none" severity failure;
      has_a_leader_or_ends_a_load : assert rst = '1' or (capture and not or_reduce(x3_r.leads) and not is_load) = '0'
        report "a store of no lane" severity failure;
      many_is_more_than_one : assert rst = '1' or (x3_r.many and not (x3_r.is_access and or_reduce(behind))) = '0'
        report "further accesses of a beat that has none" severity failure;
    end if;
  end process;

end architecture;
