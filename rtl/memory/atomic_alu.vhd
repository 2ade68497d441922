-- SPDX-License-Identifier: Apache-2.0
-- Result of an atomic operation on a word of memory. Combinational. INC counts up to the operand and wraps to 0, DEC
-- counts down to 0 and wraps to the operand, both unsigned; a signed INC by a negative operand starts there, a signed
-- DEC by one gives 0, as the vectors of the chips that have atomics say.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.memory_pkg.all;

entity atomic_alu is
  port (
    op_i        : in  nibble_t;
    is_signed_i : in  std_ulogic;
    old_i       : in  word_t;          -- the word in memory
    operand_i   : in  word_t;          -- CAS: compared with the old word
    desired_i   : in  word_t;          -- CAS: stored if equal
    new_o       : out word_t
  );
end entity;

architecture rtl of atomic_alu is
begin

  comb : process (all)
    variable old      : unsigned(31 downto 0);
    variable b        : unsigned(31 downto 0);
    variable below    : boolean;                             -- old < b, unsigned
    variable less     : boolean;                             -- old < b, as signed or unsigned as the operation
    variable equal    : boolean;
    variable negative : boolean;                             -- a signed operand below 0
    variable sum      : unsigned(31 downto 0);
    variable addend   : unsigned(31 downto 0);
    variable result   : unsigned(31 downto 0);
  begin
    old      := unsigned(old_i);
    b        := unsigned(operand_i);
    below    := old < b;
    equal    := old = b;
    less     := below xor (is_signed_i = '1' and old(31) /= b(31));
    negative := is_signed_i = '1' and b(31) = '1';

    addend := b;
    if op_i = ATOMIC_INC then
      addend := x"00000001";
    elsif op_i = ATOMIC_DEC then
      addend := x"ffffffff";
    end if;
    sum := old + addend;

    result := old;
    if op_i = ATOMIC_ADD then
      result := sum;
    elsif op_i = ATOMIC_EXCH then
      result := b;
    elsif op_i = ATOMIC_CAS then
      if equal then
        result := unsigned(desired_i);
      end if;
    elsif op_i = ATOMIC_INC then
      result := sum;
      if negative and below then
        result := b;
      elsif not negative and not below then
        result := (others => '0');
      end if;
    elsif op_i = ATOMIC_DEC then
      result := sum;
      if negative then
        result := (others => '0');
      elsif old = 0 or not (below or equal) then
        result := b;
      end if;
    elsif op_i = ATOMIC_MAX then
      if less then
        result := b;
      end if;
    elsif op_i = ATOMIC_MIN then
      if not less then
        result := b;
      end if;
    elsif op_i = ATOMIC_AND then
      result := old and b;
    elsif op_i = ATOMIC_OR then
      result := old or b;
    elsif op_i = ATOMIC_XOR then
      result := old xor b;
    end if;
    new_o <= std_ulogic_vector(result);
  end process;

end architecture;
