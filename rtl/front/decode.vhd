-- SPDX-License-Identifier: Apache-2.0
-- Instruction decoder: word pair to control signals (spec/insn.def; checked by testbench/decode). At most one part
-- knows a word. A bit that no field claims must be zero unless silicon ignores it.
--
--     lo, hi --> decode_flow, decode_half, decode_move, decode_integer, decode_memory, decode_float
--                  --> choose --> decode_operands --> decode_cells --> judge --> control
--
-- With HAS_REGISTERS each of the five steps ends in a register.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.machine_pkg.all;
use work.lists_pkg.all;
use work.decode_pkg.all;

entity decode is
  generic (
    CONFIG        : config_t := CONFIG_DEFAULT;
    HAS_REGISTERS : boolean  := true;  -- else combinational
    HAS_EXTENSION : boolean  := CONFIG_DEFAULT.WIDE > 0 or CONFIG_DEFAULT.DIVIDERS > 0 -- sm_10x
  );
  port (
    clk       : in  std_ulogic;
    moves_i   : in  std_ulogic_vector(1 to 5) := (others => '1'); -- each register takes a word
    lo_i      : in  word_t;            -- word at the lower address
    hi_i      : in  word_t;            -- the next one; ignored when lo_i is a half instruction
    control_o : out control_t;         -- trap is set where the word is undefined or unimplemented
    long_o    : out std_ulogic         -- 8 bytes, else 4
  );
end entity;

architecture rtl of decode is
  signal hi         : word_t;
  type parts_t is array (1 to 6 + boolean'pos(HAS_EXTENSION)) of decoded_t;
  signal parts      : parts_t;         -- result of each part
  signal choose_d   : parts_t;
  signal chosen     : decoded_t;
  signal operands   : decoded_t;       -- with its operands
  signal in_memory  : in_memory_t;
  signal resolved   : decoded_t;       -- decoded operands with their places in memory
  type verdict_t is record
    control : control_t;               -- if it does not trap
    trap    : trap_t;
    traps   : std_ulogic;              -- the word is undefined or unimplemented
    long    : std_ulogic;
  end record;
  signal judged, verdict : verdict_t;

  -- the words and what is known of them, in front of the choice, decode_operands, decode_cells and the judgement
  signal choose_lo, choose_hi, operands_lo, operands_hi, cells_lo, cells_hi, judge_lo, judge_hi : word_t;
  signal operands_d, cells_d, judge_d : decoded_t;
  signal cells_m : in_memory_t;
begin

  hi     <= hi_i when lo_i(0) = '1' else (others => '0');

  u_flow    : entity work.decode_flow    port map (lo_i => lo_i, hi_i => hi, d_o => parts(1));
  u_move    : entity work.decode_move    port map (lo_i => lo_i, hi_i => hi, d_o => parts(3));
  u_integer : entity work.decode_integer port map (lo_i => lo_i, hi_i => hi, d_o => parts(4));
  u_memory  : entity work.decode_memory  port map (lo_i => lo_i, hi_i => hi, d_o => parts(5));
  u_half    : entity work.decode_half
    generic map (HAS_FPU => CONFIG.HAS_FPU, HAS_SFU => CONFIG.HAS_SFU)
    port map (lo_i => lo_i, hi_i => hi, d_o => parts(2));
  u_float   : entity work.decode_float
    generic map (HAS_FPU => CONFIG.HAS_FPU, HAS_SFU => CONFIG.HAS_SFU)
    port map (lo_i => lo_i, hi_i => hi, d_o => parts(6));

  with_extension : if HAS_EXTENSION generate
    u_extension : entity work.decode_extension
      generic map (HAS_WIDE => CONFIG.WIDE > 0, HAS_DIVIDERS => CONFIG.DIVIDERS > 0)
      port map (lo_i => lo_i, hi_i => hi, d_o => parts(parts'high));
  end generate;

  choose : process (all)
  begin
    chosen <= DECODED_INIT;
    for p in parts'reverse_range loop
      if choose_d(p).known then
        chosen <= choose_d(p);
      end if;
    end loop;
  end process;

  u_operands : entity work.decode_operands
    port map (lo_i => operands_lo, hi_i => operands_hi, d_i => operands_d, d_o => operands, m_o => in_memory);

  u_cells : entity work.decode_cells
    port map (lo_i => cells_lo, hi_i => cells_hi, d_i => cells_d, m_i => cells_m, d_o => resolved);

  with_registers : if HAS_REGISTERS generate
    regs : process (clk)
    begin
      if rising_edge(clk) then
        if moves_i(1) = '1' then
          choose_lo <= lo_i;
          choose_hi <= hi;
          choose_d  <= parts;
        end if;
        if moves_i(2) = '1' then
          operands_lo <= choose_lo;
          operands_hi <= choose_hi;
          operands_d  <= chosen;
        end if;
        if moves_i(3) = '1' then
          cells_lo <= operands_lo;
          cells_hi <= operands_hi;
          cells_d  <= operands;
          cells_m  <= in_memory;
        end if;
        if moves_i(4) = '1' then
          judge_lo <= cells_lo;
          judge_hi <= cells_hi;
          judge_d  <= resolved;
        end if;
        if moves_i(5) = '1' then
          verdict <= judged;
        end if;
      end if;
    end process;
  else generate
    choose_lo   <= lo_i;
    choose_hi   <= hi;
    choose_d    <= parts;
    operands_lo <= choose_lo;
    operands_hi <= choose_hi;
    operands_d  <= chosen;
    cells_lo    <= operands_lo;
    cells_hi    <= operands_hi;
    cells_d     <= operands;
    cells_m     <= in_memory;
    judge_lo    <= cells_lo;
    judge_hi    <= cells_hi;
    judge_d     <= resolved;
    verdict     <= judged;
  end generate;

  judge : process (all)
    variable known : boolean;
  begin
    known := judge_d.known and (judge_lo and not (L_SHAPE or L_OPCODE or judge_d.used_lo)) = NO_BITS
             and (judge_hi and not judge_d.used_hi) = NO_BITS;
    judged.control <= judge_d.control;
    if judge_d.control.is_end = '1' or judge_d.control.is_join = '1' then
      judged.control.redirects <= '1';
    end if;
    judged.trap <= judge_d.control.trap;
    if not known then
      judged.trap <= TRAP_UNDEFINED;
    elsif judge_d.absent then
      judged.trap <= TRAP_UNIMPLEMENTED;
    end if;
    judged.traps <= to_sl(not known or judge_d.absent);
    judged.long  <= judge_lo(0);
  end process;

  -- Behind the register: so many bits hang on one.
  answer : process (all)
  begin
    control_o <= verdict.control;
    if verdict.traps = '1' then
      control_o           <= CONTROL_INIT;
      control_o.redirects <= '1';
    end if;
    control_o.trap <= verdict.trap;
  end process;
  long_o <= verdict.long;

end architecture;
