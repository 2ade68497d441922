-- SPDX-License-Identifier: Apache-2.0
-- operand and execute: what they say is idle. An instruction of one beat, alone between stages ROWS and RESOLVE, is
-- seen in each of them and is gone after a reset; a load is seen until what it waits for has come from memory.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.front_pkg.all;
use work.operands_pkg.all;
use work.memory_pkg.all;
use work.branch_pkg.all;
use work.execute_pkg.all;
use work.host_pkg.all;
use work.bench_pkg.all;

entity idle_tb is
end entity idle_tb;

architecture sim of idle_tb is
  constant CORES : positive := 32;

  signal clk      : std_ulogic := '0';
  signal rst      : std_ulogic := '1';
  signal launch   : launch_t;
  signal insn     : front_to_operands_t := FRONT_TO_OPERANDS_INIT;
  signal stages   : beats_t(STAGE_ROWS to STAGE_X1);
  signal later    : beats_t(STAGE_X2 to STAGE_RESOLVE);
  signal advance  : execute_to_operands_t;
  signal front    : operands_to_front_t;
  signal orders   : sm_to_branch_t;
  signal lanes    : lanes_to_execute_t(0 to CORES - 1);
  signal done     : execute_to_writeback_t;
  signal stores   : word_writes_t(0 to CORES - 1);
  signal write_to : writeback_to_operands_t;
  signal results  : lanes_to_files_t(0 to CORES - 1);
  signal push     : early_to_branch_t;
  signal host     : host_to_memories_t := (addr => (others => '0'), data => (others => '0'), others => '0');
  signal init     : dispatch_to_shared_t := (valid => '0', addr => (others => '0'), data => (others => '0'));
  signal start    : dispatch_to_warps_t := (
    valid => '0', slot => (others => '0'), warp => (FRONT_TO_OPERANDS_INIT.info, FRONT_TO_OPERANDS_INIT.state),
                                first => (others => '0'), warps => (others => '0'));
  signal request            : sm_to_global_t;
  signal answer   : global_to_sm_t := (atomic_old => (others => '0'), atomic_new => (others => '0'), others => '0');
  signal load               : ldst_to_writeback_t;
  signal execute_idle, idle : std_ulogic;
begin

  u_operand : entity work.operand
    generic map (CORES => CORES, REGISTERS => 1024, SM => 0, SEED => 1)
    port map (
      clk => clk, rst => rst, launch_i => launch, clock_i => (others => '0'), issue_i => insn, front_o => front,
      tid_i => (others => (others => '0')), tid_o => open, advance_i => advance, lanes_o => lanes, stages_o => stages,
      address_early_i => stages(STAGE_ADDRESS).insn.early, guard_o => open, later_i => later(STAGE_X2 to STAGE_X3),
      stores_i => stores, init_i => init,
      write_to_i => write_to, results_i => results, host_i => host,
      const_data_o => open
    );

  orders <= (look => front.early_at, push => push, answered => '0', start => start);
  push.valid <= '0';
  idle <= front.idle and execute_idle;

  u_execute : entity work.execute
    generic map (CORES => CORES, WARPS => 32, GLOBAL_BYTES => 1024, QUEUE => 4, STACK_DEPTH => 16, HAS_ATOMICS => true,
                 SEED => 1)
    port map (
      clk => clk, rst => rst, beat_i => stages(STAGE_X1), lanes_i => lanes, later_o => later, advance_o => advance,
      stores_o => stores, init_i => init, init_o => open, global_o => request, global_writes_o => open,
      global_i => answer, global_data_i => (others => (others => '0')), done_o => done, load_o => load, back_o => open,
      branch_i => orders, branch_o => open, idle_o => execute_idle
    );

  stimulus : process
    -- A reset, and an instruction of one beat that has come to stage ROWS.
    procedure enter(mem : mem_t) is
    begin
      rst <= '1';
      tick(clk);
      rst <= '0';
      wait for 1 ns;
      check(idle = '1' and done.beat.valid = '0', "nothing is left behind a reset");
      insn.valid         <= '1';
      insn.state.active  <= (others => '1');
      insn.control.mem   <= mem;
      insn.control.mem_size <= SIZE_4;
      insn.control.dst   <= DST_REG32;
      insn.control.cond  <= to_unsigned(15, 5);
      tick(clk);
      insn.valid <= '0';
      wait for 1 ns;
    end procedure enter;
    constant NAMES : string := "IABMNGLO123Y";
  begin
    for last in NAMES'range loop
      enter(MEM_NONE);
      for stage in NAMES'left to last loop
        check(idle = '0', "a beat in stage " & NAMES(stage));
        exit when stage = last;
        tick(clk);
        wait for 1 ns;
      end loop;
    end loop;
    check(done.beat.valid = '1', "it leaves stage RESOLVE");
    tick(clk);
    check(idle = '1', "it has left");

    enter(MEM_GLOBAL_LOAD);
    for stage in NAMES'range loop
      check(idle = '0', "a load in stage " & NAMES(stage));
      tick(clk);
    end loop;
    check(idle = '0', "it is in stage MERGE");
    tick(clk);
    check(idle = '0', "it is in the queue");
    tick(clk);
    for waits in 1 to 3 loop
      check(idle = '0' and request.req = '1', "it waits for memory");
      tick(clk);
    end loop;
    answer.grant <= '1';
    tick(clk);
    answer.grant <= '0';
    check(idle = '0', "its words arrive");
    tick(clk);
    check(idle = '0' and (load.valid and load.last) = '1', "and go on");
    tick(clk);
    check(idle = '1' and (load.valid and load.last) = '0', "it is over");

    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
