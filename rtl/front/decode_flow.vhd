-- SPDX-License-Identifier: Apache-2.0
-- Part of the decoder: flow instructions (long, l1 set) and barriers. Combinational.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.decode_pkg.all;

entity decode_flow is
  port (
    lo_i : in  word_t;
    hi_i : in  word_t;
    d_o  : out decoded_t
  );
end entity;

architecture rtl of decode_flow is
begin

  decode_word : process (all)
    variable d : decoded_t;
    variable c : control_t;

    procedure has_target is
    begin
      claim_lo(d, L_TARGET);
      claim_hi(d, H_TARGET);
    end procedure;

  begin
    d := decoded(lo_i, hi_i, SHAPE_FLOW);
    d.used_hi := H_MARK or H_GUARD;
    c := d.control;
    c.redirects := '1';
    c.target    := unsigned(hi_i(19 downto 14)) & unsigned(lo_i(26 downto 11)) & "00";

    case lo_i(31 downto 28) is
      when x"0" => d.absent := true;                                                    -- KIL
      when x"1" => c.flow := FLOW_BRA; c.has_guard := '1';
                   has_target;
      when x"2" => c.flow := FLOW_CAL;
                   has_target;
                   claim_hi(d, ones(6));
      when x"3" => c.flow := FLOW_RET; c.has_guard := '1';
      when x"4" => c.flow := FLOW_PBK;
                   has_target;
      when x"5" => c.flow := FLOW_BRK; c.has_guard := '1';
      when x"6" | x"7" => d.absent := true;                                             -- QUADON, QUADPOP
      when x"8" => c.flow := FLOW_BAR;
                   c.barrier   := unsigned(lo_i(24 downto 21));
                   c.bar_wait  := lo_i(26);
                   c.bar_legal := lo_i(25) and (not lo_i(26) or hi_i(14) or to_sl(lo_i(20 downto 9) = x"fff"));
                   claim_lo(d, ones(9, 26));
                   claim_hi(d, ones(14));
      when x"9" => c.flow := FLOW_BREAKPOINT;                                           -- TRAP
      when x"a" => c.flow := FLOW_SSY;
                   has_target;
      when x"b" => c.flow := FLOW_BREAKPOINT; c.has_guard := '1';                       -- BPT
      when x"c" => c.flow   := FLOW_BRX;
                   c.alu    := ALU_PASS_B;                                              -- the constant is the target
                   d.slots.wide_const := '1';
                   d.slots.cell       := CELL_32;
                   d.known   := d.known and lo_i(25) = '0';
                   claim_hi(d, ones(6));
      when x"d" => c.flow := FLOW_PRET;
                   has_target;
                   claim_hi(d, ones(6));
      when x"e" | x"f" => d.known := false;
      when others => null;
    end case;

    d.control := c;
    d_o <= d;
  end process;

end architecture;
