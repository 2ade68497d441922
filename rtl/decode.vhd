-- SPDX-License-Identifier: Apache-2.0
-- Instruction decoder: one instruction word pair to control signals, combinational. Reads opcode by opcode: each arm
-- names the fields its encoding uses and sets what the operation does; the operands are then resolved once for each
-- shape (half, immediate, long, flow). A bit that no field claims must be zero, else the word is undefined. Float, SFU,
-- texture, local memory, atomics and wide accesses are recognised and trap as unimplemented. Encodings:
-- assembler/isa/insn.def, which a bench holds this file against.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;

entity decode is
  port (
    lo_i      : in  word_t;            -- word at the lower address
    hi_i      : in  word_t;            -- the next one; ignored when lo_i is a half instruction
    control_o : out control_t;         -- trap is set where the word is undefined or unimplemented
    long_o    : out std_ulogic         -- 8 bytes, else 4
  );
end entity;

architecture rtl of decode is

  -- Fields of the low word.
  constant L_SHAPE  : word_t := x"00000003";
  constant L_OPCODE : word_t := x"f0000000";
  constant L_DST7   : word_t := x"000001fc";
  constant L_DST6   : word_t := x"000000fc";
  constant L_DST3   : word_t := x"0000001c";   -- A register
  constant L_SRC1   : word_t := x"0000fe00";   -- register, or shared offset and type
  constant L_SRC1_6 : word_t := x"00007e00";   -- the same of half and immediate forms
  constant L_SRC2   : word_t := x"007f0000";
  constant L_SRC2_6 : word_t := x"003f0000";
  constant L_WIDE   : word_t := x"01fffe00";   -- l9-24: offset of memory instructions
  constant L_CONST2 : word_t := x"00800000";   -- l23: slot 2 is a constant
  constant L_CONST3 : word_t := x"01000000";   -- l24: slot 3 is a constant (half, immediate: source 1 is is_shared)
  constant L_INDEX  : word_t := x"0e000000";   -- l25-27: post-increment, A register
  constant L_MOD8   : word_t := x"00000100";   -- modifier bits
  constant L_MOD15  : word_t := x"00008000";
  constant L_MOD22  : word_t := x"00400000";
  constant L_SEG    : word_t := x"000f0000";
  constant L_TARGET : word_t := x"07fff800";

  -- Fields of the high word.
  constant H_MARK   : word_t := x"00000003";
  constant H_AREG   : word_t := x"00000004";
  constant H_BUCKET : word_t := x"00000008";
  constant H_SET_C  : word_t := x"00000070";
  constant H_GUARD  : word_t := x"00003f80";
  constant H_SRC3   : word_t := x"001fc000";
  constant H_SHARED : word_t := x"00200000";
  constant H_BANK   : word_t := x"03c00000";
  constant H_WIDTH  : word_t := x"04000000";   -- h26
  constant H_SIGN   : word_t := x"08000000";   -- h27
  constant H_SUB    : word_t := x"e0000000";
  constant H_SIZE   : word_t := x"00e00000";
  constant H_TARGET : word_t := x"000fc000";
  constant H_USUAL  : word_t := H_MARK or H_BUCKET or H_SET_C or H_GUARD or H_SUB;

  type shape_t is (SHAPE_HALF, SHAPE_IMM, SHAPE_LONG, SHAPE_FLOW);

  -- Which operand slots an encoding of the regular shapes uses, and how wide they are.
  type slots_t is record
    a   : std_ulogic;                  -- source 1: register or shared
    a16 : std_ulogic;
    b   : std_ulogic;                  -- source 2: register or constant, in slot 2
    b3  : std_ulogic;                  -- ... in slot 3 (IADD and FADD)
    b16 : std_ulogic;
    c   : std_ulogic;                  -- source 3: register or constant, in slot 3
    c_is_dst : std_ulogic;             -- source 3 is the destination register
    no_shared : std_ulogic;            -- source 1 cannot be shared
    one_memory : std_ulogic;           -- not is_shared and constant together (ISAD)
    byte_type : std_ulogic;            -- I2I BEXT: the shared type must be 0
    same_type : std_ulogic;            -- I2I: the shared type must be as wide as the source
    d   : std_ulogic;                  -- destination register
    d16 : std_ulogic;
  end record;
  constant SLOTS_INIT : slots_t := (others => '0');

begin

  decode_word : process (all)
    variable c       : control_t;
    variable s       : slots_t;
    variable shape   : shape_t;
    variable used_lo : word_t;
    variable used_hi : word_t;
    variable known   : boolean;        -- an encoding of the instruction set
    variable absent  : boolean;        -- ... that this machine does not execute
    variable indexed : boolean;        -- has a memory operand, and so an A register
    variable unit    : natural range 0 to 2;   -- log2 of the bytes that an offset counts
    variable field   : unsigned(15 downto 0);  -- offset field
    variable grows   : unsigned(15 downto 0);  -- ... sign-extended, for the post-increment
    variable op      : std_ulogic_vector(3 downto 0);
    variable sub     : std_ulogic_vector(2 downto 0);
    variable cell    : std_ulogic_vector(1 downto 0);
    variable areg    : areg_t;
    variable is_shared : boolean;
    variable lo      : word_t;
    variable hi      : word_t;

    -- offset field in units -> byte offset, or bytes to add to A
    procedure set_shared_offset is
    begin
      c.offset := shift_left(resize(field, 18), unit);
      if lo(25) = '1' then
        c.offset    := (others => '0');
        c.inc_bytes := std_ulogic_vector(shift_left(grows, unit));
      end if;
    end procedure;

    procedure set_const_offset is
    begin
      c.const_offset := shift_left(resize(field, 18), unit);
      if lo(25) = '1' and c.a_const = '1' then
        c.const_offset := (others => '0');
        c.inc_bytes    := std_ulogic_vector(shift_left(grows, unit));
      end if;
    end procedure;

    -- cell type of a shared or constant operand: 0 U8, 1 U16, 2 S16, 3 32 bits
    procedure set_cell(kind : std_ulogic_vector(1 downto 0)) is
    begin
      unit         := 2;
      c.mem_size   := SIZE_4;
      c.mem_signed := '0';
      if kind = "00" then
        unit       := 0;
        c.mem_size := SIZE_1;
      elsif kind /= "11" then
        unit         := 1;
        c.mem_size   := SIZE_2;
        c.mem_signed := kind(1);
      end if;
    end procedure;

  begin
    lo      := lo_i;
    hi      := hi_i;
    c       := CONTROL_INIT;
    c.mem_size   := SIZE_4;
    c.const_size := SIZE_4;
    c.lane_mask  := "1111";
    s       := SLOTS_INIT;
    known   := true;
    absent  := false;
    indexed := false;
    unit    := 2;
    field   := (others => '0');
    grows   := (others => '0');
    cell    := "11";
    op      := lo(31 downto 28);
    sub     := hi(31 downto 29);
    used_lo := L_SHAPE or L_OPCODE;
    used_hi := (others => '0');

    if lo(0) = '0' then
      shape := SHAPE_HALF;
      hi    := (others => '0');
    elsif lo(1) = '1' then
      shape := SHAPE_FLOW;
    elsif hi(1 downto 0) = "11" then
      shape := SHAPE_IMM;
    else
      shape := SHAPE_LONG;
    end if;

    -- what most operations share
    c.creg  := unsigned(hi(13 downto 12));
    c.cond  := unsigned(hi(11 downto 7));
    c.c_dst := unsigned(hi(5 downto 4));
    areg    := hi(2) & unsigned(lo(27 downto 26));

    case shape is

      ------------------------------------------------------------------------------------------------------------
      when SHAPE_FLOW =>
        c.redirects := '1';
        c.target    := unsigned(hi(19 downto 14)) & unsigned(lo(26 downto 11)) & "00";
        used_hi     := H_MARK or H_GUARD;
        case op is
          when x"0" => absent := true;                                                  -- KIL
          when x"1" => c.flow := FLOW_BRA; c.has_guard := '1';
                       used_lo := used_lo or L_TARGET; used_hi := used_hi or H_TARGET;
          when x"2" => c.flow := FLOW_CAL;
                       used_lo := used_lo or L_TARGET; used_hi := used_hi or H_TARGET or x"00000040";
          when x"3" => c.flow := FLOW_RET; c.has_guard := '1';
          when x"4" => c.flow := FLOW_PBK;
                       used_lo := used_lo or L_TARGET; used_hi := used_hi or H_TARGET;
          when x"5" => c.flow := FLOW_BRK; c.has_guard := '1';
          when x"6" | x"7" => absent := true;                                           -- QUADON, QUADPOP
          when x"8" => c.flow := FLOW_BAR;
                       c.barrier    := unsigned(lo(24 downto 21));
                       c.bar_arrive := lo(25);
                       c.bar_wait   := lo(26);
                       c.bar_legal  := lo(25) and (not lo(26) or hi(14) or to_sl(lo(20 downto 9) = x"fff"));
                       used_lo := used_lo or x"07fffe00"; used_hi := used_hi or x"00004000";
          when x"9" => c.flow := FLOW_BREAKPOINT;                                       -- TRAP
          when x"a" => c.flow := FLOW_SSY;
                       used_lo := used_lo or L_TARGET; used_hi := used_hi or H_TARGET;
          when x"b" => c.flow := FLOW_BREAKPOINT; c.has_guard := '1';                     -- BPT
          when x"c" => absent := true;                                                  -- BRX
                       used_lo := used_lo or x"0dfffe00"; used_hi := used_hi or H_AREG or H_BANK or x"00000040";
                       known   := areg <= 4;
          when x"d" => absent := true;                                                  -- PRET
                       used_lo := used_lo or L_TARGET; used_hi := used_hi or H_TARGET or x"00000040";
          when x"e" | x"f" => known := false;
          when others => null;
        end case;

      ------------------------------------------------------------------------------------------------------------
      when SHAPE_HALF | SHAPE_IMM =>
        c.imm   := hi(27 downto 2) & lo(21 downto 16);
        c.creg  := "00";               -- a carry comes from C0; h12-13 belong to the immediate
        s.a     := '1';
        s.d     := '1';
        if shape = SHAPE_IMM then
          used_hi := x"0fffffff";
          used_lo := used_lo or L_SRC2_6;
        else
          s.b := '1';
        end if;
        if lo(1) = '1' then                                                             -- TRAP32, BPT32
          s           := SLOTS_INIT;
          c.flow      := FLOW_BREAKPOINT;
          c.redirects := '1';
          known       := op = x"9" or op = x"b";
        else
          case op is
            when x"1" =>                                                                -- MOV32, MVI
              c.alu := ALU_PASS_A;
              c.w16 := not lo(15);
              s.d16 := not lo(15);
              if shape = SHAPE_IMM then
                s.a     := '0';
                c.alu   := ALU_PASS_B;
                used_lo := used_lo or L_MOD15 or L_DST7;
              else
                s.a16   := not lo(15);
                s.b     := '0';
                used_lo := used_lo or L_MOD15 or x"00020000";
              end if;
            when x"2" | x"3" =>                                                         -- IADD32, IADD32I
              c.alu      := ALU_ADD;
              c.w16      := not lo(15);
              s.a16      := not lo(15);
              s.b16      := not lo(15);
              s.d16      := not lo(15);
              c.saturate := lo(8);
              c.neg_a    := lo(28) and not lo(22);
              c.neg_b    := lo(22) and not lo(28);
              c.carry    := lo(22) and lo(28);
              used_lo    := used_lo or L_MOD8 or L_MOD15 or L_MOD22;
            when x"4" =>                                                                -- IMUL32, IMUL32I
              c.alu    := ALU_MUL;
              c.mul24  := lo(22);
              c.mul_hi := lo(22) and lo(8);
              c.sign_a := lo(15);
              c.sign_b := (lo(22) and lo(15)) or (not lo(22) and lo(8));
              s.a16    := not lo(22);
              s.b16    := not lo(22);
              used_lo  := used_lo or L_MOD8 or L_MOD15 or L_MOD22;
            when x"5" =>                                                                -- ISAD32
              known      := shape = SHAPE_HALF and lo(24 downto 23) = "00";
              c.alu      := ALU_SAD;
              c.w16      := not lo(15);
              c.sign_a   := lo(8);
              s.a16      := not lo(15);
              s.b16      := not lo(15);
              s.c_is_dst := '1';
              used_lo    := used_lo or L_MOD8 or L_MOD15;
            when x"6" | x"7" =>                                                         -- IMAD32, IMAD32I
              c.alu      := ALU_MUL;
              c.mul_add  := '1';
              c.mul24    := lo(15) and lo(8);
              c.sign_a   := lo(15) xor lo(8);
              c.sign_b   := lo(15) xor lo(8);
              c.saturate := lo(15) and not lo(8);
              s.a16      := not (lo(15) and lo(8));
              s.b16      := not (lo(15) and lo(8));
              s.c_is_dst := '1';
              c.neg_a    := lo(28) and not lo(22);
              c.neg_b    := lo(22) and not lo(28);
              c.carry    := lo(22) and lo(28);
              used_lo    := used_lo or L_MOD8 or L_MOD15 or L_MOD22;
            when x"d" =>                                                                -- LOP32I
              known      := shape = SHAPE_IMM;
              c.alu      := ALU_LOGIC;
              c.logic_op := lo(15) & lo(8);
              c.inv_a    := lo(22);
              used_lo    := used_lo or L_MOD8 or L_MOD15 or L_MOD22;
            when x"9" =>                                                                -- RCP32
              known   := shape = SHAPE_HALF and lo(24) = '0';
              absent  := true;
              s.b     := '0';
              used_lo := used_lo or L_MOD15 or L_MOD22;
            when x"b" | x"c" | x"e" =>                                                  -- FADD32, FMUL32, FMAD32
              absent  := true;
              used_lo := used_lo or L_MOD8 or L_MOD15 or L_MOD22;
            when x"0" | x"8" | x"a" | x"f" =>
              known := false;
            when others => null;
          end case;
        end if;

      ------------------------------------------------------------------------------------------------------------
      when SHAPE_LONG =>
        c.has_guard := '1';
        c.is_end  := hi(0);
        c.is_join := hi(1);
        c.imm     := x"000000" & '0' & lo(22 downto 16);
        used_hi   := H_USUAL;
        s.d       := '1';
        c.set_c   := hi(6);
        case op is

          when x"0" =>
            c.set_c := '0';
            used_hi := H_MARK or H_GUARD or H_SUB;
            case sub is
              when "001" =>                                                             -- C2R
                c.alu    := ALU_PASS_A;
                c.a_from := SRC_CREG;
              when "010" =>                                                             -- A2R
                c.alu    := ALU_PASS_A;
                c.a_from := SRC_AREG;
                c.areg   := areg;
                known    := areg <= 4;
                used_lo  := used_lo or x"0c000000";
                used_hi  := used_hi or H_AREG;
              when "011" =>                                                             -- S2R
                c.alu    := ALU_PASS_A;
                c.a_from := SRC_SPECIAL;
                c.imm    := x"0000000" & hi(17 downto 14);
                used_hi  := used_hi or x"0003c000";
              when "101" =>                                                             -- R2C
                s.d        := '0';
                s.a        := '1';
                s.no_shared := '1';
                c.set_c    := '1';
                c.c_from_a := '1';
                used_hi    := used_hi or H_SET_C;
              when "110" =>                                                             -- R2A
                s.d      := '0';
                s.a      := '1';
                c.alu    := ALU_SHL;
                c.b_from := SRC_IMM;
                c.imm    := x"0000000" & lo(19 downto 16);
                c.set_a  := '1';
                c.a_dst  := unsigned(lo(4 downto 2));
                known    := unsigned(lo(4 downto 2)) <= 4;
                absent   := (hi(21) and lo(25)) = '1';                                 -- post-increment: a second A
                used_lo  := used_lo or L_DST3 or x"000f0000";
              when "111" =>                                                             -- R2G
                s.d      := '0';
                c.mem    := MEM_SHARED_STORE;
                c.c_reg  := unsigned(hi(20 downto 14));
                c.c_from := SRC_REG32;
                if hi(21) = '0' then
                  c.c_from := SRC_REG16;
                  c.c_reg  := '0' & unsigned(hi(20 downto 15));
                  c.c_high := hi(14);
                end if;
                indexed    := true;
                c.areg     := areg;
                c.a_shared := '1';
                c.reads_shared := '1';
                if hi(22) = '1' then
                  set_cell("00");
                  field   := unsigned(lo(24 downto 9));
                  grows   := field;
                  used_lo := used_lo or L_WIDE;
                elsif hi(26) = '0' then
                  set_cell("01");
                  field   := '0' & unsigned(lo(23 downto 9));
                  grows   := lo(23) & unsigned(lo(23 downto 9));
                  used_lo := used_lo or x"00fffe00";
                else
                  set_cell("11");
                  field   := "00" & unsigned(lo(22 downto 9));
                  grows   := lo(22) & lo(22) & unsigned(lo(22 downto 9));
                  used_lo := used_lo or x"007ffe00";
                end if;
                set_shared_offset;
                used_hi := used_hi or H_SRC3 or H_SIZE or H_WIDTH;
                known   := hi(23) = '0';
              when "000" | "100" =>
                known := false;
              when others => null;
            end case;

          when x"1" =>
            c.w16 := not hi(26);
            s.d16 := not hi(26);
            case sub is
              when "000" =>                                                             -- MOV
                s.a         := '1';
                s.a16       := not hi(26);
                c.alu       := ALU_PASS_A;
                c.lane_mask := hi(17 downto 14);
                used_hi     := used_hi or x"0003c000" or x"02000000" or H_WIDTH;
              when "001" | "010" =>                                                     -- MVC, G2R
                set_cell(hi(15 downto 14));
                indexed := true;
                c.areg  := areg;
                if sub = "001" then
                  field          := unsigned(lo(24 downto 9));
                  grows          := field;
                  used_lo        := used_lo or L_WIDE;
                  used_hi        := used_hi or x"0000c000" or H_BANK or H_WIDTH;
                  c.alu          := ALU_PASS_B;
                  c.b_from       := SRC_CONST;
                  c.const_size   := c.mem_size;
                  c.const_signed := c.mem_signed;
                  c.a_const      := '1';
                  c.reads_const  := '1';
                  set_const_offset;
                else
                  c.set_c    := '0';
                  used_hi    := (used_hi and not H_SET_C) or x"0000c000" or H_WIDTH;
                  c.alu      := ALU_PASS_A;
                  c.a_from   := SRC_SHARED;
                  c.a_shared := '1';
                  c.reads_shared := '1';
                  if unit = 0 then
                    field   := unsigned(lo(24 downto 9));
                    grows   := field;
                    used_lo := used_lo or L_WIDE;
                  elsif unit = 1 then
                    field   := '0' & unsigned(lo(23 downto 9));
                    grows   := lo(23) & unsigned(lo(23 downto 9));
                    used_lo := used_lo or x"00fffe00";
                  else
                    field   := "00" & unsigned(lo(22 downto 9));
                    grows   := lo(22) & lo(22) & unsigned(lo(22 downto 9));
                    used_lo := used_lo or x"007ffe00";
                  end if;
                  set_shared_offset;
                end if;
              when "011" | "100" | "101" | "110" | "111" =>
                known := false;
              when others => null;
            end case;

          when x"2" =>                                                                  -- IADD
            known      := sub = "000";
            c.alu      := ALU_ADD;
            c.w16      := not hi(26);
            s.a        := '1';
            s.a16      := not hi(26);
            s.b3       := '1';
            s.b16      := not hi(26);
            s.d16      := not hi(26);
            c.saturate := hi(27);
            c.neg_b    := lo(22);
            used_lo    := used_lo or L_MOD22;
            used_hi    := used_hi or H_WIDTH or H_SIGN;

          when x"3" =>
            c.w16    := not hi(26);
            s.a      := '1';
            s.a16    := not hi(26);
            s.d16    := not hi(26);
            c.sign_a := hi(27);
            used_hi  := used_hi or H_WIDTH or H_SIGN;
            if sub = "000" then                                                         -- IADD, reversed or with carry
              c.sign_a   := '0';
              c.alu      := ALU_ADD;
              s.b3       := '1';
              s.b16      := not hi(26);
              c.saturate := hi(27);
              c.neg_a    := not lo(22);
              c.carry    := lo(22);
              used_lo    := used_lo or L_MOD22;
            else
              s.b   := '1';
              s.b16 := not hi(26);
              case sub is
                when "011" =>                                                           -- ISET
                  c.alu     := ALU_COMPARE;
                  c.compare := hi(16 downto 14);
                  used_hi   := used_hi or x"0001c000";
                when "100" => c.alu := ALU_MAX;                                         -- IMAX
                when "101" => c.alu := ALU_MIN;                                         -- IMIN
                when "110" | "111" =>                                                   -- SHL, SHR
                  c.alu := ALU_SHL;
                  if sub = "111" then
                    c.alu := ALU_SHR;
                  end if;
                  if hi(20) = '1' then
                    s.b      := '0';
                    c.b_from := SRC_IMM;
                    used_lo  := used_lo or L_SRC2;
                    used_hi  := used_hi or x"00100000";
                  end if;
                when "000" | "001" | "010" => known := false;
                when others => null;
              end case;
            end if;

          when x"4" =>                                                                  -- IMUL
            known    := sub = "000";
            c.alu    := ALU_MUL;
            c.mul24  := hi(16);
            c.mul_hi := hi(16) and hi(14);
            c.sign_a := hi(15);
            c.sign_b := (hi(16) and hi(15)) or (not hi(16) and hi(14));
            s.a      := '1';
            s.a16    := not hi(16);
            s.b      := '1';
            s.b16    := not hi(16);
            used_hi  := used_hi or x"0001c000";

          when x"5" =>                                                                  -- ISAD
            known        := sub = "000";
            c.alu        := ALU_SAD;
            c.w16        := not hi(26);
            c.sign_a     := hi(27);
            s.a          := '1';
            s.a16        := not hi(26);
            s.b          := '1';
            s.b16        := not hi(26);
            s.c          := '1';
            s.one_memory := '1';
            used_hi      := used_hi or H_WIDTH or H_SIGN;

          when x"6" | x"7" =>                                                           -- IMAD
            known     := op = x"6" or sub = "000";
            c.alu     := ALU_MUL;
            c.mul_add := '1';
            s.a       := '1';
            s.b       := '1';
            s.c       := '1';
            c.neg_a   := hi(27) and not hi(26);
            c.neg_b   := hi(26) and not hi(27);
            c.carry   := hi(26) and hi(27);
            used_hi   := used_hi or H_WIDTH or H_SIGN;
            case sub is
              when "000" => c.sign_a := op(0); c.mul24 := op(0); c.mul_hi := op(0); c.saturate := op(0);
              when "001" => c.sign_a := '1';
              when "010" => c.sign_a := '1'; c.saturate := '1';
              when "011" => c.mul24 := '1';
              when "100" => c.mul24 := '1'; c.sign_a := '1';
              when "101" => c.mul24 := '1'; c.sign_a := '1'; c.saturate := '1';
              when "110" => c.mul24 := '1'; c.mul_hi := '1';
              when "111" => c.mul24 := '1'; c.mul_hi := '1'; c.sign_a := '1';
              when others => null;
            end case;
            c.sign_b := c.sign_a;
            s.a16    := not c.mul24;
            s.b16    := not c.mul24;

          when x"9" =>                                                                  -- RCP RSQ LG2 SIN COS EX2
            absent      := true;
            known       := sub /= "001" and sub /= "111";
            s.a         := '1';
            s.no_shared := '1';
            used_hi     := used_hi or x"0c100000";

          when x"a" =>                                                                  -- I2I; I2F, F2I, F2F
            s.a      := '1';
            used_hi  := used_hi or x"24100000";
            c.alu    := ALU_CONVERT;
            c.w16    := not hi(26);
            s.d16    := not hi(26);
            c.sign_d := hi(27);
            c.abs_a  := hi(20);
            c.neg_a  := hi(29);
            c.dst8   := hi(19);
            s.a16    := not hi(14);
            c.src16  := not hi(14);
            absent   := hi(31 downto 30) /= "00";
            case hi(31 downto 30) is
              when "00" =>
                c.sign_a    := hi(16);
                c.byte      := hi(15);
                s.byte_type := hi(15);
                s.same_type := not hi(15);
                used_hi     := used_hi or x"0809c000";
              when "01" =>
                s.byte_type := hi(15);
                used_hi     := used_hi or x"001fc000";
              when "10" =>
                used_hi := used_hi or x"081e4000";
              when "11" =>
                used_hi := used_hi or x"081e4000";
              when others => null;
            end case;

          when x"b" =>                                                                  -- FADD FSET FMAX FMIN RRO
            absent  := true;
            s.a     := '1';
            used_hi := used_hi or x"04000000";
            case sub is
              when "000" | "001" =>
                s.b3    := '1';
                used_lo := used_lo or x"00030000";
                used_hi := used_hi or x"08000000";
              when "011" =>
                s.b     := '1';
                used_hi := used_hi or x"081bc000";
              when "100" | "101" =>
                s.b     := '1';
                used_hi := used_hi or x"08180000";
              when "110" =>
                used_hi := used_hi or x"00104000";
              when "010" | "111" => known := false;
              when others => null;
            end case;

          when x"c" =>                                                                  -- FMUL FCMP
            absent := true;
            s.a    := '1';
            s.b    := '1';
            case sub is
              when "000" =>
                used_hi := used_hi or x"0c10c000";
              when "010" | "011" =>
                s.c := '1';
              when "001" | "100" | "101" | "110" | "111" => known := false;
              when others => null;
            end case;

          when x"d" =>
            case sub is
              when "000" =>                                                             -- LOP
                c.alu      := ALU_LOGIC;
                c.w16      := not hi(26);
                s.a        := '1';
                s.a16      := not hi(26);
                s.b        := '1';
                s.b16      := not hi(26);
                s.d16      := not hi(26);
                c.logic_op := hi(15 downto 14);
                c.inv_a    := hi(16);
                c.inv_b    := hi(17);
                used_hi    := used_hi or x"0003c000" or H_WIDTH;
              when "001" =>                                                             -- ADA
                s.d      := '0';
                c.set_c  := '0';
                c.alu    := ALU_ADD;
                c.a_from := SRC_AREG;
                c.areg   := areg;
                c.b_from := SRC_IMM;
                c.imm    := x"0000" & lo(24 downto 9);
                c.set_a  := '1';
                c.a_dst  := unsigned(lo(4 downto 2));
                known    := areg <= 4 and unsigned(lo(4 downto 2)) <= 4;
                used_lo  := used_lo or L_DST3 or L_WIDE or x"0c000000";
                used_hi  := H_MARK or H_GUARD or H_SUB or H_AREG;
              when "010" | "011" =>                                                     -- LLD, LST
                absent  := true;
                s.d     := '0';
                c.set_c := '0';
                indexed := true;
                c.areg  := areg;
                used_lo := used_lo or L_DST7 or L_WIDE;
                used_hi := H_MARK or H_GUARD or H_SUB or H_SIZE;
              when "100" | "101" =>                                                     -- GLD, GST
                c.set_c  := '0';
                c.mem    := MEM_GLOBAL_LOAD;
                c.a_from := SRC_REG32;
                c.a_reg  := unsigned(lo(15 downto 9));
                if sub = "101" then
                  s.d      := '0';
                  c.mem    := MEM_GLOBAL_STORE;
                  c.c_from := SRC_REG32;
                  c.c_reg  := unsigned(lo(8 downto 2));
                end if;
                case hi(23 downto 21) is
                  when "000" | "001" => c.mem_size := SIZE_1;
                  when "010" | "011" => c.mem_size := SIZE_2;
                  when "110" | "111" => c.mem_size := SIZE_4;
                  when "100" | "101" => absent := true;                                 -- 64 and 128 bits
                  when others => null;
                end case;
                c.mem_signed := hi(21);
                absent       := absent or lo(19 downto 16) /= x"e";
                used_lo      := used_lo or L_DST7 or L_SRC1 or L_SEG;
                used_hi      := H_MARK or H_GUARD or H_SUB or H_SIZE;
              when "110" =>                                                             -- GRED
                absent  := true;
                s.d     := '0';
                c.set_c := '0';
                case hi(5 downto 2) is
                  when x"1" | x"2" | x"3" | x"8" | x"9" | x"d" | x"e" | x"f" => known := false;
                  when x"0" | x"4" | x"5" | x"6" | x"7" | x"a" | x"b" | x"c" => null;
                  when others => null;
                end case;
                used_lo := used_lo or L_DST7 or L_SRC1 or L_SEG;
                used_hi := H_MARK or H_GUARD or H_SUB or H_SIZE or x"0000003c";
              when "111" =>                                                             -- GATOM
                absent  := true;
                s.d     := '0';
                c.set_c := '0';
                case hi(5 downto 2) is
                  when x"3" | x"8" | x"9" | x"d" | x"e" | x"f" => known := false;
                  when x"0" | x"1" | x"2" | x"4" | x"5" | x"6" | x"7" | x"a" | x"b" | x"c" => null;
                  when others => null;
                end case;
                used_lo := used_lo or L_DST7 or L_SRC1 or L_SRC2 or x"07800000";
                used_hi := H_MARK or H_GUARD or H_SUB or H_SIZE or x"0000003c";
                if hi(5 downto 2) = x"2" then
                  used_hi := used_hi or H_SRC3;
                end if;
              when others => null;
            end case;

          when x"e" =>                                                                  -- FMAD
            absent  := true;
            known   := sub = "000" or sub = "001";
            s.a     := '1';
            s.b     := '1';
            s.c     := '1';
            used_hi := used_hi or x"0c000000";
            if lo(24 downto 23) = "00" then
              used_hi := used_hi or x"00c00000";
            end if;

          when x"f" =>
            s.d     := '0';
            c.set_c := '0';
            case sub is
              when "000" | "001" | "010" =>                                             -- TEX TXB TXL
                absent  := true;
                used_lo := used_lo or x"0ffffffc";
                used_hi := x"efffffff" and not H_SET_C;
              when "111" =>                                                             -- NOP, PMEVENT
                c.has_guard := hi(2);
                used_hi   := H_MARK or H_GUARD or H_SUB or H_AREG;
                if hi(2) = '1' then
                  used_lo := used_lo or x"00003c00";
                end if;
              when "011" | "100" | "101" | "110" => known := false;
              when others => null;
            end case;

          when x"8" =>
            known := false;
          when others => null;
        end case;
    end case;

    --------------------------------------------------------------------------------------------------------------
    -- Operands of the regular slots.

    is_shared := false;
    if shape = SHAPE_LONG then
      if s.d = '1' then
        used_lo := used_lo or L_DST7;
      end if;
      if s.a = '1' then
        used_lo := used_lo or L_SRC1;
        is_shared := hi(21) = '1' and s.no_shared = '0';
        if is_shared then
          used_hi := used_hi or H_SHARED;
          cell    := lo(15 downto 14);
          field   := resize(unsigned(lo(13 downto 9)), 16);
          grows   := field;
          if lo(13) = '1' then
            grows(15 downto 5) := (others => '1');
          end if;
        end if;
      end if;
    elsif shape = SHAPE_HALF or shape = SHAPE_IMM then
      if s.d = '1' then
        used_lo := used_lo or L_DST6;
      end if;
      if s.a = '1' then
        used_lo := used_lo or L_SRC1_6;
        is_shared := lo(24) = '1';
        areg    := '0' & unsigned(lo(27 downto 26));
        if is_shared then
          used_lo := used_lo or L_CONST3;
          cell    := lo(14 downto 13);
          field   := resize(unsigned(lo(12 downto 9)), 16);
          grows   := field;
          if lo(12) = '1' then
            grows(15 downto 4) := (others => '1');
          end if;
        end if;
      end if;
    end if;

    -- source 1
    if s.a = '1' and is_shared then
      set_cell(cell);
      indexed    := true;
      c.areg     := areg;
      c.a_from   := SRC_SHARED;
      c.a_shared := '1';
      c.reads_shared := '1';
      set_shared_offset;
      if s.a16 = '1' and cell = "11" then
        known := false;
      end if;
      if s.byte_type = '1' then
        if cell /= "00" then
          known := false;
        end if;
        c.mem_signed := '0';
      end if;
      if s.same_type = '1' and (cell = "00" or (s.a16 = '0' and cell /= "11")) then
        known := false;
      end if;
    elsif s.a = '1' then
      if shape = SHAPE_LONG then
        c.a_reg := unsigned(lo(15 downto 9));
      else
        c.a_reg := '0' & unsigned(lo(14 downto 9));
      end if;
      c.a_from := SRC_REG32;
      if s.a16 = '1' then
        c.a_from := SRC_REG16;
        c.a_high := c.a_reg(0);
        c.a_reg  := '0' & c.a_reg(6 downto 1);
      end if;
    end if;

    -- source 2
    if s.b = '1' or s.b3 = '1' then
      unit := 2;
      c.const_size := SIZE_4;
      if s.b16 = '1' then
        unit         := 1;
        c.const_size := SIZE_2;
      end if;
      c.b_from := SRC_REG32;
      if shape = SHAPE_HALF then
        used_lo := used_lo or L_SRC2_6;
        c.b_reg := '0' & unsigned(lo(21 downto 16));
        field   := resize(unsigned(lo(20 downto 16)), 16);
        grows   := field;
        if lo(20) = '1' then
          grows(15 downto 5) := (others => '1');
        end if;
        if lo(23) = '1' then
          used_lo  := used_lo or L_CONST2;
          c.b_from := SRC_CONST;
          c.bank   := "000" & lo(21);
          if is_shared then
            known := false;
          end if;
        end if;
      elsif s.b = '1' then
        used_lo := used_lo or L_SRC2;
        c.b_reg := unsigned(lo(22 downto 16));
        field   := resize(unsigned(lo(22 downto 16)), 16);
        grows   := field;
        if lo(22) = '1' then
          grows(15 downto 7) := (others => '1');
        end if;
        if lo(23) = '1' then
          used_lo  := used_lo or L_CONST2;
          c.b_from := SRC_CONST;
        end if;
      else
        used_hi := used_hi or H_SRC3;
        c.b_reg := unsigned(hi(20 downto 14));
        field   := resize(unsigned(hi(20 downto 14)), 16);
        grows   := field;
        if hi(20) = '1' then
          grows(15 downto 7) := (others => '1');
        end if;
        if lo(24) = '1' then
          used_lo  := used_lo or L_CONST3;
          c.b_from := SRC_CONST;
        end if;
      end if;
      if c.b_from = SRC_CONST then
        c.a_const := not to_sl(is_shared);
        set_const_offset;
      elsif s.b16 = '1' then
        c.b_from := SRC_REG16;
        c.b_high := c.b_reg(0);
        c.b_reg  := '0' & c.b_reg(6 downto 1);
      end if;
    elsif shape = SHAPE_IMM then
      c.b_from := SRC_IMM;
    end if;

    -- source 3
    if s.c = '1' then
      used_hi  := used_hi or H_SRC3;
      c.c_from := SRC_REG32;
      c.c_reg  := unsigned(hi(20 downto 14));
      if lo(24) = '1' then
        used_lo  := used_lo or L_CONST3;
        c.c_from := SRC_CONST;
        c.const_size := SIZE_4;
        unit     := 2;
        field    := resize(unsigned(hi(20 downto 14)), 16);
        grows    := field;
        if hi(20) = '1' then
          grows(15 downto 7) := (others => '1');
        end if;
        c.a_const := not to_sl(is_shared);
        set_const_offset;
        if c.b_from = SRC_CONST then
          known := false;
        end if;
      end if;
    elsif s.c_is_dst = '1' then
      c.c_from := SRC_REG32;
      c.c_reg  := '0' & unsigned(lo(7 downto 2));
    end if;

    -- constants
    if c.b_from = SRC_CONST or c.c_from = SRC_CONST then
      indexed       := true;
      c.areg        := areg;
      c.reads_const := '1';
      if shape = SHAPE_LONG then
        c.bank  := unsigned(hi(25 downto 22));
        used_hi := used_hi or H_BANK;
      end if;
      if s.one_memory = '1' and is_shared then
        known := false;
      end if;
    end if;

    if indexed then
      used_lo := used_lo or L_INDEX;
      used_hi := used_hi or H_AREG;
      c.a_inc := lo(25);
      if c.areg > 4 then
        known := false;
      end if;
    end if;

    -- destination
    if s.d = '1' then
      if shape = SHAPE_LONG or (shape = SHAPE_IMM and op = x"1") then
        c.dst_reg := unsigned(lo(8 downto 2));
      else
        c.dst_reg := '0' & unsigned(lo(7 downto 2));
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
      if shape = SHAPE_LONG and hi(3) = '1' and (used_hi and H_BUCKET) /= x"00000000" then
        c.dst := DST_NONE;
      end if;
    end if;

    -- Only the bucket of the output space exists.
    if c.is_end = '1' or c.is_join = '1' then
      c.redirects := '1';
    end if;

    known := known and (lo and not used_lo) = x"00000000" and (hi and not used_hi) = x"00000000";

    control_o <= c;
    if not known or absent then
      control_o           <= CONTROL_INIT;
      control_o.redirects <= '1';
      control_o.trap      <= TRAP_UNDEFINED;
      if known then
        control_o.trap <= TRAP_UNIMPLEMENTED;
      end if;
    end if;
    long_o <= lo(0);
  end process;

end architecture;
