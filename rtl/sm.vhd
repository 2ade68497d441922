-- SPDX-License-Identifier: Apache-2.0
-- One streaming multiprocessor, wiring only. A warp instruction goes
--   sched (S) -> issue (D) -> operand (I A M O) -> execute (X Y) -> writeback (W)
-- fetch fills the warps' instruction buffers, dispatch starts blocks, branch (in execute) answers to sched and fetch,
-- branch_early answers what can be known before.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.lists_pkg.all;
use work.branch_pkg.all;
use work.retire_pkg.all;

entity sm is
  generic (
    CORES        : positive;
    WARPS        : positive;
    BLOCKS       : positive;
    REGISTERS    : positive;
    SHARED_BYTES : positive;
    GLOBAL_BYTES : positive;
    QUEUE        : positive;                                 -- accesses that can wait for global memory
    LOADS        : positive;                                 -- that are under way at a time
    STACK_DEPTH  : positive;
    HAS_ATOMICS  : boolean;
    INDEX        : natural;                                  -- number of this SM
    SEED         : natural
  );
  port (
    clk       : in  std_ulogic;
    rst       : in  std_ulogic;
    launch_i  : in  launch_t;
    setup_i   : in  std_ulogic;                              -- a launch begins
    refused_o : out std_ulogic;                              -- ... one cycle later: no block of it fits
    halt_i    : in  std_ulogic;                              -- a trap stopped the grid
    clock_i   : in  word_t;
    -- blocks
    offer_i   : in  std_ulogic;
    block_x_i : in  unsigned(15 downto 0);
    block_y_i : in  unsigned(15 downto 0);
    accept_o  : out std_ulogic;
    blocks_left_i : in std_ulogic;                           -- for some SM
    empty_o   : out std_ulogic;                              -- no block is resident
    idle_o    : out std_ulogic;                              -- nothing in the pipeline or under way to memory
    trap_o    : out std_ulogic;                              -- an instruction trapped, see redirect and outcome
    trap_code_o : out trap_t;
    trap_slot_o : out slot_t;
    trap_pc_o   : out pc_t;
    -- code memory
    code_req_o   : out std_ulogic;
    code_addr_o  : out unsigned(20 downto 0);
    code_grant_i : in  std_ulogic;
    code_data_i  : in  std_ulogic_vector(63 downto 0);
    -- global memory
    global_req_o   : out std_ulogic;
    global_we_o    : out std_ulogic;
    global_line_o  : out unsigned(31 downto 0);
    global_bytes_o : out nibbles_t(0 to CORES - 1);
    global_data_o  : out words_t(0 to CORES - 1);
    global_grant_i : in  std_ulogic;
    global_data_i  : in  words_t(0 to CORES - 1);
    atomic_o       : out atomic_request_t;
    atomic_done_i  : in  std_ulogic;
    atomic_old_i   : in  word_t;
    atomic_new_i   : in  word_t;
    -- host: parameters and constants
    param_we_i   : in  std_ulogic;
    param_addr_i : in  unsigned(5 downto 0);
    bank_we_i    : in  std_ulogic;                           -- place of the constant bank const_addr_i
    const_we_i   : in  std_ulogic;
    const_re_i   : in  std_ulogic;
    const_addr_i : in  const_word_t;
    host_data_i  : in  word_t;
    const_data_o : out word_t;
    -- trace and counters
    cause_o   : out cause_t;
    retire_o  : out retire_t;
    retire_lanes_o : out retire_lanes_t(0 to CORES - 1)
  );
end entity;

architecture rtl of sm is

  subtype warps_t is std_ulogic_vector(WARPS - 1 downto 0);
  subtype lanes_t is std_ulogic_vector(CORES - 1 downto 0);

  -- S and D
  signal running, ready, load_busy, released : warps_t;
  signal choose, free, decoding     : std_ulogic;
  signal slot, decode_slot          : slot_t;
  signal word                       : std_ulogic_vector(63 downto 0);
  signal word_addr                  : unsigned(20 downto 0);
  signal upper                      : std_ulogic;
  signal take, take_word            : std_ulogic;
  signal again, blocks_warp, arrives, ends, waits_for_load, loads_full : std_ulogic;
  signal info                       : warp_info_t;
  signal state                      : warp_state_t;
  signal refetch                    : std_ulogic;
  signal refetch_slot               : slot_t;
  signal refetch_pc                 : pc_t;
  signal finished                   : std_ulogic;
  signal finished_slot              : slot_t;
  signal load_done                  : std_ulogic;
  signal warps_wait                 : warps_wait_t;

  -- dispatch
  signal init                       : issue_t;
  signal init_taken                 : std_ulogic;
  signal start, start_ready         : std_ulogic;
  signal start_slot                 : slot_t;
  signal start_info                 : warp_info_t;
  signal start_state                : warp_state_t;
  signal block_slot                 : block_slot_t;
  signal block_first                : slot_t;
  signal block_warps                : unsigned(SLOT_BITS downto 0);
  signal tid                        : words_t(0 to CORES - 1);
  signal tid_ready, tid_first, tid_next : std_ulogic;
  signal shared_init, shared_done   : std_ulogic;
  signal shared_addr                : shared_word_t;
  signal shared_data                : word_t;
  signal dispatching                : std_ulogic;

  -- pipeline
  signal issue_insn                 : issue_t;
  signal operand_ready              : std_ulogic;
  signal front_use                  : front_use_t;
  signal stages                     : beats_t(1 to 5);
  signal x_beat                     : beat_t;
  signal x_lanes                    : lanes_operands_t(0 to CORES - 1);
  signal advance, unwinds           : std_ulogic;
  signal store_bytes                : nibbles_t(0 to CORES - 1);
  signal store_data                 : words_t(0 to CORES - 1);
  signal done                       : beat_t;
  signal done_lanes                 : lanes_done_t(0 to CORES - 1);
  signal outcome                    : outcome_t;
  signal load                       : load_beat_t;
  signal load_mask                  : lanes_t;
  signal load_data                  : words_t(0 to CORES - 1);
  signal trap                       : std_ulogic;
  signal unit_may_redirect          : std_ulogic;
  signal unit_redirect, redirect    : redirect_t;
  signal unit_state_we, state_we    : std_ulogic;
  signal unit_state, new_state      : warp_state_t;
  signal enters                     : beat_t;
  signal moves, late_moves          : std_ulogic;
  signal early_reads                : std_ulogic;
  signal top                        : entry_vector_t;
  signal push                       : push_t;
  signal i_insn                     : issue_t;
  signal late_early                 : std_ulogic;
  signal i_known, late_known        : std_ulogic;
  signal taken, stays               : std_ulogic;
  signal write_to                   : write_to_t;
  signal results                    : lanes_results_t(0 to CORES - 1);
  signal operand_idle, execute_idle : std_ulogic;

begin

  u_sched : entity work.sched
    generic map (WARPS => WARPS)
    port map (
      clk             => clk,
      rst             => rst,
      halt_i          => halt_i,
      start_i         => start,
      start_slot_i    => start_slot,
      redirect_i      => redirect,
      release_i       => released,
      load_done_i     => load_done,
      load_slot_i     => load.slot,
      ready_i         => ready,
      free_i          => free,
      decoding_i      => decoding,
      decode_slot_i   => decode_slot,
      again_i         => again,
      blocks_i        => blocks_warp,
      arrives_i       => arrives,
      ends_i          => ends,
      waits_i         => waits_for_load,
      choose_o        => choose,
      slot_o          => slot,
      running_o       => running,
      finished_o      => finished,
      finished_slot_o => finished_slot,
      load_busy_i     => load_busy,
      refetch_o       => refetch,
      refetch_slot_o  => refetch_slot,
      refetch_pc_o    => refetch_pc,
      wait_o          => warps_wait
    );

  u_fetch : entity work.fetch
    generic map (WARPS => WARPS, SEED => SEED)
    port map (
      clk            => clk,
      rst            => rst,
      running_i      => running,
      redirect_i     => refetch,
      slot_i         => refetch_slot,
      pc_i           => refetch_pc,
      req_o          => code_req_o,
      addr_o         => code_addr_o,
      grant_i        => code_grant_i,
      data_i         => code_data_i,
      ready_o        => ready,
      read_i         => choose,
      read_slot_i    => slot,
      word_o         => word,
      addr_of_word_o => word_addr,
      upper_o        => upper,
      decoding_i     => decoding,
      decode_slot_i  => decode_slot,
      take_i         => take,
      take_word_i    => take_word
    );

  u_warp_table : entity work.warp_table
    generic map (SEED => SEED)
    port map (
      clk            => clk,
      read_i         => choose,
      slot_i         => slot,
      info_o         => info,
      state_o        => state,
      redirect_i     => redirect.valid,
      branch_i       => state_we,
      branch_slot_i  => redirect.slot,
      branch_state_i => new_state,
      start_i        => start,
      start_slot_i   => start_slot,
      start_info_i   => start_info,
      start_state_i  => start_state,
      start_ready_o  => start_ready
    );

  u_issue : entity work.issue
    generic map (WARPS => WARPS, LOADS => LOADS)
    port map (
      clk           => clk,
      rst           => rst,
      launch_i      => launch_i,
      halt_i        => halt_i,
      flush_i       => trap,
      choose_i      => choose,
      slot_i        => slot,
      word_i        => word,
      word_addr_i   => word_addr,
      upper_i       => upper,
      info_i        => info,
      state_i       => state,
      free_o        => free,
      decoding_o    => decoding,
      decode_slot_o => decode_slot,
      again_o       => again,
      take_o        => take,
      take_word_o   => take_word,
      blocks_o      => blocks_warp,
      arrives_o     => arrives,
      ends_o        => ends,
      waits_o       => waits_for_load,
      full_o        => loads_full,
      init_i        => init,
      init_taken_o  => init_taken,
      ready_i       => operand_ready,
      issue_o       => issue_insn,
      stages_i      => stages,
      load_done_i   => load_done,
      load_slot_i   => load.slot,
      load_busy_o   => load_busy
    );

  u_dispatch : entity work.dispatch
    generic map (
      WARPS        => WARPS,
      BLOCKS       => BLOCKS,
      REG_ROWS     => REGISTERS / LANES,
      SHARED_BYTES => SHARED_BYTES,
      INDEX        => INDEX,
      SEED         => SEED
    )
    port map (
      clk           => clk,
      rst           => rst,
      launch_i      => launch_i,
      setup_i       => setup_i,
      param_we_i    => param_we_i,
      param_addr_i  => param_addr_i,
      param_data_i  => host_data_i,
      offer_i       => offer_i,
      block_x_i     => block_x_i,
      block_y_i     => block_y_i,
      refused_o     => refused_o,
      accept_o      => accept_o,
      shared_o      => shared_init,
      shared_addr_o => shared_addr,
      shared_data_o => shared_data,
      shared_done_i => shared_done,
      tid_ready_i   => tid_ready,
      init_o        => init,
      init_taken_i  => init_taken,
      start_o       => start,
      start_slot_o  => start_slot,
      start_ready_i => start_ready,
      info_o        => start_info,
      state_o       => start_state,
      block_slot_o  => block_slot,
      block_first_o => block_first,
      block_warps_o => block_warps,
      finished_i    => finished,
      finished_slot_i => finished_slot,
      busy_o        => dispatching,
      empty_o       => empty_o
    );

  u_thread_ids : entity work.thread_ids
    generic map (CORES => CORES)
    port map (
      clk      => clk,
      launch_i => launch_i,
      setup_i  => setup_i,
      ready_o  => tid_ready,
      first_i  => tid_first,
      next_i   => tid_next,
      tid_o    => tid
    );

  u_operand : entity work.operand
    generic map (CORES => CORES, REGISTERS => REGISTERS, SM => INDEX, SEED => SEED)
    port map (
      clk           => clk,
      rst           => rst,
      launch_i      => launch_i,
      clock_i       => clock_i,
      issue_i       => issue_insn,
      ready_o       => operand_ready,
      tid_i         => tid,
      tid_first_o   => tid_first,
      tid_next_o    => tid_next,
      advance_i     => advance,
      flush_i       => trap,
      beat_o        => x_beat,
      lanes_o       => x_lanes,
      stages_o      => stages(1 to 4),
      moves_o       => moves,
      enters_o      => enters,
      use_o         => front_use,
      idle_o        => operand_idle,
      i_insn_i      => i_insn,
      late_early_i  => late_early,
      i_known_o     => i_known,
      late_known_o  => late_known,
      taken_o       => taken,
      stays_o       => stays,
      done_i        => done,
      done_lanes_i  => done_lanes,
      init_i        => shared_done,
      init_addr_i   => shared_addr,
      store_bytes_i => store_bytes,
      store_data_i  => store_data,
      write_to_i    => write_to,
      results_i     => results,
      bank_we_i     => bank_we_i,
      const_we_i    => const_we_i,
      const_re_i    => const_re_i,
      const_addr_i  => const_addr_i,
      const_data_i  => host_data_i,
      const_data_o  => const_data_o
    );
  stages(5) <= x_beat;

  u_execute : entity work.execute
    generic map (
      CORES        => CORES,
      WARPS        => WARPS,
      GLOBAL_BYTES => GLOBAL_BYTES,
      QUEUE        => QUEUE,
      STACK_DEPTH  => STACK_DEPTH,
      HAS_ATOMICS  => HAS_ATOMICS,
      SEED         => SEED
    )
    port map (
      clk           => clk,
      rst           => rst,
      beat_i        => x_beat,
      lanes_i       => x_lanes,
      advance_o     => advance,
      unwinds_o     => unwinds,
      store_bytes_o => store_bytes,
      store_data_o  => store_data,
      init_i        => shared_init,
      init_addr_i   => shared_addr,
      init_data_i   => shared_data,
      init_done_o   => shared_done,
      req_o         => global_req_o,
      we_o          => global_we_o,
      line_o        => global_line_o,
      bytes_o       => global_bytes_o,
      data_o        => global_data_o,
      grant_i       => global_grant_i,
      data_i        => global_data_i,
      atomic_o      => atomic_o,
      atomic_done_i => atomic_done_i,
      atomic_old_i  => atomic_old_i,
      atomic_new_i  => atomic_new_i,
      done_o        => done,
      done_lanes_o  => done_lanes,
      outcome_o     => outcome,
      load_o        => load,
      load_mask_o   => load_mask,
      load_data_o   => load_data,
      load_done_o   => load_done,
      trap_o        => trap,
      early_slot_i  => enters.insn.slot,
      early_depth_i => enters.insn.state.depth,
      early_reads_o => early_reads,
      top_o         => top,
      push_i        => push,
      may_redirect_o => unit_may_redirect,
      redirect_o    => unit_redirect,
      state_we_o    => unit_state_we,
      state_o       => unit_state,
      release_o     => released,
      idle_i        => operand_idle,
      idle_o        => execute_idle,
      start_i       => start,
      start_slot_i  => start_slot,
      start_block_i => block_slot,
      start_first_i => block_first,
      start_warps_i => block_warps
    );

  u_branch_early : entity work.branch_early
    generic map (STACK_DEPTH => STACK_DEPTH)
    port map (
      clk           => clk,
      rst           => rst,
      moves_i       => moves,
      i_beat_i      => stages(1),
      reads_i       => early_reads,
      top_i         => top,
      i_known_i     => i_known,
      i_insn_o      => i_insn,
      late_beat_i   => stages(late_stage(CORES)),
      late_moves_i  => late_moves,
      late_known_i  => late_known,
      late_early_o  => late_early,
      taken_i       => taken,
      stays_i       => stays,
      push_o        => push,
      unit_may_i    => unit_may_redirect,
      redirect_i    => unit_redirect,
      state_we_i    => unit_state_we,
      state_i       => unit_state,
      redirect_o    => redirect,
      state_we_o    => state_we,
      state_o       => new_state
    );

  late_moves <= moves when late_stage(CORES) = 3 else advance;

  trap_o      <= trap;
  trap_code_o <= outcome.trap;
  trap_slot_o <= done.insn.slot;
  trap_pc_o   <= done.insn.pc;

  u_writeback : entity work.writeback
    generic map (CORES => CORES)
    port map (
      clk            => clk,
      rst            => rst,
      beat_i         => done,
      lanes_i        => done_lanes,
      outcome_i      => outcome,
      load_i         => load,
      load_mask_i    => load_mask,
      load_data_i    => load_data,
      write_to_o     => write_to,
      results_o      => results,
      retire_o       => retire_o,
      retire_lanes_o => retire_lanes_o,
      idle_i         => execute_idle,
      idle_o         => idle_o
    );

  u_stall_cause : entity work.stall_cause
    port map (
      clk           => clk,
      rst           => rst,
      advance_i     => advance,
      unwinds_i     => unwinds,
      use_i         => front_use,
      decoding_i    => decoding,
      turned_away_i => waits_for_load,
      full_i        => loads_full,
      wait_i        => warps_wait,
      halt_i        => halt_i,
      blocks_left_i => blocks_left_i,
      dispatching_i => dispatching,
      empty_i       => empty_o,
      idle_i        => idle_o,
      cause_o       => cause_o
    );

end architecture;
