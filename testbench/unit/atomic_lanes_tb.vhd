-- SPDX-License-Identifier: Apache-2.0
-- atomic_lanes: asks for the lanes that execute and have no fault, in ascending order, once it may, and keeps each
-- one's answer; other SMs are kept from memory from the first answer until the last beat has left stage RESOLVE, and by
-- an instruction that no lane executes not at all; a reset forgets all.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.operands_pkg.all;
use work.memory_pkg.all;
use work.bench_pkg.all;

entity atomic_lanes_tb is
end entity atomic_lanes_tb;

architecture sim of atomic_lanes_tb is
  constant CORES : positive := 4;

  signal clk       : std_ulogic := '0';
  signal rst       : std_ulogic := '1';
  signal beat      : beat_t := BEAT_INIT;
  signal next_beat : beat_t := BEAT_INIT;                    -- in stage X2
  signal lanes     : lanes_to_execute_t(0 to CORES - 1);
  signal faults    : faults_lanes_t(0 to CORES - 1) := (others => (others => '0'));
  signal go        : std_ulogic := '0';
  signal leaves    : std_ulogic := '0';
  signal y_atomic  : std_ulogic := '0';
  signal acts      : std_ulogic_vector(CORES - 1 downto 0);
  signal blocks    : std_ulogic;
  signal old_word  : words_t(0 to CORES - 1);
  signal new_word  : words_t(0 to CORES - 1);
  signal request   : sm_to_atomic_unit_t;
  signal done      : std_ulogic := '0';
  signal answer    : word_t := (others => '0');
begin

  which_act : for l in 0 to CORES - 1 generate
    acts(l) <= lanes(l).exec and not or_reduce(faults(l));
  end generate which_act;

  u_dut : entity work.atomic_lanes
    generic map (CORES => CORES)
    port map (clk => clk, rst => rst, x2_beat_i => next_beat, beat_i => beat, lanes_i => lanes, acts_i => acts,
              go_i => go, leaves_i => leaves, resolve_atomic_i => y_atomic, blocks_o => blocks, old_o => old_word,
              new_o => new_word, request_o => request, done_i => done, old_i => answer, new_i => not answer);

  stimulus : process
    -- Brings a beat into stage X3, where an atomic one must stay; the one there, atomic or not, goes on to stage
    -- RESOLVE.
    procedure enter(mem : mem_t; last : std_ulogic; exec : std_ulogic_vector(CORES - 1 downto 0)) is
    begin
      y_atomic <= beat.valid and to_sl(beat.insn.control.mem = MEM_GLOBAL_ATOMIC);
      leaves   <= '1';
      next_beat.valid <= '1';
      next_beat.last  <= last;
      next_beat.insn.control.mem <= mem;
      wait for 1 ns;
      check(blocks = to_sl(mem = MEM_GLOBAL_ATOMIC), "what comes stays for a cycle, if it is atomic");
      tick(clk);
      leaves <= '0';
      beat   <= next_beat;
      next_beat.insn.control.mem <= MEM_GLOBAL_ATOMIC;
      for l in 0 to CORES - 1 loop
        lanes(l).exec <= exec(l);
      end loop;
      wait for 0 ns;
    end procedure enter;

    procedure must_lock(locks : std_ulogic; what : string) is
    begin
      wait for 1 ns;
      check(request.locks = locks, "other SMs, " & what);
    end procedure must_lock;

    -- The lane that is asked for, which is answered in the next cycle.
    procedure serve(lane : natural; locks : std_ulogic; more : std_ulogic := '0') is
    begin
      must_lock(locks, "lane " & integer'image(lane));
      check(blocks = '1' and request.valid = '1' and unsigned(request.address) = 16 + lane
            and unsigned(request.operand) = 32 + lane and unsigned(request.desired) = 48 + lane,
            "asks for lane " & integer'image(lane));
      answer <= std_ulogic_vector(to_unsigned(64 + lane, 32));
      done   <= '1';
      wait for 1 ns;
      check(blocks = more, "the beat stays while there are others");
      tick(clk);
      done <= '0';
      wait for 1 ns;
      check(unsigned(old_word(lane)) = 64 + lane and new_word(lane) = not old_word(lane), "its answer");
    end procedure serve;
  begin
    next_beat.insn.control.atomic     <= ATOMIC_CAS;
    next_beat.insn.control.mem_signed <= '1';
    for l in 0 to CORES - 1 loop
      lanes(l).src_a <= std_ulogic_vector(to_unsigned(16 + l, 32));
      lanes(l).src_b <= std_ulogic_vector(to_unsigned(48 + l, 32));
      lanes(l).src_c <= std_ulogic_vector(to_unsigned(32 + l, 32));
    end loop;
    tick(clk);
    rst <= '0';
    enter(MEM_GLOBAL_ATOMIC, '1', "0000");
    must_lock('0', "after the reset");
    check(blocks = '0' and request.valid = '0', "no lane to be served");

    -- two beats
    faults(1)(FAULT_GLOBAL_ALIGN) <= '1';
    enter(MEM_GLOBAL_ATOMIC, '0', "1011");
    must_lock('0', "an instruction in stage RESOLVE that no lane executed");
    check(blocks = '1' and request.valid = '0', "waits until it may");
    go <= '1';
    serve(0, '0', '1');
    check(request.op = ATOMIC_CAS and request.is_signed = '1', "the operation");
    serve(3, '1');
    check(blocks = '0' and request.valid = '0' and unsigned(old_word(0)) = 64
          and old_word(1) = x"00000000", "all are served but the lane with a fault");
    enter(MEM_GLOBAL_ATOMIC, '1', "0110");
    y_atomic <= '0';                                         -- the first one has left stage RESOLVE
    serve(2, '1');
    enter(MEM_NONE, '1', "1111");
    must_lock('1', "its last beat in stage RESOLVE");
    check(blocks = '0' and request.valid = '0', "not an atomic instruction");
    y_atomic <= '0';
    must_lock('0', "it has left");

    -- no lane executes it, behind a lane that was served
    enter(MEM_GLOBAL_ATOMIC, '1', "0001");
    serve(0, '0');
    enter(MEM_GLOBAL_ATOMIC, '1', "0000");
    must_lock('1', "behind an instruction");
    enter(MEM_GLOBAL_ATOMIC, '1', "0000");
    must_lock('0', "in stages X3 and RESOLVE");

    -- a reset between two lanes
    enter(MEM_GLOBAL_ATOMIC, '1', "1001");
    serve(0, '0', '1');
    rst <= '1';
    tick(clk);
    rst <= '0';
    serve(0, '0', '1');

    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
