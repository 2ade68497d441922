-- SPDX-License-Identifier: Apache-2.0
-- Sizes, machine words, the launch and helpers that all parts of the RTL share. Records between parts lie with their
-- edge: stages_pkg, then front_pkg, operands_pkg, branch_pkg, execute_pkg, memory_pkg, host_pkg, each in its folder;
-- control_pkg has the decoded instruction. gpu_pkg_body.vhd has the bodies.

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
    local_base   : local_row_t;            -- of local memory: its place in global memory, by 128 bytes
    local_bytes  : unsigned(15 downto 0);  -- per thread, a multiple of 4
    local_warps  : unsigned(SLOT_BITS downto 0); -- warp slots of an SM that have local memory
    atomics      : std_ulogic;             -- GATOM and GRED execute, as on sm_11
  end record;

  -- Something happens to a warp: it is chosen, is read, starts, has left, or its load is back.
  type warp_event_t is record
    valid : std_ulogic;
    slot  : slot_t;
  end record;

  -- A word of memory that is written: which of its bytes.
  type word_write_t is record
    data  : word_t;
    bytes : nibble_t;
  end record;
  type word_writes_t is array (natural range <>) of word_write_t;

  -- A place on a warp's stack: its entry above as many.
  type stack_place_t is record
    slot  : slot_t;
    below : depth_t;
  end record;

  type lane_masks_t is array (natural range <>) of lane_mask_t;

  -- A cell of 1, 2 or 4 bytes out of the word that holds it, extended to 32 bits; zero where it is not enabled.
  function extract(word : word_t; byte : unsigned(1 downto 0); size : size_t; is_signed : std_ulogic) return word_t;
  -- The same where the size is known: 1 byte; 4 bytes or more.
  function extract(word : word_t; byte : unsigned(1 downto 0); narrow, whole, is_signed, enable : std_ulogic)
    return word_t;
  -- The address of a cell is a multiple of its size; its low bits decide.
  function aligned(low : unsigned(3 downto 0); size : size_t) return std_ulogic;
  function bytes_of(size : size_t) return natural;
  -- 1 if the address lies beyond the last one, which is negative if no address is valid.
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
  -- The power of two that shifts; to the right by n: that of 32 - n modulo 32 (shift_factor.vhd).
  function shift_power(right : std_ulogic; n : unsigned(4 downto 0)) return unsigned;
  function log2(n : positive) return natural;                -- of a power of two
  -- A word of which these bits are set: `first` to `last`; one.
  function ones(first : natural; last : natural) return word_t;
  function ones(at : natural) return word_t;
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
