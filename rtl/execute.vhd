-- SPDX-License-Identifier: Apache-2.0
-- The execute half of an SM's pipeline: stages X and Y. X starts the ALU, the accesses to global memory and the stores
-- to shared memory; Y finishes the ALU and asks the branch unit where the warp goes on. X waits for the load/store
-- unit, Y for the branch unit and for a load that needs the registers' write port in the same cycle. What Y has
-- finished is registered by writeback.vhd.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.branch_pkg.all;

entity execute is
  generic (
    CORES  : positive;
    WARPS  : positive;
    GLOBAL_BYTES : positive;
    QUEUE        : positive;                                 -- accesses that can wait for global memory
    STACK_DEPTH  : positive;
    HAS_ATOMICS  : boolean;
    SEED   : natural
  );
  port (
    clk        : in  std_ulogic;
    rst        : in  std_ulogic;
    -- from operand
    beat_i     : in  beat_t;                                 -- stage X
    lanes_i    : in  lanes_operands_t(0 to CORES - 1);
    advance_o  : out std_ulogic;                             -- the beat leaves stage X
    unwinds_o  : out std_ulogic;                             -- ... not, while the branch unit unwinds a stack
    -- shared stores and the dispatcher's words, by bank; where in a bank a store goes, shared_memory knows
    store_bytes_o : out nibbles_t(0 to CORES - 1);
    store_data_o  : out words_t(0 to CORES - 1);
    init_i        : in  std_ulogic;
    init_addr_i   : in  shared_word_t;
    init_data_i   : in  word_t;
    init_done_o   : out std_ulogic;
    -- global memory
    req_o      : out std_ulogic;
    we_o       : out std_ulogic;
    line_o     : out unsigned(31 downto 0);
    bytes_o    : out nibbles_t(0 to CORES - 1);
    data_o     : out words_t(0 to CORES - 1);
    grant_i    : in  std_ulogic;
    data_i     : in  words_t(0 to CORES - 1);
    atomic_o      : out atomic_request_t;
    atomic_done_i : in  std_ulogic;
    atomic_old_i  : in  word_t;
    atomic_new_i  : in  word_t;
    -- to writeback: what leaves stage Y in this cycle, and a load that comes back
    done_o     : out beat_t;                                 -- valid when it leaves
    done_lanes_o : out lanes_done_t(0 to CORES - 1);
    outcome_o  : out outcome_t;
    load_o      : out load_beat_t;
    load_mask_o : out std_ulogic_vector(CORES - 1 downto 0);
    load_data_o : out words_t(0 to CORES - 1);
    load_done_o : out std_ulogic;                            -- ... whole
    -- to the warps
    trap_o     : out std_ulogic;                             -- done_o trapped: forget everything behind it
    early_slot_i  : in  slot_t;                              -- for early answers: the top of a warp's stack is read
    early_depth_i : in  depth_t;
    early_reads_o : out std_ulogic;                          -- ... now
    top_o      : out entry_vector_t;                         -- ... and this is it, one cycle later
    push_i     : in  push_t;
    may_redirect_o : out std_ulogic;                         -- redirect_o may be valid, early in the cycle
    redirect_o : out redirect_t;
    state_we_o : out std_ulogic;
    state_o    : out warp_state_t;
    release_o  : out std_ulogic_vector(WARPS - 1 downto 0);
    idle_i     : in  std_ulogic;                             -- nothing in the stages before
    idle_o     : out std_ulogic;                             -- nor in X, Y or under way to memory
    start_i       : in  std_ulogic;                          -- a warp of a new block, for its barriers
    start_slot_i  : in  slot_t;
    start_block_i : in  block_slot_t;
    start_first_i : in  slot_t;
    start_warps_i : in  unsigned(SLOT_BITS downto 0)
  );
end entity;

architecture rtl of execute is

  type stage_y_t is record
    beat   : beat_t;
    faults : faults_t;
  end record;

  signal y, y_in   : stage_y_t;
  signal exec      : std_ulogic_vector(CORES - 1 downto 0);

  signal x_leaves  : std_ulogic;
  signal y_moves   : std_ulogic;                             -- nothing but the branch unit may hold Y
  signal y_leaves  : std_ulogic;
  signal y_writes  : std_ulogic;                             -- the beat in Y needs the registers' write port

  signal stores    : std_ulogic;                             -- the beat in X stores
  signal to_shared : std_ulogic;                             -- ... to shared memory
  signal writing   : std_ulogic;                             -- shared memory is written now
  signal init_now  : std_ulogic;
  signal storing   : std_ulogic_vector(CORES - 1 downto 0);
  signal store_places : places_t(0 to CORES - 1);
  signal store_values : words_t(0 to CORES - 1);             -- by lane
  signal word_bytes  : nibbles_t(0 to CORES - 1);            -- by word: what is stored
  signal word_data   : words_t(0 to CORES - 1);
  signal served    : std_ulogic_vector(CORES - 1 downto 0);  -- lanes of the access to global memory
  signal places    : places_t(0 to CORES - 1);               -- their bytes in its line
  signal ldst_go   : std_ulogic;
  signal ldst_busy : std_ulogic;
  signal ldst_idle : std_ulogic;
  signal atomic_go   : std_ulogic;
  signal atomic_busy : std_ulogic;
  signal y_atomic    : std_ulogic;
  signal atomic_old  : words_t(0 to CORES - 1);              -- of the lanes of the beat in X
  signal atomic_new  : words_t(0 to CORES - 1);
  signal faults    : faults_lanes_t(0 to CORES - 1);
  signal load      : load_beat_t;
  signal load_mask : std_ulogic_vector(CORES - 1 downto 0);

  signal brx_target  : pc_t;
  signal branch_busy : std_ulogic;
  signal trap        : std_ulogic;

begin

  y_writes <= y.beat.valid and to_sl(y.beat.insn.control.dst /= DST_NONE and is_load(y.beat.insn.control.mem) = '0');
  y_moves  <= not (y_writes and load.valid);
  y_leaves <= y_moves and not branch_busy;
  ldst_go  <= y_leaves and not trap;
  x_leaves <= y_leaves and not ldst_busy and not atomic_busy;

  advance_o <= x_leaves;
  unwinds_o <= branch_busy;

  --------------------------------------------------------------------------------------------------------------
  -- X

  lane : for l in 0 to CORES - 1 generate
    u_lane : entity work.lane_execute
      generic map (GLOBAL_BYTES => GLOBAL_BYTES, HAS_ATOMICS => HAS_ATOMICS)
      port map (
        clk           => clk,
        x_control_i   => beat_i.insn.control,
        operands_i    => lanes_i(l),
        faults_o      => faults(l),
        atomic_old_i  => atomic_old(l),
        atomic_new_i  => atomic_new(l),
        x_leaves_i    => x_leaves,
        y_control_i   => y.beat.insn.control,
        exec_o        => exec(l),
        done_o        => done_lanes_o(l)
      );

    who_stores : process (all)
    begin
      storing(l)      <= stores and served(l);
      store_places(l) <= places(l);
      if to_shared = '1' then
        storing(l)      <= stores and lanes_i(l).exec and not or_reduce(faults(l));
        store_places(l) <= lanes_i(l).place;
      end if;
    end process;

    store_values(l) <= lanes_i(l).c;

    -- of shared memory
    store_bytes_o(l) <= word_bytes(l) and nibble_t'(others => writing);
  end generate;

  -- The dispatcher's word waits for beats that store.
  to_shared   <= to_sl(beat_i.insn.control.mem = MEM_SHARED_STORE);
  stores      <= beat_i.valid and is_store(beat_i.insn.control.mem);
  init_now    <= init_i and not stores;
  init_done_o <= init_now;
  writing     <= init_now or (stores and to_shared and x_leaves and not trap);

  u_stores : entity work.store_words
    generic map (CORES => CORES)
    port map (
      lanes_i     => storing,
      places_i    => store_places,
      size_i      => beat_i.insn.control.mem_size,
      data_i      => store_values,
      init_i      => init_now,
      init_word_i => init_addr_i,
      init_data_i => init_data_i,
      bytes_o     => word_bytes,
      data_o      => word_data
    );
  store_data_o <= word_data;

  u_ldst : entity work.ldst
    generic map (CORES => CORES, GLOBAL_BYTES => GLOBAL_BYTES, QUEUE => QUEUE, SEED => SEED)
    port map (
      clk      => clk,
      rst      => rst,
      beat_i   => beat_i,
      lanes_i  => lanes_i,
      go_i     => ldst_go,
      busy_o   => ldst_busy,
      served_o => served,
      places_o => places,
      bytes_i  => word_bytes,
      words_i  => word_data,
      faults_i => faults,
      req_o    => req_o,
      we_o     => we_o,
      line_o   => line_o,
      bytes_o  => bytes_o,
      data_o   => data_o,
      grant_i  => grant_i,
      data_i   => data_i,
      load_o      => load,
      load_mask_o => load_mask,
      load_data_o => load_data_o,
      idle_o   => ldst_idle
    );

  atomic_go <= ldst_idle and not y.beat.valid;
  y_atomic  <= y.beat.valid and to_sl(y.beat.insn.control.mem = MEM_GLOBAL_ATOMIC);

  with_atomics : if HAS_ATOMICS generate
    u_atomics : entity work.atomic_lanes
      generic map (CORES => CORES)
      port map (
        clk        => clk,
        rst        => rst,
        beat_i     => beat_i,
        lanes_i    => lanes_i,
        faults_i   => faults,
        go_i       => atomic_go,
        leaves_i   => x_leaves,
        y_atomic_i => y_atomic,
        busy_o     => atomic_busy,
        old_o      => atomic_old,
        new_o      => atomic_new,
        request_o  => atomic_o,
        done_i     => atomic_done_i,
        old_i      => atomic_old_i,
        new_i      => atomic_new_i
      );
  else generate
    atomic_busy <= '0';
    atomic_old  <= (others => (others => '0'));
    atomic_new  <= (others => (others => '0'));
    atomic_o    <= ATOMIC_REQUEST_INIT;
  end generate;

  to_stage_y : process (all)
    variable v : stage_y_t;
  begin
    v := y;
    if y_leaves = '1' then
      v.beat       := beat_i;
      v.beat.valid := beat_i.valid and x_leaves and not trap;
      v.faults     := (others => '0');
      for l in 0 to CORES - 1 loop
        v.faults := v.faults or faults(l);
      end loop;
    end if;
    y_in <= v;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      y <= y_in;
      if rst = '1' then
        y.beat.valid <= '0';
      end if;
    end if;
  end process;

  --------------------------------------------------------------------------------------------------------------
  -- Y

  -- A constant is the same for all lanes of a beat, whether they are active or not.
  brx_target <= unsigned(done_lanes_o(0).result(23 downto 2)) & "00";

  u_branch : entity work.branch
    generic map (CORES => CORES, WARPS => WARPS, STACK_DEPTH => STACK_DEPTH, SEED => SEED)
    port map (
      clk        => clk,
      rst        => rst,
      x_beat_i   => beat_i,
      x_moves_i  => x_leaves,
      early_slot_i  => early_slot_i,
      early_depth_i => early_depth_i,
      early_reads_o => early_reads_o,
      top_o      => top_o,
      push_i     => push_i,
      beat_i     => y.beat,
      exec_i     => exec,
      faults_i   => y.faults,
      target_i   => brx_target,
      moves_i    => y_moves,
      busy_o     => branch_busy,
      outcome_o  => outcome_o,
      trap_o     => trap,
      redirect_o => redirect_o,
      state_we_o => state_we_o,
      state_o    => state_o,
      release_o  => release_o,
      start_i       => start_i,
      start_slot_i  => start_slot_i,
      start_block_i => start_block_i,
      start_first_i => start_first_i,
      start_warps_i => start_warps_i
    );

  leaving : process (all)
  begin
    done_o       <= y.beat;
    done_o.valid <= y.beat.valid and y_leaves;
  end process;

  may_redirect_o <= y.beat.valid and y.beat.last and y.beat.insn.control.redirects and not y.beat.insn.early;

  trap_o      <= trap;
  load_o      <= load;
  load_mask_o <= load_mask;
  load_done_o <= load.valid and load.last;
  idle_o      <= idle_i and ldst_idle and not beat_i.valid and not y.beat.valid;

end architecture;
