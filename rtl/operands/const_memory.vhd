-- SPDX-License-Identifier: Apache-2.0
-- Constant memory of one SM: its copy of all banks. A pass in stage M serves the first lane and all that read the same
-- cell, one word a cycle. Data three moves (re_i) later, held. The host writes all copies and reads that of SM 0, only
-- while no grid runs.

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
    -- stage B
    front_i   : in  std_ulogic;                              -- its beat goes on
    b_addrs_i : in  const_addrs_t(0 to CORES - 1);
    conflicts_o : out lane_pairs_t(0 to CORES - 1);          -- of each lane: lower ones that want another cell
    -- stage M, or N again
    again_i   : in  std_ulogic;
    m_pending_i : in std_ulogic_vector(CORES - 1 downto 0);  -- of the beat in M: lanes that want a cell
    n_pending_i : in std_ulogic_vector(CORES - 1 downto 0);  -- of the beat in N: lanes that want a cell
    addr_i    : in  const_addrs_t(0 to CORES - 1);           -- of the beat that is read
    m_served_o : out std_ulogic_vector(CORES - 1 downto 0);  -- of the lanes in M: those that one pass serves
    n_served_o : out std_ulogic_vector(CORES - 1 downto 0);  -- of the lanes in N: those that one pass serves
    re_i      : in  std_ulogic;
    data_o    : out word_t;
    byte_o    : out unsigned(1 downto 0);                    -- where in it the cell is
    host_we_i   : in std_ulogic;
    host_re_i   : in std_ulogic;                             -- while no grid runs
    host_addr_i : in const_word_t;
    host_data_i : in word_t;
    host_data_o : out word_t                                 -- in the next cycle
  );
end entity;

architecture rtl of const_memory is
  signal chosen, n_addr : const_addr_t;                      -- in stages M and N
  signal read_addr    : const_word_t;
  signal read_enable  : std_ulogic;
  signal write_enable : std_ulogic_vector(0 downto 0);
  signal b_differ, m_differ, n_differ : lane_pairs_t(0 to CORES - 1); -- of each lane: lower ones with another cell
  signal data         : word_t;
  signal g_byte       : unsigned(1 downto 0);
begin

  conflicts_o <= b_differ;

  compare : process (all)
  begin
    b_differ <= (others => (others => '0'));
    for l in 0 to CORES - 1 loop
      for lower in 0 to l - 1 loop
        b_differ(l)(lower) <= to_sl(b_addrs_i(lower) /= b_addrs_i(l));
      end loop;
    end loop;
  end process;

  arbitrate : process (all)
    variable m_first, n_first, first : std_ulogic_vector(CORES - 1 downto 0);
    variable addr : const_addr_t;
  begin
    m_first := first_of(m_pending_i);
    n_first := first_of(n_pending_i);
    for l in 0 to CORES - 1 loop
      m_served_o(l) <= m_pending_i(l) and or_reduce(m_first and not m_differ(l)(CORES - 1 downto 0));
      n_served_o(l) <= n_pending_i(l) and or_reduce(n_first and not n_differ(l)(CORES - 1 downto 0));
    end loop;
    first := m_first;
    if again_i = '1' then
      first := n_first;
    end if;
    addr := (others => '0');
    for l in 0 to CORES - 1 loop
      addr := addr or (addr_i(l) and const_addr_t'(others => first(l)));
    end loop;
    chosen    <= addr;
    read_addr <= n_addr(const_addr_t'high downto 2);
    if host_re_i = '1' then
      read_addr <= host_addr_i;
    end if;
  end process;

  remember_byte : process (clk)
  begin
    if rising_edge(clk) then
      if re_i = '1' then
        n_addr <= chosen;
        g_byte <= n_addr(1 downto 0);
        byte_o <= g_byte;
        data_o <= data;
        if again_i = '0' then
          n_differ <= m_differ;
        end if;
      end if;
      if front_i = '1' then
        m_differ <= b_differ;
      end if;
    end if;
  end process;

  host_data_o     <= data;
  read_enable     <= re_i or host_re_i;
  write_enable(0) <= host_we_i;

  u_words : entity work.ram_1r1w
    generic map (ADDR_BITS => const_word_t'length, COLUMN_BITS => 32, SEED => SEED)
    port map (
      clk     => clk,
      re_i    => read_enable,
      raddr_i => read_addr,
      rdata_o => data,
      we_i    => write_enable,
      waddr_i => host_addr_i,
      wdata_i => host_data_i
    );

end architecture;
