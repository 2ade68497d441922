-- SPDX-License-Identifier: Apache-2.0
-- The RTL under GHDL: a clock, and its pins carried to and from C each clock. It decides nothing: host transfers,
-- records and the end of the run are all decided by the C side, which the Verilator build shares.
-- Cycle N of a grid begins at N * PERIOD (docs/trace.md); what comes before passes in femtoseconds.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.pins_pkg.all;
use work.gpu_pkg.all;
use work.machine_pkg.all;
use work.host_pkg.all;
use work.retire_pkg.all;

entity gpu_tb is
  generic (
    MACHINE : string := "C8-S1";
    MEMORY_LATENCY : natural := 0;                           -- see bus_memory; without a bus it means nothing
    MEMORY_STALL   : natural := 0;
    MEMORY_SEED    : natural := 0
  );
end entity gpu_tb;

architecture sim of gpu_tb is
  constant CONFIG : config_t := config_of(MACHINE);
  constant CORES  : positive := CONFIG.CORES;
  constant SMS    : positive := CONFIG.SMS;
  constant PERIOD   : time        := 10 ns; -- while a grid runs
  constant LAUNCHES : time        := 1 sec; -- from cycle 0 of a launch to that of the next
  signal clk    : std_ulogic := '0';
  signal drive  : drive_t    := (DRIVE_RST => '1', others => '0');
  signal request : master_to_host_t;
  signal answer  : host_to_master_t;
  signal irq     : std_ulogic;
  signal retire  : retires_t(0 to SMS - 1);
  signal lanes   : retire_lanes_t(0 to SMS * CORES - 1);
  signal line    : words_t(0 to CORES - 1);

  impure function retires return boolean is
  begin
    for sm in retire'range loop
      if retire(sm).valid /= '0' or retire(sm).load_valid /= '0' then
        return true;
      end if;
    end loop;
    return false;
  end function retires;

  -- As the pins of gpu_flat have it: for each SM its record, then its lanes, the first bit lowest.
  impure function record_bits return std_ulogic_vector is
    constant SM_BITS : positive := RETIRE_BITS + CORES * RETIRE_LANE_BITS;
    variable bits    : std_ulogic_vector(SMS * SM_BITS - 1 downto 0);
    variable at      : natural;
  begin
    for sm in retire'range loop
      at := sm * SM_BITS;
      bits(at + RETIRE_BITS - 1 downto at) := to_vector(retire(sm));
      at := at + RETIRE_BITS;
      for lane in 0 to CORES - 1 loop
        bits(at + RETIRE_LANE_BITS - 1 downto at) := to_vector(lanes(sm * CORES + lane));
        at := at + RETIRE_LANE_BITS;
      end loop;
    end loop;
    return bits;
  end function record_bits;

  impure function line_bits return std_ulogic_vector is
    variable bits : std_ulogic_vector(CORES * 32 - 1 downto 0);
  begin
    for word in line'range loop
      bits(word * 32 + 31 downto word * 32) := line(word);
    end loop;
    return bits;
  end function line_bits;
begin

  clocks : process
    variable next_drive  : drive_t;
    variable half_period : time := 1 fs;
    variable cycle_0     : time := -LAUNCHES;
  begin
    wait for half_period;
    if drive(DRIVE_RST) = '0' then
      if retires then
        pins_retire(record_bits);
      end if;
      if answer.ack = '1' then
        pins_line(line_bits);
      end if;
    end if;
    pins_clock(irq & answer.stall & answer.ack & answer.dat, next_drive);
    if next_drive(DRIVE_STOP) = '1' then
      std.env.finish;
    end if;
    if next_drive(DRIVE_RUNS) = '0' then
      half_period := 1 fs;
    elsif half_period < PERIOD / 2 then
      half_period := PERIOD / 2;
      cycle_0     := cycle_0 + LAUNCHES;
      wait for cycle_0 + PERIOD - now;
    end if;
    clk <= '1';
    wait for half_period;
    clk   <= '0';
    drive <= next_drive;
  end process clocks;

  request <= (adr => drive(DRIVE_ADR + 31 downto DRIVE_ADR), dat => drive(DRIVE_DAT + 31 downto DRIVE_DAT),
              we => drive(DRIVE_WE), cyc => drive(DRIVE_CYC), stb => drive(DRIVE_STB));

  u_all : entity work.gpu_and_memory
    generic map (CONFIG => CONFIG)
    port map (
      clk            => clk,
      rst            => drive(DRIVE_RST),
      bus_i          => request,
      bus_o          => answer,
      irq_o          => irq,
      line_o         => line,
      retire_o       => retire,
      retire_lanes_o => lanes,
      latency_i      => std_ulogic_vector(to_unsigned(MEMORY_LATENCY, 8)),
      stall_i        => std_ulogic_vector(to_unsigned(MEMORY_STALL, 8)),
      seed_i         => std_ulogic_vector(to_unsigned(MEMORY_SEED, 32)),
      stores_o       => open,
      stored_o       => open
    );

end architecture sim;
