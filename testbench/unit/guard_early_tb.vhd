-- SPDX-License-Identifier: Apache-2.0
-- guard_early: random writers of flags and branches pass a pipeline of the same stages, two rows each, which stops now
-- and then. In I and M, where it is known, a branch's guard must be what the flags say that all before it wrote, or
-- what the lanes' own files hold where nobody did. In M it must be known of a branch that was not answered in I, unless
-- it was known there up to a later row; in I unless such flags are on their way, or the copy was read for the one in A.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.isa_pkg.all;
use work.control_pkg.all;
use work.gpu_pkg.all;
use work.bench_pkg.all;

entity guard_early_tb is
end entity guard_early_tb;

architecture sim of guard_early_tb is
  constant CORES  : positive := 16;
  constant SEED   : positive := 5;
  constant CYCLES : positive := 20000;

  signal clk      : std_ulogic := '0';
  signal rst      : std_ulogic := '1';
  signal moves    : std_ulogic := '1';
  signal enters   : beat_t := BEAT_INIT;
  signal stages   : beats_t(1 to 6) := (others => BEAT_INIT);  -- I, A, M, O, X, Y
  signal done     : beat_t := BEAT_INIT;
  signal lanes    : lanes_done_t(0 to CORES - 1);
  signal known    : std_ulogic;
  signal m_known  : std_ulogic;
  signal taken    : std_ulogic;
  signal stays    : std_ulogic;

  -- a lane's own file, never written
  signal file_addr : unsigned(SLOT_BITS + 2 downto 0) := (others => '0');
  signal file_data : nibble_t;
begin

  u_dut : entity work.guard_early
    generic map (CORES => CORES, SEED => SEED)
    port map (clk => clk, rst => rst, moves_i => moves, enters_i => enters, stages_i => stages(1 to 5), done_i => done,
              lanes_i => lanes, i_known_o => known, m_known_o => m_known, taken_o => taken, stays_o => stays);

  u_files : entity work.lane_files
    generic map (REG_ADDR_BITS => 1, ROW_BITS => 1, SEED => SEED)
    port map (clk => clk, re_i => '1', a_addr_i => "0", b_addr_i => "0", c_addr_i => "0", a_o => open, b_o => open,
              c_o => open, we_i => "00", waddr_i => "0", wdata_i => (others => '0'), flags_addr_i => file_addr,
              flags_o => file_data, flags_we_i => '0', flags_waddr_i => (others => '0'), flags_wdata_i => "0000",
              areg_re_i => '0', areg_addr_i => (others => '0'), areg_o => open, areg_we_i => '0',
              areg_waddr_i => (others => '0'), areg_wdata_i => (others => '0'));

  stimulus : process
    type expected_t is record
      taken, stays : std_ulogic;
    end record;
    type expecteds_t is array (1 to 6) of expected_t;
    -- what a lane of a beat writes
    type written_t is array (1 to 6) of lanes_done_t(0 to CORES - 1);
    type flags_t is array (0 to 2 ** (SLOT_BITS + 3) - 1) of nibbles_t(0 to CORES - 1);

    variable random   : random_t;
    variable flags    : flags_t;                             -- by slot, C register, row
    variable expected : expecteds_t;
    variable results  : written_t;
    variable now_at   : expected_t;
    variable writes   : lanes_done_t(0 to CORES - 1);
    variable beat     : beat_t;
    variable place    : natural;
    variable executes : std_ulogic;
    variable common   : nibble_t;                            -- flags of most lanes, so that they often agree
    variable clash    : boolean;
    variable pending  : boolean;
    variable must_know : boolean := false;
    variable must_m    : boolean := false;
    variable rows_known : boolean := false;                  -- in I, with the rows before it
    variable in_i, in_m, stopped : natural := 0;             -- what was seen

    function is_branch(b : beat_t) return boolean is
    begin
      return b.valid = '1' and b.insn.control.set_c = '0';
    end function is_branch;

    -- A writer of flags or a branch, in one of two warps.
    impure function instruction return beat_t is
      variable b : beat_t := BEAT_INIT;
    begin
      b.valid     := to_sl(random.draw(4) /= 0);
      b.insn.slot := to_unsigned(3 + 28 * random.draw(2), SLOT_BITS);
      for l in lane_mask_t'range loop
        b.insn.state.active(l) := to_sl(random.draw(8) /= 0);
      end loop;
      if random.draw(3) = 0 then
        b.insn.control.set_c := '1';
        b.insn.control.c_dst := to_unsigned(random.draw(2), 2);
        b.insn.control.lane_mask := "1111";
        if random.draw(4) = 0 then
          b.insn.control.lane_mask := std_ulogic_vector(to_unsigned(random.draw(16), 4));
        end if;
      else
        b.insn.control.flow := FLOW_BRA;
        if random.draw(3) = 0 then
          b.insn.control.flow := FLOW_RET;
        elsif random.draw(3) = 0 then
          b.insn.control.flow := FLOW_BRK;
        end if;
        b.insn.hi(13 downto 12) := std_ulogic_vector(to_unsigned(random.draw(3), 2));  -- C2 is never written
        b.insn.hi(11 downto 7)  := std_ulogic_vector(to_unsigned(random.draw(20), 5));
      end if;
      return b;
    end function instruction;
  begin
    done.valid <= '1';                                       -- while it is reset, nothing is written
    done.insn.slot <= to_unsigned(3, SLOT_BITS);
    done.insn.control.set_c <= '1';
    done.insn.control.c_dst <= "10";
    done.insn.control.lane_mask <= "1111";
    lanes <= (others => (exec => '1', flags => "0101", areg => (others => '0'), others => (others => '0')));
    stages(2).insn.control.flow <= FLOW_BRA;
    for i in flags'range loop
      file_addr <= to_unsigned(i, file_addr'length);
      stages(2).valid <= to_sl(i mod 2 = 0);
      tick(clk);
      assert known = '0' and m_known = '0' report "something is known in the reset" severity failure;
      flags(i) := (others => file_data);
    end loop;
    rst <= '0';
    stages <= (others => BEAT_INIT);

    for cycle in 1 to CYCLES loop
      -- what enters: the second row of what entered before, or another that need not wait for flags
      beat := enters;
      if beat.valid = '1' and beat.row = 0 then
        beat.row := "01";
      else
        beat  := instruction;
        clash := false;
        for s in 1 to 3 loop
          clash := clash or (stages(s).valid = '1' and stages(s).insn.control.set_c = '1'
                             and stages(s).insn.slot = beat.insn.slot
                             and stages(s).insn.control.c_dst = unsigned(beat.insn.hi(13 downto 12))
                             and s < 4 - to_integer(stages(s).row));
        end loop;
        if clash and is_branch(beat) then
          beat.valid := '0';
        end if;
      end if;
      enters <= beat;

      now_at := ('0', '0');
      if is_branch(beat) then
        place := to_integer(beat.insn.slot & unsigned(beat.insn.hi(13 downto 12)) & beat.row(0));
        for l in 0 to CORES - 1 loop
          executes := COND_LUT(to_integer(unsigned(beat.insn.hi(11 downto 7))))(to_integer(unsigned(flags(place)(l))));
          if beat.insn.state.active(CORES * to_integer(beat.row) + l) = '1' then
            now_at.taken := now_at.taken or executes;
            now_at.stays := now_at.stays or not executes;
          end if;
        end loop;
      elsif beat.valid = '1' then
        place := to_integer(beat.insn.slot & beat.insn.control.c_dst & beat.row(0));
        common := std_ulogic_vector(to_unsigned(random.draw(16), 4));
        for l in 0 to CORES - 1 loop
          writes(l).exec  := beat.insn.state.active(CORES * to_integer(beat.row) + l) and to_sl(random.draw(32) /= 0);
          writes(l).flags := common;
          if random.draw(32) = 0 then
            writes(l).flags := std_ulogic_vector(to_unsigned(random.draw(16), 4));
          end if;
          if writes(l).exec = '1' and beat.insn.control.lane_mask(l mod 4) = '1' then
            flags(place)(l) := writes(l).flags;
          end if;
        end loop;
      end if;

      -- some cycles in which nothing moves
      loop
        moves <= to_sl(random.draw(4) /= 0);
        wait for 0 ns;
        done       <= stages(6);
        done.valid <= stages(6).valid and moves;
        lanes      <= results(6);
        wait for 1 ns;
        assert cycle < 3 or m_known = to_sl(must_m) report "known in M, cycle " & integer'image(cycle) severity failure;
        if must_m then
          assert taken = expected(3).taken and stays = expected(3).stays
            report "in M, cycle " & integer'image(cycle) severity failure;
          assert known = '0' report "what is of M is not of I" severity failure;
          in_m := in_m + 1;
        elsif is_branch(stages(1)) and known = '1' then
          assert taken = expected(1).taken and stays = expected(1).stays
            report "in I, cycle " & integer'image(cycle) severity failure;
          in_i := in_i + 1;
        end if;
        assert not is_branch(stages(1)) or known = to_sl(must_know)
          report "known in I, cycle " & integer'image(cycle) severity failure;
        exit when moves = '1';
        stopped := stopped + 1;
        tick(clk);
      end loop;

      pending := false;
      for s in 1 to 5 loop
        pending := pending or (stages(s).valid = '1' and stages(s).insn.control.set_c = '1'
                               and stages(s).insn.slot = beat.insn.slot and stages(s).row = beat.row
                               and stages(s).insn.control.c_dst = unsigned(beat.insn.hi(13 downto 12)));
      end loop;
      must_m    := is_branch(stages(2)) and stages(2).insn.early = '0' and not (rows_known and stages(1).row /= 0);
      must_know := not pending and not must_m;
      rows_known := must_know and (rows_known or beat.row = 0);

      tick(clk);
      stages   <= beat & stages(1 to 5);
      stages(2).insn.early <= stages(1).insn.early or random.flag(2);
      expected := now_at & expected(1 to 5);
      results  := writes & results(1 to 5);
      wait for 0 ns;
    end loop;

    assert in_i > CYCLES / 20 and in_m > CYCLES / 20 and stopped > CYCLES / 20 report "too little was seen"
      severity failure;
    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
