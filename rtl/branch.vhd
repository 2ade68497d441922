-- SPDX-License-Identifier: Apache-2.0
-- Branch unit, beside stage Y: on the last beat of a warp instruction it says where the warp goes on: target,
-- divergence, reconvergence, call, exit, barrier or trap. It owns the warp stacks. A JOIN pops at once or, with nothing
-- to pop, lets all live lanes go on; unwinding after the last active lane left (exit, RET, BRK) takes a cycle for each
-- entry, during which stage Y holds (busy_o). An instruction that was answered early (branch_early.vhd) retires here
-- like any other, but redirects its warp no more, and what it pushes has been pushed. Rules: docs/isa.md 6.1.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.lists_pkg.all;
use work.branch_pkg.all;

entity branch is
  generic (
    CORES  : positive;
    WARPS  : positive;
    STACK_DEPTH : positive;
    SEED   : natural
  );
  port (
    clk      : in  std_ulogic;
    rst      : in  std_ulogic;
    -- stage X, for the early read of the top of the stack
    x_beat_i  : in  beat_t;
    x_moves_i : in  std_ulogic;                              -- the beat in X enters Y at the end of this cycle
    -- early answers: the top of a warp's stack is read where X does not have to
    early_slot_i  : in  slot_t;
    early_depth_i : in  depth_t;
    early_reads_o : out std_ulogic;                          -- it is
    top_o     : out entry_vector_t;                          -- what was read, one cycle later
    push_i    : in  push_t;                                  -- not while the beat in Y may push
    -- stage Y
    beat_i    : in  beat_t;
    exec_i    : in  std_ulogic_vector(CORES - 1 downto 0);
    faults_i  : in  faults_t;                                -- of all lanes of the beat
    target_i  : in  pc_t;                                    -- of a BRX, the constant that the beat has read
    moves_i   : in  std_ulogic;                              -- the beat leaves Y, if busy_o allows
    busy_o    : out std_ulogic;
    outcome_o : out outcome_t;                               -- of the instruction, in the cycle its last beat leaves
    trap_o    : out std_ulogic;                              -- ... it trapped
    redirect_o : out redirect_t;
    state_we_o : out std_ulogic;                             -- new warp state of beat_i.insn.slot
    state_o    : out warp_state_t;
    release_o  : out std_ulogic_vector(WARPS - 1 downto 0);
    -- a warp of a new block, for its barriers
    start_i       : in  std_ulogic;
    start_slot_i  : in  slot_t;
    start_block_i : in  block_slot_t;
    start_first_i : in  slot_t;
    start_warps_i : in  unsigned(SLOT_BITS downto 0)
  );
end entity;

architecture rtl of branch is

  constant INDEX_BITS : positive := log2(STACK_DEPTH);
  subtype stack_addr_t is unsigned(SLOT_BITS + INDEX_BITS - 1 downto 0);

  -- place of the entry below `depth` entries
  function stack_addr(slot : slot_t; depth : depth_t) return stack_addr_t is
    variable below : depth_t;
  begin
    below := depth - 1;
    return slot & below(INDEX_BITS - 1 downto 0);
  end function;

  -- the instruction takes an entry off, at once or unwinding
  function may_pop(c : control_t) return boolean is
  begin
    return c.is_join = '1' or c.is_end = '1' or c.flow = FLOW_RET or c.flow = FLOW_BRK;
  end function;

  type phase_t is (PHASE_RESOLVE, PHASE_POP);

  type branch_t is record
    phase : phase_t;
    work  : warp_state_t;                                    -- while unwinding
  end record;

  signal r, rin : branch_t;

  -- of the whole instruction, on its last beat
  signal exec       : lane_mask_t;
  signal faults     : faults_t;
  signal brx_target : pc_t;
  signal beat_goes  : std_ulogic;                            -- to make room for the next of the same instruction
  signal leaves     : std_ulogic;                            -- the instruction

  signal push_we   : std_ulogic_vector(0 downto 0);
  signal push_addr : stack_addr_t;
  signal push_data : entry_vector_t;
  signal top_re    : std_ulogic;
  signal top_addr  : stack_addr_t;
  signal top_data  : entry_vector_t;

  signal arrive     : std_ulogic;
  signal bar_exit   : std_ulogic;
  signal bar_waits  : std_ulogic;
  signal bar_opens  : std_ulogic;

begin

  comb : process (all)
    variable v       : branch_t;
    variable c       : control_t;
    variable insn    : issue_t;
    variable s       : warp_state_t;
    variable top     : entry_t;
    variable push    : entry_t;
    variable pushes  : std_ulogic;
    variable trap    : trap_t;
    variable next_pc : pc_t;
    variable follows : pc_t;                                 -- the next instruction
    variable rest    : lane_mask_t;
    variable done    : std_ulogic;                           -- the outcome is known
    variable waits   : std_ulogic;
    variable arrives : std_ulogic;
    variable ends    : std_ulogic;                           -- the warp has finished
  begin
    v    := r;
    insn := beat_i.insn;
    c    := insn.control;
    top  := to_entry(top_data);

    follows := insn.pc + 4;
    if insn.long = '1' then
      follows := insn.pc + 8;
    end if;

    s       := insn.state;
    push    := (token => TOKEN_SYNC, mask => s.active, pc => c.target);
    pushes  := '0';
    trap    := c.trap;
    next_pc := follows;
    rest    := s.active and not exec;
    done    := '1';
    waits   := '0';
    arrives := '0';

    if r.phase = PHASE_POP then
      s       := popped(r.work, top);
      next_pc := resumes_at(top);
      done := or_reduce(s.active) or to_sl(s.depth = 0);
    else
      for f in faults_t'high downto 0 loop
        if faults(f) = '1' then
          trap := std_ulogic_vector(unsigned(TRAP_SHARED_ALIGN) + to_unsigned(f, 4));
        end if;
      end loop;

      case c.flow is
        when FLOW_NONE => null;
        when FLOW_SSY =>
          pushes := '1';
        when FLOW_PBK =>
          pushes     := '1';
          push.token := TOKEN_BREAK;
        when FLOW_CAL =>
          pushes     := '1';
          push.token := TOKEN_CALL;
          push.pc    := follows;
          next_pc    := c.target;
        when FLOW_PRET =>
          pushes     := '1';
          push.token := TOKEN_CALL;
        when FLOW_BRA | FLOW_BRX =>
          if or_reduce(exec) = '1' then
            next_pc := c.target;
            push    := (token => TOKEN_DIVERGE, mask => rest, pc => follows);
            if c.flow = FLOW_BRX then                        -- the rest come back to it
              next_pc := brx_target;
              push.pc := insn.pc;
            end if;
            if or_reduce(rest) = '1' then                    -- taken side first
              pushes   := '1';
              s.active := exec;
            end if;
          end if;
        when FLOW_RET =>
          s.active := rest;
          if s.calls /= 0 then
            s.call_parked := s.call_parked or exec;
          else
            s.alive := s.alive and not exec;
          end if;
        when FLOW_BRK =>
          s.active     := rest;
          s.brk_parked := s.brk_parked or exec;
          if s.breaks = 0 and or_reduce(exec) = '1' then
            trap := TRAP_STACK_MISMATCH;
          end if;
        when FLOW_BAR =>
          arrives := '1';
          waits   := c.bar_wait and not bar_opens;
          if c.bar_legal = '0' or s.active /= s.alive then
            trap := TRAP_BARRIER_PARTIAL;
          end if;
        when FLOW_BREAKPOINT =>
          if or_reduce(exec) = '1' then
            trap := TRAP_BREAKPOINT;
          end if;
      end case;

      if pushes = '1' then
        if s.depth = STACK_DEPTH then
          if trap = TRAP_NONE then
            trap := TRAP_STACK_OVERFLOW;
          end if;
        else
          s.depth := s.depth + 1;
          if push.token = TOKEN_CALL then
            s.calls := s.calls + 1;
          elsif push.token = TOKEN_BREAK then
            s.breaks := s.breaks + 1;
          end if;
        end if;
      end if;

      if c.is_end = '1' then
        s.alive  := s.alive and not s.active;
        s.active := (others => '0');
      elsif insn.early = '1' and s.depth /= 0
        and (c.is_join = '1' or ((c.flow = FLOW_RET or c.flow = FLOW_BRK) and or_reduce(exec) = '1'))
      then
        s.active := insn.state.alive;
        s.depth  := s.depth - 1;
        next_pc  := c.target;
      elsif c.is_join = '1' and s.depth /= 0 then
        if top.token = TOKEN_CALL or top.token = TOKEN_BREAK then
          if trap = TRAP_NONE then
            trap := TRAP_STACK_MISMATCH;
          end if;
        else
          s := popped(s, top);
          if top.token = TOKEN_DIVERGE then
            next_pc := top.pc;
          end if;
        end if;
      end if;

      if trap = TRAP_NONE and or_reduce(s.active) = '0' and s.depth /= 0 then
        done := '0';
      end if;
      if c.is_join = '1' and insn.state.depth = 0 then       -- nothing to take off: all that are left go on
        s.active := runnable(s, s.alive);
      end if;
    end if;

    ends := to_sl(trap = TRAP_NONE) and done and not or_reduce(s.active);

    -- outcome
    outcome_o <= (next_pc => next_pc, active => s.active, depth => s.depth, state => "00", trap => trap);
    if waits = '1' then
      outcome_o.state <= "01";
    end if;
    if ends = '1' then
      outcome_o.state   <= "10";
      outcome_o.next_pc <= (others => '0');
    end if;
    if trap /= TRAP_NONE then                                -- no effect
      outcome_o.state <= "11";
      outcome_o.depth <= insn.state.depth;
    end if;

    busy_o     <= beat_i.valid and beat_i.last and not insn.is_init and not done;
    trap_o     <= '0';
    redirect_o <= REDIRECT_INIT;
    redirect_o.slot <= insn.slot;
    redirect_o.pc   <= next_pc;
    redirect_o.falls_through <= to_sl(next_pc = follows);
    redirect_o.waits    <= waits;
    redirect_o.finished <= ends;
    state_we_o <= '0';
    state_o    <= s;
    push_we(0) <= '0';
    push_addr  <= stack_addr(insn.slot, s.depth);
    push_data  <= to_vector(push);
    arrive     <= '0';
    bar_exit   <= '0';
    bar_waits  <= c.bar_wait;
    top_re     <= x_moves_i;
    top_addr   <= stack_addr(early_slot_i, early_depth_i);
    early_reads_o <= x_moves_i;
    if x_beat_i.valid = '1' and x_beat_i.last = '1' and x_beat_i.insn.early = '0'
      and may_pop(x_beat_i.insn.control)
    then
      top_addr      <= stack_addr(x_beat_i.insn.slot, x_beat_i.insn.state.depth);
      early_reads_o <= '0';
    end if;

    beat_goes  <= beat_i.valid and moves_i and not insn.is_init and not beat_i.last;
    leaves     <= '0';
    if beat_i.valid = '1' and moves_i = '1' and insn.is_init = '0' and beat_i.last = '1' and done = '1' then
      leaves  <= '1';
      v.phase := PHASE_RESOLVE;
      trap_o  <= to_sl(trap /= TRAP_NONE);
      if trap = TRAP_NONE then
        redirect_o.valid <= c.redirects and not insn.early;
        state_we_o <= c.redirects and not insn.early;
        push_we(0) <= pushes and not insn.early;
        arrive     <= arrives;
        bar_exit   <= ends;
      else
        redirect_o.valid   <= '1';
        redirect_o.trapped <= '1';
        redirect_o.waits   <= '0';
      end if;
    end if;
    if push_i.valid = '1' then
      push_we(0) <= '1';
      push_addr  <= stack_addr(push_i.slot, push_i.depth);
      push_data  <= to_vector(push_i.entry);
    end if;
    -- unwinding goes on while the beat waits for it
    if beat_i.valid = '1' and beat_i.last = '1' and insn.is_init = '0' and done = '0' then
      v.work  := s;
      v.phase := PHASE_POP;
      if r.phase = PHASE_POP then
        top_re   <= '1';
        top_addr <= stack_addr(insn.slot, s.depth);
      end if;
    end if;

    rin <= v;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
      if rst = '1' then
        r.phase <= PHASE_RESOLVE;
      end if;
    end if;
  end process;

  top_o <= top_data;

  u_gather : entity work.branch_gather
    generic map (CORES => CORES)
    port map (
      clk      => clk,
      rst      => rst,
      beat_i   => beat_i,
      exec_i   => exec_i,
      faults_i => faults_i,
      target_i => target_i,
      next_i   => beat_goes,
      clear_i  => leaves,
      exec_o   => exec,
      faults_o => faults,
      target_o => brx_target
    );

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
      start_i       => start_i,
      start_slot_i  => start_slot_i,
      start_block_i => start_block_i,
      start_first_i => start_first_i,
      start_warps_i => start_warps_i,
      next_i        => x_moves_i,
      next_slot_i   => x_beat_i.insn.slot,
      next_block_i  => x_beat_i.insn.info.block_slot,
      arrive_i      => arrive,
      wait_i        => bar_waits,
      exit_i        => bar_exit,
      slot_i        => beat_i.insn.slot,
      block_i       => beat_i.insn.info.block_slot,
      id_i          => beat_i.insn.control.barrier,
      opens_o       => bar_opens,
      release_o     => release_o
    );

end architecture;
