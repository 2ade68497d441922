-- SPDX-License-Identifier: Apache-2.0
-- The state of each warp slot: its place, written when the warp starts, and its masks and stack depth, written by the
-- branch unit. Read by the scheduler's choice; data one cycle later, held. A slot is never read in the cycle of a
-- write.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.front_pkg.all;
use work.branch_pkg.all;

entity warp_table is
  generic (
    SEED : natural
  );
  port (
    clk           : in  std_ulogic;
    read_i        : in  warp_event_t;
    warp_o        : out warp_t;                              -- one cycle later
    held_i        : in  std_ulogic;                          -- no warp may start now, as in the cycle of an answer
    answer_i      : in  branch_to_warps_t;                   -- writes the state of its warp
    start_i       : in  dispatch_to_warps_t;                 -- a warp starts, only while start_ready_o
    start_ready_o : out std_ulogic
  );
end entity;

architecture rtl of warp_table is
  signal info_we    : std_ulogic_vector(0 downto 0);
  signal state_we   : std_ulogic_vector(0 downto 0);
  signal state_slot : slot_t;
  signal state_data : std_ulogic_vector(WARP_STATE_BITS - 1 downto 0);
  signal info_data  : std_ulogic_vector(WARP_INFO_BITS - 1 downto 0);
  signal info_read  : std_ulogic_vector(WARP_INFO_BITS - 1 downto 0);
  signal state_read : std_ulogic_vector(WARP_STATE_BITS - 1 downto 0);
begin

  start_ready_o <= not held_i;
  info_we(0)    <= start_i.valid;
  info_data     <= to_vector(start_i.warp.info);

  choose_writer : process (all)
  begin
    state_we(0) <= answer_i.state_we or start_i.valid;
    state_slot  <= start_i.slot;
    state_data  <= to_vector(start_i.warp.state);
    if answer_i.state_we = '1' then
      state_slot <= answer_i.redirect.slot;
      state_data <= to_vector(answer_i.state);
    end if;
  end process;

  u_info : entity work.ram_1r1w
    generic map (ADDR_BITS => SLOT_BITS, COLUMN_BITS => WARP_INFO_BITS, SEED => SEED)
    port map (
      clk => clk, re_i => read_i.valid, raddr_i => read_i.slot, rdata_o => info_read,
      we_i => info_we, waddr_i => start_i.slot, wdata_i => info_data
    );

  u_state : entity work.ram_1r1w
    generic map (ADDR_BITS => SLOT_BITS, COLUMN_BITS => WARP_STATE_BITS, SEED => SEED)
    port map (
      clk => clk, re_i => read_i.valid, raddr_i => read_i.slot, rdata_o => state_read,
      we_i => state_we, waddr_i => state_slot, wdata_i => state_data
    );

  warp_o.info  <= to_warp_info(info_read);
  warp_o.state <= to_warp_state(state_read);

end architecture;
