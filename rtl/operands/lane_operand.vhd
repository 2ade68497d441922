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

  -- results of the lane in stage BOUNDS
  type address_t is record
    areg       : half_t;                                     -- the A register's value, 0 for A0
    addr       : offset_t;
    word       : shared_word_t;
    byte       : unsigned(1 downto 0);
    const_addr : const_addr_t;
    faults     : faults_t;                                   -- of shared, constant and local memory
  end record;

  signal pass_r, pass_in : address_t;
  signal memory_r        : address_t;
  signal files_r         : address_t;
  signal latch_r         : address_t;
  signal sources_r       : address_t;
  signal sources_enabled : std_ulogic;
  signal sources_tid     : word_t;                           -- zero for all other beats
  signal stays_in        : std_ulogic;
  signal x1_in           : lane_to_execute_t;

  signal areg        : half_t;                               -- as the file gives it, in stage ADDRESS
  signal bounds_areg, areg_in : half_t;
  signal reg_a       : word_t;
  signal reg_b       : word_t;
  signal reg_c       : word_t;
  signal flags       : nibble_t;

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

  function gated(v : std_ulogic_vector; enable : std_ulogic) return std_ulogic_vector is
  begin
    return v and (v'range => enable);
  end function;

begin

  stage_bounds : process (all)
    variable c            : control_t;
    variable indexed      : offset_t;
    variable const_areg   : half_t;                             -- that of the constant's address
    variable const_low    : unsigned(3 downto 0);
    variable place        : shared_t;
    variable last         : signed(16 downto 0);
    variable misaligned   : std_ulogic;
    variable beyond       : std_ulogic;
    variable const_beyond : std_ulogic;
  begin
    c := bounds_control_i;
    const_areg   := gated(bounds_areg, c.areg_in_const);
    indexed   := resize(unsigned(bounds_areg), 19) + cells_i.offset;
    const_low := c.const_offset(3 downto 0);
    if c.areg_in_const = '1' then
      const_low := indexed(3 downto 0);
    end if;

    pass_in.areg    <= bounds_areg;
    pass_in.addr <= indexed;
    place     := unsigned(bounds_areg(13 downto 0)) + cells_i.shared_at;
    pass_in.word <= place(13 downto 2);
    pass_in.byte <= place(1 downto 0);
    pass_in.const_addr <= unsigned(const_areg(12 downto 0)) + cells_i.const_at;
    misaligned  := not aligned(indexed(3 downto 0), c.mem_size);
    -- The indexed address is the constant's only where there is no other: one comparison is enough.
    last := cells_i.shared_last;
    if c.areg_in_const = '1' then
      last := cells_i.const_last;
    end if;
    beyond       := exceeds(indexed, last);
    const_beyond := cells_i.const_beyond;
    if c.areg_in_const = '1' then
      const_beyond := beyond;
    end if;
    pass_in.faults <= (others => '0');
    pass_in.faults(FAULT_SHARED_ALIGN) <= c.reads_shared and misaligned;
    pass_in.faults(FAULT_SHARED_RANGE) <= c.reads_shared and beyond;
    pass_in.faults(FAULT_LOCAL_ALIGN)  <= is_local(c.mem) and misaligned;
    pass_in.faults(FAULT_LOCAL_RANGE)  <= is_local(c.mem) and beyond;
    pass_in.faults(FAULT_CONST_ALIGN)  <= c.reads_const and not aligned(const_low, c.const_size);
    pass_in.faults(FAULT_CONST_RANGE)  <= c.reads_const and const_beyond;
  end process;

  bounds_cell_o <= (word => pass_in.word, const => pass_in.const_addr);

  -- of the beat whose lanes are looked after
  asks : process (all)
  begin
    cell_o <= (word => pass_r.word, const => pass_r.const_addr);
    if again_i = '1' then
      cell_o <= (word => memory_r.word, const => memory_r.const_addr);
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
      src_a_o       => reg_a,
      src_b_o       => reg_b,
      src_c_o       => reg_c,
      waddr_i       => reg_addr(write_to_i.reg_row, write_to_i.reg_beat_row),
      flags_addr_i  => lane_file_addr(reads_i.slot, reads_i.creg, reads_i.row, ROWS),
      flags_o       => flags,
      flags_waddr_i => lane_file_addr(write_to_i.slot, write_to_i.creg_dst, write_to_i.row, ROWS),
      areg_re_i     => moves_i.address,
      areg_addr_i   => areg_addr_i,
      areg_o        => areg,
      areg_waddr_i  => lane_file_addr(write_to_i.areg_slot, areg_index(write_to_i.areg_dst), write_to_i.areg_row, ROWS),
      results_i     => results_i
    );

  stage_sources : process (all)
    variable s             : latch_to_sources_t;
    variable v             : lane_to_execute_t;
    variable from_shared   : word_t;                         -- the shared one, where it is source a
    variable cell_whole    : std_ulogic;
    variable src_a_fill    : std_ulogic;
    variable local_row     : local_row_t;                    -- of the word, wide accesses being aligned
    variable local_address : word_t;
  begin
    s := select_i;
    v := LANE_TO_EXECUTE_INIT;

    v.src_b := source(s.src_b, reg_b, row_i.value);
    v.src_c := source(s.src_c, reg_c, row_i.value);

    -- Source a is never the row's value. All it can be goes through gates into one OR, which is narrower than a
    -- multiplexer of so many.
    from_shared   := extract(sources_i.cell, sources_r.byte, s.narrow, s.whole, s.is_signed, s.cell);
    cell_whole    := s.cell and s.whole;
    local_row     := row_i.local_base + (sources_r.addr(15 downto 2) or resize(row_i.part, 14));
    local_address := std_ulogic_vector(local_row) & std_ulogic_vector(sources_i.number)
                     & std_ulogic_vector(sources_r.addr(1 downto 0));
    src_a_fill        := (s.extends and half_sign(reg_a, s.upper)) or (from_shared(31) and not cell_whole);
    v.src_a(31 downto 16) := gated(sources_i.cell(31 downto 16), cell_whole)
                         or gated(reg_a(31 downto 16), s.reg)
                         or (31 downto 16 => src_a_fill);
    v.src_a(15 downto 0)  := from_shared(15 downto 0)
                         or gated(reg_a(15 downto 0), s.lower)
                         or gated(reg_a(31 downto 16), s.upper)
                         or gated(sources_r.areg, s.areg)
                         or gated(x"000" & flags, s.creg);
    v.src_a := v.src_a or sources_i.special or sources_tid or gated(local_address, s.local);

    v.carry := flags(2);
    v.factors := s.factors;
    v.exec  := sources_enabled and row_i.truth(to_integer(unsigned(flags)));
    v.areg_new := std_ulogic_vector(unsigned(sources_r.areg) + unsigned(s.increment));
    v.addr  := sources_r.addr;
    v.place := sources_r.word(4 downto 0) & sources_r.byte;
    v.faults := sources_r.faults;
    x1_in    <= v;
    stays_in <= sources_enabled and not v.exec;
  end process;

  areg_in <= gated(areg, has_areg_i);

  regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i.bounds = '1' then
        bounds_areg <= areg_in;
      end if;
      if moves_i.pass = '1' then
        pass_r <= pass_in;
      end if;
      if moves_i.memory = '1' then
        memory_r <= pass_r;
      end if;
      if moves_i.files = '1' then
        files_r <= memory_r;
      end if;
      if moves_i.latch = '1' then
        latch_r <= files_r;
      end if;
      if moves_i.sources = '1' then
        sources_r       <= latch_r;
        sources_enabled <= enabled_i;
        sources_tid     <= tid_i;
        if starts_i = '0' then                               -- a reset of the register, where a gate takes LUTs
          sources_tid <= (others => '0');
        end if;
      end if;
      if moves_i.x1 = '1' then
        operands_o <= x1_in;
        stays_o    <= stays_in;
      end if;
    end if;
  end process;

end architecture;
