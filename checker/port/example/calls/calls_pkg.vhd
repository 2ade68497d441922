-- SPDX-License-Identifier: Apache-2.0
-- The C side of this example (calls.c), called through VHPIDIRECT: numbers of 32 bits only, as those need no knowledge
-- of how GHDL passes arrays. A word is an integer with the same bits.
package calls_pkg is

  function calls_threads return integer;  -- opens the kernel; threads of its block
  attribute foreign of calls_threads : function is "VHPIDIRECT libcalls.so calls_threads";

  function calls_blocks return integer;  -- of the grid, which has them all in x
  attribute foreign of calls_blocks : function is "VHPIDIRECT libcalls.so calls_blocks";

  function calls_word (index : integer) return integer;  -- of the code
  attribute foreign of calls_word : function is "VHPIDIRECT libcalls.so calls_word";

  -- The values of one lane, before calls_retire.
  procedure calls_lane (lane, dst, addr, data : in integer);
  attribute foreign of calls_lane : procedure is "VHPIDIRECT libcalls.so calls_lane";

  -- One instruction: 0 where something is wrong.
  function calls_retire (block_x, warp, pc, active, dst_reg, is_store, next_pc, finished : integer) return integer;
  attribute foreign of calls_retire : function is "VHPIDIRECT libcalls.so calls_retire";

  procedure calls_end;  -- the report, and the exit code
  attribute foreign of calls_end : procedure is "VHPIDIRECT libcalls.so calls_end";

end package calls_pkg;

package body calls_pkg is

  function calls_threads return integer is
  begin
    report "VHPIDIRECT is missing" severity failure;
  end function calls_threads;

  function calls_blocks return integer is
  begin
    report "VHPIDIRECT is missing" severity failure;
  end function calls_blocks;

  function calls_word (index : integer) return integer is
  begin
    report "VHPIDIRECT is missing" severity failure;
  end function calls_word;

  procedure calls_lane (lane, dst, addr, data : in integer) is
  begin
    report "VHPIDIRECT is missing" severity failure;
  end procedure calls_lane;

  function calls_retire (block_x, warp, pc, active, dst_reg, is_store, next_pc, finished : integer) return integer is
  begin
    report "VHPIDIRECT is missing" severity failure;
  end function calls_retire;

  procedure calls_end is
  begin
    report "VHPIDIRECT is missing" severity failure;
  end procedure calls_end;

end package body calls_pkg;
