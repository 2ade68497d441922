-- SPDX-License-Identifier: Apache-2.0
-- ldst, with a queue of eight places and with one of sixteen: lanes in one line are one access, several lines come
-- one after the other from the lowest lane on; bytes of a store merge, the highest lane winning; accesses are posted
-- until the queue is full and keep their order while memory does not grant; a load's last beat makes an access even
-- without lanes; a lane with a fault takes no part; words of a wide access lie behind the address, those of local
-- memory where stage SOURCES said; a trap forgets what has no place in the queue, a reset what waits; a load that comes
-- back is told one cycle ahead.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.operands_pkg.all;
use work.memory_pkg.all;
use work.bench_pkg.all;

entity ldst_tb is
end entity ldst_tb;

architecture sim of ldst_tb is
  constant CORES : positive := 8;
  subtype lanes_t is std_ulogic_vector(CORES - 1 downto 0);
  type addresses_t is array (0 to CORES - 1) of natural;

  -- seen by the bench: accesses that were granted and load beats
  type access_t is record
    we    : std_ulogic;
    line  : natural;
    bytes : nibbles_t(0 to CORES - 1);
    data  : words_t(0 to CORES - 1);
  end record;
  type accesses_t is array (0 to 31) of access_t;
  type load_t is record
    beat : ldst_to_writeback_t;
    mask : lanes_t;
    data : words_t(0 to CORES - 1);
  end record;
  type loads_t is array (0 to 31) of load_t;

  type lines_t is array (natural range <>) of unsigned(31 downto 0);
  signal clk       : std_ulogic := '0';
  signal rst       : std_ulogic := '1';
  signal beat      : beat_t := BEAT_INIT;
  signal lanes     : lanes_to_execute_t(0 to CORES - 1) := (others => LANE_TO_EXECUTE_INIT);
  signal faults    : faults_lanes_t(0 to CORES - 1) := (others => (others => '0'));
  signal go        : std_ulogic := '0';
  signal grant     : std_ulogic := '1';
  signal read_data : words_t(0 to CORES - 1) := (others => (others => '0'));

  -- outputs of both; of the one under test
  type words2_t is array (0 to 1) of words_t(0 to CORES - 1);
  type nibbles2_t is array (0 to 1) of nibbles_t(0 to CORES - 1);
  type lanes2_t is array (0 to 1) of lanes_t;
  type loads2_t is array (0 to 1) of ldst_to_writeback_t;
  type queues_t is array (0 to 1) of positive;
  constant PLACES  : queues_t := (8, 16);
  signal dut       : natural range 0 to 1 := 0;
  signal all_beats : beats_t(0 to 1);                        -- in stage X1
  signal trapped   : std_ulogic := '0';
  signal hold      : std_ulogic := '0';
  signal all_moves : std_ulogic_vector(0 to 1);
  signal all_req, all_we, all_idle, all_grant, all_load_next : std_ulogic_vector(0 to 1);
  signal all_line  : lines_t(0 to 1);
  signal all_bytes : nibbles2_t;
  signal all_data, all_load_data : words2_t;
  signal all_load  : loads2_t;
  signal all_mask  : lanes2_t;

  signal moves, req, we, idle, load_next : std_ulogic;
  signal line      : unsigned(31 downto 0);
  signal bytes     : nibbles_t(0 to CORES - 1);
  signal data      : words_t(0 to CORES - 1);
  signal load      : ldst_to_writeback_t;
  signal load_mask : lanes_t;
  signal load_data : words_t(0 to CORES - 1);

  -- word w of memory: its bytes are 4w+3 .. 4w, the topmost with bit 7 set
  function word_of(w : natural) return word_t is
  begin
    return std_ulogic_vector(to_unsigned((4 * w + 3) mod 128 + 128, 8)) & std_ulogic_vector(to_unsigned(4 * w + 2, 8))
           & std_ulogic_vector(to_unsigned(4 * w + 1, 8)) & std_ulogic_vector(to_unsigned(4 * w, 8));
  end function word_of;
begin

  each : for q in 0 to 1 generate
    signal stalled, blocks    : std_ulogic := '0';
    signal served             : lanes_t;
    signal x2_beat, x3_beat   : beat_t := BEAT_INIT;
    signal x2_lanes, x3_lanes : lanes_to_execute_t(0 to CORES - 1) := (others => LANE_TO_EXECUTE_INIT);
    signal x2_acts            : lanes_t;
    signal lane_place         : places_t(0 to CORES - 1);
    signal value              : words_t(0 to CORES - 1);
    signal word_bytes         : nibbles_t(0 to CORES - 1);
    signal words              : words_t(0 to CORES - 1);
    signal stores, writes     : word_writes_t(0 to CORES - 1);
    signal line_bytes         : nibbles_t(0 to CORES - 1);
    signal line_data          : words_t(0 to CORES - 1);
    signal orders             : execute_to_ldst_t;
    signal state              : ldst_to_execute_t;
    signal request            : sm_to_global_t;
    signal answer             : global_to_sm_t := (atomic_old => (others => '0'), atomic_new => (others => '0'),
                                            others => '0');
  begin
    all_grant(q) <= grant and all_req(q);
    all_beats(q) <= beat when dut = q else BEAT_INIT;

    -- Stages X2 and X3, as execute has them.
    all_moves(q) <= go and not stalled;
    to_stages_x2_and_x3 : process (clk)
    begin
      if rising_edge(clk) then
        stalled <= blocks and not rst;
        if all_moves(q) = '1' then
          x2_beat  <= all_beats(q);
          x2_lanes <= lanes;
          x3_beat  <= x2_beat;
          x3_lanes <= x2_lanes;
        end if;
        if rst = '1' or trapped = '1' then
          x2_beat.valid <= '0';
          x3_beat.valid <= '0';
        end if;
      end if;
    end process to_stages_x2_and_x3;

    by_lane : for l in 0 to CORES - 1 generate
      x2_acts(l) <= x2_lanes(l).exec and not or_reduce(faults(l));
      value(l)   <= x3_lanes(l).src_c;
    end generate by_lane;

    u_stores : entity work.store_words
      generic map (CORES => CORES)
      port map (clk => clk, enters_i => '1', lanes_i => served, places_i => lane_place,
                size_i => x3_beat.insn.control.mem_size, data_i => value, init_i => '0',
                init_word_i => x"000", init_data_i => x"00000000", bytes_o => word_bytes, data_o => words);

    u_dut : entity work.ldst
      generic map (CORES => CORES, GLOBAL_BYTES => 4096, QUEUE => PLACES(q), SEED => 1)
      port map (clk => clk, rst => rst, orders_i => orders, x1_lanes_i => lanes, x2_beat_i => x2_beat,
                x2_acts_i => x2_acts, beat_i => x3_beat, lanes_i => x3_lanes, state_o => state,
                served_o => served, places_o => lane_place,
                stores_i => stores, global_o => request, writes_o => writes, global_i => answer, data_i => read_data,
                load_o => all_load(q), load_mask_o => all_mask(q), load_data_o => all_load_data(q));

    orders <= (moves => all_moves(q), go => go, hold => hold, trapped => trapped);
    answer.grant <= all_grant(q);
    blocks <= state.blocks;
    all_load_next(q) <= state.load_next;
    all_idle(q) <= state.idle;
    all_req(q)  <= request.req;
    all_we(q)   <= request.we;
    all_line(q) <= request.line;
    words_of_line : for w in 0 to CORES - 1 generate
      stores(w) <= (data => words(w), bytes => word_bytes(w));
      line_bytes(w) <= writes(w).bytes;
      line_data(w)  <= writes(w).data;
    end generate words_of_line;
    all_bytes(q) <= line_bytes;
    all_data(q)  <= line_data;
  end generate each;

  moves     <= all_moves(dut);
  load_next <= all_load_next(dut);
  req       <= all_req(dut);
  we        <= all_we(dut);
  idle      <= all_idle(dut);
  line      <= all_line(dut);
  bytes     <= all_bytes(dut);
  data      <= all_data(dut);
  load      <= all_load(dut);
  load_mask <= all_mask(dut);
  load_data <= all_load_data(dut);

  stimulus : process
    variable accesses : accesses_t;
    variable loads    : loads_t;
    variable n, m     : natural := 0;                        -- accesses and loads seen
    variable left     : boolean;                             -- the beat left stage X1
    variable foretold : std_ulogic := '0';                   -- a load comes back in this cycle

    procedure cycle is
      variable reads : boolean;
      variable place : natural;
    begin
      wait for 1 ns;
      assert (req and idle) /= '1' report "idle while an access waits" severity failure;
      assert rst = '1' or load.valid = foretold report "a load comes back, and was told" severity failure;
      foretold := load_next and not rst;
      left  := moves = '1';
      reads := false;
      if req = '1' and grant = '1' then
        place       := to_integer(line);
        accesses(n) := (we => we, line => place, bytes => bytes, data => data);
        n           := n + 1;
        reads       := we = '0';
      end if;
      if load.valid = '1' then
        loads(m) := (beat => load, mask => load_mask, data => load_data);
        m        := m + 1;
      end if;
      clk <= '1';
      wait for 1 ns;
      clk <= '0';
      for w in read_data'range loop
        read_data(w) <= (others => 'X');
        if reads then
          read_data(w) <= word_of(place * CORES + w);
        end if;
      end loop;
      wait for 0 ns;
    end procedure cycle;

    procedure begin_beat(mem : mem_t; size : size_t; is_signed : std_ulogic; acts : lanes_t; addresses : addresses_t) is
    begin
      beat                         <= BEAT_INIT;
      beat.valid                   <= '1';
      beat.last                    <= '1';
      beat.insn.slot               <= to_unsigned(3, SLOT_BITS);
      beat.insn.info.reg_base      <= to_unsigned(100, 9);
      beat.insn.control.mem        <= mem;
      beat.insn.control.mem_size   <= size;
      beat.insn.control.mem_signed <= is_signed;
      beat.insn.control.dst        <= DST_REG32;
      beat.insn.control.dst_reg    <= to_unsigned(7, 7);
      for l in addresses'range loop
        lanes(l).exec <= acts(l);
        lanes(l).src_a    <= std_ulogic_vector(to_unsigned(addresses(l), 32));
        lanes(l).src_c    <= std_ulogic_vector(to_unsigned(16#01020300# + l, 32));
      end loop;
      go <= '1';
      n  := 0;
      m  := 0;
    end procedure begin_beat;

    -- Clocks until the beat has left and nothing is under way.
    procedure finish is
    begin
      loop
        cycle;
        exit when left;
      end loop;
      beat <= BEAT_INIT;
      for drain in 1 to 20 loop
        cycle;
      end loop;
      assert idle = '1' report "something is still under way" severity failure;
    end procedure finish;
  begin
    for q in 0 to 1 loop
      dut <= q;
      rst <= '1';
      cycle;
      rst <= '0';
      cycle;

      -- one line, lanes in reverse: one access
      begin_beat(MEM_GLOBAL_LOAD, SIZE_4, '0', "11111111", (124, 120, 116, 112, 108, 104, 100, 96));
      finish;
      check(n = 1 and m = 1, "a line is one access and one load beat");
      check(accesses(0).line = 3 and accesses(0).we = '0', "it reads line 3");
      check(loads(0).mask = "11111111" and loads(0).beat.last = '1', "all lanes, last beat");
      check(loads(0).beat.slot = 3 and loads(0).beat.reg_row = 107, "the warp's slot and register");
      for l in 0 to CORES - 1 loop
        check(loads(0).data(l) = word_of(31 - l), "reversed lane " & integer'image(l));
      end loop;

      -- three lines, the lowest lane's first
      begin_beat(MEM_GLOBAL_LOAD, SIZE_4, '0', "11111110", (0, 64, 32, 68, 36, 0, 40, 72));
      finish;
      check(n = 3 and m = 3, "three lines are three accesses");
      check(accesses(0).line = 2 and accesses(1).line = 1 and accesses(2).line = 0, "lines in the order of lanes");
      check(loads(0).mask = "10001010" and loads(1).mask = "01010100" and loads(2).mask = "00100000", "their lanes");
      check((loads(0).beat.last or loads(1).beat.last) = '0' and loads(2).beat.last = '1', "only the third is last");
      check(loads(0).data(3) = word_of(17) and loads(1).data(6) = word_of(10), "their data");

      -- cells: bytes and halves, signed and not
      begin_beat(MEM_GLOBAL_LOAD, SIZE_1, '1', "00000011", (3, 2, others => 0));
      finish;
      check(loads(0).data(0) = x"ffffff83" and loads(0).data(1) = x"00000002", "signed bytes");
      begin_beat(MEM_GLOBAL_LOAD, SIZE_2, '0', "00000011", (2, 4, others => 0));
      finish;
      check(loads(0).data(0) = x"00008302" and loads(0).data(1) = x"00000504", "unsigned halves");

      -- a store merges bytes of one word; of two lanes at one byte the highest wins
      begin_beat(MEM_GLOBAL_STORE, SIZE_1, '0', "00111111", (32, 33, 35, 60, 60, 60, 0, 0));
      finish;
      check(n = 1 and m = 0 and accesses(0).we = '1' and accesses(0).line = 1, "one store");
      check(accesses(0).bytes = ("1011", "0000", "0000", "0000", "0000", "0000", "0000", "0001"), "its bytes");
      check((accesses(0).data(0) and x"ff00ffff") = x"02000100", "bytes of three lanes");
      check(accesses(0).data(7)(7 downto 0) = x"05", "the highest lane wins");

      -- a fault takes no part, a beat without lanes makes no store, a load's last beat makes an access
      begin_beat(MEM_GLOBAL_STORE, SIZE_4, '0', "00000011", (0, 32, others => 0));
      faults(0)(FAULT_GLOBAL_ALIGN) <= '1';
      finish;
      check(n = 1 and accesses(0).line = 1, "the faulty lane stores nothing");
      faults(0) <= (others => '0');
      begin_beat(MEM_GLOBAL_STORE, SIZE_4, '0', "00000000", (others => 0));
      finish;
      check(n = 0, "no lane, no store");
      begin_beat(MEM_GLOBAL_LOAD, SIZE_4, '0', "00000000", (others => 0));
      finish;
      check(n = 1 and m = 1 and loads(0).mask = "00000000" and loads(0).beat.last = '1', "an empty load ends");

      -- a word of a wide access: so far behind the address, in its register, or in none
      begin_beat(MEM_GLOBAL_LOAD, SIZE_16, '0', "00000011", (16, 32, others => 0));
      beat.last             <= '0';
      beat.insn.part        <= "10";
      finish;
      check(n = 2 and accesses(0).line = 0 and accesses(1).line = 1, "two lines");
      check(loads(0).data(0) = word_of(6) and loads(1).data(1) = word_of(10), "word 2 of the quads at 16 and 32");
      check(loads(0).beat.part = 2 and loads(1).beat.part = 2 and loads(1).beat.last = '0', "... and others follow");
      check(loads(0).beat.enable = '1', "its register exists");
      begin_beat(MEM_GLOBAL_LOAD, SIZE_16, '0', "00000000", (others => 0));
      beat.last <= '0';
      finish;
      check(n = 0 and m = 0, "no lane, no access before the last word");
      begin_beat(MEM_GLOBAL_LOAD, SIZE_8, '0', "00000001", (others => 8));
      beat.insn.part    <= "01";
      beat.insn.dropped <= '1';
      finish;
      check(loads(0).data(0) = word_of(3) and loads(0).beat.enable = '0' and loads(0).beat.last = '1',
            "a dropped word");
      begin_beat(MEM_GLOBAL_STORE, SIZE_8, '0', "00000001", (others => 40));
      beat.insn.part <= "01";
      finish;
      check(n = 1 and accesses(0).bytes(3) = "1111" and accesses(0).data(3) = x"01020300", "the upper word of a store");
      begin_beat(MEM_LOCAL_LOAD, SIZE_8, '0', "00000001", (others => 40));
      beat.insn.part <= "01";
      finish;
      check(n = 1 and loads(0).data(0) = word_of(10) and loads(0).beat.part = 1, "a local word lies where it was said");
      begin_beat(MEM_LOCAL_STORE, SIZE_2, '0', "00000001", (others => 42));
      finish;
      check(n = 1 and accesses(0).we = '1' and accesses(0).bytes(2) = "1100", "a local store");

      -- memory does not grant: as many accesses as there are places are posted, and the head; two more wait in X3 and
      -- X2, the next one in X1, and order is kept
      begin_beat(MEM_GLOBAL_STORE, SIZE_4, '0', "00000001", (others => 64));
      grant <= '0';
      for posted in 0 to PLACES(q) + 2 loop
        lanes(0).src_a <= std_ulogic_vector(to_unsigned(64 + 32 * posted, 32));
        cycle;
        check(left, "a store is posted, number " & integer'image(posted));
        check(idle = '0' or posted < 3, "and waits");
      end loop;
      begin_beat(MEM_GLOBAL_LOAD, SIZE_4, '0', "00000001", (others => 64));
      for waited in 1 to 3 loop
        cycle;
        check(not left and n = 0, "the load waits for the queue");
      end loop;
      grant <= '1';
      hold  <= '1';
      for held in 1 to 3 loop
        cycle;
        check(not left and n = 0 and req = '0', "nothing is asked for while it is held");
      end loop;
      hold <= '0';
      finish;
      check(n = PLACES(q) + 4 and m = 1, "all are made, and the load comes back");
      for posted in 0 to PLACES(q) + 2 loop
        check(accesses(posted).we = '1' and accesses(posted).line = 2 + posted, "stores in their order");
      end loop;
      check(accesses(PLACES(q) + 3).we = '0', "... before the load");

      -- a reset forgets what waits
      begin_beat(MEM_GLOBAL_STORE, SIZE_4, '0', "00000001", (others => 64));
      grant <= '0';
      cycle;
      beat <= BEAT_INIT;
      for stage in STAGE_X3 to STAGE_RESOLVE + 2 loop
        cycle;
      end loop;
      check(idle = '0', "it waits");
      rst <= '1';
      cycle;
      check(idle = '1', "nothing waits or arrives");
      rst   <= '0';
      grant <= '1';
      for quiet in 1 to 4 loop
        cycle;
        check(n = 0 and idle = '1', "nothing is left");
      end loop;

      -- a trap forgets what is in X2, X3 and SORT
      begin_beat(MEM_GLOBAL_STORE, SIZE_4, '0', "00000011", (0, 64, others => 0));
      for stage in STAGE_X2 to STAGE_RESOLVE loop
        cycle;
        beat <= BEAT_INIT;
      end loop;
      trapped <= '1';
      cycle;
      trapped <= '0';
      for quiet in 1 to 6 loop
        cycle;
      end loop;
      check(n = 0 and idle = '1', "nothing is left of what trapped");
    end loop;

    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
