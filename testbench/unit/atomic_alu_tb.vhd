-- SPDX-License-Identifier: Apache-2.0
-- atomic_alu: each operation on corner values, signed and unsigned, worked by hand. The wrap of INC and DEC is what the
-- corpus' vectors of atom32 say.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.memory_pkg.all;

entity atomic_alu_tb is
end entity atomic_alu_tb;

architecture sim of atomic_alu_tb is
  signal op        : nibble_t := ATOMIC_ADD;
  signal is_signed : std_ulogic := '0';
  signal old       : word_t := (others => '0');
  signal operand   : word_t := (others => '0');
  signal desired   : word_t := x"dddddddd";
  signal changed   : word_t;

  type row_t is record
    op        : nibble_t;
    is_signed : std_ulogic;
    old       : word_t;
    operand   : word_t;
    must      : word_t;
  end record;
  type rows_t is array (natural range <>) of row_t;
  constant ROWS : rows_t := (
    (ATOMIC_ADD,  '0', x"00000001", x"00000002", x"00000003"),
    (ATOMIC_ADD,  '1', x"ffffffff", x"00000002", x"00000001"),
    (ATOMIC_EXCH, '0', x"12345678", x"9abcdef0", x"9abcdef0"),
    (ATOMIC_CAS,  '0', x"12345678", x"12345678", x"dddddddd"),
    (ATOMIC_CAS,  '1', x"12345678", x"12345679", x"12345678"),
    (ATOMIC_INC,  '0', x"00000004", x"00000005", x"00000005"),
    (ATOMIC_INC,  '0', x"00000005", x"00000005", x"00000000"),
    (ATOMIC_INC,  '0', x"fffffff0", x"00000005", x"00000000"),
    (ATOMIC_INC,  '0', x"00000005", x"fffffff0", x"00000006"),
    (ATOMIC_INC,  '0', x"fffffff0", x"fffffff0", x"00000000"),
    (ATOMIC_INC,  '1', x"00000005", x"00000005", x"00000000"),
    (ATOMIC_INC,  '1', x"00000005", x"fffffff0", x"fffffff0"),
    (ATOMIC_INC,  '1', x"fffffff0", x"fffffff0", x"fffffff1"),
    (ATOMIC_INC,  '1', x"ffffffff", x"fffffff0", x"00000000"),
    (ATOMIC_DEC,  '0', x"00000005", x"00000005", x"00000004"),
    (ATOMIC_DEC,  '0', x"00000000", x"00000005", x"00000005"),
    (ATOMIC_DEC,  '0', x"00000006", x"00000005", x"00000005"),
    (ATOMIC_DEC,  '0', x"80000000", x"fffffff0", x"7fffffff"),
    (ATOMIC_DEC,  '1', x"00000006", x"00000005", x"00000005"),
    (ATOMIC_DEC,  '1', x"00000003", x"fffffff0", x"00000000"),
    (ATOMIC_DEC,  '1', x"ffffffff", x"fffffff0", x"00000000"),
    (ATOMIC_DEC,  '1', x"00000003", x"80000000", x"00000000"),
    (ATOMIC_DEC,  '1', x"80000000", x"7fffffff", x"7fffffff"),
    (ATOMIC_INC,  '1', x"00000003", x"80000000", x"80000000"),
    (ATOMIC_INC,  '1', x"7fffffff", x"7fffffff", x"00000000"),
    (ATOMIC_MAX,  '0', x"00000001", x"ffffffff", x"ffffffff"),
    (ATOMIC_MAX,  '1', x"00000001", x"ffffffff", x"00000001"),
    (ATOMIC_MAX,  '1', x"80000000", x"7fffffff", x"7fffffff"),
    (ATOMIC_MAX,  '1', x"fffffffe", x"ffffffff", x"ffffffff"),
    (ATOMIC_MIN,  '0', x"00000001", x"ffffffff", x"00000001"),
    (ATOMIC_MIN,  '1', x"00000001", x"ffffffff", x"ffffffff"),
    (ATOMIC_MIN,  '1', x"80000000", x"7fffffff", x"80000000"),
    (ATOMIC_MIN,  '1', x"fffffffe", x"ffffffff", x"fffffffe"),
    (ATOMIC_AND,  '0', x"0ff0f0f0", x"00ffff00", x"00f0f000"),
    (ATOMIC_OR,   '1', x"0ff0f0f0", x"00ffff00", x"0ffffff0"),
    (ATOMIC_XOR,  '0', x"0ff0f0f0", x"00ffff00", x"0f0f0ff0"));
begin

  u_dut : entity work.atomic_alu
    port map (op_i => op, is_signed_i => is_signed, old_i => old, operand_i => operand, desired_i => desired,
              new_o => changed);

  stimulus : process
  begin
    for i in ROWS'range loop
      op        <= ROWS(i).op;
      is_signed <= ROWS(i).is_signed;
      old       <= ROWS(i).old;
      operand   <= ROWS(i).operand;
      wait for 1 ns;
      assert changed = ROWS(i).must
        report "row " & integer'image(i) & ": " & to_hstring(changed) severity failure;
    end loop;
    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
