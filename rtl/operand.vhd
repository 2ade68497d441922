-- SPDX-License-Identifier: Apache-2.0
-- The read half of an SM's pipeline:
--   I  issues the rows of a warp instruction, one beat a cycle, and reads the address registers
--   A  adds A to the offset, checks shared and constant addresses, finds the registers' places
--   M  reads shared memory, constants, registers and flags; a row whose lanes disagree about a bank or a constant goes
--      on in several beats, each with the lanes that one pass could serve
--   O  picks each source out of what arrived, evaluates the guard; its result is registered for stage X
-- A stage moves when the next one does; `advance_i` low (stage X cannot take a beat) stops all four.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.isa_pkg.all;
use work.control_pkg.all;
use work.gpu_pkg.all;
use work.lists_pkg.all;

entity operand is
  generic (
    CORES     : positive;
    REGISTERS : positive;
    SM        : natural;
    SEED      : natural
  );
  port (
    clk       : in  std_ulogic;
    rst       : in  std_ulogic;
    launch_i  : in  launch_t;
    clock_i   : in  word_t;                                  -- what S2R SR1 reads
    -- from issue
    issue_i   : in  issue_t;
    ready_o   : out std_ulogic;                              -- stage I takes an instruction
    -- thread ids for the beats that start a warp
    tid_i     : in  words_t(0 to CORES - 1);
    tid_first_o : out std_ulogic;                            -- that row is the first of a block
    tid_next_o : out std_ulogic;                             -- that row is written, show the next
    -- to execute
    advance_i : in  std_ulogic;                              -- stage X takes the beat that O offers
    flush_i   : in  std_ulogic;                              -- a trap: forget every beat
    beat_o    : out beat_t;                                  -- stage X, registered
    lanes_o   : out lanes_operands_t(0 to CORES - 1);
    stages_o  : out beats_t(1 to 4);                         -- I, A, M, O for the scoreboard
    moves_o   : out std_ulogic;                              -- I, A and M take new beats
    enters_o  : out beat_t;                                  -- ... I this one
    use_o     : out front_use_t;                             -- for the counters
    idle_o    : out std_ulogic;                              -- no beat in I to O
    -- branches that are answered early
    i_insn_i  : in  issue_t;                                 -- the instruction in I, with what came of that
    late_early_i : in std_ulogic;                            -- that in M (late_stage: or O) is now
    i_known_o : out std_ulogic;                              -- taken_o, stays_o are of the beat in I
    late_known_o : out std_ulogic;                           -- ... in M (late_stage: or O)
    taken_o   : out std_ulogic;                              -- a lane of the beat executes
    stays_o   : out std_ulogic;                              -- ... an active lane does not
    done_i       : in beat_t;                                -- leaves stage Y
    done_lanes_i : in lanes_done_t(0 to CORES - 1);
    -- shared stores of stage X and the dispatcher's words, by bank
    store_bytes_i : in  nibbles_t(0 to CORES - 1);
    store_data_i  : in  words_t(0 to CORES - 1);
    init_i        : in  std_ulogic;                          -- the dispatcher's is written now
    init_addr_i   : in  shared_word_t;
    -- writes of stage W
    write_to_i : in  write_to_t;
    results_i  : in  lanes_results_t(0 to CORES - 1);
    -- host's access to constant memory
    bank_we_i    : in  std_ulogic;                           -- place of the bank const_addr_i: bytes, base
    const_we_i   : in  std_ulogic;
    const_re_i   : in  std_ulogic;
    const_addr_i : in  const_word_t;
    const_data_i : in  word_t;
    const_data_o : out word_t
  );
end entity;

architecture rtl of operand is

  constant ROWS          : positive := LANES / CORES;
  constant ROW_BITS      : natural  := log2(ROWS);
  constant REG_ADDR_BITS : positive := log2(REGISTERS / CORES);
  constant FILE_BITS     : positive := lane_file_bits(ROWS);

  subtype reg_addr_t is unsigned(REG_ADDR_BITS - 1 downto 0);
  subtype file_addr_t is unsigned(FILE_BITS - 1 downto 0);
  subtype lanes_t is std_ulogic_vector(CORES - 1 downto 0);

  function reg_addr(reg_row : reg_row_t; row : row_t) return reg_addr_t is
  begin
    return shift_left(resize(reg_row, REG_ADDR_BITS), ROW_BITS) or resize(row, REG_ADDR_BITS);
  end function;

  -- A1 .. A4 -> 0 .. 3
  function areg_index(areg : areg_t) return unsigned is
    variable below : areg_t;
  begin
    below := areg - 1;
    return below(1 downto 0);
  end function;

  -- A row of a branch whose guard a copy of the flags has decided. It must execute what was answered, also where the
  -- flags were never written and the copy holds others than the lanes.
  function decided(beat : beat_t; taken, stays : std_ulogic) return beat_t is
    variable b : beat_t := beat;
  begin
    if is_guarded_branch(b.insn.control.flow) and (taken and stays) = '0' then
      b.insn.control.cond := (4 => '0', others => taken);    -- always or never
    end if;
    return b;
  end function;

  -- stage I
  type stage_i_t is record
    insn  : issue_t;
    row   : row_t;
  end record;
  signal i_r, i_in : stage_i_t;
  signal i_beat    : beat_t;
  signal enters    : beat_t;                                 -- the next beat of stage I
  signal i_known, late_known, taken, stays : std_ulogic;

  -- stage A
  type stage_a_t is record
    beat  : beat_t;
    limit : unsigned(15 downto 0);                           -- bytes of shared memory of a block, or local of a thread
  end record;
  signal a_r, a_in : stage_a_t;
  signal shared_last : signed(16 downto 0);                  -- largest address that the access may have
  signal const_last  : signed(16 downto 0);
  signal const_beyond : std_ulogic;                          -- the constant's offset alone lies beyond
  signal bank_we     : std_ulogic_vector(0 downto 0);
  signal bank_read   : word_t;
  signal bank_base   : unsigned(15 downto 0);                -- byte offset in constant memory
  signal bank_bytes  : unsigned(15 downto 0);

  -- stage M
  type stage_m_t is record
    beat    : beat_t;
    a_row   : reg_row_t;
    b_row   : reg_row_t;
    c_row   : reg_row_t;
    pending : lanes_t;                                       -- active lanes that no pass has served
  end record;
  signal m_r, m_in   : stage_m_t;
  signal m_served    : lanes_t;                              -- lanes of this pass
  signal m_rest      : lanes_t;
  signal m_waits     : std_ulogic;                           -- a shared store ahead is not written yet
  signal m_leaves    : std_ulogic;                           -- the beat's last pass

  -- stage O
  signal o_beat, o_in : beat_t;
  signal o_truth, truth_in : half_t;                         -- of the beat in O: its guard, by flags

  -- stage X
  signal x_beat  : beat_t;

  signal front_advance : std_ulogic;                         -- I, A and M take new beats
  signal areg_addr     : file_addr_t;
  signal a_addr        : reg_addr_t;
  signal b_addr        : reg_addr_t;
  signal c_addr        : reg_addr_t;
  signal flags_addr    : file_addr_t;
  signal rf_waddr      : reg_addr_t;
  signal flags_waddr   : file_addr_t;
  signal areg_waddr    : file_addr_t;

  signal shared_pending : lanes_t;
  signal shared_words   : shared_words_t(0 to CORES - 1);
  signal shared_served  : lanes_t;
  signal shared_data    : words_t(0 to CORES - 1);
  signal const_pending  : lanes_t;
  signal const_addrs    : const_addrs_t(0 to CORES - 1);
  signal const_served   : lanes_t;
  signal const_data     : word_t;
  signal const_byte     : unsigned(1 downto 0);
  signal row_value      : word_t;                            -- of the beat in O: constant or immediate, never both
  signal special        : words_t(0 to CORES - 1);
  signal o_executes     : lanes_t;
  signal o_stays        : lanes_t;
  signal warp_lane      : lane_numbers_t(0 to CORES - 1);    -- of the beat in O

begin

  front_advance <= advance_i and m_leaves;

  --------------------------------------------------------------------------------------------------------------
  -- I: rows of one warp instruction

  stage_i : process (all)
    variable v     : stage_i_t;
    variable whole : boolean;                                -- it gets another instruction next
  begin
    i_beat      <= BEAT_INIT;
    i_beat.insn <= i_r.insn;
    i_beat.valid <= i_r.insn.valid;
    i_beat.row  <= i_r.row;
    i_beat.last <= to_sl(i_r.row = ROWS - 1) and not i_r.insn.more;
    whole  := i_r.row = ROWS - 1 or i_r.insn.valid = '0';
    enters <= (valid => i_r.insn.valid, last => '0', row => i_r.row + 1, insn => i_r.insn);
    if whole then
      enters <= (valid => issue_i.valid, last => '0', row => "00", insn => issue_i);
    end if;

    ready_o <= front_advance and to_sl(whole);
    v := (insn => i_insn_i, row => i_r.row);
    if front_advance = '1' then
      v.row := i_r.row + 1;
      if whole then
        v := (insn => issue_i, row => "00");
      end if;
    end if;
    i_in <= v;
  end process;

  areg_addr <= lane_file_addr(i_r.insn.slot, areg_index(i_r.insn.control.areg), i_r.row, ROWS);

  --------------------------------------------------------------------------------------------------------------
  -- A: addresses

  stage_a : process (all)
    variable v : stage_a_t;
  begin
    v := a_r;
    if front_advance = '1' then
      v.beat := i_beat;
      v.beat.insn := i_insn_i;
      if i_known = '1' then
        v.beat := decided(v.beat, taken, stays);
      end if;
      v.limit := launch_i.shared_bytes;
      if is_local(i_r.insn.control.mem) = '1' then
        v.limit := launch_i.local_bytes;
      end if;
    end if;
    a_in <= v;
  end process;

  shared_last <= signed('0' & a_r.limit) - bytes_of(a_r.beat.insn.control.mem_size);
  const_last  <= signed('0' & bank_bytes) - bytes_of(a_r.beat.insn.control.const_size);

  bank_we(0) <= bank_we_i;
  u_banks : entity work.ram_1r1w
    generic map (ADDR_BITS => 4, COLUMN_BITS => 32, SEED => SEED)
    port map (
      clk     => clk,
      re_i    => front_advance,
      raddr_i => i_r.insn.control.bank,
      rdata_o => bank_read,
      we_i    => bank_we,
      waddr_i => const_addr_i(3 downto 0),
      wdata_i => const_data_i
    );
  bank_base  <= unsigned(bank_read(15 downto 0));
  bank_bytes <= unsigned(bank_read(31 downto 16));

  const_beyond <= exceeds(resize(a_r.beat.insn.control.const_offset, offset_t'length), const_last);

  to_stage_m : process (all)
    variable v    : stage_m_t;
    variable c    : control_t;
    variable info : warp_info_t;
  begin
    v    := m_r;
    c    := a_r.beat.insn.control;
    info := a_r.beat.insn.info;
    if advance_i = '1' and m_waits = '0' then
      v.pending := m_rest;
    end if;
    if front_advance = '1' then
      v.beat    := a_r.beat;
      v.pending := row_of(a_r.beat.insn.state.active, a_r.beat.row, CORES);
      v.a_row   := info.reg_base + c.a_reg;
      v.b_row   := info.reg_base + c.b_reg;
      v.c_row   := info.reg_base + c.c_reg;
    end if;
    m_in <= v;
  end process;

  --------------------------------------------------------------------------------------------------------------
  -- M: memories

  stage_m : process (all)
    variable c      : control_t;
    variable served : lanes_t;
    variable v      : beat_t;
    variable waits  : std_ulogic;
  begin
    c := m_r.beat.insn.control;

    shared_pending <= (others => '0');
    const_pending  <= (others => '0');
    served := m_r.pending;
    if c.reads_shared = '1' then
      shared_pending <= m_r.pending;
      served := served and shared_served;
    end if;
    if c.reads_const = '1' then
      const_pending <= m_r.pending;
      served := served and const_served;
    end if;
    -- a shared store in O or X writes at the end of X at the latest
    waits := m_r.beat.valid and c.reads_shared
             and ((o_beat.valid and to_sl(o_beat.insn.control.mem = MEM_SHARED_STORE))
                  or (x_beat.valid and to_sl(x_beat.insn.control.mem = MEM_SHARED_STORE)));
    m_waits  <= waits;
    m_rest   <= m_r.pending and not served;
    m_leaves <= not waits and (not m_r.beat.valid or not or_reduce(m_r.pending and not served));

    tid_first_o  <= to_sl(m_r.beat.insn.info.warp = 0 and m_r.beat.row = 0);
    tid_next_o   <= m_r.beat.valid and m_r.beat.insn.is_init and advance_i;

    m_served <= served;
    v := o_beat;
    if advance_i = '1' then
      v       := m_r.beat;
      v.valid := m_r.beat.valid and not waits;
      v.last  := m_r.beat.last and not or_reduce(m_r.pending and not served);
      if late_stage(CORES) = 3 then
        v.insn.early := m_r.beat.insn.early or late_early_i;
        if late_known = '1' then
          v := decided(v, taken, stays);
        end if;
      end if;
    end if;
    o_in <= v;
    -- once for all lanes
    truth_in <= COND_LUT(to_integer(v.insn.control.cond)) or (15 downto 0 => not v.insn.control.has_guard);
  end process;

  a_addr      <= reg_addr(m_r.a_row, m_r.beat.row);
  b_addr      <= reg_addr(m_r.b_row, m_r.beat.row);
  c_addr      <= reg_addr(m_r.c_row, m_r.beat.row);
  flags_addr  <= lane_file_addr(m_r.beat.insn.slot, m_r.beat.insn.control.creg, m_r.beat.row, ROWS);
  rf_waddr    <= reg_addr(write_to_i.reg_row, write_to_i.reg_beat_row);
  flags_waddr <= lane_file_addr(write_to_i.slot, write_to_i.c_dst, write_to_i.row, ROWS);
  areg_waddr  <= lane_file_addr(write_to_i.slot, areg_index(write_to_i.a_dst), write_to_i.row, ROWS);

  lane : for l in 0 to CORES - 1 generate
    u_lane : entity work.lane_operand
      generic map (REG_ADDR_BITS => REG_ADDR_BITS, ROW_BITS => ROW_BITS, SEED => SEED)
      port map (
        clk            => clk,
        front_i        => front_advance,
        areg_addr_i    => areg_addr,
        a_control_i    => a_r.beat.insn.control,
        shared_base_i  => a_r.beat.insn.info.shared_base,
        shared_last_i  => shared_last,
        const_base_i   => bank_base,
        const_last_i   => const_last,
        const_beyond_i => const_beyond,
        advance_i      => advance_i,
        word_o         => shared_words(l),
        const_addr_o   => const_addrs(l),
        a_addr_i       => a_addr,
        b_addr_i       => b_addr,
        c_addr_i       => c_addr,
        flags_addr_i   => flags_addr,
        starts_i       => m_r.beat.insn.is_init,
        tid_i          => tid_i(l),
        enabled_i      => m_served(l),
        o_control_i    => o_beat.insn.control,
        o_truth_i      => o_truth,
        o_local_base_i => o_beat.insn.info.local_base,
        o_part_i       => o_beat.insn.part,
        o_lane_i       => warp_lane(l),
        shared_i       => shared_data(l),
        row_value_i    => row_value,
        special_i      => special(l),
        executes_o     => o_executes(l),
        stays_o        => o_stays(l),
        operands_o     => lanes_o(l),
        reg_waddr_i    => rf_waddr,
        flags_waddr_i  => flags_waddr,
        areg_waddr_i   => areg_waddr,
        results_i      => results_i(l)
      );
  end generate;

  u_shared : entity work.shared_memory
    generic map (CORES => CORES, SEED => SEED)
    port map (
      clk         => clk,
      pending_i   => shared_pending,
      read_i      => shared_words,
      served_o    => shared_served,
      re_i        => advance_i,
      data_o      => shared_data,
      bytes_i     => store_bytes_i,
      wdata_i     => store_data_i,
      init_i      => init_i,
      init_addr_i => init_addr_i
    );

  u_const : entity work.const_memory
    generic map (CORES => CORES, SEED => SEED)
    port map (
      clk         => clk,
      pending_i   => const_pending,
      addr_i      => const_addrs,
      served_o    => const_served,
      re_i        => advance_i,
      data_o      => const_data,
      byte_o      => const_byte,
      host_we_i   => const_we_i,
      host_re_i   => const_re_i,
      host_addr_i => const_addr_i,
      host_data_i => const_data_i
    );
  const_data_o <= const_data;

  constant_or_immediate : process (all)
    variable c : control_t;
  begin
    c := o_beat.insn.control;
    row_value <= c.imm;
    if c.reads_const = '1' then
      row_value <= extract(const_data, const_byte, c.const_size, extends(c, c.const_size, c.const_signed));
    end if;
  end process;

  --------------------------------------------------------------------------------------------------------------
  -- O: lane numbers and what S2R reads; the lanes do the rest

  special_registers : process (all)
  begin
    for l in 0 to CORES - 1 loop
      warp_lane(l) <= shift_left(resize(o_beat.row, 5), log2(CORES)) or to_unsigned(l, 5);
      special(l)   <= (others => '0');
      if o_beat.insn.control.a_from /= SRC_SPECIAL then
        null;
      elsif o_beat.insn.control.imm(3 downto 0) = SREG_PHYSID then -- SM, warp slot, lane
        special(l) <= std_ulogic_vector(to_unsigned(SM, 16)) & "000" & std_ulogic_vector(o_beat.insn.slot)
                      & "000" & std_ulogic_vector(warp_lane(l));
      elsif o_beat.insn.control.imm(3 downto 0) = SREG_CLOCK then -- every second cycle
        special(l) <= '0' & clock_i(31 downto 1);
      end if;
    end loop;
  end process;

  --------------------------------------------------------------------------------------------------------------
  -- guards of branches, for the early answers

  before_o : if late_stage(CORES) = 3 generate
    signal all_beats : beats_t(1 to 5);
  begin
    all_beats <= (i_beat, a_r.beat, m_r.beat, o_beat, x_beat);

    u_guard : entity work.guard_early
      generic map (CORES => CORES, SEED => SEED)
      port map (
        clk       => clk,
        rst       => rst,
        moves_i   => front_advance,
        enters_i  => enters,
        stages_i  => all_beats,
        done_i    => done_i,
        lanes_i   => done_lanes_i,
        i_known_o => i_known,
        m_known_o => late_known,
        taken_o   => taken,
        stays_o   => stays
      );
  else generate
    i_known    <= '0';
    late_known <= '1';
    taken      <= or_reduce(o_executes);
    stays      <= or_reduce(o_stays);
  end generate;

  i_known_o    <= i_known;
  late_known_o <= late_known;
  taken_o      <= taken;
  stays_o      <= stays;

  beat_o   <= x_beat;
  moves_o  <= front_advance;
  enters_o <= enters;
  stages_o <= (i_beat, a_r.beat, m_r.beat, o_beat);
  use_o    <= (issues  => enters.valid and not enters.insn.is_init,
               starts  => enters.insn.is_init,
               replays => m_r.beat.valid and or_reduce(m_rest),
               stores  => m_waits);
  idle_o   <= not (i_r.insn.valid or a_r.beat.valid or m_r.beat.valid or o_beat.valid);

  regs : process (clk)
  begin
    if rising_edge(clk) then
      i_r <= i_in;
      a_r <= a_in;
      m_r <= m_in;
      o_beat <= o_in;
      o_truth <= truth_in;
      if advance_i = '1' then
        x_beat <= o_beat;
        x_beat.insn.early <= o_beat.insn.early or (late_early_i and to_sl(late_stage(CORES) = 4));
      end if;
      if rst = '1' or flush_i = '1' then
        i_r.insn.valid <= '0';
        a_r.beat.valid <= '0';
        m_r.beat.valid <= '0';
        o_beat.valid   <= '0';
        x_beat.valid   <= '0';
      end if;
    end if;
  end process;

end architecture;
