-- SPDX-License-Identifier: Apache-2.0
-- Arbiter: grants one of the requesters each cycle, the first that asks after the one served last. Combinational. Whose
-- turn it would be does not hang on hold_i, which may come late in the cycle.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;

entity round_robin is
  generic (
    REQUESTERS : positive
  );
  port (
    clk     : in  std_ulogic;
    rst     : in  std_ulogic;
    hold_i  : in  std_ulogic;                                -- grant nobody
    req_i   : in  std_ulogic_vector(REQUESTERS - 1 downto 0);
    turn_o  : out std_ulogic_vector(REQUESTERS - 1 downto 0); -- of those that ask, held or not
    grant_o : out std_ulogic_vector(REQUESTERS - 1 downto 0)
  );
end entity;

architecture rtl of round_robin is
  subtype requesters_t is std_ulogic_vector(REQUESTERS - 1 downto 0);
  signal upcoming   : requesters_t;                          -- requesters after the one served last
  signal candidates : requesters_t;                          -- of whom the lowest is served
  signal negated    : requesters_t;                          -- the candidates as a number, negated
  signal turn       : requesters_t;
begin

  choose : process (all)
    variable ahead : requesters_t;
  begin
    ahead      := req_i and upcoming;
    candidates <= ahead;
    if or_reduce(ahead) = '0' then
      candidates <= req_i;
    end if;
  end process;

  -- v and -v agree in the lowest set bit and below, where both are zero; above they differ in every bit.
  negated <= std_ulogic_vector(unsigned(not candidates) + 1);
  turn    <= candidates and negated;
  turn_o  <= turn;
  grant_o <= turn and not requesters_t'(others => hold_i);

  remember : process (clk)
  begin
    if rising_edge(clk) then
      if hold_i = '0' and or_reduce(req_i) = '1' then
        upcoming <= candidates xor negated;
      end if;
      if rst = '1' then
        upcoming <= (others => '0');
      end if;
    end if;
  end process;

end architecture;
