-- SPDX-License-Identifier: Apache-2.0
-- Sizes, types and stage records that the parts of the RTL share. Reads top-down: limits, machine words, the launch,
-- then the records between stages. control_pkg has the decoded instruction, gpu_pkg_body.vhd the bodies.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.lists_pkg.all;

package gpu_pkg is

  -- Architectural constants.
  constant LANES : positive := 32;       -- threads of a warp

  -- Widths that hold the largest configuration; generics choose sizes within them.
  constant SLOT_BITS       : positive := 5;   -- warp slot of an SM
  constant BLOCK_SLOT_BITS : positive := 3;   -- block slot of an SM
  constant DEPTH_BITS      : positive := 7;   -- entries on a warp stack, 0 .. 64

  subtype word_t       is std_ulogic_vector(31 downto 0);
  subtype half_t       is std_ulogic_vector(15 downto 0);
  subtype nibble_t     is std_ulogic_vector(3 downto 0);      -- flags O C S Z
  subtype pc_t         is unsigned(23 downto 0);              -- byte address of an instruction
  subtype lane_mask_t  is std_ulogic_vector(LANES - 1 downto 0);
  subtype slot_t       is unsigned(SLOT_BITS - 1 downto 0);
  subtype block_slot_t is unsigned(BLOCK_SLOT_BITS - 1 downto 0);
  subtype row_t        is unsigned(1 downto 0);               -- lanes row * CORES .. row * CORES + CORES - 1
  subtype depth_t      is unsigned(DEPTH_BITS - 1 downto 0);
  subtype reg_t        is unsigned(6 downto 0);               -- 32-bit register number
  subtype areg_t       is unsigned(2 downto 0);
  subtype creg_t       is unsigned(1 downto 0);
  subtype reg_row_t    is unsigned(8 downto 0);               -- register of a warp in the register file, before rows
  subtype shared_t     is unsigned(13 downto 0);              -- byte address in the SM's shared memory
  subtype shared_word_t is unsigned(11 downto 0);             -- word of the SM's shared memory
  subtype place_t      is unsigned(6 downto 0);               -- byte among those of 32 words: of a line, of all banks
  subtype const_addr_t is unsigned(12 downto 0);              -- byte of constant memory
  subtype const_word_t is unsigned(10 downto 0);              -- word of it
  subtype offset_t     is unsigned(18 downto 0);              -- A + offset, which does not wrap
  subtype local_row_t  is unsigned(24 downto 0);              -- 128 bytes of global memory: a local word of 32 lanes
  subtype part_t       is unsigned(1 downto 0);               -- word of a 64- or 128-bit access

  type words_t   is array (natural range <>) of word_t;
  type nibbles_t is array (natural range <>) of nibble_t;
  type places_t  is array (natural range <>) of place_t;
  type shared_words_t is array (natural range <>) of shared_word_t;
  type const_addrs_t is array (natural range <>) of const_addr_t;
  type lane_pairs_t is array (natural range <>) of lane_mask_t;     -- of each lane, others with which it has to do
  type lane_numbers_t is array (natural range <>) of unsigned(4 downto 0);

  -- Memory faults of the lanes of an instruction, by bit, in the order of their traps; the lowest decides.
  subtype faults_t is std_ulogic_vector(7 downto 0);
  constant FAULT_SHARED_ALIGN : natural := 0;
  constant FAULT_SHARED_RANGE : natural := 1;
  constant FAULT_CONST_ALIGN  : natural := 2;
  constant FAULT_CONST_RANGE  : natural := 3;
  constant FAULT_GLOBAL_ALIGN : natural := 4;
  constant FAULT_GLOBAL_RANGE : natural := 5;
  constant FAULT_LOCAL_ALIGN  : natural := 6;
  constant FAULT_LOCAL_RANGE  : natural := 7;
  type faults_lanes_t is array (natural range <>) of faults_t;

  -- Bytes of a memory access. Cells of shared and constant memory have at most 4.
  subtype size_t is std_ulogic_vector(2 downto 0);
  constant SIZE_1  : size_t := "000";
  constant SIZE_2  : size_t := "001";
  constant SIZE_4  : size_t := "010";
  constant SIZE_8  : size_t := "011";
  constant SIZE_16 : size_t := "100";

  ----------------------------------------------------------------------------------------------------------------
  -- The launch: what the host wrote, stable while a grid runs. Parameters and the places of the constant banks are in
  -- memories of each SM.

  type launch_t is record
    grid_x       : unsigned(15 downto 0);
    grid_y       : unsigned(15 downto 0);
    block_x      : unsigned(15 downto 0);
    block_y      : unsigned(15 downto 0);
    block_z      : unsigned(15 downto 0);
    threads      : unsigned(10 downto 0);  -- of a block
    regs         : unsigned(7 downto 0);   -- per thread, 1 .. 128
    shared_bytes : unsigned(15 downto 0);  -- per block, a multiple of 4; header and parameters included
    code_bytes   : unsigned(23 downto 0);
    param_words  : unsigned(5 downto 0);
    local_base   : local_row_t;            -- where local memory begins in global memory, 128 bytes each
    local_bytes  : unsigned(15 downto 0);  -- per thread, a multiple of 4
    local_warps  : unsigned(SLOT_BITS downto 0); -- warp slots of an SM that have local memory
    atomics      : std_ulogic;             -- GATOM and GRED execute, as on sm_11
  end record;

  ----------------------------------------------------------------------------------------------------------------
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

  ----------------------------------------------------------------------------------------------------------------
  -- Between stages.

  -- A word of code in the buffer of a warp: as it is, and decoded, as the instruction that begins with it and as the
  -- half instruction in its upper half.
  type decoded_word_t is record
    word   : std_ulogic_vector(63 downto 0);
    first  : control_t;
    second : control_t;
  end record;
  constant DECODED_WORD_BITS : positive := 64 + 2 * CONTROL_BITS;
  function to_vector(w : decoded_word_t) return std_ulogic_vector;
  function to_decoded_word(v : std_ulogic_vector(DECODED_WORD_BITS - 1 downto 0)) return decoded_word_t;

  -- One that was read, for the warp's next instruction.
  type fetched_t is record
    word  : decoded_word_t;
    addr  : unsigned(20 downto 0);          -- of 8 bytes
    upper : std_ulogic;                     -- the instruction is the upper half of the word
  end record;

  -- From the word that the code memory delivers to the decoded one.
  constant DECODE_CYCLES : positive := 6;

  -- Something happens to a warp: it is chosen, is read, starts, has left, or its load is back.
  type warp_event_t is record
    valid : std_ulogic;
    slot  : slot_t;
  end record;

  -- From dispatch: a warp starts; facts of its block for the barriers.
  type start_t is record
    valid : std_ulogic;
    slot  : slot_t;
    warp  : warp_t;
    first : slot_t;                         -- of the warps of its block
    warps : unsigned(SLOT_BITS downto 0);   -- of its block
  end record;

  -- A word of memory that is written: which of its bytes.
  type word_write_t is record
    data  : word_t;
    bytes : nibble_t;
  end record;
  type word_writes_t is array (natural range <>) of word_write_t;

  -- From dispatch: a word for shared memory, until it is taken.
  type shared_init_t is record
    valid : std_ulogic;
    addr  : shared_word_t;
    data  : word_t;
  end record;

  -- The answer to it.
  type shared_init_back_t is record
    done   : std_ulogic;                    -- it is taken
    writes : std_ulogic;                    -- done in the cycle before: it is written in the next one
  end record;

  -- From issue: outcome, in the last cycle, of the instruction in stage HOLD.
  type fate_t is record
    slot      : slot_t;
    leaves    : std_ulogic;                 -- it has issued as a whole, or was turned away
    take      : std_ulogic;                 -- it has issued
    take_word : std_ulogic;                 -- the instruction was the last one of its 8-byte word
    blocks    : std_ulogic;                 -- the instruction redirects its warp
    arrives   : std_ulogic;                 -- the instruction is a barrier
    ends      : std_ulogic;                 -- the instruction ends the warp, unless it traps
    waits     : std_ulogic;                 -- it was turned away, and the load is still under way
    crowded   : std_ulogic;                 -- it is a load and was turned away, as too many are under way
  end record;

  -- From sched to fetch: a warp goes on somewhere else, or begins at 0.
  type refetch_t is record
    valid : std_ulogic;
    slot  : slot_t;
    pc    : pc_t;
  end record;

  -- How a warp goes on before its instruction is in RESOLVE, see branch_early.vhd.
  type early_t is record
    goes   : std_ulogic;                    -- it does
    active : lane_mask_t;                   -- lanes that resume, if an entry came off the stack
    pc     : pc_t;                          -- where they resume
  end record;
  constant EARLY_INIT : early_t := (goes => '0', active => (others => '0'), pc => (others => '0'));

  -- One warp instruction, decoded and cleared to issue; of a 64- or 128-bit access one word, its registers those of
  -- that word.
  type issue_t is record
    valid   : std_ulogic;
    is_init : std_ulogic;                   -- dispatcher: writes R0 of a new warp, never retires
    part    : part_t;                       -- word of the access
    more    : std_ulogic;                   -- other words of the same instruction follow
    early   : early_t;
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

  constant ISSUE_INIT : issue_t := (
    valid => '0', is_init => '0', long => '0', more => '0', early => EARLY_INIT, dropped => '0',
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
    insn  : issue_t;
  end record;
  constant BEAT_INIT : beat_t := (valid => '0', last => '0', row => (others => '0'), insn => ISSUE_INIT);

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
  -- Which stages take a beat in this cycle, a valid one: what lanes keep beside a beat moves only where there is one,
  -- and an idle machine stands still.
  type front_moves_t is record
    address, bounds, pass, memory, files, latch, sources, x1 : std_ulogic;
  end record;
  -- WRITE may take the beat in RESOLVE again, until that leaves.
  type back_moves_t is record
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
  -- Which beats move on in this cycle: those from ROWS to PASS, and with them all others; those from MEMORY to X3. Of a
  -- beat in MEMORY some lanes may stay. X3 moves only if the beat in RESOLVE leaves.
  type stage_moves_t is record
    front, back : std_ulogic;
  end record;

  -- The atomic operation, by its code in GATOM and GRED.
  constant ATOMIC_ADD  : nibble_t := x"0";
  constant ATOMIC_EXCH : nibble_t := x"1";
  constant ATOMIC_CAS  : nibble_t := x"2";
  constant ATOMIC_INC  : nibble_t := x"4";
  constant ATOMIC_DEC  : nibble_t := x"5";
  constant ATOMIC_MAX  : nibble_t := x"6";
  constant ATOMIC_MIN  : nibble_t := x"7";
  constant ATOMIC_AND  : nibble_t := x"a";
  constant ATOMIC_OR   : nibble_t := x"b";
  constant ATOMIC_XOR  : nibble_t := x"c";

  -- From an SM to the atomic unit: one lane's operation, held until it is done.
  type atomic_request_t is record
    valid     : std_ulogic;
    locks     : std_ulogic;                 -- no other SM may get at global memory
    op        : nibble_t;
    is_signed : std_ulogic;
    address   : word_t;
    operand   : word_t;
    desired   : word_t;                     -- CAS: the new word
  end record;
  constant ATOMIC_REQUEST_INIT : atomic_request_t := (
    op => "0000", address => (others => '0'), operand => (others => '0'), desired => (others => '0'), others => '0');
  type atomic_requests_t is array (natural range <>) of atomic_request_t;

  -- In the records of a lane words come first: a record is one vector in the Verilog, the first field lowest, and
  -- simulation takes a word that does not begin at a multiple of 32 from two of them.

  -- Where the cells of an instruction lie in memories, but for the A register of each lane: stage BOUNDS, the same in
  -- all.
  type cells_t is record
    offset       : offset_t;                -- of the operand whose address has an A register
    shared_at    : shared_t;                -- the same, in the SM's shared memory
    const_at     : const_addr_t;            -- that of the constant, in constant memory
    shared_last  : signed(16 downto 0);     -- largest address of the access: in shared or local memory
    const_last   : signed(16 downto 0);     -- largest address of a constant access, in its bank
    const_beyond : std_ulogic;              -- the constant's offset alone lies beyond it
  end record;

  -- Where a lane's cells are.
  type cell_at_t is record
    word  : shared_word_t;
    const : const_addr_t;
  end record;

  -- Addresses of stage FILES in each lane's files.
  type file_reads_t is record
    src_a, src_b, src_c : reg_row_t;        -- registers
    slot                : slot_t;           -- flags
    creg                : creg_t;
    row                 : row_t;
  end record;

  -- Stage SOURCES, for all lanes of a row.
  type row_sources_t is record
    value      : word_t;                    -- constant or immediate
    truth      : half_t;                    -- whether the guard holds, by flags
    local_base : local_row_t;               -- the warp's local memory
    part       : part_t;                    -- word of a wide access
  end record;

  -- The same for one lane, beside its registers.
  type lane_sources_t is record
    cell    : word_t;                       -- the word of shared memory that holds its cell
    special : word_t;                       -- source of S2R, else zero
    number  : unsigned(4 downto 0);         -- of the lane, in the warp
  end record;

  -- How a lane's multiplier takes its factors: of the instruction, but found in stage SOURCES and kept by each lane, as
  -- they are needed at once.
  type factors_t is record
    sign_a  : std_ulogic;
    sign_b  : std_ulogic;
    mul24   : std_ulogic;
    shifts  : std_ulogic;                   -- a times a power of two: SHL, SHR, or scaling
    right   : std_ulogic;                   -- the shift is SHR
    fills   : std_ulogic;                   -- the shift is arithmetic
    float   : std_ulogic;                   -- for the floating-point unit: significands
    half    : std_ulogic;                   -- float: a is an F16; else all 32 bits are multiplied (sm_10x)
    scales  : std_ulogic;                   -- float: times a power of two given by its exponent
    unscaled : std_ulogic;                  -- float: scales by a fixed power of two, unless FADD
    reduces : std_ulogic;                   -- float: RRO.EX2 scales by another power
    from_integer : std_ulogic;              -- a is an integer, of which a number is made
  end record;
  constant FACTORS_INIT : factors_t := (others => '0');

  -- Factors of the multiplier.
  type factor_pair_t is record
    a     : word_t;                         -- source a, or for the floating-point unit its significand
    b     : word_t;
  end record;

  -- Sources a and b in stage X2: their lower 31 bits compared.
  type comparison_t is record
    less  : std_ulogic;
    equal : std_ulogic;
  end record;

  -- How stage SOURCES makes the sources of an instruction, found in LATCH. Source b or c: a register, one of its
  -- halves, the row's value, or zero.
  type source_select_t is record
    low     : std_ulogic_vector(1 downto 0); -- its lower half: 0 the register's, 1 its upper one, 2 the value's, 3 zero
    high    : std_ulogic_vector(1 downto 0); -- its upper half: 0 the register's, 1 the value's, 2 zero, 3 ones
    upper   : std_ulogic;                   -- where it is half a register: the upper one
    extends : std_ulogic;                   -- extended by its sign
  end record;
  type operand_select_t is record
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

  -- One lane as it enters stage X1.
  type lane_operands_t is record
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
  constant LANE_OPERANDS_INIT : lane_operands_t := (
    src_a  => (others => '0'), src_b => (others => '0'), src_c => (others => '0'), areg_new => (others => '0'),
    addr   => (others => '0'), place => (others => '0'),
    faults => (others => '0'), factors => FACTORS_INIT, others => '0');
  type lanes_operands_t is array (natural range <>) of lane_operands_t;

  -- One lane in stage WRITE.
  type lane_done_t is record
    result : word_t;
    addr   : word_t;                        -- memory instructions
    data   : word_t;
    areg   : half_t;                        -- A register after a post-increment, R2A or ADA
    flags  : nibble_t;
    exec   : std_ulogic;
  end record;
  type lanes_done_t is array (natural range <>) of lane_done_t;

  -- Writes of one lane in stage WRITE.
  type lane_results_t is record
    reg      : word_t;
    areg     : half_t;
    flags    : nibble_t;
    reg_we   : std_ulogic_vector(1 downto 0); -- upper, lower half
    flags_we : std_ulogic;
    areg_we  : std_ulogic;
  end record;
  type lanes_results_t is array (natural range <>) of lane_results_t;

  -- Result of a unit of floating point or special functions.
  type unit_result_t is record
    value : word_t;
    flags : nibble_t;
  end record;
  constant UNIT_RESULT_INIT : unit_result_t := (value => (others => '0'), flags => (others => '0'));
  type unit_results_t is array (natural range <>) of unit_result_t;

  -- Where results are written, for all lanes of a row: of an early beat or a late one, never of both in a cycle.
  type write_to_t is record
    reg_row      : reg_row_t;                -- registers, also from a load
    reg_beat_row : row_t;
    slot         : slot_t;                   -- flags
    row          : row_t;
    creg_dst     : creg_t;
    areg_slot    : slot_t;                   -- address registers, ALU_STAGES earlier
    areg_row     : row_t;
    areg_dst     : areg_t;
  end record;

  -- From execute: whether the beats in X1 to X3 move on.
  type advance_t is record
    flush   : std_ulogic;                   -- a trap: forget every beat
    now     : std_ulogic;
    soon    : std_ulogic;                   -- in the next cycle
    unwinds : std_ulogic;                   -- not, while the branch unit unwinds a stack
  end record;

  -- What comes back of a lane: a word of a load; of the unit of floating point, what left RESOLVE by FLOAT_STAGES and
  -- one cycle before; and what left RESOLVE in the cycle before.
  type lane_back_t is record
    load     : word_t;
    done     : lane_done_t;
    float    : unit_result_t;
    has_load : std_ulogic;
  end record;
  type lanes_back_t is array (natural range <>) of lane_back_t;

  -- From the branch unit to the scheduler: a warp goes on, waits or is finished.
  type redirect_t is record
    valid    : std_ulogic;
    slot     : slot_t;
    pc       : pc_t;
    falls_through : std_ulogic;             -- pc is the next instruction: words fetched ahead stay valid
    waits    : std_ulogic;                  -- at a barrier
    finished : std_ulogic;
    trapped  : std_ulogic;
  end record;
  constant REDIRECT_INIT : redirect_t := (slot => (others => '0'), pc => (others => '0'), others => '0');

  -- An answer to a warp, and its write to the warp table.
  type answer_t is record
    redirect : redirect_t;
    state_we : std_ulogic;                  -- the warp has a new state:
    state    : warp_state_t;
  end record;

  -- A place on a warp's stack: its entry above as many.
  type stack_place_t is record
    slot  : slot_t;
    below : depth_t;
  end record;

  -- From the stages around it to the load/store unit.
  type ldst_orders_t is record
    moves   : std_ulogic;                   -- the beats in X1 and X2 go on
    go      : std_ulogic;                   -- the beat in stage RESOLVE leaves it
    hold    : std_ulogic;                   -- a load that came now could not be written
    trapped : std_ulogic;                   -- discard accesses that are not in the queue yet
  end record;

  -- From the load/store unit to them.
  type ldst_state_t is record
    blocks    : std_ulogic;                 -- the beat that is in X3 in the next cycle must stay there
    load_next : std_ulogic;                 -- a load comes back in the next cycle
    idle      : std_ulogic;                 -- nothing is under way but stores that were granted
  end record;

  -- A load's destination, from the load/store unit: one row, or part of one.
  type load_beat_t is record
    valid   : std_ulogic;
    last    : std_ulogic;                   -- of the warp instruction
    slot    : slot_t;
    row     : row_t;
    part    : part_t;                       -- which word of the access
    reg_row : reg_row_t;
    enable  : std_ulogic;                   -- the register exists (else the value is dropped)
  end record;
  constant LOAD_BEAT_BITS : positive := 1 + SLOT_BITS + 2 + 2 + 9 + 1;   -- but for valid
  function to_vector(b : load_beat_t) return std_ulogic_vector;
  function to_load_beat(v : std_ulogic_vector(LOAD_BEAT_BITS - 1 downto 0)) return load_beat_t;

  -- From the branch unit: outcome of the warp instruction that leaves stage RESOLVE.
  type outcome_t is record
    next_pc : pc_t;
    active  : lane_mask_t;
    depth   : depth_t;
    state   : std_ulogic_vector(1 downto 0);   -- enum retire_state: ready, barrier, finished, trapped
    trap    : trap_t;
  end record;

  -- A beat that leaves stage RESOLVE, valid when it does.
  type done_t is record
    beat    : beat_t;
    outcome : outcome_t;
  end record;

  -- Cause of a cycle, by SM.
  type causes_t is array (natural range <>) of cause_t;

  -- For the cause of a cycle: activity of the first stages in this cycle.
  type front_use_t is record
    issues  : std_ulogic;                   -- a beat of an instruction enters stage ROWS, if the stages move
    starts  : std_ulogic;                   -- one that starts a warp does
    replays : std_ulogic;                   -- the row in stage MEMORY goes on in another beat
    stores  : std_ulogic;                   -- the row waits for a shared store ahead of it
  end record;

  -- Activity of stage HOLD.
  type hazard_use_t is record
    waits       : std_ulogic;               -- there is an instruction
    turned_away : std_ulogic;               -- it leaves, a load is under way
    full        : std_ulogic;               -- it is a load, too many are under way
  end record;

  -- Reasons of the warps that stage SELECT cannot choose.
  type warps_wait_t is record
    issue   : std_ulogic;                   -- its instruction before is on the way to stage HOLD
    fetch   : std_ulogic;                   -- the next word
    branch  : std_ulogic;                   -- where to go on
    load    : std_ulogic;
    barrier : std_ulogic;                   -- the others, or the answer to their own arrival
  end record;

  -- From the stages ROWS to SOURCES.
  type front_t is record
    ready    : std_ulogic;                  -- stage ROWS takes an instruction
    moves    : std_ulogic;                  -- ROWS, ADDRESS, BOUNDS and PASS take new beats
    idle     : std_ulogic;                  -- no beat in ROWS to SOURCES
    early_at : stack_place_t;               -- for early answers: the top of the stack of the warp that is in ROWS then
    uses     : front_use_t;                 -- for the counters
  end record;

  -- To the thread ids.
  type tid_order_t is record
    first : std_ulogic;                     -- show the first row of a block next
    go_on : std_ulogic;                     -- that row is written, show the next
  end record;

  -- Of the beat in X1 and its guard, for branches that are answered early.
  type guard_t is record
    asks  : std_ulogic;                     -- it is the last one of a branch that may be answered
    taken : std_ulogic;                     -- a lane executes
    stays : std_ulogic;                     -- an active lane does not
  end record;

  -- Status of a grid, for the host.
  type status_t is record
    state        : std_ulogic_vector(1 downto 0);  -- idle, running, done, trapped
    trap         : trap_t;
    trap_sm      : unsigned(2 downto 0);
    trap_slot    : slot_t;
    trap_pc      : pc_t;
    cycles       : unsigned(47 downto 0);          -- from start to done
    warp_insns   : unsigned(31 downto 0);
    thread_insns : unsigned(31 downto 0);
  end record;
  constant STATUS_INIT : status_t := (
    state => "00", trap => TRAP_NONE, trap_sm => (others => '0'), trap_slot => (others => '0'),
    trap_pc => (others => '0'), cycles => (others => '0'), warp_insns => (others => '0'),
    thread_insns => (others => '0'));

  type lane_masks_t is array (natural range <>) of lane_mask_t;

  ----------------------------------------------------------------------------------------------------------------
  -- Between host, grid, memories and SMs.

  -- The host's bus: Wishbone B4, pipelined, 32 bits wide.
  type bus_request_t is record
    adr : word_t;                                  -- of a byte
    dat : word_t;
    we  : std_ulogic;
    cyc : std_ulogic;
    stb : std_ulogic;
  end record;
  type bus_answer_t is record
    dat   : word_t;
    ack   : std_ulogic;                            -- one cycle after the transfer
    stall : std_ulogic;
  end record;

  -- The host's access to a memory, one a cycle. Read data come in the next.
  type host_access_t is record
    addr      : unsigned(27 downto 0);             -- of a byte, in the memory's window
    data      : word_t;
    param_we  : std_ulogic;                        -- parameters of the launch
    bank_we   : std_ulogic;                        -- place of a constant bank
    code_we   : std_ulogic;
    code_re   : std_ulogic;
    const_we  : std_ulogic;
    const_re  : std_ulogic;
    global_we : std_ulogic;
    global_re : std_ulogic;
    clear     : std_ulogic;                        -- all of global memory, while it is `clearing`
  end record;
  type host_read_t is record
    code     : word_t;
    const    : word_t;
    global   : word_t;
    global_valid : std_ulogic;                     -- behind a bus: this is a word that was asked for, in order
    full     : std_ulogic;                         -- behind a bus: room for the last cycle's access and this one only
    failed   : std_ulogic;                         -- behind a bus: an access was answered with an error
    clearing : std_ulogic;
  end record;

  -- From the grid to all SMs.
  type grid_order_t is record
    setup       : std_ulogic;                      -- a launch begins
    halt        : std_ulogic;                      -- a trap stopped the grid
    blocks_left : std_ulogic;                      -- for some SM
    block_x     : unsigned(15 downto 0);           -- of the block that one of them is offered
    block_y     : unsigned(15 downto 0);
  end record;

  -- From an SM to the grid.
  type sm_report_t is record
    refused   : std_ulogic;                        -- one cycle after setup: no block of the launch fits
    accept    : std_ulogic;                        -- takes a block when it is offered one
    empty     : std_ulogic;                        -- no block is resident
    idle      : std_ulogic;                        -- nothing in the pipeline or under way to memory
    trapped   : std_ulogic;                        -- an instruction trapped: by these, one cycle later
    trap      : trap_t;
    trap_slot : slot_t;
    trap_pc   : pc_t;
  end record;
  type sm_reports_t is array (natural range <>) of sm_report_t;

  -- Code memory: a word for an SM, one cycle after the grant.
  type code_request_t is record
    req  : std_ulogic;
    addr : unsigned(20 downto 0);                  -- of 8 bytes
  end record;
  type code_requests_t is array (natural range <>) of code_request_t;
  type code_answer_t is record
    grant : std_ulogic;
    data  : std_ulogic_vector(63 downto 0);
  end record;
  type code_answers_t is array (natural range <>) of code_answer_t;

  -- Global memory: a line for an SM, one cycle after the grant; beside these go the line's words and which bytes of
  -- them are written. Behind a bus the lines of granted loads come later, in order, each when the SM is ready.
  type global_request_t is record
    req    : std_ulogic;
    we     : std_ulogic;
    line   : unsigned(31 downto 0);
    ready  : std_ulogic;                           -- a line may come in the next cycle
    atomic : atomic_request_t;
  end record;
  type global_requests_t is array (natural range <>) of global_request_t;
  type global_answer_t is record
    grant       : std_ulogic;
    loads       : std_ulogic;                      -- behind a bus: the line of a load comes in the next cycle
    storing     : std_ulogic;                      -- behind a bus: a store, or that of an atomic operation, is pending
    atomic_done : std_ulogic;
    atomic_old  : word_t;                          -- the word before
    atomic_new  : word_t;                          -- word after the atomic operation
  end record;
  type global_answers_t is array (natural range <>) of global_answer_t;

  -- The bus of global memory: an AXI4 master of one ID. All bursts are a line, from its first word on (INCR, BUS_WORDS
  -- words a beat, as many beats as make CORES words); data and strobes go beside these.
  type axi_command_t is record
    valid   : std_ulogic;
    address : word_t;                              -- of a byte, a multiple of the line
  end record;
  type axi_request_t is record
    ar      : axi_command_t;
    aw      : axi_command_t;
    w_valid : std_ulogic;
    w_last  : std_ulogic;
    r_ready : std_ulogic;                          -- b_ready is always set
  end record;
  type axi_answer_t is record
    ar_ready : std_ulogic;
    aw_ready : std_ulogic;
    w_ready  : std_ulogic;
    r_valid  : std_ulogic;
    r_error  : std_ulogic;                         -- resp(1): SLVERR or DECERR
    b_valid  : std_ulogic;
    b_error  : std_ulogic;
  end record;
  -- Transfers that end at it in a cycle.
  type line_ends_t is record
    loaded : std_ulogic;                           -- the line of the oldest load is there
    stored : std_ulogic;                           -- the oldest store is done
    failed : std_ulogic;                           -- an access has been answered with an error
  end record;
  constant AXI_REQUEST_INIT : axi_request_t := (
    ar => (address => (others => '0'), valid => '0'), aw => (address => (others => '0'), valid => '0'), others => '0');
  constant AXI_ANSWER_INIT : axi_answer_t := (others => '0');

  ----------------------------------------------------------------------------------------------------------------
  -- Helpers.

  -- A cell of 1, 2 or 4 bytes out of the word that holds it, extended to 32 bits; zero where it is not enabled.
  function extract(word : word_t; byte : unsigned(1 downto 0); size : size_t; is_signed : std_ulogic) return word_t;
  -- The same where the size is known: 1 byte; 4 bytes or more.
  function extract(word : word_t; byte : unsigned(1 downto 0); narrow, whole, is_signed, enable : std_ulogic)
    return word_t;
  -- Whether an operand's cell is extended by its sign: as the cell says, or as a 16-bit operation does, but for bytes.
  function extends(c : control_t; size : size_t; cell_signed : std_ulogic) return std_ulogic;
  -- The address of a cell is a multiple of its size; its low bits decide.
  function aligned(low : unsigned(3 downto 0); size : size_t) return std_ulogic;
  function bytes_of(size : size_t) return natural;
  -- Whether the address lies beyond the last, which is negative where there is none.
  function exceeds(address : offset_t; last : signed(16 downto 0)) return std_ulogic;
  -- Number of the last word of an access: 0, 1 or 3. Its bits are those that number the words.
  function last_part(size : size_t) return part_t;
  function exists(reg : reg_t; launch : launch_t) return boolean; -- the launch's threads have this register
  function is_load(mem : mem_t) return std_ulogic;          -- its values come back in load beats
  function is_local(mem : mem_t) return std_ulogic;
  function is_global(mem : mem_t) return std_ulogic;
  function is_store(mem : mem_t) return std_ulogic;         -- to any memory, but for atomics
  -- Byte enables of a cell in its word, and its bytes in place.
  function enables(byte : unsigned(1 downto 0); size : size_t) return nibble_t;
  function replicate(value : word_t; size : size_t) return word_t;
  -- Byte enables as a mask of bits.
  function bit_mask(bytes : nibble_t) return word_t;

  function to_sl(b : boolean) return std_ulogic;
  function or_reduce(v : std_ulogic_vector) return std_ulogic;
  -- n + 1 of gates alone, without a chain of carries: for few bits that are needed early.
  function plus_one(n : unsigned) return unsigned;
  -- Which power of two shifts: to the right by n it is 32 - n modulo 32 (shift_factor.vhd).
  function shift_power(right : std_ulogic; n : unsigned(4 downto 0)) return unsigned;
  function log2(n : positive) return natural;                -- of a power of two
  -- A word of which these bits are set: `first` to `last`; one.
  function ones(first : natural; last : natural) return word_t;
  function ones(at : natural) return word_t;
  -- Words of the bus' data; one where there is none.
  function axi_words(bus_words : natural) return positive;
  -- Accesses of an SM's loads that a bus may owe; 0 where there is none.
  function returns_for(bus_words : natural) return natural;
  -- SMs that may access global memory: all, but for one that is in the middle of an atomic instruction and alone.
  function may_access(requests : global_requests_t) return std_ulogic_vector;
  -- Banks of global memory: one for one SM, else the power of two from twice as many as SMs on, of two lines at least.
  function banks_for(sms : positive; lines : positive) return positive;
  -- Its registers and flags are written FLOAT_STAGES behind RESOLVE, not ALU_STAGES: by a unit of floating point.
  function is_late(c : control_t) return std_ulogic;
  function is_wide(c : control_t) return std_ulogic;         -- sm_10x: WMUL, WMAD
  function is_division(c : control_t) return std_ulogic;     -- sm_10x: IDIV, IREM
  function factors_of(c : control_t) return factors_t;
  function operand_select(c : control_t) return operand_select_t;
  -- It writes to general registers when it leaves RESOLVE or later, but for a load.
  function writes_registers(c : control_t) return std_ulogic;
  -- It writes an address register, and which: not A0, which is 0.
  function writes_areg(c : control_t) return std_ulogic;
  function areg_written(c : control_t) return areg_t;
  -- Stages between RESOLVE and the retire port, with such units or without.
  function write_delay(has_units : boolean) return positive;
  -- Loads of an SM under way at a time: one that does not wait is back sixteen cycles after its last row left stage
  -- HOLD.
  function loads_for(sms : positive; cores : positive) return positive;
  -- Mask of the bits of v at and above the lowest set one's position: only the lowest set bit remains.
  function lowest_set(v : std_ulogic_vector) return std_ulogic_vector;
  -- The same in gates instead of a carry, by fours.
  function first_of(v : std_ulogic_vector) return std_ulogic_vector;
  -- Number of the set bit of a one-hot vector; 0 when none is set.
  function one_hot_index(v : std_ulogic_vector; bits : positive) return unsigned;
  -- bit n of `bits`; all zero when n is not below `bits`
  function one_hot(n : unsigned; bits : positive) return std_ulogic_vector;
  -- lanes row * CORES ... of a mask
  function row_of(mask : lane_mask_t; row : row_t; cores : positive) return std_ulogic_vector;
  -- a lane's file of four C registers, or four A registers, a warp: its size and the address of number `index`
  function lane_file_bits(rows : positive) return positive;
  function areg_index(areg : areg_t) return unsigned;       -- A1 .. A4 -> 0 .. 3
  function lane_file_addr(slot : slot_t; index : unsigned(1 downto 0); row : row_t; rows : positive) return unsigned;

end package;
