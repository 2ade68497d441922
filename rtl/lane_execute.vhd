-- SPDX-License-Identifier: Apache-2.0
-- One lane of stages X1 to Y: the ALU, the lane's faults, and what it has when the beat leaves Y.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;

entity lane_execute is
  generic (
    GLOBAL_BYTES : positive;                                 -- a power of two
    HAS_ATOMICS  : boolean
  );
  port (
    clk         : in  std_ulogic;
    advance_i   : in  std_ulogic;                            -- the beats in X1 to Y move on
    -- stage X1
    x1_control_i : in control_t;
    operands_i  : in  lane_operands_t;
    -- stage X2
    x2_o        : out lane_operands_t;
    x2_faults_o : out faults_t;
    -- stage X3
    x3_control_i : in control_t;
    x3_o        : out lane_operands_t;
    faults_o    : out faults_t;                              -- of a lane that executes
    atomic_old_i : in word_t;                                -- what the atomic unit answered
    atomic_new_i : in word_t;
    -- stage Y
    y_control_i : in  control_t;
    done_o      : out lane_done_t
  );
end entity;

architecture rtl of lane_execute is
  signal x2, x3, y : lane_operands_t;
  signal faults, x2_faults, x3_faults : faults_t;
  signal result : word_t;
  signal flags  : nibble_t;
begin

  u_alu : entity work.alu
    port map (
      clk       => clk,
      advance_i => advance_i,
      x1_i      => x1_control_i,
      a_i       => operands_i.a,
      b_i       => operands_i.b,
      c_i       => operands_i.c,
      carry_i   => operands_i.carry,
      x3_i      => x3_control_i,
      y_i       => y_control_i,
      result_o  => result,
      flags_o   => flags
    );

  stage_x1 : process (all)
    variable c          : control_t;
    variable misaligned : std_ulogic;
    variable beyond     : std_ulogic;
    variable global     : std_ulogic;
  begin
    c          := x1_control_i;
    misaligned := not aligned(unsigned(operands_i.a(3 downto 0)), c.mem_size);
    beyond     := or_reduce(operands_i.a(31 downto log2(GLOBAL_BYTES)));
    global     := is_global(c.mem) or to_sl(HAS_ATOMICS and c.mem = MEM_GLOBAL_ATOMIC);
    faults     <= (others => '0');
    if operands_i.exec = '1' then
      faults <= operands_i.faults;
      faults(FAULT_GLOBAL_ALIGN) <= global and misaligned;
      faults(FAULT_GLOBAL_RANGE) <= global and beyond;
    end if;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      if advance_i = '1' then
        x2        <= operands_i;
        x2_faults <= faults;
        x3        <= x2;
        x3_faults <= x2_faults;
        y         <= x3;
        if HAS_ATOMICS and x3_control_i.mem = MEM_GLOBAL_ATOMIC then
          y.b <= atomic_old_i;
          y.c <= atomic_new_i;
        end if;
      end if;
    end if;
  end process;

  x2_o        <= x2;
  x2_faults_o <= x2_faults;
  x3_o        <= x3;
  faults_o    <= x3_faults;

  stage_y : process (all)
    variable c : control_t;
  begin
    c := y_control_i;
    done_o.exec   <= y.exec;
    done_o.result <= result;
    if HAS_ATOMICS and c.mem = MEM_GLOBAL_ATOMIC then
      done_o.result <= y.b;
    end if;
    done_o.flags  <= flags;
    if c.c_from_a = '1' then
      done_o.flags <= y.a(3 downto 0);
    end if;
    done_o.areg <= y.a_new;
    if c.set_a = '1' then
      done_o.areg <= result(15 downto 0);
    end if;
    done_o.addr <= y.a;
    if c.mem = MEM_SHARED_STORE or is_local(c.mem) = '1' then
      done_o.addr <= std_ulogic_vector(resize(y.addr, 32));
    end if;
    done_o.data <= y.c;
  end process;

end architecture;
