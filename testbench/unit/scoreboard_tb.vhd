-- SPDX-License-Identifier: Apache-2.0
-- scoreboard: against a list of the loads that are under way and the set of registers that each instruction touches.
-- An instruction asks one cycle before it may issue, and waits for what it needs, and for nothing else: registers,
-- slots and flags are drawn to be those of an instruction ahead, or of one bit difference. What one meets while it
-- waits in HOLD is looked at in issue_tb.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.bench_pkg.all;

entity scoreboard_tb is
end entity scoreboard_tb;

architecture sim of scoreboard_tb is
  constant WARPS  : positive := 32;
  constant LOADS  : positive := 64;                          -- the most that an SM has
  constant CYCLES : positive := 12000;

  signal clk                      : std_ulogic := '0';
  signal rst                      : std_ulogic := '1';
  signal asking_slot              : slot_t := (others => '0'); -- the warp that asks
  signal asking                   : control_t := CONTROL_INIT;
  signal slot                     : slot_t := (others => '0'); -- the warp in HOLD
  signal control                  : control_t := CONTROL_INIT;
  signal stages                   : beats_t(1 to WRITER_STAGES) := (others => BEAT_INIT);
  signal moves                    : stages_to_issue_t := (front => '1', back => '1');
  signal begun, issues, load_done : std_ulogic := '0';
  signal load_slot                : slot_t := (others => '0');
  signal clash                    : clash_t;
  signal busy, full               : std_ulogic;
  signal load_busy                : std_ulogic_vector(WARPS - 1 downto 0);

  subtype registers_t is std_ulogic_vector(127 downto 0);    -- a set of them

  function is_register(from : source_t) return boolean is
  begin
    return from = SRC_REG32 or from = SRC_REG16;
  end function is_register;

  -- The registers of an access: as many as it has words, the first number a multiple of that.
  function registers(reg : reg_t; size : size_t) return registers_t is
    variable set   : registers_t := (others => '0');
    variable words : positive := 1;
  begin
    if size = SIZE_8 then
      words := 2;
    elsif size = SIZE_16 then
      words := 4;
    end if;
    for r in set'range loop
      set(r) := to_sl(r / words = to_integer(reg) / words);
    end loop;
    return set;
  end function registers;

  -- Registers that an instruction reads or writes, except the destination of a load: loads come back in order.
  function touched(c : control_t) return registers_t is
    variable set : registers_t := (others => '0');
  begin
    if is_register(c.src_a_from) then
      set := set or registers(c.src_a_reg, SIZE_1);
    end if;
    if is_register(c.src_b_from) then
      set := set or registers(c.src_b_reg, SIZE_1);
    end if;
    if is_register(c.src_c_from) or c.mem = MEM_GLOBAL_STORE or c.mem = MEM_LOCAL_STORE then
      if is_register(c.src_c_from) or c.mem_size = SIZE_8 or c.mem_size = SIZE_16 then
        set := set or registers(c.src_c_reg, c.mem_size);
      end if;
    end if;
    if c.dst /= DST_NONE and c.mem /= MEM_GLOBAL_LOAD and c.mem /= MEM_LOCAL_LOAD then
      set := set or registers(c.dst_reg, SIZE_1);
    end if;
    return set;
  end function touched;

  -- Does what issues now, as `c`, come too early behind a beat that issued `ahead` beats before?
  function too_early(c, p : control_t; ahead : positive) return boolean is
    variable early : boolean := false;
    variable late  : boolean;                                -- p is written late
    variable distance : positive := RESULT_DISTANCE + ALU_STAGES;
  begin
    late := p.float /= FLOAT_NONE or p.special /= SPECIAL_NONE;
    if late then
      distance := RESULT_DISTANCE + FLOAT_STAGES;
    end if;
    if ahead < distance then
      if p.dst /= DST_NONE then
        early := (is_register(c.src_a_from) and c.src_a_reg = p.dst_reg)
                 or (is_register(c.src_b_from) and c.src_b_reg = p.dst_reg)
                 -- of a wide store all its words
                 or (is_register(c.src_c_from)
                     and or_reduce(registers(c.src_c_reg, c.mem_size) and registers(p.dst_reg, SIZE_1)) = '1');
      end if;
      if p.creg_set = '1' and p.creg_dst = c.creg then
        early := early or (c.has_guard = '1' and c.cond /= 15) or c.carry = '1' or c.src_a_from = SRC_CREG;
      end if;
      -- Nor may c write before what it writes over.
      if late and p.dst /= DST_NONE and c.dst /= DST_NONE and p.dst_reg = c.dst_reg then
        early := true;
      end if;
      if late and p.creg_set = '1' and c.creg_set = '1' and p.creg_dst = c.creg_dst then
        early := true;
      end if;
    end if;
    if ahead < AREG_DISTANCE and c.areg /= 0 then
      early := early or (p.areg_set = '1' and p.areg_dst = c.areg) or (p.areg_inc = '1' and p.areg = c.areg);
    end if;
    return early;
  end function too_early;
begin

  u_dut : entity work.scoreboard
    generic map (WARPS => WARPS, LOADS => LOADS, HAS_LATE => true)
    port map (clk => clk, rst => rst, stages_i => stages, moves_i => moves, asking_slot_i => asking_slot,
              asking_control_i => asking, clash_o => clash, busy_o => busy, takes_i => '0', held_o => open,
              slot_i => slot, control_i => control, begun_i => begun, full_o => full,
              issues_i => issues, load_done_i => load_done, load_slot_i => load_slot, load_busy_o => load_busy);

  stimulus : process
    type load_t is record
      slot  : slot_t;
      brings : registers_t;
    end record;
    type loads_t is array (0 to LOADS - 1) of load_t;
    variable under_way                              : loads_t; -- the oldest first
    variable count                                  : natural := 0;
    variable newest                                 : load_t; -- issued in the cycle before: its warp does not ask yet
    variable issued                                 : boolean := false; -- a load was issued in the cycle before
    constant SEED                                   : positive := 7;
    variable random                                 : random_t;
    variable c, h                                   : control_t; -- of the instruction that asks, and of that in HOLD
    variable beat                                   : beats_t(1 to WRITER_STAGES) := (others => BEAT_INIT);
    variable near_reg                               : reg_t := (others => '0'); -- near what others use
    variable must_clash, must_busy, is_load, starts : boolean;
    variable warps_busy, warps_were_busy            : std_ulogic_vector(WARPS - 1 downto 0) := (others => '0');
    variable clashes, waits, refused                : natural := 0;

    impure function near(value : unsigned) return unsigned is
    begin
      if random.draw(2) = 0 then
        return value;
      end if;
      return value xor shift_left(to_unsigned(1, value'length), random.draw(value'length));
    end function near;

    impure function source return source_t is
    begin
      if random.draw(2) = 0 then
        return source_t'val(random.draw(source_t'pos(source_t'high) + 1));
      end if;
      return SRC_REG32;
    end function source;

    impure function drawn_control return control_t is
      variable d : control_t := CONTROL_INIT;
    begin
      d.src_a_from := source;
      d.src_b_from := source;
      d.src_a_reg  := near(near_reg);
      d.src_b_reg  := near(near_reg);
      d.src_c_reg  := near(near_reg);
      d.dst_reg := near(near_reg);
      d.dst    := dest_t'val(random.draw(3));
      d.mem    := mem_t'val(random.draw(mem_t'pos(mem_t'high) + 1));
      if d.mem = MEM_GLOBAL_LOAD or d.mem = MEM_LOCAL_LOAD or d.mem = MEM_GLOBAL_STORE or d.mem = MEM_LOCAL_STORE then
        d.mem_size := std_ulogic_vector(to_unsigned(random.draw(5), 3));
      end if;
      if d.mem /= MEM_GLOBAL_LOAD and d.mem /= MEM_LOCAL_LOAD then
        d.src_c_from := source;
      end if;
      d.creg_set := random.flag(3);
      d.creg_dst := to_unsigned(random.draw(4), 2);
      d.creg  := to_unsigned(random.draw(4), 2);
      d.carry := random.flag(4);
      d.has_guard := random.flag(3);
      d.cond  := to_unsigned(15 - random.draw(2) * random.draw(16), d.cond'length);
      d.areg  := to_unsigned(random.draw(5), 3);
      d.areg_dst := to_unsigned(random.draw(5), 3);
      d.areg_set := random.flag(4);
      d.areg_inc := random.flag(4);
      if random.draw(4) = 0 then
        d.float := FLOAT_ADD;
      elsif random.draw(4) = 0 then
        d.special := SPECIAL_RCP;
      end if;
      return d;
    end function drawn_control;
  begin
    random.start(SEED);
    report "seed " & integer'image(SEED);
    tick(clk);
    rst <= '0';
    for cycle in 1 to CYCLES loop
      -- an instruction in HOLD, others ahead of it in the pipeline, few of them its own warp's
      if random.draw(4) = 0 then
        near_reg := to_unsigned(random.draw(128), near_reg'length);
      end if;
      slot <= to_unsigned(random.draw(3) * random.draw(2) * 15, slot'length);
      asking_slot <= to_unsigned(random.draw(3) * random.draw(2) * 15, slot'length);
      c := drawn_control;
      h := drawn_control;
      asking  <= c;
      control <= h;
      moves.front <= not random.flag(4);
      wait for 0 ns;
      must_clash := false;
      for s in beat'range loop
        beat(s).valid := random.flag(3);
        beat(s).row   := to_unsigned(random.draw(4), row_t'length);
        beat(s).insn.slot := near(asking_slot);
        beat(s).insn.control := drawn_control;
        if beat(s).valid = '1' and beat(s).insn.slot = asking_slot
          and too_early(c, beat(s).insn.control, s + to_integer(beat(s).row) + boolean'pos(moves.front = '1'))
        then
          must_clash := true;
        end if;
      end loop;
      stages <= beat;
      begun  <= random.flag(4);
      load_done <= '0';
      load_slot <= to_unsigned(random.draw(WARPS), load_slot'length);
      if count > 0 and random.draw(16) = 0 then
        load_done <= '1';
        load_slot <= under_way(0).slot;
      end if;
      issues <= '0';
      wait for 1 ns;

      must_busy := false;
      for l in 0 to count - 1 loop
        if under_way(l).slot = asking_slot and or_reduce(under_way(l).brings and touched(c)) = '1' then
          must_busy := true;
        end if;
      end loop;
      is_load := h.mem = MEM_GLOBAL_LOAD or h.mem = MEM_LOCAL_LOAD;
      starts  := is_load and begun = '0';
      check((clash(1) or clash(2)) = to_sl(must_clash), "needs what is in the pipeline: " & to_string(clash));
      check(busy = to_sl(must_busy), "needs what a load will bring: " & to_string(busy));
      check(full = to_sl(starts and count + boolean'pos(issued) = LOADS), "has no room for a load: " & to_string(full));
      if must_clash then
        clashes := clashes + 1;
      end if;
      if must_busy then
        waits := waits + 1;
      end if;
      if full = '1' then
        refused := refused + 1;
      end if;

      if full = '0' and random.draw(3) /= 0 then
        issues <= '1';
        stages <= (others => BEAT_INIT);                     -- an instruction that issues meets nothing
        wait for 0 ns;
      end if;
      if random.draw(500) = 0 then
        rst <= '1';
      end if;
      tick(clk);
      if load_done = '1' then
        under_way(0 to LOADS - 2) := under_way(1 to LOADS - 1);
        count := count - 1;
      end if;
      if issued then
        under_way(count) := newest;
        count := count + 1;
      end if;
      issued := issues = '1' and starts;
      newest := (slot => slot, brings => registers(h.dst_reg, h.mem_size));
      if rst = '1' then
        count  := 0;
        issued := false;
        rst   <= '0';
        warps_busy := (others => '0');
      end if;
      warps_were_busy := warps_busy;
      warps_busy := (others => '0');
      for l in 0 to count - 1 loop
        warps_busy(to_integer(under_way(l).slot)) := '1';
      end loop;
      check(load_busy = (warps_busy or warps_were_busy), "warps that have loads under way, or had: "
            & to_string(load_busy) & ", must be " & to_string(warps_busy or warps_were_busy));
    end loop;
    check(clashes > CYCLES / 20 and waits > CYCLES / 20 and refused > CYCLES / 100,
          "each of these came: " & to_string(clashes) & " " & to_string(waits) & " " & to_string(refused));
    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
