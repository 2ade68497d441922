-- SPDX-License-Identifier: Apache-2.0
-- Block scheduler of the machine: hands out the blocks of the grid in order, x fastest, one a cycle, to the SMs with
-- room, in turn. Reports the end of the grid, or a trap once all SMs are drained. A grid without blocks, or with blocks
-- that do not fit, ends at once. Counts cycles and retired instructions.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.host_pkg.all;
use work.lists_pkg.all;

entity grid is
  generic (
    SMS : positive
  );
  port (
    clk        : in  std_ulogic;
    rst        : in  std_ulogic;
    launch_i   : in  launch_t;
    start_i    : in  std_ulogic;
    grid_rst_o : out std_ulogic;                             -- forget the last grid, in SMs and memories
    order_o    : out grid_to_sm_t;
    offer_o    : out std_ulogic_vector(SMS - 1 downto 0);    -- the block of order_o, to one of those that accept
    report_i   : in  sms_to_grid_t(0 to SMS - 1);
    -- counted
    retire_i  : in  std_ulogic_vector(SMS - 1 downto 0);     -- a warp instruction retires
    active_i  : in  lane_masks_t(0 to SMS - 1);              -- lanes active in the retiring instruction
    counted_o : out std_ulogic;                              -- the cycle before this one counts
    -- to the host
    status_o  : out grid_to_host_t
  );
end entity;

architecture rtl of grid is

  type state_t is (GRID_IDLE, GRID_RESET, GRID_SETUP, GRID_RUN, GRID_DONE, GRID_STOPPING, GRID_TRAPPED);

  type grid_t is record
    state         : state_t;
    x             : unsigned(15 downto 0);
    y             : unsigned(15 downto 0);
    out_of_blocks : std_ulogic;
    counted       : std_ulogic;
    halted        : std_ulogic;
    status        : grid_to_host_t;
    -- retired one cycle ago, in all SMs: warp instructions, and their active lanes
    warps  : unsigned(3 downto 0);
    lanes  : unsigned(8 downto 0);
  end record;

  signal r, rin : grid_t;
  signal hold   : std_ulogic;
  signal accept, trapped, refused, empty, idle : std_ulogic_vector(SMS - 1 downto 0);
  signal grant  : std_ulogic_vector(SMS - 1 downto 0);

  function ones(v : lane_mask_t) return unsigned is
    variable n : unsigned(5 downto 0) := (others => '0');
    variable bit_value : unsigned(5 downto 0);
  begin
    for i in v'range loop
      bit_value := (0 => v(i), others => '0');
      n         := n + bit_value;
    end loop;
    return n;
  end function;

begin

  each_report : for s in 0 to SMS - 1 generate
    accept(s)  <= report_i(s).accept;
    trapped(s) <= report_i(s).trapped;
    refused(s) <= report_i(s).refused;
    empty(s)   <= report_i(s).empty;
    idle(s)    <= report_i(s).idle;
  end generate;

  hold <= to_sl(r.state /= GRID_RUN) or r.out_of_blocks or or_reduce(trapped);

  u_turns : entity work.round_robin
    generic map (REQUESTERS => SMS)
    port map (clk => clk, rst => grid_rst_o, hold_i => hold, req_i => accept, turn_o => open, grant_o => grant,
              index_o => open);

  offer_o   <= grant;
  order_o.block_x <= r.x;
  order_o.block_y <= r.y;

  comb : process (all)
    variable v : grid_t;
    variable counted : std_ulogic;
  begin
    v := r;

    if or_reduce(grant) = '1' then
      v.x := r.x + 1;
      if r.x + 1 = launch_i.grid_x then
        v.x := (others => '0');
        v.y := r.y + 1;
        v.out_of_blocks := to_sl(r.y + 1 = launch_i.grid_y);
      end if;
    end if;

    counted := '0';
    case r.state is
      when GRID_IDLE => null;
      when GRID_RESET =>
        v.state := GRID_SETUP;
      when GRID_SETUP =>
        counted := '1';
        v.state := GRID_RUN;
      when GRID_RUN =>
        counted := '1';
        if or_reduce(trapped) = '1' then
          v.state := GRID_STOPPING;
          for s in SMS - 1 downto 0 loop
            if trapped(s) = '1' then
              v.status.trap      := report_i(s).trap;
              v.status.trap_slot := report_i(s).trap_slot;
              v.status.trap_pc   := report_i(s).trap_pc;
              v.status.trap_sm   := to_unsigned(s, 3);
            end if;
          end loop;
        elsif or_reduce(refused) = '1' or launch_i.grid_x = 0 or launch_i.grid_y = 0 then
          v.state := GRID_STOPPING;
        elsif r.out_of_blocks = '1' and or_reduce(not empty) = '0' and or_reduce(not idle) = '0' then
          v.state := GRID_DONE;
        end if;
      when GRID_STOPPING =>
        counted := '1';
        if or_reduce(not idle) = '0' then
          v.state := GRID_TRAPPED;
        end if;
      when GRID_DONE | GRID_TRAPPED => null;
    end case;

    if counted = '1' then
      v.status.cycles := r.status.cycles + 1;
    end if;
    v.warps := (others => '0');
    v.lanes := (others => '0');
    for s in 0 to SMS - 1 loop
      if retire_i(s) = '1' and counted = '1' then
        v.warps := v.warps + 1;
        v.lanes := v.lanes + ones(active_i(s));
      end if;
    end loop;
    v.status.warp_insns   := r.status.warp_insns + r.warps;
    v.status.thread_insns := r.status.thread_insns + r.lanes;
    v.counted := counted;

    if start_i = '1' then
      v.state := GRID_RESET;
      v.x     := (others => '0');
      v.y     := (others => '0');
      v.out_of_blocks := '0';
      v.counted := '0';
      v.status := GRID_TO_HOST_INIT;
    end if;

    v.status.state := "00";
    if v.state = GRID_DONE then
      v.status.state := "10";
    elsif v.state = GRID_TRAPPED then
      v.status.state := "11";
    elsif v.state /= GRID_IDLE then
      v.status.state := "01";
    end if;
    v.halted := to_sl(v.state = GRID_STOPPING or v.state = GRID_TRAPPED);
    rin <= v;
  end process;

  grid_rst_o <= rst or to_sl(r.state = GRID_RESET);
  order_o.setup       <= to_sl(r.state = GRID_SETUP);
  order_o.halt        <= r.halted;
  order_o.blocks_left <= not r.out_of_blocks;
  counted_o <= r.counted;
  status_o <= r.status;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
      if rst = '1' then
        r.state  <= GRID_IDLE;
        r.halted <= '0';
        r.status <= GRID_TO_HOST_INIT;
        r.warps  <= (others => '0');
        r.lanes  <= (others => '0');
      end if;
    end if;
  end process;

  rules : process (clk)
  begin
    if rising_edge(clk) then
      offers_to_takers : assert rst = '1' or or_reduce(offer_o and not accept) = '0'
        report "a block is offered to an SM that does not take it" severity failure;
      offers_while_running : assert rst = '1' or or_reduce(offer_o) = '0' or r.state = GRID_RUN
        report "a block is offered outside a run" severity failure;
      offers_what_is_left : assert rst = '1' or (or_reduce(offer_o) and r.out_of_blocks) = '0'
        report "a block is offered behind the last" severity failure;
    end if;
  end process;

end architecture;
