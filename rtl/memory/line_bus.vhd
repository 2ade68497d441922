-- SPDX-License-Identifier: Apache-2.0
-- AXI4 master for lines of global memory: many accesses in flight; a line is a burst of CORES / BUS_WORDS beats. AXI
-- does not order loads against stores, so an access waits for those of the other kind to its line. All signals are
-- registered: three cycles from valid_i to the bus, two from the bus to line_o.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.memory_pkg.all;

entity line_bus is
  generic (
    CORES      : positive;
    BUS_WORDS  : positive;                                   -- a power of two, CORES at most
    ADDR_BITS  : positive;                                   -- of a line's number
    OWNER_BITS : positive;
    LOADS      : positive;                                   -- under way at a time, a power of two
    STORES     : positive;                                   -- likewise
    SEED       : natural
  );
  port (
    clk     : in  std_ulogic;
    rst     : in  std_ulogic;                                -- also resets the slave on the bus
    -- an access; ready_o is a register
    valid_i : in  std_ulogic;
    ready_o : out std_ulogic;
    we_i    : in  std_ulogic;
    line_i  : in  unsigned(ADDR_BITS - 1 downto 0);
    owner_i : in  std_ulogic_vector(OWNER_BITS - 1 downto 0);
    bytes_i : in  nibbles_t(0 to CORES - 1);
    data_i  : in  words_t(0 to CORES - 1);
    -- its end
    ends_o   : out line_bus_to_global_t;
    loader_o : out std_ulogic_vector(OWNER_BITS - 1 downto 0);  -- owner of the load
    take_i   : in  std_ulogic;                               -- the loader takes the line
    line_o   : out words_t(0 to CORES - 1);                  -- the line, one cycle after take_i
    storer_o : out std_ulogic_vector(OWNER_BITS - 1 downto 0);  -- owner of the store that is answered
    -- the bus
    axi_o   : out global_to_axi_t;
    axi_i   : in  axi_to_global_t;
    wstrb_o : out nibbles_t(0 to BUS_WORDS - 1);
    wdata_o : out words_t(0 to BUS_WORDS - 1);
    rdata_i : in  words_t(0 to BUS_WORDS - 1)
  );
end entity;

architecture rtl of line_bus is

  constant BEATS     : positive := CORES / BUS_WORDS;
  constant WORD_BITS : positive := 36;                       -- a word and its strobes
  constant LINE_BITS : positive := CORES * WORD_BITS;
  constant BEAT_BITS : positive := BUS_WORDS * WORD_BITS;
  constant DATA_BITS : positive := BUS_WORDS * 32;
  constant TAG_BITS  : positive := 12;

  subtype line_t is unsigned(ADDR_BITS - 1 downto 0);
  subtype tag_t is std_ulogic_vector(TAG_BITS - 1 downto 0);
  -- as many bits set as there are beats left
  subtype beats_left_t is std_ulogic_vector(BEATS downto 0);
  constant ALL_BEATS : beats_left_t := '0' & (BEATS - 1 downto 0 => '1');

  constant COMMAND_BITS : positive := 1 + ADDR_BITS + OWNER_BITS;
  constant ACCESS_BITS  : positive := COMMAND_BITS + LINE_BITS;
  subtype access_t is std_ulogic_vector(ACCESS_BITS - 1 downto 0);

  signal asked, next_access, item : access_t;                -- item: in the stage in which it waits for its turn
  signal next_valid, item_valid   : std_ulogic;
  signal item_valid_in            : std_ulogic;
  signal enters, goes             : std_ulogic;              -- an access enters this stage, leaves it
  signal we          : std_ulogic;                           -- of it
  signal owner       : std_ulogic_vector(OWNER_BITS - 1 downto 0);
  signal line        : line_t;
  signal next_tag    : tag_t;
  signal meets_load, meets_store : std_ulogic;
  signal load_room, store_room   : std_ulogic;
  signal load_goes, store_goes   : std_ulogic;
  signal ar_free, aw_free, w_free : std_ulogic;
  signal ar_line, aw_line : std_ulogic_vector(ADDR_BITS - 1 downto 0);
  signal w_left, w_left_in : beats_left_t;
  signal w_line, w_line_in : unsigned(LINE_BITS - 1 downto 0); -- the beats left, the next one lowest
  signal w_last      : std_ulogic;
  signal w_slice_free : std_ulogic;
  signal w_in, w_out : std_ulogic_vector(BEAT_BITS downto 0);
  signal r_in, r_out : std_ulogic_vector(DATA_BITS downto 0);
  signal r_valid     : std_ulogic;
  signal r_takes     : std_ulogic;
  signal r_left, r_left_in : beats_left_t;
  signal r_line, r_line_in : unsigned(CORES * 32 - 1 downto 0); -- the beats that have come, the last one highest
  signal b_valid, b_error : std_ulogic;
  signal failed, failed_in : std_ulogic;

  -- Lines of one tag may be different ones: the access then waits for nothing.
  function tag_of(number : std_ulogic_vector(ADDR_BITS - 1 downto 0)) return tag_t is
    variable tag : tag_t := (others => '0');
  begin
    for b in number'range loop
      tag(b mod TAG_BITS) := tag(b mod TAG_BITS) xor number(b);
    end loop;
    return tag;
  end function;

  function address_of(number : std_ulogic_vector(ADDR_BITS - 1 downto 0)) return word_t is
  begin
    return word_t(shift_left(resize(unsigned(number), 32), log2(CORES) + 2));
  end function;

begin

  beats_make_a_line : assert BEATS * BUS_WORDS = CORES and 2 ** log2(BUS_WORDS) = BUS_WORDS
    report "BUS_WORDS must be a power of two, CORES at most" severity failure;

  --------------------------------------------------------------------------------------------------------------
  -- In: each access waits for its turn.

  asked(COMMAND_BITS - 1 downto 0) <= owner_i & std_ulogic_vector(line_i) & we_i;
  ask : for w in 0 to CORES - 1 generate
    asked(COMMAND_BITS + w * WORD_BITS + 35 downto COMMAND_BITS + w * WORD_BITS) <= bytes_i(w) & data_i(w);
  end generate;

  u_in : entity work.register_slice
    generic map (BITS => ACCESS_BITS)
    port map (clk => clk, rst => rst, valid_i => valid_i, data_i => asked, ready_o => ready_o, valid_o => next_valid,
              data_o => next_access, ready_i => enters);

  next_tag <= tag_of(next_access(ADDR_BITS downto 1));
  we       <= item(0);
  line     <= unsigned(item(ADDR_BITS downto 1));
  owner    <= item(COMMAND_BITS - 1 downto ADDR_BITS + 1);

  load_goes  <= item_valid and not we and not meets_store and load_room and ar_free;
  store_goes <= item_valid and we and not meets_load and store_room and aw_free and w_free;
  goes       <= load_goes or store_goes;
  enters     <= next_valid and (goes or not item_valid);

  item_valid_in <= enters or (item_valid and not goes);

  item_regs : process (clk)
  begin
    if rising_edge(clk) then
      if enters = '1' then
        item <= next_access;
      end if;
      item_valid <= item_valid_in;
      if rst = '1' then
        item_valid <= '0';
      end if;
    end if;
  end process;

  u_loads : entity work.lines_under_way
    generic map (PLACES => LOADS, TAG_BITS => TAG_BITS, OWNER_BITS => OWNER_BITS, SEED => SEED)
    port map (clk => clk, rst => rst, enters_i => enters, tag_i => next_tag, meets_o => meets_load, push_i => load_goes,
              owner_i => owner, room_o => load_room, pop_i => take_i, owner_o => loader_o);

  u_stores : entity work.lines_under_way
    generic map (PLACES => STORES, TAG_BITS => TAG_BITS, OWNER_BITS => OWNER_BITS, SEED => SEED)
    port map (clk => clk, rst => rst, enters_i => enters, tag_i => next_tag, meets_o => meets_store,
              push_i => store_goes, owner_i => owner, room_o => store_room, pop_i => b_valid, owner_o => storer_o);

  --------------------------------------------------------------------------------------------------------------
  -- Out: addresses, and the data of a store beat by beat.

  u_ar : entity work.register_slice
    generic map (BITS => ADDR_BITS)
    port map (clk => clk, rst => rst, valid_i => load_goes, data_i => std_ulogic_vector(line), ready_o => ar_free,
              valid_o => axi_o.ar.valid, data_o => ar_line, ready_i => axi_i.ar_ready);

  u_aw : entity work.register_slice
    generic map (BITS => ADDR_BITS)
    port map (clk => clk, rst => rst, valid_i => store_goes, data_i => std_ulogic_vector(line), ready_o => aw_free,
              valid_o => axi_o.aw.valid, data_o => aw_line, ready_i => axi_i.aw_ready);

  axi_o.ar.address <= address_of(ar_line);
  axi_o.aw.address <= address_of(aw_line);

  w_last <= not w_left(1);
  w_free <= not w_left(0) or (w_last and w_slice_free);
  w_in   <= w_last & std_ulogic_vector(w_line(BEAT_BITS - 1 downto 0));

  beats_out : process (all)
  begin
    w_left_in <= w_left;
    w_line_in <= w_line;
    if (w_left(0) and w_slice_free) = '1' then
      w_left_in <= '0' & w_left(BEATS downto 1);
      w_line_in <= shift_right(w_line, BEAT_BITS);
    end if;
    if store_goes = '1' then
      w_left_in <= ALL_BEATS;
      w_line_in <= unsigned(item(ACCESS_BITS - 1 downto COMMAND_BITS));
    end if;
  end process;

  out_regs : process (clk)
  begin
    if rising_edge(clk) then
      w_left <= w_left_in;
      w_line <= w_line_in;
      if rst = '1' then
        w_left <= (others => '0');
      end if;
    end if;
  end process;

  u_w : entity work.register_slice
    generic map (BITS => BEAT_BITS + 1)
    port map (clk => clk, rst => rst, valid_i => w_left(0), data_i => w_in, ready_o => w_slice_free,
              valid_o => axi_o.w_valid, data_o => w_out, ready_i => axi_i.w_ready);

  axi_o.w_last <= w_out(BEAT_BITS);
  out_words : for w in 0 to BUS_WORDS - 1 generate
    wstrb_o(w) <= w_out(w * WORD_BITS + 35 downto w * WORD_BITS + 32);
    wdata_o(w) <= w_out(w * WORD_BITS + 31 downto w * WORD_BITS);
    r_in(w * 32 + 31 downto w * 32) <= rdata_i(w);
  end generate;

  --------------------------------------------------------------------------------------------------------------
  -- Answers.

  r_in(DATA_BITS) <= axi_i.r_error;

  u_r : entity work.register_slice
    generic map (BITS => DATA_BITS + 1)
    port map (clk => clk, rst => rst, valid_i => axi_i.r_valid, data_i => r_in, ready_o => axi_o.r_ready,
              valid_o => r_valid, data_o => r_out, ready_i => r_takes);

  ends_o.loaded <= r_valid and not r_left(1);
  r_takes  <= r_left(1) or take_i;

  beats_in : process (all)
  begin
    r_line_in <= shift_right(r_line, DATA_BITS);
    r_line_in(CORES * 32 - 1 downto CORES * 32 - DATA_BITS) <= unsigned(r_out(DATA_BITS - 1 downto 0));
    r_left_in <= '0' & r_left(BEATS downto 1);
    if r_left(1) = '0' then
      r_left_in <= ALL_BEATS;
    end if;
    failed_in <= failed or (r_valid and r_out(DATA_BITS)) or (b_valid and b_error);
  end process;

  in_regs : process (clk)
  begin
    if rising_edge(clk) then
      if (r_valid and r_takes) = '1' then
        r_line <= r_line_in;
        r_left <= r_left_in;
      end if;
      b_valid <= axi_i.b_valid;
      b_error <= axi_i.b_error;
      failed  <= failed_in;
      if rst = '1' then
        r_left  <= ALL_BEATS;
        b_valid <= '0';
        failed  <= '0';
      end if;
    end if;
  end process;

  line_words : for w in 0 to CORES - 1 generate
    line_o(w) <= word_t(r_line(w * 32 + 31 downto w * 32));
  end generate;

  ends_o.stored <= b_valid;
  ends_o.failed <= failed;

end architecture;
