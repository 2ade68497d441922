-- SPDX-License-Identifier: Apache-2.0
-- Part of the decoder: long instructions that move between register files, and those that do nothing. Moves from and
-- to memories are in decode_memory.vhd. Combinational.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.decode_pkg.all;

entity decode_move is
  port (
    lo_i : in  word_t;
    hi_i : in  word_t;
    d_o  : out decoded_t
  );
end entity;

architecture rtl of decode_move is
begin

  decode_word : process (all)
    variable d    : decoded_t;
    variable c    : control_t;
    variable s    : operand_slots_t;
    variable lo   : word_t;
    variable hi   : word_t;
    variable areg : areg_t;            -- the A register that is read
    variable adst : areg_t;            -- the A register that is written
  begin
    lo := lo_i;
    hi := hi_i;
    d  := decoded(lo, hi, SHAPE_LONG);
    d.used_hi := H_FIXED;
    c  := d.control;
    s  := d.slots;
    areg := areg_of(lo, hi, SHAPE_LONG);
    adst := unsigned(lo(4 downto 2));

    if lo(31 downto 28) = x"0" then
      case hi(31 downto 29) is
        when "001" =>                                                                   -- C2R
          s.d      := '1';
          c.alu    := ALU_PASS_A;
          c.src_a_from := SRC_CREG;
        when "010" =>                                                                   -- A2R
          s.d       := '1';
          c.alu     := ALU_PASS_A;
          c.src_a_from  := SRC_AREG;
          c.areg    := areg;
          d.known   := d.known and exists(areg);
          claim_lo(d, L_AREG);
          claim_hi(d, H_AREG);
        when "011" =>                                                                   -- S2R
          s.d       := '1';
          c.alu     := ALU_PASS_A;
          c.src_a_from  := SRC_SPECIAL;
          c.imm     := x"0000000" & hi(17 downto 14);
          claim_hi(d, ones(14, 17));
        when "101" =>                                                                   -- R2C
          s.a         := '1';
          s.no_shared := '1';
          c.creg_set     := '1';
          c.creg_from_src_a  := '1';
          claim_hi(d, H_SET_C);
        when "110" =>                                                                   -- R2A
          s.a      := '1';
          c.alu    := ALU_SHL;
          c.src_b_from := SRC_IMM;
          c.imm    := x"0000000" & lo(19 downto 16);
          c.areg_set  := '1';
          c.areg_dst  := adst;
          d.known  := d.known and exists(adst) and (hi(21) and lo(25)) = '0';           -- post-increment: a second A
          claim_lo(d, L_DST3 or ones(16, 19));
        when "000" | "100" | "111" =>
          d.known := false;
        when others => null;
      end case;

    elsif lo(31 downto 28) = x"1" and hi(31 downto 29) = "000" then                     -- MOV
      s.a         := '1';
      s.a16       := not hi(26);
      s.d         := '1';
      s.d16       := not hi(26);
      c.creg_set     := hi(6);
      c.alu       := ALU_PASS_A;
      c.w16       := not hi(26);
      c.lane_mask := hi(17 downto 14);
      d.used_hi   := H_USUAL or ones(14, 17) or ones(25) or H_WIDTH;

    elsif lo(31 downto 28) = x"d" and hi(31 downto 29) = "001" then                     -- ADA
      c.alu    := ALU_ADD;
      c.src_a_from := SRC_AREG;
      c.areg   := areg;
      c.src_b_from := SRC_IMM;
      c.imm    := x"0000" & lo(24 downto 9);
      c.areg_set  := '1';
      c.areg_dst  := adst;
      d.known  := d.known and exists(areg) and exists(adst);
      claim_lo(d, L_DST3 or L_WIDE or L_AREG);
      claim_hi(d, H_AREG);

    elsif lo(31 downto 28) = x"f" and hi(31 downto 29) = "111" then                     -- NOP, PMEVENT
      c.has_guard := hi(2);
      claim_hi(d, H_AREG);
      if hi(2) = '1' then
        claim_lo(d, ones(10, 13));
      end if;

    else
      d.known := false;
    end if;

    d.control := c;
    d.slots   := s;
    d_o <= d;
  end process;

end architecture;
