-- SPDX-License-Identifier: Apache-2.0
-- Instruction decoder: one instruction word pair to control signals, combinational. Each part knows the operations of
-- its kind, opcode by opcode: which fields an encoding uses, what the operation does, which operand slots it has. At
-- most one part knows a word; its operands are then read in one place. A bit that no field claims must be zero, else
-- the word is undefined; some are known to be ignored by silicon and may be set. What the machine does not execute is
-- recognised and traps as unimplemented. Encodings: assembler/isa/insn.def, which a bench holds all this against
-- (testbench/decode).
--
--     lo, hi --> decode_flow, decode_half, decode_move, decode_integer, decode_memory, decode_float
--                  --> choose --> decode_operands --> judge --> control

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.lists_pkg.all;
use work.decode_pkg.all;

entity decode is
  port (
    lo_i      : in  word_t;            -- word at the lower address
    hi_i      : in  word_t;            -- the next one; ignored when lo_i is a half instruction
    control_o : out control_t;         -- trap is set where the word is undefined or unimplemented
    long_o    : out std_ulogic         -- 8 bytes, else 4
  );
end entity;

architecture rtl of decode is
  signal hi         : word_t;
  signal flow       : decoded_t;
  signal half       : decoded_t;
  signal move       : decoded_t;
  signal arithmetic : decoded_t;
  signal memory     : decoded_t;
  signal float      : decoded_t;
  signal chosen     : decoded_t;
  signal resolved   : decoded_t;       -- with its operands
begin

  long_o <= lo_i(0);
  hi     <= hi_i when lo_i(0) = '1' else (others => '0');

  u_flow    : entity work.decode_flow    port map (lo_i => lo_i, hi_i => hi, d_o => flow);
  u_half    : entity work.decode_half    port map (lo_i => lo_i, hi_i => hi, d_o => half);
  u_move    : entity work.decode_move    port map (lo_i => lo_i, hi_i => hi, d_o => move);
  u_integer : entity work.decode_integer port map (lo_i => lo_i, hi_i => hi, d_o => arithmetic);
  u_memory  : entity work.decode_memory  port map (lo_i => lo_i, hi_i => hi, d_o => memory);
  u_float   : entity work.decode_float   port map (lo_i => lo_i, hi_i => hi, d_o => float);

  choose : process (all)
  begin
    chosen <= DECODED_INIT;
    if flow.known then
      chosen <= flow;
    elsif half.known then
      chosen <= half;
    elsif move.known then
      chosen <= move;
    elsif arithmetic.known then
      chosen <= arithmetic;
    elsif memory.known then
      chosen <= memory;
    elsif float.known then
      chosen <= float;
    end if;
  end process;

  u_operands : entity work.decode_operands port map (lo_i => lo_i, hi_i => hi, d_i => chosen, d_o => resolved);

  judge : process (all)
    variable known : boolean;
  begin
    known := resolved.known and (lo_i and not (L_SHAPE or L_OPCODE or resolved.used_lo)) = x"00000000"
             and (hi and not resolved.used_hi) = x"00000000";
    control_o <= resolved.control;
    if resolved.control.is_end = '1' or resolved.control.is_join = '1' then
      control_o.redirects <= '1';
    end if;
    if not known or resolved.absent then
      control_o           <= CONTROL_INIT;
      control_o.redirects <= '1';
      control_o.trap      <= TRAP_UNDEFINED;
      if known then
        control_o.trap <= TRAP_UNIMPLEMENTED;
      end if;
    end if;
  end process;

end architecture;
