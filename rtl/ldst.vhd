-- SPDX-License-Identifier: Apache-2.0
-- Load/store unit of one SM, beside stage X: turns the lanes of a beat into accesses to global memory. A line is CORES aligned words; all lanes
-- of a beat that fall in one line are one access. A beat that touches several lines stays in stage X (busy_o) and makes one access after the
-- other, the line of its lowest lane first. Stores are posted. Loads come back in order as load beats; the last beat of a load always makes
-- an access, if only an empty one, so that its end is seen.
-- Lanes that store to the same byte in one access: the highest lane wins.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;

entity ldst is
  generic (
    CORES        : positive;
    GLOBAL_BYTES : positive
  );
  port (
    clk      : in  std_ulogic;
    rst      : in  std_ulogic;
    -- stage X
    beat_i   : in  beat_t;
    lanes_i  : in  lanes_operands_t(0 to CORES - 1);
    go_i     : in  std_ulogic;                               -- stage Y can take the beat, nothing has trapped
    busy_o   : out std_ulogic;                               -- the beat must stay in stage X
    faults_o : out faults_lanes_t(0 to CORES - 1);           -- of the lanes that execute
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

  constant LINE_BITS : positive := 2 + log2(CORES);          -- byte address bits within a line

  subtype lanes_t is std_ulogic_vector(CORES - 1 downto 0);
  subtype place_t is unsigned(LINE_BITS - 1 downto 0);
  type places_t is array (0 to CORES - 1) of place_t;

  -- one access, and what a load needs to sort its data out
  type access_t is record
    valid     : std_ulogic;
    we        : std_ulogic;
    line      : unsigned(31 downto 0);
    beat      : load_beat_t;
    mask      : lanes_t;
    place     : places_t;                                    -- byte of the line, by lane
    size      : size_t;
    is_signed : std_ulogic;
  end record;

  signal queued, queued_in : access_t;                       -- waits for its grant
  signal reading           : access_t;                       -- granted load, its data arrives
  signal bytes, bytes_in   : nibbles_t(0 to CORES - 1);
  signal data, data_in     : words_t(0 to CORES - 1);
  signal done, done_in     : lanes_t;                        -- lanes of the beat in X that were served

begin

  comb : process (all)
    variable c       : control_t;
    variable is_load : std_ulogic;
    variable is_access : std_ulogic;
    variable faults  : faults_t;
    variable pending : lanes_t;
    variable served  : lanes_t;
    variable first   : lanes_t;
    variable line    : unsigned(31 downto 0);
    variable free    : std_ulogic;
    variable needs   : std_ulogic;
    variable v       : access_t;
    variable enable  : nibble_t;
    variable word    : word_t;
    variable lane_bytes : nibble_t;
    variable lane_data  : word_t;
  begin
    c         := beat_i.insn.control;
    is_load   := to_sl(c.mem = MEM_GLOBAL_LOAD);
    is_access := beat_i.valid and (is_load or to_sl(c.mem = MEM_GLOBAL_STORE));

    -- lanes that take part
    for l in 0 to CORES - 1 loop
      faults := lanes_i(l).faults;
      if is_access = '1' then
        faults(FAULT_GLOBAL_ALIGN) := not aligned(unsigned(lanes_i(l).a(1 downto 0)), c.mem_size);
        faults(FAULT_GLOBAL_RANGE) := to_sl(unsigned(lanes_i(l).a) >= GLOBAL_BYTES);
      end if;
      if lanes_i(l).exec = '0' then
        faults := (others => '0');
      end if;
      faults_o(l) <= faults;
      pending(l)  := is_access and lanes_i(l).exec and not or_reduce(faults) and not done(l);
    end loop;

    -- the line of the lowest of them, and who else is in it
    first := lowest_set(pending);
    line  := (others => '0');
    for l in 0 to CORES - 1 loop
      if first(l) = '1' then
        line := line or shift_right(unsigned(lanes_i(l).a), LINE_BITS);
      end if;
    end loop;
    for l in 0 to CORES - 1 loop
      served(l) := pending(l) and to_sl(shift_right(unsigned(lanes_i(l).a), LINE_BITS) = line);
    end loop;

    free   := not queued.valid or grant_i;
    needs  := or_reduce(pending) or (is_access and is_load and beat_i.last);
    busy_o <= (needs and not free) or or_reduce(pending and not served);

    v        := queued;
    bytes_in <= bytes;
    data_in  <= data;
    done_in  <= done;
    if grant_i = '1' then
      v.valid := '0';
    end if;
    if go_i = '1' then
      if needs = '1' and free = '1' then
        v.valid        := '1';
        v.we           := not is_load;
        v.line         := line;
        v.mask         := served;
        v.size         := c.mem_size;
        v.is_signed    := c.mem_signed;
        v.beat.valid   := '1';
        v.beat.last    := beat_i.last and not or_reduce(pending and not served);
        v.beat.slot    := beat_i.insn.slot;
        v.beat.row     := beat_i.row;
        v.beat.reg_row := beat_i.insn.info.reg_base + c.dst_reg;
        v.beat.enable  := to_sl(c.dst /= DST_NONE);
        for l in 0 to CORES - 1 loop
          v.place(l) := unsigned(lanes_i(l).a(LINE_BITS - 1 downto 0));
        end loop;

        -- the line to write: for each word, the lanes that are in it
        for w in 0 to CORES - 1 loop
          enable := "0000";
          word   := (others => '0');
          for l in 0 to CORES - 1 loop
            if served(l) = '1' and unsigned(lanes_i(l).a(LINE_BITS - 1 downto 2)) = w then
              lane_bytes := enables(unsigned(lanes_i(l).a(1 downto 0)), c.mem_size);
              lane_data  := replicate(lanes_i(l).c, c.mem_size);
              enable     := enable or lane_bytes;
              for b in 0 to 3 loop
                if lane_bytes(b) = '1' then
                  word(8 * b + 7 downto 8 * b) := lane_data(8 * b + 7 downto 8 * b);
                end if;
              end loop;
            end if;
          end loop;
          bytes_in(w) <= enable;
          data_in(w)  <= word;
        end loop;
      end if;
      if or_reduce(pending and not served) = '1' then
        if free = '1' then
          done_in <= done or served;
        end if;
      elsif not (needs = '1' and free = '0') then
        done_in <= (others => '0');                          -- the beat leaves
      end if;
    end if;
    queued_in <= v;
  end process;

  req_o   <= queued.valid;
  we_o    <= queued.we;
  line_o  <= queued.line;
  bytes_o <= bytes;
  data_o  <= data;
  idle_o  <= not queued.valid and not reading.valid;

  deliver : process (all)
    variable word : word_t;
  begin
    load_o       <= reading.beat;
    load_o.valid <= reading.valid;
    load_mask_o  <= reading.mask;
    for l in 0 to CORES - 1 loop
      word           := data_i(to_integer(reading.place(l)(LINE_BITS - 1 downto 2)));
      load_data_o(l) <= extract(word, reading.place(l)(1 downto 0), reading.size, reading.is_signed);
    end loop;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      queued <= queued_in;
      bytes  <= bytes_in;
      data   <= data_in;
      done   <= done_in;
      reading.valid <= '0';
      if grant_i = '1' then
        reading       <= queued;
        reading.valid <= queued.valid and not queued.we;
      end if;
      if rst = '1' then
        queued.valid  <= '0';
        reading.valid <= '0';
        done          <= (others => '0');
      end if;
    end if;
  end process;

end architecture;
