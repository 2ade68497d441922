-- SPDX-License-Identifier: Apache-2.0
-- The execute half of the pipeline: stages X1, X2, X3, RESOLVE, and SORT and MERGE for stores.
--
--   X1       faults of the lanes               SORT   finds the lanes that store to each word
--   X3       starts accesses to memory         MERGE  merges and writes these words
--   RESOLVE  branch unit, result to writeback
--
-- X3 waits for the load/store unit, RESOLVE for the branch unit and for the write port. Stalls are computed one cycle
-- early and registered. A trap discards younger instructions one cycle later.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.machine_pkg.all;
use work.stages_pkg.all;
use work.front_pkg.all;
use work.operands_pkg.all;
use work.memory_pkg.all;
use work.branch_pkg.all;
use work.execute_pkg.all;
use work.lists_pkg.all;

entity execute is
  generic (
    CONFIG  : config_t;
    QUEUE   : positive;                                      -- accesses that can wait for global memory
    RETURNS : natural := 0                                   -- loads that can wait for a bus; 0: none
  );
  port (
    clk        : in  std_ulogic;
    rst        : in  std_ulogic;
    -- from operand
    beat_i    : in  beat_t;                                  -- stage X1
    lanes_i   : in  lanes_to_execute_t(0 to CONFIG.CORES - 1);
    later_o   : out beats_t(STAGE_X2 to STAGE_RESOLVE);      -- the stages behind it
    advance_o : out execute_to_operands_t;
    -- shared stores and the dispatcher's words, by bank; where in a bank a store goes, shared_memory knows
    stores_o : out word_writes_t(0 to CONFIG.CORES - 1);
    init_i   : in  dispatch_to_shared_t;
    init_o   : out shared_to_dispatch_t;
    -- global memory
    global_o        : out sm_to_global_t;
    global_writes_o : out word_writes_t(0 to CONFIG.CORES - 1);
    global_i        : in  global_to_sm_t;
    global_data_i   : in  words_t(0 to CONFIG.CORES - 1);
    -- to writeback: the beat that leaves stage RESOLVE in this cycle, and a load that returns
    done_o     : out execute_to_writeback_t;
    load_o     : out ldst_to_writeback_t;
    back_o     : out lanes_to_writeback_t(0 to CONFIG.CORES - 1);
    specials_o : out unit_results_t(0 to CONFIG.CORES / 4 - 1); -- of four lanes, of which one has asked: as floats
    -- to the warps
    branch_i : in  sm_to_branch_t;
    branch_o : out branch_to_sm_t;
    idle_o   : out std_ulogic                                -- nothing in X1 to RESOLVE or under way to memory
  );
end entity;

architecture rtl of execute is

  constant CORES : positive := CONFIG.CORES;
  constant WARPS : positive := CONFIG.WARPS;

  subtype lanes_t is std_ulogic_vector(CORES - 1 downto 0);

  -- stage X2
  type x2_stage_t is record
    beat   : beat_t;
    exec   : lanes_t;
    target : pc_t;                                           -- a constant is the same for all lanes of a beat
  end record;
  signal x2_r, x2_in      : x2_stage_t;
  signal x2_lanes_faults  : faults_lanes_t(0 to CORES - 1);
  signal x2_faults        : faults_t;                        -- of any lane
  signal x2_acts, x3_acts : lanes_t;                         -- lanes that execute, without a fault
  signal x2_goes, x2_ends : std_ulogic;                      -- it goes on to X3; it is not the last one, or is

  -- stage X3
  type gathered_t is record                                  -- of all beats of the instruction up to this one
    exec   : lane_mask_t;
    faults : faults_t;
    target : pc_t;
    acts   : std_ulogic;
    rests  : std_ulogic;
  end record;
  type x3_stage_t is record
    beat     : beat_t;
    gathered : gathered_t;
  end record;
  type writes_t is record
    registers : std_ulogic;                                  -- at the ALU's time
    files     : std_ulogic;                                  -- registers or flags
  end record;
  type x3_effects_t is record                                -- moves with the beat
    stores : std_ulogic;                                     -- to any memory
    pops   : std_ulogic;                                     -- it may pop its warp's stack
    writes : writes_t;
  end record;
  signal x3_r, x3_in               : x3_stage_t;
  signal x3_effects, x3_effects_in : x3_effects_t;
  signal x3_lanes                  : lanes_to_execute_t(0 to CORES - 1);

  -- stage RESOLVE
  type resolve_stage_t is record
    beat    : beat_t;
    verdict : judge_to_branch_t;
    writes  : writes_t;
  end record;
  signal resolve_r, resolve_in : resolve_stage_t;
  signal resolve_live          : beat_t;                     -- the beat in RESOLVE, unless the one before it trapped

  -- stages SORT and MERGE
  signal sort_stores  : std_ulogic;                          -- SORT has a store of lanes to shared memory
  signal sort_init    : std_ulogic;                          -- SORT has the dispatcher's word for shared memory
  signal merge_writes : std_ulogic;                          -- MERGE has one of them, and writes it
  signal store_lanes  : lanes_t;
  signal store_places : places_t(0 to CORES - 1);
  signal store_values : words_t(0 to CORES - 1);

  -- Stages that move in this cycle: X1 to X3, and all in front of them; RESOLVE.
  signal execute_moves, execute_moves_in   : std_ulogic;
  signal resolve_leaves, resolve_leaves_in : std_ulogic;
  signal moves                             : execute_moves_t;
  signal asks_float, asks_special          : std_ulogic;     -- there is a beat in X1, for these units
  signal float_moves, special_moves        : unit_moves_t;

  signal to_shared        : std_ulogic;                      -- the beat in X3 stores to shared memory
  signal enters_sort      : std_ulogic;                      -- the shared store enters SORT now
  signal leaves_sort      : std_ulogic;                      -- a store or the dispatcher's word goes on to MERGE
  signal init_now         : std_ulogic;
  signal word_bytes       : nibbles_t(0 to CORES - 1);       -- by word: bytes stored
  signal word_data        : words_t(0 to CORES - 1);
  signal served           : lanes_t;                         -- lanes of the access to global memory
  signal places           : places_t(0 to CORES - 1);        -- their bytes in its line
  signal ldst_blocks      : std_ulogic;                      -- the beat in X3 must stay in the next cycle
  signal ldst_idle        : std_ulogic;
  signal atomic_go        : std_ulogic;
  signal atomic_blocks    : std_ulogic;
  signal resolve_atomic   : std_ulogic;
  signal atomic_old       : words_t(0 to CORES - 1);         -- of the lanes of the beat in X3
  signal atomic_new       : words_t(0 to CORES - 1);
  signal load             : ldst_to_writeback_t;
  signal load_mask        : lanes_t;
  signal load_words       : words_t(0 to CORES - 1);
  signal stored           : word_writes_t(0 to CORES - 1);   -- by word
  signal access_now       : sm_to_global_t;
  signal atomic_now       : sm_to_atomic_unit_t;
  signal released         : std_ulogic_vector(WARPS - 1 downto 0);
  signal may_redirect     : std_ulogic;                      -- there may be an answer

  -- Each lane multiplies words, or each even one for itself and the next.
  constant IN_PAIRS : boolean := CONFIG.WIDE > 0 and CONFIG.WIDE < CORES;
  type products_t is array (natural range <>) of std_ulogic_vector(63 downto 0);
  signal products : products_t(0 to CORES - 1);              -- in stage X3
  signal divided  : words_t(0 to CORES - 1);
  signal divide_blocks : std_ulogic;

  constant HAS_LATE : boolean := CONFIG.HAS_FPU or CONFIG.HAS_SFU;
  -- Late beats that have left RESOLVE, by cycles ago.
  signal late, late_in : std_ulogic_vector(1 to FLOAT_STAGES - ALU_STAGES - 1);

  signal load_next     : std_ulogic;                         -- a load comes back in the next cycle
  signal branch_busy   : std_ulogic;
  signal branch_blocks : std_ulogic;                         -- it is busy in the next cycle
  signal trap          : std_ulogic;                         -- the beat that leaves RESOLVE traps
  signal trapped       : std_ulogic;                         -- trap, of the cycle before
  signal forgets       : std_ulogic;                         -- there are no beats in X2 to RESOLVE in the next cycle

  function effects_of(beat : beat_t) return x3_effects_t is
    variable c      : control_t;
    variable writes : writes_t;
  begin
    c      := beat.insn.control;
    writes := (registers => writes_registers(c),
               files     => to_sl(HAS_LATE) and not is_late(c) and (writes_registers(c) or c.creg_set));
    return (stores => beat.valid and is_store(c.mem), pops => beat.valid and may_pop(beat), writes => writes);
  end function;

begin

  -- A beat does not leave RESOLVE where its results would come to a port in the cycle of others: in that of a load to
  -- the retire port; an early one, some cycles behind a late one, to the files. So would a load, which is therefore not
  -- asked for.
  stalls : process (all)
    variable writes : writes_t;                              -- of the next beat in RESOLVE
    variable valid  : std_ulogic;
    variable clash  : std_ulogic;
  begin
    writes := resolve_r.writes;
    valid  := resolve_r.beat.valid;
    if resolve_leaves = '1' then
      writes := x3_effects.writes;
      valid  := x3_r.beat.valid and execute_moves;
    end if;
    clash := valid and ((load_next and writes.registers) or (late(late'high) and writes.files));
    resolve_leaves_in <= not (clash or branch_blocks);
    execute_moves_in  <= not (clash or branch_blocks or ldst_blocks or atomic_blocks or divide_blocks);
  end process;

  stall_regs : process (clk)
  begin
    if rising_edge(clk) then
      execute_moves  <= execute_moves_in;
      resolve_leaves <= resolve_leaves_in;
      trapped        <= trap;
      if rst = '1' then
        execute_moves  <= '1';
        resolve_leaves <= '1';
        trapped        <= '0';
      end if;
    end if;
  end process;

  late_in <= (to_sl(HAS_LATE) and done_o.beat.valid and is_late(done_o.beat.insn.control)) & late(1 to late'high - 1);

  late_regs : process (clk)
  begin
    if rising_edge(clk) then
      late <= late_in;
      if rst = '1' then
        late <= (others => '0');
      end if;
    end if;
  end process;

  moves <= (x2      => execute_moves and beat_i.valid,
            x3      => execute_moves and x2_r.beat.valid,
            resolve => execute_moves and x3_r.beat.valid,
            write   => resolve_r.beat.valid);

  forgets      <= trapped or rst;
  asks_float   <= beat_i.valid and to_sl(CONFIG.HAS_FPU and beat_i.insn.control.float /= FLOAT_NONE);
  asks_special <= beat_i.valid and to_sl(CONFIG.HAS_SFU and beat_i.insn.control.special /= SPECIAL_NONE);
  u_float_moves : entity work.unit_moves
    port map (clk => clk, asks_i => asks_float, execute_moves_i => execute_moves, resolve_moves_i => resolve_leaves,
              forget_i => forgets, moves_o => float_moves);
  u_special_moves : entity work.unit_moves
    port map (clk => clk, asks_i => asks_special, execute_moves_i => execute_moves, resolve_moves_i => resolve_leaves,
              forget_i => forgets, moves_o => special_moves);

  advance_o <= (now => execute_moves, soon => execute_moves_in or rst, flush => trapped, unwinds => branch_busy);

  --------------------------------------------------------------------------------------------------------------
  -- Lanes and special-function units, through all stages

  lane : for l in 0 to CORES - 1 generate
    u_lane : entity work.lane_execute
      generic map (GLOBAL_BYTES => CONFIG.GLOBAL_BYTES, HAS_ATOMICS => CONFIG.HAS_ATOMICS, HAS_FPU => CONFIG.HAS_FPU,
                   HAS_WIDE => CONFIG.WIDE = CORES or (IN_PAIRS and l mod 2 = 0), LENDS => IN_PAIRS and l mod 2 = 0,
                   BORROWS => IN_PAIRS and l mod 2 = 1, HAS_DIVIDERS => CONFIG.DIVIDERS > 0)
      port map (
        clk               => clk,
        moves_i           => moves,
        float_moves_i     => float_moves,
        x1_control_i      => beat_i.insn.control,
        operands_i        => lanes_i(l),
        borrower_i        => lanes_i(l / 2 * 2 + 1),
        product_o         => products(l),
        lent_i            => products(l / 2 * 2),
        divided_i         => divided(l),
        x2_acts_o         => x2_acts(l),
        x2_faults_o       => x2_lanes_faults(l),
        x2_control_i      => x2_r.beat.insn.control,
        x3_control_i      => x3_r.beat.insn.control,
        x3_o              => x3_lanes(l),
        x3_acts_o         => x3_acts(l),
        atomic_old_i      => atomic_old(l),
        atomic_new_i      => atomic_new(l),
        resolve_control_i => resolve_r.beat.insn.control,
        done_o            => back_o(l).done,
        float_o           => back_o(l).float
      );

    store_lanes(l)  <= x3_acts(l) when to_shared = '1' else served(l);
    store_places(l) <= x3_lanes(l).place when to_shared = '1' else places(l);
    store_values(l) <= x3_lanes(l).src_c;

    -- of shared memory
    stores_o(l) <= (data => stored(l).data, bytes => stored(l).bytes and nibble_t'(others => merge_writes));
    back_o(l).load     <= load_words(l);
    back_o(l).has_load <= load_mask(l);
  end generate;

  quad : for q in 0 to CORES / 4 - 1 generate
    with_special : if CONFIG.HAS_SFU generate
      signal asks    : nibble_t;
      signal sources : words_t(0 to 3);
      signal result  : word_t;
      signal flags   : nibble_t;
    begin
      source : for l in 0 to 3 generate
        asks(l)    <= lanes_i(4 * q + l).exec;
        sources(l) <= lanes_i(4 * q + l).src_a;
      end generate;
      u_special : entity work.special_unit
        port map (
          clk       => clk,
          moves_i   => special_moves,
          control_i => beat_i.insn.control,
          lanes_i   => asks,
          src_a_i   => sources,
          result_o  => result,
          flags_o   => flags
        );
      to_writeback : process (clk)
      begin
        if rising_edge(clk) then
          if special_moves(UNIT_STAGES) = '1' then
            specials_o(q) <= (value => result, flags => flags);
          end if;
        end if;
      end process;
    else generate
      specials_o(q) <= UNIT_RESULT_INIT;
    end generate;
  end generate;

  --------------------------------------------------------------------------------------------------------------
  -- X2

  to_x2 : process (all)
  begin
    x2_in.beat                 <= beat_i;
    x2_in.beat.insn.early.goes <= beat_i.insn.early.goes or branch_i.answered;
    x2_in.target               <= unsigned(lanes_i(0).src_b(23 downto 2)) & "00";
    for l in 0 to CORES - 1 loop
      x2_in.exec(l) <= lanes_i(l).exec;
    end loop;
  end process;

  x2_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves.x2 = '1' then
        x2_r <= x2_in;
      end if;
      if execute_moves = '1' then
        x2_r.beat.valid <= x2_in.beat.valid;
      end if;
      if forgets = '1' then
        x2_r.beat.valid <= '0';
      end if;
    end if;
  end process;

  any_fault : process (all)
    variable any : faults_t;
  begin
    any := (others => '0');
    for l in 0 to CORES - 1 loop
      any := any or x2_lanes_faults(l);
    end loop;
    x2_faults <= any;
  end process;

  x2_goes <= x2_r.beat.valid and execute_moves and not x2_r.beat.last;
  x2_ends <= (x2_r.beat.valid and execute_moves and x2_r.beat.last) or trapped;

  u_gather : entity work.branch_gather
    generic map (CORES => CORES)
    port map (
      clk      => clk,
      rst      => rst,
      beat_i   => x2_r.beat,
      exec_i   => x2_r.exec,
      faults_i => x2_faults,
      target_i => x2_r.target,
      next_i   => x2_goes,
      clear_i  => x2_ends,
      exec_o   => x3_in.gathered.exec,
      faults_o => x3_in.gathered.faults,
      target_o => x3_in.gathered.target,
      acts_o   => x3_in.gathered.acts,
      rests_o  => x3_in.gathered.rests
    );

  --------------------------------------------------------------------------------------------------------------
  -- X3

  x3_in.beat    <= x2_r.beat;
  x3_effects_in <= effects_of(x2_r.beat);

  x3_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves.x3 = '1' then
        x3_r <= x3_in;
      end if;
      if execute_moves = '1' then
        x3_r.beat.valid <= x3_in.beat.valid;
        x3_effects      <= x3_effects_in;
      end if;
      if forgets = '1' then
        x3_r.beat.valid <= '0';
      end if;
    end if;
  end process;

  --------------------------------------------------------------------------------------------------------------
  -- SORT and MERGE of shared memory

  -- The dispatcher's word waits for stores of lanes.
  to_shared   <= x3_r.beat.valid and to_sl(x3_r.beat.insn.control.mem = MEM_SHARED_STORE);
  enters_sort <= to_shared and execute_moves and not trapped;
  init_now    <= init_i.valid and not x3_effects.stores;
  leaves_sort <= sort_init or (sort_stores and not trapped);

  sort_regs : process (clk)
  begin
    if rising_edge(clk) then
      sort_stores <= enters_sort;
      sort_init   <= init_now;
      if rst = '1' then
        sort_stores <= '0';
        sort_init   <= '0';
      end if;
    end if;
  end process;

  merge_regs : process (clk)
  begin
    if rising_edge(clk) then
      merge_writes <= leaves_sort;
      if rst = '1' then
        merge_writes <= '0';
      end if;
    end if;
  end process;

  init_o <= (done => init_now, writes => sort_init);

  u_stores : entity work.store_words
    generic map (CORES => CORES)
    port map (
      clk         => clk,
      enters_i    => init_i.valid or x3_effects.stores,
      lanes_i     => store_lanes,
      places_i    => store_places,
      size_i      => x3_r.beat.insn.control.mem_size,
      data_i      => store_values,
      init_i      => init_now,
      init_word_i => init_i.addr,
      init_data_i => init_i.data,
      bytes_o     => word_bytes,
      data_o      => word_data
    );
  word : for w in 0 to CORES - 1 generate
    stored(w) <= (data => word_data(w), bytes => word_bytes(w));
  end generate;

  --------------------------------------------------------------------------------------------------------------
  -- Units that X3 waits for

  u_ldst : entity work.ldst
    generic map (CORES => CORES, GLOBAL_BYTES => CONFIG.GLOBAL_BYTES, QUEUE => QUEUE, RETURNS => RETURNS,
                 SEED => CONFIG.SEED)
    port map (
      clk               => clk,
      rst               => rst,
      orders_i          => (moves => execute_moves, go => resolve_leaves, hold => late(late'high - LOAD_CYCLES + 1),
                            trapped => trapped),
      x1_lanes_i        => lanes_i,
      x2_beat_i         => x2_r.beat,
      x2_acts_i         => x2_acts,
      beat_i            => x3_r.beat,
      lanes_i           => x3_lanes,
      state_o.blocks    => ldst_blocks,
      state_o.load_next => load_next,
      state_o.idle      => ldst_idle,
      served_o          => served,
      places_o          => places,
      stores_i          => stored,
      global_o          => access_now,
      writes_o          => global_writes_o,
      global_i          => global_i,
      data_i            => global_data_i,
      load_o            => load,
      load_mask_o       => load_mask,
      load_data_o       => load_words
    );

  ask_memory : process (all)
  begin
    global_o        <= access_now;
    global_o.atomic <= atomic_now;
  end process;

  atomic_go <= ldst_idle and not resolve_r.beat.valid and not trapped;
  resolve_atomic  <= resolve_r.beat.valid and to_sl(resolve_r.beat.insn.control.mem = MEM_GLOBAL_ATOMIC);

  with_atomics : if CONFIG.HAS_ATOMICS generate
    u_atomics : entity work.atomic_lanes
      generic map (CORES => CORES)
      port map (
        clk              => clk,
        rst              => rst,
        x2_beat_i        => x2_r.beat,
        beat_i           => x3_r.beat,
        lanes_i          => x3_lanes,
        acts_i           => x3_acts,
        go_i             => atomic_go,
        leaves_i         => execute_moves,
        resolve_atomic_i => resolve_atomic,
        blocks_o         => atomic_blocks,
        old_o            => atomic_old,
        new_o            => atomic_new,
        request_o        => atomic_now,
        done_i           => global_i.atomic_done,
        old_i            => global_i.atomic_old,
        new_i            => global_i.atomic_new
      );
  else generate
    atomic_blocks <= '0';
    atomic_old  <= (others => (others => '0'));
    atomic_new  <= (others => (others => '0'));
    atomic_now  <= SM_TO_ATOMIC_UNIT_INIT;
  end generate;

  assert CONFIG.WIDE = 0 or CONFIG.WIDE = CORES or 2 * CONFIG.WIDE = CORES
    report "WIDE is 0, CORES or half of them" severity failure;

  with_dividers : if CONFIG.DIVIDERS > 0 generate
    u_dividers : entity work.divide_lanes
      generic map (CORES => CORES, DIVIDERS => CONFIG.DIVIDERS)
      port map (
        clk       => clk,
        rst       => rst,
        x2_beat_i => x2_r.beat,
        beat_i    => x3_r.beat,
        lanes_i   => x3_lanes,
        leaves_i  => execute_moves,
        blocks_o  => divide_blocks,
        result_o  => divided
      );
  else generate
    divide_blocks <= '0';
    divided       <= (others => (others => '0'));
  end generate;

  --------------------------------------------------------------------------------------------------------------
  -- RESOLVE

  to_resolve : process (all)
    variable v : resolve_stage_t;
  begin
    v            := resolve_r;                               -- whole: ghdl writes initial values of parts as a string
    v.beat       := x3_r.beat;
    v.beat.valid := x3_r.beat.valid and execute_moves;
    v.verdict    := judge(x3_r.beat, x3_r.gathered.exec, x3_r.gathered.acts, x3_r.gathered.rests, x3_r.gathered.faults,
                          x3_r.gathered.target, CONFIG.STACK_DEPTH);
    v.writes     := x3_effects.writes;
    resolve_in <= v;
  end process;

  resolve_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves.resolve = '1' then
        resolve_r <= resolve_in;
      end if;
      if resolve_leaves = '1' then
        resolve_r.beat.valid <= resolve_in.beat.valid;
      end if;
      if forgets = '1' then
        resolve_r.beat.valid <= '0';
      end if;
    end if;
  end process;

  u_branch : entity work.branch
    generic map (WARPS => WARPS, STACK_DEPTH => CONFIG.STACK_DEPTH, SEED => CONFIG.SEED)
    port map (
      clk           => clk,
      rst           => rst,
      x3_beat_i     => x3_r.beat,
      x3_pops_i     => x3_effects.pops,
      x3_moves_i    => execute_moves,
      early_at_i    => branch_i.look,
      early_reads_o => branch_o.looks,
      top_o         => branch_o.top,
      push_i        => branch_i.push,
      beat_i        => resolve_live,
      verdict_i     => resolve_r.verdict,
      moves_i       => resolve_leaves,
      busy_o        => branch_busy,
      blocks_o      => branch_blocks,
      outcome_o     => done_o.outcome,
      trap_o        => trap,
      answer_o      => branch_o.answer,
      release_o     => released,
      start_i       => branch_i.start
    );

  leaving : process (all)
  begin
    resolve_live       <= resolve_r.beat;
    resolve_live.valid <= resolve_r.beat.valid and not trapped;
    done_o.beat       <= resolve_r.beat;
    done_o.beat.valid <= resolve_r.beat.valid and resolve_leaves and not trapped;
  end process;

  may_redirect <= resolve_r.beat.valid and resolve_r.verdict.redirects;
  branch_o.may_now  <= may_redirect;
  branch_o.may_soon <= may_redirect or (x3_r.beat.valid and x3_r.beat.last and x3_r.beat.insn.control.redirects
                                        and not x3_r.beat.insn.early.goes);
  branch_o.released <= std_ulogic_vector(resize(unsigned(released), 2 ** SLOT_BITS));

  load_o      <= load;
  idle_o      <= ldst_idle and not global_i.storing
                 and not (beat_i.valid or x2_r.beat.valid or x3_r.beat.valid or sort_stores or merge_writes
                          or resolve_r.beat.valid);
  later_o     <= (x2_r.beat, x3_r.beat, resolve_r.beat);

end architecture;
