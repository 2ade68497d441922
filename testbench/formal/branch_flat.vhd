-- SPDX-License-Identifier: Apache-2.0
-- branch.vhd as branch_flat.sv sees it: one warp, whose instructions are one beat each and come one by one, none of
-- them answered early. What of an instruction the branch unit looks at is a port each.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.front_pkg.all;
use work.branch_pkg.all;
use work.lists_pkg.all;
use work.formal_pkg.all;

entity branch_flat is
  generic (
    STACK_DEPTH : positive
  );
  port (
    clk           : in  std_ulogic;
    rst           : in  std_ulogic;
    in_x3_i       : in  std_ulogic;                           -- the instruction is in stage X, and moves on
    in_resolve_i  : in  std_ulogic;                                -- the instruction is in stage RESOLVE
    moves_i       : in  std_ulogic;
    flow_i        : in  unsigned(3 downto 0);
    is_end_i      : in  std_ulogic;
    is_join_i     : in  std_ulogic;
    trap_i        : in  trap_t;
    bar_wait_i    : in std_ulogic;
    bar_legal_i   : in std_ulogic;
    target_i      : in  pc_t;
    long_i        : in  std_ulogic;
    pc_i          : in  pc_t;
    exec_i        : in  lane_mask_t;
    faults_i      : in  faults_t;
    active_i      : in  lane_mask_t;
    alive_i       : in  lane_mask_t;
    call_parked_i : in lane_mask_t;
    brk_parked_i  : in lane_mask_t;
    depth_i       : in  depth_t;
    calls_i       : in  depth_t;
    breaks_i      : in  depth_t;
    start_i       : in  std_ulogic;
    busy_o        : out std_ulogic;
    trap_o        : out std_ulogic;
    redirect_o    : out branch_to_sched_t;
    state_we_o    : out std_ulogic;
    state_o       : out warp_state_t
  );
end entity branch_flat;

architecture rtl of branch_flat is
  signal x3_beat, y_beat : beat_t;
  signal outcome         : branch_to_writeback_t;
  signal reads           : std_ulogic;
  signal busy, leaves    : std_ulogic;
  signal verdict         : judge_to_branch_t;
  signal answer          : branch_to_warps_t;
  signal start           : dispatch_to_warps_t;              -- a block of this warp
  signal top             : entry_vector_t;
  signal released        : std_ulogic_vector(0 downto 0);
begin

  instruction : process (all)
    variable insn : front_to_operands_t;
  begin
    insn               := FRONT_TO_OPERANDS_INIT;
    insn.pc            := pc_i;
    insn.long          := long_i;
    insn.control.trap  := trap_i;
    insn.control.flow  := flow_of(flow_i);
    insn.control.is_end    := is_end_i;
    insn.control.is_join   := is_join_i;
    insn.control.redirects := is_end_i or is_join_i or or_reduce(std_ulogic_vector(flow_i)) or or_reduce(trap_i);
    insn.control.target    := target_i;
    insn.control.bar_wait  := bar_wait_i;
    insn.control.bar_legal := bar_legal_i;
    insn.state := (active => active_i, alive => alive_i, call_parked => call_parked_i, brk_parked => brk_parked_i,
                   depth => depth_i, calls => calls_i, breaks => breaks_i);
    x3_beat <= (valid => in_x3_i, last => '1', row => (others => '0'), insn => insn);
    y_beat <= (valid => in_resolve_i, last => '1', row => (others => '0'), insn => insn);
  end process;

  verdict <= verdict_of(y_beat.insn, exec_i, faults_i, target_i, STACK_DEPTH);
  leaves  <= moves_i and not busy;
  busy_o  <= busy;
  start   <= (valid => start_i, slot => (others => '0'),
              warp => (FRONT_TO_OPERANDS_INIT.info, FRONT_TO_OPERANDS_INIT.state),
              first => (others => '0'), warps => (0 => '1', others => '0'));

  u_branch : entity work.branch
    generic map (WARPS => 1, STACK_DEPTH => STACK_DEPTH, SEED => 0)
    port map (
      clk => clk, rst => rst, x3_beat_i => x3_beat, x3_pops_i => x3_beat.valid and may_pop(x3_beat),
      x3_moves_i => in_x3_i, early_at_i => (others => (others => '0')), early_reads_o => reads, top_o => top,
      push_i     => (valid => '0', slot => (others => '0'), depth => (others => '0'),
                 entry => to_entry((ENTRY_BITS - 1 downto 0 => '0'))),
      beat_i => y_beat, verdict_i => verdict, moves_i => leaves, busy_o => busy, blocks_o => open,
      outcome_o => outcome, trap_o => trap_o, answer_o => answer, release_o => released,
      start_i => start
    );
  redirect_o <= answer.redirect;
  state_we_o <= answer.state_we;
  state_o    <= answer.state;

end architecture rtl;
