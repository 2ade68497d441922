-- SPDX-License-Identifier: Apache-2.0
-- Load/store unit of one SM, beside stage X: turns the lanes of a beat into accesses to global memory, of which local
-- memory is a slice (stage O has placed its words in it). A beat of a 64- or 128-bit access is one of its words. A
-- line is CORES aligned words; all lanes of a beat that fall in one line are one access. A beat that touches several
-- lines stays in stage X (busy_o) and makes one access after the other, the line of its lowest lane first. Accesses
-- wait for their grant in a queue (access_queue), in order, while the pipeline goes on. Loads come back in order as
-- load beats; the last beat of a load always makes an access, if only an empty one, so that its end is seen. What is
-- written comes from store_words.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;

entity ldst is
  generic (
    CORES        : positive;
    GLOBAL_BYTES : positive;
    QUEUE        : positive;                                 -- accesses that can wait, see access_queue
    SEED         : natural
  );
  port (
    clk      : in  std_ulogic;
    rst      : in  std_ulogic;
    -- stage X
    beat_i   : in  beat_t;
    lanes_i  : in  lanes_operands_t(0 to CORES - 1);
    faults_i : in  faults_lanes_t(0 to CORES - 1);           -- a lane with a fault takes no part
    go_i     : in  std_ulogic;                               -- stage Y can take the beat, nothing has trapped
    busy_o   : out std_ulogic;                               -- the beat must stay in stage X
    -- to store_words and back: who takes part in the access that is made now, where in the line, what is written
    served_o : out std_ulogic_vector(CORES - 1 downto 0);
    places_o : out places_t(0 to CORES - 1);
    bytes_i  : in  nibbles_t(0 to CORES - 1);
    words_i  : in  words_t(0 to CORES - 1);
    -- global memory: one access a cycle, data of a load one cycle after the grant
    req_o    : out std_ulogic;
    we_o     : out std_ulogic;
    line_o   : out unsigned(31 downto 0);                    -- line number
    bytes_o  : out nibbles_t(0 to CORES - 1);
    data_o   : out words_t(0 to CORES - 1);
    grant_i  : in  std_ulogic;
    data_i   : in  words_t(0 to CORES - 1);
    -- load beats to stage W, which always takes them
    load_o      : out load_beat_t;
    load_mask_o : out std_ulogic_vector(CORES - 1 downto 0);
    load_data_o : out words_t(0 to CORES - 1);
    idle_o   : out std_ulogic                                -- nothing under way
  );
end entity;

architecture rtl of ldst is

  constant LINE_BITS  : positive := 2 + log2(CORES);         -- byte address bits within a line
  constant ADDR_BITS  : positive := log2(GLOBAL_BYTES) - LINE_BITS;

  subtype lanes_t is std_ulogic_vector(CORES - 1 downto 0);
  subtype line_t is unsigned(ADDR_BITS - 1 downto 0);
  subtype address_t is unsigned(ADDR_BITS + LINE_BITS - 1 downto 0);  -- addresses beyond are faults
  subtype line_place_t is unsigned(LINE_BITS - 1 downto 0);
  type line_places_t is array (0 to CORES - 1) of line_place_t;
  type lane_lines_t is array (0 to CORES - 1) of line_t;

  -- one access, and what a load needs to sort its data out
  type access_t is record
    we        : std_ulogic;
    line      : line_t;
    beat      : load_beat_t;
    mask      : lanes_t;
    size      : size_t;
    is_signed : std_ulogic;
  end record;

  -- In the queue: the access, then for each lane its place, then for each word its bytes to write and their data.
  constant ACCESS_BITS : positive := 1 + ADDR_BITS + LOAD_BEAT_BITS + CORES + 3 + 1;
  constant PLACES_AT   : positive := ACCESS_BITS;
  constant WORDS_AT    : positive := PLACES_AT + CORES * LINE_BITS;
  constant QUEUE_BITS  : positive := WORDS_AT + CORES * 36;

  function to_vector(a : access_t) return std_ulogic_vector is
  begin
    return a.is_signed & a.size & a.mask & to_vector(a.beat) & std_ulogic_vector(a.line) & a.we;
  end function;

  function to_access(v : std_ulogic_vector(ACCESS_BITS - 1 downto 0)) return access_t is
    variable a : access_t;
    constant BEAT_AT : positive := 1 + ADDR_BITS;
    constant MASK_AT : positive := BEAT_AT + LOAD_BEAT_BITS;
  begin
    a.we        := v(0);
    a.line      := unsigned(v(ADDR_BITS downto 1));
    a.beat      := to_load_beat(v(MASK_AT - 1 downto BEAT_AT));
    a.mask      := v(MASK_AT + CORES - 1 downto MASK_AT);
    a.size      := v(MASK_AT + CORES + 2 downto MASK_AT + CORES);
    a.is_signed := v(MASK_AT + CORES + 3);
    return a;
  end function;

  signal queue_free    : std_ulogic;                         -- an access can enter the queue
  signal queue_empty   : std_ulogic;
  signal pushed        : std_ulogic_vector(QUEUE_BITS - 1 downto 0);
  signal head_bits     : std_ulogic_vector(QUEUE_BITS - 1 downto 0);
  signal waiting       : std_ulogic;                         -- there is a head, which waits for its grant
  signal made          : access_t;                           -- that of the beat in X, where capture is set
  signal head          : access_t;
  signal reading       : access_t;                           -- granted load, its data arrives
  signal arrives       : std_ulogic;
  signal done, done_in : lanes_t;                            -- lanes of the beat in X that were served
  signal capture       : std_ulogic;                         -- an access enters the queue
  signal wanted        : lanes_t;                            -- lanes that take part in the beat's accesses
  signal pending, served : lanes_t;
  signal lane_line     : lane_lines_t;
  signal place         : line_places_t;                      -- byte of the line, by lane
  signal reading_place : line_places_t;
  signal line          : line_t;
  signal word_offset   : address_t;                          -- bytes from the lane's address to the beat's word
  signal is_load       : std_ulogic;
  signal is_access     : std_ulogic;

begin

  is_load   <= work.gpu_pkg.is_load(beat_i.insn.control.mem);
  is_access <= beat_i.valid and (is_global(beat_i.insn.control.mem) or is_local(beat_i.insn.control.mem));

  -- Wide accesses are aligned: adding is OR.
  which_word : process (all)
  begin
    word_offset <= (others => '0');
    if is_global(beat_i.insn.control.mem) = '1' then
      word_offset(3 downto 2) <= beat_i.insn.part;
    end if;
  end process;

  lane : for l in 0 to CORES - 1 generate
    signal word    : word_t;
    signal address : address_t;
  begin
    address       <= unsigned(lanes_i(l).a(address_t'range)) or word_offset;
    wanted(l)     <= is_access and lanes_i(l).exec and not or_reduce(faults_i(l));
    lane_line(l)  <= address(address_t'high downto LINE_BITS);
    place(l)      <= address(LINE_BITS - 1 downto 0);
    served(l)     <= pending(l) and to_sl(lane_line(l) = line);
    places_o(l)   <= resize(place(l), place_t'length);

    u_deliver : entity work.mux_word
      generic map (CORES => CORES)
      port map (words_i => data_i, index_i => reading_place(l)(LINE_BITS - 1 downto 2), word_o => word);
    load_data_o(l) <= extract(word, reading_place(l)(1 downto 0), reading.size, reading.is_signed);
  end generate;

  pending  <= wanted and not done;
  served_o <= served;

  -- the line of the lowest pending lane
  choose_line : process (all)
    variable first  : lanes_t;
    variable chosen : line_t;
  begin
    first  := lowest_set(pending);
    chosen := (others => '0');
    for l in 0 to CORES - 1 loop
      if first(l) = '1' then
        chosen := chosen or lane_line(l);
      end if;
    end loop;
    line <= chosen;
  end process;

  comb : process (all)
    variable needs : std_ulogic;                             -- the beat makes an access now
    variable more  : std_ulogic;                             -- ... and another one after it
  begin
    needs   := or_reduce(pending) or (is_access and is_load and beat_i.last);
    more    := or_reduce(pending and not served);
    busy_o  <= (needs and not queue_free) or more;
    capture <= go_i and needs and queue_free;

    done_in <= done;
    if (go_i and needs and queue_free) = '1' then
      done_in <= (others => '0');
      if more = '1' then
        done_in <= done or served;
      end if;
    end if;

    made.we           <= not is_load;
    made.line         <= line;
    made.mask         <= served;
    made.size         <= beat_i.insn.control.mem_size;
    made.is_signed    <= beat_i.insn.control.mem_signed;
    made.beat.valid   <= '1';
    made.beat.last    <= beat_i.last and not more;
    made.beat.slot    <= beat_i.insn.slot;
    made.beat.row     <= beat_i.row;
    made.beat.part    <= beat_i.insn.part;
    made.beat.reg_row <= beat_i.insn.info.reg_base + beat_i.insn.control.dst_reg;
    made.beat.enable  <= not beat_i.insn.dropped;
  end process;

  u_queue : entity work.access_queue
    generic map (BITS => QUEUE_BITS, PLACES => QUEUE, SEED => SEED)
    port map (
      clk     => clk,
      rst     => rst,
      push_i  => capture,
      data_i  => pushed,
      free_o  => queue_free,
      valid_o => waiting,
      data_o  => head_bits,
      pop_i   => grant_i,
      empty_o => queue_empty
    );

  pushed(ACCESS_BITS - 1 downto 0) <= to_vector(made);
  head   <= to_access(head_bits(ACCESS_BITS - 1 downto 0));
  req_o  <= waiting;
  we_o   <= head.we;
  line_o <= resize(head.line, line_o'length);
  idle_o <= queue_empty and not arrives;

  places : for l in 0 to CORES - 1 generate
    pushed(PLACES_AT + l * LINE_BITS + LINE_BITS - 1 downto PLACES_AT + l * LINE_BITS) <= std_ulogic_vector(place(l));
  end generate;

  load_back : process (all)
  begin
    load_o       <= reading.beat;
    load_o.valid <= arrives;
    load_mask_o  <= reading.mask;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      done    <= done_in;
      arrives <= grant_i and not head.we;
      if grant_i = '1' then
        reading <= head;
        for l in 0 to CORES - 1 loop
          reading_place(l) <= unsigned(head_bits(PLACES_AT + l * LINE_BITS + LINE_BITS - 1
                                                 downto PLACES_AT + l * LINE_BITS));
        end loop;
      end if;
      if rst = '1' then
        arrives <= '0';
        done    <= (others => '0');
      end if;
    end if;
  end process;

  -- the line to write
  words : for w in 0 to CORES - 1 generate
    pushed(WORDS_AT + w * 36 + 35 downto WORDS_AT + w * 36) <= bytes_i(w) & words_i(w);
    bytes_o(w) <= head_bits(WORDS_AT + w * 36 + 35 downto WORDS_AT + w * 36 + 32);
    data_o(w)  <= head_bits(WORDS_AT + w * 36 + 31 downto WORDS_AT + w * 36);
  end generate;

end architecture;
