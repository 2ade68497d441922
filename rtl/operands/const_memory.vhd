-- SPDX-License-Identifier: Apache-2.0
-- Constant memory of one SM: its copy of all banks. A pass in stage PASS serves the first lane and all that read the
-- same cell, one word a cycle. Data three moves (re_i) later, held. The host writes all copies and reads that of SM 0,
-- only while no grid runs.

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
    -- stage BOUNDS
    front_i        : in  std_ulogic;                         -- its beat goes on
    bounds_addrs_i : in  const_addrs_t(0 to CORES - 1);
    conflicts_o    : out lane_pairs_t(0 to CORES - 1);       -- of each lane: lower ones that want another cell
    -- stage PASS, or MEMORY again
    again_i          : in  std_ulogic;
    pass_pending_i   : in std_ulogic_vector(CORES - 1 downto 0); -- of the beat in PASS: lanes that want a cell
    memory_pending_i : in std_ulogic_vector(CORES - 1 downto 0); -- of the beat in MEMORY: lanes that want a cell
    addr_i           : in  const_addrs_t(0 to CORES - 1);    -- of the beat that is read
    pass_served_o    : out std_ulogic_vector(CORES - 1 downto 0); -- of the lanes in PASS: those that one pass serves
    memory_served_o  : out std_ulogic_vector(CORES - 1 downto 0); -- of the lanes in MEMORY: those that one pass serves
    re_i             : in  std_ulogic;
    data_o           : out word_t;
    byte_o           : out unsigned(1 downto 0);             -- the place of the cell in it
    host_we_i        : in std_ulogic;
    host_re_i        : in std_ulogic;                        -- while no grid runs
    host_addr_i      : in const_word_t;
    host_data_i      : in word_t;
    host_data_o      : out word_t                            -- in the next cycle
  );
end entity;

architecture rtl of const_memory is
  signal chosen, memory_addr                       : const_addr_t; -- in stages PASS and MEMORY
  signal read_addr                                 : const_word_t;
  signal read_enable                               : std_ulogic;
  signal write_enable                              : std_ulogic_vector(0 downto 0);
  signal bounds_differ, pass_differ, memory_differ : lane_pairs_t(0 to CORES - 1); -- of each lane: lower ones with
                                                                                   -- another cell
  signal data                                      : word_t;
  signal files_byte                                : unsigned(1 downto 0);
begin

  conflicts_o <= bounds_differ;

  compare : process (all)
  begin
    bounds_differ <= (others => (others => '0'));
    for l in 0 to CORES - 1 loop
      for lower in 0 to l - 1 loop
        bounds_differ(l)(lower) <= to_sl(bounds_addrs_i(lower) /= bounds_addrs_i(l));
      end loop;
    end loop;
  end process;

  arbitrate : process (all)
    variable pass_first, memory_first, first : std_ulogic_vector(CORES - 1 downto 0);
    variable addr                            : const_addr_t;
  begin
    pass_first   := first_of(pass_pending_i);
    memory_first := first_of(memory_pending_i);
    for l in 0 to CORES - 1 loop
      pass_served_o(l)   <= pass_pending_i(l)
                            and or_reduce(pass_first and not pass_differ(l)(CORES - 1 downto 0));
      memory_served_o(l) <= memory_pending_i(l)
                            and or_reduce(memory_first and not memory_differ(l)(CORES - 1 downto 0));
    end loop;
    first := pass_first;
    if again_i = '1' then
      first := memory_first;
    end if;
    addr := (others => '0');
    for l in 0 to CORES - 1 loop
      addr := addr or (addr_i(l) and const_addr_t'(others => first(l)));
    end loop;
    chosen    <= addr;
    read_addr <= memory_addr(const_addr_t'high downto 2);
    if host_re_i = '1' then
      read_addr <= host_addr_i;
    end if;
  end process;

  pass_regs : process (clk)
  begin
    if rising_edge(clk) then
      if front_i = '1' then
        pass_differ <= bounds_differ;
      end if;
    end if;
  end process;

  memory_regs : process (clk)
  begin
    if rising_edge(clk) then
      if re_i = '1' then
        memory_addr <= chosen;
      end if;
      if re_i = '1' and again_i = '0' then
        memory_differ <= pass_differ;
      end if;
    end if;
  end process;

  files_regs : process (clk)
  begin
    if rising_edge(clk) then
      if re_i = '1' then
        files_byte <= memory_addr(1 downto 0);
      end if;
    end if;
  end process;

  latch_regs : process (clk)
  begin
    if rising_edge(clk) then
      if re_i = '1' then
        byte_o <= files_byte;
        data_o <= data;
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
