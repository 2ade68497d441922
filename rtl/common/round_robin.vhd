-- SPDX-License-Identifier: Apache-2.0
-- Arbiter: grants one of the requesters each cycle, the first requester after the last one served. Combinational.
-- The turn does not depend on hold_i, which may come late in the cycle.

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
    hold_i  : in  std_ulogic;                                -- grant none
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

  -- The lowest requester of a set, all above it, and its number: found by groups of four.
  constant GROUPS : positive := (REQUESTERS + 3) / 4;
  subtype groups_t is std_ulogic_vector(GROUPS - 1 downto 0);
  subtype padded_t is std_ulogic_vector(4 * GROUPS - 1 downto 0);
  type lowest_t is record
    one   : padded_t;
    above : padded_t;
    index : unsigned(SLOT_BITS - 1 downto 0);
  end record;
  signal first, first_ahead : lowest_t;

  function lowest_of(v : requesters_t) return lowest_t is
    variable padded : padded_t := (others => '0');
    variable any, leader, below : groups_t;                   -- groups with one, the first of them, those behind it
    variable four   : std_ulogic_vector(3 downto 0);
    variable lowest : lowest_t;
  begin
    padded(v'length - 1 downto 0) := v;
    for g in 0 to GROUPS - 1 loop
      any(g) := or_reduce(padded(4 * g + 3 downto 4 * g));
    end loop;
    leader := first_of(any);
    lowest.index := (others => '0');
    for g in 0 to GROUPS - 1 loop
      below(g) := '0';
      for h in 0 to g - 1 loop
        below(g) := below(g) or any(h);
      end loop;
      four := first_of(padded(4 * g + 3 downto 4 * g));
      lowest.one(4 * g + 3 downto 4 * g) := four and (3 downto 0 => leader(g));
      for i in 0 to 3 loop
        lowest.above(4 * g + i) := below(g);
        for j in 0 to i - 1 loop
          lowest.above(4 * g + i) := lowest.above(4 * g + i) or padded(4 * g + j);
        end loop;
      end loop;
      lowest.index := lowest.index or (to_unsigned(4 * g, SLOT_BITS) and (SLOT_BITS - 1 downto 0 => leader(g)));
      lowest.index(0) := lowest.index(0) or (leader(g) and (four(1) or four(3)));
      lowest.index(1) := lowest.index(1) or (leader(g) and (four(2) or four(3)));
    end loop;
    return lowest;
  end function;
begin

  ahead    <= req_i and upcoming;
  is_ahead <= or_reduce(ahead);

  -- Both choices at once, and which of them it is meanwhile.
  first       <= lowest_of(req_i);
  first_ahead <= lowest_of(ahead);
  turn    <= first_ahead.one(turn'range) when is_ahead = '1' else first.one(turn'range);
  index_o <= first_ahead.index when is_ahead = '1' else first.index;

  turn_o  <= turn;
  grant_o <= turn and not requesters_t'(others => hold_i);

  remember : process (clk)
  begin
    if rising_edge(clk) then
      if hold_i = '0' and or_reduce(req_i) = '1' then
        upcoming <= first.above(upcoming'range);
        if is_ahead = '1' then
          upcoming <= first_ahead.above(upcoming'range);
        end if;
      end if;
      if rst = '1' then
        upcoming <= (others => '0');
      end if;
    end if;
  end process;

  rules : process (clk)
  begin
    if rising_edge(clk) then
      one_turn : assert rst = '1' or or_reduce(turn and std_ulogic_vector(unsigned(turn) - 1)) = '0'
        report "two requesters have the turn" severity failure;
      grants_a_requester : assert rst = '1' or or_reduce(grant_o and not req_i) = '0'
        report "a grant without a request" severity failure;
      held_grants_none : assert rst = '1' or (hold_i and or_reduce(grant_o)) = '0'
        report "a grant while held" severity failure;
    end if;
  end process;

end architecture;
