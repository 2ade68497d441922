-- SPDX-License-Identifier: Apache-2.0
-- A stage between two valid-ready handshakes, with room for two: both of its ready and its valid come from a register,
-- and one item a cycle goes through. Latency: one cycle.

library ieee;
use ieee.std_logic_1164.all;

entity register_slice is
  generic (
    BITS : positive
  );
  port (
    clk     : in  std_ulogic;
    rst     : in  std_ulogic;
    valid_i : in  std_ulogic;
    data_i  : in  std_ulogic_vector(BITS - 1 downto 0);
    ready_o : out std_ulogic;
    valid_o : out std_ulogic;
    data_o  : out std_ulogic_vector(BITS - 1 downto 0);
    ready_i : in  std_ulogic
  );
end entity;

architecture rtl of register_slice is
  subtype item_t is std_ulogic_vector(BITS - 1 downto 0);
  signal first, first_in, second : item_t;
  signal has_first, has_first_in, has_second : std_ulogic;   -- the second only behind a first
begin

  ready_o <= not has_second;
  valid_o <= has_first;
  data_o  <= first;

  has_first_in <= has_second or valid_i;
  first_in     <= second when has_second = '1' else data_i;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      if ready_i = '1' or has_first = '0' then
        has_first  <= has_first_in;
        has_second <= '0';
        first      <= first_in;
      elsif has_second = '0' then
        has_second <= valid_i;
        second     <= data_i;
      end if;
      if rst = '1' then
        has_first  <= '0';
        has_second <= '0';
      end if;
    end if;
  end process;

end architecture;
