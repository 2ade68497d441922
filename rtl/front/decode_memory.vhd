-- SPDX-License-Identifier: Apache-2.0
-- Part of the decoder: long instructions that move between registers and the constant, shared, global and local
-- memories, and atomics. Combinational.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.memory_pkg.all;
use work.lists_pkg.all;
use work.decode_pkg.all;

entity decode_memory is
  port (
    lo_i : in  word_t;
    hi_i : in  word_t;
    d_o  : out decoded_t
  );
end entity;

architecture rtl of decode_memory is
begin

  decode_word : process (all)
    variable d  : decoded_t;
    variable c  : control_t;
    variable s  : operand_slots_t;
    variable lo : word_t;
    variable hi : word_t;
    variable operation : std_ulogic_vector(3 downto 0);      -- of an atomic

    -- Size and data registers of a load or store. Those of a wide one begin at a multiple of their number.
    procedure access_registers(is_store : std_ulogic) is
    begin
      case hi(23 downto 21) is
        when "000" | "001" => c.mem_size := SIZE_1;
        when "010" | "011" => c.mem_size := SIZE_2;
        when "110" | "111" => c.mem_size := SIZE_4;
        when "100" => c.mem_size := SIZE_8;
        when "101" => c.mem_size := SIZE_16;
        when others => null;
      end case;
      c.mem_signed := hi(21);
      if is_store = '0' then
        s.d := '1';
      else
        c.src_c_from := SRC_REG32;
        c.src_c_reg  := unsigned(lo(8 downto 2));
      end if;
      d.known   := d.known and (unsigned(lo(3 downto 2)) and last_part(c.mem_size)) = 0;
      claim_lo(d, L_DST7);
      claim_hi(d, H_SIZE);
    end procedure;

    -- Address and operation of an atomic on 32 bits; others are absent. Any segment. The operand comes by slot c, as a
    -- store's does.
    procedure atomic_access is
    begin
      c.mem        := MEM_GLOBAL_ATOMIC;
      c.atomic     := operation;
      c.mem_signed := hi(21);
      c.src_a_from     := SRC_REG32;
      c.src_a_reg      := unsigned(lo(15 downto 9));
      c.src_c_from     := SRC_REG32;
      d.absent     := hi(23 downto 22) /= "11";
    end procedure;

  begin
    lo := lo_i;
    hi := hi_i;
    d  := decoded(lo, hi, SHAPE_LONG);
    d.used_hi := H_FIXED;
    c  := d.control;
    s  := d.slots;
    operation := hi(5 downto 2);

    if lo(31 downto 28) = x"0" and hi(31 downto 29) = "111" then                        -- R2G
      d.known  := d.known and hi(23) = '0';
      c.mem    := MEM_SHARED_STORE;
      c.src_c_reg  := unsigned(hi(20 downto 14));
      c.src_c_from := SRC_REG32;
      if hi(21) = '0' then
        c.src_c_from := SRC_REG16;
        c.src_c_reg  := '0' & unsigned(hi(20 downto 15));
        c.src_c_high := hi(14);
      end if;
      s.wide_shared := '1';
      s.cell        := CELL_32;
      if hi(22) = '1' then
        s.cell := CELL_U8;
      elsif hi(26) = '0' then
        s.cell := CELL_U16;
      end if;
      claim_hi(d, H_SRC3 or H_SIZE or H_WIDTH);

    elsif lo(31 downto 28) = x"1" and hi(31 downto 29) = "001" then                     -- MVC
      s.d          := '1';
      s.d16        := not hi(26);
      c.creg_set      := hi(6);
      c.alu        := ALU_PASS_B;
      c.w16        := not hi(26);
      s.wide_const := '1';
      s.cell       := hi(15 downto 14);
      d.used_hi    := H_USUAL or ones(14, 15) or H_WIDTH;

    elsif lo(31 downto 28) = x"1" and hi(31 downto 29) = "010" then                     -- G2R
      s.d           := '1';
      s.d16         := not hi(26);
      c.alu         := ALU_PASS_A;
      c.w16         := not hi(26);
      c.src_a_from      := SRC_SHARED;
      s.wide_shared := '1';
      s.cell        := hi(15 downto 14);
      claim_hi(d, H_BUCKET or ones(14, 15) or H_WIDTH);

    elsif lo(31 downto 28) = x"d" then
      case hi(31 downto 29) is
        when "010" | "011" =>                                                           -- LLD, LST
          s.wide_local := '1';
          c.src_a_from     := SRC_LOCAL;
          c.mem        := MEM_LOCAL_LOAD;
          if hi(29) = '1' then
            c.mem := MEM_LOCAL_STORE;
          end if;
          access_registers(hi(29));
        when "100" | "101" =>                                                           -- GLD, GST
          c.src_a_from := SRC_REG32;
          c.src_a_reg  := unsigned(lo(15 downto 9));
          c.mem    := MEM_GLOBAL_LOAD;
          if hi(29) = '1' then
            c.mem := MEM_GLOBAL_STORE;
          end if;
          access_registers(hi(29));
          claim_lo(d, L_SRC1 or L_SEG);
        when "110" =>                                                                   -- GRED
          atomic_access;
          c.src_c_reg  := unsigned(lo(8 downto 2));
          case operation is
            when x"2" | x"3" | x"8" | x"9" | x"d" | x"e" | x"f" => d.known := false;
            when x"0" | x"1" | x"4" | x"5" | x"6" | x"7" | x"a" | x"b" | x"c" => null;
            when others => null;
          end case;
          claim_lo(d, L_DST7 or L_SRC1 or L_SEG);
          claim_hi(d, H_SIZE or ones(2, 5));
          d.ignored_lo := ones(20, 27);
          d.ignored_hi := ones(6) or ones(14, 20) or ones(24, 28);
        when "111" =>                                                                   -- GATOM
          atomic_access;
          s.d      := '1';
          c.src_c_reg  := unsigned(lo(22 downto 16));
          case operation is
            when x"3" | x"8" | x"9" | x"d" | x"e" | x"f" => d.known := false;
            when x"0" | x"1" | x"2" | x"4" | x"5" | x"6" | x"7" | x"a" | x"b" | x"c" => null;
            when others => null;
          end case;
          claim_lo(d, L_DST7 or L_SRC1 or L_SRC2 or ones(23, 26));
          claim_hi(d, H_SIZE or ones(2, 5));
          if operation = ATOMIC_CAS then
            c.src_b_from  := SRC_REG32;
            c.src_b_reg   := unsigned(hi(20 downto 14));
            claim_hi(d, H_SRC3);
          end if;
          d.ignored_lo := ones(27);
          d.ignored_hi := ones(6) or ones(14, 20) or ones(24, 28);
        when "000" | "001" =>
          d.known := false;
        when others => null;
      end case;

    else
      d.known := false;
    end if;

    d.control := c;
    d.slots   := s;
    d_o <= d;
  end process;

end architecture;
