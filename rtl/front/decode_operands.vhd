-- SPDX-License-Identifier: Apache-2.0
-- Part of the decoder: reads the operands of the slots that an instruction uses (d_i.slots) from the word into the
-- control signals, the same way for all operations. Knows where each shape has its registers and offsets, and which
-- operands exclude each other; such a word is no longer known. decode_cells does the rest. Combinational.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.decode_pkg.all;

entity decode_operands is
  port (
    lo_i : in  word_t;
    hi_i : in  word_t;
    d_i  : in  decoded_t;
    d_o  : out decoded_t;
    m_o  : out in_memory_t             -- for decode_cells
  );
end entity;

architecture rtl of decode_operands is

  -- An offset field, in cells; one that A grows by is signed.
  function offset_of(field : std_ulogic_vector; grows : std_ulogic) return unsigned is
  begin
    return unsigned(resize(signed((field(field'high) and grows) & field), 18));
  end function;

  -- The register of a field: of a 16-bit operand the field is the half's number.
  function register_of(field : unsigned(6 downto 0); is_half : std_ulogic) return unsigned is
    variable number : unsigned(6 downto 0) := field;
  begin
    if is_half = '1' then
      number := '0' & field(6 downto 1);
    end if;
    return number;
  end function;

  function register_source(is_half : std_ulogic) return source_t is
    variable source : source_t := SRC_REG32;
  begin
    if is_half = '1' then
      source := SRC_REG16;
    end if;
    return source;
  end function;

  -- Source 1: a register, or a cell of shared memory.
  procedure source_1(d : inout decoded_t; m : inout in_memory_t; lo : word_t; hi : word_t; shape : shape_t) is
    variable field : unsigned(6 downto 0);
  begin
    if shape = SHAPE_LONG then
      claim_lo(d, L_SRC1);
      m.is_shared := hi(21) = '1' and d.slots.no_shared = '0';
      field    := unsigned(lo(15 downto 9));
      m.cell   := lo(15 downto 14);
      m.shared_cells := offset_of(lo(13 downto 9), lo(25));
      if m.is_shared then
        claim_hi(d, H_SHARED);
      end if;
    else
      claim_lo(d, L_SRC1_6 or L_CONST3);
      m.is_shared := lo(24) = '1';
      field    := '0' & unsigned(lo(14 downto 9));
      m.cell   := lo(14 downto 13);
      m.shared_cells := offset_of(lo(12 downto 9), lo(25));
    end if;

    d.control.src_a_reg := field;
    if m.is_shared then
      d.control.src_a_from := SRC_SHARED;
      if (d.slots.a16 = '1' and m.cell = CELL_32) or (d.slots.byte_type = '1' and m.cell /= CELL_U8)
         or (d.slots.same_type = '1' and (m.cell = CELL_U8 or (d.slots.a16 = '0' and m.cell /= CELL_32))) then
        d.known := false;
      end if;
    else
      d.control.src_a_from := register_source(d.slots.a16);
      d.control.src_a_high := field(0) and d.slots.a16;
      d.control.src_a_reg  := register_of(field, d.slots.a16);
    end if;
  end procedure;

  -- Offsets of memory instructions. Those in shared memory count cells: the wider the cell, the shorter the field.
  procedure wide(d : inout decoded_t; m : inout in_memory_t; lo : word_t) is
  begin
    claim_lo(d, L_WIDE);
    m.cell         := d.slots.cell;
    m.shared_cells := offset_of(lo(24 downto 9), lo(25));
    m.const_cells  := m.shared_cells;
    m.const_size   := size_of(m.cell);
    if d.slots.wide_const = '1' then
      m.is_const                := true;
      d.control.src_b_from       := SRC_CONST;
      d.control.const_signed := to_sl(m.cell = CELL_S16);
    elsif d.slots.wide_shared = '1' then
      if m.cell = CELL_32 then
        d.known := d.known and lo(24 downto 23) = "00";
        m.shared_cells := offset_of(lo(22 downto 9), lo(25));
      elsif m.cell /= CELL_U8 then
        d.known := d.known and lo(24) = '0';
        m.shared_cells := offset_of(lo(23 downto 9), lo(25));
      end if;
    end if;
  end procedure;

  -- Source 2: a register, a constant or the immediate. A grows by a constant's offset where no operand is shared.
  procedure source_2(d : inout decoded_t; m : inout in_memory_t; lo : word_t; hi : word_t; shape : shape_t) is
    variable field : unsigned(6 downto 0);
    variable grows : std_ulogic;
  begin
    grows := lo(25) and not to_sl(m.is_shared);
    m.const_size := SIZE_4;
    if d.slots.b16 = '1' then
      m.const_size := SIZE_2;
    end if;
    if shape = SHAPE_IMM then
      d.control.src_b_from := SRC_IMM;
    else
      if shape = SHAPE_HALF then
        claim_lo(d, L_SRC2_6 or L_CONST2);
        m.is_const := lo(23) = '1';
        field   := '0' & unsigned(lo(21 downto 16));
        m.const_cells  := offset_of(lo(20 downto 16), grows);
        d.control.bank := "000" & lo(21);
        if m.is_const and m.is_shared then
          d.known := false;
        end if;
      elsif d.slots.b = '1' then
        claim_lo(d, L_SRC2 or L_CONST2);
        m.is_const := lo(23) = '1';
        field   := unsigned(lo(22 downto 16));
        m.const_cells := offset_of(lo(22 downto 16), grows);
      else
        claim_lo(d, L_CONST3);
        claim_hi(d, H_SRC3);
        m.is_const := lo(24) = '1';
        field   := unsigned(hi(20 downto 14));
        m.const_cells := offset_of(hi(20 downto 14), grows);
      end if;
      d.control.src_b_reg := field;
      if m.is_const then
        d.control.src_b_from := SRC_CONST;
      else
        d.control.src_b_from := register_source(d.slots.b16);
        d.control.src_b_high := field(0) and d.slots.b16;
        d.control.src_b_reg  := register_of(field, d.slots.b16);
      end if;
    end if;
  end procedure;

  -- Source 3: a register, or a constant where source 2 is none.
  procedure source_3(d : inout decoded_t; m : inout in_memory_t; lo : word_t; hi : word_t) is
  begin
    claim_lo(d, L_CONST3);
    claim_hi(d, H_SRC3);
    d.control.src_c_from := SRC_REG32;
    d.control.src_c_reg  := unsigned(hi(20 downto 14));
    if lo(24) = '1' then
      if m.is_const then
        d.known := false;
      end if;
      m.is_const          := true;
      m.const_cells    := offset_of(hi(20 downto 14), lo(25) and not to_sl(m.is_shared));
      m.const_size     := SIZE_4;
      d.control.src_c_from := SRC_CONST;
    end if;
  end procedure;

  procedure destination(d : inout decoded_t; lo : word_t; hi : word_t; shape : shape_t) is
    variable field : unsigned(6 downto 0);
  begin
    claim_lo(d, L_DST6);
    field := '0' & unsigned(lo(7 downto 2));
    if d.slots.d7 = '1' then
      claim_lo(d, L_DST7);
      field := unsigned(lo(8 downto 2));
    end if;
    d.control.dst_number := '0' & std_ulogic_vector(field);
    d.control.dst_reg    := register_of(field, d.slots.d16);
    d.control.dst_high   := field(0) and d.slots.d16;
    d.control.dst        := DST_REG32;
    if d.slots.d16 = '1' then
      d.control.dst := DST_REG16;
    elsif field = 127 then
      d.control.dst := DST_NONE;
    end if;
    if shape = SHAPE_LONG and hi(3) = '1' and d.control.mem /= MEM_GLOBAL_ATOMIC then
      d.control.dst := DST_NONE;                             -- only the bucket of the output space exists
    end if;
  end procedure;

begin

  resolve : process (all)
    variable d          : decoded_t;
    variable m          : in_memory_t;
    variable shape      : shape_t;
  begin
    d     := d_i;
    m     := IN_MEMORY_INIT;
    shape := shape_of(lo_i, hi_i);
    if d.slots.a = '1' then
      source_1(d, m, lo_i, hi_i, shape);
    end if;
    if d.slots.wide_shared = '1' or d.slots.wide_const = '1' or d.slots.wide_local = '1' then
      wide(d, m, lo_i);
    end if;
    if d.slots.b = '1' or d.slots.b3 = '1' then
      source_2(d, m, lo_i, hi_i, shape);
    end if;
    if d.slots.c = '1' then
      source_3(d, m, lo_i, hi_i);
    elsif d.slots.c_is_dst = '1' then
      d.control.src_c_from := SRC_REG32;
      d.control.src_c_reg  := '0' & unsigned(lo_i(7 downto 2));
    end if;
    if d.slots.d = '1' then
      destination(d, lo_i, hi_i, shape);
    end if;

    m.has_shared := m.is_shared or d.slots.wide_shared = '1' or d.slots.wide_local = '1';
    d_o <= d;
    m_o <= m;
  end process;

end architecture;
