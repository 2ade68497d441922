-- SPDX-License-Identifier: Apache-2.0
-- Records of the stages X1 to WRITE: between execute.vhd, its lanes, the ALU, the floating-point unit and writeback,
-- and back to operands. Each is named from -> to.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.branch_pkg.all;
use work.lists_pkg.all;

package execute_pkg is

  -- From a lane to its multiplier: the factors.
  type lane_to_multiplier_t is record
    a     : word_t;                         -- source a, or for the floating-point unit its significand
    b     : word_t;
  end record;

  -- From the ALU to the floating-point unit, in X2: the lower 31 bits of sources a and b compared.
  type alu_to_float_t is record
    less  : std_ulogic;
    equal : std_ulogic;
  end record;

  -- One lane in stage WRITE.
  type lane_in_write_t is record
    result : word_t;
    addr   : word_t;                        -- memory instructions
    data   : word_t;
    areg   : half_t;                        -- A register after a post-increment, R2A or ADA
    flags  : nibble_t;
    exec   : std_ulogic;
  end record;
  type lanes_in_write_t is array (natural range <>) of lane_in_write_t;

  -- From writeback to the register files, one lane.
  type lane_to_files_t is record
    reg      : word_t;
    areg     : half_t;
    flags    : nibble_t;
    reg_we   : std_ulogic_vector(1 downto 0); -- upper, lower half
    flags_we : std_ulogic;
    areg_we  : std_ulogic;
  end record;
  type lanes_to_files_t is array (natural range <>) of lane_to_files_t;

  -- Result of a unit of floating point or special functions.
  type unit_result_t is record
    value : word_t;
    flags : nibble_t;
  end record;
  constant UNIT_RESULT_INIT : unit_result_t := (value => (others => '0'), flags => (others => '0'));
  type unit_results_t is array (natural range <>) of unit_result_t;

  -- From writeback: where results are written, for all lanes of a row: of an early beat or a late one, never of both in
  -- a cycle.
  type writeback_to_operands_t is record
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
  type execute_to_operands_t is record
    flush   : std_ulogic;                   -- a trap: forget every beat
    now     : std_ulogic;
    soon    : std_ulogic;                   -- in the next cycle
    unwinds : std_ulogic;                   -- not, while the branch unit unwinds a stack
  end record;

  -- Results of a lane: `load`, a word of a load; `done`, of the beat that left RESOLVE one cycle before; `float`, of
  -- the beat that left it FLOAT_STAGES + 1 cycles before.
  type lane_to_writeback_t is record
    load     : word_t;
    done     : lane_in_write_t;
    float    : unit_result_t;
    has_load : std_ulogic;
  end record;
  type lanes_to_writeback_t is array (natural range <>) of lane_to_writeback_t;

  -- A beat that leaves stage RESOLVE, valid when it does.
  type execute_to_writeback_t is record
    beat    : beat_t;
    outcome : branch_to_writeback_t;
  end record;

end package;
