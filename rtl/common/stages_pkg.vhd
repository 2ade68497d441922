-- SPDX-License-Identifier: Apache-2.0
-- The stages of the pipeline by number and the records that travel along them: a warp's place and state, its
-- instruction, a beat. Distances between stages, which the scoreboard, its bench and its proof count with.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;

package stages_pkg is

  -- Place of a warp, written when its block is dispatched.
  type warp_info_t is record
    block_x     : unsigned(15 downto 0);
    block_y     : unsigned(15 downto 0);
    warp        : slot_t;                   -- in its block
    block_slot  : block_slot_t;
    shared_base : shared_t;                 -- byte address of the block's shared memory
    reg_base    : reg_row_t;                -- first register of the warp
    local_base  : local_row_t;              -- word 0 of its local memory
  end record;
  constant WARP_INFO_BITS : positive := 16 + 16 + SLOT_BITS + BLOCK_SLOT_BITS + 14 + 9 + 25;

  -- State of a warp between instructions that redirect it; the branch unit owns it.
  type warp_state_t is record
    active      : lane_mask_t;
    alive       : lane_mask_t;              -- has not exited
    call_parked : lane_mask_t;              -- left by RET, waits on the nearest CALL entry
    brk_parked  : lane_mask_t;              -- left by BRK, waits on the nearest BREAK entry
    depth       : depth_t;                  -- stack entries
    calls       : depth_t;                  -- CALL entries among them
    breaks      : depth_t;
  end record;
  constant WARP_STATE_BITS : positive := 4 * LANES + 3 * DEPTH_BITS;

  -- An entry of the warp table.
  type warp_t is record
    info  : warp_info_t;
    state : warp_state_t;
  end record;

  function to_vector(w : warp_info_t) return std_ulogic_vector;
  function to_warp_info(v : std_ulogic_vector(WARP_INFO_BITS - 1 downto 0)) return warp_info_t;
  function to_vector(w : warp_state_t) return std_ulogic_vector;
  function to_warp_state(v : std_ulogic_vector(WARP_STATE_BITS - 1 downto 0)) return warp_state_t;

  -- From branch_early: how a warp goes on before its instruction is in RESOLVE.
  type early_to_operands_t is record
    goes   : std_ulogic;                    -- it does
    active : lane_mask_t;                   -- lanes that resume, if an entry came off the stack
    pc     : pc_t;                          -- they resume here
  end record;
  constant EARLY_TO_OPERANDS_INIT : early_to_operands_t := (
    goes => '0', active => (others => '0'), pc => (others => '0'));

  -- From issue to ROWS, and on with each beat: one warp instruction, decoded and cleared to issue; of a 64- or 128-bit
  -- access one word, its registers those of that word.
  type front_to_operands_t is record
    valid   : std_ulogic;
    is_init : std_ulogic;                   -- dispatcher: writes R0 of a new warp, never retires
    part    : part_t;                       -- word of the access
    more    : std_ulogic;                   -- other words of the same instruction follow
    early   : early_to_operands_t;
    dropped : std_ulogic;                   -- loads: the word has no register to go to
    slot    : slot_t;
    pc      : pc_t;
    lo      : word_t;
    hi      : word_t;                       -- 0 for a half instruction
    long    : std_ulogic;
    info    : warp_info_t;
    state   : warp_state_t;
    control : control_t;
  end record;

  constant FRONT_TO_OPERANDS_INIT : front_to_operands_t := (
    valid => '0', is_init => '0', long => '0', more => '0', early => EARLY_TO_OPERANDS_INIT, dropped => '0',
    part => (others => '0'), slot => (others => '0'), pc => (others => '0'),
    lo => (others => '0'), hi => (others => '0'),
    info => (block_slot => (others => '0'), warp => (others => '0'), shared_base => (others => '0'),
             reg_base => (others => '0'), local_base => (others => '0'), others => (others => '0')),
    state => (active => (others => '0'), alive => (others => '0'), call_parked => (others => '0'),
              brk_parked => (others => '0'), others => (others => '0')),
    control => CONTROL_INIT);

  -- One beat: the part of a warp instruction that is in a stage. `last` is the last beat of the instruction.
  type beat_t is record
    valid : std_ulogic;
    last  : std_ulogic;
    row   : row_t;
    insn  : front_to_operands_t;
  end record;
  constant BEAT_INIT : beat_t := (valid => '0', last => '0', row => (others => '0'), insn => FRONT_TO_OPERANDS_INIT);

  -- The stages between issue and writing, by number.
  constant STAGE_ROWS    : positive := 1;
  constant STAGE_ADDRESS : positive := 2;
  constant STAGE_BOUNDS  : positive := 3;
  constant STAGE_PASS    : positive := 4;
  constant STAGE_MEMORY  : positive := 5;
  constant STAGE_FILES   : positive := 6;
  constant STAGE_LATCH   : positive := 7;
  constant STAGE_SOURCES : positive := 8;
  constant STAGE_X1      : positive := 9;
  constant STAGE_X2      : positive := 10;
  constant STAGE_X3      : positive := 11;
  constant STAGE_RESOLVE : positive := 12;
  constant STAGE_WRITE   : positive := 13;
  -- Stages between RESOLVE and WRITE for registers and flags: the ALU saturates in one; the units of a machine with
  -- floating point take so many.
  constant ALU_STAGES   : positive := 1;
  constant FLOAT_STAGES : positive := 6;
  -- From the grant of a load to its load beat, which is written ALU_STAGES behind it.
  constant LOAD_CYCLES : positive := 2;
  -- The stages that take a valid beat in this cycle. The lanes' data move only with a valid beat, so that an idle
  -- machine stands still.
  type operands_moves_t is record
    address, bounds, pass, memory, files, latch, sources, x1 : std_ulogic;
  end record;
  -- WRITE may take the beat in RESOLVE again, until that leaves.
  type execute_moves_t is record
    x2, x3, resolve, write : std_ulogic;
  end record;
  -- The same for a unit of floating point or special functions and its own instructions. Its first three stages move
  -- with X2 to RESOLVE; the names of the later ones are in float_pkg and special_unit.
  constant IN_X2       : positive := 2;
  constant IN_X3       : positive := 3;
  constant IN_RESOLVE  : positive := 4;
  constant UNIT_STAGES : positive := 11;
  subtype unit_moves_t is std_ulogic_vector(2 to UNIT_STAGES);

  -- Minimum distance, in beats, between the writer and a reader of a result. Registers and flags are read in FILES, and
  -- written ALU_STAGES or FLOAT_STAGES later than this; A registers are read in ROWS.
  constant RESULT_DISTANCE : positive := STAGE_WRITE - STAGE_FILES + 1;
  constant AREG_DISTANCE   : positive := STAGE_WRITE - STAGE_ROWS + 1;
  -- The stages that the scoreboard looks at.
  constant WRITER_STAGES : positive := STAGE_RESOLVE;
  subtype clash_t is std_ulogic_vector(1 to 2);               -- in the one half of them, in the other
  type beats_t is array (natural range <>) of beat_t;
  -- The beats that move on in this cycle. front: those from ROWS to PASS, and then all others; back: those from MEMORY
  -- to X3. Some lanes of a beat in MEMORY may stay. X3 moves only if the beat in RESOLVE leaves.
  type stages_to_issue_t is record
    front, back : std_ulogic;
  end record;

  -- Its registers and flags are written FLOAT_STAGES behind RESOLVE, not ALU_STAGES: by a unit of floating point.
  function is_late(c : control_t) return std_ulogic;
  function is_wide(c : control_t) return std_ulogic;         -- sm_10x: WMUL, WMAD
  function is_division(c : control_t) return std_ulogic;     -- sm_10x: IDIV, IREM
  -- It writes to general registers when it leaves RESOLVE or later, but for a load.
  function writes_registers(c : control_t) return std_ulogic;
  -- It writes an address register, and which: not A0, which is 0.
  function writes_areg(c : control_t) return std_ulogic;
  function areg_written(c : control_t) return areg_t;
  -- Stages between RESOLVE and the retire port, with such units or without.
  function write_delay(has_units : boolean) return positive;

end package;

package body stages_pkg is

  function to_vector(w : warp_info_t) return std_ulogic_vector is
  begin
    return std_ulogic_vector(w.local_base) & std_ulogic_vector(w.reg_base) & std_ulogic_vector(w.shared_base)
           & std_ulogic_vector(w.block_slot) & std_ulogic_vector(w.warp) & std_ulogic_vector(w.block_y)
           & std_ulogic_vector(w.block_x);
  end function;

  function to_warp_info(v : std_ulogic_vector(WARP_INFO_BITS - 1 downto 0)) return warp_info_t is
    variable w : warp_info_t;
  begin
    w.block_x     := unsigned(v(15 downto 0));
    w.block_y     := unsigned(v(31 downto 16));
    w.warp        := unsigned(v(36 downto 32));
    w.block_slot  := unsigned(v(39 downto 37));
    w.shared_base := unsigned(v(53 downto 40));
    w.reg_base    := unsigned(v(62 downto 54));
    w.local_base  := unsigned(v(87 downto 63));
    return w;
  end function;

  function to_vector(w : warp_state_t) return std_ulogic_vector is
  begin
    return std_ulogic_vector(w.breaks) & std_ulogic_vector(w.calls) & std_ulogic_vector(w.depth)
           & w.brk_parked & w.call_parked & w.alive & w.active;
  end function;

  function to_warp_state(v : std_ulogic_vector(WARP_STATE_BITS - 1 downto 0)) return warp_state_t is
    variable w : warp_state_t;
  begin
    w.active      := v(31 downto 0);
    w.alive       := v(63 downto 32);
    w.call_parked := v(95 downto 64);
    w.brk_parked  := v(127 downto 96);
    w.depth       := unsigned(v(134 downto 128));
    w.calls       := unsigned(v(141 downto 135));
    w.breaks      := unsigned(v(148 downto 142));
    return w;
  end function;

  function is_late(c : control_t) return std_ulogic is
  begin
    return to_sl(c.float /= FLOAT_NONE or c.special /= SPECIAL_NONE);
  end function;

  function is_wide(c : control_t) return std_ulogic is
  begin
    return to_sl(c.alu = ALU_MUL_WORD);
  end function;

  function is_division(c : control_t) return std_ulogic is
  begin
    return to_sl(c.alu = ALU_DIVIDE);
  end function;

  function writes_registers(c : control_t) return std_ulogic is
  begin
    return to_sl(c.dst /= DST_NONE and is_load(c.mem) = '0');
  end function;

  function areg_written(c : control_t) return areg_t is
  begin
    if c.areg_inc = '1' then
      return c.areg;
    end if;
    return c.areg_dst;
  end function;

  function writes_areg(c : control_t) return std_ulogic is
  begin
    return (c.areg_inc or c.areg_set) and to_sl(areg_written(c) /= 0);
  end function;

  function write_delay(has_units : boolean) return positive is
    variable delay : positive := ALU_STAGES;
  begin
    if has_units then
      delay := FLOAT_STAGES;
    end if;
    return delay;
  end function;

end package body;
