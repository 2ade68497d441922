-- SPDX-License-Identifier: Apache-2.0
-- Records between the SMs and global memory, block RAM or behind a bus, and of the load/store unit. Each is named
-- from -> to.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;

package memory_pkg is

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
  type sm_to_atomic_unit_t is record
    valid     : std_ulogic;
    locks     : std_ulogic;                 -- no other SM may get at global memory
    op        : nibble_t;
    is_signed : std_ulogic;
    address   : word_t;
    operand   : word_t;
    desired   : word_t;                     -- CAS: the new word
  end record;
  constant SM_TO_ATOMIC_UNIT_INIT : sm_to_atomic_unit_t := (
    op => "0000", address => (others => '0'), operand => (others => '0'), desired => (others => '0'), others => '0');
  type sms_to_atomic_unit_t is array (natural range <>) of sm_to_atomic_unit_t;

  -- From execute to the load/store unit.
  type execute_to_ldst_t is record
    moves   : std_ulogic;                   -- the beats in X1 and X2 go on
    go      : std_ulogic;                   -- the beat in stage RESOLVE leaves it
    hold    : std_ulogic;                   -- a load that came now could not be written
    trapped : std_ulogic;                   -- discard accesses that are not in the queue yet
  end record;

  -- Back from the load/store unit.
  type ldst_to_execute_t is record
    blocks    : std_ulogic;                 -- the beat that is in X3 in the next cycle must stay there
    load_next : std_ulogic;                 -- a load comes back in the next cycle
    idle      : std_ulogic;                 -- nothing is under way but stores that were granted
  end record;

  -- A load's destination, from the load/store unit: one row, or part of one.
  type ldst_to_writeback_t is record
    valid   : std_ulogic;
    last    : std_ulogic;                   -- of the warp instruction
    slot    : slot_t;
    row     : row_t;
    part    : part_t;                       -- the word of the access
    reg_row : reg_row_t;
    enable  : std_ulogic;                   -- the register exists (else the value is dropped)
  end record;
  constant LOAD_BEAT_BITS : positive := 1 + SLOT_BITS + 2 + 2 + 9 + 1;   -- but for valid
  function to_vector(b : ldst_to_writeback_t) return std_ulogic_vector;
  function to_load_beat(v : std_ulogic_vector(LOAD_BEAT_BITS - 1 downto 0)) return ldst_to_writeback_t;

  -- Global memory: a line for an SM, one cycle after the grant; beside these go the line's words and which bytes of
  -- them are written. Behind a bus the lines of granted loads come later, in order, each when the SM is ready.
  type sm_to_global_t is record
    req    : std_ulogic;
    we     : std_ulogic;
    line   : unsigned(31 downto 0);
    ready  : std_ulogic;                           -- a line may come in the next cycle
    atomic : sm_to_atomic_unit_t;
  end record;
  type sms_to_global_t is array (natural range <>) of sm_to_global_t;
  type global_to_sm_t is record
    grant       : std_ulogic;
    loads       : std_ulogic;                      -- behind a bus: the line of a load comes in the next cycle
    storing     : std_ulogic;                      -- behind a bus: a store, or that of an atomic operation, is pending
    atomic_done : std_ulogic;
    atomic_old  : word_t;                          -- the word before
    atomic_new  : word_t;                          -- word after the atomic operation
  end record;
  type global_to_sms_t is array (natural range <>) of global_to_sm_t;

  -- The bus of global memory: an AXI4 master of one ID. All bursts are a line, from its first word on (INCR, BUS_WORDS
  -- words a beat, as many beats as make CORES words); data and strobes go beside these.
  type axi_command_t is record
    valid   : std_ulogic;
    address : word_t;                              -- of a byte, a multiple of the line
  end record;
  type global_to_axi_t is record
    ar      : axi_command_t;
    aw      : axi_command_t;
    w_valid : std_ulogic;
    w_last  : std_ulogic;
    r_ready : std_ulogic;                          -- b_ready is always set
  end record;
  type axi_to_global_t is record
    ar_ready : std_ulogic;
    aw_ready : std_ulogic;
    w_ready  : std_ulogic;
    r_valid  : std_ulogic;
    r_error  : std_ulogic;                         -- resp(1): SLVERR or DECERR
    b_valid  : std_ulogic;
    b_error  : std_ulogic;
  end record;

  -- From line_bus to global_bus: transfers that end in a cycle.
  type line_bus_to_global_t is record
    loaded : std_ulogic;                           -- the line of the oldest load is there
    stored : std_ulogic;                           -- the oldest store is done
    failed : std_ulogic;                           -- an access has been answered with an error
  end record;
  constant GLOBAL_TO_AXI_INIT : global_to_axi_t := (
    ar => (address => (others => '0'), valid => '0'), aw => (address => (others => '0'), valid => '0'), others => '0');
  constant AXI_TO_GLOBAL_INIT : axi_to_global_t := (others => '0');

  -- Words of the bus' data; one where there is none.
  function axi_words(bus_words : natural) return positive;
  -- Accesses of an SM's loads that a bus may owe; 0 where there is none.
  function returns_for(bus_words : natural) return natural;
  -- SMs that may access global memory: all, but for one that is in the middle of an atomic instruction and alone.
  function may_access(requests : sms_to_global_t) return std_ulogic_vector;
  -- Banks of global memory: one for one SM, else the power of two from twice as many as SMs on, of two lines at least.
  function banks_for(sms : positive; lines : positive) return positive;
  -- Loads of an SM under way at a time: one that does not wait is back sixteen cycles after its last row left stage
  -- HOLD.
  function loads_for(sms : positive; cores : positive) return positive;

end package;

package body memory_pkg is

  function to_vector(b : ldst_to_writeback_t) return std_ulogic_vector is
  begin
    return b.enable & std_ulogic_vector(b.reg_row) & std_ulogic_vector(b.part) & std_ulogic_vector(b.row)
           & std_ulogic_vector(b.slot) & b.last;
  end function;

  function to_load_beat(v : std_ulogic_vector(LOAD_BEAT_BITS - 1 downto 0)) return ldst_to_writeback_t is
    variable b : ldst_to_writeback_t;
    constant ROW_AT : positive := 1 + SLOT_BITS;
  begin
    b.valid   := '1';
    b.last    := v(0);
    b.slot    := unsigned(v(SLOT_BITS downto 1));
    b.row     := unsigned(v(ROW_AT + 1 downto ROW_AT));
    b.part    := unsigned(v(ROW_AT + 3 downto ROW_AT + 2));
    b.reg_row := unsigned(v(ROW_AT + 12 downto ROW_AT + 4));
    b.enable  := v(ROW_AT + 13);
    return b;
  end function;

  function axi_words(bus_words : natural) return positive is
    variable words : positive := 1;
  begin
    if bus_words > 0 then
      words := bus_words;
    end if;
    return words;
  end function;

  function returns_for(bus_words : natural) return natural is
    variable returns : natural := 0;
  begin
    if bus_words > 0 then
      returns := 64;
    end if;
    return returns;
  end function;

  function may_access(requests : sms_to_global_t) return std_ulogic_vector is
    variable locked : std_ulogic := '0';
    variable may    : std_ulogic_vector(requests'length - 1 downto 0);
  begin
    for s in 0 to requests'length - 1 loop
      locked := locked or requests(s).atomic.locks;
    end loop;
    for s in 0 to requests'length - 1 loop
      may(s) := requests(s).atomic.locks or not locked;
    end loop;
    return may;
  end function;

  function banks_for(sms : positive; lines : positive) return positive is
    variable banks : positive := 1;
  begin
    while sms > 1 and banks < 2 * sms and 4 * banks <= lines loop
      banks := 2 * banks;
    end loop;
    return banks;
  end function;

  function loads_for(sms : positive; cores : positive) return positive is
    variable loads : positive := cores;
  begin
    if sms > 1 then
      loads := 2 * loads;
    end if;
    return loads;
  end function;

end package body;
