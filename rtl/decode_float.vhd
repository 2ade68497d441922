-- SPDX-License-Identifier: Apache-2.0
-- Part of the decoder: float, special function and texture instructions in their long form. They are recognised, bit
-- for bit, and never execute. Combinational.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.decode_pkg.all;

entity decode_float is
  port (
    lo_i : in  word_t;
    hi_i : in  word_t;
    d_o  : out decoded_t
  );
end entity;

architecture rtl of decode_float is
begin

  decode_word : process (all)
    variable d   : decoded_t;
    variable s   : operand_slots_t;
    variable lo  : word_t;
    variable hi  : word_t;
    variable sub : std_ulogic_vector(2 downto 0);

  begin
    lo  := lo_i;
    hi  := hi_i;
    sub := hi(31 downto 29);
    d   := decoded(lo, hi, SHAPE_LONG);
    d.absent  := true;
    d.used_hi := H_USUAL;
    s   := d.slots;
    s.a := '1';
    s.d := '1';
    d.ignored_lo := L_INDEX;
    d.ignored_hi := H_AREG or H_BANK or H_BIT28;

    case lo(31 downto 28) is

      when x"9" =>                                                                      -- RCP RSQ LG2 SIN COS EX2
        d.known     := d.known and sub /= "001" and sub /= "111";
        s.no_shared := '1';
        claim_hi(d, ones(20) or ones(26, 27));
        ignore_lo(d, L_CONVERSION);
        ignore_hi(d, ones(14, 19));

      when x"a" =>                                                                      -- I2F, F2I, F2F
        s.a16 := not hi(14);
        s.d16 := not hi(26);
        ignore_lo(d, L_CONVERSION);
        case hi(31 downto 30) is
          when "00" => d.known := false;                                                -- I2I
          when "01" =>                                                                  -- I2F
            s.byte_type := hi(15);
            claim_hi(d, ones(14, 20) or ones(26));
            ignore_hi(d, ones(27));
          when "10" | "11" =>                                                           -- F2I, F2F
            claim_hi(d, ones(14) or ones(17, 20) or ones(26, 27));
            ignore_hi(d, ones(15, 16));
          when others => null;
        end case;

      when x"b" =>
        claim_hi(d, ones(26));
        case sub is
          when "000" | "001" =>                                                         -- FADD
            s.b3      := '1';
            claim_lo(d, ones(16, 17));
            claim_hi(d, ones(27));
            ignore_lo(d, ones(18, 22));
          when "011" =>                                                                 -- FSET
            s.b := '1';
            claim_hi(d, ones(14, 17) or ones(19, 20) or ones(27));
            ignore_hi(d, ones(18));
          when "100" | "101" =>                                                         -- FMAX, FMIN
            s.b := '1';
            claim_hi(d, ones(19, 20) or ones(27));
            ignore_hi(d, ones(14, 18));
          when "110" =>                                                                 -- RRO
            claim_hi(d, ones(14) or ones(20));
            ignore_lo(d, L_CONVERSION);
            ignore_hi(d, ones(15, 19) or ones(27));
          when "010" | "111" => d.known := false;
          when others => null;
        end case;

      when x"c" =>
        s.b := '1';
        case sub is
          when "000" =>                                                                 -- FMUL
            claim_hi(d, ones(14, 15) or ones(20) or ones(26, 27));
            ignore_hi(d, ones(16, 19));
          when "010" | "011" =>                                                         -- FCMP
            s.c := '1';
            ignore_hi(d, ones(26, 27));
          when "001" | "100" | "101" | "110" | "111" => d.known := false;
          when others => null;
        end case;

      when x"e" =>                                                                      -- FMAD
        d.known := d.known and (sub = "000" or sub = "001");
        s.b     := '1';
        s.c     := '1';
        claim_hi(d, ones(26, 27));
        if lo(24 downto 23) = "00" then
          claim_hi(d, ones(22, 23));
        end if;

      when x"f" =>                                                                      -- TEX TXB TXL
        d.known   := d.known and (sub = "000" or sub = "001" or sub = "010");
        s         := OPERAND_SLOTS_INIT;
        d.ignored_lo := (others => '0');
        d.ignored_hi := (others => '0');
        claim_lo(d, ones(2, 27));
        d.used_hi := ones(0, 3) or ones(7, 27) or ones(29, 31);

      when x"0" | x"1" | x"2" | x"3" | x"4" | x"5" | x"6" | x"7" | x"8" | x"d" =>
        d.known := false;
      when others => null;
    end case;

    d.slots := s;
    d_o <= d;
  end process;

end architecture;
