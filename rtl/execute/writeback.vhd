-- SPDX-License-Identifier: Apache-2.0
-- Stage WRITE: writes results of stage RESOLVE and of loads to the register files and drives the retire port.
--
--   RESOLVE + 1           address registers
--   RESOLVE + ALU_STAGES  results of the ALU; loads, which own the write port in their cycle
--   RESOLVE + DELAY       floating point and special functions; the instruction retires
--
-- execute.vhd keeps two writers from one port. Nothing stalls here.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.memory_pkg.all;
use work.branch_pkg.all;
use work.execute_pkg.all;
use work.retire_pkg.all;

entity writeback is
  generic (
    CORES   : positive;
    DELAY   : positive;
    HAS_FPU : boolean := false;
    HAS_SFU : boolean := false
  );
  port (
    clk            : in  std_ulogic;
    rst            : in  std_ulogic;
    done_i         : in  execute_to_writeback_t;             -- leaves stage RESOLVE
    load_i         : in  ldst_to_writeback_t;
    back_i         : in  lanes_to_writeback_t(0 to CORES - 1);
    specials_i     : in  unit_results_t(0 to CORES / 4 - 1) := (others => UNIT_RESULT_INIT);
    write_to_o     : out writeback_to_operands_t;
    results_o      : out lanes_to_files_t(0 to CORES - 1);
    retire_o       : out retire_t;
    retire_lanes_o : out retire_lanes_t(0 to CORES - 1);
    idle_i         : in  std_ulogic;                         -- nothing in the stages before
    idle_o         : out std_ulogic
  );
end entity;

architecture rtl of writeback is

  type outcomes_t is array (natural range <>) of branch_to_writeback_t;
  type load_beats_t is array (natural range <>) of ldst_to_writeback_t;

  signal beats    : beats_t(0 to DELAY);
  signal outcomes : outcomes_t(0 to DELAY);
  signal loads    : load_beats_t(0 to DELAY);
  signal has_beat, has_load : std_ulogic_vector(0 to DELAY);

  signal beat            : beat_t;                           -- that retires
  signal early           : beat_t;                           -- beat with the result of the ALU
  signal late, late_next : std_ulogic;                       -- the retiring beat writes now, or in the next cycle
  signal write_to, write_to_in   : writeback_to_operands_t;
  signal sets_areg, sets_areg_in : std_ulogic;               -- the beat that came last writes an address register
  signal writes          : ldst_to_writeback_t;              -- the load that writes now
  signal outcome         : branch_to_writeback_t;
  signal load            : ldst_to_writeback_t;

begin

  beat    <= beats(DELAY);
  early   <= beats(ALU_STAGES);
  outcome <= outcomes(DELAY);
  load    <= loads(DELAY);
  writes  <= loads(ALU_STAGES);

  beats_regs : process (clk)
  begin
    if rising_edge(clk) then
      if done_i.beat.valid = '1' then
        beats(0)    <= done_i.beat;
        outcomes(0) <= done_i.outcome;
      end if;
      beats(0).valid <= done_i.beat.valid;
      for i in 1 to DELAY loop
        if has_beat(i - 1) = '1' then
          beats(i)    <= beats(i - 1);
          outcomes(i) <= outcomes(i - 1);
        end if;
        beats(i).valid <= has_beat(i - 1);
      end loop;
      if rst = '1' then
        for i in 0 to DELAY loop
          beats(i).valid <= '0';
        end loop;
      end if;
    end if;
  end process;

  loads_regs : process (clk)
  begin
    if rising_edge(clk) then
      if load_i.valid = '1' then
        loads(0) <= load_i;
      end if;
      loads(0).valid <= load_i.valid;
      for i in 1 to DELAY loop
        if has_load(i - 1) = '1' then
          loads(i) <= loads(i - 1);
        end if;
        loads(i).valid <= has_load(i - 1);
      end loop;
      if rst = '1' then
        for i in 0 to DELAY loop
          loads(i).valid <= '0';
        end loop;
      end if;
    end if;
  end process;

  stages : for i in 0 to DELAY generate
    has_beat(i) <= beats(i).valid;
    has_load(i) <= loads(i).valid;
  end generate;
  idle_o <= idle_i and not or_reduce(has_beat) and not or_reduce(has_load);

  lane : for l in 0 to CORES - 1 generate
    u_lane : entity work.lane_writeback
      generic map (DELAY => DELAY, HAS_FPU => HAS_FPU, HAS_SFU => HAS_SFU)
      port map (
        clk             => clk,
        done_i          => back_i(l).done,
        has_beat_i      => has_beat,
        has_load_i      => has_load,
        load_valid_i    => load_i.valid,
        sets_areg_i     => sets_areg,
        float_i         => back_i(l).float,
        special_i       => specials_i(l / 4),
        load_mask_i     => back_i(l).has_load,
        load_data_i     => back_i(l).load,
        early_control_i => beats(ALU_STAGES - 1).insn.control,
        late_next_i     => late_next,
        late_control_i  => beats(DELAY - 1).insn.control,
        next_load_i     => loads(ALU_STAGES - 1),
        control_i       => beat.insn.control,
        quad_i          => std_ulogic_vector(to_unsigned(l mod 4, 2)),
        load_i          => load,
        results_o       => results_o(l),
        retire_o        => retire_lanes_o(l)
      );
  end generate;

  -- The places that are written, found one cycle ahead: for a late beat, else for an early one; the address registers'
  -- place for the beat that comes in.
  late_next <= to_sl(DELAY > ALU_STAGES) and beats(DELAY - 1).valid and is_late(beats(DELAY - 1).insn.control);

  to_files : process (all)
    variable v      : writeback_to_operands_t;
    variable writer : beat_t;
  begin
    writer := beats(ALU_STAGES - 1);
    if late_next = '1' then
      writer := beats(DELAY - 1);
    end if;
    v              := write_to;                              -- whole: ghdl writes initial values of parts as a string
    v.slot         := writer.insn.slot;
    v.row          := writer.row;
    v.creg_dst     := writer.insn.control.creg_dst;
    v.reg_row      := writer.insn.info.reg_base + writer.insn.control.dst_reg;
    v.reg_beat_row := writer.row;
    if loads(ALU_STAGES - 1).valid = '1' then
      v.reg_row      := loads(ALU_STAGES - 1).reg_row;
      v.reg_beat_row := loads(ALU_STAGES - 1).row;
    end if;
    v.areg_slot := done_i.beat.insn.slot;
    v.areg_row  := done_i.beat.row;
    v.areg_dst  := areg_written(done_i.beat.insn.control);
    write_to_in  <= v;
    sets_areg_in <= done_i.beat.valid and writes_areg(done_i.beat.insn.control);
  end process;

  files_regs : process (clk)
  begin
    if rising_edge(clk) then
      write_to  <= write_to_in;
      late      <= late_next;
      sets_areg <= sets_areg_in;
      if rst = '1' then
        late      <= '0';
        sets_areg <= '0';
      end if;
    end if;
  end process;

  write_to_o <= write_to;

  tell : process (all)
    variable c : control_t;
    variable t : retire_t;
  begin
    c := beat.insn.control;
    t := RETIRE_INIT;
    t.valid      := beat.valid and not beat.insn.is_init;
    t.last       := beat.last;
    t.row        := std_ulogic_vector(beat.row);
    t.part       := std_ulogic_vector(beat.insn.part);
    t.pending    := is_load(c.mem);
    t.load_valid := load.valid;
    t.load_last  := load.last;
    t.load_row   := std_ulogic_vector(load.row);
    t.load_part  := std_ulogic_vector(load.part);
    t.slot       := std_ulogic_vector(resize(beat.insn.slot, 8));
    t.block_x    := std_ulogic_vector(beat.insn.info.block_x);
    t.block_y    := std_ulogic_vector(beat.insn.info.block_y);
    t.warp       := std_ulogic_vector(resize(beat.insn.info.warp, 8));
    t.pc         := std_ulogic_vector(beat.insn.pc);
    t.word_lo    := beat.insn.lo;
    t.word_hi    := beat.insn.hi;
    t.active     := beat.insn.state.active;
    case c.dst is
      when DST_NONE  => null;
      when DST_REG32 => t.dst_kind := "01"; t.dst_reg := c.dst_number;
      when DST_REG16 => t.dst_kind := "10"; t.dst_reg := c.dst_number;
    end case;
    if c.creg_set = '1' then
      t.c_reg := std_ulogic_vector(c.creg_dst);
    end if;
    if (c.areg_inc or c.areg_set) = '1' then
      t.a_reg := std_ulogic_vector(areg_written(c));
    end if;
    case c.mem is
      when MEM_NONE         => null;
      when MEM_GLOBAL_LOAD  => t.mem_kind := "001";
      when MEM_GLOBAL_STORE => t.mem_kind := "010";
      when MEM_SHARED_STORE => t.mem_kind := "011";
      when MEM_LOCAL_LOAD   => t.mem_kind := "100";
      when MEM_LOCAL_STORE  => t.mem_kind := "101";
      when MEM_GLOBAL_ATOMIC => t.mem_kind := "110";
    end case;
    if c.mem /= MEM_NONE then
      t.mem_bytes := std_ulogic_vector(to_unsigned(bytes_of(c.mem_size), 5));
    end if;
    t.next_pc     := std_ulogic_vector(outcome.next_pc);
    t.next_active := outcome.active;
    t.depth       := std_ulogic_vector(resize(outcome.depth, 8));
    t.state       := outcome.state;
    t.trap        := outcome.trap;
    retire_o <= t;
  end process;

  rules : process (clk)
    variable c : control_t;
  begin
    if rising_edge(clk) then
      c := early.insn.control;
      one_of_alu_and_load : assert rst = '1' or (early.valid and writes_registers(c) and writes.valid) = '0'
        report "a result and a load want the same write port" severity failure;
      late_alone : assert rst = '1' or DELAY = ALU_STAGES
        or (late and (writes.valid or (early.valid and not is_late(c) and (writes_registers(c) or c.creg_set)))) = '0'
        report "a late result does not have its write port" severity failure;
    end if;
  end process;

end architecture;
