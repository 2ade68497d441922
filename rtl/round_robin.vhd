-- SPDX-License-Identifier: Apache-2.0
-- Arbiter: grants one of the requesters each cycle, the first that asks after the one served last. Combinational grant.

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
    grant_o : out std_ulogic_vector(REQUESTERS - 1 downto 0)
  );
end entity;

architecture rtl of round_robin is
  signal upcoming : std_ulogic_vector(REQUESTERS - 1 downto 0);  -- requesters after the one served last
  signal grant    : std_ulogic_vector(REQUESTERS - 1 downto 0);
begin

  choose : process (all)
  begin
    if hold_i = '1' then
      grant <= (others => '0');
    elsif or_reduce(req_i and upcoming) = '1' then
      grant <= lowest_set(req_i and upcoming);
    else
      grant <= lowest_set(req_i);
    end if;
  end process;

  grant_o <= grant;

  remember : process (clk)
    variable passed : std_ulogic;
  begin
    if rising_edge(clk) then
      if or_reduce(grant) = '1' then
        passed := '0';
        for i in 0 to REQUESTERS - 1 loop
          upcoming(i) <= passed;
          passed      := passed or grant(i);
        end loop;
      end if;
      if rst = '1' then
        upcoming <= (others => '0');
      end if;
    end if;
  end process;

end architecture;
