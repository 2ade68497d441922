-- SPDX-License-Identifier: Apache-2.0
-- Branch unit, beside stage RESOLVE. On the last beat of a warp instruction it decides where the warp continues and
-- updates the warp's stack. branch_pkg.vhd (judge) prepares in X3 whatever does not depend on the stack.
--
-- A JOIN pops at once. Unwinding after the last active lane left takes three cycles an entry, while RESOLVE holds
-- (busy_o). Rules: docs/isa.md 6.1.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.front_pkg.all;
use work.branch_pkg.all;
use work.lists_pkg.all;

entity branch is
  generic (
    WARPS  : positive;
    STACK_DEPTH : positive;
    SEED   : natural
  );
  port (
    clk      : in  std_ulogic;
    rst      : in  std_ulogic;
    -- stage X3, for the early read of the top of the stack
    x3_beat_i  : in  beat_t;
    x3_pops_i  : in  std_ulogic;                             -- x3_beat_i is the last of an instruction that may pop
    x3_moves_i : in  std_ulogic;                             -- the beat in X3 enters RESOLVE at the end of this cycle
    -- early answers: the top of a warp's stack is read where X3 does not have to
    early_at_i    : in  stack_place_t;
    early_reads_o : out std_ulogic;                          -- it is
    top_o         : out entry_vector_t;                      -- the entry read, one cycle later
    push_i        : in  early_to_branch_t;                   -- not while the beat in RESOLVE may push
    -- stage RESOLVE
    beat_i    : in  beat_t;
    verdict_i : in  judge_to_branch_t;                       -- of the instruction, with its last beat
    moves_i   : in  std_ulogic;                              -- the beat leaves RESOLVE; never while busy_o
    busy_o    : out std_ulogic;
    blocks_o  : out std_ulogic;                              -- busy_o in the next cycle
    outcome_o : out branch_to_writeback_t;                   -- of the instruction, in the cycle its last beat leaves
    trap_o    : out std_ulogic;                              -- the instruction trapped
    answer_o  : out branch_to_warps_t;
    release_o : out std_ulogic_vector(WARPS - 1 downto 0);
    start_i   : in  dispatch_to_warps_t                      -- a warp of a new block, for its barriers
  );
end entity;

architecture rtl of branch is

  constant INDEX_BITS : positive := log2(STACK_DEPTH);
  subtype stack_addr_t is unsigned(SLOT_BITS + INDEX_BITS - 1 downto 0);

  -- place of the entry that is so far below `depth` entries
  function stack_addr(slot : slot_t; depth : depth_t; down : positive := 1) return stack_addr_t is
    variable below : depth_t;
  begin
    below := depth - down;
    return slot & below(INDEX_BITS - 1 downto 0);
  end function;

  type phase_t is (PHASE_RESOLVE, PHASE_POP);

  type branch_t is record
    hold  : std_ulogic;                                      -- the outcome is not known before the next cycle
    ends  : std_ulogic;                                      -- the warp finishes, unless more entries come off
    reads : std_ulogic;                                      -- the top of the stack is there in the next cycle
    top   : entry_vector_t;                                  -- top of the stack, as read in the cycle before
    looked : std_ulogic;                                     -- looked is the last cycle's reads
    done  : std_ulogic;                                      -- the last entry is off
    phase : phase_t;
    work  : warp_state_t;                                    -- while unwinding
  end record;

  signal r, rin : branch_t;

  signal late_push : early_to_branch_t;                      -- push of the beat in RESOLVE
  signal pushed    : early_to_branch_t;                      -- late_push of the cycle before
  signal push_we   : std_ulogic_vector(0 downto 0);
  signal push_addr : stack_addr_t;
  signal push_data : entry_vector_t;
  signal top_re    : std_ulogic;
  signal top_addr  : stack_addr_t;
  signal top_data  : entry_vector_t;

  signal bar_event  : std_ulogic;
  signal bar_exit   : std_ulogic;
  signal bar_opens  : std_ulogic;

begin

  comb : process (all)
    variable v        : branch_t;
    variable c        : control_t;
    variable insn     : front_to_operands_t;
    variable s        : warp_state_t;
    variable top      : entry_t;
    variable push     : entry_t;
    variable trap     : trap_t;
    variable traps    : std_ulogic;                          -- it is not TRAP_NONE
    variable falls    : std_ulogic;                          -- next_pc is the next instruction
    variable some     : std_ulogic;                          -- a lane is active
    variable bottom   : std_ulogic;                          -- nothing is left on the stack
    variable mismatch : std_ulogic;
    variable next_pc  : pc_t;
    variable rest     : lane_mask_t;
    variable left     : lane_mask_t;                         -- lanes that continue, before stack or end of the warp
    variable joined   : lane_mask_t;                         -- a JOIN takes the top entry off: active then
    variable done     : std_ulogic;                          -- the outcome is known
    variable waits    : std_ulogic;
    variable ends     : std_ulogic;                          -- the warp has finished

    function when_set(enable : std_ulogic; mask : lane_mask_t) return lane_mask_t is
    begin
      return mask and lane_mask_t'(others => enable);
    end function;
  begin
    v       := r;
    v.reads := '0';
    insn    := beat_i.insn;
    c    := insn.control;
    top  := to_entry(r.top);

    -- Candidates for the active mask, in parallel; `verdict_i` selects.
    s        := insn.state;
    rest     := s.active and not verdict_i.exec;
    left     := when_set(not verdict_i.splits and not verdict_i.leaves, s.active)
                or when_set(verdict_i.splits, verdict_i.exec) or when_set(verdict_i.leaves, rest);
    joined   := runnable(s, top.mask);
    push     := (token => verdict_i.token, mask => s.active, pc => verdict_i.push_pc);
    if verdict_i.token = TOKEN_DIVERGE then
      push.mask := rest;
    end if;
    mismatch := verdict_i.joins and to_sl(top.token = TOKEN_CALL or top.token = TOKEN_BREAK);

    if r.phase = PHASE_POP then
      s       := popped(r.work, top);
      some    := or_reduce(s.active);
      bottom  := to_sl(r.work.depth = 1);
      v.ends  := bottom and not some;
      ends    := r.ends;
      next_pc := resumes_at(top);
      falls   := '0';
      trap    := TRAP_NONE;
      traps   := '0';
      waits   := '0';
      if r.hold = '1' and r.looked = '1' and r.done = '0' then
        v.reads := '1';
      end if;
    else
      s.call_parked := s.call_parked or when_set(verdict_i.returns, verdict_i.exec);
      s.brk_parked  := s.brk_parked or when_set(verdict_i.breaks, verdict_i.exec);
      s.alive       := s.alive and not (when_set(verdict_i.exits, verdict_i.exec) or when_set(c.is_end, left));
      s.active      := when_set(verdict_i.stays, left) or when_set(verdict_i.pops, insn.early.active)
                       or when_set(verdict_i.joins, joined) or when_set(verdict_i.rejoins, runnable(s, s.alive));
      if verdict_i.pushes = '1' then
        s.depth := s.depth + 1;
        if verdict_i.token = TOKEN_CALL then
          s.calls := s.calls + 1;
        elsif verdict_i.token = TOKEN_BREAK then
          s.breaks := s.breaks + 1;
        end if;
      elsif verdict_i.pops = '1' or verdict_i.joins = '1' then
        s.depth := s.depth - 1;
      end if;

      next_pc := verdict_i.next_pc;
      falls   := verdict_i.falls;
      if verdict_i.joins = '1' and top.token = TOKEN_DIVERGE then
        next_pc := top.pc;
        falls   := '0';
      end if;
      trap  := verdict_i.trap;
      traps := verdict_i.traps or mismatch;
      if mismatch = '1' then
        s.active := insn.state.active;
        if verdict_i.traps = '0' then
          trap := TRAP_STACK_MISMATCH;
        end if;
      end if;
      some   := (verdict_i.some and not verdict_i.joins) or (verdict_i.joins and or_reduce(joined));
      bottom := verdict_i.bottom;
      waits  := to_sl(c.flow = FLOW_BAR) and c.bar_wait and not bar_opens;
      -- Early in the cycle, for barriers; it is the same as: no trap, done, and no lane active.
      ends   := verdict_i.ends;
    end if;
    done := traps or some or bottom;

    -- outcome
    outcome_o <= (next_pc => next_pc, active => s.active, depth => s.depth, state => "00", trap => trap);
    if waits = '1' then
      outcome_o.state <= "01";
    end if;
    if ends = '1' then
      outcome_o.state   <= "10";
      outcome_o.next_pc <= (others => '0');
    end if;
    if traps = '1' then                                      -- no effect
      outcome_o.state <= "11";
      outcome_o.depth <= insn.state.depth;
    end if;

    busy_o     <= r.hold;
    trap_o     <= '0';
    answer_o <= (redirect => BRANCH_TO_SCHED_INIT, state_we => '0', state => s);
    answer_o.redirect.slot <= insn.slot;
    answer_o.redirect.pc   <= next_pc;
    answer_o.redirect.falls_through <= falls;
    answer_o.redirect.waits    <= waits;
    answer_o.redirect.finished <= ends;
    late_push  <= (valid => '0', slot => insn.slot, depth => insn.state.depth + 1, entry => push);
    bar_event  <= '0';
    bar_exit   <= ends;
    top_re     <= x3_moves_i or v.reads;
    top_addr   <= early_at_i.slot & early_at_i.below(INDEX_BITS - 1 downto 0);
    if r.hold = '1' then                                     -- the entry below that which is looked at
      top_addr <= stack_addr(insn.slot, r.work.depth, 2);
    end if;
    early_reads_o <= x3_moves_i;
    if x3_pops_i = '1' then
      if r.hold = '0' then
        top_addr <= stack_addr(x3_beat_i.insn.slot, x3_beat_i.insn.state.depth);
      end if;
      early_reads_o <= '0';
    end if;

    v.top   := top_data;
    v.hold  := r.hold and not (r.looked and r.done);
    v.looked := r.hold and not r.reads and not r.looked;
    v.done  := done;
    if x3_moves_i = '1' then
      v.looked := '0';
      v.reads := '1';
      v.hold := x3_beat_i.valid and x3_pops_i;
    end if;

    if beat_i.valid = '1' and moves_i = '1' and insn.is_init = '0' and beat_i.last = '1' and r.hold = '0' then
      v.phase := PHASE_RESOLVE;
      bar_event <= '1';
      trap_o    <= traps;
      if traps = '0' then
        answer_o.redirect.valid <= c.redirects and not insn.early.goes;
        answer_o.state_we <= c.redirects and not insn.early.goes;
        late_push.valid <= verdict_i.pushes and not insn.early.goes;
      else
        answer_o.redirect.valid   <= '1';
        answer_o.redirect.trapped <= '1';
        answer_o.redirect.waits   <= '0';
      end if;
    end if;
    -- unwinding goes on while the beat waits for it
    if beat_i.valid = '1' and r.hold = '1' and r.looked = '1' and r.done = '0' then
      v.work  := s;
      v.phase := PHASE_POP;
    end if;

    blocks_o <= v.hold;
    rin <= v;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
      pushed <= late_push;
      if rst = '1' or trap_o = '1' then
        r.hold  <= '0';
      end if;
      if rst = '1' then
        r.phase <= PHASE_RESOLVE;
        pushed.valid <= '0';
      end if;
    end if;
  end process;

  top_o <= top_data;

  -- One cycle after the answer: the warp's next instruction is far behind.
  write_stack : process (all)
    variable entry : early_to_branch_t;
  begin
    entry := pushed;
    if push_i.valid = '1' then
      entry := push_i;
    end if;
    push_we(0) <= entry.valid;
    push_addr  <= stack_addr(entry.slot, entry.depth);
    push_data  <= to_vector(entry.entry);
  end process;

  u_stack : entity work.ram_1r1w
    generic map (ADDR_BITS => SLOT_BITS + INDEX_BITS, COLUMN_BITS => ENTRY_BITS, NEW_DATA => true, SEED => SEED)
    port map (
      clk     => clk,
      re_i    => top_re,
      raddr_i => top_addr,
      rdata_o => top_data,
      we_i    => push_we,
      waddr_i => push_addr,
      wdata_i => push_data
    );

  u_barrier : entity work.barrier
    generic map (WARPS => WARPS, SEED => SEED)
    port map (
      clk           => clk,
      rst           => rst,
      start_i       => start_i.valid,
      start_slot_i  => start_i.slot,
      start_block_i => start_i.warp.info.block_slot,
      start_first_i => start_i.first,
      start_warps_i => start_i.warps,
      next_i        => x3_moves_i,
      next_slot_i   => x3_beat_i.insn.slot,
      next_block_i  => x3_beat_i.insn.info.block_slot,
      event_i       => bar_event,
      arrive_i      => verdict_i.arrives,
      wait_i        => beat_i.insn.control.bar_wait,
      exit_i        => bar_exit,
      slot_i        => beat_i.insn.slot,
      block_i       => beat_i.insn.info.block_slot,
      id_i          => beat_i.insn.control.barrier,
      opens_o       => bar_opens,
      release_o     => release_o
    );

  rules : process (clk)
  begin
    if rising_edge(clk) then
      leaves_when_known : assert rst = '1' or (moves_i and r.hold) = '0'
        report "an instruction leaves RESOLVE before its outcome is known" severity failure;
      early_answers_redirect_once : assert rst = '1'
        or (answer_o.redirect.valid and beat_i.insn.early.goes and not answer_o.redirect.trapped) = '0'
        report "an instruction that was answered early redirects again" severity failure;
      stack_holds : assert rst = '1' or answer_o.state_we = '0' or answer_o.state.depth <= STACK_DEPTH
        report "a stack deeper than its memory" severity failure;
      trap_tells_the_warp : assert rst = '1' or trap_o = '0'
        or (answer_o.redirect.valid and answer_o.redirect.trapped) = '1'
        report "a trap that the warp does not learn of" severity failure;
      early_push_alone : assert rst = '1' or (push_i.valid and pushed.valid) = '0'
        report "two entries are pushed in a cycle" severity failure;
    end if;
  end process;

end architecture;
