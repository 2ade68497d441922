-- SPDX-License-Identifier: Apache-2.0
-- warp_table: warps that start and are redirected in any order, against a list of what was written last. What a read
-- finds stays until the next one; while nothing is to be written, the ports have random values.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.front_pkg.all;
use work.branch_pkg.all;
use work.bench_pkg.all;

entity warp_table_tb is
end entity warp_table_tb;

architecture sim of warp_table_tb is
  constant SLOTS  : positive := 2 ** SLOT_BITS;
  constant CYCLES : positive := 6000;

  signal clk          : std_ulogic := '0';
  signal read         : std_ulogic := '0';
  signal slot         : slot_t := (others => '0');
  signal info         : warp_info_t;
  signal state        : warp_state_t;
  signal redirect     : std_ulogic := '0';
  signal branch       : std_ulogic := '0';
  signal branch_slot  : slot_t := (others => '0');
  signal branch_state : warp_state_t := FRONT_TO_OPERANDS_INIT.state;
  signal start        : std_ulogic := '0';
  signal start_slot   : slot_t := (others => '0');
  signal start_info   : warp_info_t := FRONT_TO_OPERANDS_INIT.info;
  signal start_state  : warp_state_t := FRONT_TO_OPERANDS_INIT.state;
  signal start_ready  : std_ulogic;
  signal answer       : branch_to_warps_t;
  signal starts       : dispatch_to_warps_t;
begin

  tell : process (all)
  begin
    answer               <= (redirect => BRANCH_TO_SCHED_INIT, state_we => branch, state => branch_state);
    answer.redirect.slot <= branch_slot;
    starts <= (valid => start, slot => start_slot, warp => (start_info, start_state), first => (others => '0'),
               warps => (others => '0'));
  end process;

  u_dut : entity work.warp_table
    generic map (SEED => 1)
    port map (clk => clk, read_i.valid => read, read_i.slot => slot, warp_o.info => info, warp_o.state => state,
              held_i => redirect, answer_i => answer, start_i => starts,
              start_ready_o => start_ready);

  stimulus : process
    type infos_t is array (0 to SLOTS - 1) of warp_info_t;
    type states_t is array (0 to SLOTS - 1) of warp_state_t;
    variable infos   : infos_t;
    variable states  : states_t;
    variable must_info  : warp_info_t;                       -- the last read
    variable must_state : warp_state_t;
    variable was_read   : boolean := false;
    variable random : random_t;
    variable started, redirected, beside, held : natural := 0;  -- kinds of access seen

    impure function bits(n : positive) return unsigned is
      variable v : unsigned(n - 1 downto 0);
    begin
      for i in v'range loop
        v(i) := random.flag(2);
      end loop;
      return v;
    end function bits;

    impure function any_info return warp_info_t is
    begin
      return (block_x => bits(16), block_y => bits(16), warp => bits(SLOT_BITS), block_slot => bits(BLOCK_SLOT_BITS),
              shared_base => bits(14), reg_base => bits(9), local_base => bits(25));
    end function any_info;

    impure function any_state return warp_state_t is
    begin
      return (active => std_ulogic_vector(bits(LANES)), alive => std_ulogic_vector(bits(LANES)),
              call_parked => std_ulogic_vector(bits(LANES)), brk_parked => std_ulogic_vector(bits(LANES)),
              depth => bits(DEPTH_BITS), calls => bits(DEPTH_BITS), breaks => bits(DEPTH_BITS));
    end function any_state;
  begin
    random.start(7);
    for cycle in 0 to CYCLES - 1 loop
      -- at first each slot starts, as nothing else may be read
      start_slot  <= bits(SLOT_BITS);
      start_info  <= any_info;
      start_state <= any_state;
      branch_slot  <= bits(SLOT_BITS);
      branch_state <= any_state;
      redirect <= '0';
      branch   <= '0';
      read     <= '0';
      if cycle < SLOTS then
        start_slot <= to_unsigned(cycle, SLOT_BITS);
      else
        redirect <= random.flag(3);
        wait for 0 ns;
        branch <= redirect and not random.flag(4);                  -- not where it falls through or waits, say
        read   <= random.flag(2);
        slot   <= bits(SLOT_BITS);
      end if;
      wait for 1 ns;
      check(start_ready = not redirect, "a warp may start while none is redirected: " & to_string(start_ready));
      start <= start_ready and (to_sl(cycle < SLOTS) or random.flag(2));
      wait for 0 ns;
      if (start = '1' and slot = start_slot) or (branch = '1' and slot = branch_slot) then
        read <= '0';
      end if;
      wait for 0 ns;
      tick(clk);

      if start = '1' then
        infos(to_integer(start_slot))  := start_info;
        states(to_integer(start_slot)) := start_state;
        started := started + 1;
      elsif branch = '1' then
        states(to_integer(branch_slot)) := branch_state;
        redirected := redirected + 1;
      end if;
      if read = '1' then
        was_read   := true;
        must_info  := infos(to_integer(slot));
        must_state := states(to_integer(slot));
        if (start or branch) = '1' then
          beside := beside + 1;
        end if;
      else
        held := held + 1;
      end if;
      if was_read then
        check(info = must_info, "where the warp is, cycle " & to_string(cycle));
        check(state = must_state, "what its masks and its stack are, cycle " & to_string(cycle));
      end if;
    end loop;
    check(started > CYCLES / 10 and redirected > CYCLES / 10 and beside > CYCLES / 10 and held > CYCLES / 10,
          "each of these came: " & to_string(started) & " " & to_string(redirected) & " " & to_string(beside)
          & " " & to_string(held));
    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
