-- SPDX-License-Identifier: Apache-2.0
-- Scoreboard, beside stages CHECK and HOLD: may this instruction issue in the next cycle? A reader keeps a minimum
-- distance, in beats, behind the writer of its source: RESULT_DISTANCE or FLOAT_STAGES for R, ALU_STAGES for C,
-- AREG_DISTANCE for A. Registers of loads are busy until the load returns; up to LOADS are in flight, in order.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;

entity scoreboard is
  generic (
    WARPS : positive;
    LOADS : positive;                                        -- under way at a time, a power of two
    HAS_LATE : boolean                                       -- some results are late
  );
  port (
    clk      : in  std_ulogic;
    rst      : in  std_ulogic;
    stages_i : in  beats_t(1 to WRITER_STAGES);              -- beats from ROWS to RESOLVE, by distance from issue
    moves_i  : in  stages_to_issue_t;
    -- the instruction in CHECK; of a wide access the registers of its first word stand for all
    asking_slot_i    : in slot_t;
    asking_control_i : in control_t;
    clash_o          : out clash_t;                          -- it needs a result in that half of the stages
    busy_o           : out std_ulogic;                       -- it needs a register that a load will write
    takes_i          : in  std_ulogic;                       -- HOLD takes the instruction in CHECK
    -- the instruction in HOLD
    held_o      : out clash_t;                               -- it still needs a result in that half of the stages
    slot_i      : in  slot_t;
    control_i   : in  control_t;
    begun_i     : in  std_ulogic;                            -- words of it have issued
    full_o      : out std_ulogic;                            -- it is a load for which there is no room
    issues_i    : in  std_ulogic;                            -- it issues
    -- loads
    load_done_i : in  std_ulogic;                            -- the oldest load is back, of this warp
    load_slot_i : in  slot_t;
    load_busy_o : out std_ulogic_vector(WARPS - 1 downto 0)  -- warps that have loads, or had one cycle ago
  );
end entity;

architecture rtl of scoreboard is

  type load_t is record
    valid  : std_ulogic;
    newest : std_ulogic;                                     -- of its warp
    slot   : slot_t;
    reg    : reg_t;                                          -- one of the registers that the load writes
    last   : part_t;                                         -- number of the last of them: 0, 1 or 3
  end record;
  type loads_t is array (0 to LOADS - 1) of load_t;

  subtype loads_mask_t is std_ulogic_vector(LOADS - 1 downto 0);
  subtype warps_t is std_ulogic_vector(WARPS - 1 downto 0);

  subtype stages_t is std_ulogic_vector(1 to WRITER_STAGES);
  -- Of an instruction, by stage: the beat there writes a result that the instruction needs or must not overtake; or an
  -- A register that it needs.
  type meets_t is record
    result : stages_t;
    areg   : stages_t;
  end record;

  signal nearby : meets_t;                                   -- of any stage: a match there is too near to issue
  signal asking : meets_t;                                   -- matches of the instruction in CHECK
  signal held   : meets_t;                                   -- matches of the instruction in HOLD
  signal kept   : meets_t;                                   -- held of the cycle before, or as it left CHECK then
  signal moved  : stages_to_issue_t;                         -- moves of the cycle before

  signal load        : loads_t;                              -- a ring
  signal needs       : loads_mask_t;                         -- the instruction in CHECK needs a register of this load
  signal newest_done : loads_mask_t;                         -- it is back, and the warp has no other
  signal begins      : std_ulogic;                           -- a load issues

  -- The row in this stage is less than `distance` beats ahead of its row in the instruction that issues next: no
  -- arithmetic on rows, which would become a carry chain.
  function is_near(stage, distance : natural; row : row_t; moves : std_ulogic) return boolean is
    variable near : boolean := false;
  begin
    for r in 0 to 3 loop
      near := near or (row = r and (stage + r < distance - 1 or (stage + r = distance - 1 and moves = '0')));
    end loop;
    return near;
  end function;

  -- Both registers lie in one group of last + 1, at a multiple of as many.
  function overlap(reg, other : reg_t; last : part_t) return boolean is
  begin
    return ((reg xor other) and not resize(last, reg_t'length)) = 0;
  end function;

  function reads(from : source_t; reg, written : reg_t; last : part_t := "00") return boolean is
  begin
    return (from = SRC_REG32 or from = SRC_REG16) and overlap(reg, written, last);
  end function;

  -- Matches of an instruction, by stage.
  function met(slot : slot_t; c : control_t; stages : beats_t(1 to WRITER_STAGES)) return meets_t is
    variable meets   : meets_t;
    variable p       : control_t;                            -- of an instruction ahead
    variable own     : boolean;                              -- the instruction ahead is of the same warp
    variable late    : boolean;                              -- its results are late
    variable reads_c : std_ulogic;
  begin
    reads_c := (c.has_guard and to_sl(c.cond /= 15)) or c.carry or to_sl(c.src_a_from = SRC_CREG);
    for s in stages_t'range loop
      p    := stages(s).insn.control;
      own  := stages(s).insn.slot = slot;
      late := HAS_LATE and is_late(p) = '1';
      meets.result(s) := to_sl(own and (
        -- of a load, too, which keeps the instruction back anyway
        (p.dst /= DST_NONE and (reads(c.src_a_from, c.src_a_reg, p.dst_reg)
                                or reads(c.src_b_from, c.src_b_reg, p.dst_reg)
                                or reads(c.src_c_from, c.src_c_reg, p.dst_reg, last_part(c.mem_size))))
        or (p.creg_set = '1' and reads_c = '1' and p.creg_dst = c.creg)
        or (late and p.dst /= DST_NONE and c.dst /= DST_NONE and p.dst_reg = c.dst_reg)
        or (late and p.creg_set = '1' and c.creg_set = '1' and p.creg_dst = c.creg_dst)));
      meets.areg(s) := to_sl(own and c.areg /= 0
                             and ((p.areg_set = '1' and p.areg_dst = c.areg)
                                  or (p.areg_inc = '1' and p.areg = c.areg)));
    end loop;
    return meets;
  end function;

  function clashes(meets, near : meets_t) return clash_t is
    variable half  : positive;
    variable clash : clash_t := "00";
  begin
    for s in stages_t'range loop
      half := 1 + (2 * (s - 1)) / WRITER_STAGES;
      clash(half) := clash(half) or (meets.result(s) and near.result(s)) or (meets.areg(s) and near.areg(s));
    end loop;
    return clash;
  end function;

  type under_way_t is record
    oldest     : unsigned(log2(LOADS) - 1 downto 0);         -- place of the next load that comes back
    free       : unsigned(log2(LOADS) - 1 downto 0);         -- place of the next load that begins
    count      : unsigned(log2(LOADS) downto 0);             -- of loads under way, up to LOADS
    busy       : warps_t;                                    -- the warp has loads under way
    rests      : std_ulogic;                                 -- newest_done of the cycle before: no load in flight
    rests_slot : slot_t;
    noted      : std_ulogic;                                 -- a load has begun in the cycle before
    noted_slot : slot_t;                                     -- that load's warp, which has issued nothing since
    noted_reg  : reg_t;
    noted_last : part_t;
  end record;
  signal r, rin : under_way_t;

begin

  sees_late_ones : assert RESULT_DISTANCE + FLOAT_STAGES <= WRITER_STAGES + 2
    report "a late result is written behind the stages that are looked at" severity failure;

  nearness : process (all)
    variable p    : beat_t;
    variable soon : boolean;                                 -- too near for a result
    variable late : boolean;                                 -- the result is late, as those of the reader are
  begin
    for s in stages_t'range loop
      p    := stages_i(s);
      soon := is_near(s, RESULT_DISTANCE + ALU_STAGES, p.row, moves_i.front);
      late := HAS_LATE and is_late(p.insn.control) = '1'
              and is_near(s, RESULT_DISTANCE + FLOAT_STAGES, p.row, moves_i.front);
      nearby.result(s) <= p.valid and to_sl(soon or late);
      nearby.areg(s)   <= p.valid and to_sl(is_near(s, AREG_DISTANCE, p.row, moves_i.front));
    end loop;
  end process;

  asking <= met(asking_slot_i, asking_control_i, stages_i);

  move_along : process (all)
  begin
    held <= kept;
    for s in stages_t'range loop
      if s = STAGE_ROWS then
        -- The next row of the same instruction enters ROWS, or another instruction, which the one in HOLD does not
        -- need (or it is a further word of that one).
        if moved.front = '1' and stages_i(s).row = 0 then
          held.result(s) <= '0';
          held.areg(s)   <= '0';
        end if;
      elsif (s <= STAGE_MEMORY and moved.front = '1') or (s > STAGE_MEMORY and moved.back = '1') then
        held.result(s) <= kept.result(s - 1);
        held.areg(s)   <= kept.areg(s - 1);
      end if;
    end loop;
  end process;

  keep_met : process (clk)
  begin
    if rising_edge(clk) then
      moved <= moves_i;
      kept  <= held;
      if takes_i = '1' then
        kept <= asking;
      end if;
    end if;
  end process;

  clash_o <= clashes(asking, nearby);
  held_o  <= clashes(held, nearby);

  begins <= issues_i and is_load(control_i.mem) and not begun_i;

  under_way : for l in 0 to LOADS - 1 generate
    signal enters, leaves : std_ulogic;
  begin
    enters         <= r.noted and to_sl(r.free = l);
    leaves         <= load_done_i and to_sl(r.oldest = l);
    newest_done(l) <= leaves and load(l).newest;

    compare : process (all)
      variable c    : control_t;
      variable reg  : reg_t;
      variable last : part_t;
      variable hit  : boolean;
    begin
      c    := asking_control_i;
      reg  := load(l).reg;
      last := load(l).last;
      hit  := ((c.src_a_from = SRC_REG32 or c.src_a_from = SRC_REG16) and overlap(c.src_a_reg, reg, last))
              or ((c.src_b_from = SRC_REG32 or c.src_b_from = SRC_REG16) and overlap(c.src_b_reg, reg, last))
              -- A store's data may be several registers, of which the first need not exist.
              or ((c.src_c_from = SRC_REG32 or c.src_c_from = SRC_REG16
                   or (is_load(c.mem) = '0' and last_part(c.mem_size) /= 0))
                  and overlap(c.src_c_reg, reg, last or last_part(c.mem_size)))
              or (c.dst /= DST_NONE and is_load(c.mem) = '0' and overlap(c.dst_reg, reg, last));
      needs(l) <= load(l).valid and to_sl(load(l).slot = asking_slot_i) and to_sl(hit);
    end process;

    keep : process (clk)
    begin
      if rising_edge(clk) then
        if r.noted = '1' and load(l).slot = r.noted_slot then
          load(l).newest <= '0';
        end if;
        if leaves = '1' then
          load(l).valid <= '0';
        end if;
        if enters = '1' then
          load(l) <= (valid => '1', newest => '1', slot => r.noted_slot, reg => r.noted_reg, last => r.noted_last);
        end if;
        if rst = '1' then
          load(l).valid <= '0';
        end if;
      end if;
    end process;
  end generate;

  busy_o      <= or_reduce(needs);
  full_o      <= is_load(control_i.mem) and not begun_i and r.count(r.count'high);
  load_busy_o <= r.busy;

  comb : process (all)
    variable v : under_way_t;
  begin
    v := r;
    if begins = '1' and load_done_i = '0' then
      v.count := r.count + 1;
    elsif begins = '0' and load_done_i = '1' then
      v.count := r.count - 1;
    end if;
    if r.rests = '1' then
      v.busy := v.busy and not one_hot(r.rests_slot, WARPS);
    end if;
    if r.noted = '1' then
      v.busy := v.busy or one_hot(r.noted_slot, WARPS);
      v.free := r.free + 1;
    end if;
    if load_done_i = '1' then
      v.oldest := r.oldest + 1;
    end if;
    v.rests      := or_reduce(newest_done) and not (r.noted and to_sl(r.noted_slot = load_slot_i));
    v.rests_slot := load_slot_i;
    v.noted      := begins;
    v.noted_slot := slot_i;
    v.noted_reg  := control_i.dst_reg;
    v.noted_last := last_part(control_i.mem_size);
    rin <= v;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
      if rst = '1' then
        r.oldest <= (others => '0');
        r.free   <= (others => '0');
        r.count  <= (others => '0');
        r.busy   <= (others => '0');
        r.rests  <= '0';
        r.noted  <= '0';
      end if;
    end if;
  end process;

  rules : process (clk)
    variable fresh : meets_t;                                -- new matches of the instruction in HOLD
    variable there : stages_t;                               -- a beat is in the stage
  begin
    if rising_edge(clk) then
      fresh := met(slot_i, control_i, stages_i);
      for s in stages_t'range loop
        there(s) := stages_i(s).valid;
      end loop;
      follows_what_it_met : assert rst = '1' or issues_i = '0' or begun_i = '1'
        or ((held.result xor fresh.result) and there) = stages_t'(others => '0')
        report "an instruction issues, and meets other results than were followed" severity failure;
      follows_what_it_met_in_a : assert rst = '1' or issues_i = '0' or begun_i = '1'
        or ((held.areg xor fresh.areg) and there) = stages_t'(others => '0')
        report "an instruction issues, and meets other A registers than were followed" severity failure;
      room_for_load : assert rst = '1' or (r.noted and load(to_integer(r.free)).valid) = '0'
        report "a load begins for which there is no room" severity failure;
      load_was_under_way : assert rst = '1'
        or load_done_i = '0'
        or (load(to_integer(r.oldest)).valid = '1' and load(to_integer(r.oldest)).slot = load_slot_i)
        report "a load is back that was not under way" severity failure;
    end if;
  end process;

end architecture;
