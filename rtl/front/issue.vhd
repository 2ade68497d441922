-- SPDX-License-Identifier: Apache-2.0
-- From the scheduler's choice to stage I, one instruction of a warp at a time, in order:
--
--   R  reads the warp's buffer and its entry in the warp table
--   Q  selects the half of the word
--   K  asks scoreboard.vhd whether the instruction may issue in the next cycle
--   H  holds the instruction until it may
--
-- Accesses of 64 and 128 bits issue once a word. An instruction that needs a pending load gives its slot back.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
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
    -- stage R reads; stage Q holds the data until the next read
    read_o       : out warp_event_t;
    fetched_i    : in  fetched_t;
    warp_i       : in  warp_t;
    use_o        : out hazard_use_t;                          -- for the counters
    fate_o       : out fate_t;
    -- to stage I
    init_i       : in  issue_t;                               -- the dispatcher's, goes first
    init_taken_o : out std_ulogic;
    ready_i      : in  std_ulogic;                            -- stage I takes an instruction this cycle
    issue_o      : out issue_t;                               -- valid when one issues
    moves_i      : in  stage_moves_t;
    stages_i     : in  beats_t(1 to WRITER_STAGES);           -- beats from I to Y, by distance from issue
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
    clash   : clash_t;                                        -- in H: valid, and a result that it needs is still in the
                                                              -- pipeline, in that half of it
    busy    : std_ulogic;                                     -- a load will write one of its registers
    stays   : std_ulogic;                                     -- until there is room for a load
  end record;

  signal r, r_in : warp_event_t;
  signal q, q_in : warp_event_t;
  signal k, k_in : hazard_t;
  signal h, h_in : hazard_t;
  signal h_free, k_free, q_free, r_free : std_ulogic;                 -- the stage takes an instruction this cycle

  signal long    : std_ulogic;
  signal part    : part_t;
  signal more    : std_ulogic;
  signal dropped : std_ulogic;
  signal control : control_t;                                 -- of the word that issues next
  signal clash   : clash_t;                                   -- the instruction in K may not issue in the next cycle
  signal busy    : std_ulogic;                                -- a source or destination waits for a load
  signal held    : clash_t;                                   -- the instruction in H may not issue in the next cycle
  signal full    : std_ulogic;                                -- too many loads are under way
  signal begun   : std_ulogic;                                -- an access of which some words have issued
  signal issues  : std_ulogic;
  signal done    : std_ulogic;                                -- the whole instruction has issued
  signal awaits  : std_ulogic;                                -- it is turned away, for a load that it needs
  signal crowded : std_ulogic;                                -- turned away: no room for a load
  signal waits   : std_ulogic;                                -- awaits or crowded
  signal h_leaves : std_ulogic;
  signal tried   : std_ulogic_vector(WARPS - 1 downto 0);     -- it was turned away for that, and has not issued
  signal load_back : warp_event_t;                            -- a load came back when the scoreboard was asked

begin

  --------------------------------------------------------------------------------------------------------------
  -- R and Q

  k_free <= not k.valid or (h_free and to_sl(EAGER));
  q_free <= not q.valid or (k_free and to_sl(EAGER));
  r_free <= not r.valid or (q_free and to_sl(EAGER));
  free_o <= r_free;
  read_o <= (valid => r.valid and q_free, slot => r.slot);

  choose : process (all)
  begin
    r_in <= r;
    if r_free = '1' then
      r_in <= choice_i;
    elsif q_free = '1' then
      r_in.valid <= '0';
    end if;
    q_in <= q;
    if q_free = '1' then
      q_in <= r;
    elsif k_free = '1' then
      q_in.valid <= '0';
    end if;
  end process;

  to_stage_k : process (all)
    variable v : hazard_t;
  begin
    v := k;
    if h_free = '1' then
      v.valid := '0';
    end if;
    if k_free = '1' then
      v.valid   := q.valid;
      v.pass    := (others => '0');
      v.slot    := q.slot;
      v.pc      := fetched_i.addr & fetched_i.upper & "00";
      v.upper   := fetched_i.upper;
      v.stays   := '1';
      if CROWDS then
        v.stays := tried(to_integer(q.slot));
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
    k_in <= v;
  end process;

  --------------------------------------------------------------------------------------------------------------
  -- K

  to_stage_h : process (all)
    variable v     : hazard_t;
    variable keeps : std_ulogic;
    variable takes : std_ulogic;
  begin
    v := h;
    if issues = '1' then
      v.pass := h.pass + 1;
      v.more := to_sl(h.pass + 1 /= last_part(h.control.mem_size));
    end if;
    if h_leaves = '1' then
      v.valid := '0';
      v.pass  := (others => '0');
    end if;
    if h_free = '1' then
      v       := k;
      v.more  := to_sl(last_part(k.control.mem_size) /= 0);
      v.busy  := busy;
    end if;
    -- The scoreboard's answer is late, that of one half as late as that of the other: nothing joins them here.
    keeps   := h.valid and not h_leaves;
    takes   := k.valid and h_free;
    v.clash := (held and (1 to 2 => keeps)) or (clash and (1 to 2 => takes));
    h_in <= v;
  end process;

  --------------------------------------------------------------------------------------------------------------
  -- H

  long  <= h.lo(0);
  begun <= to_sl(h.pass /= 0);

  -- The instruction, or the next word of a wide access. Of a load, the word whose register holds the address goes last:
  -- its value may come back while the other words still read the address.
  choose_word : process (all)
    variable c    : control_t;
    variable last : part_t;                                   -- number of the last word
    variable word : part_t;
  begin
    c    := h.control;
    last := last_part(c.mem_size);
    word := h.pass xor last xor (c.a_reg(1 downto 0) and last);
    c.dst_reg := c.dst_reg or resize(word, reg_t'length);
    c.c_reg   := c.c_reg or resize(word, reg_t'length);
    dropped   <= to_sl(c.dst = DST_NONE or c.dst_reg = 127 or not exists(c.dst_reg, launch_i));
    part      <= word;
    more      <= h.more;
    if h.more = '1' then
      c.a_inc := '0';
    end if;
    control <= c;
  end process;

  u_scoreboard : entity work.scoreboard
    generic map (WARPS => WARPS, LOADS => LOADS, HAS_LATE => HAS_LATE)
    port map (
      clk         => clk,
      rst         => rst,
      stages_i    => stages_i,
      moves_i     => moves_i,
      asking_slot_i    => k.slot,
      asking_control_i => k.control,
      clash_o     => clash,
      busy_o      => busy,
      takes_i     => h_free,
      held_o      => held,
      slot_i      => h.slot,
      control_i   => h.control,
      begun_i     => begun,
      full_o      => full,
      issues_i    => issues,
      load_done_i => load_back_i.valid,
      load_slot_i => load_back_i.slot,
      load_busy_o => load_busy_o
    );

  awaits  <= h.busy and not begun;
  crowded <= full and not awaits and not h.stays;
  waits   <= awaits or crowded;
  issues <= h.valid and not (h.clash(1) or h.clash(2)) and not full and not waits and ready_i and not init_i.valid
            and (not halt_i or begun);
  done   <= issues and not more;
  h_leaves <= done or waits or (halt_i and not begun);
  h_free   <= not h.valid or (h_leaves and to_sl(EAGER));

  use_o <= (waits => h.valid, turned_away => h.valid and waits and not halt_i, full => h.valid and full);

  fate : process (clk)
    variable exits : std_ulogic;                              -- all threads that it finds active end
  begin
    if rising_edge(clk) then
      exits       := h.control.is_end or to_sl(h.control.flow = FLOW_RET and h.control.cond = 15);
      fate_o.slot      <= h.slot;
      fate_o.take      <= done and not rst;
      fate_o.take_word <= h.upper or long;
      fate_o.leaves    <= h.valid and (done or waits) and not rst;
      fate_o.blocks    <= done and h.control.redirects and not rst;
      fate_o.arrives   <= done and to_sl(h.control.flow = FLOW_BAR) and not rst;
      fate_o.ends      <= done and exits and to_sl(h.state.depth = 0) and not rst;
      -- sched sees it two cycles later: a load that is back now would wake nobody. Nor does one that is back in the
      -- next cycle; others are under way.
      fate_o.crowded   <= h.valid and crowded and not halt_i and not rst and not load_back_i.valid;
      fate_o.waits     <= h.valid and awaits and not halt_i and not rst
                          and not (load_back_i.valid and to_sl(load_back_i.slot = h.slot))
                          and not (load_back.valid and to_sl(load_back.slot = h.slot));
      load_back        <= load_back_i;
      if (h.valid and (crowded or done)) = '1' then
        tried(to_integer(h.slot)) <= crowded;
      end if;
      if rst = '1' then
        tried <= (others => '0');
      end if;
    end if;
  end process;

  to_stage_i : process (all)
  begin
    issue_o         <= ISSUE_INIT;
    issue_o.valid   <= issues;
    issue_o.slot    <= h.slot;
    issue_o.pc      <= h.pc;
    issue_o.lo      <= h.lo;
    issue_o.hi      <= h.hi;
    if control.trap = TRAP_FETCH then
      issue_o.lo <= (others => '0');
      issue_o.hi <= (others => '0');
    end if;
    issue_o.long    <= long;
    issue_o.info    <= h.info;
    issue_o.state   <= h.state;
    issue_o.control <= control;
    if control.c_from = SRC_REG32 and (control.c_reg = 124 or not exists(control.c_reg, launch_i)) then
      issue_o.control.c_from <= SRC_ZERO;                     -- of a wide store this word's register
    end if;
    issue_o.part    <= part;
    issue_o.more    <= more;
    issue_o.dropped <= dropped;
    init_taken_o <= init_i.valid and ready_i;
    -- The dispatcher's beat only writes R0; its other fields stay those of H: fewer multiplexers.
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
      issue_o.control.inc_bytes    <= control.inc_bytes;
      issue_o.control.target       <= control.target;
      issue_o.control.a_reg        <= control.a_reg;
      issue_o.control.b_reg        <= control.b_reg;
      issue_o.control.c_reg        <= control.c_reg;
      issue_o.control.dst_number   <= control.dst_number;
    end if;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= r_in;
      q <= q_in;
      k <= k_in;
      h <= h_in;
      if rst = '1' or flush_i = '1' then
        r.valid <= '0';
        q.valid <= '0';
        k.valid <= '0';
        h.valid <= '0';
        h.clash <= "00";
        h.pass  <= (others => '0');
      end if;
    end if;
  end process;

  rules : process (clk)
  begin
    if rising_edge(clk) then
      chosen_when_free : assert rst = '1' or (choice_i.valid and not r_free) = '0'
        report "a choice is lost" severity failure;
      one_instruction_each_warp : assert rst = '1'
        or (h.valid and ((q.valid and to_sl(h.slot = q.slot)) or (k.valid and to_sl(h.slot = k.slot)))) = '0'
        report "two instructions of a warp are on the way to issue" severity failure;
      who_waits_is_there : assert rst = '1' or (or_reduce(h.clash) and not h.valid) = '0'
        report "an instruction that has left waits for a result" severity failure;
      access_is_whole : assert rst = '1' or (waits and begun) = '0'
        report "an access is turned away when some of it has issued" severity failure;
    end if;
  end process;

end architecture;
