-- SPDX-License-Identifier: Apache-2.0
-- A machine of five instructions (SHL by a number, MVI, IADD, GST.U32, RET), all lanes at once, one instruction a
-- clock, and in it the calls of docs/bring-your-own-rtl.md: from a testbench with a main program of its own. Warps run
-- one after the other.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.calls_pkg.all;

entity calls_core is
  generic (WRONG : boolean := false);  -- IADD loses a carry in lane 10
end entity calls_core;

architecture rtl of calls_core is

  constant LANES : positive := 32;
  subtype word_t is unsigned(31 downto 0);
  type lanes_t is array (0 to LANES - 1) of word_t;
  type registers_t is array (0 to 63) of lanes_t;

  signal clk  : std_ulogic := '0';
  signal done : boolean    := false;

  -- As VHDL's integers end at 2^31 - 1.
  function from_integer (value : integer) return word_t is
  begin
    return unsigned(to_signed(value, 32));
  end function from_integer;

  function to_int (value : word_t) return integer is
  begin
    return to_integer(signed(value));
  end function to_int;

begin

  clk <= not clk after 5 ns when not done;

  run : process (clk)
    variable r               : registers_t;
    variable threads         : integer := -1;
    variable block_x         : natural := 0;
    variable warp, pc, d     : natural := 0;
    variable lo, hi, active  : word_t;
    variable a, b, result    : word_t;
    variable ends, is_store  : boolean;
    variable next_pc, stored : integer;
  begin
    if rising_edge(clk) then
      if threads < 0 then
        threads := calls_threads;
      end if;
      if pc = 0 then
        for lane in r(0)'range loop
          r(0)(lane) := to_unsigned(32 * warp + lane, 32);  -- x; y and z are 0
          active(lane) := '1' when 32 * warp + lane < threads else '0';
        end loop;
      end if;
      lo := from_integer(calls_word(pc / 4));
      hi := from_integer(calls_word(pc / 4 + 1));
      ends := lo(1 downto 0) = "11";
      is_store := lo(31 downto 28) = x"d";
      d := to_integer(lo(7 downto 2));
      for lane in r(0)'range loop
        a := r(to_integer(lo(14 downto 9)))(lane);
        b := r(to_integer(hi(19 downto 14)))(lane);
        case lo(31 downto 28) is
          when x"1" => result := hi(27 downto 2) & lo(21 downto 16);
          when x"2" => result := a + b;
          when x"3" => result := shift_left(a, to_integer(lo(22 downto 16)));
          when others => result := r(d)(lane);
        end case;
        if WRONG and lane = 10 and lo(31 downto 28) = x"2" then
          result(31 downto 4) := a(31 downto 4) + b(31 downto 4);
        end if;
        if not ends and not is_store then
          r(d)(lane) := result;
        end if;
        if active(lane) = '1' then
          calls_lane(lane, to_int(result), to_int(a), to_int(result));
        end if;
      end loop;
      next_pc := 0 when ends else pc + 8;
      stored := 1 when is_store else 0;
      if calls_retire(block_x, warp, pc, to_int(active), d, stored, next_pc, boolean'pos(ends)) = 0 then
        done <= true;
        calls_end;
      end if;
      pc := next_pc;
      if ends then
        warp := warp + 1;
        if 32 * warp >= threads then
          warp := 0;
          block_x := block_x + 1;
        end if;
        if block_x = calls_blocks then
          done <= true;
          calls_end;
        end if;
      end if;
    end if;
  end process run;

end architecture rtl;
