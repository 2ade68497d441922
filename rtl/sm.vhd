-- SPDX-License-Identifier: Apache-2.0
-- One streaming multiprocessor, wiring only. A warp instruction passes
--
--   sched      SELECT
--   issue      READ WORD CHECK HOLD
--   operand    ROWS ADDRESS BOUNDS PASS MEMORY FILES LATCH SOURCES
--   execute    X1 X2 X3 RESOLVE SORT MERGE
--   writeback  WRITE
--
-- fetch fills the warps' buffers through decode_word; dispatch starts blocks; branch and branch_early redirect warps.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.machine_pkg.all;
use work.stages_pkg.all;
use work.front_pkg.all;
use work.operands_pkg.all;
use work.memory_pkg.all;
use work.branch_pkg.all;
use work.execute_pkg.all;
use work.host_pkg.all;
use work.lists_pkg.all;
use work.retire_pkg.all;

entity sm is
  generic (
    CONFIG  : config_t;
    QUEUE   : positive;                                      -- accesses that can wait for global memory
    RETURNS : natural;                                       -- loads that can wait for a bus; 0: none
    LOADS   : positive;                                      -- that are under way at a time
    INDEX   : natural                                        -- number of this SM
  );
  port (
    clk            : in  std_ulogic;
    rst            : in  std_ulogic;
    launch_i       : in  launch_t;
    clock_i        : in  word_t;
    order_i        : in  grid_to_sm_t;
    offer_i        : in  std_ulogic;                         -- the block of order_i is for this SM
    report_o       : out sm_to_grid_t;
    code_o         : out sm_to_code_t;
    code_i         : in  code_to_sm_t;
    global_o       : out sm_to_global_t;
    global_bytes_o : out nibbles_t(0 to CONFIG.CORES - 1);
    global_data_o  : out words_t(0 to CONFIG.CORES - 1);
    global_i       : in  global_to_sm_t;
    global_data_i  : in  words_t(0 to CONFIG.CORES - 1);
    host_i         : in  host_to_memories_t;                 -- parameters and constants
    const_data_o   : out word_t;
    -- trace and counters
    cause_o   : out cause_t;
    retire_o  : out retire_t;
    retire_lanes_o : out retire_lanes_t(0 to CONFIG.CORES - 1)
  );
end entity;

architecture rtl of sm is

  constant CORES : positive := CONFIG.CORES;
  constant WARPS : positive := CONFIG.WARPS;

  constant DELAY : positive := write_delay(CONFIG.HAS_FPU or CONFIG.HAS_SFU);

  subtype warps_t is std_ulogic_vector(WARPS - 1 downto 0);

  -- SELECT, READ, WORD and HOLD
  signal running, ready, reading, load_busy : warps_t;
  signal free                       : std_ulogic;
  signal choice, read               : warp_event_t;
  signal arriving_word              : decoded_word_t;
  signal arriving_bits, word_bits   : std_ulogic_vector(DECODED_WORD_BITS - 1 downto 0);
  signal arriving_addr              : unsigned(20 downto 0);
  signal word_arrives               : std_ulogic;
  signal fetched                    : fetch_to_issue_t;
  signal fate                       : issue_to_sched_t;
  signal hazard_use                 : issue_to_cause_t;
  signal warp                       : warp_t;
  signal refetch                    : sched_to_fetch_t;
  signal finished, load_back, starts : warp_event_t;
  signal warps_wait                 : sched_to_cause_t;

  -- dispatch
  signal init         : front_to_operands_t;
  signal init_taken   : std_ulogic;
  signal start        : dispatch_to_warps_t;
  signal start_ready  : std_ulogic;
  signal tid          : words_t(0 to CORES - 1);
  signal tid_ready    : std_ulogic;
  signal tid_order    : operands_to_thread_ids_t;
  signal shared_init  : dispatch_to_shared_t;
  signal shared_back  : shared_to_dispatch_t;
  signal shared_write : dispatch_to_shared_t;
  signal dispatching  : std_ulogic;

  -- pipeline
  signal issue_insn                        : front_to_operands_t;
  signal front                             : operands_to_front_t;
  signal stages                            : beats_t(1 to WRITER_STAGES);
  signal x1_lanes                          : lanes_to_execute_t(0 to CORES - 1);
  signal advance                           : execute_to_operands_t;
  signal idle, stays_idle                  : std_ulogic;
  signal stores, global_writes             : word_writes_t(0 to CORES - 1);
  signal done                              : execute_to_writeback_t;
  signal back                              : lanes_to_writeback_t(0 to CORES - 1);
  signal specials                          : unit_results_t(0 to CORES / 4 - 1);
  signal load                              : ldst_to_writeback_t;
  signal to_branch                         : sm_to_branch_t;
  signal from_branch                       : branch_to_sm_t;
  signal early_now                         : branch_to_warps_t;
  signal unit_answer, early_answer, answer : branch_to_warps_t; -- answers, one cycle later
  signal start_held, start_held_in         : std_ulogic;
  signal push                              : early_to_branch_t;
  signal address_early                     : early_to_operands_t;
  signal late_early                        : std_ulogic;
  signal guard                             : operands_to_early_t;
  signal write_to                          : writeback_to_operands_t;
  signal results                           : lanes_to_files_t(0 to CORES - 1);
  signal execute_idle                      : std_ulogic;

begin

  u_sched : entity work.sched
    generic map (WARPS => WARPS, CROWDS => RETURNS > 0)
    port map (
      clk             => clk,
      rst             => rst,
      halt_i          => order_i.halt,
      start_i         => starts,
      redirect_i      => answer.redirect,
      release_i       => from_branch.released(WARPS - 1 downto 0),
      load_back_i     => load_back,
      ready_i         => ready,
      free_i          => free,
      fate_i          => fate,
      choice_o        => choice,
      reading_o       => reading,
      running_o       => running,
      finished_o      => finished,
      load_busy_i     => load_busy,
      refetch_o       => refetch,
      wait_o          => warps_wait
    );

  u_fetch : entity work.fetch
    generic map (WARPS => WARPS, LATENCY => 1 + DECODE_CYCLES, WORD_BITS => DECODED_WORD_BITS, SEED => CONFIG.SEED)
    port map (
      clk            => clk,
      rst            => rst,
      running_i      => running,
      refetch_i      => refetch,
      req_o          => code_o.req,
      addr_o         => code_o.addr,
      grant_i        => code_i.grant,
      arrives_o      => word_arrives,
      arriving_addr_o => arriving_addr,
      data_i         => arriving_bits,
      ready_o        => ready,
      read_i         => read,
      read_warp_i    => reading,
      word_o         => word_bits,
      addr_of_word_o => fetched.addr,
      upper_o        => fetched.upper,
      fate_i         => fate
    );

  u_decode : entity work.decode_word
    generic map (CONFIG => CONFIG)
    port map (
      clk      => clk,
      launch_i => launch_i,
      arrives_i => word_arrives,
      word_i   => code_i.data,
      addr_i   => arriving_addr,
      word_o   => arriving_word
    );
  arriving_bits <= to_vector(arriving_word);
  fetched.word  <= to_decoded_word(word_bits);

  u_warp_table : entity work.warp_table
    generic map (SEED => CONFIG.SEED)
    port map (
      clk            => clk,
      read_i         => read,
      warp_o         => warp,
      held_i         => start_held,
      answer_i       => answer,
      start_i        => start,
      start_ready_o  => start_ready
    );

  u_issue : entity work.issue
    generic map (WARPS => WARPS, LOADS => LOADS, HAS_LATE => CONFIG.HAS_FPU or CONFIG.HAS_SFU,
                 CROWDS => RETURNS > 0, EAGER => CORES > 8)
    port map (
      clk           => clk,
      rst           => rst,
      launch_i      => launch_i,
      halt_i        => order_i.halt,
      flush_i       => advance.flush,
      choice_i      => choice,
      free_o        => free,
      read_o        => read,
      fetched_i     => fetched,
      warp_i        => warp,
      use_o         => hazard_use,
      fate_o        => fate,
      init_i        => init,
      init_taken_o  => init_taken,
      ready_i       => front.ready,
      issue_o       => issue_insn,
      moves_i       => (front => front.moves, back => advance.now),
      stages_i      => stages,
      load_back_i   => load_back,
      load_busy_o   => load_busy
    );
  load_back <= (valid => load.valid and load.last, slot => load.slot);

  u_dispatch : entity work.dispatch
    generic map (
      WARPS        => WARPS,
      BLOCKS       => CONFIG.BLOCKS,
      REG_ROWS     => CONFIG.REGISTERS / LANES,
      SHARED_BYTES => CONFIG.SHARED_BYTES,
      INDEX        => INDEX,
      SEED         => CONFIG.SEED
    )
    port map (
      clk           => clk,
      rst           => rst,
      launch_i      => launch_i,
      host_i        => host_i,
      order_i       => order_i,
      refused_o     => report_o.refused,
      offer_i       => offer_i,
      accept_o      => report_o.accept,
      shared_o      => shared_init,
      shared_done_i => shared_back.done,
      tid_ready_i   => tid_ready,
      init_o        => init,
      init_taken_i  => init_taken,
      start_o       => start,
      start_ready_i => start_ready,
      finished_i    => finished,
      busy_o        => dispatching,
      empty_o       => report_o.empty
    );
  starts <= (valid => start.valid, slot => start.slot);

  u_thread_ids : entity work.thread_ids
    generic map (CORES => CORES)
    port map (
      clk      => clk,
      launch_i => launch_i,
      setup_i  => order_i.setup,
      ready_o  => tid_ready,
      first_i  => tid_order.first,
      next_i   => tid_order.go_on,
      tid_o    => tid
    );

  u_operand : entity work.operand
    generic map (CONFIG => CONFIG, SM => INDEX)
    port map (
      clk             => clk,
      rst             => rst,
      launch_i        => launch_i,
      clock_i         => clock_i,
      issue_i         => issue_insn,
      front_o         => front,
      tid_i           => tid,
      tid_o           => tid_order,
      advance_i       => advance,
      lanes_o         => x1_lanes,
      stages_o        => stages(STAGE_ROWS to STAGE_X1),
      later_i         => stages(STAGE_X2 to STAGE_X3),
      address_early_i => address_early,
      guard_o         => guard,
      stores_i        => stores,
      init_i          => shared_write,
      write_to_i      => write_to,
      results_i       => results,
      host_i          => host_i,
      const_data_o    => const_data_o
    );

  u_execute : entity work.execute
    generic map (CONFIG => CONFIG, QUEUE => QUEUE, RETURNS => RETURNS)
    port map (
      clk             => clk,
      rst             => rst,
      beat_i          => stages(STAGE_X1),
      lanes_i         => x1_lanes,
      later_o         => stages(STAGE_X2 to STAGE_RESOLVE),
      advance_o       => advance,
      stores_o        => stores,
      init_i          => shared_init,
      init_o          => shared_back,
      global_o        => global_o,
      global_writes_o => global_writes,
      global_i        => global_i,
      global_data_i   => global_data_i,
      done_o          => done,
      load_o          => load,
      back_o          => back,
      specials_o      => specials,
      branch_i        => to_branch,
      branch_o        => from_branch,
      idle_o          => execute_idle
    );

  to_branch    <= (look => front.early_at, push => push, answered => late_early, start => start);
  shared_write <= (valid => shared_back.writes, addr => shared_init.addr, data => shared_init.data);
  word : for w in 0 to CORES - 1 generate
    global_bytes_o(w) <= global_writes(w).bytes;
    global_data_o(w)  <= global_writes(w).data;
  end generate;

  u_branch_early : entity work.branch_early
    generic map (STACK_DEPTH => CONFIG.STACK_DEPTH)
    port map (
      clk             => clk,
      rst             => rst,
      moves_i         => front.moves,
      enters_i        => from_branch.looks,
      rows_insn_i     => stages(STAGE_ROWS).insn,
      top_i           => from_branch.top,
      address_beat_i  => stages(STAGE_ADDRESS),
      address_early_o => address_early,
      late_beat_i     => stages(STAGE_X1),
      late_moves_i    => advance.now,
      late_early_o    => late_early,
      guard_i         => guard,
      push_o          => push,
      unit_may_i      => from_branch.may_now,
      unit_pushes_i   => from_branch.may_soon,
      answer_o        => early_now
    );

  -- All answers to warps, one cycle after they were given. No warp starts where one may be given or arrives: its
  -- barrier and its entry in the warp table are written then.
  start_held_in <= from_branch.may_soon or from_branch.answer.redirect.valid or early_now.redirect.valid;

  answer_regs : process (clk)
  begin
    if rising_edge(clk) then
      early_answer       <= early_now;
      unit_answer        <= from_branch.answer;
      start_held         <= start_held_in;
      report_o.trap      <= done.outcome.trap;
      report_o.trap_slot <= done.beat.insn.slot;
      report_o.trap_pc   <= done.beat.insn.pc;
      if rst = '1' then
        early_answer.redirect.valid <= '0';
        early_answer.state_we       <= '0';
        unit_answer.redirect.valid  <= '0';
        unit_answer.state_we        <= '0';
      end if;
    end if;
  end process;
  answer <= unit_answer when unit_answer.redirect.valid = '1' else early_answer;

  report_o.trapped <= advance.flush;

  -- An idle SM that issues nothing stays idle, once no warp is left.
  stays_idle <= idle and not issue_insn.valid;

  idle_regs : process (clk)
  begin
    if rising_edge(clk) then
      report_o.idle <= stays_idle;
    end if;
  end process;

  u_writeback : entity work.writeback
    generic map (CORES => CORES, DELAY => DELAY, HAS_FPU => CONFIG.HAS_FPU, HAS_SFU => CONFIG.HAS_SFU)
    port map (
      clk            => clk,
      rst            => rst,
      done_i         => done,
      load_i         => load,
      back_i         => back,
      specials_i     => specials,
      write_to_o     => write_to,
      results_o      => results,
      retire_o       => retire_o,
      retire_lanes_o => retire_lanes_o,
      idle_i         => front.idle and execute_idle,
      idle_o         => idle
    );

  u_stall_cause : entity work.stall_cause
    port map (
      clk           => clk,
      rst           => rst,
      advance_i     => advance.now,
      unwinds_i     => advance.unwinds,
      use_i         => front.uses,
      hazard_i      => hazard_use.waits,
      turned_away_i => hazard_use.turned_away,
      full_i        => hazard_use.full,
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
      starts_when_ready : assert rst = '1' or (start.valid and not start_ready) = '0'
        report "a warp starts while an answer is written" severity failure;
      answers_one_warp : assert rst = '1'
        or (from_branch.answer.redirect.valid and not from_branch.answer.redirect.trapped
            and not from_branch.may_now) = '0'
        report "the branch unit answers unannounced, and for no trap" severity failure;
    end if;
  end process;

end architecture;
