-- SPDX-License-Identifier: Apache-2.0
-- The read half of the pipeline. A stage moves when the next one does; advance_i low stops all.
--
--   I  issues the rows of an instruction, one beat a cycle; reads address registers
--   A  latches them
--   B  adds offsets, checks addresses, finds lanes that conflict
--   M  selects the lanes of a pass over shared memory and constants
--   N  reads them; a row with conflicts goes on in several beats
--   G  gathers shared words; reads registers
--   L  latches registers and flags; extracts the constant
--   O  selects the sources; evaluates the guard

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.isa_pkg.all;
use work.branch_pkg.all;
use work.control_pkg.all;
use work.gpu_pkg.all;
use work.machine_pkg.all;
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
    issue_i   : in  issue_t;
    front_o   : out front_t;
    -- thread ids for the beats that start a warp
    tid_i     : in  words_t(0 to CONFIG.CORES - 1);
    tid_o     : out tid_order_t;
    -- to execute
    advance_i : in  advance_t;                               -- stage X1 takes the beat that O offers
    lanes_o   : out lanes_operands_t(0 to CONFIG.CORES - 1);
    stages_o  : out beats_t(STAGE_I to STAGE_X1);            -- X1: to execute; all, for the scoreboard
    later_i   : in  beats_t(STAGE_X2 to STAGE_X3);
    -- branches that are answered early
    a_early_i : in  early_t;                                 -- how the warp of the instruction in A goes on
    guard_o   : out guard_t;
    -- shared stores of stage P and the dispatcher's words, by bank
    stores_i   : in  word_writes_t(0 to CONFIG.CORES - 1);
    init_i     : in  shared_init_t;                          -- the dispatcher's is written now
    -- writes of stage W
    write_to_i : in  write_to_t;
    results_i  : in  lanes_results_t(0 to CONFIG.CORES - 1);
    -- host's access to constant memory
    host_i       : in  host_access_t;
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

  -- stage I
  type stage_i_t is record
    insn  : issue_t;
    row   : row_t;
  end record;
  signal i_r       : stage_i_t;
  signal whole     : std_ulogic;                             -- it has the last row, or none: gets another one
  signal i_beat    : beat_t;
  signal i_insn    : issue_t;                                -- with the results of its earlier rows
  signal enters    : issue_t;                                -- the next beat of stage I is one of this

  -- stage A
  signal a_beat : beat_t;

  -- stage B
  type stage_b_t is record
    beat  : beat_t;
    cells : cells_t;
  end record;
  signal b_r, b_in : stage_b_t;
  signal bank_we     : std_ulogic_vector(0 downto 0);
  signal bank_read   : word_t;
  signal b_words     : shared_words_t(0 to CORES - 1);
  signal b_const_addrs : const_addrs_t(0 to CORES - 1);
  signal shared_conflicts, const_conflicts : lane_pairs_t(0 to CORES - 1);
  signal b_conflicts : lane_pairs_t(0 to CORES - 1);         -- of each lane: lower ones that no pass serves with it

  -- stage M
  type stage_m_t is record
    beat    : beat_t;
    a_row   : reg_row_t;
    b_row   : reg_row_t;
    c_row   : reg_row_t;
    active  : lanes_t;
    conflicts : lane_pairs_t(0 to CORES - 1);
  end record;
  signal m_r, m_in   : stage_m_t;
  signal m_waits, m_waits_in : std_ulogic;                   -- a shared store ahead is not written yet
  signal m_pass, n_pass : lanes_t;                           -- lanes of the next pass of the beat in M, or N
  signal m_many, n_many : std_ulogic;                        -- more passes of that beat follow

  -- stage N
  type stage_n_t is record
    beat    : beat_t;
    a_row   : reg_row_t;
    b_row   : reg_row_t;
    c_row   : reg_row_t;
    served  : lanes_t;                                       -- lanes of this pass
    rest    : lanes_t;                                       -- lanes of the passes that follow
    more    : std_ulogic;                                    -- rest is not empty
    conflicts : lane_pairs_t(0 to CORES - 1);
  end record;
  signal n_r         : stage_n_t;
  signal n_more, n_more_in : std_ulogic;                           -- another pass follows

  -- stage G
  type stage_g_t is record
    beat    : beat_t;
    a_row   : reg_row_t;
    b_row   : reg_row_t;
    c_row   : reg_row_t;
    served  : lanes_t;
    first   : std_ulogic;                                    -- it starts a block: the first row of its first warp
  end record;
  signal g_r : stage_g_t;

  -- stage L
  signal l_r : stage_g_t;

  -- stage O
  signal o_beat  : beat_t;
  signal o_truth : half_t;                                   -- its guard, by flags
  signal o_value : word_t;                                   -- its constant or immediate, never both
  signal o_asks_physid, o_asks_clock : std_ulogic;           -- it reads this special register
  signal o_row   : row_sources_t;
  signal o_select : operand_select_t;

  -- stage X1
  signal x_beat  : beat_t;
  signal x_asks  : std_ulogic;                               -- it may be answered early

  signal moves         : front_moves_t;
  signal front_advance : std_ulogic;                         -- I, A and M take new beats
  signal areg_addr     : file_addr_t;
  signal file_reads    : file_reads_t;

  signal store_bytes    : nibbles_t(0 to CORES - 1);
  signal store_data     : words_t(0 to CORES - 1);
  signal shared_words   : shared_words_t(0 to CORES - 1);
  signal m_shared_served, n_shared_served : lanes_t;
  signal shared_data    : words_t(0 to CORES - 1);
  signal const_addrs    : const_addrs_t(0 to CORES - 1);
  signal m_const_served, n_const_served : lanes_t;
  signal const_data     : word_t;                            -- of the beat in L
  signal const_byte     : unsigned(1 downto 0);
  signal special        : words_t(0 to CORES - 1);
  signal has_areg       : std_ulogic;
  signal x_lanes        : lanes_operands_t(0 to CORES - 1);
  signal x_stays        : lanes_t;
  signal warp_lane      : lane_numbers_t(0 to CORES - 1);    -- of the beat in O

begin

  n_more        <= n_r.more;

  --------------------------------------------------------------------------------------------------------------
  -- I: rows of one warp instruction

  stage_i : process (all)
  begin
    i_beat      <= BEAT_INIT;
    i_beat.insn <= i_r.insn;
    i_beat.valid <= i_r.insn.valid;
    i_beat.row  <= i_r.row;
    i_beat.last <= to_sl(i_r.row = ROWS - 1) and not i_r.insn.more;
    enters        <= i_r.insn;
    front_o.early_at.below <= i_r.insn.state.depth - 1;
    if whole = '1' then
      enters        <= issue_i;
      front_o.early_at.below <= issue_i.state.depth - 1;              -- not behind the choice: both are there early
    end if;

    front_o.ready <= front_advance and whole;
    i_insn       <= i_r.insn;
    i_insn.early <= a_early_i;                               -- in A is the row before
    i_insn.early.goes <= a_early_i.goes and to_sl(i_r.row /= 0);  -- no `if`: at 32 cores ghdl 2.0 breaks off at it
  end process;

  stage_i_regs : process (clk)
  begin
    if rising_edge(clk) then
      if i_r.insn.valid = '1' and front_advance = '1' then
        i_r.row <= i_r.row + 1;
      end if;
      if front_advance = '1' then
        whole <= to_sl(to_integer(i_r.row) + 2 = ROWS);
        if whole = '1' then
          whole <= to_sl(ROWS = 1) or not issue_i.valid;
        end if;
      end if;
      if front_advance = '1' and whole = '1' then            -- valid or not: that is known late
        i_r <= (insn => issue_i, row => "00");
      end if;
      if rst = '1' or advance_i.flush = '1' then
        i_r.insn.valid <= '0';
        whole          <= '1';
      end if;
    end if;
  end process;

  moves <= (a  => front_advance and i_r.insn.valid,
            b  => front_advance and a_beat.valid,
            m  => front_advance and b_r.beat.valid,
            n  => advance_i.now and m_r.beat.valid and not n_more,
            g  => advance_i.now and n_r.beat.valid,
            l  => advance_i.now and g_r.beat.valid,
            o  => advance_i.now and l_r.beat.valid,
            x1 => advance_i.now and o_beat.valid);

  areg_addr <= lane_file_addr(i_r.insn.slot, areg_index(i_r.insn.control.areg), i_r.row, ROWS);

  --------------------------------------------------------------------------------------------------------------
  -- A: addresses

  stage_a : process (clk)
  begin
    if rising_edge(clk) then
      if moves.a = '1' then
        a_beat      <= i_beat;
        a_beat.insn <= i_insn;
      elsif a_beat.valid = '1' then
        a_beat.insn.early <= a_early_i;
      end if;
      if front_advance = '1' then
        a_beat.valid <= i_beat.valid;
      end if;
      if rst = '1' or advance_i.flush = '1' then
        a_beat.valid <= '0';
      end if;
    end if;
  end process;

  has_areg <= to_sl(a_beat.insn.control.areg /= 0);

  stage_b : process (all)
    variable v : stage_b_t;
    variable c : control_t;
    variable limit : unsigned(15 downto 0);                  -- bytes of shared memory of a block, or local of a thread
  begin
    v := b_r;                                                -- whole: ghdl writes initial values of parts as a string
    c := a_beat.insn.control;
    v.beat := a_beat;
    v.beat.insn.early := a_early_i;
    v.cells.offset := resize(c.const_offset, 19);
    if c.a_shared = '1' then
      v.cells.offset := resize(c.offset, 19);
    end if;
    v.cells.shared_at := resize(v.cells.offset, 14) + a_beat.insn.info.shared_base;
    v.cells.const_at  := resize(c.const_offset, 13) + unsigned(bank_read(12 downto 0));
    limit := launch_i.shared_bytes;
    if is_local(c.mem) = '1' then
      limit := launch_i.local_bytes;
    end if;
    v.cells.shared_last  := signed('0' & limit) - bytes_of(c.mem_size);
    v.cells.const_last   := signed('0' & bank_read(31 downto 16)) - bytes_of(c.const_size);
    v.cells.const_beyond := exceeds(resize(c.const_offset, offset_t'length), v.cells.const_last);
    b_in <= v;
  end process;

  bank_we(0) <= host_i.bank_we;
  u_banks : entity work.ram_1r1w
    generic map (ADDR_BITS => 4, COLUMN_BITS => 32, SEED => CONFIG.SEED)
    port map (
      clk     => clk,
      re_i    => moves.a,
      raddr_i => i_r.insn.control.bank,
      rdata_o => bank_read,
      we_i    => bank_we,
      waddr_i => host_i.addr(5 downto 2),
      wdata_i => host_i.data
    );
  who_disagrees : process (all)
    variable c         : control_t;
    variable conflicts : lane_mask_t;
  begin
    c := b_r.beat.insn.control;
    for l in 0 to CORES - 1 loop
      conflicts := (shared_conflicts(l) and lane_mask_t'(others => c.reads_shared))
                   or (const_conflicts(l) and lane_mask_t'(others => c.reads_const))
                   or (unit_conflicts(l, 4) and lane_mask_t'(others => asks_special(c)));
      if IN_PAIRS then
        conflicts := conflicts or (unit_conflicts(l, 2) and lane_mask_t'(others => is_wide(c)));
      end if;
      b_conflicts(l) <= conflicts;
    end loop;
  end process;

  to_stage_m : process (all)
    variable v    : stage_m_t;
    variable c    : control_t;
    variable info : warp_info_t;
  begin
    v    := m_r;                                             -- likewise
    c    := b_r.beat.insn.control;
    info := b_r.beat.insn.info;
    v.beat    := b_r.beat;
    v.active  := row_of(b_r.beat.insn.state.active, b_r.beat.row, CORES);
    v.a_row   := info.reg_base + c.a_reg;
    v.b_row   := info.reg_base + c.b_reg;
    v.c_row   := info.reg_base + c.c_reg;
    v.conflicts := b_conflicts;
    m_in <= v;
  end process;

  --------------------------------------------------------------------------------------------------------------
  -- M: lanes of one pass

  -- Of the beat in M, its first pass, and of that in N another one: both are found at once, and chosen late.
  choose_pass : process (all)
  begin
    m_pass <= pass_of(m_r.beat.insn.control, m_r.active, m_shared_served, m_const_served);
    n_pass <= pass_of(n_r.beat.insn.control, n_r.rest, n_shared_served, n_const_served);
    m_many <= disagree(m_r.active, m_r.conflicts);
    n_many <= disagree(n_r.rest, n_r.conflicts);
  end process;

  -- What is read in N must have been written when a store is in T, two cycles after X3. Found one cycle ahead, for the
  -- beat that is in M then.
  look_ahead : process (all)
    variable waits : std_ulogic;
  begin
    if front_advance = '1' then
      waits := stores_for(b_r.beat, m_r.beat) or stores_for(b_r.beat, n_r.beat) or stores_for(b_r.beat, g_r.beat)
               or stores_for(b_r.beat, l_r.beat) or stores_for(b_r.beat, o_beat) or stores_for(b_r.beat, x_beat)
               or stores_for(b_r.beat, later_i(STAGE_X2)) or stores_for(b_r.beat, later_i(STAGE_X3));
    else
      waits := stores_for(m_r.beat, n_r.beat) or stores_for(m_r.beat, g_r.beat) or stores_for(m_r.beat, l_r.beat)
               or stores_for(m_r.beat, o_beat) or stores_for(m_r.beat, x_beat)
               or stores_for(m_r.beat, later_i(STAGE_X2)) or stores_for(m_r.beat, later_i(STAGE_X3));
    end if;
    m_waits_in <= waits;
  end process;

  --------------------------------------------------------------------------------------------------------------
  -- N: memories

  -- Whether the beat that is in N next has yet another pass.
  n_more_in <= n_more when advance_i.now = '0' else n_many and n_r.beat.valid when n_more = '1' else
               m_many and m_r.beat.valid and not m_waits;

  stage_n : process (clk)
  begin
    if rising_edge(clk) then
      n_r.more <= n_more_in;
      if advance_i.now = '1' and n_more = '1' then
        n_r.served <= n_pass;
        n_r.rest   <= n_r.rest and not n_pass;
      end if;
      if moves.n = '1' then
        n_r.beat      <= m_r.beat;
        n_r.a_row     <= m_r.a_row;
        n_r.b_row     <= m_r.b_row;
        n_r.c_row     <= m_r.c_row;
        n_r.conflicts <= m_r.conflicts;
        n_r.served    <= m_pass;
        n_r.rest      <= m_r.active and not m_pass;
      end if;
      if advance_i.now = '1' and n_more = '0' then
        n_r.beat.valid <= m_r.beat.valid and not m_waits;
      end if;
      if rst = '1' or advance_i.flush = '1' then
        n_r.beat.valid <= '0';
        n_r.more       <= '0';
      end if;
    end if;
  end process;

  --------------------------------------------------------------------------------------------------------------
  -- G, L, O

  stages_g_to_x1 : process (clk)
    variable c : control_t;
  begin
    if rising_edge(clk) then
      if moves.g = '1' then
        g_r <= (beat => n_r.beat, a_row => n_r.a_row, b_row => n_r.b_row, c_row => n_r.c_row, served => n_r.served,
                first => n_r.beat.insn.is_init and to_sl(n_r.beat.insn.info.warp = 0 and n_r.beat.row = 0));
        g_r.beat.last <= n_r.beat.last and not n_more;
      end if;
      if moves.l = '1' then
        l_r <= g_r;
      end if;
      if moves.o = '1' then
        o_beat  <= l_r.beat;
        c       := l_r.beat.insn.control;
        o_truth <= COND_LUT(to_integer(c.cond)) or (15 downto 0 => not c.has_guard); -- once for all lanes
        o_value <= c.imm;
        if c.reads_const = '1' then
          o_value <= extract(const_data, const_byte, c.const_size, extends(c, c.const_size, c.const_signed));
        end if;
        o_asks_physid <= to_sl(c.a_from = SRC_SPECIAL and c.imm(3 downto 0) = SREG_PHYSID);
        o_asks_clock  <= to_sl(c.a_from = SRC_SPECIAL and c.imm(3 downto 0) = SREG_CLOCK);
        o_select <= operand_select(c);
      end if;
      if moves.x1 = '1' then
        x_beat <= o_beat;
      end if;
      if advance_i.now = '1' then
        g_r.beat.valid <= n_r.beat.valid;
        l_r.beat.valid <= g_r.beat.valid;
        o_beat.valid   <= l_r.beat.valid;
        x_beat.valid   <= o_beat.valid;
        x_asks         <= asks_early(o_beat);
      end if;
      if rst = '1' or advance_i.flush = '1' then
        g_r.beat.valid <= '0';
        l_r.beat.valid <= '0';
        o_beat.valid   <= '0';
        x_beat.valid   <= '0';
        x_asks         <= '0';
      end if;
    end if;
  end process;

  -- A block begins when its first row comes to L, as rows of the block before may still be on their way until then.
  tid_o.first <= moves.l and g_r.first;
  tid_o.go_on <= l_r.beat.valid and l_r.beat.insn.is_init and advance_i.now;

  file_reads <= (a => g_r.a_row, b => g_r.b_row, c => g_r.c_row, slot => g_r.beat.insn.slot,
                 creg => g_r.beat.insn.control.creg, row => g_r.beat.row);
  o_row <= (truth => o_truth, value => o_value, local_base => o_beat.insn.info.local_base, part => o_beat.insn.part);

  lane : for l in 0 to CORES - 1 generate
    u_lane : entity work.lane_operand
      generic map (REG_ADDR_BITS => REG_ADDR_BITS, ROW_BITS => ROW_BITS, SEED => CONFIG.SEED)
      port map (
        clk            => clk,
        moves_i        => moves,
        areg_addr_i    => areg_addr,
        has_areg_i     => has_areg,
        b_control_i    => b_r.beat.insn.control,
        cells_i        => b_r.cells,
        b_cell_o.word  => b_words(l),
        b_cell_o.const => b_const_addrs(l),
        again_i        => n_more,
        cell_o.word    => shared_words(l),
        cell_o.const   => const_addrs(l),
        reads_i        => file_reads,
        starts_i       => l_r.beat.insn.is_init,
        tid_i          => tid_i(l),
        enabled_i      => l_r.served(l),
        select_i       => o_select,
        row_i          => o_row,
        sources_i      => (cell => shared_data(l), special => special(l), number => warp_lane(l)),
        operands_o     => x_lanes(l),
        stays_o        => x_stays(l),
        write_to_i     => write_to_i,
        results_i      => results_i(l)
      );
  end generate;

  by_bank : for l in 0 to CORES - 1 generate
    store_bytes(l) <= stores_i(l).bytes;
    store_data(l)  <= stores_i(l).data;
  end generate;

  u_shared : entity work.shared_memory
    generic map (CORES => CORES, SEED => CONFIG.SEED)
    port map (
      clk         => clk,
      front_i     => front_advance,
      b_words_i   => b_words,
      conflicts_o => shared_conflicts,
      again_i     => n_more,
      m_pending_i => m_r.active,
      n_pending_i => n_r.rest,
      read_i      => shared_words,
      m_served_o  => m_shared_served,
      n_served_o  => n_shared_served,
      re_i        => advance_i.now,
      data_o      => shared_data,
      bytes_i     => store_bytes,
      wdata_i     => store_data,
      init_i      => init_i.valid,
      init_addr_i => init_i.addr
    );

  u_const : entity work.const_memory
    generic map (CORES => CORES, SEED => CONFIG.SEED)
    port map (
      clk         => clk,
      front_i     => front_advance,
      b_addrs_i   => b_const_addrs,
      conflicts_o => const_conflicts,
      again_i     => n_more,
      m_pending_i => m_r.active,
      n_pending_i => n_r.rest,
      addr_i      => const_addrs,
      m_served_o  => m_const_served,
      n_served_o  => n_const_served,
      re_i        => advance_i.now,
      data_o      => const_data,
      byte_o      => const_byte,
      host_we_i   => host_i.const_we,
      host_re_i   => host_i.const_re,
      host_addr_i => host_i.addr(12 downto 2),
      host_data_i => host_i.data,
      host_data_o => const_data_o
    );

  --------------------------------------------------------------------------------------------------------------
  -- O: lane numbers and sources of S2R; the lanes do the rest

  special_registers : process (all)
  begin
    for l in 0 to CORES - 1 loop
      warp_lane(l) <= shift_left(resize(o_beat.row, 5), log2(CORES)) or to_unsigned(l, 5);
      special(l)   <= (others => '0');
      if o_asks_physid = '1' then                            -- SM, warp slot, lane
        special(l) <= std_ulogic_vector(to_unsigned(SM, 16)) & "000" & std_ulogic_vector(o_beat.insn.slot)
                      & "000" & std_ulogic_vector(warp_lane(l));
      elsif o_asks_clock = '1' then                          -- every second cycle
        special(l) <= '0' & clock_i(31 downto 1);
      end if;
    end loop;
  end process;

  -- guards of branches, for the late answers
  look_at_guards : process (all)
    variable taken : lanes_t;
  begin
    for l in 0 to CORES - 1 loop
      taken(l) := x_lanes(l).exec;
    end loop;
    guard_o.asks  <= x_asks;
    guard_o.taken <= or_reduce(taken);
    guard_o.stays <= or_reduce(x_stays);
  end process;

  lanes_o  <= x_lanes;
  front_o.moves <= front_advance;
  stages_o <= (i_beat, a_beat, b_r.beat, m_r.beat, n_r.beat, g_r.beat, l_r.beat, o_beat, x_beat);
  front_o.early_at.slot <= enters.slot;
  front_o.uses <= (issues  => enters.valid and not enters.is_init,
               starts  => enters.is_init,
               replays => n_more,
               stores  => m_waits and not n_more);
  front_o.idle <= not (i_r.insn.valid or a_beat.valid or b_r.beat.valid or m_r.beat.valid or n_r.beat.valid
                   or g_r.beat.valid or l_r.beat.valid or o_beat.valid);

  regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves.b = '1' then
        b_r <= b_in;
      end if;
      if moves.m = '1' then
        m_r <= m_in;
      end if;
      if front_advance = '1' then
        b_r.beat.valid <= a_beat.valid;
        m_r.beat.valid <= b_r.beat.valid;
      end if;
      m_waits       <= m_waits_in;
      front_advance <= advance_i.soon and not (n_more_in or m_waits_in);
      if rst = '1' or advance_i.flush = '1' then
        b_r.beat.valid <= '0';
        m_r.beat.valid <= '0';
        m_waits        <= '0';
        front_advance  <= advance_i.soon;
      end if;
    end if;
  end process;

end architecture;
