-- SPDX-License-Identifier: Apache-2.0
-- The read half of the pipeline. A stage moves when the next one does; advance_i low stops all.
--
--   ROWS     issues the rows of an instruction, one beat a cycle; reads address registers
--   ADDRESS  latches them; adds offsets to bases
--   BOUNDS   adds address registers, checks addresses, finds lanes that conflict
--   PASS     selects the lanes of a pass over shared memory and constants
--   MEMORY   reads them; a row with conflicts goes on in several beats
--   FILES    reads registers and flags
--   LATCH    latches them; gathers shared words; extracts the constant
--   SOURCES  selects the sources; evaluates the guard

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.isa_pkg.all;
use work.control_pkg.all;
use work.gpu_pkg.all;
use work.machine_pkg.all;
use work.stages_pkg.all;
use work.front_pkg.all;
use work.operands_pkg.all;
use work.branch_pkg.all;
use work.execute_pkg.all;
use work.host_pkg.all;
use work.lists_pkg.all;

entity operand is
  generic (
    CONFIG : config_t := CONFIG_DEFAULT;
    SM     : natural  := 0                                   -- number of this SM
  );
  port (
    clk       : in  std_ulogic;
    rst       : in  std_ulogic;
    launch_i  : in  launch_t;
    clock_i   : in  word_t;                                  -- value of S2R SR1
    -- from issue
    issue_i : in  front_to_operands_t;
    front_o : out operands_to_front_t;
    -- thread ids for the beats that start a warp
    tid_i : in  words_t(0 to CONFIG.CORES - 1);
    tid_o : out operands_to_thread_ids_t;
    -- to execute
    advance_i : in  execute_to_operands_t;                   -- stage X1 takes the beat that SOURCES offers
    lanes_o   : out lanes_to_execute_t(0 to CONFIG.CORES - 1);
    stages_o  : out beats_t(STAGE_ROWS to STAGE_X1);         -- X1: to execute; all, for the scoreboard
    later_i   : in  beats_t(STAGE_X2 to STAGE_X3);
    -- branches that are answered early
    address_early_i : in  early_to_operands_t;               -- the warp of the instruction in ADDRESS goes on so
    guard_o         : out operands_to_early_t;
    -- shared stores of stage SORT and the dispatcher's words, by bank
    stores_i : in  word_writes_t(0 to CONFIG.CORES - 1);
    init_i   : in  dispatch_to_shared_t;                     -- the dispatcher's is written now
    -- writes of stage WRITE
    write_to_i : in  writeback_to_operands_t;
    results_i  : in  lanes_to_files_t(0 to CONFIG.CORES - 1);
    -- host's access to constant memory
    host_i       : in  host_to_memories_t;
    const_data_o : out word_t
  );
end entity;

architecture rtl of operand is

  constant CORES : positive := CONFIG.CORES;

  constant ROWS          : positive := LANES / CORES;
  constant ROW_BITS      : natural  := log2(ROWS);
  constant REG_ADDR_BITS : positive := log2(CONFIG.REGISTERS / CORES);
  constant FILE_BITS     : positive := lane_file_bits(ROWS);

  subtype file_addr_t is unsigned(FILE_BITS - 1 downto 0);
  subtype lanes_t is std_ulogic_vector(CORES - 1 downto 0);

  function asks_special(c : control_t) return std_ulogic is
  begin
    return to_sl(CONFIG.HAS_SFU and c.special /= SPECIAL_NONE);
  end function;

  -- Two lanes have a wide multiplier together.
  constant IN_PAIRS : boolean := CONFIG.WIDE > 0 and CONFIG.WIDE < CORES;

  -- Four lanes share a special-function unit: a pass serves one of each four, the same one. So it is with two lanes and
  -- a wide multiplier. Lower lanes that it does not serve with this one.
  function unit_conflicts(number : natural; lanes : positive) return lane_mask_t is
    variable mask : lane_mask_t := (others => '0');
  begin
    for l in 0 to number - 1 loop
      mask(l) := to_sl(l mod lanes /= number mod lanes);
    end loop;
    return mask;
  end function;

  -- The lanes that the pass serves.
  function special_served(pending : lanes_t) return lanes_t is
    variable wanted : nibble_t := "0000";
    variable mask   : lanes_t;
  begin
    for l in pending'range loop
      wanted(l mod 4) := wanted(l mod 4) or pending(l);
    end loop;
    wanted := lowest_set(wanted);
    for l in pending'range loop
      mask(l) := wanted(l mod 4) and pending(l);
    end loop;
    return mask;
  end function;

  function pair_served(pending : lanes_t) return lanes_t is
    variable even : lanes_t;
  begin
    for l in pending'range loop
      even(l) := to_sl(l mod 2 = 0);
    end loop;
    if or_reduce(pending and even) = '1' then
      return pending and even;
    end if;
    return pending;
  end function;

  -- The lanes that a pass serves, of those that none has served.
  function pass_of(c : control_t; pending, shared_served, const_served : lanes_t) return lanes_t is
    variable pass : lanes_t := pending;
  begin
    if c.reads_shared = '1' then
      pass := pass and shared_served;
    end if;
    if c.reads_const = '1' then
      pass := pass and const_served;
    end if;
    if asks_special(c) = '1' then
      pass := special_served(pending);                       -- its operand is a register
    end if;
    if IN_PAIRS then
      if is_wide(c) = '1' then
        pass := pair_served(pass);
      end if;
    end if;
    return pass;
  end function;

  -- No pass serves all of them.
  function disagree(pending : lanes_t; conflicts : lane_pairs_t) return std_ulogic is
    variable any : std_ulogic := '0';
  begin
    for l in 0 to CORES - 1 loop
      any := any or (pending(l) and or_reduce(pending and conflicts(l)(CORES - 1 downto 0)));
    end loop;
    return any;
  end function;

  -- It stores to the shared memory that the other one reads. (A store finds its passes as if it read.)
  function stores_for(reader, writer : beat_t) return std_ulogic is
  begin
    return reader.valid and reader.insn.control.reads_shared
           and to_sl(reader.insn.control.mem /= MEM_SHARED_STORE)
           and writer.valid and to_sl(writer.insn.control.mem = MEM_SHARED_STORE)
           and to_sl(writer.insn.info.block_slot = reader.insn.info.block_slot);
  end function;

  -- stage ROWS
  type rows_stage_t is record
    insn : front_to_operands_t;
    row  : row_t;
  end record;
  signal rows_r, rows_in : rows_stage_t;
  signal whole, whole_in : std_ulogic;                       -- it has the last row, or none: gets another one
  signal rows_beat       : beat_t;
  signal enters          : front_to_operands_t;              -- the next beat of stage ROWS is one of this

  -- stage ADDRESS
  signal address_beat, address_in : beat_t;

  -- stage BOUNDS
  type bounds_stage_t is record
    beat  : beat_t;
    cells : bounds_to_lane_t;
  end record;
  signal bounds_r, bounds_in               : bounds_stage_t;
  signal bank_we                           : std_ulogic_vector(0 downto 0);
  signal bank_read                         : word_t;
  signal bounds_words                      : shared_words_t(0 to CORES - 1);
  signal bounds_const_addrs                : const_addrs_t(0 to CORES - 1);
  signal shared_conflicts, const_conflicts : lane_pairs_t(0 to CORES - 1);
  signal bounds_conflicts                  : lane_pairs_t(0 to CORES - 1); -- of each lane: lower ones that no pass
                                                                           -- serves with it

  -- stage PASS
  type pass_stage_t is record
    beat      : beat_t;
    src_a_row : reg_row_t;
    src_b_row : reg_row_t;
    src_c_row : reg_row_t;
    active    : lanes_t;
    conflicts : lane_pairs_t(0 to CORES - 1);
  end record;
  signal pass_r, pass_in           : pass_stage_t;
  signal pass_waits, pass_waits_in : std_ulogic;             -- a shared store ahead is not written yet
  signal pass_lanes, memory_lanes  : lanes_t;                -- lanes of the next pass of the beat in PASS, or MEMORY
  signal pass_many, memory_many    : std_ulogic;             -- more passes of that beat follow

  -- stage MEMORY
  type memory_stage_t is record
    beat      : beat_t;
    src_a_row : reg_row_t;
    src_b_row : reg_row_t;
    src_c_row : reg_row_t;
    served    : lanes_t;                                     -- lanes of this pass
    rest      : lanes_t;                                     -- lanes of the passes that follow
    more      : std_ulogic;                                  -- rest is not empty
    conflicts : lane_pairs_t(0 to CORES - 1);
  end record;
  signal memory_r, memory_in         : memory_stage_t;
  signal memory_more, memory_more_in : std_ulogic;           -- another pass follows

  -- stage FILES
  type files_stage_t is record
    beat      : beat_t;
    src_a_row : reg_row_t;
    src_b_row : reg_row_t;
    src_c_row : reg_row_t;
    served    : lanes_t;
    first     : std_ulogic;                                  -- it starts a block: the first row of its first warp
  end record;
  signal files_r, files_in : files_stage_t;

  -- stage LATCH
  signal latch_r : files_stage_t;

  -- stage SOURCES
  type sources_stage_t is record
    beat        : beat_t;
    truth       : half_t;                                    -- its guard, by flags
    value       : word_t;                                    -- its constant or immediate, never both
    asks_physid : std_ulogic;                                -- it reads this special register
    asks_clock  : std_ulogic;
    selects     : latch_to_sources_t;
  end record;
  signal sources_r, sources_in : sources_stage_t;
  signal sources_row           : sources_to_lane_t;

  -- stage X1
  signal x1_beat             : beat_t;
  signal x1_asks, x1_asks_in : std_ulogic;                   -- it may be answered early

  signal moves                           : operands_moves_t;
  signal front_advance, front_advance_in : std_ulogic;       -- ROWS, ADDRESS, BOUNDS and PASS take new beats
  signal areg_addr                       : file_addr_t;
  signal file_reads                      : files_to_lane_t;

  signal store_bytes                              : nibbles_t(0 to CORES - 1);
  signal store_data                               : words_t(0 to CORES - 1);
  signal shared_words                             : shared_words_t(0 to CORES - 1);
  signal pass_shared_served, memory_shared_served : lanes_t;
  signal shared_data                              : words_t(0 to CORES - 1);
  signal const_addrs                              : const_addrs_t(0 to CORES - 1);
  signal pass_const_served, memory_const_served   : lanes_t;
  signal const_data                               : word_t;  -- of the beat in LATCH
  signal const_byte                               : unsigned(1 downto 0);
  signal special                                  : words_t(0 to CORES - 1);
  signal has_areg                                 : std_ulogic;
  signal x1_lanes                                 : lanes_to_execute_t(0 to CORES - 1);
  signal x1_stays                                 : lanes_t;
  signal warp_lane                                : lane_numbers_t(0 to CORES - 1); -- of the beat in SOURCES

begin

  --------------------------------------------------------------------------------------------------------------
  -- Stages that take a beat: ROWS to PASS together, found one cycle ahead; MEMORY to X1 when X1 does.

  moves <= (address => front_advance and rows_r.insn.valid,
            bounds  => front_advance and address_beat.valid,
            pass    => front_advance and bounds_r.beat.valid,
            memory  => advance_i.now and pass_r.beat.valid and not memory_more,
            files   => advance_i.now and memory_r.beat.valid,
            latch   => advance_i.now and files_r.beat.valid,
            sources => advance_i.now and latch_r.beat.valid,
            x1      => advance_i.now and sources_r.beat.valid);

  front_advance_in <= advance_i.soon and not (memory_more_in or pass_waits_in);

  front_regs : process (clk)
  begin
    if rising_edge(clk) then
      front_advance <= front_advance_in;
      if rst = '1' or advance_i.flush = '1' then
        front_advance <= advance_i.soon;
      end if;
    end if;
  end process;

  --------------------------------------------------------------------------------------------------------------
  -- ROWS: one beat a row

  to_rows : process (all)
    variable v : rows_stage_t;
  begin
    v        := rows_r;
    whole_in <= to_sl(to_integer(rows_r.row) + 2 = ROWS);
    front_o.early_at.below <= rows_r.insn.state.depth - 1;
    if rows_r.insn.valid = '1' then
      v.row := rows_r.row + 1;
    end if;
    if whole = '1' then
      v        := (insn => issue_i, row => "00");            -- valid or not: that is known late
      whole_in <= to_sl(ROWS = 1) or not issue_i.valid;
      front_o.early_at.below <= issue_i.state.depth - 1;     -- not behind the choice: both are there early
    end if;
    rows_in <= v;
    enters  <= v.insn;
    front_o.ready <= front_advance and whole;
  end process;

  rows_regs : process (clk)
  begin
    if rising_edge(clk) then
      if front_advance = '1' then
        rows_r <= rows_in;
        whole  <= whole_in;
      end if;
      if rst = '1' or advance_i.flush = '1' then
        rows_r.insn.valid <= '0';
        whole             <= '1';
      end if;
    end if;
  end process;

  areg_addr <= lane_file_addr(rows_r.insn.slot, areg_index(rows_r.insn.control.areg), rows_r.row, ROWS);

  --------------------------------------------------------------------------------------------------------------
  -- ADDRESS: addresses before the address register

  to_address : process (all)
    variable v : beat_t;
  begin
    v       := BEAT_INIT;
    v.insn  := rows_r.insn;
    v.valid := rows_r.insn.valid;
    v.row   := rows_r.row;
    v.last  := to_sl(rows_r.row = ROWS - 1) and not rows_r.insn.more;
    rows_beat <= v;
    v.insn.early      := address_early_i;                    -- in ADDRESS is the row before
    v.insn.early.goes := address_early_i.goes and to_sl(rows_r.row /= 0); -- no `if`: at 32 cores ghdl 2.0 breaks off
                                                                          -- at it
    address_in <= v;
  end process;

  address_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves.address = '1' then
        address_beat <= address_in;
      elsif address_beat.valid = '1' then
        address_beat.insn.early <= address_early_i;
      end if;
      if front_advance = '1' then
        address_beat.valid <= address_in.valid;
      end if;
      if rst = '1' or advance_i.flush = '1' then
        address_beat.valid <= '0';
      end if;
    end if;
  end process;

  has_areg <= to_sl(address_beat.insn.control.areg /= 0);

  to_bounds : process (all)
    variable v     : bounds_stage_t;
    variable c     : control_t;
    variable limit : unsigned(15 downto 0);                  -- bytes of shared memory of a block, or local of a thread
  begin
    v := bounds_r;                                           -- whole: ghdl writes initial values of parts as a string
    c := address_beat.insn.control;
    v.beat := address_beat;
    v.beat.insn.early := address_early_i;
    v.cells.offset := resize(c.const_offset, 19);
    if c.areg_in_shared = '1' then
      v.cells.offset := resize(c.offset, 19);
    end if;
    v.cells.shared_at := resize(v.cells.offset, 14) + address_beat.insn.info.shared_base;
    v.cells.const_at  := resize(c.const_offset, 13) + unsigned(bank_read(12 downto 0));
    limit := launch_i.shared_bytes;
    if is_local(c.mem) = '1' then
      limit := launch_i.local_bytes;
    end if;
    v.cells.shared_last  := signed('0' & limit) - bytes_of(c.mem_size);
    v.cells.const_last   := signed('0' & bank_read(31 downto 16)) - bytes_of(c.const_size);
    v.cells.const_beyond := exceeds(resize(c.const_offset, offset_t'length), v.cells.const_last);
    bounds_in <= v;
  end process;

  bounds_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves.bounds = '1' then
        bounds_r <= bounds_in;
      end if;
      if front_advance = '1' then
        bounds_r.beat.valid <= address_beat.valid;
      end if;
      if rst = '1' or advance_i.flush = '1' then
        bounds_r.beat.valid <= '0';
      end if;
    end if;
  end process;

  bank_we(0) <= host_i.bank_we;
  u_banks : entity work.ram_1r1w
    generic map (ADDR_BITS => 4, COLUMN_BITS => 32, SEED => CONFIG.SEED)
    port map (
      clk     => clk,
      re_i    => moves.address,
      raddr_i => rows_r.insn.control.bank,
      rdata_o => bank_read,
      we_i    => bank_we,
      waddr_i => host_i.addr(5 downto 2),
      wdata_i => host_i.data
    );

  --------------------------------------------------------------------------------------------------------------
  -- BOUNDS: pairs of lanes that no pass serves together; registers

  find_conflicts : process (all)
    variable c         : control_t;
    variable conflicts : lane_mask_t;
  begin
    c := bounds_r.beat.insn.control;
    for l in 0 to CORES - 1 loop
      conflicts := (shared_conflicts(l) and lane_mask_t'(others => c.reads_shared))
                   or (const_conflicts(l) and lane_mask_t'(others => c.reads_const))
                   or (unit_conflicts(l, 4) and lane_mask_t'(others => asks_special(c)));
      if IN_PAIRS then
        conflicts := conflicts or (unit_conflicts(l, 2) and lane_mask_t'(others => is_wide(c)));
      end if;
      bounds_conflicts(l) <= conflicts;
    end loop;
  end process;

  to_pass : process (all)
    variable v    : pass_stage_t;
    variable c    : control_t;
    variable info : warp_info_t;
  begin
    v    := pass_r;                                          -- whole, as above
    c    := bounds_r.beat.insn.control;
    info := bounds_r.beat.insn.info;
    v.beat    := bounds_r.beat;
    v.active  := row_of(bounds_r.beat.insn.state.active, bounds_r.beat.row, CORES);
    v.src_a_row   := info.reg_base + c.src_a_reg;
    v.src_b_row   := info.reg_base + c.src_b_reg;
    v.src_c_row   := info.reg_base + c.src_c_reg;
    v.conflicts := bounds_conflicts;
    pass_in <= v;
  end process;

  pass_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves.pass = '1' then
        pass_r <= pass_in;
      end if;
      if front_advance = '1' then
        pass_r.beat.valid <= bounds_r.beat.valid;
      end if;
      pass_waits <= pass_waits_in;
      if rst = '1' or advance_i.flush = '1' then
        pass_r.beat.valid <= '0';
        pass_waits        <= '0';
      end if;
    end if;
  end process;

  --------------------------------------------------------------------------------------------------------------
  -- PASS: lanes that one pass serves

  -- Of the beat in PASS, its first pass, and of that in MEMORY another one: both are found at once, and chosen late.
  pass_lanes   <= pass_of(pass_r.beat.insn.control, pass_r.active, pass_shared_served, pass_const_served);
  memory_lanes <= pass_of(memory_r.beat.insn.control, memory_r.rest, memory_shared_served, memory_const_served);
  pass_many    <= disagree(pass_r.active, pass_r.conflicts);
  memory_many  <= disagree(memory_r.rest, memory_r.conflicts);

  -- A read in MEMORY must come after earlier stores, which write in MERGE, two cycles after X3. Found one cycle ahead,
  -- for the beat that is in PASS then.
  look_ahead : process (all)
    variable waits : std_ulogic;
  begin
    if front_advance = '1' then
      waits := stores_for(bounds_r.beat, pass_r.beat) or stores_for(bounds_r.beat, memory_r.beat)
               or stores_for(bounds_r.beat, files_r.beat) or stores_for(bounds_r.beat, latch_r.beat)
               or stores_for(bounds_r.beat, sources_r.beat) or stores_for(bounds_r.beat, x1_beat)
               or stores_for(bounds_r.beat, later_i(STAGE_X2)) or stores_for(bounds_r.beat, later_i(STAGE_X3));
    else
      waits := stores_for(pass_r.beat, memory_r.beat) or stores_for(pass_r.beat, files_r.beat)
               or stores_for(pass_r.beat, latch_r.beat) or stores_for(pass_r.beat, sources_r.beat)
               or stores_for(pass_r.beat, x1_beat)
               or stores_for(pass_r.beat, later_i(STAGE_X2)) or stores_for(pass_r.beat, later_i(STAGE_X3));
    end if;
    pass_waits_in <= waits;
  end process;

  --------------------------------------------------------------------------------------------------------------
  -- MEMORY: shared and constant memory

  -- The next beat of MEMORY has another pass.
  memory_more_in <= memory_more when advance_i.now = '0' else
                    memory_many and memory_r.beat.valid when memory_more = '1' else
                    pass_many and pass_r.beat.valid and not pass_waits;

  to_memory : process (all)
    variable v : memory_stage_t;
  begin
    v := (beat => pass_r.beat, src_a_row => pass_r.src_a_row, src_b_row => pass_r.src_b_row,
          src_c_row => pass_r.src_c_row, served => pass_lanes, rest => pass_r.active and not pass_lanes,
          more => memory_more_in, conflicts => pass_r.conflicts);
    if memory_more = '1' then
      v.served := memory_lanes;
      v.rest   := memory_r.rest and not memory_lanes;
    end if;
    memory_in            <= v;
    memory_in.beat.valid <= pass_r.beat.valid and not pass_waits;
  end process;

  memory_regs : process (clk)
  begin
    if rising_edge(clk) then
      if advance_i.now = '1' and memory_more = '1' then
        memory_r.served <= memory_in.served;
        memory_r.rest   <= memory_in.rest;
      end if;
      if moves.memory = '1' then
        memory_r <= memory_in;
      end if;
      memory_r.more <= memory_in.more;
      if advance_i.now = '1' and memory_more = '0' then
        memory_r.beat.valid <= memory_in.beat.valid;
      end if;
      if rst = '1' or advance_i.flush = '1' then
        memory_r.beat.valid <= '0';
        memory_r.more       <= '0';
      end if;
    end if;
  end process;

  memory_more <= memory_r.more;

  --------------------------------------------------------------------------------------------------------------
  -- FILES

  to_files : process (all)
    variable v : files_stage_t;
  begin
    v := (beat => memory_r.beat, src_a_row => memory_r.src_a_row, src_b_row => memory_r.src_b_row,
          src_c_row => memory_r.src_c_row, served => memory_r.served,
          first => memory_r.beat.insn.is_init and to_sl(memory_r.beat.insn.info.warp = 0 and memory_r.beat.row = 0));
    v.beat.last := memory_r.beat.last and not memory_more;
    files_in <= v;
  end process;

  files_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves.files = '1' then
        files_r <= files_in;
      end if;
      if advance_i.now = '1' then
        files_r.beat.valid <= files_in.beat.valid;
      end if;
      if rst = '1' or advance_i.flush = '1' then
        files_r.beat.valid <= '0';
      end if;
    end if;
  end process;

  file_reads <= (src_a => files_r.src_a_row, src_b => files_r.src_b_row, src_c => files_r.src_c_row,
                 slot => files_r.beat.insn.slot, creg => files_r.beat.insn.control.creg, row => files_r.beat.row);

  --------------------------------------------------------------------------------------------------------------
  -- LATCH

  latch_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves.latch = '1' then
        latch_r <= files_r;
      end if;
      if advance_i.now = '1' then
        latch_r.beat.valid <= files_r.beat.valid;
      end if;
      if rst = '1' or advance_i.flush = '1' then
        latch_r.beat.valid <= '0';
      end if;
    end if;
  end process;

  -- A block begins when its first row comes to LATCH, as rows of the block before may still be on their way until then.
  tid_o.first <= moves.latch and files_r.first;
  tid_o.go_on <= latch_r.beat.valid and latch_r.beat.insn.is_init and advance_i.now;

  --------------------------------------------------------------------------------------------------------------
  -- Lanes and memories, through all stages

  lane : for l in 0 to CORES - 1 generate
    u_lane : entity work.lane_operand
      generic map (REG_ADDR_BITS => REG_ADDR_BITS, ROW_BITS => ROW_BITS, SEED => CONFIG.SEED)
      port map (
        clk                 => clk,
        moves_i             => moves,
        areg_addr_i         => areg_addr,
        has_areg_i          => has_areg,
        bounds_control_i    => bounds_r.beat.insn.control,
        cells_i             => bounds_r.cells,
        bounds_cell_o.word  => bounds_words(l),
        bounds_cell_o.const => bounds_const_addrs(l),
        again_i             => memory_more,
        cell_o.word         => shared_words(l),
        cell_o.const        => const_addrs(l),
        reads_i             => file_reads,
        starts_i            => latch_r.beat.insn.is_init,
        tid_i               => tid_i(l),
        enabled_i           => latch_r.served(l),
        select_i            => sources_r.selects,
        row_i               => sources_row,
        sources_i           => (cell => shared_data(l), special => special(l), number => warp_lane(l)),
        operands_o          => x1_lanes(l),
        stays_o             => x1_stays(l),
        write_to_i          => write_to_i,
        results_i           => results_i(l)
      );
  end generate;

  by_bank : for l in 0 to CORES - 1 generate
    store_bytes(l) <= stores_i(l).bytes;
    store_data(l)  <= stores_i(l).data;
  end generate;

  u_shared : entity work.shared_memory
    generic map (CORES => CORES, SEED => CONFIG.SEED)
    port map (
      clk              => clk,
      front_i          => front_advance,
      bounds_words_i   => bounds_words,
      conflicts_o      => shared_conflicts,
      again_i          => memory_more,
      pass_pending_i   => pass_r.active,
      memory_pending_i => memory_r.rest,
      read_i           => shared_words,
      pass_served_o    => pass_shared_served,
      memory_served_o  => memory_shared_served,
      re_i             => advance_i.now,
      data_o           => shared_data,
      bytes_i          => store_bytes,
      wdata_i          => store_data,
      init_i           => init_i.valid,
      init_addr_i      => init_i.addr
    );

  u_const : entity work.const_memory
    generic map (CORES => CORES, SEED => CONFIG.SEED)
    port map (
      clk              => clk,
      front_i          => front_advance,
      bounds_addrs_i   => bounds_const_addrs,
      conflicts_o      => const_conflicts,
      again_i          => memory_more,
      pass_pending_i   => pass_r.active,
      memory_pending_i => memory_r.rest,
      addr_i           => const_addrs,
      pass_served_o    => pass_const_served,
      memory_served_o  => memory_const_served,
      re_i             => advance_i.now,
      data_o           => const_data,
      byte_o           => const_byte,
      host_we_i        => host_i.const_we,
      host_re_i        => host_i.const_re,
      host_addr_i      => host_i.addr(12 downto 2),
      host_data_i      => host_i.data,
      host_data_o      => const_data_o
    );

  --------------------------------------------------------------------------------------------------------------
  -- SOURCES: lane numbers and sources of S2R; the lanes do the rest

  to_sources : process (all)
    variable v : sources_stage_t;
    variable c : control_t;
  begin
    c := latch_r.beat.insn.control;
    v := (beat        => latch_r.beat,
          truth       => COND_LUT(to_integer(c.cond)) or (15 downto 0 => not c.has_guard), -- once for all lanes
          value       => c.imm,
          asks_physid => to_sl(c.src_a_from = SRC_SPECIAL and c.imm(3 downto 0) = SREG_PHYSID),
          asks_clock  => to_sl(c.src_a_from = SRC_SPECIAL and c.imm(3 downto 0) = SREG_CLOCK),
          selects     => operand_select(c));
    if c.reads_const = '1' then
      v.value := extract(const_data, const_byte, c.const_size, extends(c, c.const_size, c.const_signed));
    end if;
    sources_in <= v;
  end process;

  sources_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves.sources = '1' then
        sources_r <= sources_in;
      end if;
      if advance_i.now = '1' then
        sources_r.beat.valid <= sources_in.beat.valid;
      end if;
      if rst = '1' or advance_i.flush = '1' then
        sources_r.beat.valid <= '0';
      end if;
    end if;
  end process;

  sources_row <= (truth => sources_r.truth, value => sources_r.value,
                  local_base => sources_r.beat.insn.info.local_base, part => sources_r.beat.insn.part);

  special_registers : process (all)
  begin
    for l in 0 to CORES - 1 loop
      warp_lane(l) <= shift_left(resize(sources_r.beat.row, 5), log2(CORES)) or to_unsigned(l, 5);
      special(l)   <= (others => '0');
      if sources_r.asks_physid = '1' then                      -- SM, warp slot, lane
        special(l) <= std_ulogic_vector(to_unsigned(SM, 16)) & "000" & std_ulogic_vector(sources_r.beat.insn.slot)
                      & "000" & std_ulogic_vector(warp_lane(l));
      elsif sources_r.asks_clock = '1' then                    -- every second cycle
        special(l) <= '0' & clock_i(31 downto 1);
      end if;
    end loop;
  end process;

  --------------------------------------------------------------------------------------------------------------
  -- X1: guards of branches, for the late answers

  x1_asks_in <= asks_early(sources_r.beat);

  x1_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves.x1 = '1' then
        x1_beat <= sources_r.beat;
      end if;
      if advance_i.now = '1' then
        x1_beat.valid <= sources_r.beat.valid;
        x1_asks       <= x1_asks_in;
      end if;
      if rst = '1' or advance_i.flush = '1' then
        x1_beat.valid <= '0';
        x1_asks       <= '0';
      end if;
    end if;
  end process;

  look_at_guards : process (all)
    variable taken : lanes_t;
  begin
    for l in 0 to CORES - 1 loop
      taken(l) := x1_lanes(l).exec;
    end loop;
    guard_o.asks  <= x1_asks;
    guard_o.taken <= or_reduce(taken);
    guard_o.stays <= or_reduce(x1_stays);
  end process;

  lanes_o  <= x1_lanes;

  --------------------------------------------------------------------------------------------------------------
  -- All stages

  front_o.moves <= front_advance;
  stages_o <= (rows_beat, address_beat, bounds_r.beat, pass_r.beat, memory_r.beat, files_r.beat, latch_r.beat,
               sources_r.beat, x1_beat);
  front_o.early_at.slot <= enters.slot;
  front_o.uses <= (issues  => enters.valid and not enters.is_init,
                   starts  => enters.is_init,
                   replays => memory_more,
                   stores  => pass_waits and not memory_more);
  front_o.idle <= not (rows_r.insn.valid or address_beat.valid or bounds_r.beat.valid or pass_r.beat.valid
                       or memory_r.beat.valid or files_r.beat.valid or latch_r.beat.valid or sources_r.beat.valid);

end architecture;
