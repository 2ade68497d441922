-- SPDX-License-Identifier: Apache-2.0
-- One lane of the read half of the pipeline, from stage ROWS to the register in front of stage X1: the lane's address,
-- its register files, and the choice of each source. The beats themselves are in operand.vhd, which says when each
-- stage moves.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.operands_pkg.all;
use work.execute_pkg.all;

entity lane_operand is
  generic (
    REG_ADDR_BITS : positive;
    ROW_BITS      : natural;
    SEED          : natural
  );
  port (
    clk     : in  std_ulogic;
    moves_i : in  operands_moves_t;
    -- stage ROWS: address register
    areg_addr_i : in unsigned(SLOT_BITS + 2 + ROW_BITS - 1 downto 0);
    has_areg_i  : in  std_ulogic;                            -- the beat in ADDRESS has an address register
    -- stage BOUNDS
    bounds_control_i : in control_t;
    cells_i          : in  bounds_to_lane_t;
    bounds_cell_o    : out lane_to_memories_t;
    -- stage PASS
    again_i : in  std_ulogic;                                -- the beat in MEMORY has another pass
    cell_o  : out lane_to_memories_t;
    -- stage FILES
    reads_i    : in  files_to_lane_t;
    -- stage LATCH
    starts_i   : in  std_ulogic;                             -- the beat writes R0 of a warp that starts
    tid_i      : in  word_t;                                 -- the R0 of that warp
    enabled_i  : in  std_ulogic;                             -- the lane is active and this pass serves it
    -- stage SOURCES
    select_i  : in  latch_to_sources_t;
    row_i     : in  sources_to_lane_t;
    sources_i : in  memories_to_lane_t;
    -- stage X1
    operands_o : out lane_to_execute_t;
    stays_o    : out std_ulogic;                             -- the guard does not let the lane execute
    -- stage WRITE
    write_to_i : in  writeback_to_operands_t;
    results_i  : in  lane_to_files_t
  );
end entity;

architecture rtl of lane_operand is

  constant ROWS : positive := 2 ** ROW_BITS;
  subtype reg_addr_t is unsigned(REG_ADDR_BITS - 1 downto 0);

  function reg_addr(reg_row : reg_row_t; row : row_t) return reg_addr_t is
  begin
    return shift_left(resize(reg_row, REG_ADDR_BITS), ROW_BITS) or resize(row, REG_ADDR_BITS);
  end function;

  -- stage BOUNDS
  signal areg                : half_t;                       -- as the file gives it, in stage ADDRESS
  signal bounds_r, bounds_in : half_t;                       -- the A register's value, 0 for A0

  -- stages PASS to LATCH
  type address_t is record
    areg       : half_t;
    addr       : offset_t;
    word       : shared_word_t;
    byte       : unsigned(1 downto 0);
    const_addr : const_addr_t;
    faults     : faults_t;                                   -- of shared, constant and local memory
  end record;
  signal pass_r, pass_in            : address_t;
  signal memory_r, files_r, latch_r : address_t;

  -- stage SOURCES
  type sources_stage_t is record
    address : address_t;
    enabled : std_ulogic;
    tid     : word_t;                                        -- zero for all beats that do not start a warp
  end record;
  signal sources_r, sources_in : sources_stage_t;

  -- in stage SOURCES: of registers and flags
  type files_words_t is record
    reg_a, reg_b, reg_c : word_t;
    flags               : nibble_t;
  end record;
  signal files : files_words_t;

  -- stage X1
  type x1_stage_t is record
    operands : lane_to_execute_t;
    stays    : std_ulogic;
  end record;
  signal x1_r, x1_in : x1_stage_t;

  function gated(v : std_ulogic_vector; enable : std_ulogic) return std_ulogic_vector is
  begin
    return v and (v'range => enable);
  end function;

  function faults_of(c : control_t; cells : bounds_to_lane_t; indexed : offset_t) return faults_t is
    variable faults       : faults_t;
    variable const_low    : unsigned(3 downto 0);
    variable last         : signed(16 downto 0);
    variable misaligned   : std_ulogic;
    variable beyond       : std_ulogic;
    variable const_beyond : std_ulogic;
  begin
    -- The indexed address is the constant's only where there is no other: one comparison is enough.
    const_low := c.const_offset(3 downto 0);
    last      := cells.shared_last;
    if c.areg_in_const = '1' then
      const_low := indexed(3 downto 0);
      last      := cells.const_last;
    end if;
    misaligned   := not aligned(indexed(3 downto 0), c.mem_size);
    beyond       := exceeds(indexed, last);
    const_beyond := cells.const_beyond;
    if c.areg_in_const = '1' then
      const_beyond := beyond;
    end if;
    faults := (others => '0');
    faults(FAULT_SHARED_ALIGN) := c.reads_shared and misaligned;
    faults(FAULT_SHARED_RANGE) := c.reads_shared and beyond;
    faults(FAULT_LOCAL_ALIGN)  := is_local(c.mem) and misaligned;
    faults(FAULT_LOCAL_RANGE)  := is_local(c.mem) and beyond;
    faults(FAULT_CONST_ALIGN)  := c.reads_const and not aligned(const_low, c.const_size);
    faults(FAULT_CONST_RANGE)  := c.reads_const and const_beyond;
    return faults;
  end function;

  function address_of(c : control_t; cells : bounds_to_lane_t; reg : half_t) return address_t is
    variable indexed : offset_t;
    variable place   : shared_t;
  begin
    indexed := resize(unsigned(reg), 19) + cells.offset;
    place   := unsigned(reg(13 downto 0)) + cells.shared_at;
    return (areg       => reg,
            addr       => indexed,
            word       => place(13 downto 2),
            byte       => place(1 downto 0),
            const_addr => unsigned(gated(reg(12 downto 0), c.areg_in_const)) + cells.const_at,
            faults     => faults_of(c, cells, indexed));
  end function;

  function half_sign(reg : word_t; high : std_ulogic) return std_ulogic is
  begin
    return (reg(31) and high) or (reg(15) and not high);
  end function;

  -- Source b or c. Two bits choose, so that a bit takes two LUTs.
  function source(s : source_select_t; reg : word_t; row_value : word_t) return word_t is
    variable high  : std_ulogic_vector(1 downto 0);
    variable value : word_t;
  begin
    case s.low is
      when "00"   => value(15 downto 0) := reg(15 downto 0);
      when "01"   => value(15 downto 0) := reg(31 downto 16);
      when "10"   => value(15 downto 0) := row_value(15 downto 0);
      when "11"   => value(15 downto 0) := (others => '0');
      when others => value(15 downto 0) := (others => 'X');
    end case;

    high := s.high(1) & (s.high(0) or (s.extends and half_sign(reg, s.upper)));
    case high is
      when "00"   => value(31 downto 16) := reg(31 downto 16);
      when "01"   => value(31 downto 16) := row_value(31 downto 16);
      when "10"   => value(31 downto 16) := (others => '0');
      when "11"   => value(31 downto 16) := (others => '1');
      when others => value(31 downto 16) := (others => 'X');
    end case;
    return value;
  end function;

  -- Source a is never the row's value. All it can be goes through gates into one OR, which is narrower than a
  -- multiplexer of so many.
  function source_a(s : latch_to_sources_t; words : files_words_t; lane : sources_stage_t;
                    from : memories_to_lane_t; row : sources_to_lane_t) return word_t is
    variable v             : word_t;
    variable from_shared   : word_t;
    variable cell_whole    : std_ulogic;
    variable fill          : std_ulogic;
    variable local_row     : local_row_t;                    -- of the word, wide accesses being aligned
    variable local_address : word_t;
  begin
    from_shared   := extract(from.cell, lane.address.byte, s.narrow, s.whole, s.is_signed, s.cell);
    cell_whole    := s.cell and s.whole;
    local_row     := row.local_base + (lane.address.addr(15 downto 2) or resize(row.part, 14));
    local_address := std_ulogic_vector(local_row) & std_ulogic_vector(from.number)
                     & std_ulogic_vector(lane.address.addr(1 downto 0));
    fill          := (s.extends and half_sign(words.reg_a, s.upper)) or (from_shared(31) and not cell_whole);
    v(31 downto 16) := gated(from.cell(31 downto 16), cell_whole)
                       or gated(words.reg_a(31 downto 16), s.reg)
                       or (31 downto 16 => fill);
    v(15 downto 0)  := from_shared(15 downto 0)
                       or gated(words.reg_a(15 downto 0), s.lower)
                       or gated(words.reg_a(31 downto 16), s.upper)
                       or gated(lane.address.areg, s.areg)
                       or gated(x"000" & words.flags, s.creg);
    return v or from.special or lane.tid or gated(local_address, s.local);
  end function;

  function x1_of(s : latch_to_sources_t; words : files_words_t; lane : sources_stage_t;
                 from : memories_to_lane_t; row : sources_to_lane_t) return x1_stage_t is
    variable v : lane_to_execute_t;
  begin
    v.src_a    := source_a(s, words, lane, from, row);
    v.src_b    := source(s.src_b, words.reg_b, row.value);
    v.src_c    := source(s.src_c, words.reg_c, row.value);
    v.carry    := words.flags(2);
    v.factors  := s.factors;
    v.exec     := lane.enabled and row.truth(to_integer(unsigned(words.flags)));
    v.areg_new := std_ulogic_vector(unsigned(lane.address.areg) + unsigned(s.increment));
    v.addr     := lane.address.addr;
    v.place    := lane.address.word(4 downto 0) & lane.address.byte;
    v.faults   := lane.address.faults;
    return (operands => v, stays => lane.enabled and not v.exec);
  end function;

begin

  bounds_in <= gated(areg, has_areg_i);

  bounds_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i.bounds = '1' then
        bounds_r <= bounds_in;
      end if;
    end if;
  end process;

  pass_in       <= address_of(bounds_control_i, cells_i, bounds_r);
  bounds_cell_o <= (word => pass_in.word, const => pass_in.const_addr);

  pass_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i.pass = '1' then
        pass_r <= pass_in;
      end if;
    end if;
  end process;

  -- of the beat whose lanes are looked after
  asks : process (all)
  begin
    cell_o <= (word => pass_r.word, const => pass_r.const_addr);
    if again_i = '1' then
      cell_o <= (word => memory_r.word, const => memory_r.const_addr);
    end if;
  end process;

  memory_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i.memory = '1' then
        memory_r <= pass_r;
      end if;
    end if;
  end process;

  files_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i.files = '1' then
        files_r <= memory_r;
      end if;
    end if;
  end process;

  latch_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i.latch = '1' then
        latch_r <= files_r;
      end if;
    end if;
  end process;

  sources_in <= (address => latch_r, enabled => enabled_i, tid => tid_i);

  sources_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i.sources = '1' then
        sources_r <= sources_in;
        if starts_i = '0' then                               -- a reset of the register, where a gate takes LUTs
          sources_r.tid <= (others => '0');
        end if;
      end if;
    end if;
  end process;

  u_files : entity work.lane_files
    generic map (REG_ADDR_BITS => REG_ADDR_BITS, ROW_BITS => ROW_BITS, SEED => SEED)
    port map (
      clk           => clk,
      re_i          => moves_i.latch,
      latch_i       => moves_i.sources,
      src_a_addr_i  => reg_addr(reads_i.src_a, reads_i.row),
      src_b_addr_i  => reg_addr(reads_i.src_b, reads_i.row),
      src_c_addr_i  => reg_addr(reads_i.src_c, reads_i.row),
      src_a_o       => files.reg_a,
      src_b_o       => files.reg_b,
      src_c_o       => files.reg_c,
      waddr_i       => reg_addr(write_to_i.reg_row, write_to_i.reg_beat_row),
      flags_addr_i  => lane_file_addr(reads_i.slot, reads_i.creg, reads_i.row, ROWS),
      flags_o       => files.flags,
      flags_waddr_i => lane_file_addr(write_to_i.slot, write_to_i.creg_dst, write_to_i.row, ROWS),
      areg_re_i     => moves_i.address,
      areg_addr_i   => areg_addr_i,
      areg_o        => areg,
      areg_waddr_i  => lane_file_addr(write_to_i.areg_slot, areg_index(write_to_i.areg_dst), write_to_i.areg_row, ROWS),
      results_i     => results_i
    );

  x1_in <= x1_of(select_i, files, sources_r, sources_i, row_i);

  x1_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i.x1 = '1' then
        x1_r <= x1_in;
      end if;
    end if;
  end process;

  operands_o <= x1_r.operands;
  stays_o    <= x1_r.stays;

end architecture;
