-- SPDX-License-Identifier: Apache-2.0
-- The machine's atomic unit, at global memory. One operation of one lane takes three cycles: read with the grant,
-- compute, write. Only the host may access memory in between; the atomic write overwrites the host's.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.memory_pkg.all;

entity atomic_unit is
  generic (
    SMS   : positive;
    CORES : positive
  );
  port (
    clk       : in  std_ulogic;
    rst       : in  std_ulogic;
    take_i    : in  std_ulogic_vector(SMS - 1 downto 0);     -- this SM's request is granted, its line is being read
    request_i : in  sms_to_atomic_unit_t(0 to SMS - 1);
    line_i    : in  words_t(0 to CORES - 1);                 -- one cycle after
    host_i    : in  std_ulogic;                              -- the host has the memory in this cycle
    busy_o    : out std_ulogic;                              -- no grants
    write_o   : out std_ulogic;                              -- writes new_o at address_o, unless host_i
    address_o : out word_t;
    done_o    : out std_ulogic_vector(SMS - 1 downto 0);     -- old_o and new_o are the answer to this SM
    old_o     : out word_t;
    new_o     : out word_t
  );
end entity;

architecture rtl of atomic_unit is

  constant WORD_BITS : natural := log2(CORES);

  type step_t is (STEP_IDLE, STEP_COMPUTE, STEP_WRITE);

  type unit_t is record
    step    : step_t;
    owner   : std_ulogic_vector(SMS - 1 downto 0);
    request : sm_to_atomic_unit_t;
    old     : word_t;
    changed : word_t;
  end record;

  signal r, rin     : unit_t;
  signal old, changed : word_t;

begin

  old <= line_i(to_integer(unsigned(r.request.address(WORD_BITS + 1 downto 2))));

  u_alu : entity work.atomic_alu
    port map (
      op_i        => r.request.op,
      is_signed_i => r.request.is_signed,
      old_i       => old,
      operand_i   => r.request.operand,
      desired_i   => r.request.desired,
      new_o       => changed
    );

  comb : process (all)
    variable v : unit_t;
  begin
    v := r;
    done_o <= (others => '0');
    case r.step is
      when STEP_IDLE =>
        v.owner := take_i;
        for s in 0 to SMS - 1 loop
          if take_i(s) = '1' then
            v.request := request_i(s);
            v.step    := STEP_COMPUTE;
          end if;
        end loop;
      when STEP_COMPUTE =>
        v.old     := old;
        v.changed := changed;
        v.step    := STEP_WRITE;
      when STEP_WRITE =>
        if host_i = '0' then
          done_o <= r.owner;
          v.step := STEP_IDLE;
        end if;
    end case;
    busy_o    <= to_sl(r.step /= STEP_IDLE);
    write_o   <= to_sl(r.step = STEP_WRITE);
    address_o <= r.request.address;
    old_o     <= r.old;
    new_o     <= r.changed;
    rin <= v;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
      if rst = '1' then
        r.step <= STEP_IDLE;
      end if;
    end if;
  end process;

  rules : process (clk)
  begin
    if rising_edge(clk) then
      takes_when_idle : assert rst = '1' or or_reduce(take_i) = '0' or r.step = STEP_IDLE
        report "an atomic operation is taken during another" severity failure;
      takes_one : assert rst = '1' or or_reduce(take_i and std_ulogic_vector(unsigned(take_i) - 1)) = '0'
        report "two atomic operations are taken" severity failure;
    end if;
  end process;

end architecture;
