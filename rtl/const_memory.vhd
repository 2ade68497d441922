-- SPDX-License-Identifier: Apache-2.0
-- Constant memory of one SM: the SM's copy of all banks. One word a cycle, broadcast: of the lanes that ask, the first
-- is served and with it all that want the same cell, so that one cell is cut out of the word for all. Data one cycle
-- after re_i, held. The host writes every copy and reads that of SM 0; it must not write while a grid runs, so that no
-- word is read in the cycle in which it is written.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;

entity const_memory is
  generic (
    CORES : positive;
    SEED  : natural
  );
  port (
    clk       : in  std_ulogic;
    pending_i : in  std_ulogic_vector(CORES - 1 downto 0);
    addr_i    : in  const_addrs_t(0 to CORES - 1);
    served_o  : out std_ulogic_vector(CORES - 1 downto 0);
    re_i      : in  std_ulogic;
    data_o    : out word_t;
    byte_o    : out unsigned(1 downto 0);                    -- where in it the cell is
    host_we_i   : in std_ulogic;
    host_re_i   : in std_ulogic;                             -- while no grid runs
    host_addr_i : in const_word_t;
    host_data_i : in word_t
  );
end entity;

architecture rtl of const_memory is
  signal chosen       : const_addr_t;
  signal read_addr    : const_word_t;
  signal read_enable  : std_ulogic;
  signal write_enable : std_ulogic_vector(0 downto 0);
begin

  arbitrate : process (all)
    variable first  : std_ulogic_vector(CORES - 1 downto 0);
    variable addr   : const_addr_t;
  begin
    first  := lowest_set(pending_i);
    addr   := (others => '0');
    for l in 0 to CORES - 1 loop
      addr := addr or (addr_i(l) and const_addr_t'(others => first(l)));
    end loop;
    for l in 0 to CORES - 1 loop
      served_o(l) <= pending_i(l) and to_sl(addr_i(l) = addr);
    end loop;
    chosen    <= addr;
    read_addr <= addr(const_addr_t'high downto 2);
    if host_re_i = '1' then
      read_addr <= host_addr_i;
    end if;
  end process;

  remember_byte : process (clk)
  begin
    if rising_edge(clk) then
      if re_i = '1' then
        byte_o <= chosen(1 downto 0);
      end if;
    end if;
  end process;

  read_enable     <= re_i or host_re_i;
  write_enable(0) <= host_we_i;

  u_words : entity work.ram_1r1w
    generic map (ADDR_BITS => const_word_t'length, COLUMN_BITS => 32, SEED => SEED)
    port map (
      clk     => clk,
      re_i    => read_enable,
      raddr_i => read_addr,
      rdata_o => data_o,
      we_i    => write_enable,
      waddr_i => host_addr_i,
      wdata_i => host_data_i
    );

end architecture;
