-- SPDX-License-Identifier: Apache-2.0
-- Code memory of the machine: 64-bit words, data one cycle after the grant. The host has priority; SMs take turns. With
-- several SMs each has a private copy of the first NEAR_BYTES and reads it without waiting.
--
-- The host reads and writes 32-bit words, and may write only while no grid runs.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.front_pkg.all;
use work.host_pkg.all;

entity code_memory is
  generic (
    SMS        : positive;
    CODE_BYTES : positive;
    NEAR_BYTES : positive;                                   -- of a copy, a power of two
    SEED       : natural
  );
  port (
    clk         : in  std_ulogic;
    rst         : in  std_ulogic;
    request_i   : in  sms_to_code_t(0 to SMS - 1);
    answer_o    : out code_to_sms_t(0 to SMS - 1);
    host_i      : in  host_to_memories_t;
    host_data_o : out word_t
  );
end entity;

architecture rtl of code_memory is
  subtype sms_t is std_ulogic_vector(SMS - 1 downto 0);
  constant ADDR_BITS : positive := log2(CODE_BYTES / 8);
  signal addr   : unsigned(ADDR_BITS - 1 downto 0);
  signal we     : std_ulogic_vector(1 downto 0);
  signal wdata  : std_ulogic_vector(63 downto 0);
  signal data   : std_ulogic_vector(63 downto 0);
  signal upper  : std_ulogic;
  signal host   : std_ulogic;
  signal near   : sms_t;                                     -- the SM's own copy has the word
  signal req    : sms_t;
  signal far    : sms_t;
  signal grant  : sms_t;
begin

  host <= host_i.code_re or host_i.code_we;
  far  <= req and not near;

  u_turns : entity work.round_robin
    generic map (REQUESTERS => SMS)
    port map (clk => clk, rst => rst, hold_i => host, req_i => far, turn_o => open, grant_o => grant, index_o => open);

  choose : process (all)
  begin
    addr <= (others => '0');
    for s in 0 to SMS - 1 loop
      if grant(s) = '1' then
        addr <= request_i(s).addr(ADDR_BITS - 1 downto 0);
      end if;
    end loop;
    if host = '1' then
      addr <= host_i.addr(ADDR_BITS + 2 downto 3);
    end if;
    we    <= (host_i.code_we and host_i.addr(2)) & (host_i.code_we and not host_i.addr(2));
    wdata <= host_i.data & host_i.data;
  end process;

  remember_half : process (clk)
  begin
    if rising_edge(clk) then
      upper <= host_i.addr(2);
    end if;
  end process;

  u_words : entity work.ram_1r1w
    generic map (ADDR_BITS => ADDR_BITS, COLUMN_BITS => 32, COLUMNS => 2, SEED => SEED)
    port map (
      clk => clk, re_i => '1', raddr_i => addr, rdata_o => data, we_i => we, waddr_i => addr, wdata_i => wdata
    );

  each_sm : for s in 0 to SMS - 1 generate
    req(s)            <= request_i(s).req;
    answer_o(s).grant <= grant(s) or (req(s) and near(s));
  end generate;

  one_sm : if SMS = 1 generate
    near             <= (others => '0');
    answer_o(0).data <= data;
  end generate;

  copies : if SMS > 1 generate
    constant NEAR_BITS : positive := log2(NEAR_BYTES / 8);
    signal near_we : std_ulogic_vector(1 downto 0);
  begin
    near_we <= we when host_i.addr(ADDR_BITS + 2 downto 3) < 2 ** NEAR_BITS else "00";

    copy : for s in 0 to SMS - 1 generate
      signal was_near  : std_ulogic;
      signal near_data : std_ulogic_vector(63 downto 0);
    begin
      near(s) <= to_sl(request_i(s).addr < 2 ** NEAR_BITS);

      u_copy : entity work.ram_1r1w
        generic map (ADDR_BITS => NEAR_BITS, COLUMN_BITS => 32, COLUMNS => 2, SEED => SEED)
        port map (
          clk     => clk,
          re_i    => '1',
          raddr_i => request_i(s).addr(NEAR_BITS - 1 downto 0),
          rdata_o => near_data,
          we_i    => near_we,
          waddr_i => host_i.addr(NEAR_BITS + 2 downto 3),
          wdata_i => wdata
        );

      which : process (clk)
      begin
        if rising_edge(clk) then
          was_near <= near(s);
        end if;
      end process;

      answer_o(s).data <= near_data when was_near = '1' else data;
    end generate;
  end generate;

  host_half : process (all)
  begin
    host_data_o <= data(31 downto 0);
    if upper = '1' then
      host_data_o <= data(63 downto 32);
    end if;
  end process;

  rules : process (clk)
  begin
    if rising_edge(clk) then
      host_alone : assert rst = '1' or (host and or_reduce(grant)) = '0'
        report "an SM is granted a word in a cycle of the host" severity failure;
      host_reads_or_writes : assert rst = '1' or (host_i.code_we and host_i.code_re) = '0'
        report "the host reads and writes in a cycle" severity failure;
    end if;
  end process;

end architecture;
