-- SPDX-License-Identifier: Apache-2.0
-- Scoreboard, beside stage D: may this instruction issue, as far as results are concerned that are still to come?
-- Results are written six stages after I. A result in R or C is read in stage M, so the reader must issue at least four
-- beats behind the writer, row by row; one in A is read in stage I: six. The registers that a load will write are busy
-- until the load is back, and a warp has one load at a time. Combinational, but for the loads under way.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;

entity scoreboard is
  generic (
    WARPS : positive
  );
  port (
    clk         : in  std_ulogic;
    rst         : in  std_ulogic;
    -- the instruction in D, or the word of it that would issue next
    slot_i      : in  slot_t;
    control_i   : in  control_t;
    stages_i    : in  beats_t(1 to 5);                       -- beats in I, A, M, O, X: 1 to 5 ahead of what issues now
    clash_o     : out std_ulogic;                            -- it needs a result that is still in the pipeline
    busy_o      : out std_ulogic;                            -- ... or that a load will bring, or is a second load
    issues_i    : in  std_ulogic;                            -- it issues
    -- loads
    load_done_i : in  std_ulogic;                            -- the load of this warp is back
    load_slot_i : in  slot_t;
    load_busy_o : out std_ulogic_vector(WARPS - 1 downto 0)
  );
end entity;

architecture rtl of scoreboard is

  type regs_t is array (0 to WARPS - 1) of reg_t;
  type parts_t is array (0 to WARPS - 1) of part_t;

  type loads_t is record
    busy : std_ulogic_vector(WARPS - 1 downto 0);
    reg  : regs_t;                                           -- one of the registers that the load writes
    last : parts_t;                                          -- number of the last of them: 0, 1 or 3
  end record;

  signal r, rin : loads_t;

  function reads(from : source_t; reg, written : reg_t) return boolean is
  begin
    return (from = SRC_REG32 or from = SRC_REG16) and reg = written;
  end function;

  -- Both registers lie in one group of last + 1, at a multiple of as many.
  function overlap(reg, other : reg_t; last : part_t) return boolean is
  begin
    return ((reg xor other) and not resize(last, reg_t'length)) = 0;
  end function;

begin

  pipeline : process (all)
    variable c       : control_t;
    variable p       : control_t;                            -- of an instruction ahead
    variable clash   : std_ulogic;
    variable reads_c : std_ulogic;
  begin
    c       := control_i;
    clash   := '0';
    reads_c := (c.has_guard and to_sl(c.cond /= 15)) or c.carry or to_sl(c.a_from = SRC_CREG);
    for s in stages_i'range loop
      p := stages_i(s).insn.control;
      if stages_i(s).valid = '1' and stages_i(s).insn.slot = slot_i then
        if s < 4 - to_integer(stages_i(s).row) then
          if p.dst /= DST_NONE and is_load(p.mem) = '0' then
            if reads(c.a_from, c.a_reg, p.dst_reg) or reads(c.b_from, c.b_reg, p.dst_reg)
              or reads(c.c_from, c.c_reg, p.dst_reg)
            then
              clash := '1';
            end if;
          end if;
          if p.set_c = '1' and reads_c = '1' and p.c_dst = c.creg then
            clash := '1';
          end if;
        end if;
        if s < 6 - to_integer(stages_i(s).row) and c.areg /= 0 then
          if (p.set_a = '1' and p.a_dst = c.areg) or (p.a_inc = '1' and p.areg = c.areg) then
            clash := '1';
          end if;
        end if;
      end if;
    end loop;
    clash_o <= clash;
  end process;

  loads : process (all)
    variable c     : control_t;
    variable reg   : reg_t;
    variable last  : part_t;
    variable needs : boolean;
  begin
    c    := control_i;
    reg  := r.reg(to_integer(slot_i));
    last := r.last(to_integer(slot_i));
    needs := is_load(c.mem) = '1'
             or ((c.a_from = SRC_REG32 or c.a_from = SRC_REG16) and overlap(c.a_reg, reg, last))
             or ((c.b_from = SRC_REG32 or c.b_from = SRC_REG16) and overlap(c.b_reg, reg, last))
             or ((c.c_from = SRC_REG32 or c.c_from = SRC_REG16)
                 and overlap(c.c_reg, reg, last or last_part(c.mem_size)))   -- a store's data may be several registers
             or (c.dst /= DST_NONE and overlap(c.dst_reg, reg, last));
    busy_o      <= r.busy(to_integer(slot_i)) and to_sl(needs);
    load_busy_o <= r.busy;
  end process;

  comb : process (all)
    variable v : loads_t;
  begin
    v := r;
    for w in 0 to WARPS - 1 loop
      if load_done_i = '1' and load_slot_i = w then
        v.busy(w) := '0';
      end if;
      if issues_i = '1' and is_load(control_i.mem) = '1' and slot_i = w then
        v.busy(w) := '1';
        v.reg(w)  := control_i.dst_reg;
        v.last(w) := last_part(control_i.mem_size);
      end if;
    end loop;
    rin <= v;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
      if rst = '1' then
        r.busy <= (others => '0');
      end if;
    end if;
  end process;

end architecture;
