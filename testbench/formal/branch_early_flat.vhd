-- SPDX-License-Identifier: Apache-2.0
-- branch_early.vhd as branch_early_flat.sv sees it. An instruction of one warp goes to a branch unit, `alone`, as it
-- was issued, all lanes at once; that resolves it and stays with its answer. In the meantime rows of the same
-- instruction come to stages ROWS and X1, that of the late answers, again and again; where they are not, are others,
-- of another warp. Once it is answered there, the instruction as it then is goes to another branch unit, `later`, in
-- the same cycle.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.front_pkg.all;
use work.operands_pkg.all;
use work.branch_pkg.all;
use work.lists_pkg.all;
use work.formal_pkg.all;

entity branch_early_flat is
  generic (
    STACK_DEPTH : positive
  );
  port (
    clk       : in  std_ulogic;
    rst       : in  std_ulogic;
    -- the instruction
    slot_i    : in  slot_t;
    flow_i    : in  unsigned(3 downto 0);
    is_end_i  : in  std_ulogic;
    is_join_i : in  std_ulogic;
    more_i    : in  std_ulogic;
    trap_i    : in  trap_t;
    cond_i    : in  unsigned(4 downto 0);
    target_i  : in  pc_t;
    long_i    : in  std_ulogic;
    pc_i      : in  pc_t;
    exec_i    : in  lane_mask_t;
    faults_i  : in  faults_t;
    active_i  : in  lane_mask_t;
    alive_i   : in  lane_mask_t;
    call_parked_i : in lane_mask_t;
    brk_parked_i  : in lane_mask_t;
    depth_i   : in  depth_t;
    calls_i   : in  depth_t;
    breaks_i  : in  depth_t;
    entry_i   : in  entry_vector_t;                          -- on top of its warp's stack
    -- the branch unit that gets it as it was issued
    in_x3_i         : in  std_ulogic;
    in_resolve_i    : in  std_ulogic;
    resolve_moves_i : in  std_ulogic;
    look_i          : in  std_ulogic;                        -- read what it has pushed
    busy_o          : out std_ulogic;
    alone_o         : out branch_to_sched_t;
    alone_state_o   : out warp_state_t;
    alone_outcome_o : out branch_to_writeback_t;
    pushed_o        : out entry_vector_t;
    -- stages ROWS and X1
    rows_valid_i     : in  std_ulogic;
    rows_last_i      : in  std_ulogic;
    rows_row_i       : in  row_t;
    rows_early_i     : in  std_ulogic;
    rows_moves_i     : in  std_ulogic;
    rows_here_i      : in  std_ulogic;                          -- the instruction is in the stage before
    reads_i       : in  std_ulogic;                          -- that stage takes a beat, and the top is read
    top_i         : in  entry_vector_t;
    x1_valid_i     : in  std_ulogic;
    x1_last_i      : in  std_ulogic;
    x1_row_i       : in  row_t;
    x1_early_i     : in  std_ulogic;
    x1_moves_i     : in  std_ulogic;
    taken_i       : in  std_ulogic;
    stays_i       : in  std_ulogic;
    other_i       : in  std_ulogic_vector(1 downto 0);       -- another instruction in ROWS; in X1
    other_flow_i  : in unsigned(3 downto 0);
    unit_may_i    : in  std_ulogic;
    unit_pushes_i : in std_ulogic;
    -- answers
    rows_early_o     : out std_ulogic;
    x1_early_o       : out std_ulogic;
    redirect_o       : out branch_to_sched_t;
    state_we_o       : out std_ulogic;
    state_o          : out warp_state_t;
    push_valid_o     : out std_ulogic;
    push_slot_o      : out slot_t;
    push_depth_o     : out depth_t;
    push_entry_o     : out entry_vector_t;
    later_o          : out branch_to_sched_t;                -- of the branch unit, to which it then comes
    later_busy_o     : out std_ulogic;
    later_state_we_o : out std_ulogic;
    later_outcome_o  : out branch_to_writeback_t
  );
end entity branch_early_flat;

architecture rtl of branch_early_flat is

  signal insn           : front_to_operands_t;
  signal a_early        : early_to_operands_t;
  signal before         : front_to_operands_t;               -- in the stage before A
  signal rows_beat, x1_beat : beat_t;
  signal x3_beat, y_beat, later_beat : beat_t;
  signal early_answer, alone_answer, later_answer : branch_to_warps_t;
  signal guard          : operands_to_early_t;
  signal looked_at      : stack_place_t;
  signal start          : dispatch_to_warps_t;               -- a block of this warp
  signal late_early     : std_ulogic;
  signal push, fill     : early_to_branch_t;
  signal verdict, later_verdict : judge_to_branch_t;
  signal busy, y_leaves : std_ulogic;

begin

  instruction : process (all)
  begin
    insn       <= FRONT_TO_OPERANDS_INIT;
    insn.slot  <= slot_i;
    insn.pc    <= pc_i;
    insn.long  <= long_i;
    insn.more  <= more_i;
    insn.control.trap      <= trap_i;
    insn.control.flow      <= flow_of(flow_i);
    insn.control.is_end    <= is_end_i;
    insn.control.is_join   <= is_join_i;
    insn.control.redirects <= is_end_i or is_join_i or or_reduce(std_ulogic_vector(flow_i)) or or_reduce(trap_i);
    insn.control.cond      <= cond_i;
    insn.control.target    <= target_i;
    insn.state <= (active => active_i, alive => alive_i, call_parked => call_parked_i, brk_parked => brk_parked_i,
                   depth => depth_i, calls => calls_i, breaks => breaks_i);
  end process;

  stages : process (all)
  begin
    before <= insn;
    if rows_here_i = '0' then
      before.control.flow    <= flow_of(other_flow_i);
      before.control.is_join <= '0';
    end if;
    rows_beat <= (valid => rows_valid_i or other_i(1), last => rows_last_i, row => rows_row_i, insn => insn);
    rows_beat.insn.early.goes <= rows_early_i;
    if rows_valid_i = '0' then
      rows_beat.insn.slot         <= not slot_i;
      rows_beat.insn.control.flow <= flow_of(other_flow_i);
    end if;
    x1_beat <= (valid => x1_valid_i or other_i(0), last => x1_last_i, row => x1_row_i, insn => insn);
    x1_beat.insn.early.goes <= x1_early_i;
    if x1_valid_i = '0' then
      x1_beat.insn.slot         <= not slot_i;
      x1_beat.insn.control.flow <= flow_of(other_flow_i);
    end if;
    x3_beat <= (valid => in_x3_i, last => '1', row => "00", insn => insn);
    y_beat <= (valid => in_resolve_i, last => '1', row => "00", insn => insn);

    later_beat <= (valid => (rows_valid_i and a_early.goes) or (x1_valid_i and late_early), last => '1', row => "00",
                   insn => insn);
    later_beat.insn.early <= a_early;
    if late_early = '1' then
      later_beat.insn.early.goes <= '1';
    end if;
  end process;

  u_early : entity work.branch_early
    generic map (STACK_DEPTH => STACK_DEPTH)
    port map (
      clk => clk, rst => rst, moves_i => rows_moves_i, enters_i => reads_i, rows_insn_i => before, top_i => top_i,
      address_beat_i  => rows_beat,
      address_early_o => a_early, late_beat_i => x1_beat, late_moves_i => x1_moves_i, guard_i => guard,
      late_early_o => late_early, push_o => push,
      unit_may_i => unit_may_i, unit_pushes_i => unit_pushes_i,
      answer_o        => early_answer
    );

  guard      <= (asks => asks_early(x1_beat), taken => taken_i, stays => stays_i);
  looked_at  <= (slot => slot_i, below => depth_i);
  start      <= (valid => rst, slot => (others => '0'),
                 warp => (FRONT_TO_OPERANDS_INIT.info, FRONT_TO_OPERANDS_INIT.state),
                 first => (others => '0'), warps => (0 => '1', others => '0'));
  fill       <= (valid => in_x3_i, slot => slot_i, depth => depth_i, entry => to_entry(entry_i));

  verdict       <= verdict_of(y_beat.insn, exec_i, faults_i, (others => '0'), STACK_DEPTH);
  later_verdict <= verdict_of(later_beat.insn, exec_i, faults_i, (others => '0'), STACK_DEPTH);
  y_leaves      <= resolve_moves_i and not busy;
  busy_o        <= busy;

  u_alone : entity work.branch
    generic map (WARPS => 1, STACK_DEPTH => STACK_DEPTH, SEED => 0)
    port map (
      clk => clk, rst => rst, x3_beat_i => x3_beat, x3_pops_i => x3_beat.valid and may_pop(x3_beat),
      x3_moves_i => in_x3_i or look_i, early_at_i => looked_at, early_reads_o => open,
      top_o => pushed_o, push_i => fill,
      beat_i => y_beat, verdict_i => verdict, moves_i => y_leaves, busy_o => busy, blocks_o => open,
      outcome_o => alone_outcome_o, trap_o => open, answer_o => alone_answer, release_o => open,
      start_i   => start
    );

  u_later : entity work.branch
    generic map (WARPS => 1, STACK_DEPTH => STACK_DEPTH, SEED => 0)
    port map (
      clk => clk, rst => rst, x3_beat_i => BEAT_INIT, x3_pops_i => '0', x3_moves_i => '1', early_at_i => looked_at,
      early_reads_o => open, top_o => open, push_i => fill,
      beat_i => later_beat, verdict_i => later_verdict, moves_i => '1', busy_o => later_busy_o, blocks_o => open,
      outcome_o => later_outcome_o, trap_o => open, answer_o => later_answer, release_o => open,
      start_i       => start
    );

  rows_early_o    <= a_early.goes;
  x1_early_o    <= late_early;
  redirect_o   <= early_answer.redirect;
  state_we_o   <= early_answer.state_we;
  state_o      <= early_answer.state;
  alone_o          <= alone_answer.redirect;
  alone_state_o    <= alone_answer.state;
  later_o          <= later_answer.redirect;
  later_state_we_o <= later_answer.state_we;
  push_valid_o <= push.valid;
  push_slot_o  <= push.slot;
  push_depth_o <= push.depth;
  push_entry_o <= to_vector(push.entry);

end architecture rtl;
