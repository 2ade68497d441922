-- SPDX-License-Identifier: Apache-2.0
-- Stage D: decodes the instruction that the scheduler read and holds it until it may issue. Scoreboard: results are
-- written six stages after I. A result in R or C is read in stage M, so the reader must issue at least four beats
-- behind the writer, row by row; one in A is read in stage I: six. A register that a load will write is busy until the
-- load is back; an instruction that needs it is turned away (the slot goes to another warp). Never issues out of order
-- within a warp.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;

entity issue is
  generic (
    WARPS : positive
  );
  port (
    clk          : in  std_ulogic;
    rst          : in  std_ulogic;
    launch_i     : in  launch_t;
    halt_i       : in  std_ulogic;                            -- a trap stopped the grid: issue no more
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
    -- what happens to the instruction in D this cycle
    take_o       : out std_ulogic;                            -- it issues
    take_word_o  : out std_ulogic;                            -- ... and was the last one of its 8-byte word
    blocks_o     : out std_ulogic;                            -- ... and redirects its warp
    waits_o      : out std_ulogic;                            -- it is turned away, a load is under way
    hazard_o     : out std_ulogic;                            -- it waits in D for a result (counters)
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

  type regs_t is array (0 to WARPS - 1) of reg_t;

  type decode_t is record
    valid     : std_ulogic;
    slot      : slot_t;
    load_busy : std_ulogic_vector(WARPS - 1 downto 0);
    load_reg  : regs_t;
  end record;

  signal r, rin : decode_t;

  signal lo, hi  : word_t;
  signal control : control_t;
  signal long    : std_ulogic;

  function exists(reg : reg_t; launch : launch_t) return boolean is
  begin
    return ('0' & reg) < launch.regs;
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

  comb : process (all)
    variable v       : decode_t;
    variable c       : control_t;
    variable pc      : pc_t;
    variable last_byte : unsigned(24 downto 0);
    variable p       : control_t;                             -- of an instruction ahead
    variable clash   : std_ulogic;                            -- with a result still in the pipeline
    variable busy    : std_ulogic;                            -- with a load
    variable issues  : std_ulogic;
    variable reads_c : std_ulogic;
    variable load_reg : reg_t;
  begin
    v  := r;
    c  := control;
    pc := word_addr_i & upper_i & "00";

    if upper_i = '1' and long = '1' then
      c           := CONTROL_INIT;
      c.redirects := '1';
      c.trap      := TRAP_UNDEFINED;
    end if;
    last_byte := ('0' & pc) + 3;
    if long = '1' then
      last_byte := ('0' & pc) + 7;
    end if;
    if last_byte >= ('0' & launch_i.code_bytes) then
      c           := CONTROL_INIT;
      c.redirects := '1';
      c.trap      := TRAP_FETCH;
    end if;

    -- Registers beyond the launch's count read zero and drop writes; R124 reads zero.
    if (c.a_from = SRC_REG32 or c.a_from = SRC_REG16) and not exists(c.a_reg, launch_i) then
      c.a_from := SRC_ZERO;
    end if;
    if (c.b_from = SRC_REG32 or c.b_from = SRC_REG16) and not exists(c.b_reg, launch_i) then
      c.b_from := SRC_ZERO;
    end if;
    if (c.c_from = SRC_REG32 or c.c_from = SRC_REG16) and not exists(c.c_reg, launch_i) then
      c.c_from := SRC_ZERO;
    end if;
    if c.a_from = SRC_REG32 and c.a_reg = 124 then
      c.a_from := SRC_ZERO;
    end if;
    if c.b_from = SRC_REG32 and c.b_reg = 124 then
      c.b_from := SRC_ZERO;
    end if;
    if c.c_from = SRC_REG32 and c.c_reg = 124 then
      c.c_from := SRC_ZERO;
    end if;
    if not exists(c.dst_reg, launch_i) then
      c.dst := DST_NONE;
    end if;

    -- results still in the pipeline
    clash   := '0';
    reads_c := (c.has_guard and to_sl(c.cond /= 15)) or c.carry or to_sl(c.a_from = SRC_CREG);
    for s in stages_i'range loop
      p := stages_i(s).insn.control;
      if stages_i(s).valid = '1' and stages_i(s).insn.slot = r.slot then
        if s < 4 - to_integer(stages_i(s).row) then
          if p.dst /= DST_NONE and p.mem = MEM_NONE then
            if ((c.a_from = SRC_REG32 or c.a_from = SRC_REG16) and c.a_reg = p.dst_reg)
              or ((c.b_from = SRC_REG32 or c.b_from = SRC_REG16) and c.b_reg = p.dst_reg)
              or ((c.c_from = SRC_REG32 or c.c_from = SRC_REG16) and c.c_reg = p.dst_reg)
            then
              clash := '1';
            end if;
          end if;
          if p.set_c = '1' and reads_c = '1' and p.c_dst = c.creg then
            clash := '1';
          end if;
        end if;
        if s < 6 - to_integer(stages_i(s).row) and c.areg /= 0 then
          if (p.set_a = '1' and p.a_dst = c.areg) or (p.a_inc = '1' and p.areg = c.areg) then
            clash := '1';
          end if;
        end if;
      end if;
    end loop;

    -- a load under way: its register, and one load a warp at a time
    load_reg := r.load_reg(to_integer(r.slot));
    busy     := '0';
    if r.load_busy(to_integer(r.slot)) = '1' then
      if c.mem = MEM_GLOBAL_LOAD
        or ((c.a_from = SRC_REG32 or c.a_from = SRC_REG16) and c.a_reg = load_reg)
        or ((c.b_from = SRC_REG32 or c.b_from = SRC_REG16) and c.b_reg = load_reg)
        or ((c.c_from = SRC_REG32 or c.c_from = SRC_REG16) and c.c_reg = load_reg)
        or (c.dst /= DST_NONE and c.dst_reg = load_reg)
      then
        busy := '1';
      end if;
    end if;

    issues := r.valid and not clash and not busy and ready_i and not init_i.valid and not halt_i;

    take_o      <= issues;
    take_word_o <= upper_i or long;
    blocks_o    <= issues and c.redirects;
    waits_o     <= r.valid and busy and not halt_i;
    hazard_o    <= r.valid and (clash or busy);

    issue_o         <= ISSUE_INIT;
    issue_o.valid   <= issues;
    issue_o.slot    <= r.slot;
    issue_o.pc      <= pc;
    issue_o.lo      <= lo;
    issue_o.hi      <= hi;
    if long = '0' then
      issue_o.hi <= (others => '0');
    end if;
    if c.trap = TRAP_FETCH then
      issue_o.lo <= (others => '0');
      issue_o.hi <= (others => '0');
    end if;
    issue_o.long    <= long;
    issue_o.info    <= info_i;
    issue_o.state   <= state_i;
    issue_o.control <= c;
    init_taken_o <= init_i.valid and ready_i;
    if init_i.valid = '1' then
      issue_o <= init_i;
    end if;

    if issues = '1' or busy = '1' or halt_i = '1' then
      v.valid := '0';
    end if;
    free_o <= not v.valid;
    if choose_i = '1' then
      v.valid := '1';
      v.slot  := slot_i;
    end if;

    if load_done_i = '1' then
      for w in 0 to WARPS - 1 loop
        if load_slot_i = w then
          v.load_busy(w) := '0';
        end if;
      end loop;
    end if;
    if issues = '1' and c.mem = MEM_GLOBAL_LOAD then
      for w in 0 to WARPS - 1 loop
        if r.slot = w then
          v.load_busy(w) := '1';
          v.load_reg(w)  := c.dst_reg;
        end if;
      end loop;
    end if;

    decoding_o    <= r.valid;
    decode_slot_o <= r.slot;
    load_busy_o   <= r.load_busy;
    rin <= v;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
      if rst = '1' then
        r.valid     <= '0';
        r.load_busy <= (others => '0');
      end if;
    end if;
  end process;

end architecture;
