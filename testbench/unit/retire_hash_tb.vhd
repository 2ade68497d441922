-- SPDX-License-Identifier: Apache-2.0
-- retire_hash: three instructions of a warp (an addition, a load of 64 bits, a store) have the hash that
-- loader/test/test_hash.c has of them, in any order of rows, words and load beats; other blocks, and
-- instructions from the limit on, are left out; the instruction that is watched, and no other, is kept.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.bench_pkg.all;
use work.board_pkg.all;
use work.gpu_pkg.all;
use work.retire_pkg.all;

entity retire_hash_tb is
end entity retire_hash_tb;

architecture sim of retire_hash_tb is
  constant CORES : positive := 8;
  constant WARP  : natural  := 2;
  constant INSNS : word_t   := x"6175697f";                  -- of all three
  constant LOADS : word_t   := x"e803980c";

  subtype lanes_t is retire_lanes_t(0 to CORES - 1);
  type order_t is array (0 to 3) of natural;

  signal clk    : std_ulogic := '0';
  signal rst    : std_ulogic := '1';
  signal retire : retire_t := RETIRE_INIT;
  signal lanes  : lanes_t := (others => RETIRE_LANE_INIT);
  signal we     : std_ulogic := '0';
  signal adr    : unsigned(9 downto 0) := (others => '0');
  signal dat, answer : word_t := (others => '0');
  signal busy   : std_ulogic;

  function word(n : natural) return word_t is
  begin
    return std_ulogic_vector(to_unsigned(n, 32));
  end function word;

  function bits(n, count : natural) return std_ulogic_vector is
  begin
    return std_ulogic_vector(to_unsigned(n, count));
  end function bits;

  -- The fields that all beats of instruction n report.
  function common(n, slot, block_x : natural) return retire_t is
    variable r : retire_t := RETIRE_INIT;
  begin
    r.valid   := '1';
    r.slot    := bits(slot, 8);
    r.block_x := bits(block_x, 16);
    r.warp    := bits(WARP, 8);
    r.pc      := bits(16 + 8 * n, 24);
    r.word_lo := word(16#20000001# + n);
    r.word_hi := x"04000780";
    r.active  := x"ffffffff";
    r.next_active := x"ffffffff";
    r.next_pc := bits(24 + 8 * n, 24);
    r.depth   := x"01";
    case n is
      when 0 =>
        r.dst_kind := "01";
        r.dst_reg  := x"05";
        r.c_reg    := "01";
      when 1 =>
        r.dst_kind := "01";
        r.dst_reg  := x"06";
        r.mem_kind := "001";
        r.mem_bytes := "01000";
        r.pending  := '1';
      when others =>
        r.mem_kind := "011";
        r.mem_bytes := "00100";
        r.a_reg    := "001";
        r.next_pc  := (others => '0');
        r.next_active := (others => '0');
        r.state    := "10";
    end case;
    return r;
  end function common;

  function lane_of(n, lane, part : natural) return retire_lane_t is
    variable l : retire_lane_t := RETIRE_LANE_INIT;
  begin
    l.exec := '1';
    l.dst  := x"deadbeef";                                   -- means nothing where no mask says so
    l.data := x"deadbeef";
    case n is
      when 0 =>
        l.dst_mask := '1';
        l.dst      := bits(lane, 8) & bits(lane, 8) & bits(lane, 8) & bits(lane, 8);
        l.c_mask   := '1';
        l.c        := bits(lane mod 16, 4);
      when 1 =>
        l.exec     := to_sl(lane < 16);
        l.mem_mask := l.exec;
        l.data     := (others => '0');
        if part = 0 then
          l.addr := word(256 + 8 * lane);
        end if;
      when others =>
        l.mem_mask := '1';
        l.addr     := word(32 + 4 * lane);
        l.data     := word(lane * 16#00100401#);
        l.a_mask   := '1';
        l.a        := bits(64 + lane, 16);
    end case;
    return l;
  end function lane_of;

begin

  u_hash : entity work.retire_hash
    generic map (CORES => CORES, SEED => 1)
    port map (clk => clk, rst => rst, retire_i => retire, lanes_i => lanes, we_i => we, adr_i => adr, dat_i => dat,
              dat_o => answer, busy_o => busy);

  stimulus : process
    procedure idle(cycles : natural) is
    begin
      retire <= RETIRE_INIT;
      lanes  <= (others => RETIRE_LANE_INIT);
      for i in 1 to cycles loop
        tick(clk);
      end loop;
    end procedure idle;

    procedure write_word(at : natural; value : word_t) is
    begin
      adr <= to_unsigned(at - BOARD_HASH_FROM, 10);
      dat <= value;
      we  <= '1';
      tick(clk);
      we  <= '0';
      while busy = '1' loop
        tick(clk);
      end loop;
    end procedure write_word;

    procedure expect(at : natural; value : word_t; what : string) is
    begin
      adr <= to_unsigned(at - BOARD_HASH_FROM, 10);
      idle(2);
      assert answer = value
        report what & ": " & to_hstring(answer) & ", not " & to_hstring(value) severity failure;
    end procedure expect;

    procedure set_up(from, to_block, limit, watch, pick : natural) is
    begin
      write_word(BOARD_HASH_FROM, word(from));
      write_word(BOARD_HASH_TO, word(to_block));
      write_word(BOARD_HASH_WATCH, word(WARP * 2 ** 24 + watch));
      write_word(BOARD_HASH_PICK, word(pick));
      write_word(BOARD_HASH_LIMITS + 4 * WARP, word(limit));
      write_word(BOARD_HASH_CLEAR, word(0));
    end procedure set_up;

    procedure put_row(n, slot, block_x, row, part : natural; last : boolean) is
    begin
      retire <= common(n, slot, block_x);
      retire.row  <= bits(row, 2);
      retire.part <= bits(part, 2);
      retire.last <= to_sl(last);
      for l in 0 to CORES - 1 loop
        lanes(l) <= lane_of(n, row * CORES + l, part);
      end loop;
      tick(clk);
      idle(0);
    end procedure put_row;

    procedure put_insn(n, slot, block_x : natural; order : order_t) is
    begin
      for i in order'range loop
        if n = 1 then
          put_row(n, slot, block_x, order(i), 1, false);
          put_row(n, slot, block_x, order(i), 0, i = 3);
        else
          put_row(n, slot, block_x, order(i), 0, i = 3);
        end if;
      end loop;
    end procedure put_insn;

    procedure put_load(row, part : natural; last : boolean) is
    begin
      retire.load_valid <= '1';
      retire.load_row   <= bits(row, 2);
      retire.load_part  <= bits(part, 2);
      retire.load_last  <= to_sl(last);
      for l in 0 to CORES - 1 loop
        lanes(l).load_mask <= '1';
        lanes(l).dst       <= x"cafe0000" or word(row * CORES + l);
        if part = 1 then
          lanes(l).dst <= x"beef0000" or word(row * CORES + l);
        end if;
      end loop;
      tick(clk);
      idle(0);
    end procedure put_load;

    procedure put_loads(order : order_t; first, last : natural) is
    begin
      for i in first to last loop
        put_load(order(i) / 2, order(i) mod 2, i = 3);
      end loop;
    end procedure put_loads;

    procedure expect_sums(insn_sum, load_sum : word_t; count : natural; what : string) is
    begin
      idle(10);
      expect(BOARD_HASH_INSNS + 4 * WARP, insn_sum, what & ", instructions");
      expect(BOARD_HASH_LOADS + 4 * WARP, load_sum, what & ", loads");
      expect(BOARD_HASH_COUNTS + 4 * WARP, word(count), what & ", count");
      expect(BOARD_HASH_COUNTS + 4 * WARP + 4, word(0), what & ", count of another warp");
    end procedure expect_sums;

    constant ALL_OF_THEM : natural := 16#ffffff#;
    constant UPWARD   : order_t := (0, 1, 2, 3);
    constant DOWNWARD : order_t := (3, 2, 1, 0);
  begin
    idle(2);
    rst <= '0';

    -- loads behind their instruction
    set_up(0, ALL_OF_THEM, ALL_OF_THEM, ALL_OF_THEM, 0);
    put_insn(0, 3, 1, UPWARD);
    put_insn(1, 3, 1, UPWARD);
    put_loads(UPWARD, 0, 3);
    put_insn(2, 3, 1, UPWARD);
    expect_sums(INSNS, LOADS, 3, "in order");
    expect(BOARD_HASH_SEEN, word(0), "nothing was watched");

    -- Some come before it, in the slot that the warp before has left; all come before its own last beat.
    set_up(1, 1, 3, 1, 4);
    put_insn(0, 3, 1, DOWNWARD);
    put_loads(DOWNWARD, 0, 1);
    put_insn(1, 3, 1, DOWNWARD);
    put_insn(2, 3, 1, DOWNWARD);
    put_loads(DOWNWARD, 2, 3);
    expect_sums(INSNS, LOADS, 3, "in another order");
    expect(BOARD_HASH_SEEN, word(3), "the load was watched");
    expect(BOARD_HASH_CAPTURED + 4 * 40, word(255), "lanes of the load");
    for l in 0 to CORES - 1 loop
      expect(BOARD_HASH_CAPTURED + 4 * (41 + l), x"beef0000" or word(l), "word 1 of the load");
    end loop;
    set_up(1, 1, 3, 2, 2);
    put_insn(0, 3, 1, UPWARD);
    put_loads(DOWNWARD, 0, 3);
    put_insn(1, 3, 1, DOWNWARD);
    put_insn(2, 3, 1, DOWNWARD);
    expect_sums(INSNS, LOADS, 3, "loads first");
    expect(BOARD_HASH_SEEN, word(1), "the store was watched");
    expect(BOARD_HASH_CAPTURED + 4, x"00400000", "its warp, from bit 53 of the port on");

    -- other blocks, another slot, and a limit that leaves the store out: two sums that together are all
    set_up(2, 3, ALL_OF_THEM, 0, 0);
    put_insn(0, 3, 1, UPWARD);
    expect_sums(word(0), word(0), 0, "other blocks");
    set_up(0, 1, 0, 0, 0);
    put_insn(0, 3, 1, UPWARD);
    expect_sums(word(0), word(0), 0, "no instruction");
    expect(BOARD_HASH_SEEN, word(1), "watched, and not hashed");
    set_up(0, 1, 2, 0, 0);
    put_insn(0, 4, 1, UPWARD);
    put_insn(1, 4, 1, UPWARD);
    put_loads(UPWARD, 0, 3);
    put_insn(2, 4, 1, UPWARD);
    idle(10);
    expect(BOARD_HASH_LOADS + 4 * WARP, LOADS, "the load, in another slot");
    expect(BOARD_HASH_COUNTS + 4 * WARP, word(2), "two of three");
    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
