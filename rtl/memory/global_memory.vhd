-- SPDX-License-Identifier: Apache-2.0
-- Global memory of the machine in block RAM (behind a bus: global_bus): lines of CORES words in BANKS banks. Each bank
-- serves one line a cycle, SMs in turn; data one cycle after the grant. A hash of the line number picks the bank, so
-- that strides of powers of two spread. Host, clearing and atomic operations take all banks.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.memory_pkg.all;
use work.host_pkg.all;

entity global_memory is
  generic (
    SMS          : positive;
    CORES        : positive;
    GLOBAL_BYTES : positive;
    BANKS        : positive;                                 -- a power of two, at most half as many as lines
    HAS_ATOMICS  : boolean;
    SEED         : natural
  );
  port (
    clk         : in  std_ulogic;
    rst         : in  std_ulogic;
    grid_rst_i  : in  std_ulogic;                            -- drop requests of the last grid; in a reset, too
    request_i   : in  sms_to_global_t(0 to SMS - 1);
    bytes_i     : in  nibbles_t(0 to SMS * CORES - 1);       -- written of each word
    data_i      : in  words_t(0 to SMS * CORES - 1);
    answer_o    : out global_to_sms_t(0 to SMS - 1);
    data_o      : out words_t(0 to SMS * CORES - 1);         -- the line that each SM read one cycle ago
    host_i      : in  host_to_memories_t;
    host_data_o : out word_t;
    host_line_o : out words_t(0 to CORES - 1);               -- the line of the host's word
    clearing_o  : out std_ulogic
  );
end entity;

architecture rtl of global_memory is

  constant WORD_BITS : natural  := log2(CORES);
  constant LINE_BITS : positive := WORD_BITS + 2;            -- byte address bits within a line
  constant ADDR_BITS : positive := log2(GLOBAL_BYTES / 4 / CORES);
  constant BANK_BITS : natural  := log2(BANKS);

  subtype line_t is unsigned(ADDR_BITS - 1 downto 0);
  subtype row_t is unsigned(ADDR_BITS - BANK_BITS - 1 downto 0);
  subtype sms_t is std_ulogic_vector(SMS - 1 downto 0);
  subtype banks_t is std_ulogic_vector(BANKS - 1 downto 0);
  type bank_sms_t is array (0 to BANKS - 1) of sms_t;
  type sm_banks_t is array (0 to SMS - 1) of banks_t;

  -- accesses that take all banks
  type alone_t is record
    line  : line_t;
    banks : banks_t;                                         -- that of the line
    bytes : nibbles_t(0 to CORES - 1);                       -- written
    data  : word_t;
  end record;

  signal clearing, clearing_in : std_ulogic;
  signal clear_row, clear_row_in : row_t;
  signal host       : std_ulogic;
  signal host_addr  : unsigned(29 downto 0);                 -- of a word
  signal hold       : std_ulogic;
  signal plain      : sms_t;                                 -- loads and stores that may be granted
  signal lanes      : sms_t;                                 -- atomic operations that may be granted
  signal bank       : sm_banks_t;                            -- the one that each SM asks for
  signal wins       : bank_sms_t;                            -- grants, by bank
  signal grant      : sms_t;
  signal take       : sms_t;                                 -- grants of atomic operations
  signal hold_take  : std_ulogic;
  signal atomic_last : std_ulogic;                           -- the last grant was an atomic operation
  signal atomic      : sms_to_atomic_unit_t(0 to SMS - 1);
  signal atomic_done : sms_t;
  signal atomic_old  : word_t;
  signal atomic_busy    : std_ulogic;
  signal atomic_write   : std_ulogic;
  signal atomic_address : word_t;
  signal atomic_new     : word_t;
  signal alone      : alone_t;
  signal read_bank  : sm_banks_t;                            -- that each SM read one cycle ago
  signal alone_bank : banks_t;
  signal rdata      : words_t(0 to BANKS * CORES - 1);       -- bank by bank
  signal alone_data : words_t(0 to CORES - 1);
  signal host_word  : unsigned(WORD_BITS - 1 downto 0);

  -- The banks of a line, one hot.
  function bank_of(line : line_t) return std_ulogic_vector is
    variable one_of : banks_t;
    variable differs : std_ulogic;
  begin
    for b in 0 to BANKS - 1 loop
      one_of(b) := '1';
      for i in 0 to BANK_BITS - 1 loop
        differs := to_sl((b / 2 ** i) mod 2 = 1);
        for l in 0 to ADDR_BITS - 1 loop
          if l mod BANK_BITS = i then
            differs := differs xor line(l);
          end if;
        end loop;
        one_of(b) := one_of(b) and not differs;
      end loop;
    end loop;
    return one_of;
  end function;

  function of_address(address : word_t) return line_t is
  begin
    return unsigned(address(LINE_BITS + ADDR_BITS - 1 downto LINE_BITS));
  end function;

begin

  banks_have_two_lines : assert 2 * BANKS <= 2 ** ADDR_BITS
    report "a bank of global memory has two lines at least" severity failure;

  host      <= host_i.global_re or host_i.global_we;
  host_addr <= "0000" & host_i.addr(27 downto 2);


  each_sm : for s in 0 to SMS - 1 generate
    atomic(s)               <= request_i(s).atomic;
    answer_o(s).grant       <= grant(s);
    answer_o(s).loads       <= '0';
    answer_o(s).storing     <= '0';
    answer_o(s).atomic_done <= atomic_done(s);
    answer_o(s).atomic_old  <= atomic_old;
    answer_o(s).atomic_new  <= atomic_new;
  end generate;

  --------------------------------------------------------------------------------------------------------------
  -- Grants.

  eligible : process (all)
    variable may : sms_t;
  begin
    may := may_access(request_i);
    for s in 0 to SMS - 1 loop
      plain(s) <= request_i(s).req and may(s);
      lanes(s) <= request_i(s).atomic.valid and may(s);
      bank(s)  <= bank_of(request_i(s).line(ADDR_BITS - 1 downto 0));
    end loop;
  end process;

  hold_take <= host or clearing or atomic_busy or (atomic_last and or_reduce(plain));

  u_atomic_turns : entity work.round_robin
    generic map (REQUESTERS => SMS)
    port map (clk => clk, rst => grid_rst_i, hold_i => hold_take, req_i => lanes, turn_o => open, grant_o => take,
              index_o => open);

  hold <= host or clearing or atomic_busy or or_reduce(take);

  granted : process (all)
    variable granted_now : sms_t;
  begin
    granted_now := (others => '0');
    for b in 0 to BANKS - 1 loop
      granted_now := granted_now or wins(b);
    end loop;
    grant <= granted_now;
  end process;

  turn : process (clk)
  begin
    if rising_edge(clk) then
      if or_reduce(take) = '1' then
        atomic_last <= '1';
      elsif hold = '0' and or_reduce(plain) = '1' then
        atomic_last <= '0';
      end if;
      if grid_rst_i = '1' then
        atomic_last <= '0';
      end if;
    end if;
  end process;

  choose_alone : process (all)
    variable line : line_t;
  begin
    line        := shift_left(resize(clear_row, ADDR_BITS), BANK_BITS);
    alone.bytes <= (others => (others => clearing));
    alone.data  <= (others => '0');
    for s in 0 to SMS - 1 loop
      if take(s) = '1' then
        line := of_address(request_i(s).atomic.address);
      end if;
    end loop;
    if atomic_write = '1' then
      line       := of_address(atomic_address);
      alone.data <= atomic_new;
      for w in 0 to CORES - 1 loop
        alone.bytes(w) <= (others => to_sl(unsigned(atomic_address(LINE_BITS - 1 downto 2)) = w));
      end loop;
    end if;
    if host = '1' then
      line       := host_addr(ADDR_BITS + WORD_BITS - 1 downto WORD_BITS);
      alone.data <= host_i.data;
      for w in 0 to CORES - 1 loop
        alone.bytes(w) <= (others => host_i.global_we and to_sl(host_addr(WORD_BITS - 1 downto 0) = w));
      end loop;
    end if;
    alone.line  <= line;
    alone.banks <= bank_of(line);
    if host = '0' and clearing = '1' then
      alone.banks <= (others => '1');
    end if;
  end process;

  --------------------------------------------------------------------------------------------------------------
  -- The banks.

  each_bank : for b in 0 to BANKS - 1 generate
    signal wants : sms_t;
    signal row   : row_t;
    signal bytes : nibbles_t(0 to CORES - 1);
    signal wdata : words_t(0 to CORES - 1);
  begin
    requests : process (all)
    begin
      for s in 0 to SMS - 1 loop
        wants(s) <= plain(s) and bank(s)(b);
      end loop;
    end process;

    u_turns : entity work.round_robin
      generic map (REQUESTERS => SMS)
      port map (clk => clk, rst => grid_rst_i, hold_i => hold, req_i => wants, turn_o => open,
                grant_o => wins(b), index_o => open);

    choose : process (all)
    begin
      row   <= alone.line(ADDR_BITS - 1 downto BANK_BITS);
      wdata <= (others => alone.data);
      for w in 0 to CORES - 1 loop
        bytes(w) <= alone.bytes(w) and nibble_t'(others => alone.banks(b));
      end loop;
      for s in 0 to SMS - 1 loop
        if wins(b)(s) = '1' then
          row <= request_i(s).line(ADDR_BITS - 1 downto BANK_BITS);
          for w in 0 to CORES - 1 loop
            wdata(w) <= data_i(s * CORES + w);
            bytes(w) <= bytes_i(s * CORES + w) and nibble_t'(others => request_i(s).we);
          end loop;
        end if;
      end loop;
    end process;

    words : for w in 0 to CORES - 1 generate
      u_column : entity work.ram_1r1w
        generic map (ADDR_BITS => ADDR_BITS - BANK_BITS, COLUMN_BITS => 8, COLUMNS => 4, SEED => SEED)
        port map (
          clk     => clk,
          re_i    => '1',
          raddr_i => row,
          rdata_o => rdata(b * CORES + w),
          we_i    => bytes(w),
          waddr_i => row,
          wdata_i => wdata(w)
        );
    end generate;
  end generate;

  one_bank : if BANKS = 1 generate
    alone_data <= rdata;
    sms_data : for s in 0 to SMS - 1 generate
      data_o(s * CORES to s * CORES + CORES - 1) <= rdata;
    end generate;
  else generate
    remember_bank : process (clk)
    begin
      if rising_edge(clk) then
        read_bank  <= bank;
        alone_bank <= alone.banks;
      end if;
    end process;

    deliver : process (all)
      variable word : word_t;
    begin
      for w in 0 to CORES - 1 loop
        word := (others => '0');
        for b in 0 to BANKS - 1 loop
          if alone_bank(b) = '1' then
            word := word or rdata(b * CORES + w);
          end if;
        end loop;
        alone_data(w) <= word;
        for s in 0 to SMS - 1 loop
          word := (others => '0');
          for b in 0 to BANKS - 1 loop
            if read_bank(s)(b) = '1' then
              word := word or rdata(b * CORES + w);
            end if;
          end loop;
          data_o(s * CORES + w) <= word;
        end loop;
      end loop;
    end process;
  end generate;

  --------------------------------------------------------------------------------------------------------------
  -- Accesses that take all banks.

  clear : process (all)
  begin
    clearing_in  <= clearing;
    clear_row_in <= clear_row;
    if host_i.clear = '1' then
      clearing_in  <= '1';
      clear_row_in <= (others => '0');
    elsif clearing = '1' then
      clear_row_in <= clear_row + 1;
      if clear_row = 2 ** row_t'length - 1 then
        clearing_in <= '0';
      end if;
    end if;
  end process;

  clear_regs : process (clk)
  begin
    if rising_edge(clk) then
      clearing  <= clearing_in;
      clear_row <= clear_row_in;
      host_word <= host_addr(WORD_BITS - 1 downto 0);
      if rst = '1' then
        clearing <= '0';
      end if;
    end if;
  end process;

  with_atomics : if HAS_ATOMICS generate
    u_atomic : entity work.atomic_unit
      generic map (SMS => SMS, CORES => CORES)
      port map (
        clk       => clk,
        rst       => grid_rst_i,
        take_i    => take,
        request_i => atomic,
        line_i    => alone_data,
        host_i    => host,
        busy_o    => atomic_busy,
        write_o   => atomic_write,
        address_o => atomic_address,
        done_o    => atomic_done,
        old_o     => atomic_old,
        new_o     => atomic_new
      );
  else generate
    atomic_busy    <= '0';
    atomic_write   <= '0';
    atomic_address <= (others => '0');
    atomic_new     <= (others => '0');
    atomic_done    <= (others => '0');
    atomic_old     <= (others => '0');
  end generate;

  host_data_o <= alone_data(to_integer(host_word));
  host_line_o <= alone_data;
  clearing_o  <= clearing;

  rules : process (clk)
  begin
    if rising_edge(clk) then
      atomic_alone : assert rst = '1' or (or_reduce(take) and or_reduce(grant)) = '0'
        report "an atomic operation is not alone" severity failure;
      host_alone : assert rst = '1' or (host and (or_reduce(take) or or_reduce(grant))) = '0'
        report "an SM is granted a line in a cycle of the host" severity failure;
      clears_alone : assert rst = '1' or (clearing and (host or or_reduce(take) or or_reduce(grant))) = '0'
        report "memory is accessed while it is cleared" severity failure;
      busy_unit_is_alone : assert rst = '1' or (atomic_busy and (or_reduce(take) or or_reduce(grant))) = '0'
        report "memory is accessed during an atomic operation" severity failure;
    end if;
  end process;

end architecture;
