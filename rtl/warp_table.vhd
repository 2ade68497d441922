-- SPDX-License-Identifier: Apache-2.0
-- What the SM knows of each warp slot: its place (written when the warp starts) and its masks and stack depth (written
-- then, and by the branch unit whenever an instruction redirects the warp). Read by the scheduler's choice; data one
-- cycle later, held. What is written is never read in the same cycle: a warp that starts, or whose redirection is being
-- answered, cannot be chosen before the next.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;

entity warp_table is
  generic (
    SEED : natural
  );
  port (
    clk          : in  std_ulogic;
    read_i       : in  std_ulogic;
    slot_i       : in  slot_t;
    info_o       : out warp_info_t;
    state_o      : out warp_state_t;
    held_i       : in  std_ulogic;                           -- no warp may start now, as in the cycle of an answer
    branch_i     : in  std_ulogic;                           -- an answer writes the state of its warp
    branch_slot_i  : in slot_t;
    branch_state_i : in warp_state_t;
    start_i      : in  std_ulogic;                           -- a warp starts, only while start_ready_o
    start_slot_i : in  slot_t;
    start_info_i : in  warp_info_t;
    start_state_i : in warp_state_t;
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
  info_we(0)    <= start_i;
  info_data     <= to_vector(start_info_i);

  choose_writer : process (all)
  begin
    state_we(0) <= branch_i or start_i;
    state_slot  <= start_slot_i;
    state_data  <= to_vector(start_state_i);
    if branch_i = '1' then
      state_slot <= branch_slot_i;
      state_data <= to_vector(branch_state_i);
    end if;
  end process;

  u_info : entity work.ram_1r1w
    generic map (ADDR_BITS => SLOT_BITS, COLUMN_BITS => WARP_INFO_BITS, SEED => SEED)
    port map (
      clk => clk, re_i => read_i, raddr_i => slot_i, rdata_o => info_read,
      we_i => info_we, waddr_i => start_slot_i, wdata_i => info_data
    );

  u_state : entity work.ram_1r1w
    generic map (ADDR_BITS => SLOT_BITS, COLUMN_BITS => WARP_STATE_BITS, SEED => SEED)
    port map (
      clk => clk, re_i => read_i, raddr_i => slot_i, rdata_o => state_read,
      we_i => state_we, waddr_i => state_slot, wdata_i => state_data
    );

  info_o  <= to_warp_info(info_read);
  state_o <= to_warp_state(state_read);

end architecture;
