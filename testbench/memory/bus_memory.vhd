-- SPDX-License-Identifier: Apache-2.0
-- A memory behind AXI4, for simulations: one ID, bursts that count up, whole words. It moves one beat a cycle, of a
-- load or a store, and answers latency_i cycles or more after it has accepted the address of a load, or moved the last
-- beat of a store. In stall_i of 256 cycles, drawn for each channel, it is not ready for what comes, or does not give
-- what it could; then it also draws whether a load or a store goes first, which else take turns. So it is as slow, and
-- as free in its order, as AXI lets it be. It also checks that the master keeps the rules. Synthesizable, so that all
-- simulators have the same one: the same seed gives the same cycles. Where it stores, it says so.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;

entity bus_memory is
  generic (
    WORDS : positive;                                        -- of a beat, a power of two
    BYTES : positive;                                        -- of memory, a power of two
    SEED  : natural                                          -- of its contents, see ram_1r1w
  );
  port (
    clk       : in  std_ulogic;
    rst       : in  std_ulogic;
    latency_i : in  unsigned(7 downto 0);
    stall_i   : in  unsigned(7 downto 0);
    seed_i    : in  word_t;
    araddr_i  : in  word_t;
    arlen_i   : in  std_ulogic_vector(7 downto 0);
    arvalid_i : in  std_ulogic;
    arready_o : out std_ulogic;
    rdata_o   : out std_ulogic_vector(WORDS * 32 - 1 downto 0);
    rvalid_o  : out std_ulogic;
    rready_i  : in  std_ulogic;
    awaddr_i  : in  word_t;
    awlen_i   : in  std_ulogic_vector(7 downto 0);
    awvalid_i : in  std_ulogic;
    awready_o : out std_ulogic;
    wdata_i   : in  std_ulogic_vector(WORDS * 32 - 1 downto 0);
    wstrb_i   : in  std_ulogic_vector(WORDS * 4 - 1 downto 0);
    wlast_i   : in  std_ulogic;
    wvalid_i  : in  std_ulogic;
    wready_o  : out std_ulogic;
    bvalid_o  : out std_ulogic;
    bready_i  : in  std_ulogic;
    stores_o  : out std_ulogic;                              -- it stores in the beat from byte stored_o on
    stored_o  : out word_t
  );
end entity;

architecture sim of bus_memory is

  constant BEAT_BITS : natural  := log2(WORDS) + 2;          -- byte address bits within a beat
  constant ADDR_BITS : positive := log2(BYTES) - BEAT_BITS;
  constant DATA_BITS : positive := WORDS * 32;
  constant TIME_BITS : positive := 16;
  constant DEEP      : positive := 512;                      -- answers that wait: more than the longest latency

  subtype beat_t is unsigned(ADDR_BITS - 1 downto 0);
  subtype time_t is unsigned(TIME_BITS - 1 downto 0);

  type memory_state_t is record
    now     : time_t;
    draw    : std_ulogic_vector(63 downto 0);
    moved   : unsigned(7 downto 0);                          -- beats moved of the burst at hand
    storing : std_ulogic;                                    -- it is a store
    busy    : std_ulogic;
  end record;

  signal r, rin : memory_state_t;
  signal open_ar, open_aw, open_w, open_r, open_b : std_ulogic; -- the channel does not stall

  signal ar_push, ar_free, ar_valid, ar_pop : std_ulogic;
  signal aw_push, aw_free, aw_valid, aw_pop : std_ulogic;
  signal w_push, w_free, w_valid, w_pop     : std_ulogic;
  signal ar_in, ar_head : std_ulogic_vector(ADDR_BITS + 8 + TIME_BITS - 1 downto 0);
  signal aw_in, aw_head : std_ulogic_vector(ADDR_BITS + 8 - 1 downto 0);
  signal w_in, w_head   : std_ulogic_vector(WORDS * 36 downto 0);
  signal loads, stores  : std_ulogic;                        -- moves a beat
  signal beat           : beat_t;
  signal last_load, last_store : std_ulogic;
  signal enable         : nibbles_t(0 to WORDS - 1);
  signal rdata          : std_ulogic_vector(DATA_BITS - 1 downto 0);
  signal r_push, r_free, r_waits, r_pop, r_valid : std_ulogic;
  signal r_due          : time_t;
  signal r_in, r_head   : std_ulogic_vector(DATA_BITS + TIME_BITS - 1 downto 0);
  signal b_free, b_waits, b_pop, b_valid : std_ulogic;
  signal b_in, b_head   : std_ulogic_vector(TIME_BITS - 1 downto 0);

  -- xorshift, 32 bits at a time
  function next_draw(draw : std_ulogic_vector(31 downto 0)) return std_ulogic_vector is
    variable x : unsigned(31 downto 0);
  begin
    x := unsigned(draw);
    x := x xor shift_left(x, 13);
    x := x xor shift_right(x, 17);
    x := x xor shift_left(x, 5);
    return std_ulogic_vector(x);
  end function;

  -- Not by chance stalled: byte number `byte` of what was drawn.
  function is_open(draw : std_ulogic_vector(63 downto 0); byte : natural; stall : unsigned) return std_ulogic is
  begin
    return to_sl(unsigned(draw(8 * byte + 7 downto 8 * byte)) >= stall);
  end function;

  function beat_of(address : word_t) return std_ulogic_vector is
  begin
    return address(ADDR_BITS + BEAT_BITS - 1 downto BEAT_BITS);
  end function;

  -- The end of a burst in its 4 KB, in beats. As wide as the number that it is compared with: else ghdl cuts that.
  function beats_of_page(address : word_t; length : std_ulogic_vector(7 downto 0)) return unsigned is
  begin
    return resize(unsigned(address(11 downto BEAT_BITS)), 16) + unsigned(length) + 1;
  end function;

  function has_come(due, now : time_t) return std_ulogic is
    variable since : time_t;
  begin
    since := now - due;
    return not since(TIME_BITS - 1);
  end function;

begin

  open_ar <= is_open(r.draw, 0, stall_i);
  open_aw <= is_open(r.draw, 1, stall_i);
  open_w  <= is_open(r.draw, 2, stall_i);
  open_r  <= is_open(r.draw, 4, stall_i);
  open_b  <= is_open(r.draw, 5, stall_i);

  --------------------------------------------------------------------------------------------------------------
  -- Requests come.

  arready_o <= ar_free and open_ar;
  awready_o <= aw_free and open_aw;
  wready_o  <= w_free and open_w;
  ar_push   <= arvalid_i and arready_o;
  aw_push   <= awvalid_i and awready_o;
  w_push    <= wvalid_i and wready_o;
  ar_in     <= std_ulogic_vector(r.now) & arlen_i & beat_of(araddr_i);
  aw_in     <= awlen_i & beat_of(awaddr_i);
  w_in      <= wlast_i & wstrb_i & wdata_i;

  u_ar : entity work.access_queue
    generic map (BITS => ar_in'length, PLACES => 16, SEED => 1)
    port map (clk => clk, rst => rst, push_i => ar_push, data_i => ar_in, free_o => ar_free, valid_o => ar_valid,
              data_o => ar_head, pop_i => ar_pop, empty_o => open);
  u_aw : entity work.access_queue
    generic map (BITS => aw_in'length, PLACES => 16, SEED => 1)
    port map (clk => clk, rst => rst, push_i => aw_push, data_i => aw_in, free_o => aw_free, valid_o => aw_valid,
              data_o => aw_head, pop_i => aw_pop, empty_o => open);
  u_w : entity work.access_queue
    generic map (BITS => w_in'length, PLACES => 32, SEED => 1)
    port map (clk => clk, rst => rst, push_i => w_push, data_i => w_in, free_o => w_free, valid_o => w_valid,
              data_o => w_head, pop_i => w_pop, empty_o => open);

  --------------------------------------------------------------------------------------------------------------
  -- One beat a cycle.

  move : process (all)
    variable v : memory_state_t;
    variable may_load, may_store, prefers_store : std_ulogic;
  begin
    v := r;
    v.now  := r.now + 1;
    v.draw := next_draw(r.draw(63 downto 32)) & next_draw(r.draw(31 downto 0));

    may_load      := ar_valid and r_free and not (r.busy and r.storing);
    may_store     := aw_valid and w_valid and b_free and not (r.busy and not r.storing);
    prefers_store := not r.storing;
    if stall_i /= 0 then
      prefers_store := r.draw(24);
    end if;
    stores <= may_store and (prefers_store or not may_load);
    loads  <= may_load and not (may_store and prefers_store);

    last_load  <= to_sl(r.moved = unsigned(ar_head(ADDR_BITS + 7 downto ADDR_BITS)));
    last_store <= to_sl(r.moved = unsigned(aw_head(ADDR_BITS + 7 downto ADDR_BITS)));
    ar_pop <= loads and last_load;
    aw_pop <= stores and last_store;
    w_pop  <= stores;
    beat   <= unsigned(ar_head(ADDR_BITS - 1 downto 0)) + resize(r.moved, ADDR_BITS);
    if stores = '1' then
      beat <= unsigned(aw_head(ADDR_BITS - 1 downto 0)) + resize(r.moved, ADDR_BITS);
    end if;
    if (loads or stores) = '1' then
      v.storing := stores;
      v.busy    := not (ar_pop or aw_pop);
      v.moved    := r.moved + 1;
      if v.busy = '0' then
        v.moved := (others => '0');
      end if;
    end if;
    rin <= v;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
      r_push <= loads and not rst;
      r_due  <= unsigned(ar_head(ADDR_BITS + 8 + TIME_BITS - 1 downto ADDR_BITS + 8)) + latency_i;
      if rst = '1' then
        r <= (now => (others => '0'), draw => (seed_i xor x"9e3779b9") & (not seed_i), moved => (others => '0'),
              others => '0');
        if (seed_i xor x"9e3779b9") = x"00000000" or not seed_i = x"00000000" then
          r.draw <= x"243f6a8885a308d3";
        end if;
      end if;
    end if;
  end process;

  stores_o <= stores;
  stored_o <= (31 downto ADDR_BITS + BEAT_BITS => '0') & std_ulogic_vector(beat) & (BEAT_BITS - 1 downto 0 => '0');

  word : for w in 0 to WORDS - 1 generate
    enable(w) <= w_head(DATA_BITS + 4 * w + 3 downto DATA_BITS + 4 * w) and nibble_t'(others => stores);
    u_word : entity work.ram_1r1w
      generic map (ADDR_BITS => ADDR_BITS, COLUMN_BITS => 8, COLUMNS => 4, SEED => SEED)
      port map (clk => clk, re_i => loads, raddr_i => beat, rdata_o => rdata(32 * w + 31 downto 32 * w),
                we_i => enable(w), waddr_i => beat, wdata_i => w_head(32 * w + 31 downto 32 * w));
  end generate;

  --------------------------------------------------------------------------------------------------------------
  -- Answers go when they are due.

  r_in <= std_ulogic_vector(r_due) & rdata;
  u_r : entity work.access_queue
    generic map (BITS => r_in'length, PLACES => DEEP, AHEAD => 2, SEED => 1)
    port map (clk => clk, rst => rst, push_i => r_push, data_i => r_in, free_o => r_free, valid_o => r_waits,
              data_o => r_head, pop_i => r_pop, empty_o => open);
  r_pop <= r_waits and has_come(unsigned(r_head(DATA_BITS + TIME_BITS - 1 downto DATA_BITS)), r.now) and open_r
           and (rready_i or not r_valid);

  b_in <= std_ulogic_vector(r.now + latency_i);
  u_b : entity work.access_queue
    generic map (BITS => TIME_BITS, PLACES => DEEP, SEED => 1)
    port map (clk => clk, rst => rst, push_i => aw_pop, data_i => b_in, free_o => b_free, valid_o => b_waits,
              data_o => b_head, pop_i => b_pop, empty_o => open);
  b_pop <= b_waits and has_come(unsigned(b_head), r.now) and open_b and (bready_i or not b_valid);

  answers : process (clk)
  begin
    if rising_edge(clk) then
      if rready_i = '1' or r_valid = '0' then
        rdata_o <= r_head(DATA_BITS - 1 downto 0);
      end if;
      r_valid <= (r_pop or (r_valid and not rready_i)) and not rst;
      b_valid <= (b_pop or (b_valid and not bready_i)) and not rst;
    end if;
  end process;
  rvalid_o <= r_valid;
  bvalid_o <= b_valid;

  --------------------------------------------------------------------------------------------------------------
  -- Rules for the master.

  rules : process (clk)
    variable ar_kept, aw_kept, w_kept : std_ulogic;          -- it was offered and not accepted: it must stay
    variable ar_was, aw_was : std_ulogic_vector(39 downto 0);
    variable w_was : std_ulogic_vector(WORDS * 36 downto 0);
  begin
    if rising_edge(clk) then
      load_stays : assert rst = '1' or ar_kept = '0' or (arvalid_i = '1' and arlen_i & araddr_i = ar_was)
        report "a load goes away, or changes, before it is accepted" severity failure;
      store_stays : assert rst = '1' or aw_kept = '0' or (awvalid_i = '1' and awlen_i & awaddr_i = aw_was)
        report "a store goes away, or changes, before it is accepted" severity failure;
      data_stay : assert rst = '1' or w_kept = '0' or (wvalid_i = '1' and w_in = w_was)
        report "data go away, or change, before they are accepted" severity failure;
      load_in_memory : assert rst = '1' or arvalid_i = '0' or unsigned(araddr_i) < BYTES
        report "a load beyond the memory" severity failure;
      store_in_memory : assert rst = '1' or awvalid_i = '0' or unsigned(awaddr_i) < BYTES
        report "a store beyond the memory" severity failure;
      load_in_page : assert rst = '1' or arvalid_i = '0'
        or beats_of_page(araddr_i, arlen_i) <= 2 ** (12 - BEAT_BITS)
        report "a load that crosses 4 KB" severity failure;
      store_in_page : assert rst = '1' or awvalid_i = '0'
        or beats_of_page(awaddr_i, awlen_i) <= 2 ** (12 - BEAT_BITS)
        report "a store that crosses 4 KB" severity failure;
      last_is_last : assert rst = '1' or stores = '0' or w_head(WORDS * 36) = last_store
        report "wlast is not with the last beat" severity failure;
      ar_kept := arvalid_i and not arready_o and not rst;
      aw_kept := awvalid_i and not awready_o and not rst;
      w_kept  := wvalid_i and not wready_o and not rst;
      ar_was  := arlen_i & araddr_i;
      aw_was  := awlen_i & awaddr_i;
      w_was   := w_in;
    end if;
  end process;

end architecture;
