-- SPDX-License-Identifier: Apache-2.0
-- Instruction decoder: word pair to control signals (spec/insn.def; checked by testbench/decode). At most one part
-- knows a word. A bit that no field claims must be zero unless silicon ignores it.
--
--     lo, hi --> decode_flow, decode_half, decode_move, decode_integer, decode_memory, decode_float
--                  --> CHOOSE --> decode_operands --> decode_cells --> JUDGE --> control
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
  signal hi : word_t;

  -- Each stage has the words and what is known of them.
  -- stage CHOOSE: the result of each part
  type parts_t is array (1 to 6 + boolean'pos(HAS_EXTENSION)) of decoded_t;
  type choose_stage_t is record
    lo    : word_t;
    hi    : word_t;
    parts : parts_t;
  end record;
  signal choose_r, choose_in : choose_stage_t;

  -- stage OPERANDS, stage JUDGE
  type known_stage_t is record
    lo : word_t;
    hi : word_t;
    d  : decoded_t;
  end record;
  signal operands_r, operands_in : known_stage_t;
  signal judge_r, judge_in       : known_stage_t;            -- with its operands' places in memory

  -- stage CELLS
  type cells_stage_t is record
    lo : word_t;
    hi : word_t;
    d  : decoded_t;                                          -- with its operands
    m  : in_memory_t;
  end record;
  signal cells_r, cells_in : cells_stage_t;

  type verdict_t is record
    control : control_t;                                     -- if it does not trap
    trap    : trap_t;
    traps   : std_ulogic;                                    -- the word is undefined or unimplemented
    long    : std_ulogic;
  end record;
  signal verdict_r, verdict_in : verdict_t;

  -- The result of the part that knows the word.
  function chosen(parts : parts_t) return decoded_t is
    variable v : decoded_t := DECODED_INIT;
  begin
    for p in parts'reverse_range loop
      if parts(p).known then
        v := parts(p);
      end if;
    end loop;
    return v;
  end function;

  function judged(word : known_stage_t) return verdict_t is
    variable v     : verdict_t;
    variable known : boolean;
  begin
    known := word.d.known and (word.lo and not (L_SHAPE or L_OPCODE or word.d.used_lo)) = NO_BITS
             and (word.hi and not word.d.used_hi) = NO_BITS;
    v := (control => word.d.control,
          trap    => word.d.control.trap,
          traps   => to_sl(not known or word.d.absent),
          long    => word.lo(0));
    if word.d.control.is_end = '1' or word.d.control.is_join = '1' then
      v.control.redirects := '1';
    end if;
    if not known then
      v.trap := TRAP_UNDEFINED;
    elsif word.d.absent then
      v.trap := TRAP_UNIMPLEMENTED;
    end if;
    return v;
  end function;
begin

  --------------------------------------------------------------------------------------------------------------
  -- CHOOSE

  hi           <= hi_i when lo_i(0) = '1' else (others => '0');
  choose_in.lo <= lo_i;
  choose_in.hi <= hi;

  u_flow    : entity work.decode_flow    port map (lo_i => lo_i, hi_i => hi, d_o => choose_in.parts(1));
  u_move    : entity work.decode_move    port map (lo_i => lo_i, hi_i => hi, d_o => choose_in.parts(3));
  u_integer : entity work.decode_integer port map (lo_i => lo_i, hi_i => hi, d_o => choose_in.parts(4));
  u_memory  : entity work.decode_memory  port map (lo_i => lo_i, hi_i => hi, d_o => choose_in.parts(5));
  u_half    : entity work.decode_half
    generic map (HAS_FPU => CONFIG.HAS_FPU, HAS_SFU => CONFIG.HAS_SFU)
    port map (lo_i => lo_i, hi_i => hi, d_o => choose_in.parts(2));
  u_float   : entity work.decode_float
    generic map (HAS_FPU => CONFIG.HAS_FPU, HAS_SFU => CONFIG.HAS_SFU)
    port map (lo_i => lo_i, hi_i => hi, d_o => choose_in.parts(6));

  with_extension : if HAS_EXTENSION generate
    u_extension : entity work.decode_extension
      generic map (HAS_WIDE => CONFIG.WIDE > 0, HAS_DIVIDERS => CONFIG.DIVIDERS > 0)
      port map (lo_i => lo_i, hi_i => hi, d_o => choose_in.parts(parts_t'high));
  end generate;

  with_choose_regs : if HAS_REGISTERS generate
    choose_regs : process (clk)
    begin
      if rising_edge(clk) then
        if moves_i(1) = '1' then
          choose_r <= choose_in;
        end if;
      end if;
    end process;
  else generate
    choose_r <= choose_in;
  end generate;

  --------------------------------------------------------------------------------------------------------------
  -- OPERANDS

  operands_in <= (lo => choose_r.lo, hi => choose_r.hi, d => chosen(choose_r.parts));

  with_operands_regs : if HAS_REGISTERS generate
    operands_regs : process (clk)
    begin
      if rising_edge(clk) then
        if moves_i(2) = '1' then
          operands_r <= operands_in;
        end if;
      end if;
    end process;
  else generate
    operands_r <= operands_in;
  end generate;

  --------------------------------------------------------------------------------------------------------------
  -- CELLS

  cells_in.lo <= operands_r.lo;
  cells_in.hi <= operands_r.hi;

  u_operands : entity work.decode_operands
    port map (lo_i => operands_r.lo, hi_i => operands_r.hi, d_i => operands_r.d, d_o => cells_in.d, m_o => cells_in.m);

  with_cells_regs : if HAS_REGISTERS generate
    cells_regs : process (clk)
    begin
      if rising_edge(clk) then
        if moves_i(3) = '1' then
          cells_r <= cells_in;
        end if;
      end if;
    end process;
  else generate
    cells_r <= cells_in;
  end generate;

  --------------------------------------------------------------------------------------------------------------
  -- JUDGE

  judge_in.lo <= cells_r.lo;
  judge_in.hi <= cells_r.hi;

  u_cells : entity work.decode_cells
    port map (lo_i => cells_r.lo, hi_i => cells_r.hi, d_i => cells_r.d, m_i => cells_r.m, d_o => judge_in.d);

  with_judge_regs : if HAS_REGISTERS generate
    judge_regs : process (clk)
    begin
      if rising_edge(clk) then
        if moves_i(4) = '1' then
          judge_r <= judge_in;
        end if;
      end if;
    end process;
  else generate
    judge_r <= judge_in;
  end generate;

  --------------------------------------------------------------------------------------------------------------
  -- The answer: traps are behind the register, because so many bits hang on one.

  verdict_in <= judged(judge_r);

  with_verdict_regs : if HAS_REGISTERS generate
    verdict_regs : process (clk)
    begin
      if rising_edge(clk) then
        if moves_i(5) = '1' then
          verdict_r <= verdict_in;
        end if;
      end if;
    end process;
  else generate
    verdict_r <= verdict_in;
  end generate;

  answer : process (all)
  begin
    control_o <= verdict_r.control;
    if verdict_r.traps = '1' then
      control_o           <= CONTROL_INIT;
      control_o.redirects <= '1';
    end if;
    control_o.trap <= verdict_r.trap;
  end process;
  long_o <= verdict_r.long;

end architecture;
