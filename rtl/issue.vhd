-- SPDX-License-Identifier: Apache-2.0
-- Stage D: decodes the instruction that the scheduler read and holds it until it may issue, as scoreboard.vhd says. An
-- instruction that needs what a load will bring is turned away (the slot goes to another warp). A 64- or 128-bit access
-- issues two or four times in a row, once for each of its words, with that word's register; what else the instruction
-- does (marker, post-increment) comes with the last. Never issues out of order within a warp.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.lists_pkg.all;

entity issue is
  generic (
    WARPS : positive;
    LOADS : positive                                          -- under way at a time, a power of two
  );
  port (
    clk          : in  std_ulogic;
    rst          : in  std_ulogic;
    launch_i     : in  launch_t;
    halt_i       : in  std_ulogic;                            -- a trap stopped the grid: begin no more
    flush_i      : in  std_ulogic;                            -- a trap in this SM: forget the instruction in D
    -- the scheduler's choice, and what was read for it: valid one cycle after choose_i, held until the next
    choose_i     : in  std_ulogic;
    slot_i       : in  slot_t;
    word_i       : in  std_ulogic_vector(63 downto 0);
    word_addr_i  : in  unsigned(20 downto 0);
    upper_i      : in  std_ulogic;
    info_i       : in  warp_info_t;
    state_i      : in  warp_state_t;
    free_o       : out std_ulogic;                            -- takes a choice this cycle
    decoding_o   : out std_ulogic;
    decode_slot_o : out slot_t;
    again_o      : out std_ulogic;                            -- what is in D cannot redirect its warp, early
    -- what happens to the instruction in D this cycle
    take_o       : out std_ulogic;                            -- it issues
    take_word_o  : out std_ulogic;                            -- ... and was the last one of its 8-byte word
    blocks_o     : out std_ulogic;                            -- ... and redirects its warp
    arrives_o    : out std_ulogic;                            -- ... for it is a barrier
    ends_o       : out std_ulogic;                            -- ... which ends, unless there is a trap
    waits_o      : out std_ulogic;                            -- it is turned away, a load is under way
    full_o       : out std_ulogic;                            -- it is a load and stays, too many are under way
    -- to stage I
    init_i       : in  issue_t;                               -- the dispatcher's, goes first
    init_taken_o : out std_ulogic;
    ready_i      : in  std_ulogic;                            -- stage I takes an instruction this cycle
    issue_o      : out issue_t;                               -- valid when one issues
    stages_i     : in  beats_t(1 to 5);                       -- beats in I, A, M, O, X: 1 to 5 ahead of what issues now
    -- loads
    load_done_i  : in  std_ulogic;                            -- the load of this warp is back
    load_slot_i  : in  slot_t;
    load_busy_o  : out std_ulogic_vector(WARPS - 1 downto 0)
  );
end entity;

architecture rtl of issue is

  type decode_t is record
    valid : std_ulogic;
    slot  : slot_t;
    pass  : part_t;                                           -- words of the access that have issued
  end record;

  signal r, rin : decode_t;

  signal lo, hi  : word_t;
  signal control : control_t;
  signal long    : std_ulogic;

  signal pc      : pc_t;
  signal part    : part_t;
  signal more    : std_ulogic;
  signal dropped : std_ulogic;
  signal ready_control : control_t;                           -- of the word that issues next
  signal clash   : std_ulogic;                                -- with a result still in the pipeline
  signal busy    : std_ulogic;                                -- with a load
  signal full    : std_ulogic;                                -- too many loads are under way
  signal begun   : std_ulogic;                                -- an access of which some words have issued
  signal issues  : std_ulogic;

  function exists(reg : reg_t; launch : launch_t) return boolean is
  begin
    return ('0' & reg) < launch.regs;
  end function;

  -- What a source reads: registers beyond the launch's count, and R124, read zero.
  function existing(from : source_t; reg : reg_t; launch : launch_t) return source_t is
    variable source : source_t := from;
  begin
    if (from = SRC_REG32 or from = SRC_REG16) and not exists(reg, launch) then
      source := SRC_ZERO;
    end if;
    if from = SRC_REG32 and reg = 124 then
      source := SRC_ZERO;
    end if;
    return source;
  end function;

begin

  halves : process (all)
  begin
    lo <= word_i(31 downto 0);
    hi <= word_i(63 downto 32);
    if upper_i = '1' then
      lo <= word_i(63 downto 32);
      hi <= (others => '0');
    end if;
  end process;

  u_decode : entity work.decode
    port map (
      lo_i      => lo,
      hi_i      => hi,
      control_o => control,
      long_o    => long
    );

  -- The instruction, or what is next of a wide access. Of a load, the word whose register holds the address goes last:
  -- its value may come back while the other words still read the address.
  prepare : process (all)
    variable c         : control_t;
    variable address   : pc_t;
    variable last_byte : unsigned(24 downto 0);
    variable last      : part_t;                              -- number of the last word
    variable word      : part_t;
  begin
    c       := control;
    address := word_addr_i & upper_i & "00";

    if c.mem = MEM_GLOBAL_ATOMIC and launch_i.atomics = '0' then
      c           := CONTROL_INIT;
      c.redirects := '1';
      c.trap      := TRAP_UNIMPLEMENTED;
    end if;
    if upper_i = '1' and long = '1' then
      c           := CONTROL_INIT;
      c.redirects := '1';
      c.trap      := TRAP_UNDEFINED;
    end if;
    last_byte := ('0' & address) + 3;
    if long = '1' and upper_i = '0' then
      last_byte := ('0' & address) + 7;
    end if;
    if last_byte >= ('0' & launch_i.code_bytes) then
      c           := CONTROL_INIT;
      c.redirects := '1';
      c.trap      := TRAP_FETCH;
    end if;

    if not exists(c.dst_reg, launch_i) then                   -- of a wide load: the register of its first word
      c.dst := DST_NONE;
    end if;
    last := last_part(c.mem_size);
    word := r.pass xor last xor (c.a_reg(1 downto 0) and last);
    c.dst_reg := c.dst_reg or resize(word, reg_t'length);
    c.c_reg   := c.c_reg or resize(word, reg_t'length);
    dropped   <= to_sl(c.dst = DST_NONE or c.dst_reg = 127 or not exists(c.dst_reg, launch_i));
    part      <= word;
    more      <= '0';
    if r.pass /= last then
      more    <= '1';
      c.a_inc := '0';
    end if;

    c.a_from := existing(c.a_from, c.a_reg, launch_i);
    c.b_from := existing(c.b_from, c.b_reg, launch_i);
    c.c_from := existing(c.c_from, c.c_reg, launch_i);

    pc <= address;
    ready_control <= c;
  end process;

  begun <= to_sl(r.pass /= 0);

  u_scoreboard : entity work.scoreboard
    generic map (WARPS => WARPS, LOADS => LOADS)
    port map (
      clk         => clk,
      rst         => rst,
      slot_i      => r.slot,
      control_i   => ready_control,
      stages_i    => stages_i,
      begun_i     => begun,
      clash_o     => clash,
      busy_o      => busy,
      full_o      => full,
      issues_i    => issues,
      load_done_i => load_done_i,
      load_slot_i => load_slot_i,
      load_busy_o => load_busy_o
    );

  comb : process (all)
    variable v       : decode_t;
    variable waits   : std_ulogic;                            -- for a load
    variable done    : std_ulogic;                            -- the whole instruction has issued
    variable exits   : std_ulogic;                            -- all threads that it finds active end
  begin
    v      := r;
    waits  := busy and not begun;
    issues <= r.valid and not clash and not full and not waits and ready_i and not init_i.valid
              and (not halt_i or begun);
    done   := issues and not more;

    take_o      <= done;
    take_word_o <= upper_i or long;
    blocks_o    <= done and ready_control.redirects;
    arrives_o   <= done and to_sl(ready_control.flow = FLOW_BAR);
    exits       := ready_control.is_end or to_sl(ready_control.flow = FLOW_RET and ready_control.cond = 15);
    ends_o      <= done and exits and to_sl(state_i.depth = 0);
    waits_o     <= r.valid and waits and not halt_i;
    full_o      <= r.valid and full;

    issue_o         <= ISSUE_INIT;
    issue_o.valid   <= issues;
    issue_o.slot    <= r.slot;
    issue_o.pc      <= pc;
    issue_o.lo      <= lo;
    issue_o.hi      <= hi;
    if long = '0' then
      issue_o.hi <= (others => '0');
    end if;
    if ready_control.trap = TRAP_FETCH then
      issue_o.lo <= (others => '0');
      issue_o.hi <= (others => '0');
    end if;
    issue_o.long    <= long;
    issue_o.info    <= info_i;
    issue_o.state   <= state_i;
    issue_o.control <= ready_control;
    issue_o.part    <= part;
    issue_o.more    <= more;
    issue_o.dropped <= dropped;
    init_taken_o <= init_i.valid and ready_i;
    -- What does not matter to the dispatcher's beat, which only writes R0, stays that of D: fewer multiplexers.
    if init_i.valid = '1' then
      issue_o.valid   <= '1';
      issue_o.is_init <= '1';
      issue_o.slot    <= init_i.slot;
      issue_o.more    <= '0';
      issue_o.info.warp     <= init_i.info.warp;
      issue_o.info.reg_base <= init_i.info.reg_base;
      issue_o.state.active  <= init_i.state.active;
      issue_o.control       <= init_i.control;
      issue_o.control.imm          <= ready_control.imm;
      issue_o.control.offset       <= ready_control.offset;
      issue_o.control.const_offset <= ready_control.const_offset;
      issue_o.control.inc_bytes    <= ready_control.inc_bytes;
      issue_o.control.target       <= ready_control.target;
      issue_o.control.a_reg        <= ready_control.a_reg;
      issue_o.control.b_reg        <= ready_control.b_reg;
      issue_o.control.c_reg        <= ready_control.c_reg;
      issue_o.control.dst_number   <= ready_control.dst_number;
    end if;

    if issues = '1' then
      v.pass := r.pass + 1;
    end if;
    if done = '1' or waits = '1' or (halt_i and not begun) = '1' then
      v.valid := '0';
      v.pass  := (others => '0');
    end if;
    free_o <= not v.valid;
    if choose_i = '1' then
      v.valid := '1';
      v.slot  := slot_i;
    end if;
    if flush_i = '1' then
      v.valid := '0';
      v.pass  := (others => '0');
    end if;

    -- From the word alone, as it decides about the next choice: no flow instruction, no marker. A trap redirects as
    -- well, but forgets what follows.
    again_o       <= not long or (not lo(1) and (to_sl(hi(1 downto 0) = "00") or to_sl(hi(1 downto 0) = "11")));
    decoding_o    <= r.valid;
    decode_slot_o <= r.slot;
    rin <= v;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
      if rst = '1' then
        r.valid <= '0';
        r.pass  <= (others => '0');
      end if;
    end if;
  end process;

end architecture;
