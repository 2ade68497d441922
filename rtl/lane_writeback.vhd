-- SPDX-License-Identifier: Apache-2.0
-- One lane of stage W: registers what the lane has done and what a load brought it, writes the register files, and
-- fills the lane's part of the retire port.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.retire_pkg.all;

entity lane_writeback is
  port (
    clk       : in  std_ulogic;
    -- leaving stage Y
    done_i    : in  lane_done_t;
    load_mask_i : in std_ulogic;
    load_data_i : in word_t;
    -- stage W
    valid_i   : in  std_ulogic;                              -- there is a beat
    control_i : in  control_t;                               -- ... of this instruction
    quad_i    : in  std_ulogic_vector(1 downto 0);           -- lane in its group of four, for MOV's lane mask
    load_i    : in  load_beat_t;
    results_o : out lane_results_t;
    retire_o  : out retire_lane_t
  );
end entity;

architecture rtl of lane_writeback is
  signal done      : lane_done_t;
  signal load_mask : std_ulogic;
  signal load_data : word_t;
begin

  regs : process (clk)
  begin
    if rising_edge(clk) then
      done      <= done_i;
      load_mask <= load_mask_i;
      load_data <= load_data_i;
    end if;
  end process;

  comb : process (all)
    variable c       : control_t;
    variable wanted  : std_ulogic;                           -- the lane executes and is not masked out
    variable sets_a  : std_ulogic;
    variable loads   : std_ulogic;
  begin
    c      := control_i;
    wanted := done.exec and c.lane_mask(to_integer(unsigned(quad_i)));
    sets_a := done.exec and ((c.a_inc and to_sl(c.areg /= 0)) or (c.set_a and to_sl(c.a_dst /= 0)));
    loads  := load_i.valid and load_mask and load_i.enable;

    results_o.reg    <= done.result;
    results_o.reg_we <= "00";
    if c.dst = DST_REG16 then
      results_o.reg <= done.result(15 downto 0) & done.result(15 downto 0);
    end if;
    if load_i.valid = '1' then
      results_o.reg    <= load_data;
      results_o.reg_we <= loads & loads;
    elsif valid_i = '1' and wanted = '1' and is_load(c.mem) = '0' then
      if c.dst = DST_REG32 then
        results_o.reg_we <= "11";
      elsif c.dst = DST_REG16 then
        results_o.reg_we <= c.dst_high & not c.dst_high;
      end if;
    end if;
    results_o.flags    <= done.flags;
    results_o.flags_we <= valid_i and wanted and c.set_c;
    results_o.areg     <= done.areg;
    results_o.areg_we  <= valid_i and sets_a;

    retire_o.exec      <= done.exec;
    retire_o.load_mask <= load_mask and load_i.enable;
    retire_o.dst_mask  <= wanted and to_sl(is_load(c.mem) = '0' and c.dst /= DST_NONE);
    retire_o.dst       <= done.result;
    if load_i.valid = '1' then
      retire_o.dst <= load_data;
    end if;
    retire_o.c_mask    <= wanted and c.set_c;
    retire_o.c         <= done.flags;
    retire_o.a_mask    <= sets_a;
    retire_o.a         <= done.areg;
    retire_o.mem_mask  <= done.exec and to_sl(c.mem /= MEM_NONE);
    retire_o.addr      <= done.addr;
    retire_o.data      <= extract(done.data, "00", c.mem_size, '0'); -- of mem_mask; of a load 0, as it has no source c
  end process;

end architecture;
