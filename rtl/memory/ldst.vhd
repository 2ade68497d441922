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
  end record;

  -- In the queue: the access, then for each lane its place, then for each word its bytes to write and their data. For
  -- its data a load needs the first two.
  constant ACCESS_BITS : positive := 1 + ADDR_BITS + LOAD_BEAT_BITS + CORES + 3 + 1;
  constant PLACES_AT   : positive := ACCESS_BITS;
  constant WORDS_AT    : positive := PLACES_AT + CORES * LINE_BITS;
  constant QUEUE_BITS  : positive := WORDS_AT + CORES * 36;

  function to_vector(a : access_t) return std_ulogic_vector is
  begin
    return a.is_signed & a.size & a.mask & to_vector(a.beat) & std_ulogic_vector(a.line) & a.we;
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
    return a;
  end function;

  signal queue_free              : std_ulogic; -- there is room for the accesses in SORT and MERGE and two more
  signal room                    : std_ulogic;               -- so it was one cycle ago: an access may be made
  signal sort_valid              : std_ulogic;               -- there is an access in SORT
  signal leaves_sort             : std_ulogic;               -- the access in SORT goes on to MERGE
  signal push                    : std_ulogic;               -- there is an access in MERGE
  signal sort_r, merge_r         : access_t;
  signal sort_place, merge_place : line_places_t;
  signal queue_empty             : std_ulogic;
  signal pushed                  : std_ulogic_vector(QUEUE_BITS - 1 downto 0);
  signal head_bits               : std_ulogic_vector(QUEUE_BITS - 1 downto 0);
  signal waiting                 : std_ulogic;               -- there is a head, which waits for its grant
  signal comes                   : std_ulogic;               -- data come in the next cycle
  signal coming                  : std_ulogic_vector(WORDS_AT - 1 downto 0); -- the load whose data come
  signal returned                : std_ulogic;               -- no load waits for them
  signal made                    : access_t;                 -- that of the beat in X3, where capture is set
  signal head                    : access_t;
  signal granted, granted_in     : access_t;                 -- load whose data arrive
  signal reading                 : access_t;                 -- load whose data are here
  signal arrives                 : std_ulogic;
  signal arrived                 : std_ulogic;
  signal capture                 : std_ulogic;               -- an access enters SORT
  signal wanted                  : lanes_t;                  -- lanes that take part in the accesses of the beat in X2
  signal shares, shares_in       : lane_sets_t;              -- by lane: lower ones in its line; of the beat in X2
  signal x2_leads                : lanes_t;
  signal x2_many                 : std_ulogic;               -- they share no line, all of them
  signal x3_shares               : lane_sets_t;
  signal x3_wanted               : lanes_t;
  signal leads                   : lanes_t;                  -- of the beat in X3: leaders whose access is not made
  signal behind                  : lanes_t;                  -- leaders but the first
  signal first                   : lanes_t;
  signal many                    : std_ulogic;               -- more than one
  signal many_next               : std_ulogic;               -- many, in the next cycle, if the beat stays
  signal served                  : lanes_t;
  signal place                   : line_places_t;            -- byte of the line, by lane in X3
  signal granted_place           : line_places_t;
  signal granted_place_in        : line_places_t;
  signal reading_place           : line_places_t;
  signal line                    : line_t;
  signal data                    : words_t(0 to CORES - 1);  -- data of a load
  signal is_load                 : std_ulogic;               -- the beat in X3
  signal x2_access               : std_ulogic;               -- the beat in X2 makes accesses
  signal is_access               : std_ulogic;               -- the beat in X3 makes accesses
  signal makes_access            : std_ulogic;

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

  is_load   <= work.gpu_pkg.is_load(beat_i.insn.control.mem);
  x2_access <= has_access(x2_beat_i);

  --------------------------------------------------------------------------------------------------------------
  -- X1 and X2: lanes that share a line, and leaders

  wanted <= x2_acts_i and lanes_t'(others => x2_access);

  lead : process (all)
    variable differ : std_ulogic;
  begin
    differ := '0';
    for l in 0 to CORES - 1 loop
      x2_leads(l) <= wanted(l) and not or_reduce(wanted and shares(l));
      for lower in 0 to l - 1 loop
        differ := differ or (x2_acts_i(lower) and x2_acts_i(l) and not shares(l)(lower));
      end loop;
    end loop;
    x2_many <= differ and x2_access;
  end process;

  compare : process (all)
  begin
    for l in 0 to CORES - 1 loop
      shares_in(l) <= (others => '0');
      for lower in 0 to l - 1 loop
        shares_in(l)(lower) <= to_sl(line_of(x1_lanes_i(lower)) = line_of(x1_lanes_i(l)));
      end loop;
    end loop;
  end process;

  x2_x3_regs : process (clk)
  begin
    if rising_edge(clk) then
      if orders_i.moves = '1' then
        shares    <= shares_in;
        x3_shares <= shares;
        x3_wanted <= wanted;
        leads     <= x2_leads;
        many      <= x2_many;
        is_access <= x2_access;
      else
        if capture = '1' then
          leads <= behind;
        end if;
        many <= many_next;
      end if;
      room <= queue_free;
      if rst = '1' or orders_i.trapped = '1' then
        many      <= '0';
        is_access <= '0';
      end if;
    end if;
  end process;

  --------------------------------------------------------------------------------------------------------------
  -- X3: the access of the first leader

  behind    <= but_lowest(leads);
  first     <= leads and not behind;
  -- Of more than one the first makes an access when it may: no need to ask whether there is any.
  many_next <= many and (at_least_three(leads) or not (orders_i.go and room));

  blocks : process (all)
  begin
    state_o.blocks <= many_next or (is_access and not queue_free);
    if orders_i.moves = '1' then
      state_o.blocks <= x2_many or (x2_access and not queue_free);
    end if;
  end process;

  lane : for l in 0 to CORES - 1 generate
    signal word : word_t;
  begin
    together : process (all)                                 -- with the first leader
      variable shared_with : std_ulogic;
    begin
      shared_with := first(l) or or_reduce(first and x3_shares(l));
      served(l)   <= x3_wanted(l) and shared_with;
    end process;
    place(l)    <= unsigned(lanes_i(l).src_a(LINE_BITS - 1 downto 0)) or word_offset(beat_i);
    places_o(l) <= resize(place(l), place_t'length);

    u_deliver : entity work.mux_word
      generic map (CORES => CORES)
      port map (words_i => data, index_i => reading_place(l)(LINE_BITS - 1 downto 2), word_o => word);
    load_data_o(l) <= extract(word, reading_place(l)(1 downto 0), reading.size, reading.is_signed);
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

  makes_access <= is_access and (or_reduce(leads) or (is_load and beat_i.last));
  capture      <= orders_i.go and not orders_i.trapped and room and makes_access;

  make : process (all)
  begin
    made.we           <= not is_load;
    made.line         <= line;
    made.mask         <= served;
    made.size         <= beat_i.insn.control.mem_size;
    made.is_signed    <= beat_i.insn.control.mem_signed;
    made.beat.valid   <= '1';
    made.beat.last    <= beat_i.last and not many;
    made.beat.slot    <= beat_i.insn.slot;
    made.beat.row     <= beat_i.row;
    made.beat.part    <= beat_i.insn.part;
    made.beat.reg_row <= beat_i.insn.info.reg_base + beat_i.insn.control.dst_reg;
    made.beat.enable  <= not beat_i.insn.dropped;
  end process;

  --------------------------------------------------------------------------------------------------------------
  -- SORT, MERGE and the queue

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

  pushed(ACCESS_BITS - 1 downto 0) <= to_vector(merge_r);
  head   <= to_access(head_bits(ACCESS_BITS - 1 downto 0));
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
      generic map (BITS => WORDS_AT, PLACES => RETURNS, SEED => SEED)
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

  places : for l in 0 to CORES - 1 generate
    pushed(PLACES_AT + l * LINE_BITS + LINE_BITS - 1 downto PLACES_AT + l * LINE_BITS)
      <= std_ulogic_vector(merge_place(l));
  end generate;

  load_back : process (all)
  begin
    load_o       <= reading.beat;
    load_o.valid <= arrived;
    load_mask_o  <= reading.mask;
  end process;

  leaves_sort <= sort_valid and not orders_i.trapped;

  sort_merge_regs : process (clk)
  begin
    if rising_edge(clk) then
      sort_valid  <= capture;
      sort_r      <= made;
      sort_place  <= place;
      push        <= leaves_sort;
      merge_r     <= sort_r;
      merge_place <= sort_place;
      if rst = '1' then
        sort_valid <= '0';
        push       <= '0';
      end if;
    end if;
  end process;

  granted_in <= to_access(coming(ACCESS_BITS - 1 downto 0));
  granted_places : for l in 0 to CORES - 1 generate
    granted_place_in(l) <= unsigned(coming(PLACES_AT + (l + 1) * LINE_BITS - 1 downto PLACES_AT + l * LINE_BITS));
  end generate;

  load_regs : process (clk)
  begin
    if rising_edge(clk) then
      arrives       <= comes;
      arrived       <= arrives;
      granted       <= granted_in;
      granted_place <= granted_place_in;
      data          <= data_i;
      reading       <= granted;
      reading_place <= granted_place;
      if rst = '1' then
        arrives <= '0';
        arrived <= '0';
      end if;
    end if;
  end process;

  -- the line to write
  words : for w in 0 to CORES - 1 generate
    pushed(WORDS_AT + w * 36 + 35 downto WORDS_AT + w * 36) <= stores_i(w).bytes & stores_i(w).data;
    writes_o(w).bytes <= head_bits(WORDS_AT + w * 36 + 35 downto WORDS_AT + w * 36 + 32);
    writes_o(w).data  <= head_bits(WORDS_AT + w * 36 + 31 downto WORDS_AT + w * 36);
  end generate;

  rules : process (clk)
  begin
    if rising_edge(clk) then
      granted_what_waits : assert rst = '1' or (global_i.grant and not waiting) = '0'
        report "an access is granted without a request" severity failure;
      comes_when_ready : assert rst = '1' or (comes and orders_i.hold) = '0'
        report "a load comes that cannot be written" severity failure;
      serves_its_lanes : assert rst = '1' or (capture and or_reduce(served and not x3_wanted)) = '0'
        report "an access serves a lane that makes none" severity failure;
      has_a_leader_or_ends_a_load : assert rst = '1' or (capture and not or_reduce(leads) and not is_load) = '0'
        report "a store of no lane" severity failure;
      many_is_more_than_one : assert rst = '1' or (many and not (is_access and or_reduce(behind))) = '0'
        report "further accesses of a beat that has none" severity failure;
    end if;
  end process;

end architecture;
