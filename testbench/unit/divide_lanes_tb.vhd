-- SPDX-License-Identifier: Apache-2.0
-- divide_lanes: a division stays in stage X3 for ten cycles for each lane of a unit, then its lanes have quotients or
-- remainders, also by zero and of the most negative number; what is no division passes; a trap that takes the beat
-- away, and a reset, leave nothing behind.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.operands_pkg.all;
use work.bench_pkg.all;

entity divide_lanes_tb is
end entity divide_lanes_tb;

architecture sim of divide_lanes_tb is
  constant CORES : positive := 4;
  constant SHARE : positive := 2;
  constant CYCLES : positive := 10 * SHARE;

  signal clk       : std_ulogic := '0';
  signal rst       : std_ulogic := '1';
  signal beat      : beat_t := BEAT_INIT;
  signal next_beat : beat_t := BEAT_INIT;                    -- in stage X2
  signal lanes     : lanes_to_execute_t(0 to CORES - 1) := (others => LANE_TO_EXECUTE_INIT);
  signal leaves    : std_ulogic := '0';
  signal blocks    : std_ulogic;
  signal result    : words_t(0 to CORES - 1);
begin

  u_dut : entity work.divide_lanes
    generic map (CORES => CORES, DIVIDERS => CORES / SHARE)
    port map (clk => clk, rst => rst, x2_beat_i => next_beat, beat_i => beat, lanes_i => lanes, leaves_i => leaves,
              blocks_o => blocks, result_o => result);

  stimulus : process
    -- Brings a beat into stage X3, where a division must stay.
    procedure enter(divides, remainder, is_signed : std_ulogic) is
    begin
      leaves <= '1';
      next_beat.valid <= '1';
      next_beat.insn.control.alu    <= ALU_MUL_WORD;
      if divides = '1' then
        next_beat.insn.control.alu <= ALU_DIVIDE;
      end if;
      next_beat.insn.control.mul_hi <= remainder;
      next_beat.insn.control.sign_a <= is_signed;
      wait for 1 ns;
      check(blocks = divides, "what comes stays, if it is a division");
      tick(clk);
      leaves <= '0';
      beat   <= next_beat;
      wait for 1 ns;
    end procedure enter;

    -- It is blocked until the results are there in the next cycle.
    procedure must_take(count : natural) is
    begin
      for i in 2 to count loop
        check(blocks = '1', "it stays, cycle " & integer'image(i - 1));
        tick(clk);
        wait for 1 ns;
      end loop;
      check(blocks = '0', "its last cycle");
      tick(clk);
      wait for 1 ns;
      check(blocks = '0', "it may leave");
    end procedure must_take;

    procedure must_be(expected : words_t(0 to CORES - 1); what : string) is
    begin
      for l in 0 to CORES - 1 loop
        check(result(l) = expected(l), what & " of lane " & integer'image(l));
      end loop;
    end procedure must_be;
  begin
    lanes(0).src_a <= x"fffffff9";
    lanes(0).src_b <= x"00000002";
    lanes(1).src_a <= x"00000007";
    lanes(1).src_b <= x"fffffffe";
    lanes(2).src_a <= x"80000000";
    lanes(2).src_b <= x"ffffffff";
    lanes(3).src_a <= x"00000005";
    lanes(3).src_b <= x"00000000";
    tick(clk);
    rst <= '0';

    enter('1', '0', '0');
    must_take(CYCLES);
    must_be((x"7ffffffc", x"00000000", x"00000000", x"ffffffff"), "quotient");
    enter('1', '1', '0');
    must_take(CYCLES);
    must_be((x"00000001", x"00000007", x"80000000", x"ffffffff"), "remainder");
    enter('1', '0', '1');
    must_take(CYCLES);
    must_be((x"fffffffd", x"fffffffd", x"80000000", x"ffffffff"), "signed quotient");
    enter('1', '1', '1');
    must_take(CYCLES);
    must_be((x"ffffffff", x"00000001", x"00000000", x"ffffffff"), "signed remainder");

    enter('0', '0', '0');
    check(blocks = '0', "a product passes");
    must_be((others => x"00000000"), "nothing");

    -- a trap takes it away
    enter('1', '0', '0');
    tick(clk);
    tick(clk);
    beat.valid <= '0';
    wait for 1 ns;
    check(blocks = '0', "nothing is left");
    tick(clk);
    enter('1', '0', '0');
    must_take(CYCLES);

    -- a reset
    enter('1', '1', '0');
    tick(clk);
    tick(clk);
    rst <= '1';
    tick(clk);
    rst <= '0';
    wait for 1 ns;
    must_take(CYCLES);
    must_be((x"00000001", x"00000007", x"80000000", x"ffffffff"), "remainder, begun again");

    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
