-- SPDX-License-Identifier: Apache-2.0
-- round_robin: grants exactly one requester, in turn, and none while held; it starves none.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.bench_pkg.all;

entity round_robin_tb is
end entity round_robin_tb;

architecture sim of round_robin_tb is
  constant N   : positive := 5;
  signal clk   : std_ulogic := '0';
  signal rst   : std_ulogic := '1';
  signal hold  : std_ulogic := '0';
  signal req   : std_ulogic_vector(N - 1 downto 0) := (others => '0');
  signal turn  : std_ulogic_vector(N - 1 downto 0);
  signal grant : std_ulogic_vector(N - 1 downto 0);
begin

  u_dut : entity work.round_robin
    generic map (REQUESTERS => N)
    port map (clk => clk, rst => rst, hold_i => hold, req_i => req, turn_o => turn, grant_o => grant);

  stimulus : process
    -- Asks with `r`, expects that `g` is granted, and goes on.
    procedure ask(r, g : std_ulogic_vector(N - 1 downto 0)) is
    begin
      req <= r;
      wait for 1 ns;
      assert grant = g
        report "asked " & to_string(r) & ", granted " & to_string(grant) & ", not " & to_string(g) severity failure;
      check(hold = '1' or turn = grant, "the grant is the turn");
      tick(clk);
    end procedure ask;
  begin
    tick(clk);
    rst <= '0';
    ask("00000", "00000");
    -- all ask: each in turn, twice around
    for round in 0 to 1 loop
      for i in 0 to N - 1 loop
        ask("11111", std_ulogic_vector(shift_left(to_unsigned(1, N), i)));
      end loop;
    end loop;
    -- a slot that does not ask is passed over; the one that was served last comes last
    ask("10100", "00100");
    ask("10100", "10000");
    ask("10100", "00100");
    ask("00111", "00001");
    ask("00101", "00100");
    -- no request, or all are held: the turn does not move
    ask("00000", "00000");
    hold <= '1';
    ask("11111", "00000");
    check(turn = "01000", "the turn is known though all are held");
    hold <= '0';
    ask("11111", "01000");

    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
