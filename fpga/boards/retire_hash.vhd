-- SPDX-License-Identifier: Apache-2.0
-- Hashes the retired instructions of an SM, to find the first that differs from the model (docs/decisions.md). For each
-- warp of a block it counts and sums the first LIMIT instructions of blocks FROM to TO: load data in one sum, all else
-- in another. It keeps eight lanes of instruction WATCH of block TO. The host sets it up before a grid and reads it
-- afterwards.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.board_pkg.all;
use work.gpu_pkg.all;
use work.hash_pkg.all;
use work.retire_pkg.all;

entity retire_hash is
  generic (
    CORES : positive;
    SEED  : natural := 0
  );
  port (
    clk      : in  std_ulogic;
    rst      : in  std_ulogic;
    retire_i : in  retire_t;
    lanes_i  : in  retire_lanes_t(0 to CORES - 1);
    we_i     : in  std_ulogic;
    adr_i    : in  unsigned(9 downto 0);                     -- of spec/board.def, less BOARD_HASH_FROM
    dat_i    : in  word_t;
    dat_o    : out word_t;                                   -- of adr_i, two cycles before
    busy_o   : out std_ulogic                                -- it clears
  );
end entity;

architecture rtl of retire_hash is

  subtype place_t is unsigned(4 downto 0);                   -- of a warp in its block, or of a slot

  constant BASE       : natural  := BOARD_HASH_FROM;
  constant QUEUE_BITS : positive := 7;                       -- more than loads can be under way

  type settings_t is record
    from, to_block : unsigned(31 downto 0);                  -- y and x
    watch_warp     : place_t;
    watch_number   : number_t;
    octet          : unsigned(1 downto 0);
    part           : std_ulogic_vector(1 downto 0);
    clearing       : std_ulogic;
    place          : place_t;                                -- the place that is being cleared
  end record;

  -- A beat whose number is known now.
  type step_t is record
    valid, ended, trap, pending : std_ulogic;
    ends_warp     : std_ulogic;
    warp, slot    : place_t;
    within        : std_ulogic;                              -- its block is one of those
    in_last       : std_ulogic;                              -- its block is TO, the last of those
  end record;

  -- A load that was issued: whose data the load beats are.
  type queued_t is record
    watched, hashed : std_ulogic;
    warp            : place_t;
    number          : number_t;
  end record;
  constant QUEUED_BITS : positive := 31;

  type load_t is record
    valid, last : std_ulogic;
    row, part   : std_ulogic_vector(1 downto 0);
    mask        : std_ulogic_vector(0 to CORES - 1);
    data        : words_t(0 to CORES - 1);
  end record;

  type queue_t is record
    first, behind : unsigned(QUEUE_BITS - 1 downto 0);
    waits         : std_ulogic;                              -- a load that has ended before its own last beat came
  end record;

  signal set, set_in : settings_t;
  signal clear       : std_ulogic;
  signal retire      : retire_t;                             -- the port, one cycle late
  signal lanes       : retire_lanes_t(0 to CORES - 1);
  signal load, load_in : load_t;                             -- two cycles late: by then its instruction is known
  signal step, step_in : step_t;                             -- likewise
  signal number, limit, number_next : std_ulogic_vector(23 downto 0);
  signal number_at   : place_t;
  signal writes_number, writes_limit : std_ulogic_vector(0 downto 0);
  signal hashed, watched : std_ulogic;

  signal queue, queue_in : queue_t;
  signal push        : std_ulogic_vector(0 downto 0);
  signal load_ended  : std_ulogic;
  signal head, tail  : std_ulogic_vector(QUEUED_BITS - 1 downto 0);
  signal load_of, load_of_1 : queued_t;
  signal load_row_1, load_ended_1 : std_ulogic;

  signal lane_sum, common_sum, load_sum : sum_t;
  signal insns, count, loads, captured : word_t;
  signal seen, load_seen : std_ulogic;
  signal place       : place_t;
  signal captured_at : unsigned(5 downto 0);

  function is_at(adr : unsigned(9 downto 0); register_at : natural) return std_ulogic is
  begin
    return to_sl(adr(9 downto 2) = (register_at - BASE) / 4);
  end function;

  function is_in(adr : unsigned(9 downto 0); table_at : natural) return std_ulogic is
  begin
    return to_sl(adr(9 downto 7) = (table_at - BASE) / 128);
  end function;

begin

  --------------------------------------------------------------------------------------------------------------
  -- Settings by the host

  settings : process (all)
    variable v : settings_t;
  begin
    v := set;
    if (we_i and is_at(adr_i, BOARD_HASH_FROM)) = '1' then
      v.from := unsigned(dat_i);
    end if;
    if (we_i and is_at(adr_i, BOARD_HASH_TO)) = '1' then
      v.to_block := unsigned(dat_i);
    end if;
    if (we_i and is_at(adr_i, BOARD_HASH_WATCH)) = '1' then
      v.watch_warp   := unsigned(dat_i(28 downto 24));
      v.watch_number := unsigned(dat_i(23 downto 0));
    end if;
    if (we_i and is_at(adr_i, BOARD_HASH_PICK)) = '1' then
      v.octet := unsigned(dat_i(1 downto 0));
      v.part  := dat_i(3 downto 2);
    end if;
    v.place := set.place + 1;
    if set.place = 31 then
      v.clearing := '0';
    end if;
    if (we_i and is_at(adr_i, BOARD_HASH_CLEAR)) = '1' then
      v.clearing := '1';
      v.place    := (others => '0');
    end if;
    set_in <= v;
  end process;

  clear  <= set.clearing;
  busy_o <= set.clearing;
  place  <= set.place when clear = '1' else adr_i(6 downto 2);

  --------------------------------------------------------------------------------------------------------------
  -- The instruction's number: kept by slot, from 0 for each warp

  u_numbers : entity work.ram_1r1w
    generic map (ADDR_BITS => 5, COLUMN_BITS => 24, NEW_DATA => true, SEED => SEED)
    port map (clk => clk, re_i => '1', raddr_i => unsigned(retire.slot(4 downto 0)), rdata_o => number,
              we_i => writes_number, waddr_i => number_at, wdata_i => number_next);

  u_limits : entity work.ram_1r1w
    generic map (ADDR_BITS => 5, COLUMN_BITS => 24, SEED => SEED)
    port map (clk => clk, re_i => '1', raddr_i => unsigned(retire.warp(4 downto 0)), rdata_o => limit,
              we_i => writes_limit, waddr_i => adr_i(6 downto 2), wdata_i => dat_i(23 downto 0));

  writes_limit(0) <= we_i and is_in(adr_i, BOARD_HASH_LIMITS);
  hashed  <= step.within and to_sl(unsigned(number) < unsigned(limit));
  watched <= step.in_last and to_sl(step.warp = set.watch_warp) and to_sl(unsigned(number) = set.watch_number);

  numbers : process (all)
  begin
    writes_number(0) <= step.ended or clear;
    number_at   <= step.slot;
    number_next <= std_ulogic_vector(unsigned(number) + 1);
    if (step.ends_warp or clear) = '1' then
      number_next <= (others => '0');
    end if;
    if clear = '1' then
      number_at <= set.place;
    end if;
  end process;

  --------------------------------------------------------------------------------------------------------------
  -- A load beat has the data of the oldest load

  tail    <= watched & (hashed and not step.trap) & std_ulogic_vector(step.warp) & number;
  push(0) <= step.ended and step.pending;
  load_of <= (watched => head(30), hashed => head(29), warp => unsigned(head(28 downto 24)),
              number => unsigned(head(23 downto 0)));

  in_order : process (all)
    variable v     : queue_t;
    variable known : std_ulogic;
  begin
    v     := queue;
    known := to_sl(queue.first /= queue.behind);
    if push(0) = '1' then
      v.behind := queue.behind + 1;
    end if;
    load_ended <= known and ((load.valid and load.last) or queue.waits);
    if ((load.valid and load.last) or queue.waits) = '1' then
      v.waits := not known;
      if known = '1' then
        v.first := queue.first + 1;
      end if;
    end if;
    if clear = '1' then
      v := (waits => '0', others => (others => '0'));
    end if;
    queue_in <= v;
  end process;

  u_queue : entity work.ram_1r1w
    generic map (ADDR_BITS => QUEUE_BITS, COLUMN_BITS => QUEUED_BITS, NEW_DATA => true, SEED => SEED)
    port map (clk => clk, re_i => '1', raddr_i => queue_in.first, rdata_o => head, we_i => push,
              waddr_i => queue.behind, wdata_i => tail);

  --------------------------------------------------------------------------------------------------------------
  -- The sums, and the kept instruction

  u_row : entity work.hash_row
    generic map (CORES => CORES)
    port map (clk => clk, retire_i => retire, lanes_i => lanes, load_row_i => load.row, load_part_i => load.part,
              load_mask_i => load.mask, load_data_i => load.data, lanes_o => lane_sum, common_o => common_sum,
              load_o => load_sum);

  u_insns : entity work.warp_sums
    generic map (SEED => SEED)
    port map (clk => clk, clear_i => clear, row_i => step.valid, ended_i => step.ended, trap_i => step.trap,
              hashed_i => hashed, warp_i => step.warp, number_i => unsigned(number), sum_i => lane_sum,
              common_i => common_sum, place_i => place, sum_o => insns, count_o => count);

  -- A load beat has come a cycle later than a beat, and its sum does.
  later : process (clk)
  begin
    if rising_edge(clk) then
      load_row_1   <= load.valid;
      load_ended_1 <= load_ended;
      load_of_1    <= load_of;
    end if;
  end process;

  u_loads : entity work.warp_sums
    generic map (SEED => SEED)
    port map (clk => clk, clear_i => clear, row_i => load_row_1, ended_i => load_ended_1, trap_i => '0',
              hashed_i => load_of_1.hashed, warp_i => load_of_1.warp, number_i => load_of_1.number, sum_i => load_sum,
              common_i => (others => '0'), place_i => place, sum_o => loads, count_o => open);

  u_capture : entity work.retire_capture
    generic map (CORES => CORES)
    port map (clk => clk, clear_i => clear, octet_i => set.octet, part_i => set.part, retire_i => retire,
              lanes_i => lanes, ended_i => step.ended, wanted_i => watched, load_valid_i => load.valid,
              load_row_i => load.row, load_part_i => load.part, load_mask_i => load.mask, load_data_i => load.data,
              load_ended_i => load_ended, load_wanted_i => load_of.watched, word_i => captured_at,
              word_o => captured, seen_o => seen, load_seen_o => load_seen);

  captured_at <= resize(adr_i(9 downto 2) - (BOARD_HASH_CAPTURED - BASE) / 4, 6);

  answer : process (clk)
  begin
    if rising_edge(clk) then
      dat_o <= captured;
      if is_at(adr_i, BOARD_HASH_SEEN) = '1' then
        dat_o <= (0 => seen, 1 => load_seen, others => '0');
      elsif is_in(adr_i, BOARD_HASH_INSNS) = '1' then
        dat_o <= insns;
      elsif is_in(adr_i, BOARD_HASH_LOADS) = '1' then
        dat_o <= loads;
      elsif is_in(adr_i, BOARD_HASH_COUNTS) = '1' then
        dat_o <= count;
      end if;
    end if;
  end process;

  to_step : process (all)
    variable block_at : unsigned(31 downto 0);
  begin
    block_at := unsigned(retire.block_y) & unsigned(retire.block_x);
    step_in <= (valid     => retire.valid,
                ended     => retire.valid and retire.last,
                trap      => or_reduce(retire.trap),
                pending   => retire.pending,
                ends_warp => retire.state(1),
                warp      => unsigned(retire.warp(4 downto 0)),
                slot      => unsigned(retire.slot(4 downto 0)),
                within    => to_sl(block_at >= set.from) and to_sl(block_at <= set.to_block),
                in_last   => to_sl(block_at = set.to_block));
    load_in.valid <= retire.load_valid;
    load_in.last  <= retire.load_last;
    load_in.row   <= retire.load_row;
    load_in.part  <= retire.load_part;
    for l in 0 to CORES - 1 loop
      load_in.mask(l) <= lanes(l).load_mask;
      load_in.data(l) <= lanes(l).dst;
    end loop;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      set    <= set_in;
      queue  <= queue_in;
      retire <= retire_i;
      lanes  <= lanes_i;
      step   <= step_in;
      load   <= load_in;
      if rst = '1' then
        set.clearing      <= '0';
        retire.valid      <= '0';
        retire.load_valid <= '0';
        step.valid        <= '0';
        step.ended        <= '0';
        load.valid        <= '0';
        queue             <= (waits => '0', others => (others => '0'));
      end if;
      queue_has_room : assert rst = '1' or queue.behind + 1 /= queue.first
        report "more loads are under way than the queue holds" severity failure;
    end if;
  end process;

end architecture;
