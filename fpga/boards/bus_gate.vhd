-- SPDX-License-Identifier: Apache-2.0
-- Between the machine and the memory at its bus, so that the machine can be reset and the memory need not: closed, it
-- takes no more commands, lets those that it took come to their end, and throws away what is answered. Data of a store
-- pass after its command only, so none are left over.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.memory_pkg.all;

entity bus_gate is
  generic (
    BEATS : positive                                         -- of each burst
  );
  port (
    clk       : in  std_ulogic;
    rst       : in  std_ulogic;
    close_i   : in  std_ulogic;
    idle_o    : out std_ulogic;                              -- it is closed, and nothing is under way
    machine_i : in  global_to_axi_t;
    machine_o : out axi_to_global_t;
    memory_o  : out global_to_axi_t;
    memory_i  : in  axi_to_global_t
  );
end entity;

architecture rtl of bus_gate is

  subtype count_t is unsigned(11 downto 0);

  type gate_t is record
    ar_shut : std_ulogic;
    aw_shut : std_ulogic;
    loads   : count_t;                                       -- beats to come
    data    : count_t;                                       -- beats of stores whose command is taken
    stores  : count_t;                                       -- commands whose end is to come
  end record;

  signal r, rin : gate_t;

  function counted(count : count_t; more, less : std_ulogic; step : positive) return count_t is
    variable v : count_t := count;
  begin
    if more = '1' then
      v := v + step;
    end if;
    if less = '1' then
      v := v - 1;
    end if;
    return v;
  end function;

begin

  comb : process (all)
    variable v            : gate_t;
    variable has_data     : std_ulogic;
    variable r_ready      : std_ulogic;
    variable load, store  : std_ulogic;                      -- a command is taken
    variable datum        : std_ulogic;                      -- a beat of a store is taken
  begin
    v := r;
    has_data := to_sl(r.data /= 0);
    r_ready  := machine_i.r_ready or close_i;

    memory_o          <= machine_i;
    memory_o.ar.valid <= machine_i.ar.valid and not r.ar_shut;
    memory_o.aw.valid <= machine_i.aw.valid and not r.aw_shut;
    memory_o.w_valid  <= machine_i.w_valid and has_data;
    memory_o.r_ready  <= r_ready;

    machine_o          <= memory_i;
    machine_o.ar_ready <= memory_i.ar_ready and not r.ar_shut;
    machine_o.aw_ready <= memory_i.aw_ready and not r.aw_shut;
    machine_o.w_ready  <= memory_i.w_ready and has_data;

    load  := machine_i.ar.valid and memory_i.ar_ready and not r.ar_shut;
    store := machine_i.aw.valid and memory_i.aw_ready and not r.aw_shut;
    datum := machine_i.w_valid and memory_i.w_ready and has_data;
    v.loads  := counted(r.loads, load, memory_i.r_valid and r_ready, BEATS);
    v.data   := counted(r.data, store, datum, BEATS);
    v.stores := counted(r.stores, store, memory_i.b_valid, 1);

    -- A command that was offered stays until it is taken.
    v.ar_shut := close_i and (r.ar_shut or load or not machine_i.ar.valid);
    v.aw_shut := close_i and (r.aw_shut or store or not machine_i.aw.valid);
    idle_o <= r.ar_shut and r.aw_shut and to_sl(r.loads = 0 and r.data = 0 and r.stores = 0);
    rin <= v;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
      if rst = '1' then
        r <= (loads => (others => '0'), data => (others => '0'), stores => (others => '0'), others => '0');
      end if;
    end if;
  end process;

end architecture;
