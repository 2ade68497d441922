-- SPDX-License-Identifier: Apache-2.0
-- Part of the decoder: reads the operands of the slots that an instruction uses (d_i.slots) from the word into the
-- control signals, the same way for all operations. Knows where each shape has its registers, offsets and indexes, and
-- which operands exclude each other; such a word is no longer known. Combinational.

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
    d_o  : out decoded_t
  );
end entity;

architecture rtl of decode_operands is

  -- An offset field, in cells; one that A grows by is signed.
  function offset_of(field : std_ulogic_vector; grows : std_ulogic) return unsigned is
  begin
    return unsigned(resize(signed((field(field'high) and grows) & field), 18));
  end function;

  -- Cells of the size to bytes.
  function bytes(cells : unsigned(17 downto 0); size : size_t) return unsigned is
  begin
    return shift_left(cells, to_integer(unsigned(size)));
  end function;

begin

  resolve : process (all)
    variable d     : decoded_t;
    variable c     : control_t;
    variable s     : operand_slots_t;
    variable lo    : word_t;
    variable hi    : word_t;
    variable shape : shape_t;
    variable cell  : cell_t;
    variable is_shared  : boolean;                           -- source 1
    variable has_shared : boolean;                           -- ... or the cell of a memory instruction, or a local one
    variable is_const  : boolean;                            -- source 2 or 3
    variable grows     : std_ulogic;                         -- A grows by the offset of the operand that it indexes
    variable const_grows : std_ulogic;                       -- ... which is the constant
    variable shared_cells : unsigned(17 downto 0);           -- offset of the shared or local operand
    variable const_cells  : unsigned(17 downto 0);
    variable const_size   : size_t;
    variable place        : unsigned(17 downto 0);           -- offset in bytes

    procedure source_1 is
    begin
      if shape = SHAPE_LONG then
        d.used_lo := d.used_lo or L_SRC1;
        is_shared := hi(21) = '1' and s.no_shared = '0';
        c.a_reg   := unsigned(lo(15 downto 9));
        cell      := lo(15 downto 14);
        shared_cells := offset_of(lo(13 downto 9), grows);
        if is_shared then
          d.used_hi := d.used_hi or H_SHARED;
        end if;
      else
        d.used_lo := d.used_lo or L_SRC1_6 or L_CONST3;
        is_shared := lo(24) = '1';
        c.a_reg   := '0' & unsigned(lo(14 downto 9));
        cell      := lo(14 downto 13);
        shared_cells := offset_of(lo(12 downto 9), grows);
      end if;

      if is_shared then
        c.a_from := SRC_SHARED;
        if (s.a16 = '1' and cell = CELL_32) or (s.byte_type = '1' and cell /= CELL_U8)
           or (s.same_type = '1' and (cell = CELL_U8 or (s.a16 = '0' and cell /= CELL_32))) then
          d.known := false;
        end if;
      elsif s.a16 = '1' then
        c.a_from := SRC_REG16;
        c.a_high := c.a_reg(0);
        c.a_reg  := '0' & c.a_reg(6 downto 1);
      else
        c.a_from := SRC_REG32;
      end if;
    end procedure;

    -- Offsets of memory instructions. Those in shared memory count cells: the wider the cell, the shorter the field.
    procedure wide is
    begin
      cell := s.cell;
      d.used_lo := d.used_lo or L_WIDE;
      shared_cells := offset_of(lo(24 downto 9), grows);
      const_cells  := shared_cells;
      const_size   := size_of(cell);
      if s.wide_const = '1' then
        c.b_from       := SRC_CONST;
        c.const_signed := to_sl(cell = CELL_S16);
        is_const       := true;
      elsif s.wide_shared = '1' then
        if cell = CELL_32 then
          d.known := d.known and lo(24 downto 23) = "00";
          shared_cells := offset_of(lo(22 downto 9), grows);
        elsif cell /= CELL_U8 then
          d.known := d.known and lo(24) = '0';
          shared_cells := offset_of(lo(23 downto 9), grows);
        end if;
      end if;
    end procedure;

    procedure source_2 is
    begin
      const_size := SIZE_4;
      if s.b16 = '1' then
        const_size := SIZE_2;
      end if;
      if shape = SHAPE_IMM then
        c.b_from := SRC_IMM;
      else
        if shape = SHAPE_HALF then
          d.used_lo := d.used_lo or L_SRC2_6 or L_CONST2;
          is_const  := lo(23) = '1';
          c.b_reg   := '0' & unsigned(lo(21 downto 16));
          c.bank    := "000" & lo(21);
          const_cells := offset_of(lo(20 downto 16), const_grows);
          if is_const and is_shared then
            d.known := false;
          end if;
        elsif s.b = '1' then
          d.used_lo := d.used_lo or L_SRC2 or L_CONST2;
          is_const  := lo(23) = '1';
          c.b_reg   := unsigned(lo(22 downto 16));
          const_cells := offset_of(lo(22 downto 16), const_grows);
        else
          d.used_lo := d.used_lo or L_CONST3;
          d.used_hi := d.used_hi or H_SRC3;
          is_const  := lo(24) = '1';
          c.b_reg   := unsigned(hi(20 downto 14));
          const_cells := offset_of(hi(20 downto 14), const_grows);
        end if;
        if is_const then
          c.b_from := SRC_CONST;
        elsif s.b16 = '1' then
          c.b_from := SRC_REG16;
          c.b_high := c.b_reg(0);
          c.b_reg  := '0' & c.b_reg(6 downto 1);
        else
          c.b_from := SRC_REG32;
        end if;
      end if;
    end procedure;

    procedure source_3 is
    begin
      d.used_lo := d.used_lo or L_CONST3;
      d.used_hi := d.used_hi or H_SRC3;
      c.c_from  := SRC_REG32;
      c.c_reg   := unsigned(hi(20 downto 14));
      if lo(24) = '1' then
        if is_const then
          d.known := false;
        end if;
        is_const    := true;
        c.c_from    := SRC_CONST;
        const_cells := offset_of(hi(20 downto 14), const_grows);
        const_size  := SIZE_4;
      end if;
    end procedure;

    -- The shared or local operand. A post-increment adds its offset to A, and the address is A alone.
    procedure in_shared is
      variable size : size_t;
    begin
      size       := SIZE_1;
      c.a_shared := '1';
      if s.wide_local = '0' then
        size           := size_of(cell);
        c.reads_shared := '1';
        c.mem_size     := size;
        c.mem_signed   := to_sl(cell = CELL_S16) and not s.byte_type;
      end if;
      place := bytes(shared_cells, size);
      if grows = '0' then
        c.offset := place;
      end if;
    end procedure;

    -- The constant operand. Beside a shared operand it is not indexed.
    procedure in_const is
    begin
      c.reads_const := '1';
      c.const_size  := const_size;
      if shape /= SHAPE_HALF then
        c.bank    := unsigned(hi(25 downto 22));
        d.used_hi := d.used_hi or H_BANK;
      end if;
      if is_shared then
        c.const_offset := bytes(const_cells, const_size);
        d.known := d.known and s.one_memory = '0';
      else
        c.a_const := '1';
        place     := bytes(const_cells, const_size);
        if grows = '0' then
          c.const_offset := place;
        end if;
      end if;
    end procedure;

    procedure destination is
    begin
      c.dst_reg := '0' & unsigned(lo(7 downto 2));
      d.used_lo := d.used_lo or L_DST6;
      if s.d7 = '1' then
        c.dst_reg := unsigned(lo(8 downto 2));
        d.used_lo := d.used_lo or L_DST7;
      end if;
      c.dst_number := '0' & std_ulogic_vector(c.dst_reg);
      c.dst        := DST_REG32;
      if s.d16 = '1' then
        c.dst      := DST_REG16;
        c.dst_high := c.dst_reg(0);
        c.dst_reg  := '0' & c.dst_reg(6 downto 1);
      elsif c.dst_reg = 127 then
        c.dst := DST_NONE;
      end if;
      if shape = SHAPE_LONG and hi(3) = '1' and c.mem /= MEM_GLOBAL_ATOMIC then
        c.dst := DST_NONE;                                   -- only the bucket of the output space exists
      end if;
    end procedure;

  begin
    lo    := lo_i;
    hi    := hi_i;
    d     := d_i;
    c     := d.control;
    s     := d.slots;
    shape := shape_of(lo, hi);
    cell  := CELL_32;
    grows := lo(25);
    is_shared    := false;
    is_const     := false;
    shared_cells := (others => '0');
    const_cells  := (others => '0');
    const_size   := SIZE_4;
    place        := (others => '0');

    if s.a = '1' then
      source_1;
    end if;
    const_grows := grows and not to_sl(is_shared);
    if s.wide_shared = '1' or s.wide_const = '1' or s.wide_local = '1' then
      wide;
    end if;
    if s.b = '1' or s.b3 = '1' then
      source_2;
    end if;
    if s.c = '1' then
      source_3;
    elsif s.c_is_dst = '1' then
      c.c_from := SRC_REG32;
      c.c_reg  := '0' & unsigned(lo(7 downto 2));
    end if;
    if s.d = '1' then
      destination;
    end if;

    has_shared := is_shared or s.wide_shared = '1' or s.wide_local = '1';
    if has_shared then
      in_shared;
    end if;
    if is_const then
      in_const;
    end if;

    if has_shared or is_const then
      if grows = '1' then
        c.inc_bytes := std_ulogic_vector(place(15 downto 0));
      end if;
      c.areg    := areg_of(lo, hi, shape);
      c.a_inc   := lo(25);
      d.used_lo := d.used_lo or L_INDEX;
      if shape /= SHAPE_HALF then
        d.used_hi := d.used_hi or H_AREG;
      end if;
      if not exists(c.areg) or s.no_memory = '1' then
        d.known := false;
      end if;
    else
      d.used_lo := d.used_lo or d.ignored_lo;
      d.used_hi := d.used_hi or d.ignored_hi;
    end if;

    d.control := c;
    d_o <= d;
  end process;

end architecture;
