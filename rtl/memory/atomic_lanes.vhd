-- SPDX-License-Identifier: Apache-2.0
-- Atomic instructions of one SM, beside stage X3: sends the lanes of a beat to the atomic unit in ascending order and
-- collects the old and new words. The beat stays in X3 meanwhile. From its first lane until its last beat leaves
-- RESOLVE the instruction locks out the other SMs, so it is atomic as a whole.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.operands_pkg.all;
use work.memory_pkg.all;

entity atomic_lanes is
  generic (
    CORES : positive
  );
  port (
    clk      : in  std_ulogic;
    rst      : in  std_ulogic;
    x2_beat_i : in beat_t;
    -- stage X3
    beat_i           : in  beat_t;
    lanes_i          : in  lanes_to_execute_t(0 to CORES - 1);
    acts_i           : in  std_ulogic_vector(CORES - 1 downto 0); -- lanes that execute, without a fault
    go_i             : in  std_ulogic;                       -- nothing ahead can trap, stores ahead are written
    leaves_i         : in  std_ulogic;                       -- the beat leaves stage X3
    resolve_atomic_i : in std_ulogic;                        -- a beat of an atomic instruction is in stage RESOLVE
    blocks_o         : out std_ulogic;                       -- the beat in X3 must stay in the next cycle
    old_o            : out words_t(0 to CORES - 1);
    new_o            : out words_t(0 to CORES - 1);
    -- the atomic unit
    request_o : out sm_to_atomic_unit_t;
    done_i    : in  std_ulogic;
    old_i     : in  word_t;
    new_i     : in  word_t
  );
end entity;

architecture rtl of atomic_lanes is

  subtype lanes_t is std_ulogic_vector(CORES - 1 downto 0);

  type atomic_lanes_t is record
    locked         : std_ulogic;
    resolve_locked : std_ulogic;                             -- so it was when the beat in stage RESOLVE left stage X3
    done           : lanes_t;                                -- lanes of the beat that were served
  end record;

  signal r, rin    : atomic_lanes_t;
  signal is_atomic : std_ulogic;
  signal pending   : lanes_t;
  signal first     : lanes_t;                                -- the lowest of them

  function has_atomic(beat : beat_t) return std_ulogic is
  begin
    return beat.valid and to_sl(beat.insn.control.mem = MEM_GLOBAL_ATOMIC);
  end function;

begin

  is_atomic <= has_atomic(beat_i);
  first     <= lowest_set(pending);

  lane : for l in 0 to CORES - 1 generate
    pending(l) <= is_atomic and acts_i(l) and not r.done(l);

    answers : process (clk)
    begin
      if rising_edge(clk) then
        if (done_i and first(l)) = '1' then
          old_o(l) <= old_i;
          new_o(l) <= new_i;
        end if;
        if rst = '1' then                                    -- a lane with a fault is retired unanswered
          old_o(l) <= (others => '0');
          new_o(l) <= (others => '0');
        end if;
      end if;
    end process;
  end generate;

  comb : process (all)
    variable v : atomic_lanes_t;
    variable q : sm_to_atomic_unit_t;
  begin
    q           := SM_TO_ATOMIC_UNIT_INIT;
    q.valid     := go_i and or_reduce(pending);
    q.locks     := r.locked or (r.resolve_locked and resolve_atomic_i);
    q.op        := beat_i.insn.control.atomic;
    q.is_signed := beat_i.insn.control.mem_signed;
    for l in 0 to CORES - 1 loop
      if first(l) = '1' then
        q.address := q.address or lanes_i(l).src_a;
        q.operand := q.operand or lanes_i(l).src_c;
        q.desired := q.desired or lanes_i(l).src_b;
      end if;
    end loop;
    request_o <= q;

    v := r;
    if done_i = '1' then
      v.done   := r.done or first;
      v.locked := '1';
    end if;
    if leaves_i = '1' then
      v.done     := (others => '0');
      v.resolve_locked := r.locked;
      if beat_i.last = '1' then
        v.locked := '0';
      end if;
    end if;
    -- A beat stays one cycle at least, in which its lanes are found.
    blocks_o <= or_reduce(pending and not (first and lanes_t'(others => done_i)));
    if leaves_i = '1' then
      blocks_o <= has_atomic(x2_beat_i);
    end if;
    rin <= v;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
      if rst = '1' then
        r.locked <= '0';
        r.done   <= (others => '0');
      end if;
    end if;
  end process;

end architecture;
