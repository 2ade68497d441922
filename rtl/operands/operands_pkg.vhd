-- SPDX-License-Identifier: Apache-2.0
-- Records of the stages ROWS to SOURCES: between operand.vhd, its lanes and its memories, and to execute, to the front
-- and to branch_early. Each is named from -> to.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;

package operands_pkg is

  -- In the records of a lane words come first: a record is one vector in the Verilog, the first field lowest, and
  -- simulation takes a word that does not begin at a multiple of 32 from two of them.

  -- The places of an instruction's cells in memory, without the A register of each lane. Stage BOUNDS finds them once
  -- for all lanes.
  type bounds_to_lane_t is record
    offset       : offset_t;                -- of the operand whose address has an A register
    shared_at    : shared_t;                -- the same, in the SM's shared memory
    const_at     : const_addr_t;            -- that of the constant, in constant memory
    shared_last  : signed(16 downto 0);     -- largest address of the access: in shared or local memory
    const_last   : signed(16 downto 0);     -- largest address of a constant access, in its bank
    const_beyond : std_ulogic;              -- the constant's offset alone lies beyond it
  end record;

  -- From each lane to shared and constant memory: where its cells are.
  type lane_to_memories_t is record
    word  : shared_word_t;
    const : const_addr_t;
  end record;

  -- Addresses of stage FILES in each lane's files.
  type files_to_lane_t is record
    src_a, src_b, src_c : reg_row_t;        -- registers
    slot                : slot_t;           -- flags
    creg                : creg_t;
    row                 : row_t;
  end record;

  -- Stage SOURCES, for all lanes of a row.
  type sources_to_lane_t is record
    value      : word_t;                    -- constant or immediate
    truth      : half_t;                    -- the guard holds, by flags
    local_base : local_row_t;               -- the warp's local memory
    part       : part_t;                    -- word of a wide access
  end record;

  -- The same for one lane, beside its registers: from shared memory and the special registers.
  type memories_to_lane_t is record
    cell    : word_t;                       -- the word of shared memory that holds its cell
    special : word_t;                       -- source of S2R, else zero
    number  : unsigned(4 downto 0);         -- of the lane, in the warp
  end record;

  -- The form in which a lane's multiplier takes its factors. Stage SOURCES finds it from the instruction; each lane
  -- keeps a copy, because X1 needs it at once.
  type factors_t is record
    sign_a       : std_ulogic;
    sign_b       : std_ulogic;
    mul24        : std_ulogic;
    shifts       : std_ulogic;              -- a times a power of two: SHL, SHR, or scaling
    right        : std_ulogic;              -- the shift is SHR
    fills        : std_ulogic;              -- the shift is arithmetic
    float        : std_ulogic;              -- for the floating-point unit: significands
    half         : std_ulogic;              -- float: a is an F16
    scales       : std_ulogic;              -- float: times a power of two given by its exponent
    unscaled     : std_ulogic;              -- float: scales by a fixed power of two, unless FADD
    reduces      : std_ulogic;              -- float: RRO.EX2 scales by another power
    from_integer : std_ulogic;              -- a is an integer, of which a number is made
    words        : std_ulogic;              -- all 32 bits are multiplied (sm_10x)
  end record;
  constant FACTORS_INIT : factors_t := (others => '0');

  -- LATCH selects what stage SOURCES takes as source b or c: a register, one of its halves, the row's value, or zero.
  type source_select_t is record
    low     : std_ulogic_vector(1 downto 0); -- its lower half: 0 the register's, 1 its upper one, 2 the value's, 3 zero
    high    : std_ulogic_vector(1 downto 0); -- its upper half: 0 the register's, 1 the value's, 2 zero, 3 ones
    upper   : std_ulogic;                   -- of half a register: the upper half
    extends : std_ulogic;                   -- extended by its sign
  end record;
  type latch_to_sources_t is record
    src_b, src_c : source_select_t;
    cell         : std_ulogic;              -- source a is in shared memory
    narrow       : std_ulogic;              -- cell of 1 byte
    whole        : std_ulogic;              -- cell of 4 bytes or more
    is_signed    : std_ulogic;              -- a smaller cell is sign-extended
    reg          : std_ulogic;              -- it is a register
    lower        : std_ulogic;              -- the lower half of a register
    upper        : std_ulogic;              -- the upper half of a register
    extends      : std_ulogic;              -- the half is sign-extended
    areg         : std_ulogic;
    creg         : std_ulogic;
    local        : std_ulogic;              -- an address in local memory
    increment    : half_t;                  -- increment of the A register, in bytes
    factors      : factors_t;
  end record;

  -- From SOURCES to X1, one lane.
  type lane_to_execute_t is record
    src_a    : word_t;
    src_b    : word_t;
    src_c    : word_t;
    areg_new : half_t;                       -- A register after a post-increment
    addr     : offset_t;                    -- byte address in the block's shared memory (R2G) or in local memory
    place    : place_t;                     -- R2G: the same, among the banks of the SM's shared memory
    faults   : faults_t;
    exec     : std_ulogic;                  -- the lane is active, served in this beat, and its guard is true
    carry    : std_ulogic;
    factors  : factors_t;
  end record;
  constant LANE_TO_EXECUTE_INIT : lane_to_execute_t := (
    src_a  => (others => '0'), src_b => (others => '0'), src_c => (others => '0'), areg_new => (others => '0'),
    addr   => (others => '0'), place => (others => '0'),
    faults => (others => '0'), factors => FACTORS_INIT, others => '0');
  type lanes_to_execute_t is array (natural range <>) of lane_to_execute_t;

  -- For the cause of a cycle: activity of the first stages in this cycle.
  type operands_to_cause_t is record
    issues  : std_ulogic;                   -- a beat of an instruction enters stage ROWS, if the stages move
    starts  : std_ulogic;                   -- one that starts a warp does
    replays : std_ulogic;                   -- the row in stage MEMORY goes on in another beat
    stores  : std_ulogic;                   -- the row waits for a shared store ahead of it
  end record;

  -- From the stages ROWS to SOURCES to issue, the counters and the idle logic.
  type operands_to_front_t is record
    ready    : std_ulogic;                  -- stage ROWS takes an instruction
    moves    : std_ulogic;                  -- ROWS, ADDRESS, BOUNDS and PASS take new beats
    idle     : std_ulogic;                  -- no beat in ROWS to SOURCES
    early_at : stack_place_t;               -- for early answers: the top of the stack of the warp that is in ROWS then
    uses     : operands_to_cause_t;         -- for the counters
  end record;

  -- Of the beat in X1 and its guard, for branches that are answered early.
  type operands_to_early_t is record
    asks  : std_ulogic;                     -- it is the last one of a branch that may be answered
    taken : std_ulogic;                     -- a lane executes
    stays : std_ulogic;                     -- an active lane does not
  end record;

  -- 1 if an operand's cell is extended by its sign: if the cell says so or, except for bytes, if a 16-bit operation
  -- does.
  function extends(c : control_t; size : size_t; cell_signed : std_ulogic) return std_ulogic;

  function factors_of(c : control_t) return factors_t;
  function operand_select(c : control_t) return latch_to_sources_t;

end package;

package body operands_pkg is

  function factors_of(c : control_t) return factors_t is
    variable float, scales : std_ulogic;
  begin
    float  := to_sl(c.float /= FLOAT_NONE);
    scales := to_sl(c.float = FLOAT_TO_INTEGER or c.float = FLOAT_CONVERT or c.float = FLOAT_REDUCE_EX2
                    or c.float = FLOAT_ADD);
    return (sign_a  => c.sign_a,
            sign_b       => c.sign_b,
            mul24        => c.mul24 or float,
            shifts       => to_sl(c.alu = ALU_SHL or c.alu = ALU_SHR) or scales,
            right        => to_sl(c.alu = ALU_SHR),
            fills        => to_sl(c.alu = ALU_SHR) and c.sign_a,
            float        => float,
            half         => c.src_half,
            scales       => scales,
            unscaled     => to_sl(c.float = FLOAT_ADD),
            reduces      => to_sl(c.float = FLOAT_REDUCE_EX2),
            from_integer => to_sl(c.float = FLOAT_FROM_INTEGER),
            words        => is_wide(c));
  end function;

  function source_select(from : source_t; upper, by_sign : std_ulogic) return source_select_t is
    variable is_half, is_value, is_zero : std_ulogic;
  begin
    is_half  := to_sl(from = SRC_REG16);
    is_value := to_sl(from = SRC_CONST or from = SRC_IMM);
    is_zero  := to_sl(from = SRC_ZERO);
    return (low     => (is_value or is_zero) & (is_zero or (is_half and upper)),
            high    => (is_half or is_zero) & is_value,
            upper   => upper,
            extends => is_half and by_sign);
  end function;

  function operand_select(c : control_t) return latch_to_sources_t is
    variable signed16, is_half : std_ulogic;                 -- a 16-bit operation that extends its sources
  begin
    signed16 := c.w16 and c.sign_a;
    is_half  := to_sl(c.src_a_from = SRC_REG16);
    return (src_b     => source_select(c.src_b_from, c.src_b_high, signed16),
            src_c     => source_select(c.src_c_from, c.src_c_high, '0'),
            cell      => to_sl(c.src_a_from = SRC_SHARED),
            narrow    => to_sl(c.mem_size = SIZE_1),
            whole     => to_sl(c.mem_size /= SIZE_1 and c.mem_size /= SIZE_2),
            is_signed => extends(c, c.mem_size, c.mem_signed),
            reg       => to_sl(c.src_a_from = SRC_REG32),
            lower     => to_sl(c.src_a_from = SRC_REG32) or (is_half and not c.src_a_high),
            upper     => is_half and c.src_a_high,
            extends   => is_half and signed16,
            areg      => to_sl(c.src_a_from = SRC_AREG),
            creg      => to_sl(c.src_a_from = SRC_CREG),
            local     => to_sl(c.src_a_from = SRC_LOCAL),
            increment => c.areg_inc_bytes,
            factors   => factors_of(c));
  end function;

  function extends(c : control_t; size : size_t; cell_signed : std_ulogic) return std_ulogic is
  begin
    if c.w16 = '1' then
      return c.sign_a and to_sl(size /= SIZE_1);
    end if;
    return cell_signed;
  end function;

end package body;
