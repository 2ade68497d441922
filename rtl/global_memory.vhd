-- SPDX-License-Identifier: Apache-2.0
-- Global memory of the machine: lines of CORES words, one line a cycle. The host goes first, then the SMs take turns;
-- the read data of a granted load come one cycle later. An atomic operation takes it for three cycles (atomic_unit),
-- and an SM in the middle of an atomic instruction keeps it from the other SMs. It can clear itself, a line a cycle,
-- so that a launch finds zeros where the host wrote nothing.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;

entity global_memory is
  generic (
    SMS          : positive;
    CORES        : positive;
    GLOBAL_BYTES : positive;
    HAS_ATOMICS  : boolean;
    SEED         : natural
  );
  port (
    clk     : in  std_ulogic;
    rst     : in  std_ulogic;
    req_i   : in  std_ulogic_vector(SMS - 1 downto 0);
    we_i    : in  std_ulogic_vector(SMS - 1 downto 0);
    line_i  : in  lines_t(0 to SMS - 1);
    bytes_i : in  nibbles_t(0 to SMS * CORES - 1);
    data_i  : in  words_t(0 to SMS * CORES - 1);
    grant_o : out std_ulogic_vector(SMS - 1 downto 0);
    data_o  : out words_t(0 to CORES - 1);                   -- the line read one cycle ago
    -- atomic operations
    atomic_i      : in  atomic_requests_t(0 to SMS - 1);
    atomic_done_o : out std_ulogic_vector(SMS - 1 downto 0);
    atomic_old_o  : out word_t;
    atomic_new_o  : out word_t;
    -- host
    host_re_i   : in  std_ulogic;
    host_we_i   : in  std_ulogic;
    host_addr_i : in  unsigned(29 downto 0);                 -- word address
    host_data_i : in  word_t;
    host_data_o : out word_t;
    clear_i     : in  std_ulogic;
    clearing_o  : out std_ulogic
  );
end entity;

architecture rtl of global_memory is

  constant WORD_BITS : natural  := log2(CORES);
  constant LINE_BITS : positive := WORD_BITS + 2;            -- byte address bits within a line
  constant ADDR_BITS : positive := log2(GLOBAL_BYTES / 4 / CORES);

  subtype line_t is unsigned(ADDR_BITS - 1 downto 0);

  signal clearing   : std_ulogic;
  signal clear_line : line_t;
  signal host       : std_ulogic;
  signal hold       : std_ulogic;
  signal request    : std_ulogic_vector(SMS - 1 downto 0);
  signal grant      : std_ulogic_vector(SMS - 1 downto 0);
  signal take       : std_ulogic_vector(SMS - 1 downto 0);   -- grants of atomic operations
  signal atomic_busy    : std_ulogic;
  signal atomic_write   : std_ulogic;
  signal atomic_address : word_t;
  signal atomic_new     : word_t;
  signal line       : line_t;
  signal bytes      : nibbles_t(0 to CORES - 1);
  signal wdata      : words_t(0 to CORES - 1);
  signal rdata      : words_t(0 to CORES - 1);
  signal host_word  : unsigned(WORD_BITS - 1 downto 0);

begin

  host <= host_re_i or host_we_i;
  hold <= host or clearing or atomic_busy;

  eligible : process (all)
    variable locked : std_ulogic;
  begin
    locked := '0';
    for s in 0 to SMS - 1 loop
      locked := locked or atomic_i(s).locks;
    end loop;
    for s in 0 to SMS - 1 loop
      request(s) <= (req_i(s) or atomic_i(s).valid) and (atomic_i(s).locks or not locked);
      take(s)    <= grant(s) and atomic_i(s).valid;
      grant_o(s) <= grant(s) and req_i(s);
    end loop;
  end process;

  u_turns : entity work.round_robin
    generic map (REQUESTERS => SMS)
    port map (clk => clk, rst => rst, hold_i => hold, req_i => request, grant_o => grant);

  choose : process (all)
  begin
    line  <= clear_line;
    bytes <= (others => (others => clearing));
    wdata <= (others => (others => '0'));
    for s in 0 to SMS - 1 loop
      if grant(s) = '1' then
        line <= line_i(s)(ADDR_BITS - 1 downto 0);
        for w in 0 to CORES - 1 loop
          wdata(w) <= data_i(s * CORES + w);
          bytes(w) <= bytes_i(s * CORES + w) and nibble_t'(others => we_i(s) and req_i(s));
        end loop;
        if atomic_i(s).valid = '1' then
          line <= unsigned(atomic_i(s).address(LINE_BITS + ADDR_BITS - 1 downto LINE_BITS));
        end if;
      end if;
    end loop;
    if atomic_write = '1' then
      line <= unsigned(atomic_address(LINE_BITS + ADDR_BITS - 1 downto LINE_BITS));
      for w in 0 to CORES - 1 loop
        wdata(w) <= atomic_new;
        bytes(w) <= (others => to_sl(unsigned(atomic_address(LINE_BITS - 1 downto 2)) = w));
      end loop;
    end if;
    if host = '1' then
      line <= host_addr_i(ADDR_BITS + WORD_BITS - 1 downto WORD_BITS);
      for w in 0 to CORES - 1 loop
        wdata(w) <= host_data_i;
        bytes(w) <= (others => host_we_i and to_sl(host_addr_i(WORD_BITS - 1 downto 0) = w));
      end loop;
    end if;
  end process;

  clear : process (clk)
  begin
    if rising_edge(clk) then
      if clear_i = '1' then
        clearing   <= '1';
        clear_line <= (others => '0');
      elsif clearing = '1' then
        clear_line <= clear_line + 1;
        if clear_line = 2 ** ADDR_BITS - 1 then
          clearing <= '0';
        end if;
      end if;
      if rst = '1' then
        clearing <= '0';
      end if;
      host_word <= host_addr_i(WORD_BITS - 1 downto 0);
    end if;
  end process;

  words : for w in 0 to CORES - 1 generate
    u_column : entity work.ram_1r1w
      generic map (ADDR_BITS => ADDR_BITS, COLUMN_BITS => 8, COLUMNS => 4, SEED => SEED)
      port map (
        clk     => clk,
        re_i    => '1',
        raddr_i => line,
        rdata_o => rdata(w),
        we_i    => bytes(w),
        waddr_i => line,
        wdata_i => wdata(w)
      );
  end generate;

  with_atomics : if HAS_ATOMICS generate
    u_atomic : entity work.atomic_unit
      generic map (SMS => SMS, CORES => CORES)
      port map (
        clk       => clk,
        rst       => rst,
        take_i    => take,
        request_i => atomic_i,
        line_i    => rdata,
        host_i    => host,
        busy_o    => atomic_busy,
        write_o   => atomic_write,
        address_o => atomic_address,
        done_o    => atomic_done_o,
        old_o     => atomic_old_o,
        new_o     => atomic_new
      );
  else generate
    atomic_busy    <= '0';
    atomic_write   <= '0';
    atomic_address <= (others => '0');
    atomic_new     <= (others => '0');
    atomic_done_o  <= (others => '0');
    atomic_old_o   <= (others => '0');
  end generate;
  atomic_new_o <= atomic_new;

  data_o      <= rdata;
  host_data_o <= rdata(to_integer(host_word));
  clearing_o  <= clearing;

end architecture;
