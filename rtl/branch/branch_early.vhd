-- SPDX-License-Identifier: Apache-2.0
-- Resolves branches before the branch unit sees them, so that the warp resumes sooner:
--
--   ADDRESS, two cycles after issue: unguarded BRA and CAL; SSY, PBK, PRET; a JOIN on an empty stack; a JOIN, RET or
--            BRK that ends with the top entry
--   X1, last row: a guarded BRA that all lanes take, or none; a guarded RET or BRK that no lane takes
--
-- The branch unit has priority. It still retires these instructions.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.operands_pkg.all;
use work.branch_pkg.all;

entity branch_early is
  generic (
    STACK_DEPTH : positive
  );
  port (
    clk     : in  std_ulogic;
    rst     : in  std_ulogic;
    moves_i : in  std_ulogic;                                -- stages ROWS and ADDRESS take their next beats
    -- stage ROWS
    enters_i   : in  std_ulogic;                             -- it takes a beat at the end of this cycle, for which the
                                                             -- top of the stack is read
    rows_insn_i : in  front_to_operands_t;                   -- the instruction in ROWS
    top_i       : in  entry_vector_t;                        -- top of the stack as it entered ROWS, if it was read
    -- stage ADDRESS
    address_beat_i  : in  beat_t;
    address_early_o : out early_to_operands_t;               -- its warp goes on so
    -- stage X1
    late_beat_i  : in  beat_t;
    late_moves_i : in  std_ulogic;                           -- the beat leaves
    guard_i      : in  operands_to_early_t;                  -- of the beat
    late_early_o : out std_ulogic;                           -- the instruction is answered now
    -- to the stack
    push_o     : out early_to_branch_t;                      -- one cycle later
    -- from the branch unit
    unit_may_i    : in  std_ulogic;                          -- it may answer in this cycle
    unit_pushes_i : in std_ulogic;                           -- it may push in the next one
    answer_o      : out branch_to_warps_t
  );
end entity;

architecture rtl of branch_early is

  -- class of an instruction, found in ROWS for ADDRESS
  type class_t is record
    pushes : std_ulogic;
    jumps  : std_ulogic;                                     -- BRA and CAL: always
    goes   : std_ulogic;                                     -- BRA: always
    joins  : std_ulogic;
    stands : std_ulogic;                                     -- a JOIN that changes nothing
    pops   : std_ulogic;                                     -- JOIN, RET or BRK: if the entry on top is one for it
    token  : token_t;                                        -- kind of entry: popped by RET or BRK, or pushed
  end record;

  type kept_t is record
    class        : class_t;
    push         : early_to_branch_t;
    rows_has_top : std_ulogic;                               -- top_i is that of the instruction in ROWS
    has_top      : std_ulogic;                               -- the same, of that in ADDRESS:
    top          : entry_t;
    active       : lane_mask_t;                              -- lanes that run once the top is popped
    late         : operands_to_early_t;                      -- of the rows before that in X1
  end record;

  signal r, rin : kept_t;

  -- lanes that the guard lets act, in the rows up to this one
  function with_row(before : operands_to_early_t; row : row_t; this : operands_to_early_t) return operands_to_early_t is
  begin
    if row /= 0 then
      return (asks => this.asks, taken => before.taken or this.taken, stays => before.stays or this.stays);
    end if;
    return this;
  end function;

begin

  comb : process (all)
    variable v            : kept_t;
    variable c            : control_t;
    variable rows_top     : entry_t;
    variable s            : warp_state_t;
    variable parked       : warp_state_t;
    variable guard        : operands_to_early_t;
    variable all_act      : std_ulogic;                      -- it has no guard
    variable top          : entry_t;
    variable push         : entry_t;
    variable pushes       : std_ulogic;
    variable class        : class_t;
    variable pops         : std_ulogic;
    variable jumps        : std_ulogic;
    variable follows      : pc_t;                            -- the next instruction
    variable address_pc   : pc_t;                            -- it goes on here
    variable address_goes : std_ulogic;
    variable late_may     : std_ulogic;                      -- that in X1 is answered, if it leaves
  begin
    v := r;

    -- ROWS: class of the instruction
    c := rows_insn_i.control;
    all_act := to_sl(c.cond = 15);                           -- it has no guard
    if moves_i = '1' then
      v.class.pushes := to_sl((c.flow = FLOW_CAL or c.flow = FLOW_SSY or c.flow = FLOW_PBK or c.flow = FLOW_PRET)
                              and rows_insn_i.state.depth /= STACK_DEPTH);
      v.class.goes   := to_sl(c.flow = FLOW_BRA) and all_act;
      v.class.jumps  := v.class.goes or to_sl(c.flow = FLOW_CAL);
      v.class.joins  := c.is_join and not rows_insn_i.more;  -- the marker stands alone: no flow, no END
      v.class.stands := v.class.joins and to_sl(rows_insn_i.state.depth = 0
                                                and rows_insn_i.state.active = rows_insn_i.state.alive);
      v.class.pops   := to_sl(rows_insn_i.state.depth /= 0)
                        and (v.class.joins or (to_sl(c.flow = FLOW_RET or c.flow = FLOW_BRK) and all_act));
      v.class.token  := TOKEN_CALL;
      if c.flow = FLOW_SSY then
        v.class.token := TOKEN_SYNC;
      elsif c.flow = FLOW_PBK or c.flow = FLOW_BRK then
        v.class.token := TOKEN_BREAK;
      end if;
    end if;

    -- of the threads of the entry those that nothing else keeps, as `popped` has it
    rows_top    := to_entry(top_i);
    v.active := rows_top.mask and rows_insn_i.state.alive;
    if rows_top.token /= TOKEN_CALL then
      v.active := v.active and not rows_insn_i.state.call_parked;
    end if;
    if rows_top.token /= TOKEN_BREAK then
      v.active := v.active and not rows_insn_i.state.brk_parked;
    end if;
    v.top       := rows_top;
    v.has_top   := r.rows_has_top and moves_i;
    v.rows_has_top := enters_i and moves_i;

    -- X1
    c := late_beat_i.insn.control;
    guard := with_row(r.late, late_beat_i.row, guard_i);
    if late_beat_i.valid = '1' and late_moves_i = '1' then
      v.late := guard;
    end if;
    late_may  := guard_i.asks and not unit_may_i
                 and not (guard.taken and (guard.stays or not to_sl(c.flow = FLOW_BRA)));
    answer_o.redirect       <= BRANCH_TO_SCHED_INIT;
    answer_o.redirect.slot  <= late_beat_i.insn.slot;
    answer_o.redirect.falls_through <= not guard.taken;
    answer_o.redirect.pc    <= c.target;                            -- if it does not fall through

    -- ADDRESS
    c := address_beat_i.insn.control;
    s := address_beat_i.insn.state;
    follows := address_beat_i.insn.pc + 8;                   -- no half instruction is answered
    class := r.class;

    push   := (token => class.token, mask => s.active, pc => c.target);
    pushes := class.pushes;
    if c.flow = FLOW_CAL then
      push.pc := follows;
    end if;

    top    := r.top;
    parked := s;
    if class.token = TOKEN_BREAK then
      parked.brk_parked  := s.brk_parked or s.active;
    elsif class.joins = '0' then
      parked.call_parked := s.call_parked or s.active;
    end if;
    parked := popped(parked, top);
    parked.active := r.active;

    jumps := class.jumps;
    address_pc  := follows;
    if jumps = '1' then
      address_pc := c.target;
    end if;
    pops := class.pops and r.has_top;                        -- if a thread goes on then
    if class.joins = '1' then
      pops := pops and to_sl(top.token = TOKEN_SYNC or top.token = TOKEN_DIVERGE);
    else
      pops := pops and to_sl(top.token = class.token);
    end if;
    if pops = '1' then
      s := parked;
      if top.token /= TOKEN_SYNC then
        jumps := '1';
        address_pc  := top.pc;
      end if;
    end if;
    if pushes = '1' then
      s.depth := s.depth + 1;
      if push.token = TOKEN_CALL then
        s.calls := s.calls + 1;
      elsif push.token = TOKEN_BREAK then
        s.breaks := s.breaks + 1;
      end if;
    end if;

    address_goes := address_beat_i.valid and not address_beat_i.insn.early.goes and not unit_may_i and not guard_i.asks
              and ((pushes and not unit_pushes_i) or (pops and or_reduce(r.active)) or class.stands or class.goes);
    address_early_o <= address_beat_i.insn.early;
    if address_beat_i.insn.early.goes = '0' then
      address_early_o <= (goes => address_goes, active => r.active, pc => follows);
      if top.token /= TOKEN_SYNC then
        address_early_o.pc <= top.pc;
      end if;
    end if;

    v.push := (valid => address_goes and pushes, slot => address_beat_i.insn.slot, depth => s.depth, entry => push);
    push_o <= r.push;

    answer_o.redirect.valid <= address_goes or (late_may and late_moves_i);
    if guard_i.asks = '0' then
      answer_o.redirect.slot <= address_beat_i.insn.slot;
      answer_o.redirect.falls_through <= not jumps;
      answer_o.redirect.pc   <= address_pc;
    end if;
    answer_o.state_we <= address_goes and (pushes or pops);
    answer_o.state    <= s;
    late_early_o <= late_may and late_moves_i;
    rin <= v;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
      if rst = '1' then
        r.push.valid <= '0';
        r.has_top   <= '0';
        r.rows_has_top <= '0';
      end if;
    end if;
  end process;

  rules : process (clk)
  begin
    if rising_edge(clk) then
      asks_as_it_is : assert rst = '1' or guard_i.asks = asks_early(late_beat_i)
        report "the early request in X1 does not match the beat there" severity failure;
    end if;
  end process;

end architecture;
