-- SPDX-License-Identifier: Apache-2.0
-- One lane of stages X and Y: the ALU, the lane's faults, and what it has when the beat leaves Y.

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
    -- stage X
    x_control_i : in  control_t;
    operands_i  : in  lane_operands_t;
    faults_o    : out faults_t;                              -- of a lane that executes
    atomic_old_i : in word_t;                                -- what the atomic unit answered
    atomic_new_i : in word_t;
    x_leaves_i  : in  std_ulogic;                            -- the beat goes on to Y
    -- stage Y
    y_control_i : in  control_t;
    exec_o      : out std_ulogic;
    done_o      : out lane_done_t
  );
end entity;

architecture rtl of lane_execute is
  signal y      : lane_operands_t;
  signal result : word_t;
  signal flags  : nibble_t;
begin

  u_alu : entity work.alu
    port map (
      clk       => clk,
      advance_i => x_leaves_i,
      x_i       => x_control_i,
      a_i       => operands_i.a,
      b_i       => operands_i.b,
      c_i       => operands_i.c,
      carry_i   => operands_i.carry,
      y_i       => y_control_i,
      result_o  => result,
      flags_o   => flags
    );

  stage_x : process (all)
    variable c          : control_t;
    variable misaligned : std_ulogic;
    variable beyond     : std_ulogic;
    variable global     : std_ulogic;
  begin
    c          := x_control_i;
    misaligned := not aligned(unsigned(operands_i.a(3 downto 0)), c.mem_size);
    beyond     := or_reduce(operands_i.a(31 downto log2(GLOBAL_BYTES)));
    global     := is_global(c.mem) or to_sl(HAS_ATOMICS and c.mem = MEM_GLOBAL_ATOMIC);
    faults_o   <= (others => '0');
    if operands_i.exec = '1' then
      faults_o <= operands_i.faults;
      faults_o(FAULT_GLOBAL_ALIGN) <= global and misaligned;
      faults_o(FAULT_GLOBAL_RANGE) <= global and beyond;
    end if;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      if x_leaves_i = '1' then
        y <= operands_i;
        if HAS_ATOMICS and x_control_i.mem = MEM_GLOBAL_ATOMIC then
          y.b <= atomic_old_i;
          y.c <= atomic_new_i;
        end if;
      end if;
    end if;
  end process;

  exec_o <= y.exec;

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
