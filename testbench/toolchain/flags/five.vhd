-- SPDX-License-Identifier: Apache-2.0
-- A case of five literals whose selector has three bits.

library ieee;
use ieee.std_logic_1164.all;

entity five is
  port (
    phase_i : in  std_ulogic_vector(2 downto 0);
    data_i  : in  std_ulogic_vector(4 downto 0);
    bit_o   : out std_ulogic
  );
end entity;

architecture rtl of five is
  type phase_t is (FIRST, SECOND, THIRD, FOURTH, FIFTH);

  signal phase : phase_t;
begin
  phase <= FIRST  when phase_i = "000" else
           SECOND when phase_i = "001" else
           THIRD  when phase_i = "010" else
           FOURTH when phase_i = "011" else
           FIFTH;

  choose : process (all)
  begin
    case phase is
      when FIRST  => bit_o <= data_i(0);
      when SECOND => bit_o <= data_i(1);
      when THIRD  => bit_o <= data_i(2);
      when FOURTH => bit_o <= data_i(3);
      when FIFTH  => bit_o <= data_i(4);
    end case;
  end process;
end architecture;
