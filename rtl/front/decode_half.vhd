-- SPDX-License-Identifier: Apache-2.0
-- Part of the decoder: half instructions (4 bytes) and long ones with a 32-bit immediate, which are laid out alike.
-- Combinational.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.decode_pkg.all;

entity decode_half is
  generic (
    HAS_FPU : boolean;
    HAS_SFU : boolean
  );
  port (
    lo_i : in  word_t;
    hi_i : in  word_t;                 -- 0 when lo_i is a half instruction
    d_o  : out decoded_t
  );
end entity;

architecture rtl of decode_half is
begin

  decode_word : process (all)
    variable d     : decoded_t;
    variable c     : control_t;
    variable s     : operand_slots_t;
    variable lo    : word_t;
    variable shape : shape_t;
    variable op    : std_ulogic_vector(3 downto 0);

    -- bits 8, 15 and 22, which select the operation
    procedure has_modifiers is
    begin
      claim_lo(d, L_MOD8 or L_MOD15 or L_MOD22);
    end procedure;

    -- these bits are ignored where no operand is in memory
    procedure ignores_index is
    begin
      d.ignored_lo := L_INDEX;
      if shape = SHAPE_IMM then
        d.ignored_hi := H_BIT28;
      end if;
    end procedure;

  begin
    lo    := lo_i;
    op    := lo(31 downto 28);
    shape := SHAPE_HALF;
    if lo(0) = '1' then
      shape := SHAPE_IMM;
    end if;
    d := decoded(lo_i, hi_i, shape);
    c := d.control;
    s := d.slots;

    c.imm  := hi_i(27 downto 2) & lo(21 downto 16);
    c.creg := "00";                    -- a carry comes from C0; h12-13 belong to the immediate
    s.a    := '1';
    s.b    := '1';
    s.d    := '1';
    if shape = SHAPE_IMM then
      d.used_hi := ones(0, 27);
      claim_lo(d, L_SRC2_6);
    end if;

    if lo(1) = '1' then                                                                 -- TRAP32, BPT32
      s           := OPERAND_SLOTS_INIT;
      c.flow      := FLOW_BREAKPOINT;
      c.redirects := '1';
      d.known     := d.known and (op = x"9" or op = x"b");
    else
      case op is
        when x"1" =>                                                                    -- MOV32, MVI
          c.alu := ALU_PASS_A;
          c.w16 := not lo(15);
          s.d16 := not lo(15);
          if shape = SHAPE_IMM then
            s.a       := '0';
            s.d7      := '1';
            c.alu     := ALU_PASS_B;
            claim_lo(d, L_MOD15 or L_DST7);
          else
            s.a16     := not lo(15);
            s.b       := '0';
            claim_lo(d, L_MOD15 or ones(17));
          end if;
        when x"2" | x"3" =>                                                             -- IADD32, IADD32I
          c.alu      := ALU_ADD;
          c.w16      := not lo(15);
          s.a16      := not lo(15);
          s.b16      := not lo(15);
          s.d16      := not lo(15);
          c.saturate := lo(8);
          c.neg_a    := lo(28) and not lo(22);
          c.neg_b    := lo(22) and not lo(28);
          c.carry    := lo(22) and lo(28);
          has_modifiers;
          ignores_index;
        when x"4" =>                                                                    -- IMUL32, IMUL32I
          c.alu    := ALU_MUL;
          c.mul24  := lo(22);
          c.mul_hi := lo(22) and lo(8);
          c.sign_a := lo(15);
          c.sign_b := (lo(22) and lo(15)) or (not lo(22) and lo(8));
          s.a16    := not lo(22);
          s.b16    := not lo(22);
          has_modifiers;
          ignores_index;
        when x"5" =>                                                                    -- ISAD32
          d.known    := d.known and shape = SHAPE_HALF and lo(24 downto 23) = "00";
          c.alu      := ALU_SAD;
          c.w16      := not lo(15);
          c.sign_a   := lo(8);
          s.a16      := not lo(15);
          s.b16      := not lo(15);
          s.c_is_dst := '1';
          claim_lo(d, L_MOD8 or L_MOD15);
          ignores_index;
          ignore_lo(d, L_MOD22);
        when x"6" | x"7" =>                                                             -- IMAD32, IMAD32I
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
          has_modifiers;
          ignores_index;
        when x"d" =>                                                                    -- LOP32I
          d.known    := d.known and shape = SHAPE_IMM;
          c.alu      := ALU_LOGIC;
          c.logic_op := lo(15) & lo(8);
          c.inv_a    := lo(22);
          has_modifiers;
          ignores_index;
        when x"9" =>                                                                    -- RCP32
          d.known   := d.known and shape = SHAPE_HALF and lo(24) = '0';
          d.absent  := not HAS_SFU;
          c.special := SPECIAL_RCP;
          c.abs_a   := lo(15);
          c.neg_a   := lo(22);
          s.b       := '0';
          claim_lo(d, L_MOD15 or L_MOD22);
          ignores_index;
          ignore_lo(d, L_MOD8 or ones(16, 21) or ones(23));
        when x"b" | x"c" | x"e" =>                                                      -- FADD32, FMUL32, FMAD32
          d.absent := not HAS_FPU;
          c.neg_a  := lo(15);
          c.neg_b  := lo(22);
          has_modifiers;
          ignores_index;
          if op = x"b" then
            c.float    := FLOAT_ADD;
            c.saturate := lo(8);
          elsif op = x"c" then
            c.float    := FLOAT_MULTIPLY;
          else
            c.float    := FLOAT_MULTIPLY_ADD;
            c.saturate := lo(8);
            s.c_is_dst := '1';
          end if;
        when x"0" | x"8" | x"a" | x"f" =>
          d.known := false;
        when others => null;
      end case;
    end if;

    d.control := c;
    d.slots   := s;
    d_o <= d;
  end process;

end architecture;
