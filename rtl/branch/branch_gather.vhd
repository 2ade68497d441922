-- SPDX-License-Identifier: Apache-2.0
-- Beside stage X2: collects over the beats of a warp instruction which lanes act, their faults, and the target of a
-- BRX. The first beat with an active lane decides the target of a BRX; lanes of later beats with another target wait.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;

entity branch_gather is
  generic (
    CORES : positive
  );
  port (
    clk      : in  std_ulogic;
    rst      : in  std_ulogic;
    -- stage X2
    beat_i   : in  beat_t;
    exec_i   : in  std_ulogic_vector(CORES - 1 downto 0);
    faults_i : in  faults_t;
    target_i : in  pc_t;                                     -- the constant that the beat has read
    next_i   : in  std_ulogic;                               -- the beat leaves, more of the instruction follows
    clear_i  : in  std_ulogic;                               -- the instruction leaves, or is forgotten
    -- with this beat
    exec_o   : out lane_mask_t;
    faults_o : out faults_t;
    target_o : out pc_t;
    acts_o   : out std_ulogic;                               -- exec_o is not zero
    rests_o  : out std_ulogic                                -- an active lane of the instruction does not act
  );
end entity;

architecture rtl of branch_gather is

  type gather_t is record
    exec   : lane_mask_t;
    faults : faults_t;
    target : pc_t;                                           -- once exec is not zero
    acts   : std_ulogic;
  end record;

  signal r, rin, all_beats : gather_t;

begin

  comb : process (all)
    variable v     : gather_t;
    variable first : std_ulogic;                             -- no lane has acted yet
    variable acts  : std_ulogic_vector(CORES - 1 downto 0);
    variable whole : lane_mask_t;                            -- as exec, did all lanes go the same way
    variable elsewhere : std_ulogic;                         -- those of this beat do not
  begin
    v     := r;
    first := not r.acts;
    elsewhere := to_sl(beat_i.insn.control.flow = FLOW_BRX and target_i /= r.target) and not first;
    acts  := exec_i and (exec_i'range => not elsewhere);
    whole := r.exec;
    for row in 0 to LANES / CORES - 1 loop
      if beat_i.row = row then
        whole((row + 1) * CORES - 1 downto row * CORES) :=
          whole((row + 1) * CORES - 1 downto row * CORES) or exec_i;
        v.exec((row + 1) * CORES - 1 downto row * CORES) :=
          v.exec((row + 1) * CORES - 1 downto row * CORES) or acts;
      end if;
    end loop;
    v.faults := r.faults or faults_i;
    v.acts   := r.acts or or_reduce(exec_i);
    rests_o  <= or_reduce(beat_i.insn.state.active and not whole) or (elsewhere and or_reduce(exec_i));
    if first = '1' then
      v.target := target_i;
    end if;
    all_beats <= v;

    rin <= r;
    if clear_i = '1' then
      rin.exec   <= (others => '0');
      rin.faults <= (others => '0');
      rin.acts   <= '0';
    elsif next_i = '1' then
      rin <= v;
    end if;
  end process;

  exec_o   <= all_beats.exec;
  faults_o <= all_beats.faults;
  target_o <= all_beats.target;
  acts_o   <= all_beats.acts;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
      if rst = '1' then
        r.exec   <= (others => '0');
        r.faults <= (others => '0');
        r.acts   <= '0';
      end if;
    end if;
  end process;

end architecture;
