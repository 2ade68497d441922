-- SPDX-License-Identifier: Apache-2.0
-- Part of the decoder: integer and logic instructions in their long form. Combinational.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.decode_pkg.all;

entity decode_integer is
  port (
    lo_i : in  word_t;
    hi_i : in  word_t;
    d_o  : out decoded_t
  );
end entity;

architecture rtl of decode_integer is
begin

  decode_word : process (all)
    variable d   : decoded_t;
    variable c   : control_t;
    variable s   : operand_slots_t;
    variable lo  : word_t;
    variable hi  : word_t;
    variable op  : std_ulogic_vector(3 downto 0);
    variable sub : std_ulogic_vector(2 downto 0);

    -- h26 clear: source 1, source 2 and the destination are halves
    procedure has_width is
    begin
      c.w16     := not hi(26);
      s.a16     := not hi(26);
      s.b16     := not hi(26);
      s.d16     := not hi(26);
      claim_hi(d, H_WIDTH);
    end procedure;

  begin
    lo  := lo_i;
    hi  := hi_i;
    op  := lo(31 downto 28);
    sub := hi(31 downto 29);
    d   := decoded(lo, hi, SHAPE_LONG);
    d.used_hi := H_USUAL;
    d.ignored_lo := L_INDEX;
    d.ignored_hi := H_AREG or H_BANK or H_BIT28;
    c   := d.control;
    s   := d.slots;

    c.creg_set := hi(6);
    c.imm   := x"000000" & '0' & lo(22 downto 16);
    s.a     := '1';
    s.b     := '1';
    s.d     := '1';

    case op is

      when x"2" =>                                                                      -- IADD
        d.known    := d.known and sub = "000";
        c.alu      := ALU_ADD;
        s.b        := '0';
        s.b3       := '1';
        c.saturate := hi(27);
        c.neg_b    := lo(22);
        claim_lo(d, L_MOD22);
        claim_hi(d, H_SIGN);
        ignore_lo(d, L_SRC2_6);
        has_width;

      when x"3" =>
        c.sign_a  := hi(27);
        claim_hi(d, H_SIGN);
        has_width;
        case sub is
          when "000" =>                                                                 -- IADD, reversed or with carry
            c.sign_a   := '0';
            c.alu      := ALU_ADD;
            s.b        := '0';
            s.b3       := '1';
            c.saturate := hi(27);
            c.neg_a    := not lo(22);
            c.carry    := lo(22);
            claim_lo(d, L_MOD22);
            ignore_lo(d, L_SRC2_6);
          when "011" =>                                                                 -- ISET
            c.alu     := ALU_COMPARE;
            c.compare := '0' & hi(16 downto 14);
            claim_hi(d, ones(14, 16));
            ignore_hi(d, H_SRC3);
          when "100" | "101" =>                                                         -- IMAX, IMIN
            c.alu := ALU_MAX;
            if sub = "101" then
              c.alu := ALU_MIN;
            end if;
            ignore_hi(d, H_SRC3);
          when "110" | "111" =>                                                         -- SHL, SHR
            c.alu := ALU_SHL;
            if sub = "111" then
              c.alu := ALU_SHR;
            end if;
            ignore_hi(d, ones(14, 19));
            if hi(20) = '1' then
              s.b       := '0';
              c.src_b_from  := SRC_IMM;
              claim_lo(d, L_SRC2);
              claim_hi(d, ones(20));
            end if;
          when "001" | "010" => d.known := false;
          when others => null;
        end case;

      when x"4" =>                                                                      -- IMUL
        d.known   := d.known and sub = "000";
        c.alu     := ALU_MUL;
        c.mul24   := hi(16);
        c.mul_hi  := hi(16) and hi(14);
        c.sign_a  := hi(15);
        c.sign_b  := (hi(16) and hi(15)) or (not hi(16) and hi(14));
        s.a16     := not hi(16);
        s.b16     := not hi(16);
        claim_hi(d, ones(14, 16));
        ignore_hi(d, H_SRC3 or H_WIDTH or H_SIGN);

      when x"5" =>                                                                      -- ISAD
        d.known      := d.known and sub = "000";
        c.alu        := ALU_SAD;
        c.sign_a     := hi(27);
        s.c          := '1';
        s.one_memory := '1';
        claim_hi(d, H_SIGN);
        has_width;
        s.d16        := '0';

      when x"6" | x"7" =>                                                               -- IMAD
        c.alu     := ALU_MUL;
        c.mul_add := '1';
        s.c       := '1';
        c.neg_a   := hi(27) and not hi(26);
        c.neg_b   := hi(26) and not hi(27);
        c.carry   := hi(26) and hi(27);
        claim_hi(d, H_WIDTH or H_SIGN);
        if op = x"7" and sub /= "000" then                                              -- reserved: acts as IMAD.U24
          c.mul24     := '1';
          s.no_memory := '1';
        else
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
        end if;
        c.sign_b := c.sign_a;
        s.a16    := not c.mul24;
        s.b16    := not c.mul24;

      when x"a" =>                                                                      -- I2I
        d.known     := d.known and hi(31 downto 30) = "00";
        c.alu       := ALU_CONVERT;
        s.b         := '0';
        has_width;
        s.a16       := not hi(14);
        c.src_half     := not hi(14);
        c.sign_d    := hi(27);
        c.abs_a     := hi(20);
        c.neg_a     := hi(29);
        c.dst8      := hi(19);
        c.sign_a    := hi(16);
        c.src_byte      := hi(15);
        s.byte_type := hi(15);
        s.same_type := not hi(15);
        claim_hi(d, ones(14, 16) or ones(19, 20) or ones(27));
        ignore_lo(d, ones(16, 24));
        ignore_hi(d, ones(17, 18));

      when x"d" =>                                                                      -- LOP
        d.known    := d.known and sub = "000";
        c.alu      := ALU_LOGIC;
        c.logic_op := hi(15 downto 14);
        c.inv_a    := hi(16);
        c.inv_b    := hi(17);
        claim_hi(d, ones(14, 17));
        ignore_hi(d, H_SRC3 or H_SIGN);
        has_width;

      when x"0" | x"1" | x"8" | x"9" | x"b" | x"c" | x"e" | x"f" =>
        d.known := false;
      when others => null;
    end case;

    d.control := c;
    d.slots   := s;
    d_o <= d;
  end process;

end architecture;
