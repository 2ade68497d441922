-- SPDX-License-Identifier: Apache-2.0
-- Warp scheduler of one SM, stage S: what each warp slot is doing, and which of those that could issue is read next,
-- round robin. A warp whose instruction redirects it (branch, marker, barrier, exit) is not chosen again until the
-- branch unit has answered; one that was turned away because a load is under way, not until that load is back.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;

entity sched is
  generic (
    WARPS : positive
  );
  port (
    clk           : in  std_ulogic;
    rst           : in  std_ulogic;
    halt_i        : in  std_ulogic;                            -- a trap stopped the grid: choose no more
    start_i       : in  std_ulogic;                            -- a new warp lives in start_slot_i
    start_slot_i  : in  slot_t;
    redirect_i    : in  redirect_t;                            -- from the branch unit
    release_i     : in  std_ulogic_vector(WARPS - 1 downto 0); -- warps that leave their barrier
    load_done_i   : in  std_ulogic;
    load_slot_i   : in  slot_t;
    ready_i       : in  std_ulogic_vector(WARPS - 1 downto 0); -- instruction in the buffer
    -- to and from issue
    free_i        : in  std_ulogic;                            -- stage D takes a choice this cycle
    decoding_i    : in  std_ulogic;                            -- stage D holds an instruction of decode_slot_i
    decode_slot_i : in  slot_t;
    blocks_i      : in  std_ulogic;                            -- it issues and redirects its warp
    waits_i       : in  std_ulogic;                            -- it is turned away until the warp's load is back
    choose_o      : out std_ulogic;
    slot_o        : out slot_t;
    running_o     : out std_ulogic_vector(WARPS - 1 downto 0); -- started and not finished
    finished_o    : out std_ulogic;                            -- the warp in finished_slot_o has left, its loads are done
    finished_slot_o : out slot_t;
    load_busy_i   : in  std_ulogic_vector(WARPS - 1 downto 0);
    -- to fetch: a warp goes on somewhere else, or begins at 0
    refetch_o      : out std_ulogic;
    refetch_slot_o : out slot_t;
    refetch_pc_o   : out pc_t;
    -- for the counters: warps by what they wait for
    any_barrier_o  : out std_ulogic;
    any_redirect_o : out std_ulogic;
    any_load_o     : out std_ulogic;
    any_running_o  : out std_ulogic
  );
end entity;

architecture rtl of sched is

  subtype warps_t is std_ulogic_vector(WARPS - 1 downto 0);

  type slots_t is record
    running    : warps_t;
    redirected : warps_t;                                      -- the branch unit owes an answer
    barrier    : warps_t;
    loading    : warps_t;                                      -- turned away until a load is back
    leaving    : warps_t;                                      -- finished, not yet reported
    last       : slot_t;
  end record;

  signal r, rin : slots_t;

  function one_hot(slot : slot_t) return warps_t is
    variable v : warps_t := (others => '0');
  begin
    for w in 0 to WARPS - 1 loop
      v(w) := to_sl(slot = w);
    end loop;
    return v;
  end function;

begin

  comb : process (all)
    variable v        : slots_t;
    variable eligible : warps_t;
    variable later    : warps_t;
    variable choice   : warps_t;
    variable done     : warps_t;
  begin
    v := r;

    -- choose
    eligible := r.running and ready_i and not (r.redirected or r.barrier or r.loading);
    if decoding_i = '1' then
      eligible := eligible and not one_hot(decode_slot_i);
    end if;
    if halt_i = '1' then
      eligible := (others => '0');
    end if;
    for w in 0 to WARPS - 1 loop
      later(w) := eligible(w) and to_sl(w > r.last);
    end loop;
    if or_reduce(later) = '1' then
      choice := lowest_set(later);
    else
      choice := lowest_set(eligible);
    end if;
    choose_o <= or_reduce(eligible) and free_i;
    slot_o   <= one_hot_index(choice, SLOT_BITS);
    if or_reduce(eligible) = '1' and free_i = '1' then
      v.last := one_hot_index(choice, SLOT_BITS);
    end if;

    -- what becomes of the one in stage D
    if blocks_i = '1' then
      v.redirected := v.redirected or one_hot(decode_slot_i);
    end if;
    if waits_i = '1' then
      v.loading := v.loading or one_hot(decode_slot_i);
    end if;
    if load_done_i = '1' then
      v.loading := v.loading and not one_hot(load_slot_i);
    end if;

    -- the branch unit's answer
    v.barrier := v.barrier and not release_i;
    if redirect_i.valid = '1' then
      v.redirected := v.redirected and not one_hot(redirect_i.slot);
      if redirect_i.waits = '1' then
        v.barrier := v.barrier or one_hot(redirect_i.slot);
      end if;
      if redirect_i.finished = '1' then
        v.leaving := v.leaving or one_hot(redirect_i.slot);
      end if;
      if redirect_i.finished = '1' or redirect_i.trapped = '1' then
        v.running := v.running and not one_hot(redirect_i.slot);
      end if;
    end if;

    -- a warp has left for good when its loads are back
    done := lowest_set(r.leaving and not load_busy_i);
    v.leaving := v.leaving and not done;
    finished_o      <= or_reduce(done);
    finished_slot_o <= one_hot_index(done, SLOT_BITS);

    refetch_o      <= (redirect_i.valid and not redirect_i.falls_through) or start_i;
    refetch_slot_o <= redirect_i.slot;
    refetch_pc_o   <= redirect_i.pc;
    if start_i = '1' then
      refetch_slot_o <= start_slot_i;
      refetch_pc_o   <= (others => '0');
      v.running    := v.running or one_hot(start_slot_i);
      v.redirected := v.redirected and not one_hot(start_slot_i);
      v.barrier    := v.barrier and not one_hot(start_slot_i);
      v.loading    := v.loading and not one_hot(start_slot_i);
    end if;

    running_o      <= r.running;
    any_barrier_o  <= or_reduce(r.barrier and r.running);
    any_redirect_o <= or_reduce(r.redirected and r.running);
    any_load_o     <= or_reduce(r.loading and r.running);
    any_running_o  <= or_reduce(r.running or r.leaving);
    rin <= v;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
      if rst = '1' then
        r.running    <= (others => '0');
        r.redirected <= (others => '0');
        r.barrier    <= (others => '0');
        r.loading    <= (others => '0');
        r.leaving    <= (others => '0');
        r.last       <= (others => '0');
      end if;
    end if;
  end process;

end architecture;
