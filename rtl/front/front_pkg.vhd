-- SPDX-License-Identifier: Apache-2.0
-- Records of the front: between dispatch, sched, fetch, decode_word, issue, warp_table, thread_ids and stall_cause, and
-- to and from the code memory. Each is named from -> to.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.lists_pkg.all;

package front_pkg is

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

  -- The word of the warp's next instruction, as it was read from the buffer.
  type fetch_to_issue_t is record
    word  : decoded_word_t;
    addr  : unsigned(20 downto 0);          -- of 8 bytes
    upper : std_ulogic;                     -- the instruction is the upper half of the word
  end record;

  -- From the word that the code memory delivers to the decoded one.
  constant DECODE_CYCLES : positive := 6;

  -- From dispatch: a warp starts; facts of its block for the barriers.
  type dispatch_to_warps_t is record
    valid : std_ulogic;
    slot  : slot_t;
    warp  : warp_t;
    first : slot_t;                         -- of the warps of its block
    warps : unsigned(SLOT_BITS downto 0);   -- of its block
  end record;

  -- From dispatch: a word for shared memory, until it is taken.
  type dispatch_to_shared_t is record
    valid : std_ulogic;
    addr  : shared_word_t;
    data  : word_t;
  end record;

  -- The answer to dispatch.
  type shared_to_dispatch_t is record
    done   : std_ulogic;                    -- it is taken
    writes : std_ulogic;                    -- done in the cycle before: it is written in the next one
  end record;

  -- From issue to sched and fetch: outcome, in the last cycle, of the instruction in stage HOLD.
  type issue_to_sched_t is record
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
  type sched_to_fetch_t is record
    valid : std_ulogic;
    slot  : slot_t;
    pc    : pc_t;
  end record;

  -- Cause of a cycle, by SM.
  type causes_t is array (natural range <>) of cause_t;

  -- Activity of stage HOLD.
  type issue_to_cause_t is record
    waits       : std_ulogic;               -- there is an instruction
    turned_away : std_ulogic;               -- it leaves, a load is under way
    full        : std_ulogic;               -- it is a load, too many are under way
  end record;

  -- Reasons of the warps that stage SELECT cannot choose.
  type sched_to_cause_t is record
    issue   : std_ulogic;                   -- its instruction before is on the way to stage HOLD
    fetch   : std_ulogic;                   -- the next word
    branch  : std_ulogic;                   -- the address to go on at
    load    : std_ulogic;
    barrier : std_ulogic;                   -- the others, or the answer to their own arrival
  end record;

  -- To the thread ids.
  type operands_to_thread_ids_t is record
    first : std_ulogic;                     -- show the first row of a block next
    go_on : std_ulogic;                     -- that row is written, show the next
  end record;

  -- Code memory: a word for an SM, one cycle after the grant.
  type sm_to_code_t is record
    req  : std_ulogic;
    addr : unsigned(20 downto 0);                  -- of 8 bytes
  end record;
  type sms_to_code_t is array (natural range <>) of sm_to_code_t;
  type code_to_sm_t is record
    grant : std_ulogic;
    data  : std_ulogic_vector(63 downto 0);
  end record;
  type code_to_sms_t is array (natural range <>) of code_to_sm_t;

end package;

package body front_pkg is

  function to_vector(w : decoded_word_t) return std_ulogic_vector is
  begin
    return to_vector(w.second) & to_vector(w.first) & w.word;
  end function;

  function to_decoded_word(v : std_ulogic_vector(DECODED_WORD_BITS - 1 downto 0)) return decoded_word_t is
    variable w : decoded_word_t;
  begin
    w.word   := v(63 downto 0);
    w.first  := to_control(v(63 + CONTROL_BITS downto 64));
    w.second := to_control(v(63 + 2 * CONTROL_BITS downto 64 + CONTROL_BITS));
    return w;
  end function;

end package body;
