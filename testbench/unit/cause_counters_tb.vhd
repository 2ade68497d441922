-- SPDX-License-Identifier: Apache-2.0
-- cause_counters: every cycle that counts is added to its cause, also where causes follow each other in any order; what
-- was not counted since the last clear is 0, whatever the memory holds; nothing can be read while it counts.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.lists_pkg.all;
use work.bench_pkg.all;

entity cause_counters_tb is
end entity cause_counters_tb;

architecture sim of cause_counters_tb is
  signal clk    : std_ulogic := '0';
  signal clear  : std_ulogic := '0';
  signal count  : std_ulogic := '0';
  signal cause  : cause_t := CAUSE_ISSUE;
  signal addr   : unsigned(3 downto 0) := (others => '0');
  signal cycles : word_t;
begin

  u_dut : entity work.cause_counters
    generic map (SEED => 3)
    port map (clk => clk, clear_i => clear, count_i => count, cause_i => cause, addr_i => addr, cycles_o => cycles);

  stimulus : process
    type counts_t is array (0 to 15) of natural;
    variable counts : counts_t;
    variable counting : boolean := false;                    -- since the last cycle
    variable state  : natural := 1;                          -- of the order of causes

    procedure counted(c : cause_t) is
    begin
      count     <= '1';
      cause     <= c;
      addr      <= to_unsigned(state mod 16, 4);
      counts(c) := counts(c) + 1;
      tick(clk);
      assert cycles = x"00000000" or not counting report "readable while it counts" severity failure;
      counting := true;
      count <= '0';
    end procedure counted;

    procedure must_be(what : string) is
    begin
      tick(clk);                                             -- the last cause is being counted
      counting := false;
      for c in counts'range loop
        addr <= to_unsigned(c, 4);
        tick(clk);
        assert unsigned(cycles) = counts(c)
          report what & ": cause " & integer'image(c) & " has " & integer'image(to_integer(unsigned(cycles)))
                 & " cycles of " & integer'image(counts(c)) severity failure;
      end loop;
    end procedure must_be;

    procedure forget is
    begin
      clear <= '1';
      tick(clk);
      clear  <= '0';
      counts := (others => 0);
    end procedure forget;
  begin
    counts := (others => 0);
    forget;
    must_be("nothing counted");
    for c in 1 to 5 loop
      counted(CAUSE_FETCH);
    end loop;
    must_be("one cause");
    counted(CAUSE_ISSUE);
    counted(CAUSE_DRAIN);
    counted(CAUSE_ISSUE);
    counted(CAUSE_DRAIN);
    must_be("two by turns");
    counted(CAUSE_BRANCH);
    tick(clk);
    counted(CAUSE_BRANCH);
    cause <= CAUSE_BRANCH;
    tick(clk);
    must_be("cycles between that do not count");
    for n in 1 to 1000 loop
      state := (state * 75 + 74) mod 65537;
      counted(state / 7 mod (cause_t'high + 1));
    end loop;
    must_be("any order");
    while counts(CAUSE_FETCH) < 2 ** 19 - 1 loop             -- all ones
      counted(CAUSE_FETCH);
    end loop;
    must_be("many cycles");
    counted(CAUSE_FETCH);
    must_be("one more");
    forget;
    must_be("cleared");
    counted(CAUSE_BARRIER);
    forget;                                                  -- as its count is being written
    must_be("cleared at once");
    counted(CAUSE_BARRIER);
    must_be("again");

    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
