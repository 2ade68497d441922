-- SPDX-License-Identifier: Apache-2.0
-- Part of the decoder: float, special function and texture instructions in their long form. What the machine has no
-- unit for is recognised, bit for bit, and does not execute. Combinational.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.decode_pkg.all;

entity decode_float is
  generic (
    HAS_FPU : boolean;
    HAS_SFU : boolean
  );
  port (
    lo_i : in  word_t;
    hi_i : in  word_t;
    d_o  : out decoded_t
  );
end entity;

architecture rtl of decode_float is
  constant TWO_OVER_PI : word_t := x"00a2f983";              -- in units of 2 ** -24
begin

  decode_word : process (all)
    variable d   : decoded_t;
    variable c   : control_t;
    variable s   : operand_slots_t;
    variable lo  : word_t;
    variable hi  : word_t;
    variable sub : std_ulogic_vector(2 downto 0);

    -- bars around the first source, or both; the sign is before them
    procedure has_magnitudes(both : boolean) is
    begin
      c.neg_a := hi(26);
      c.abs_a := hi(20);
      claim_hi(d, ones(20) or ones(26));
      if both then
        c.neg_b := hi(27);
        c.abs_b := hi(19);
        claim_hi(d, ones(19) or ones(27));
      end if;
    end procedure;

  begin
    lo  := lo_i;
    hi  := hi_i;
    sub := hi(31 downto 29);
    d   := decoded(lo, hi, SHAPE_LONG);
    d.absent  := not HAS_FPU;
    d.used_hi := H_USUAL;
    c   := d.control;
    s   := d.slots;
    c.creg_set := hi(6);
    s.a := '1';
    s.d := '1';
    d.ignored_lo := L_INDEX;
    d.ignored_hi := H_AREG or H_BANK or H_BIT28;

    case lo(31 downto 28) is

      when x"9" =>                                                                      -- modifiers: of three only
        d.absent    := not HAS_SFU;
        s.no_shared := '1';
        case sub is
          when "000" => c.special := SPECIAL_RCP; has_magnitudes(false);
          when "010" => c.special := SPECIAL_RSQ; has_magnitudes(false);
          when "011" => c.special := SPECIAL_LG2; has_magnitudes(false);
          when "100" => c.special := SPECIAL_SIN;
          when "101" => c.special := SPECIAL_COS;
          when "110" => c.special := SPECIAL_EX2; c.saturate := hi(27);
          when "001" | "111" => d.known := false;
          when others => null;
        end case;
        claim_hi(d, ones(20) or ones(26, 27));
        ignore_lo(d, L_CONVERSION);
        ignore_hi(d, ones(14, 19));

      when x"a" =>
        s.a16      := not hi(14);
        s.d16      := not hi(26);
        c.src_half    := not hi(14);
        c.to_half  := not hi(26);
        c.rounding := hi(18 downto 17);
        c.abs_a    := hi(20);
        c.neg_a    := hi(29);
        ignore_lo(d, L_CONVERSION);
        d.ignored_hi := H_AREG or ones(23, 25) or H_BIT28;                              -- h22: double precision, sm_13
        case hi(31 downto 30) is
          when "00" => d.known := false;                                                -- I2I
          when "01" =>                                                                  -- I2F
            c.float     := FLOAT_FROM_INTEGER;
            c.src_byte      := hi(15);
            c.sign_a    := hi(16);
            c.saturate  := hi(19);
            s.byte_type := hi(15);
            claim_hi(d, ones(14, 20) or ones(26));
            ignore_hi(d, ones(27));
          when "10" =>                                                                  -- F2I
            c.float    := FLOAT_TO_INTEGER;
            c.sign_d   := hi(27);
            claim_hi(d, ones(14) or ones(17, 20) or ones(26, 27));
            ignore_hi(d, ones(15, 16));
          when "11" =>                                                                  -- F2F
            c.float    := FLOAT_CONVERT;
            c.integral := hi(27);
            c.saturate := hi(19);
            claim_hi(d, ones(14) or ones(17, 20) or ones(26, 27));
            ignore_hi(d, ones(15, 16));
          when others => null;
        end case;

      when x"b" =>
        case sub is
          when "000" | "001" =>                                                         -- FADD
            c.float    := FLOAT_ADD;
            c.rounding := lo(17 downto 16);
            c.saturate := hi(29);
            c.neg_a    := hi(26);
            c.neg_b    := hi(27);
            s.b3       := '1';
            claim_lo(d, ones(16, 17));
            claim_hi(d, ones(26, 27));
            ignore_lo(d, ones(18, 22));
          when "011" =>                                                                 -- FSET
            c.float   := FLOAT_COMPARE;
            c.compare := hi(17 downto 14);
            s.b := '1';
            has_magnitudes(true);
            claim_hi(d, ones(14, 17));
            ignore_hi(d, ones(18));
          when "100" | "101" =>                                                         -- FMAX, FMIN
            c.float := FLOAT_MAX;
            if sub = "101" then
              c.float := FLOAT_MIN;
            end if;
            s.b := '1';
            has_magnitudes(true);
            ignore_hi(d, ones(14, 18));
          when "110" =>                                                                 -- RRO: b is 2 / pi, for SIN
            c.float  := FLOAT_REDUCE_SIN;
            if hi(14) = '1' then
              c.float := FLOAT_REDUCE_EX2;
            end if;
            c.src_b_from := SRC_IMM;
            c.imm    := TWO_OVER_PI;
            has_magnitudes(false);
            claim_hi(d, ones(14));
            ignore_lo(d, L_CONVERSION);
            ignore_hi(d, ones(15, 19) or ones(27));
          when "010" | "111" => d.known := false;
          when others => null;
        end case;

      when x"c" =>
        s.b := '1';
        case sub is
          when "000" =>                                                                 -- FMUL: never saturates
            c.float    := FLOAT_MULTIPLY;
            c.rounding := hi(15 downto 14);
            c.neg_a    := hi(26);
            c.neg_b    := hi(27);
            claim_hi(d, ones(14, 15) or ones(20) or ones(26, 27));
            ignore_hi(d, ones(16, 19));
          when "010" | "011" =>                                                         -- FCMP
            c.float := FLOAT_SELECT;
            c.neg_b := hi(29);
            s.c     := '1';
            ignore_hi(d, ones(26, 27));
          when "001" | "100" | "101" | "110" | "111" => d.known := false;
          when others => null;
        end case;

      when x"e" =>                                                                      -- FMAD: always to nearest
        d.known    := d.known and (sub = "000" or sub = "001");
        c.float    := FLOAT_MULTIPLY_ADD;
        c.saturate := hi(29);
        c.neg_a    := hi(26);
        c.neg_b    := hi(27);
        s.b        := '1';
        s.c        := '1';
        claim_hi(d, ones(26, 27));
        if lo(24 downto 23) = "00" then
          claim_hi(d, ones(22, 23));
        end if;

      when x"f" =>                                                                      -- TEX TXB TXL
        d.absent  := true;
        d.known   := d.known and (sub = "000" or sub = "001" or sub = "010");
        c         := d.control;
        s         := OPERAND_SLOTS_INIT;
        d.ignored_lo := (others => '0');
        d.ignored_hi := (others => '0');
        claim_lo(d, ones(2, 27));
        d.used_hi := ones(0, 3) or ones(7, 27) or ones(29, 31);

      when x"0" | x"1" | x"2" | x"3" | x"4" | x"5" | x"6" | x"7" | x"8" | x"d" =>
        d.known := false;
      when others => null;
    end case;

    d.control := c;
    d.slots   := s;
    d_o <= d;
  end process;

end architecture;
