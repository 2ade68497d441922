-- SPDX-License-Identifier: Apache-2.0
-- round_robin as the scheduler has it, with 32 requesters: the next one behind the last one served, else the lowest.
-- First each two of them alone, from each end of the round; then random sets, few and many, held at times.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.bench_pkg.all;

entity round_robin_wide_tb is
end entity round_robin_wide_tb;

architecture sim of round_robin_wide_tb is
  constant N      : positive := 32;
  constant RANDOM : positive := 20000;
  subtype requesters_t is std_ulogic_vector(N - 1 downto 0);

  signal clk   : std_ulogic := '0';
  signal rst   : std_ulogic := '1';
  signal hold  : std_ulogic := '0';
  signal req   : requesters_t := (others => '0');
  signal turn  : requesters_t;
  signal grant : requesters_t;
  signal index : unsigned(SLOT_BITS - 1 downto 0);
  shared variable chance : random_t;

  function one(i : natural) return requesters_t is
  begin
    return one_hot(to_unsigned(i, SLOT_BITS), N);
  end function one;
begin

  u_dut : entity work.round_robin
    generic map (REQUESTERS => N)
    port map (clk => clk, rst => rst, hold_i => hold, req_i => req, turn_o => turn, grant_o => grant, index_o => index);

  stimulus : process
    variable last  : natural := N - 1;                       -- served last
    variable drawn : requesters_t;

    procedure ask(set : requesters_t; held : std_ulogic) is
      variable next_one : integer := -1;
    begin
      for ahead in 1 to N loop
        if next_one < 0 and set((last + ahead) mod N) = '1' then
          next_one := (last + ahead) mod N;
        end if;
      end loop;
      req  <= set;
      hold <= held;
      wait for 1 ns;
      if next_one < 0 then
        check(turn = requesters_t'(others => '0') and grant = turn, "no request");
      else
        check(turn = one(next_one) and index = next_one,
              "after " & integer'image(last) & ", of " & to_string(set) & " it is the turn of " & to_string(turn));
        check(grant = (turn and not requesters_t'(others => held)), "it is served, unless all are held");
      end if;
      if next_one >= 0 and held = '0' then
        last := next_one;
      end if;
      tick(clk);
    end procedure ask;
  begin
    chance.start(32);
    tick(clk);
    rst <= '0';
    for i in 0 to N - 1 loop
      for j in i + 1 to N - 1 loop
        ask(one(N - 1), '0');
        ask(one(i) or one(j), '0');
        ask(one(i) or one(j), '0');
        ask(one(0), '0');
        ask(one(i) or one(j), '0');
        ask(one(i) or one(j), '0');
      end loop;
    end loop;
    for round in 1 to RANDOM loop
      for i in drawn'range loop
        drawn(i) := chance.flag(2 + 14 * (round mod 2));
      end loop;
      ask(drawn, chance.flag(8));
    end loop;
    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
