-- SPDX-License-Identifier: Apache-2.0
-- From the scheduler's choice to stage ROWS, one instruction of a warp at a time, in order:
--
--   READ   reads the warp's buffer and its entry in the warp table
--   WORD   selects the half of the word
--   CHECK  asks scoreboard.vhd whether the instruction may issue in the next cycle
--   HOLD   holds the instruction until it may
--
-- Accesses of 64 and 128 bits issue once a word. An instruction that needs a pending load gives its slot back.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.front_pkg.all;
use work.lists_pkg.all;

entity issue is
  generic (
    WARPS : positive;
    LOADS : positive;                                         -- under way at a time, a power of two
    HAS_LATE : boolean := false;                              -- results of some come later
    CROWDS : boolean := false;                                -- loads are turned away when too many are under way
    EAGER : boolean                                           -- a stage takes an instruction as it gives one away
  );
  port (
    clk          : in  std_ulogic;
    rst          : in  std_ulogic;
    launch_i     : in  launch_t;
    halt_i       : in  std_ulogic;                            -- a trap stopped the grid: begin no more
    flush_i      : in  std_ulogic;                            -- a trap in this SM: forget all instructions
    choice_i     : in  warp_event_t;                          -- the scheduler's
    free_o       : out std_ulogic;                            -- takes a choice this cycle
    -- stage READ reads; stage WORD holds the data until the next read
    read_o    : out warp_event_t;
    fetched_i : in  fetch_to_issue_t;
    warp_i    : in  warp_t;
    use_o     : out issue_to_cause_t;                         -- for the counters
    fate_o    : out issue_to_sched_t;
    -- to stage ROWS
    init_i       : in  front_to_operands_t;                   -- the dispatcher's, goes first
    init_taken_o : out std_ulogic;
    ready_i      : in  std_ulogic;                            -- stage ROWS takes an instruction this cycle
    issue_o      : out front_to_operands_t;                   -- valid when one issues
    moves_i      : in  stages_to_issue_t;
    stages_i     : in  beats_t(1 to WRITER_STAGES);           -- beats from ROWS to RESOLVE, by distance from issue
    -- loads
    load_back_i  : in  warp_event_t;                          -- the load of this warp is back
    load_busy_o  : out std_ulogic_vector(WARPS - 1 downto 0)
  );
end entity;

architecture rtl of issue is

  type hazard_t is record
    valid   : std_ulogic;
    pass    : part_t;                                         -- words of the access that have issued
    more    : std_ulogic;                                     -- further words follow the next one
    slot    : slot_t;
    pc      : pc_t;
    lo      : word_t;
    hi      : word_t;                                         -- 0 for a half instruction
    upper   : std_ulogic;
    info    : warp_info_t;
    state   : warp_state_t;
    control : control_t;
    clash   : clash_t; -- in HOLD: valid, and a result that it needs is still in the
                                                              -- pipeline, in that half of it
    busy    : std_ulogic;                                     -- a load will write one of its registers
    stays   : std_ulogic;                                     -- until there is room for a load
  end record;

  signal read_r, read_in                             : warp_event_t;
  signal word_r, word_in                             : warp_event_t;
  signal check_r, check_in                           : hazard_t;
  signal hold_r, hold_in                             : hazard_t;
  signal hold_free, check_free, word_free, read_free : std_ulogic;    -- the stage takes an instruction this cycle

  signal long        : std_ulogic;
  signal part        : part_t;
  signal more        : std_ulogic;
  signal dropped     : std_ulogic;
  signal control     : control_t;                             -- of the word that issues next
  signal clash       : clash_t; -- the instruction in CHECK may not issue in the next cycle
  signal busy        : std_ulogic;                            -- a source or destination waits for a load
  signal held        : clash_t;                               -- the instruction in HOLD may not issue in the next cycle
  signal full        : std_ulogic;                            -- too many loads are under way
  signal begun       : std_ulogic;                            -- an access of which some words have issued
  signal issues      : std_ulogic;
  signal done        : std_ulogic;                            -- the whole instruction has issued
  signal awaits      : std_ulogic;                            -- it is turned away, for a load that it needs
  signal crowded     : std_ulogic;                            -- turned away: no room for a load
  signal waits       : std_ulogic;                            -- awaits or crowded
  signal hold_leaves : std_ulogic;
  signal fate_in     : issue_to_sched_t;
  signal tried       : std_ulogic_vector(WARPS - 1 downto 0); -- it was turned away for that, and has not issued
  signal load_back   : warp_event_t;                          -- a load came back when the scoreboard was asked

  -- A stage that is free takes what comes; else it is empty once the next one is free.
  function next_of(stage : warp_event_t; free : std_ulogic; comes : warp_event_t; next_free : std_ulogic)
    return warp_event_t is
    variable v : warp_event_t;
  begin
    v := stage;
    if free = '1' then
      v := comes;
    elsif next_free = '1' then
      v.valid := '0';
    end if;
    return v;
  end function;

begin

  --------------------------------------------------------------------------------------------------------------
  -- READ and WORD

  check_free <= not check_r.valid or (hold_free and to_sl(EAGER));
  word_free <= not word_r.valid or (check_free and to_sl(EAGER));
  read_free <= not read_r.valid or (word_free and to_sl(EAGER));
  free_o <= read_free;
  read_o <= (valid => read_r.valid and word_free, slot => read_r.slot);

  read_in <= next_of(read_r, read_free, choice_i, word_free);
  word_in <= next_of(word_r, word_free, read_r, check_free);

  read_regs : process (clk)
  begin
    if rising_edge(clk) then
      read_r <= read_in;
      if rst = '1' or flush_i = '1' then
        read_r.valid <= '0';
      end if;
    end if;
  end process;

  word_regs : process (clk)
  begin
    if rising_edge(clk) then
      word_r <= word_in;
      if rst = '1' or flush_i = '1' then
        word_r.valid <= '0';
      end if;
    end if;
  end process;

  --------------------------------------------------------------------------------------------------------------
  -- CHECK

  to_check : process (all)
    variable v : hazard_t;
  begin
    v := check_r;
    if hold_free = '1' then
      v.valid := '0';
    end if;
    if check_free = '1' then
      v.valid   := word_r.valid;
      v.pass    := (others => '0');
      v.slot    := word_r.slot;
      v.pc      := fetched_i.addr & fetched_i.upper & "00";
      v.upper   := fetched_i.upper;
      v.stays   := '1';
      if CROWDS then
        v.stays := tried(to_integer(word_r.slot));
      end if;
      v.info    := warp_i.info;
      v.state   := warp_i.state;
      v.lo      := fetched_i.word.word(31 downto 0);
      v.hi      := fetched_i.word.word(63 downto 32);
      v.control := fetched_i.word.first;
      if fetched_i.upper = '1' then
        v.lo      := fetched_i.word.word(63 downto 32);
        v.control := fetched_i.word.second;
      end if;
      if fetched_i.upper = '1' or fetched_i.word.word(0) = '0' then
        v.hi := (others => '0');
      end if;
    end if;
    check_in <= v;
  end process;

  check_regs : process (clk)
  begin
    if rising_edge(clk) then
      check_r <= check_in;
      if rst = '1' or flush_i = '1' then
        check_r.valid <= '0';
      end if;
    end if;
  end process;

  --------------------------------------------------------------------------------------------------------------
  -- HOLD

  to_hold : process (all)
    variable v     : hazard_t;
    variable keeps : std_ulogic;
    variable takes : std_ulogic;
  begin
    v := hold_r;
    if issues = '1' then
      v.pass := hold_r.pass + 1;
      v.more := to_sl(hold_r.pass + 1 /= last_part(hold_r.control.mem_size));
    end if;
    if hold_leaves = '1' then
      v.valid := '0';
      v.pass  := (others => '0');
    end if;
    if hold_free = '1' then
      v       := check_r;
      v.more  := to_sl(last_part(check_r.control.mem_size) /= 0);
      v.busy  := busy;
    end if;
    -- The scoreboard's answer is late, that of one half as late as that of the other: nothing joins them here.
    keeps   := hold_r.valid and not hold_leaves;
    takes   := check_r.valid and hold_free;
    v.clash := (held and (1 to 2 => keeps)) or (clash and (1 to 2 => takes));
    hold_in <= v;
  end process;

  hold_regs : process (clk)
  begin
    if rising_edge(clk) then
      hold_r <= hold_in;
      if rst = '1' or flush_i = '1' then
        hold_r.valid <= '0';
        hold_r.clash <= "00";
        hold_r.pass  <= (others => '0');
      end if;
    end if;
  end process;

  long  <= hold_r.lo(0);
  begun <= to_sl(hold_r.pass /= 0);

  -- The instruction, or the next word of a wide access. Of a load, the word whose register holds the address goes last:
  -- its value may come back while the other words still read the address.
  choose_word : process (all)
    variable c    : control_t;
    variable last : part_t;                                   -- number of the last word
    variable word : part_t;
  begin
    c    := hold_r.control;
    last := last_part(c.mem_size);
    word := hold_r.pass xor last xor (c.src_a_reg(1 downto 0) and last);
    c.dst_reg := c.dst_reg or resize(word, reg_t'length);
    c.src_c_reg   := c.src_c_reg or resize(word, reg_t'length);
    dropped   <= to_sl(c.dst = DST_NONE or c.dst_reg = 127 or not exists(c.dst_reg, launch_i));
    part      <= word;
    more      <= hold_r.more;
    if hold_r.more = '1' then
      c.areg_inc := '0';
    end if;
    control <= c;
  end process;

  u_scoreboard : entity work.scoreboard
    generic map (WARPS => WARPS, LOADS => LOADS, HAS_LATE => HAS_LATE)
    port map (
      clk              => clk,
      rst              => rst,
      stages_i         => stages_i,
      moves_i          => moves_i,
      asking_slot_i    => check_r.slot,
      asking_control_i => check_r.control,
      clash_o          => clash,
      busy_o           => busy,
      takes_i          => hold_free,
      held_o           => held,
      slot_i           => hold_r.slot,
      control_i        => hold_r.control,
      begun_i          => begun,
      full_o           => full,
      issues_i         => issues,
      load_done_i      => load_back_i.valid,
      load_slot_i      => load_back_i.slot,
      load_busy_o      => load_busy_o
    );

  awaits  <= hold_r.busy and not begun;
  crowded <= full and not awaits and not hold_r.stays;
  waits   <= awaits or crowded;
  issues  <= hold_r.valid and not (hold_r.clash(1) or hold_r.clash(2)) and not full and not waits and ready_i
             and not init_i.valid and (not halt_i or begun);
  done   <= issues and not more;
  hold_leaves <= done or waits or (halt_i and not begun);
  hold_free   <= not hold_r.valid or (hold_leaves and to_sl(EAGER));

  use_o <= (waits => hold_r.valid, turned_away => hold_r.valid and waits and not halt_i, full => hold_r.valid and full);

  to_fate : process (all)
    variable exits : std_ulogic;                              -- all threads that it finds active end
  begin
    exits := hold_r.control.is_end or to_sl(hold_r.control.flow = FLOW_RET and hold_r.control.cond = 15);
    fate_in.slot      <= hold_r.slot;
    fate_in.take      <= done;
    fate_in.take_word <= hold_r.upper or long;
    fate_in.leaves    <= hold_r.valid and (done or waits);
    fate_in.blocks    <= done and hold_r.control.redirects;
    fate_in.arrives   <= done and to_sl(hold_r.control.flow = FLOW_BAR);
    fate_in.ends      <= done and exits and to_sl(hold_r.state.depth = 0);
    -- sched sees it two cycles later: a load that is back now would wake no warp, nor would one that is back in the
    -- next cycle; others are under way.
    fate_in.crowded   <= hold_r.valid and crowded and not halt_i and not load_back_i.valid;
    fate_in.waits     <= hold_r.valid and awaits and not halt_i
                         and not (load_back_i.valid and to_sl(load_back_i.slot = hold_r.slot))
                         and not (load_back.valid and to_sl(load_back.slot = hold_r.slot));
  end process;

  fate_regs : process (clk)
  begin
    if rising_edge(clk) then
      fate_o    <= fate_in;
      load_back <= load_back_i;
      if (hold_r.valid and (crowded or done)) = '1' then
        tried(to_integer(hold_r.slot)) <= crowded;
      end if;
      if rst = '1' then
        fate_o.take    <= '0';
        fate_o.leaves  <= '0';
        fate_o.blocks  <= '0';
        fate_o.arrives <= '0';
        fate_o.ends    <= '0';
        fate_o.crowded <= '0';
        fate_o.waits   <= '0';
        tried          <= (others => '0');
      end if;
    end if;
  end process;

  to_rows : process (all)
  begin
    issue_o         <= FRONT_TO_OPERANDS_INIT;
    issue_o.valid   <= issues;
    issue_o.slot    <= hold_r.slot;
    issue_o.pc      <= hold_r.pc;
    issue_o.lo      <= hold_r.lo;
    issue_o.hi      <= hold_r.hi;
    if control.trap = TRAP_FETCH then
      issue_o.lo <= (others => '0');
      issue_o.hi <= (others => '0');
    end if;
    issue_o.long    <= long;
    issue_o.info    <= hold_r.info;
    issue_o.state   <= hold_r.state;
    issue_o.control <= control;
    if control.src_c_from = SRC_REG32 and (control.src_c_reg = 124 or not exists(control.src_c_reg, launch_i)) then
      issue_o.control.src_c_from <= SRC_ZERO;                 -- of a wide store this word's register
    end if;
    issue_o.part    <= part;
    issue_o.more    <= more;
    issue_o.dropped <= dropped;
    init_taken_o <= init_i.valid and ready_i;
    -- The dispatcher's beat only writes R0; its other fields stay those of HOLD: fewer multiplexers.
    if init_i.valid = '1' then
      issue_o.valid   <= '1';
      issue_o.is_init <= '1';
      issue_o.slot    <= init_i.slot;
      issue_o.more    <= '0';
      issue_o.info.warp     <= init_i.info.warp;
      issue_o.info.reg_base <= init_i.info.reg_base;
      issue_o.state.active  <= init_i.state.active;
      issue_o.control       <= init_i.control;
      issue_o.control.imm          <= control.imm;
      issue_o.control.offset       <= control.offset;
      issue_o.control.const_offset <= control.const_offset;
      issue_o.control.areg_inc_bytes    <= control.areg_inc_bytes;
      issue_o.control.target       <= control.target;
      issue_o.control.src_a_reg        <= control.src_a_reg;
      issue_o.control.src_b_reg        <= control.src_b_reg;
      issue_o.control.src_c_reg        <= control.src_c_reg;
      issue_o.control.dst_number   <= control.dst_number;
    end if;
  end process;

  rules : process (clk)
  begin
    if rising_edge(clk) then
      chosen_when_free : assert rst = '1' or (choice_i.valid and not read_free) = '0'
        report "a choice is lost" severity failure;
      one_instruction_each_warp : assert rst = '1'
        or (hold_r.valid and ((word_r.valid and to_sl(hold_r.slot = word_r.slot))
                              or (check_r.valid and to_sl(hold_r.slot = check_r.slot)))) = '0'
        report "two instructions of a warp are on the way to issue" severity failure;
      clash_is_valid : assert rst = '1' or (or_reduce(hold_r.clash) and not hold_r.valid) = '0'
        report "an instruction that has left waits for a result" severity failure;
      access_is_whole : assert rst = '1' or (waits and begun) = '0'
        report "an access is turned away when some of it has issued" severity failure;
    end if;
  end process;

end architecture;
