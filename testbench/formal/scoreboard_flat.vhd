-- SPDX-License-Identifier: Apache-2.0
-- scoreboard.vhd as scoreboard_flat.sv sees it: what it looks at of the instruction that asks, of that in HOLD, and of
-- the beats in the stages ROWS to RESOLVE (the parts of each stage_ port), is a port each.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;

entity scoreboard_flat is
  generic (
    WARPS : positive;
    LOADS : positive
  );
  port (
    clk              : in  std_ulogic;
    rst              : in  std_ulogic;
    asking_slot_i    : in slot_t;
    src_a_from_i     : in  std_ulogic_vector(1 downto 0);        -- zero, 32 bits, 16 bits of a register, a C register
    src_b_from_i     : in  std_ulogic_vector(1 downto 0);
    src_c_from_i     : in  std_ulogic_vector(1 downto 0);
    src_a_reg_i      : in  reg_t;
    src_b_reg_i      : in  reg_t;
    src_c_reg_i      : in  reg_t;
    has_guard_i      : in  std_ulogic;
    cond_i           : in  unsigned(4 downto 0);
    carry_i          : in  std_ulogic;
    creg_i           : in  creg_t;
    areg_i           : in  areg_t;
    dst_i            : in  std_ulogic_vector(1 downto 0);    -- none, 32 bits, 16 bits of a register
    dst_reg_i        : in  reg_t;
    mem_i            : in  std_ulogic_vector(1 downto 0);    -- none, a load, a load of local memory, a store
    mem_size_i       : in  size_t;
    creg_set_i       : in  std_ulogic;
    creg_dst_i       : in  creg_t;
    front_moves_i    : in std_ulogic;
    back_moves_i     : in std_ulogic;
    clash_o          : out std_ulogic;
    busy_o           : out std_ulogic;
    takes_i          : in  std_ulogic;
    held_o           : out std_ulogic;
    slot_i           : in  slot_t;
    hold_mem_i       : in  std_ulogic_vector(1 downto 0);
    hold_mem_size_i  : in size_t;
    hold_dst_reg_i   : in  reg_t;
    begun_i          : in  std_ulogic;
    issues_i         : in  std_ulogic;
    full_o           : out std_ulogic;
    load_done_i      : in  std_ulogic;
    load_slot_i      : in  slot_t;
    load_busy_o      : out std_ulogic_vector(WARPS - 1 downto 0);
    stage_valid_i    : in std_ulogic_vector(1 to WRITER_STAGES);
    stage_slot_i     : in unsigned(0 to WRITER_STAGES * SLOT_BITS - 1);
    stage_row_i      : in unsigned(0 to WRITER_STAGES * 2 - 1);
    stage_dst_i      : in std_ulogic_vector(0 to WRITER_STAGES * 2 - 1);
    stage_dst_reg_i  : in unsigned(0 to WRITER_STAGES * 7 - 1);
    stage_creg_set_i : in std_ulogic_vector(1 to WRITER_STAGES);
    stage_creg_dst_i : in unsigned(0 to WRITER_STAGES * 2 - 1);
    stage_areg_set_i : in std_ulogic_vector(1 to WRITER_STAGES);
    stage_areg_dst_i : in unsigned(0 to WRITER_STAGES * 3 - 1);
    stage_areg_inc_i : in std_ulogic_vector(1 to WRITER_STAGES);
    stage_areg_i     : in unsigned(0 to WRITER_STAGES * 3 - 1);
    stage_late_i     : in std_ulogic_vector(1 to WRITER_STAGES)
  );
end entity scoreboard_flat;

architecture rtl of scoreboard_flat is

  function source(number : std_ulogic_vector(1 downto 0)) return source_t is
  begin
    if number = "01" then
      return SRC_REG32;
    elsif number = "10" then
      return SRC_REG16;
    elsif number = "11" then
      return SRC_CREG;
    end if;
    return SRC_ZERO;
  end function;

  function destination(number : std_ulogic_vector(1 downto 0)) return dest_t is
  begin
    if number = "01" then
      return DST_REG32;
    elsif number = "10" then
      return DST_REG16;
    end if;
    return DST_NONE;
  end function;

  function access_to(number : std_ulogic_vector(1 downto 0)) return mem_t is
  begin
    if number = "01" then
      return MEM_GLOBAL_LOAD;
    elsif number = "10" then
      return MEM_LOCAL_LOAD;
    elsif number = "11" then
      return MEM_GLOBAL_STORE;
    end if;
    return MEM_NONE;
  end function;

  signal asking, control : control_t;
  signal clash, held : clash_t;
  signal stages  : beats_t(1 to WRITER_STAGES);

begin

  instruction : process (all)
  begin
    asking            <= CONTROL_INIT;
    asking.src_a_from    <= source(src_a_from_i);
    asking.src_b_from    <= source(src_b_from_i);
    asking.src_c_from    <= source(src_c_from_i);
    asking.src_a_reg     <= src_a_reg_i;
    asking.src_b_reg     <= src_b_reg_i;
    asking.src_c_reg     <= src_c_reg_i;
    asking.has_guard <= has_guard_i;
    asking.cond      <= cond_i;
    asking.carry     <= carry_i;
    asking.creg      <= creg_i;
    asking.areg      <= areg_i;
    asking.dst       <= destination(dst_i);
    asking.dst_reg   <= dst_reg_i;
    asking.mem       <= access_to(mem_i);
    asking.mem_size  <= mem_size_i;
    asking.creg_set     <= creg_set_i;
    asking.creg_dst     <= creg_dst_i;
  end process;

  clash_o <= clash(1) or clash(2);
  held_o  <= held(1) or held(2);

  in_h : process (all)
  begin
    control          <= CONTROL_INIT;
    control.mem      <= access_to(hold_mem_i);
    control.mem_size <= hold_mem_size_i;
    control.dst_reg  <= hold_dst_reg_i;
  end process;

  stage : for s in 1 to WRITER_STAGES generate
    signal beat : beat_t;
  begin
    fill : process (all)
    begin
      beat <= BEAT_INIT;
      beat.valid     <= stage_valid_i(s);
      beat.row       <= stage_row_i(2 * s - 2 to 2 * s - 1);
      beat.insn.slot <= stage_slot_i(SLOT_BITS * (s - 1) to SLOT_BITS * s - 1);
      beat.insn.control.dst     <= destination(stage_dst_i(2 * s - 2 to 2 * s - 1));
      beat.insn.control.dst_reg <= stage_dst_reg_i(7 * s - 7 to 7 * s - 1);
      beat.insn.control.creg_set   <= stage_creg_set_i(s);
      beat.insn.control.creg_dst   <= stage_creg_dst_i(2 * s - 2 to 2 * s - 1);
      beat.insn.control.areg_set   <= stage_areg_set_i(s);
      beat.insn.control.areg_dst   <= stage_areg_dst_i(3 * s - 3 to 3 * s - 1);
      beat.insn.control.areg_inc   <= stage_areg_inc_i(s);
      beat.insn.control.areg    <= stage_areg_i(3 * s - 3 to 3 * s - 1);
      if stage_late_i(s) = '1' then
        beat.insn.control.float <= FLOAT_ADD;
      end if;
    end process;
    stages(s) <= beat;
  end generate;

  u_scoreboard : entity work.scoreboard
    generic map (WARPS => WARPS, LOADS => LOADS, HAS_LATE => true)
    port map (
      clk => clk, rst => rst, stages_i => stages, moves_i => (front => front_moves_i, back => back_moves_i),
      asking_slot_i => asking_slot_i, asking_control_i => asking, clash_o => clash, busy_o => busy_o,
      takes_i => takes_i, held_o => held, slot_i => slot_i, control_i => control,
      begun_i => begun_i, full_o => full_o, issues_i => issues_i, load_done_i => load_done_i,
      load_slot_i => load_slot_i, load_busy_o => load_busy_o
    );

end architecture rtl;
