-- SPDX-License-Identifier: Apache-2.0
-- Part of the decoder, behind decode_operands: the operands in memory. Offsets in bytes, address registers, sizes, and
-- the parts of these that an instruction must not have. Combinational.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.decode_pkg.all;

entity decode_cells is
  port (
    lo_i : in  word_t;
    hi_i : in  word_t;
    d_i  : in  decoded_t;
    m_i  : in  in_memory_t;
    d_o  : out decoded_t
  );
end entity;

architecture rtl of decode_cells is

  -- Cells of the size to bytes.
  function bytes(cells : unsigned(17 downto 0); size : size_t) return unsigned is
  begin
    return shift_left(cells, to_integer(unsigned(size)));
  end function;

  -- Addresses of the operands in memory. Where A grows it does so by the offset, and the address is A alone. A constant
  -- beside a shared operand is not indexed.
  procedure addresses(d : inout decoded_t; m : in_memory_t; lo : word_t; hi : word_t;
                      shape : shape_t) is
    variable size  : size_t := SIZE_1;
    variable place : unsigned(17 downto 0) := (others => '0');  -- offset in bytes
  begin
    if m.has_shared then
      d.control.areg_in_shared := '1';
      if d.slots.wide_local = '0' then
        size                   := size_of(m.cell);
        d.control.reads_shared := '1';
        d.control.mem_size     := size;
        d.control.mem_signed   := to_sl(m.cell = CELL_S16) and not d.slots.byte_type;
      end if;
      place := bytes(m.shared_cells, size);
      if lo(25) = '0' then
        d.control.offset := place;
      end if;
    end if;

    if m.is_const then
      d.control.reads_const := '1';
      d.control.const_size  := m.const_size;
      if shape /= SHAPE_HALF then
        d.control.bank := unsigned(hi(25 downto 22));
        claim_hi(d, H_BANK);
      end if;
      if m.is_shared then
        d.control.const_offset := bytes(m.const_cells, m.const_size);
        d.known := d.known and d.slots.one_memory = '0';
      else
        d.control.areg_in_const := '1';
        place := bytes(m.const_cells, m.const_size);
        if lo(25) = '0' then
          d.control.const_offset := place;
        end if;
      end if;
    end if;

    if lo(25) = '1' then
      d.control.areg_inc_bytes := std_ulogic_vector(place(15 downto 0));
    end if;
    d.control.areg  := areg_of(lo, hi, shape);
    d.control.areg_inc := lo(25);
    claim_lo(d, L_INDEX);
    if shape /= SHAPE_HALF then
      claim_hi(d, H_AREG);
    end if;
    if not exists(d.control.areg) or d.slots.no_memory = '1' then
      d.known := false;
    end if;
  end procedure;

begin

  resolve : process (all)
    variable d : decoded_t;
  begin
    d := d_i;
    if m_i.has_shared or m_i.is_const then
      addresses(d, m_i, lo_i, hi_i, shape_of(lo_i, hi_i));
    else
      claim_lo(d, d.ignored_lo);
      claim_hi(d, d.ignored_hi);
    end if;
    d_o <= d;
  end process;

end architecture;
