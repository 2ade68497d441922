-- SPDX-License-Identifier: Apache-2.0
-- Part of the decoder: sm_10x, our extension, in subopcodes of IMUL that sm_10 leaves undefined. It is there only in
-- machines that execute some of it. Combinational.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.decode_pkg.all;

entity decode_extension is
  generic (
    HAS_WIDE     : boolean;
    HAS_DIVIDERS : boolean
  );
  port (
    lo_i : in  word_t;
    hi_i : in  word_t;
    d_o  : out decoded_t
  );
end entity;

architecture rtl of decode_extension is
begin

  decode_word : process (all)
    variable d   : decoded_t;
    variable c   : control_t;
    variable s   : operand_slots_t;
    variable sub : std_ulogic_vector(2 downto 0);
  begin
    sub := hi_i(31 downto 29);
    d   := decoded(lo_i, hi_i, SHAPE_LONG);
    d.used_hi := H_USUAL;
    c   := d.control;
    s   := d.slots;

    c.alu   := ALU_MUL_WORD;
    c.mul24 := '1';
    c.creg_set := hi_i(6);
    s.a     := '1';
    s.b     := '1';
    s.d     := '1';

    case sub is
      when "001" | "010" =>                                                             -- WMUL, WMUL.HI
        d.known  := d.known and HAS_WIDE;
        c.mul_hi := sub(1);
      when "011" | "100" =>                                                             -- WMAD, WMAD.HI
        d.known   := d.known and HAS_WIDE and hi_i(26) = hi_i(27);
        c.mul_hi  := sub(2);
        c.mul_add := '1';
        c.carry   := hi_i(26);
        s.c       := '1';
        s.one_memory := '1';
        claim_hi(d, H_WIDTH or H_SIGN);
      when "101" | "110" =>                                                             -- IDIV, IREM
        d.known  := d.known and HAS_DIVIDERS;
        c.alu    := ALU_DIVIDE;
        c.mul_hi := sub(1);
        c.sign_a := hi_i(27);
        claim_hi(d, H_SIGN);
      when "000" | "111" => d.known := false;
      when others => null;
    end case;
    d.known := d.known and lo_i(31 downto 28) = x"4";

    d.control := c;
    d.slots   := s;
    d_o <= d;
  end process;

end architecture;
