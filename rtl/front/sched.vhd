-- SPDX-License-Identifier: Apache-2.0
-- Warp scheduler of one SM, stage SELECT: picks a ready warp, round robin. A warp is ready again two cycles after its
-- last instruction left HOLD. After a redirecting instruction it waits for the branch unit; after being turned away for
-- a load, for that load; behind a bus, for a free place among the loads.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.front_pkg.all;
use work.branch_pkg.all;

entity sched is
  generic (
    WARPS  : positive;
    CROWDS : boolean := false                                  -- some are turned away as too many loads are under way
  );
  port (
    clk         : in  std_ulogic;
    rst         : in  std_ulogic;
    halt_i      : in  std_ulogic;                              -- a trap: choose no more, one cycle later
    start_i     : in  warp_event_t;                            -- a new warp lives in this slot
    redirect_i  : in  branch_to_sched_t;                       -- from the branch unit
    release_i   : in  std_ulogic_vector(WARPS - 1 downto 0);   -- warps that leave their barrier
    load_back_i : in  warp_event_t;
    ready_i     : in  std_ulogic_vector(WARPS - 1 downto 0);   -- a decoded instruction
    -- to and from issue
    free_i      : in  std_ulogic;                              -- stage READ takes a choice this cycle
    fate_i      : in  issue_to_sched_t;
    choice_o    : out warp_event_t;
    reading_o   : out std_ulogic_vector(WARPS - 1 downto 0);   -- the warp in stage READ, if there is one
    running_o   : out std_ulogic_vector(WARPS - 1 downto 0);   -- started, the last instruction has not issued
    finished_o  : out warp_event_t;                            -- the warp has left, its loads done
    load_busy_i : in  std_ulogic_vector(WARPS - 1 downto 0);
    refetch_o   : out sched_to_fetch_t;                        -- one cycle after the answer or the start
    wait_o      : out sched_to_cause_t                         -- for the counters
  );
end entity;

architecture rtl of sched is

  subtype warps_t is std_ulogic_vector(WARPS - 1 downto 0);

  type slots_t is record
    running    : warps_t;
    issuing    : warps_t;                                      -- an instruction is between SELECT and HOLD
    redirected : warps_t;                                      -- the branch unit owes an answer
    barrier    : warps_t;                                      -- at a barrier, or on the way to one
    loading    : warps_t;                                      -- turned away until a load is back
    crowded    : warps_t;                                      -- turned away until there is room for a load
    leaving    : warps_t;                                      -- finished, not yet reported
    able       : warps_t;                                      -- may be chosen, if it has an instruction
  end record;

  signal r, rin   : slots_t;
  signal eligible : warps_t;
  signal choice   : warps_t;
  signal goes_in  : warps_t;                                   -- one for which there is room now
  signal occupied : std_ulogic;
  signal refetch_in  : sched_to_fetch_t;
  signal finished_in : warp_event_t;

  function of_slot(slot : slot_t; yes : std_ulogic) return warps_t is
  begin
    return one_hot(slot, WARPS) and warps_t'(others => yes);
  end function;

begin

  eligible <= r.able and ready_i;
  occupied <= not free_i;

  u_turns : entity work.round_robin
    generic map (REQUESTERS => WARPS)
    port map (clk => clk, rst => rst, hold_i => occupied, req_i => eligible, turn_o => choice, grant_o => open,
              index_o => choice_o.slot);

  choice_o.valid <= free_i and or_reduce(eligible);

  crowd : if CROWDS generate
    signal outside : warps_t;
    signal no_room : std_ulogic;
  begin
    outside <= r.running and r.crowded;
    no_room <= not load_back_i.valid;

    u_goes_in : entity work.round_robin
      generic map (REQUESTERS => WARPS)
      port map (clk => clk, rst => rst, hold_i => no_room, req_i => outside, turn_o => open, grant_o => goes_in,
                index_o => open);
  else generate
    goes_in <= (others => '0');
  end generate;

  comb : process (all)
    variable v    : slots_t;
    variable done : warps_t;
    variable sent : warps_t;                                 -- goes on somewhere else: its buffer is being emptied
  begin
    v    := r;
    sent := of_slot(refetch_o.slot, refetch_o.valid);

    -- outcome of the instruction in stage HOLD
    v.issuing    := v.issuing and not of_slot(fate_i.slot, fate_i.leaves);
    v.running    := v.running and not of_slot(fate_i.slot, fate_i.ends);
    v.redirected := (v.redirected and not sent) or of_slot(fate_i.slot, fate_i.blocks and not fate_i.arrives);
    v.barrier    := v.barrier or of_slot(fate_i.slot, fate_i.arrives);
    v.loading    := v.loading or of_slot(fate_i.slot, fate_i.waits);
    v.crowded    := (others => '0');
    if CROWDS then
      v.crowded := r.crowded or of_slot(fate_i.slot, fate_i.crowded);
    end if;
    v.issuing    := v.issuing or (choice and warps_t'(others => free_i));

    -- why none may be chosen now
    wait_o.issue   <= or_reduce(r.running and r.issuing);
    wait_o.branch  <= or_reduce(v.running and v.redirected);
    wait_o.barrier <= or_reduce(v.running and v.barrier);
    wait_o.load    <= or_reduce(v.running and (v.loading or v.crowded));
    wait_o.fetch   <= or_reduce(v.running and not (v.redirected or v.barrier or v.loading or v.crowded
                                                   or (ready_i and not sent)));

    v.loading := v.loading and not of_slot(load_back_i.slot, load_back_i.valid);
    v.crowded := v.crowded and not goes_in;

    -- the branch unit's answer; a warp that goes on somewhere else is redirected until it is sent there
    v.redirected := v.redirected and not of_slot(redirect_i.slot, redirect_i.valid and redirect_i.falls_through);
    v.barrier    := (v.barrier and not release_i and not of_slot(redirect_i.slot, redirect_i.valid))
                    or of_slot(redirect_i.slot, redirect_i.valid and redirect_i.waits);
    v.leaving    := v.leaving or of_slot(redirect_i.slot, redirect_i.valid and redirect_i.finished);
    v.running    := v.running
                    and not of_slot(redirect_i.slot,
                                    redirect_i.valid and (redirect_i.finished or redirect_i.trapped));

    -- a warp has left for good when its loads are back
    done      := first_of(r.leaving and not load_busy_i);
    v.leaving := v.leaving and not done;
    finished_in <= (valid => or_reduce(done), slot => one_hot_index(done, SLOT_BITS));

    v.running    := v.running or of_slot(start_i.slot, start_i.valid);
    v.redirected := v.redirected or of_slot(start_i.slot, start_i.valid);
    v.barrier    := v.barrier and not of_slot(start_i.slot, start_i.valid);
    v.loading    := v.loading and not of_slot(start_i.slot, start_i.valid);
    v.crowded    := v.crowded and not of_slot(start_i.slot, start_i.valid);

    v.able := v.running and not (v.issuing or v.redirected or v.barrier or v.loading or v.crowded);
    if halt_i = '1' then
      v.able := (others => '0');
    end if;

    refetch_in <= (valid => (redirect_i.valid and not redirect_i.falls_through) or start_i.valid,
                   slot => redirect_i.slot, pc => redirect_i.pc);
    if start_i.valid = '1' then
      refetch_in.slot <= start_i.slot;
      refetch_in.pc   <= (others => '0');
    end if;

    running_o <= r.running;
    rin <= v;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
      if free_i = '1' then
        reading_o <= choice;
      end if;
      refetch_o  <= refetch_in;
      finished_o <= finished_in;
      if rst = '1' then
        refetch_o.valid  <= '0';
        finished_o.valid <= '0';
        r.running <= (others => '0');                        -- looked at with the others, which a start clears
        r.issuing <= (others => '0');
        r.leaving <= (others => '0');
        r.able    <= (others => '0');
      end if;
    end if;
  end process;

  rules : process (clk)
  begin
    if rising_edge(clk) then
      fate_of_one_issuing : assert rst = '1' or fate_i.leaves = '0' or r.issuing(to_integer(fate_i.slot)) = '1'
        report "an instruction leaves HOLD that was not chosen" severity failure;
      starts_without_answer : assert rst = '1' or (start_i.valid and redirect_i.valid) = '0'
        report "a warp starts in the cycle of an answer, and only one of them is told to fetch" severity failure;
      starts_a_free_slot : assert rst = '1'
        or start_i.valid = '0' or (r.running(to_integer(start_i.slot)) or r.leaving(to_integer(start_i.slot))) = '0'
        report "a warp starts in the place of another" severity failure;
      releases_waiting : assert rst = '1' or or_reduce(release_i and not r.barrier) = '0'
        report "a warp leaves a barrier at which it is not" severity failure;
      answers_running_or_ended : assert rst = '1'
        or (redirect_i.valid and redirect_i.finished and r.leaving(to_integer(redirect_i.slot))) = '0'
        report "a warp finishes twice" severity failure;
    end if;
  end process;

end architecture;
