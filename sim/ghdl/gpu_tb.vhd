-- SPDX-License-Identifier: Apache-2.0
-- The RTL under GHDL: a clock, and its pins carried to and from C each clock. It decides nothing: host transfers,
-- records and the end of the run are all decided by the C side, which the Verilator build shares.
-- Cycle N of a grid begins at N * PERIOD (docs/trace.md); what comes before passes in femtoseconds.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.pins_pkg.all;
use work.machine_pkg.all;
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
  constant SM_BITS     : positive := RETIRE_BITS + CORES * RETIRE_LANE_BITS;
  constant VALID       : natural  := 0;  -- first bits of an SM's trace port, see retire.def
  constant LOAD_VALID  : natural  := 5;

  signal clk    : std_ulogic := '0';
  signal drive  : drive_t    := (DRIVE_RST => '1', others => '0');
  signal dat    : std_ulogic_vector(31 downto 0);
  signal ack    : std_ulogic;
  signal stall  : std_ulogic;
  signal irq    : std_ulogic;
  signal retire : std_ulogic_vector(SMS * SM_BITS - 1 downto 0);
  signal line   : std_ulogic_vector(CORES * 32 - 1 downto 0);

  impure function retires return boolean is
  begin
    for sm in 0 to SMS - 1 loop
      if retire(sm * SM_BITS + VALID) /= '0' or retire(sm * SM_BITS + LOAD_VALID) /= '0' then
        return true;
      end if;
    end loop;
    return false;
  end function retires;
begin

  clocks : process
    variable next_drive  : drive_t;
    variable half_period : time := 1 fs;
    variable cycle_0     : time := -LAUNCHES;
  begin
    wait for half_period;
    if drive(DRIVE_RST) = '0' then
      if retires then
        pins_retire(retire);
      end if;
      if ack = '1' then
        pins_line(line);
      end if;
    end if;
    pins_clock(irq & stall & ack & dat, next_drive);
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

  in_block_ram : if CONFIG.BUS_WORDS = 0 generate
    u_gpu : entity work.gpu_flat
      generic map (MACHINE => MACHINE)
      port map (
        clk        => clk,
        rst        => drive(DRIVE_RST),
        wb_adr_i   => drive(DRIVE_ADR + 31 downto DRIVE_ADR),
        wb_dat_i   => drive(DRIVE_DAT + 31 downto DRIVE_DAT),
        wb_sel_i   => drive(DRIVE_SEL + 3 downto DRIVE_SEL),
        wb_we_i    => drive(DRIVE_WE),
        wb_cyc_i   => drive(DRIVE_CYC),
        wb_stb_i   => drive(DRIVE_STB),
        wb_dat_o   => dat,
        wb_ack_o   => ack,
        wb_stall_o => stall,
        irq_o      => irq,
        retire_o   => retire,
        line_o     => line
      );
  else generate
    u_gpu : entity work.gpu_on_bus
      generic map (MACHINE => MACHINE)
      port map (
        clk        => clk,
        rst        => drive(DRIVE_RST),
        wb_adr_i   => drive(DRIVE_ADR + 31 downto DRIVE_ADR),
        wb_dat_i   => drive(DRIVE_DAT + 31 downto DRIVE_DAT),
        wb_sel_i   => drive(DRIVE_SEL + 3 downto DRIVE_SEL),
        wb_we_i    => drive(DRIVE_WE),
        wb_cyc_i   => drive(DRIVE_CYC),
        wb_stb_i   => drive(DRIVE_STB),
        wb_dat_o   => dat,
        wb_ack_o   => ack,
        wb_stall_o => stall,
        irq_o      => irq,
        retire_o   => retire,
        line_o     => line,
        memory_latency_i => std_ulogic_vector(to_unsigned(MEMORY_LATENCY, 8)),
        memory_stall_i   => std_ulogic_vector(to_unsigned(MEMORY_STALL, 8)),
        memory_seed_i    => std_ulogic_vector(to_unsigned(MEMORY_SEED, 32))
      );
  end generate;

end architecture sim;
