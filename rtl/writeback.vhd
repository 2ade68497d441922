-- SPDX-License-Identifier: Apache-2.0
-- Stage W: registers what stage Y finished and what a load brought back, writes it to the register files one cycle
-- later, and tells the retire port. A load has the registers' write port to itself in its cycle (execute.vhd sees to
-- it).

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.retire_pkg.all;

entity writeback is
  generic (
    CORES : positive
  );
  port (
    clk         : in  std_ulogic;
    rst         : in  std_ulogic;
    beat_i      : in  beat_t;                                -- leaves stage Y
    lanes_i     : in  lanes_done_t(0 to CORES - 1);
    outcome_i   : in  outcome_t;
    load_i      : in  load_beat_t;
    load_mask_i : in  std_ulogic_vector(CORES - 1 downto 0);
    load_data_i : in  words_t(0 to CORES - 1);
    write_to_o  : out write_to_t;
    results_o   : out lanes_results_t(0 to CORES - 1);
    retire_o    : out retire_t;
    retire_lanes_o : out retire_lanes_t(0 to CORES - 1);
    idle_i      : in  std_ulogic;                            -- nothing in the stages before
    idle_o      : out std_ulogic
  );
end entity;

architecture rtl of writeback is

  signal beat    : beat_t;
  signal outcome : outcome_t;
  signal load    : load_beat_t;

begin

  regs : process (clk)
  begin
    if rising_edge(clk) then
      beat    <= beat_i;
      outcome <= outcome_i;
      load    <= load_i;
      if rst = '1' then
        beat.valid <= '0';
        load.valid <= '0';
      end if;
    end if;
  end process;

  idle_o <= idle_i and not beat.valid and not load.valid;

  lane : for l in 0 to CORES - 1 generate
    u_lane : entity work.lane_writeback
      port map (
        clk         => clk,
        done_i      => lanes_i(l),
        load_mask_i => load_mask_i(l),
        load_data_i => load_data_i(l),
        valid_i     => beat.valid,
        control_i   => beat.insn.control,
        quad_i      => std_ulogic_vector(to_unsigned(l mod 4, 2)),
        load_i      => load,
        results_o   => results_o(l),
        retire_o    => retire_lanes_o(l)
      );
  end generate;

  places : process (all)
    variable c : control_t;
  begin
    c := beat.insn.control;
    write_to_o.slot  <= beat.insn.slot;
    write_to_o.row   <= beat.row;
    write_to_o.c_dst <= c.c_dst;
    write_to_o.a_dst <= c.a_dst;
    if c.a_inc = '1' then
      write_to_o.a_dst <= c.areg;
    end if;
    write_to_o.reg_row      <= beat.insn.info.reg_base + c.dst_reg;
    write_to_o.reg_beat_row <= beat.row;
    if load.valid = '1' then
      write_to_o.reg_row      <= load.reg_row;
      write_to_o.reg_beat_row <= load.row;
    end if;
  end process;

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
    if c.set_c = '1' then
      t.c_reg := std_ulogic_vector(c.c_dst);
    end if;
    if c.a_inc = '1' then
      t.a_reg := std_ulogic_vector(c.areg);
    elsif c.set_a = '1' then
      t.a_reg := std_ulogic_vector(c.a_dst);
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

end architecture;
