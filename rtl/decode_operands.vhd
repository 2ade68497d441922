-- SPDX-License-Identifier: Apache-2.0
-- Part of the decoder: reads the operands of the slots that an instruction uses (d_i.slots) from the word into the
-- control signals, the same way for all operations. Knows where each shape has its registers, offsets and indexes, and
-- which operands exclude each other; such a word is no longer known. Combinational.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

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

  -- An offset field, sign-extended: what a post-increment adds to A.
  function extend(field : std_ulogic_vector) return unsigned is
  begin
    return unsigned(resize(signed(field), 16));
  end function;

  -- Cells of the size to bytes.
  function bytes(cells : unsigned; size : size_t) return unsigned is
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
    variable field : unsigned(15 downto 0);                  -- offset field
    variable grows : unsigned(15 downto 0);                  -- ... sign-extended, for the post-increment
    variable is_shared : boolean;
    variable indexed   : boolean;                            -- has a memory operand, and so an A register

    -- The shared operand at field, in cells.
    procedure set_shared is
    begin
      indexed        := true;
      c.reads_shared := '1';
      c.a_shared     := '1';
      c.mem_size     := size_of(cell);
      c.mem_signed   := to_sl(cell = CELL_S16);
      c.offset       := bytes(resize(field, 18), c.mem_size);
      if lo(25) = '1' then
        c.offset    := (others => '0');
        c.inc_bytes := std_ulogic_vector(bytes(grows, c.mem_size));
      end if;
    end procedure;

    -- The constant operand at field. Beside a shared operand it is not indexed.
    procedure set_const(size : size_t) is
    begin
      indexed        := true;
      c.reads_const  := '1';
      c.const_size   := size;
      c.a_const      := not to_sl(is_shared);
      c.const_offset := bytes(resize(field, 18), size);
      if lo(25) = '1' and not is_shared then
        c.const_offset := (others => '0');
        c.inc_bytes    := std_ulogic_vector(bytes(grows, size));
      end if;
      if shape /= SHAPE_HALF then
        c.bank    := unsigned(hi(25 downto 22));
        d.used_hi := d.used_hi or H_BANK;
      end if;
      if s.one_memory = '1' and is_shared then
        d.known := false;
      end if;
    end procedure;

    procedure source_1 is
    begin
      if shape = SHAPE_LONG then
        d.used_lo := d.used_lo or L_SRC1;
        is_shared := hi(21) = '1' and s.no_shared = '0';
        c.a_reg   := unsigned(lo(15 downto 9));
        cell      := lo(15 downto 14);
        field     := resize(unsigned(lo(13 downto 9)), 16);
        grows     := extend(lo(13 downto 9));
        if is_shared then
          d.used_hi := d.used_hi or H_SHARED;
        end if;
      else
        d.used_lo := d.used_lo or L_SRC1_6 or L_CONST3;
        is_shared := lo(24) = '1';
        c.a_reg   := '0' & unsigned(lo(14 downto 9));
        cell      := lo(14 downto 13);
        field     := resize(unsigned(lo(12 downto 9)), 16);
        grows     := extend(lo(12 downto 9));
      end if;

      if is_shared then
        c.a_from := SRC_SHARED;
        set_shared;
        if s.byte_type = '1' then
          c.mem_signed := '0';
        end if;
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
      cell  := s.cell;
      field := unsigned(lo(24 downto 9));
      grows := field;
      d.used_lo := d.used_lo or L_WIDE;
      if s.wide_const = '1' then
        c.b_from       := SRC_CONST;
        c.const_signed := to_sl(cell = CELL_S16);
        set_const(size_of(cell));
      elsif s.wide_local = '1' then
        indexed    := true;
        c.a_shared := '1';
        c.offset   := resize(field, 18);
        if lo(25) = '1' then
          c.offset    := (others => '0');
          c.inc_bytes := std_ulogic_vector(field);
        end if;
      else
        if cell = CELL_32 then
          d.known := d.known and lo(24 downto 23) = "00";
          field   := "00" & unsigned(lo(22 downto 9));
          grows   := extend(lo(22 downto 9));
        elsif cell /= CELL_U8 then
          d.known := d.known and lo(24) = '0';
          field   := '0' & unsigned(lo(23 downto 9));
          grows   := extend(lo(23 downto 9));
        end if;
        set_shared;
      end if;
    end procedure;

    procedure source_2 is
      variable is_const : std_ulogic := '0';
      variable size     : size_t := SIZE_4;
    begin
      if s.b16 = '1' then
        size := SIZE_2;
      end if;
      if shape = SHAPE_IMM then
        c.b_from := SRC_IMM;
      else
        if shape = SHAPE_HALF then
          d.used_lo := d.used_lo or L_SRC2_6 or L_CONST2;
          is_const  := lo(23);
          c.b_reg   := '0' & unsigned(lo(21 downto 16));
          c.bank    := "000" & lo(21);
          field     := resize(unsigned(lo(20 downto 16)), 16);
          grows     := extend(lo(20 downto 16));
          if is_const = '1' and is_shared then
            d.known := false;
          end if;
        elsif s.b = '1' then
          d.used_lo := d.used_lo or L_SRC2 or L_CONST2;
          is_const  := lo(23);
          c.b_reg   := unsigned(lo(22 downto 16));
          field     := resize(unsigned(lo(22 downto 16)), 16);
          grows     := extend(lo(22 downto 16));
        else
          d.used_lo := d.used_lo or L_CONST3;
          d.used_hi := d.used_hi or H_SRC3;
          is_const  := lo(24);
          c.b_reg   := unsigned(hi(20 downto 14));
          field     := resize(unsigned(hi(20 downto 14)), 16);
          grows     := extend(hi(20 downto 14));
        end if;
        if is_const = '1' then
          c.b_from := SRC_CONST;
          set_const(size);
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
        if c.b_from = SRC_CONST then
          d.known := false;
        end if;
        c.c_from := SRC_CONST;
        field    := resize(unsigned(hi(20 downto 14)), 16);
        grows    := extend(hi(20 downto 14));
        set_const(SIZE_4);
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
    field := (others => '0');
    grows := (others => '0');
    is_shared := false;
    indexed   := false;

    if s.a = '1' then
      source_1;
    end if;
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

    if indexed then
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
