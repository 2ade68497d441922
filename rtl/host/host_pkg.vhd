-- SPDX-License-Identifier: Apache-2.0
-- Records between the host's bus, the host port, the grid, the SMs and their memories. Each is named from -> to.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.lists_pkg.all;

package host_pkg is

  -- Status of a grid, for the host.
  type grid_to_host_t is record
    state        : std_ulogic_vector(1 downto 0);  -- idle, running, done, trapped
    trap         : trap_t;
    trap_sm      : unsigned(2 downto 0);
    trap_slot    : slot_t;
    trap_pc      : pc_t;
    cycles       : unsigned(47 downto 0);          -- from start to done
    warp_insns   : unsigned(31 downto 0);
    thread_insns : unsigned(31 downto 0);
  end record;
  constant GRID_TO_HOST_INIT : grid_to_host_t := (
    state => "00", trap => TRAP_NONE, trap_sm => (others => '0'), trap_slot => (others => '0'),
    trap_pc => (others => '0'), cycles => (others => '0'), warp_insns => (others => '0'),
    thread_insns => (others => '0'));

  -- The host's bus: Wishbone B4, pipelined, 32 bits wide.
  type master_to_host_t is record
    adr : word_t;                                  -- of a byte
    dat : word_t;
    we  : std_ulogic;
    cyc : std_ulogic;
    stb : std_ulogic;
  end record;
  type host_to_master_t is record
    dat   : word_t;
    ack   : std_ulogic;                            -- one cycle after the transfer
    stall : std_ulogic;
  end record;

  -- The host's access to a memory, one a cycle. Read data come in the next.
  type host_to_memories_t is record
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
  type memories_to_host_t is record
    code     : word_t;
    const    : word_t;
    global   : word_t;
    global_valid : std_ulogic;                     -- behind a bus: this is a word that was asked for, in order
    full     : std_ulogic;                         -- behind a bus: room for the last cycle's access and this one only
    failed   : std_ulogic;                         -- behind a bus: an access was answered with an error
    clearing : std_ulogic;
  end record;

  -- From the grid to all SMs.
  type grid_to_sm_t is record
    setup       : std_ulogic;                      -- a launch begins
    halt        : std_ulogic;                      -- a trap stopped the grid
    blocks_left : std_ulogic;                      -- for some SM
    block_x     : unsigned(15 downto 0);           -- of the block that one of them is offered
    block_y     : unsigned(15 downto 0);
  end record;

  -- From an SM to the grid.
  type sm_to_grid_t is record
    refused   : std_ulogic;                        -- one cycle after setup: no block of the launch fits
    accept    : std_ulogic;                        -- takes a block when it is offered one
    empty     : std_ulogic;                        -- no block is resident
    idle      : std_ulogic;                        -- nothing in the pipeline or under way to memory
    trapped   : std_ulogic;                        -- an instruction trapped: by these, one cycle later
    trap      : trap_t;
    trap_slot : slot_t;
    trap_pc   : pc_t;
  end record;
  type sms_to_grid_t is array (natural range <>) of sm_to_grid_t;

end package;
