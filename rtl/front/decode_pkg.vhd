-- SPDX-License-Identifier: Apache-2.0
-- Shared by the parts of the decoder (decode_flow, decode_half, decode_move, decode_integer, decode_memory,
-- decode_float): the fields of an instruction word, its shape, and decoded_t, the result of a part. A part starts from
--     d := decoded(lo_i, hi_i, SHAPE_LONG);
-- and sets the fields that the operation needs. It leaves d.known false for words that are not its own.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;

package decode_pkg is

  -- Fields of the low word, as spec/fields.def has them.
  constant L_SHAPE  : word_t := ones(0, 1);
  constant L_OPCODE : word_t := ones(28, 31);
  constant L_DST7   : word_t := ones(2, 8);
  constant L_DST6   : word_t := ones(2, 7);
  constant L_DST3   : word_t := ones(2, 4);       -- A register
  constant L_SRC1   : word_t := ones(9, 15);      -- register, or shared offset and type
  constant L_SRC1_6 : word_t := ones(9, 14);      -- the same of half and immediate forms
  constant L_SRC2   : word_t := ones(16, 22);
  constant L_SRC2_6 : word_t := ones(16, 21);
  constant L_WIDE   : word_t := ones(9, 24);      -- offset of memory instructions
  constant L_CONST2 : word_t := ones(23);         -- slot 2 is a constant
  constant L_CONST3 : word_t := ones(24);         -- slot 3 is a constant (half, immediate: source 1 is shared)
  constant L_CONVERSION : word_t := ones(16, 24); -- conversions and functions ignore them
  constant L_INDEX  : word_t := ones(25, 27);     -- post-increment, A register
  constant L_AREG   : word_t := ones(26, 27);
  constant L_MOD8   : word_t := ones(8);          -- modifier bits
  constant L_MOD15  : word_t := ones(15);
  constant L_MOD22  : word_t := ones(22);
  constant L_SEG    : word_t := ones(16, 19);
  constant L_TARGET : word_t := ones(11, 26);

  -- Fields of the high word.
  constant H_MARK   : word_t := ones(0, 1);
  constant H_AREG   : word_t := ones(2);
  constant H_BUCKET : word_t := ones(3);
  constant H_SET_C  : word_t := ones(4, 6);
  constant H_GUARD  : word_t := ones(7, 13);
  constant H_SRC3   : word_t := ones(14, 20);
  constant H_SHARED : word_t := ones(21);
  constant H_BANK   : word_t := ones(22, 25);
  constant H_WIDTH  : word_t := ones(26);
  constant H_SIGN   : word_t := ones(27);
  constant H_SUB    : word_t := ones(29, 31);
  constant H_SIZE   : word_t := ones(21, 23);
  constant H_TARGET : word_t := ones(14, 19);
  constant H_BIT28  : word_t := ones(28);
  constant NO_BITS  : word_t := (others => '0');
  constant H_FIXED  : word_t := H_MARK or H_GUARD or H_SUB; -- fields of every long instruction
  constant H_USUAL  : word_t := H_FIXED or H_BUCKET or H_SET_C; -- fields of most

  type shape_t is (SHAPE_HALF, SHAPE_IMM, SHAPE_LONG, SHAPE_FLOW);
  function shape_of(lo : word_t; hi : word_t) return shape_t;

  -- Cell type of a shared or constant operand, as an instruction names it.
  subtype cell_t is std_ulogic_vector(1 downto 0);
  constant CELL_U8  : cell_t := "00";
  constant CELL_U16 : cell_t := "01";
  constant CELL_S16 : cell_t := "10";
  constant CELL_32  : cell_t := "11";
  function size_of(cell : cell_t) return size_t;

  -- The operand slots that an instruction uses, and their widths; decode_operands reads them from the word.
  type operand_slots_t is record
    a   : std_ulogic;                  -- source 1: register or shared
    a16 : std_ulogic;
    b   : std_ulogic;                  -- source 2: register or constant, in slot 2 (immediate shape: the immediate)
    b3  : std_ulogic;                  -- source 2 in slot 3 (IADD and FADD)
    b16 : std_ulogic;
    c   : std_ulogic;                  -- source 3: register or constant, in slot 3
    c_is_dst : std_ulogic;             -- source 3 is the destination register
    wide_shared : std_ulogic;          -- a shared cell at the offset l9-24, with the type in `cell` (G2R, R2G)
    wide_const  : std_ulogic;          -- a constant there (MVC)
    cell : cell_t;
    wide_local : std_ulogic;           -- a local cell there, offset in bytes (LLD, LST)
    no_shared : std_ulogic;            -- source 1 cannot be shared
    one_memory : std_ulogic;           -- not shared and constant together (ISAD)
    no_memory  : std_ulogic;           -- neither shared nor constant (reserved opcodes)
    byte_type : std_ulogic;            -- I2I BEXT: the shared type must be U8
    same_type : std_ulogic;            -- I2I: the shared type must be as wide as the source
    d   : std_ulogic;                  -- destination register
    d16 : std_ulogic;
    d7  : std_ulogic;                  -- the 16-bit destination's field has seven bits, else six
  end record;
  constant OPERAND_SLOTS_INIT : operand_slots_t := (cell => "00", others => '0');

  type decoded_t is record
    known   : boolean;                 -- an encoding of the instruction set, and of the part that says it
    absent  : boolean;                 -- an encoding that this machine does not execute
    control : control_t;
    slots   : operand_slots_t;
    used_lo : word_t;                  -- bits that a field claims beside the opcode; all others must be zero
    used_hi : word_t;
    ignored_lo : word_t;               -- bits that silicon ignores where no operand is in memory; spec/
    ignored_hi : word_t;               -- ignored.def says by which vectors
  end record;
  constant DECODED_INIT : decoded_t := (known => false, absent => false, control => CONTROL_INIT,
                                        slots => OPERAND_SLOTS_INIT, used_lo => (others => '0'),
                                        used_hi => (others => '0'), ignored_lo => (others => '0'),
                                        ignored_hi => (others => '0'));

  -- The operands of an instruction that are in memory: at most one in shared or local memory, one constant.
  type in_memory_t is record
    is_shared    : boolean;                                  -- source 1
    has_shared   : boolean;                                  -- a source is another cell of shared or local memory
    cell         : cell_t;                                   -- the cell is that of a memory instruction
    shared_cells : unsigned(17 downto 0);                    -- offset of the shared or local operand
    is_const     : boolean;                                  -- source 2 or 3
    const_cells  : unsigned(17 downto 0);
    const_size   : size_t;
  end record;
  -- All zero: ghdl --synth loses changes that a procedure makes to a constant that is not.
  constant IN_MEMORY_INIT : in_memory_t := (is_shared => false, has_shared => false, is_const => false,
                                            cell => CELL_U8, const_size => SIZE_1, others => (others => '0'));

  -- Common fields of the instructions of a shape; known when the word has this shape.
  function decoded(lo : word_t; hi : word_t; shape : shape_t) return decoded_t;

  -- Bits that a field claims, or that silicon ignores.
  procedure claim_lo(d : inout decoded_t; field : word_t);
  procedure claim_hi(d : inout decoded_t; field : word_t);
  procedure ignore_lo(d : inout decoded_t; field : word_t);
  procedure ignore_hi(d : inout decoded_t; field : word_t);

  function areg_of(lo : word_t; hi : word_t; shape : shape_t) return areg_t;
  function exists(areg : areg_t) return boolean;

end package;

package body decode_pkg is

  function shape_of(lo : word_t; hi : word_t) return shape_t is
    variable shape : shape_t := SHAPE_LONG;
  begin
    if lo(0) = '0' then
      shape := SHAPE_HALF;
    elsif lo(1) = '1' then
      shape := SHAPE_FLOW;
    elsif hi(1 downto 0) = "11" then
      shape := SHAPE_IMM;
    end if;
    return shape;
  end function;

  function size_of(cell : cell_t) return size_t is
    variable size : size_t := SIZE_2;
  begin
    if cell = CELL_U8 then
      size := SIZE_1;
    elsif cell = CELL_32 then
      size := SIZE_4;
    end if;
    return size;
  end function;

  function decoded(lo : word_t; hi : word_t; shape : shape_t) return decoded_t is
    variable d : decoded_t := DECODED_INIT;
  begin
    d.known              := shape_of(lo, hi) = shape;
    d.control.mem_size   := SIZE_4;
    d.control.const_size := SIZE_4;
    d.control.lane_mask  := "1111";
    d.control.creg       := unsigned(hi(13 downto 12));
    d.control.cond       := unsigned(hi(11 downto 7));
    d.control.creg_dst      := unsigned(hi(5 downto 4));
    if shape = SHAPE_LONG then
      d.control.has_guard := '1';
      d.control.is_end    := hi(0);
      d.control.is_join   := hi(1);
      d.slots.d7          := '1';
    end if;
    return d;
  end function;

  procedure claim_lo(d : inout decoded_t; field : word_t) is
  begin
    d.used_lo := d.used_lo or field;
  end procedure;

  procedure claim_hi(d : inout decoded_t; field : word_t) is
  begin
    d.used_hi := d.used_hi or field;
  end procedure;

  procedure ignore_lo(d : inout decoded_t; field : word_t) is
  begin
    d.ignored_lo := d.ignored_lo or field;
  end procedure;

  procedure ignore_hi(d : inout decoded_t; field : word_t) is
  begin
    d.ignored_hi := d.ignored_hi or field;
  end procedure;

  function areg_of(lo : word_t; hi : word_t; shape : shape_t) return areg_t is
    variable high : std_ulogic;
  begin
    high := hi(2) and to_sl(shape = SHAPE_LONG or shape = SHAPE_FLOW);
    return high & unsigned(lo(27 downto 26));
  end function;

  function exists(areg : areg_t) return boolean is
  begin
    return areg <= 4;
  end function;

end package body;
