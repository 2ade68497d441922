-- SPDX-License-Identifier: Apache-2.0
-- Scoreboard, beside stages K and H: may this instruction issue in the next cycle, as far as results are concerned that
-- are still to come? A result in R or C is read in stage G, so the reader must issue RESULT_DISTANCE and ALU_STAGES
-- beats behind the writer, row by row, or FLOAT_STAGES behind a late one; so must who writes the same place behind a
-- late one. A result in A is read in stage I: AREG_DISTANCE. The registers that a load will write are busy until the
-- load is back. As many as LOADS are under way in an SM, of one warp or of several; they come back in the order in
-- which they issued, so that one may write the register of another. Combinational, but for the loads under way.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;

entity scoreboard is
  generic (
    WARPS : positive;
    LOADS : positive;                                        -- under way at a time, a power of two
    HAS_LATE : boolean                                       -- some results are late
  );
  port (
    clk         : in  std_ulogic;
    rst         : in  std_ulogic;
    -- an instruction that is to issue; of a wide access the registers of its first word stand for all
    asking_slot_i    : in slot_t;
    asking_control_i : in control_t;
    stages_i    : in  beats_t(1 to WRITER_STAGES);           -- beats from I to Y: as many ahead of what issues now
    moves_i     : in  std_ulogic;                            -- ... they all move on in this cycle
    clash_o     : out clash_t;                               -- it needs a result in that half of the stages
    busy_o      : out std_ulogic;                            -- ... or that a load will bring
    -- the instruction in H
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

  signal load        : loads_t;                              -- a ring
  signal oldest      : unsigned(log2(LOADS) - 1 downto 0);
  signal free        : unsigned(log2(LOADS) - 1 downto 0);
  signal count       : unsigned(log2(LOADS) downto 0);       -- of loads under way, up to LOADS
  signal needs       : loads_mask_t;                         -- who asks needs a register of this load
  signal newest_done : loads_mask_t;                         -- it is back, and the warp has no other
  signal rests       : std_ulogic;                           -- ... in the cycle before: this warp has none
  signal rests_slot  : slot_t;
  signal begins      : std_ulogic;                           -- a load issues
  -- ... as it is noted one cycle later: its warp issues nothing else before
  signal noted       : std_ulogic;
  signal noted_slot  : slot_t;
  signal noted_reg   : reg_t;
  signal noted_last  : part_t;
  signal warp_busy   : warps_t;

  -- The row in this stage is less than so many beats ahead of the same row of what issues in the next cycle: no
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

begin

  sees_late_ones : assert RESULT_DISTANCE + FLOAT_STAGES <= WRITER_STAGES + 2
    report "a late result is written behind the stages that are looked at" severity failure;

  pipeline : process (all)
    variable c       : control_t;
    variable p       : control_t;                            -- of an instruction ahead
    variable clash   : clash_t;
    variable half    : positive;
    variable reads_c : std_ulogic;
    variable late    : boolean;                              -- that one's results are
  begin
    c       := asking_control_i;
    clash   := "00";
    reads_c := (c.has_guard and to_sl(c.cond /= 15)) or c.carry or to_sl(c.a_from = SRC_CREG);
    for s in stages_i'range loop
      p    := stages_i(s).insn.control;
      half := 1 + (2 * (s - 1)) / WRITER_STAGES;
      if stages_i(s).valid = '1' and stages_i(s).insn.slot = asking_slot_i then
        late := HAS_LATE and is_late(p) = '1';
        if is_near(s, RESULT_DISTANCE + ALU_STAGES, stages_i(s).row, moves_i)
          or (late and is_near(s, RESULT_DISTANCE + FLOAT_STAGES, stages_i(s).row, moves_i))
        then
          -- of a load, too, which keeps the instruction back anyway
          if p.dst /= DST_NONE and (reads(c.a_from, c.a_reg, p.dst_reg) or reads(c.b_from, c.b_reg, p.dst_reg)
                                    or reads(c.c_from, c.c_reg, p.dst_reg, last_part(c.mem_size)))
          then
            clash(half) := '1';
          end if;
          if p.set_c = '1' and reads_c = '1' and p.c_dst = c.creg then
            clash(half) := '1';
          end if;
          if late and ((p.dst /= DST_NONE and c.dst /= DST_NONE and p.dst_reg = c.dst_reg)
                       or (p.set_c = '1' and c.set_c = '1' and p.c_dst = c.c_dst))
          then
            clash(half) := '1';
          end if;
        end if;
        if is_near(s, AREG_DISTANCE, stages_i(s).row, moves_i) and c.areg /= 0 then
          if (p.set_a = '1' and p.a_dst = c.areg) or (p.a_inc = '1' and p.areg = c.areg) then
            clash(half) := '1';
          end if;
        end if;
      end if;
    end loop;
    clash_o <= clash;
  end process;

  begins <= issues_i and is_load(control_i.mem) and not begun_i;

  under_way : for l in 0 to LOADS - 1 generate
    signal enters, leaves : std_ulogic;
  begin
    enters         <= noted and to_sl(free = l);
    leaves         <= load_done_i and to_sl(oldest = l);
    newest_done(l) <= leaves and load(l).newest;

    who_needs : process (all)
      variable c    : control_t;
      variable reg  : reg_t;
      variable last : part_t;
      variable hit  : boolean;
    begin
      c    := asking_control_i;
      reg  := load(l).reg;
      last := load(l).last;
      hit  := ((c.a_from = SRC_REG32 or c.a_from = SRC_REG16) and overlap(c.a_reg, reg, last))
              or ((c.b_from = SRC_REG32 or c.b_from = SRC_REG16) and overlap(c.b_reg, reg, last))
              -- A store's data may be several registers, of which the first need not exist.
              or ((c.c_from = SRC_REG32 or c.c_from = SRC_REG16
                   or (is_load(c.mem) = '0' and last_part(c.mem_size) /= 0))
                  and overlap(c.c_reg, reg, last or last_part(c.mem_size)))
              or (c.dst /= DST_NONE and is_load(c.mem) = '0' and overlap(c.dst_reg, reg, last));
      needs(l) <= load(l).valid and to_sl(load(l).slot = asking_slot_i) and to_sl(hit);
    end process;

    keep : process (clk)
    begin
      if rising_edge(clk) then
        if noted = '1' and load(l).slot = noted_slot then
          load(l).newest <= '0';
        end if;
        if leaves = '1' then
          load(l).valid <= '0';
        end if;
        if enters = '1' then
          load(l) <= (valid => '1', newest => '1', slot => noted_slot, reg => noted_reg, last => noted_last);
        end if;
        if rst = '1' then
          load(l).valid <= '0';
        end if;
      end if;
    end process;
  end generate;

  busy_o      <= or_reduce(needs);
  full_o      <= is_load(control_i.mem) and not begun_i and count(count'high);
  load_busy_o <= warp_busy;

  regs : process (clk)
    variable busy : warps_t;
  begin
    if rising_edge(clk) then
      if begins = '1' and load_done_i = '0' then
        count <= count + 1;
      elsif begins = '0' and load_done_i = '1' then
        count <= count - 1;
      end if;
      busy := warp_busy;
      if rests = '1' then
        busy := busy and not one_hot(rests_slot, WARPS);
      end if;
      if noted = '1' then
        busy := busy or one_hot(noted_slot, WARPS);
        free <= free + 1;
      end if;
      warp_busy  <= busy;
      rests      <= or_reduce(newest_done) and not (noted and to_sl(noted_slot = load_slot_i)) and not rst;
      rests_slot <= load_slot_i;
      noted      <= begins and not rst;
      noted_slot <= slot_i;
      noted_reg  <= control_i.dst_reg;
      noted_last <= last_part(control_i.mem_size);
      if load_done_i = '1' then
        oldest <= oldest + 1;
      end if;
      if rst = '1' then
        warp_busy <= (others => '0');
        oldest    <= (others => '0');
        free      <= (others => '0');
        count     <= (others => '0');
      end if;
    end if;
  end process;

  rules : process (clk)
  begin
    if rising_edge(clk) then
      room_for_load : assert rst = '1' or (noted and load(to_integer(free)).valid) = '0'
        report "a load begins for which there is no room" severity failure;
      load_was_under_way : assert rst = '1'
        or load_done_i = '0' or (load(to_integer(oldest)).valid = '1' and load(to_integer(oldest)).slot = load_slot_i)
        report "a load is back that was not under way" severity failure;
    end if;
  end process;

end architecture;
