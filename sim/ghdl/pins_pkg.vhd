-- SPDX-License-Identifier: Apache-2.0
-- The C side of the GHDL testbench (ghdl_pins.c), called through VHPIDIRECT. mcode opens the library that the attribute
-- names, at analysis already (LD_LIBRARY_PATH says where it is); LLVM ignores the name and takes the functions from the
-- link.
library ieee;
use ieee.std_logic_1164.all;

package pins_pkg is

  -- The result of pins_clock, from bit 0 up.
  constant DRIVE_ADR  : natural := 0;    -- 32 bits
  constant DRIVE_DAT  : natural := 32;   -- 32 bits
  constant DRIVE_SEL  : natural := 64;   -- 4 bits
  constant DRIVE_WE   : natural := 68;
  constant DRIVE_CYC  : natural := 69;
  constant DRIVE_STB  : natural := 70;
  constant DRIVE_RST  : natural := 71;
  constant DRIVE_STOP : natural := 72;   -- the client has left: end the simulation
  constant DRIVE_RUNS : natural := 73;   -- a cycle of a grid begins with this edge
  constant DRIVE_BITS : positive := 74;
  subtype drive_t is std_ulogic_vector(DRIVE_BITS - 1 downto 0);

  -- The Wishbone slave's answer: irq & stall & ack & dat.
  subtype answer_t is std_ulogic_vector(34 downto 0);

  -- Before pins_clock, and only where they mean something: the trace port with a valid bit set, the memory line of a
  -- read that is acknowledged.
  procedure pins_retire (port_bits : in std_ulogic_vector);
  attribute foreign of pins_retire : procedure is "VHPIDIRECT libwarpstep-ghdl-pins.so warpstep_ghdl_retire";

  procedure pins_line (words : in std_ulogic_vector);
  attribute foreign of pins_line : procedure is "VHPIDIRECT libwarpstep-ghdl-pins.so warpstep_ghdl_line";

  -- One clock edge: the answer as it stands just before it, the pins to drive after it.
  procedure pins_clock (answer : in answer_t; drive : out drive_t);
  attribute foreign of pins_clock : procedure is "VHPIDIRECT libwarpstep-ghdl-pins.so warpstep_ghdl_clock";

end package pins_pkg;

package body pins_pkg is

  procedure pins_retire (port_bits : in std_ulogic_vector) is
  begin
    report "VHPIDIRECT is missing" severity failure;
  end procedure pins_retire;

  procedure pins_line (words : in std_ulogic_vector) is
  begin
    report "VHPIDIRECT is missing" severity failure;
  end procedure pins_line;

  procedure pins_clock (answer : in answer_t; drive : out drive_t) is
  begin
    report "VHPIDIRECT is missing" severity failure;
  end procedure pins_clock;

end package body pins_pkg;
