-- SPDX-License-Identifier: Apache-2.0
-- Block scheduler of the machine: hands the blocks of the grid out in order, x fastest, one a cycle, to the SMs that
-- have room, in turn; says when the grid is done, or stopped by a trap and drained. A launch without blocks, or with
-- blocks that fit nowhere, ends at once like a trap, but without a trap's code. Counts cycles and retired instructions.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
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
    setup_o    : out std_ulogic;                             -- one cycle later: prepare for this one
    refused_i  : in  std_ulogic_vector(SMS - 1 downto 0);    -- one cycle after that: no block fits
    -- SMs
    offer_o   : out std_ulogic_vector(SMS - 1 downto 0);
    block_x_o : out unsigned(15 downto 0);
    block_y_o : out unsigned(15 downto 0);
    accept_i  : in  std_ulogic_vector(SMS - 1 downto 0);
    empty_i   : in  std_ulogic_vector(SMS - 1 downto 0);
    idle_i    : in  std_ulogic_vector(SMS - 1 downto 0);
    trap_i    : in  std_ulogic_vector(SMS - 1 downto 0);
    trap_code_i : in traps_t(0 to SMS - 1);
    trap_slot_i : in slots_t(0 to SMS - 1);
    trap_pc_i   : in pcs_t(0 to SMS - 1);
    halt_o    : out std_ulogic;
    blocks_left_o : out std_ulogic;
    -- counted
    retire_i  : in  std_ulogic_vector(SMS - 1 downto 0);     -- a warp instruction retires
    active_i  : in  lane_masks_t(0 to SMS - 1);              -- ... with these lanes active
    counted_o : out std_ulogic;                              -- the cycle before this one counts
    -- to the host
    status_o  : out status_t
  );
end entity;

architecture rtl of grid is

  type state_t is (GRID_IDLE, GRID_RESET, GRID_SETUP, GRID_RUN, GRID_DONE, GRID_STOPPING, GRID_TRAPPED);

  type grid_t is record
    state  : state_t;
    x      : unsigned(15 downto 0);
    y      : unsigned(15 downto 0);
    out_of_blocks : std_ulogic;
    counted : std_ulogic;
    status : status_t;
  end record;

  signal r, rin : grid_t;
  signal hold   : std_ulogic;
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

  hold <= to_sl(r.state /= GRID_RUN) or r.out_of_blocks or or_reduce(trap_i);

  u_turns : entity work.round_robin
    generic map (REQUESTERS => SMS)
    port map (clk => clk, rst => grid_rst_o, hold_i => hold, req_i => accept_i, turn_o => open, grant_o => grant);

  offer_o   <= grant;
  block_x_o <= r.x;
  block_y_o <= r.y;

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
        if or_reduce(trap_i) = '1' then
          v.state := GRID_STOPPING;
          for s in SMS - 1 downto 0 loop
            if trap_i(s) = '1' then
              v.status.trap      := trap_code_i(s);
              v.status.trap_slot := trap_slot_i(s);
              v.status.trap_pc   := trap_pc_i(s);
              v.status.trap_sm   := to_unsigned(s, 3);
            end if;
          end loop;
        elsif or_reduce(refused_i) = '1' or launch_i.grid_x = 0 or launch_i.grid_y = 0 then
          v.state := GRID_STOPPING;
        elsif r.out_of_blocks = '1' and or_reduce(not empty_i) = '0' and or_reduce(not idle_i) = '0' then
          v.state := GRID_DONE;
        end if;
      when GRID_STOPPING =>
        counted := '1';
        if or_reduce(not idle_i) = '0' then
          v.state := GRID_TRAPPED;
        end if;
      when GRID_DONE | GRID_TRAPPED => null;
    end case;

    if counted = '1' then
      v.status.cycles := r.status.cycles + 1;
      for s in 0 to SMS - 1 loop
        if retire_i(s) = '1' then
          v.status.warp_insns   := v.status.warp_insns + 1;
          v.status.thread_insns := v.status.thread_insns + ones(active_i(s));
        end if;
      end loop;
    end if;
    v.counted := counted;

    if start_i = '1' then
      v.state := GRID_RESET;
      v.x     := (others => '0');
      v.y     := (others => '0');
      v.out_of_blocks := '0';
      v.counted := '0';
      v.status := STATUS_INIT;
    end if;

    v.status.state := "00";
    if v.state = GRID_DONE then
      v.status.state := "10";
    elsif v.state = GRID_TRAPPED then
      v.status.state := "11";
    elsif v.state /= GRID_IDLE then
      v.status.state := "01";
    end if;
    rin <= v;
  end process;

  grid_rst_o <= rst or to_sl(r.state = GRID_RESET);
  setup_o <= to_sl(r.state = GRID_SETUP);
  halt_o <= to_sl(r.state = GRID_STOPPING or r.state = GRID_TRAPPED);
  blocks_left_o <= not r.out_of_blocks;
  counted_o <= r.counted;
  status_o <= r.status;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
      if rst = '1' then
        r.state  <= GRID_IDLE;
        r.status <= STATUS_INIT;
      end if;
    end if;
  end process;

end architecture;
