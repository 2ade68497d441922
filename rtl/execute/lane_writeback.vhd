-- SPDX-License-Identifier: Apache-2.0
-- One lane of stage WRITE: writes the lane's results and its load data to the register files, and fills
-- the lane's part of the retire port.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.memory_pkg.all;
use work.execute_pkg.all;
use work.retire_pkg.all;

entity lane_writeback is
  generic (
    DELAY   : positive;
    HAS_FPU : boolean := false;
    HAS_SFU : boolean := false
  );
  port (
    clk        : in  std_ulogic;
    has_beat_i : in std_ulogic_vector(0 to DELAY);           -- there is one, by cycles since it came to stage WRITE
    has_load_i : in std_ulogic_vector(0 to DELAY);
    -- DELAY and one cycles before
    load_valid_i : in std_ulogic;
    load_mask_i : in std_ulogic;
    load_data_i : in word_t;
    -- DELAY cycles before: writes address registers
    done_i      : in  lane_in_write_t;
    sets_areg_i : in std_ulogic;                             -- the executing lane writes an A register
    -- writes of the next cycle: result of the ALU, of a late unit, of a load
    early_control_i : in control_t;
    late_next_i     : in std_ulogic;                         -- there is a late beat
    late_control_i  : in control_t;
    next_load_i     : in ldst_to_writeback_t;
    -- when it retires
    float_i   : in  unit_result_t;                           -- results of the units for the beat
    special_i : in  unit_result_t;
    control_i : in  control_t;                               -- of the instruction that retires
    quad_i    : in  std_ulogic_vector(1 downto 0);           -- lane in its group of four, for MOV's lane mask
    load_i    : in  ldst_to_writeback_t;                     -- that retires
    results_o : out lane_to_files_t;
    retire_o  : out retire_lane_t
  );
end entity;

architecture rtl of lane_writeback is

  signal masks : std_ulogic_vector(0 to DELAY);
  signal words : words_t(0 to DELAY);
  signal dones : lanes_in_write_t(1 to DELAY);

  -- writes of this cycle: source, lower half to both halves, flags, halves of a register
  type writer_t is (BY_ALU, BY_FLOAT, BY_SPECIAL, BY_LOAD);
  type writes_t is record
    by   : writer_t;
    doubled, flags : std_ulogic;
    reg  : std_ulogic_vector(1 downto 0);
  end record;
  signal writes, writes_in : writes_t;

  signal load_mask : std_ulogic;
  signal load_data : word_t;
  signal done      : lane_in_write_t;

begin

  loads_regs : process (clk)
  begin
    if rising_edge(clk) then
      if load_valid_i = '1' then
        masks(0) <= load_mask_i;
        words(0) <= load_data_i;
      end if;
      for i in 1 to DELAY loop
        if has_load_i(i - 1) = '1' then
          masks(i) <= masks(i - 1);
          words(i) <= words(i - 1);
        end if;
      end loop;
    end if;
  end process;

  -- They wait for the units of floating point.
  dones_regs : process (clk)
  begin
    if rising_edge(clk) then
      if has_beat_i(0) = '1' then
        dones(1) <= done_i;
      end if;
      for i in 2 to DELAY loop
        if has_beat_i(i - 1) = '1' then
          dones(i) <= dones(i - 1);
        end if;
      end loop;
    end if;
  end process;

  load_mask <= masks(DELAY);
  load_data <= words(DELAY);

  choose_unit : process (all)
  begin
    done <= dones(DELAY);
    if HAS_FPU and control_i.float /= FLOAT_NONE then
      done.result <= float_i.value;
      done.flags  <= float_i.flags;
    end if;
    if HAS_SFU and control_i.special /= SPECIAL_NONE then
      done.result <= special_i.value;
      done.flags  <= special_i.flags;
    end if;
  end process;

  -- Enables are computed one cycle early; the words come from registers, too.
  choose_writer : process (all)
    variable c      : control_t;
    variable exec   : std_ulogic;
    variable valid  : std_ulogic;
    variable wanted : std_ulogic;                            -- the lane executes and is not masked out
  begin
    c     := early_control_i;
    exec  := done_i.exec;
    valid := has_beat_i(ALU_STAGES - 1) and not (to_sl(DELAY > ALU_STAGES) and is_late(early_control_i));
    if late_next_i = '1' then
      c     := late_control_i;
      exec  := dones(maximum(DELAY - 1, 1)).exec;         -- there is none in a machine without such units
      valid := '1';
    end if;
    wanted := valid and exec and c.lane_mask(to_integer(unsigned(quad_i)));

    writes_in.by <= BY_ALU;
    if next_load_i.valid = '1' then
      writes_in.by <= BY_LOAD;
    elsif HAS_SFU and late_next_i = '1' and late_control_i.special /= SPECIAL_NONE then
      writes_in.by <= BY_SPECIAL;
    elsif HAS_FPU and late_next_i = '1' then
      writes_in.by <= BY_FLOAT;
    end if;
    writes_in.doubled <= to_sl(c.dst = DST_REG16) and not next_load_i.valid;
    writes_in.flags   <= wanted and c.creg_set;
    writes_in.reg     <= "00";
    if next_load_i.valid = '1' then
      writes_in.reg <= (others => masks(ALU_STAGES - 1) and next_load_i.enable);
    elsif wanted = '1' and is_load(c.mem) = '0' then
      if c.dst = DST_REG32 then
        writes_in.reg <= "11";
      elsif c.dst = DST_REG16 then
        writes_in.reg <= c.dst_high & not c.dst_high;
      end if;
    end if;
  end process;

  writes_regs : process (clk)
  begin
    if rising_edge(clk) then
      writes <= writes_in;
    end if;
  end process;

  write : process (all)
    variable value : word_t;
    variable flags : nibble_t;
  begin
    value := dones(ALU_STAGES).result;
    flags := dones(ALU_STAGES).flags;
    case writes.by is
      when BY_ALU     => null;
      when BY_FLOAT   =>
        value := float_i.value;
        flags := float_i.flags;
      when BY_SPECIAL =>
        value := special_i.value;
        flags := special_i.flags;
      when BY_LOAD    => value := words(ALU_STAGES);
    end case;
    if writes.doubled = '1' then
      value(31 downto 16) := value(15 downto 0);
    end if;
    results_o.reg      <= value;
    results_o.reg_we   <= writes.reg;
    results_o.flags    <= flags;
    results_o.flags_we <= writes.flags;
    results_o.areg     <= done_i.areg;
    results_o.areg_we  <= sets_areg_i and done_i.exec;
  end process;

  tell : process (all)
    variable c      : control_t;
    variable wanted : std_ulogic;
  begin
    c      := control_i;
    wanted := done.exec and c.lane_mask(to_integer(unsigned(quad_i)));
    retire_o.exec      <= done.exec;
    retire_o.load_mask <= load_mask and load_i.enable;
    retire_o.dst_mask  <= wanted and to_sl(is_load(c.mem) = '0' and c.dst /= DST_NONE);
    retire_o.dst       <= done.result;
    if load_i.valid = '1' then
      retire_o.dst <= load_data;
    end if;
    retire_o.c_mask    <= wanted and c.creg_set;
    retire_o.c         <= done.flags;
    retire_o.a_mask    <= done.exec and writes_areg(c);
    retire_o.a         <= done.areg;
    retire_o.mem_mask  <= done.exec and to_sl(c.mem /= MEM_NONE);
    retire_o.addr      <= done.addr;
    retire_o.data      <= extract(done.data, "00", c.mem_size, '0'); -- of mem_mask; 0 of a load: no source c
  end process;

end architecture;
