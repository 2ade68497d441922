-- SPDX-License-Identifier: Apache-2.0
-- One streaming multiprocessor, wiring only. A warp instruction goes
--   sched (S) -> issue (R Q K H) -> operand (I A B M N G L O) -> execute (X1 X2 X3 P T Y) -> writeback (W)
-- fetch fills the warps' buffers with instructions that decode_word has decoded, dispatch starts blocks, branch (in
-- execute) answers to sched and fetch, branch_early answers what can be known before; answers are registered.

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
    RETURNS      : natural;                                  -- ... loads, for a bus behind which it is; 0: none
    LOADS        : positive;                                 -- that are under way at a time
    STACK_DEPTH  : positive;
    HAS_ATOMICS  : boolean;
    HAS_FPU      : boolean;
    HAS_SFU      : boolean;
    WIDE         : natural := 0;
    DIVIDERS     : natural := 0;
    INDEX        : natural;                                  -- number of this SM
    SEED         : natural
  );
  port (
    clk       : in  std_ulogic;
    rst       : in  std_ulogic;
    launch_i  : in  launch_t;
    clock_i   : in  word_t;
    order_i   : in  grid_order_t;
    offer_i   : in  std_ulogic;                              -- the block of order_i is for this SM
    report_o  : out sm_report_t;
    code_o    : out code_request_t;
    code_i    : in  code_answer_t;
    global_o  : out global_request_t;
    global_bytes_o : out nibbles_t(0 to CORES - 1);
    global_data_o  : out words_t(0 to CORES - 1);
    global_i       : in  global_answer_t;
    global_data_i  : in  words_t(0 to CORES - 1);
    host_i       : in  host_access_t;                        -- parameters and constants
    const_data_o : out word_t;
    -- trace and counters
    cause_o   : out cause_t;
    retire_o  : out retire_t;
    retire_lanes_o : out retire_lanes_t(0 to CORES - 1)
  );
end entity;

architecture rtl of sm is

  constant DELAY : positive := write_delay(HAS_FPU or HAS_SFU);

  subtype warps_t is std_ulogic_vector(WARPS - 1 downto 0);
  subtype lanes_t is std_ulogic_vector(CORES - 1 downto 0);

  -- S, R, Q and H
  signal running, ready, reading, load_busy, released : warps_t;
  signal choose, free, read, hazard : std_ulogic;
  signal slot, read_slot, fate_slot : slot_t;
  signal arriving_word, word        : decoded_word_t;
  signal arriving_bits, word_bits   : std_ulogic_vector(DECODED_WORD_BITS - 1 downto 0);
  signal arriving_addr, word_addr   : unsigned(20 downto 0);
  signal word_arrives, upper        : std_ulogic;
  signal take, take_word            : std_ulogic;
  signal leaves, blocks_warp, arrives, ends, waits_for_load, turned_away, loads_full : std_ulogic;
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
  signal shared_init, shared_done, shared_writes : std_ulogic;
  signal shared_addr                : shared_word_t;
  signal shared_data                : word_t;
  signal dispatching                : std_ulogic;

  -- pipeline
  signal issue_insn                 : issue_t;
  signal operand_ready              : std_ulogic;
  signal front_use                  : front_use_t;
  signal stages                     : beats_t(1 to WRITER_STAGES);
  signal x_beat                     : beat_t;
  signal x_lanes                    : lanes_operands_t(0 to CORES - 1);
  signal advance, advances, unwinds : std_ulogic;
  signal idle                       : std_ulogic;
  signal store_bytes                : nibbles_t(0 to CORES - 1);
  signal store_data                 : words_t(0 to CORES - 1);
  signal done                       : beat_t;
  signal done_lanes                 : lanes_done_t(0 to CORES - 1);
  signal outcome                    : outcome_t;
  signal floats                     : words_t(0 to CORES - 1);
  signal float_flags                : nibbles_t(0 to CORES - 1);
  signal specials                   : words_t(0 to CORES / 4 - 1);
  signal special_flags              : nibbles_t(0 to CORES / 4 - 1);
  signal load                       : load_beat_t;
  signal load_mask                  : lanes_t;
  signal load_data                  : words_t(0 to CORES - 1);
  signal trap                       : std_ulogic;
  signal unit_may_redirect, unit_may_push : std_ulogic;
  signal unit_redirect, redirect, early_answer, late_answer, answer : redirect_t;
  signal early_we, late_we, answer_we, start_held : std_ulogic;
  signal early_state, late_state, answer_state : warp_state_t;
  signal unit_state_we, state_we    : std_ulogic;
  signal unit_state, new_state      : warp_state_t;
  signal early_slot                 : slot_t;
  signal early_below                : depth_t;
  signal moves                      : std_ulogic;
  signal early_reads                : std_ulogic;
  signal top                        : entry_vector_t;
  signal push                       : push_t;
  signal a_insn                     : issue_t;
  signal late_early                 : std_ulogic;
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
      halt_i          => order_i.halt,
      start_i         => start,
      start_slot_i    => start_slot,
      redirect_i      => answer,
      release_i       => released,
      load_done_i     => load_done,
      load_slot_i     => load.slot,
      ready_i         => ready,
      free_i          => free,
      fate_slot_i     => fate_slot,
      leaves_i        => leaves,
      blocks_i        => blocks_warp,
      arrives_i       => arrives,
      ends_i          => ends,
      waits_i         => waits_for_load,
      choose_o        => choose,
      slot_o          => slot,
      reading_o       => reading,
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
    generic map (WARPS => WARPS, LATENCY => 1 + DECODE_CYCLES, WORD_BITS => DECODED_WORD_BITS, SEED => SEED)
    port map (
      clk            => clk,
      rst            => rst,
      running_i      => running,
      redirect_i     => refetch,
      slot_i         => refetch_slot,
      pc_i           => refetch_pc,
      req_o          => code_o.req,
      addr_o         => code_o.addr,
      grant_i        => code_i.grant,
      arrives_o      => word_arrives,
      arriving_addr_o => arriving_addr,
      data_i         => arriving_bits,
      ready_o        => ready,
      read_i         => read,
      read_slot_i    => read_slot,
      read_warp_i    => reading,
      word_o         => word_bits,
      addr_of_word_o => word_addr,
      upper_o        => upper,
      take_i         => take,
      take_slot_i    => fate_slot,
      take_word_i    => take_word
    );

  u_decode : entity work.decode_word
    generic map (HAS_FPU => HAS_FPU, HAS_SFU => HAS_SFU, WIDE => WIDE, DIVIDERS => DIVIDERS)
    port map (
      clk      => clk,
      launch_i => launch_i,
      arrives_i => word_arrives,
      word_i   => code_i.data,
      addr_i   => arriving_addr,
      word_o   => arriving_word
    );
  arriving_bits <= to_vector(arriving_word);
  word          <= to_decoded_word(word_bits);

  u_warp_table : entity work.warp_table
    generic map (SEED => SEED)
    port map (
      clk            => clk,
      read_i         => read,
      slot_i         => read_slot,
      info_o         => info,
      state_o        => state,
      held_i         => start_held,
      branch_i       => answer_we,
      branch_slot_i  => answer.slot,
      branch_state_i => answer_state,
      start_i        => start,
      start_slot_i   => start_slot,
      start_info_i   => start_info,
      start_state_i  => start_state,
      start_ready_o  => start_ready
    );

  u_issue : entity work.issue
    generic map (WARPS => WARPS, LOADS => LOADS, HAS_LATE => HAS_FPU or HAS_SFU, EAGER => CORES > 8)
    port map (
      clk           => clk,
      rst           => rst,
      launch_i      => launch_i,
      halt_i        => order_i.halt,
      flush_i       => trap,
      choose_i      => choose,
      slot_i        => slot,
      free_o        => free,
      read_o        => read,
      read_slot_o   => read_slot,
      word_i        => word,
      word_addr_i   => word_addr,
      upper_i       => upper,
      info_i        => info,
      state_i       => state,
      hazard_o      => hazard,
      turned_away_o => turned_away,
      full_o        => loads_full,
      fate_slot_o   => fate_slot,
      leaves_o      => leaves,
      take_o        => take,
      take_word_o   => take_word,
      blocks_o      => blocks_warp,
      arrives_o     => arrives,
      ends_o        => ends,
      waits_o       => waits_for_load,
      init_i        => init,
      init_taken_o  => init_taken,
      ready_i       => operand_ready,
      issue_o       => issue_insn,
      moves_i       => moves,
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
      setup_i       => order_i.setup,
      param_we_i    => host_i.param_we,
      param_addr_i  => host_i.addr(7 downto 2),
      param_data_i  => host_i.data,
      offer_i       => offer_i,
      block_x_i     => order_i.block_x,
      block_y_i     => order_i.block_y,
      refused_o     => report_o.refused,
      accept_o      => report_o.accept,
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
      empty_o       => report_o.empty
    );

  u_thread_ids : entity work.thread_ids
    generic map (CORES => CORES)
    port map (
      clk      => clk,
      launch_i => launch_i,
      setup_i  => order_i.setup,
      ready_o  => tid_ready,
      first_i  => tid_first,
      next_i   => tid_next,
      tid_o    => tid
    );

  u_operand : entity work.operand
    generic map (CORES => CORES, REGISTERS => REGISTERS, SM => INDEX, HAS_SFU => HAS_SFU, WIDE => WIDE,
                 SEED => SEED)
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
      advances_i    => advances,
      flush_i       => trap,
      beat_o        => x_beat,
      lanes_o       => x_lanes,
      stages_o      => stages(STAGE_I to STAGE_X1),
      later_i       => stages(STAGE_X2 to STAGE_X3),
      moves_o       => moves,
      early_slot_o  => early_slot,
      early_below_o => early_below,
      use_o         => front_use,
      idle_o        => operand_idle,
      a_insn_i      => a_insn,
      taken_o       => taken,
      stays_o       => stays,
      init_i        => shared_writes,
      init_addr_i   => shared_addr,
      store_bytes_i => store_bytes,
      store_data_i  => store_data,
      write_to_i    => write_to,
      results_i     => results,
      bank_we_i     => host_i.bank_we,
      const_we_i    => host_i.const_we,
      const_re_i    => host_i.const_re,
      const_addr_i  => host_i.addr(12 downto 2),
      const_data_i  => host_i.data,
      const_data_o  => const_data_o
    );

  u_execute : entity work.execute
    generic map (
      CORES        => CORES,
      WARPS        => WARPS,
      GLOBAL_BYTES => GLOBAL_BYTES,
      QUEUE        => QUEUE,
      RETURNS      => RETURNS,
      STACK_DEPTH  => STACK_DEPTH,
      HAS_ATOMICS  => HAS_ATOMICS,
      HAS_FPU      => HAS_FPU,
      HAS_SFU      => HAS_SFU,
      WIDE         => WIDE,
      DIVIDERS     => DIVIDERS,
      SEED         => SEED
    )
    port map (
      clk           => clk,
      rst           => rst,
      beat_i        => x_beat,
      lanes_i       => x_lanes,
      late_early_i  => late_early,
      later_o       => stages(STAGE_X2 to STAGE_Y),
      advance_o     => advance,
      advances_o    => advances,
      unwinds_o     => unwinds,
      store_bytes_o => store_bytes,
      store_data_o  => store_data,
      init_i        => shared_init,
      init_addr_i   => shared_addr,
      init_data_i   => shared_data,
      init_done_o   => shared_done,
      init_writes_o => shared_writes,
      req_o         => global_o.req,
      we_o          => global_o.we,
      line_o        => global_o.line,
      bytes_o       => global_bytes_o,
      data_o        => global_data_o,
      grant_i       => global_i.grant,
      data_i        => global_data_i,
      ready_o       => global_o.ready,
      loads_i       => global_i.loads,
      storing_i     => global_i.storing,
      atomic_o      => global_o.atomic,
      atomic_done_i => global_i.atomic_done,
      atomic_old_i  => global_i.atomic_old,
      atomic_new_i  => global_i.atomic_new,
      done_o        => done,
      done_lanes_o  => done_lanes,
      outcome_o     => outcome,
      floats_o      => floats,
      float_flags_o => float_flags,
      specials_o    => specials,
      special_flags_o => special_flags,
      load_o        => load,
      load_mask_o   => load_mask,
      load_data_o   => load_data,
      load_done_o   => load_done,
      trap_o        => trap,
      early_slot_i  => early_slot,
      early_below_i => early_below,
      early_reads_o => early_reads,
      top_o         => top,
      push_i        => push,
      may_redirect_o => unit_may_redirect,
      next_may_redirect_o => unit_may_push,
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
      enters_i      => early_reads,
      i_insn_i      => stages(STAGE_I).insn,
      top_i         => top,
      a_beat_i      => stages(STAGE_A),
      a_insn_o      => a_insn,
      late_beat_i   => x_beat,
      late_moves_i  => advance,
      late_early_o  => late_early,
      taken_i       => taken,
      stays_i       => stays,
      push_o        => push,
      unit_may_i    => unit_may_redirect,
      unit_pushes_i => unit_may_push,
      redirect_o    => redirect,
      state_we_o    => state_we,
      state_o       => new_state
    );

  -- All answers to warps, one cycle after they were given. No warp starts where one may be given or arrives: its
  -- barrier and its entry in the warp table are written then.
  register_answers : process (clk)
  begin
    if rising_edge(clk) then
      early_answer   <= redirect;
      early_we       <= state_we;
      early_state    <= new_state;
      late_answer    <= unit_redirect;
      late_we        <= unit_state_we;
      late_state     <= unit_state;
      start_held     <= unit_may_push or unit_redirect.valid or redirect.valid;
      report_o.trap      <= outcome.trap;
      report_o.trap_slot <= done.insn.slot;
      report_o.trap_pc   <= done.insn.pc;
      if rst = '1' then
        early_answer.valid <= '0';
        early_we       <= '0';
        late_answer.valid <= '0';
        late_we        <= '0';
      end if;
    end if;
  end process;
  answer       <= late_answer when late_answer.valid = '1' else early_answer;
  answer_we    <= late_we when late_answer.valid = '1' else early_we;
  answer_state <= late_state when late_answer.valid = '1' else early_state;

  report_o.trapped <= trap;

  -- What is idle in one cycle and takes no instruction is so in the next, once no warp is left.
  tell_idle : process (clk)
  begin
    if rising_edge(clk) then
      report_o.idle <= idle and not issue_insn.valid;
    end if;
  end process;

  u_writeback : entity work.writeback
    generic map (CORES => CORES, DELAY => DELAY, HAS_FPU => HAS_FPU, HAS_SFU => HAS_SFU)
    port map (
      clk            => clk,
      rst            => rst,
      beat_i         => done,
      lanes_i        => done_lanes,
      outcome_i      => outcome,
      floats_i        => floats,
      float_flags_i   => float_flags,
      specials_i      => specials,
      special_flags_i => special_flags,
      load_i         => load,
      load_mask_i    => load_mask,
      load_data_i    => load_data,
      write_to_o     => write_to,
      results_o      => results,
      retire_o       => retire_o,
      retire_lanes_o => retire_lanes_o,
      idle_i         => execute_idle,
      idle_o         => idle
    );

  u_stall_cause : entity work.stall_cause
    port map (
      clk           => clk,
      rst           => rst,
      advance_i     => advance,
      unwinds_i     => unwinds,
      use_i         => front_use,
      hazard_i      => hazard,
      turned_away_i => turned_away,
      full_i        => loads_full,
      wait_i        => warps_wait,
      halt_i        => order_i.halt,
      blocks_left_i => order_i.blocks_left,
      dispatching_i => dispatching,
      empty_i       => report_o.empty,
      idle_i        => idle,
      cause_o       => cause_o
    );

  rules : process (clk)
  begin
    if rising_edge(clk) then
      starts_when_ready : assert rst = '1' or (start and not start_ready) = '0'
        report "a warp starts while an answer is written" severity failure;
      answers_one_warp : assert rst = '1'
        or (unit_redirect.valid and not unit_redirect.trapped and not unit_may_redirect) = '0'
        report "the branch unit answers unannounced, and for no trap" severity failure;
    end if;
  end process;

end architecture;
