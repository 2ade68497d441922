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

    procedure claim(bits_hi : word_t) is
    begin
      d.used_hi := d.used_hi or bits_hi;
    end procedure;

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
        claim(x"0c100000");
        d.ignored_lo := d.ignored_lo or L_CONVERSION;
        d.ignored_hi := d.ignored_hi or x"000fc000";

      when x"a" =>                                                                      -- I2F, F2I, F2F
        s.a16 := not hi(14);
        s.d16 := not hi(26);
        d.ignored_lo := d.ignored_lo or L_CONVERSION;
        case hi(31 downto 30) is
          when "00" => d.known := false;                                                -- I2I
          when "01" =>                                                                  -- I2F
            s.byte_type := hi(15);
            claim(x"041fc000");
            d.ignored_hi := d.ignored_hi or x"08000000";
          when "10" | "11" =>                                                           -- F2I, F2F
            claim(x"0c1e4000");
            d.ignored_hi := d.ignored_hi or x"00018000";
          when others => null;
        end case;

      when x"b" =>
        claim(x"04000000");
        case sub is
          when "000" | "001" =>                                                         -- FADD
            s.b3      := '1';
            d.used_lo := d.used_lo or x"00030000";
            claim(x"08000000");
            d.ignored_lo := d.ignored_lo or x"007c0000";
          when "011" =>                                                                 -- FSET
            s.b := '1';
            claim(x"081bc000");
            d.ignored_hi := d.ignored_hi or x"00040000";
          when "100" | "101" =>                                                         -- FMAX, FMIN
            s.b := '1';
            claim(x"08180000");
            d.ignored_hi := d.ignored_hi or x"0007c000";
          when "110" =>                                                                 -- RRO
            claim(x"00104000");
            d.ignored_lo := d.ignored_lo or L_CONVERSION;
            d.ignored_hi := d.ignored_hi or x"080f8000";
          when "010" | "111" => d.known := false;
          when others => null;
        end case;

      when x"c" =>
        s.b := '1';
        case sub is
          when "000" =>                                                                 -- FMUL
            claim(x"0c10c000");
            d.ignored_hi := d.ignored_hi or x"000f0000";
          when "010" | "011" =>                                                         -- FCMP
            s.c := '1';
            d.ignored_hi := d.ignored_hi or x"0c000000";
          when "001" | "100" | "101" | "110" | "111" => d.known := false;
          when others => null;
        end case;

      when x"e" =>                                                                      -- FMAD
        d.known := d.known and (sub = "000" or sub = "001");
        s.b     := '1';
        s.c     := '1';
        claim(x"0c000000");
        if lo(24 downto 23) = "00" then
          claim(x"00c00000");
        end if;

      when x"f" =>                                                                      -- TEX TXB TXL
        d.known   := d.known and (sub = "000" or sub = "001" or sub = "010");
        s         := OPERAND_SLOTS_INIT;
        d.ignored_lo := (others => '0');
        d.ignored_hi := (others => '0');
        d.used_lo := d.used_lo or x"0ffffffc";
        d.used_hi := x"efffffff" and not H_SET_C;

      when x"0" | x"1" | x"2" | x"3" | x"4" | x"5" | x"6" | x"7" | x"8" | x"d" =>
        d.known := false;
      when others => null;
    end case;

    d.slots := s;
    d_o <= d;
  end process;

end architecture;
