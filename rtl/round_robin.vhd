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
    grant_o : out std_ulogic_vector(REQUESTERS - 1 downto 0);
    index_o : out unsigned(SLOT_BITS - 1 downto 0)           -- number of the turn
  );
end entity;

architecture rtl of round_robin is
  subtype requesters_t is std_ulogic_vector(REQUESTERS - 1 downto 0);
  signal upcoming   : requesters_t;                          -- requesters after the one served last
  signal ahead      : requesters_t;                          -- those of them that ask
  signal is_ahead   : std_ulogic;
  signal turn       : requesters_t;

  -- v and -v agree in the lowest set bit and below, where both are zero; above they differ in every bit.
  function negated(v : requesters_t) return requesters_t is
  begin
    return std_ulogic_vector(unsigned(not v) + 1);
  end function;
begin

  ahead    <= req_i and upcoming;
  is_ahead <= or_reduce(ahead);

  -- Both choices at once, and which of them it is meanwhile.
  choose : process (all)
    variable first_ahead, first : requesters_t;
  begin
    first_ahead := ahead and negated(ahead);
    first       := req_i and negated(req_i);
    turn    <= first;
    index_o <= one_hot_index(first, SLOT_BITS);
    if is_ahead = '1' then
      turn    <= first_ahead;
      index_o <= one_hot_index(first_ahead, SLOT_BITS);
    end if;
  end process;

  turn_o  <= turn;
  grant_o <= turn and not requesters_t'(others => hold_i);

  remember : process (clk)
  begin
    if rising_edge(clk) then
      if hold_i = '0' and or_reduce(req_i) = '1' then
        upcoming <= req_i xor negated(req_i);
        if is_ahead = '1' then
          upcoming <= ahead xor negated(ahead);
        end if;
      end if;
      if rst = '1' then
        upcoming <= (others => '0');
      end if;
    end if;
  end process;

end architecture;
