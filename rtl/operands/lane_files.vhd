-- SPDX-License-Identifier: Apache-2.0
-- Registers (three read ports), address registers and flags of one lane, for that lane of every row of every warp.
-- Address registers read in one cycle; registers and flags in two: read in FILES, latched in LATCH, used in SOURCES.
-- The scoreboard keeps reads and writes of one place apart. Nothing is reset.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.execute_pkg.all;

entity lane_files is
  generic (
    REG_ADDR_BITS : positive;          -- register of a warp and row
    ROW_BITS      : natural;           -- log2 of the rows of a warp
    SEED          : natural
  );
  port (
    clk      : in  std_ulogic;
    -- registers, read in stage FILES
    re_i         : in  std_ulogic;
    latch_i      : in  std_ulogic;                                      -- data move to src_a_o and the other outputs
    src_a_addr_i : in  unsigned(REG_ADDR_BITS - 1 downto 0);
    src_b_addr_i : in  unsigned(REG_ADDR_BITS - 1 downto 0);
    src_c_addr_i : in  unsigned(REG_ADDR_BITS - 1 downto 0);
    src_a_o      : out word_t;
    src_b_o      : out word_t;
    src_c_o      : out word_t;
    waddr_i      : in  unsigned(REG_ADDR_BITS - 1 downto 0);
    -- flags, read in stage FILES; address: slot, C register, row
    flags_addr_i  : in  unsigned(SLOT_BITS + 2 + ROW_BITS - 1 downto 0);
    flags_o       : out nibble_t;
    flags_waddr_i : in  unsigned(SLOT_BITS + 2 + ROW_BITS - 1 downto 0);
    -- address registers A1 to A4, read in stage ROWS; address: slot, A register - 1, row
    areg_re_i    : in  std_ulogic;
    areg_addr_i  : in  unsigned(SLOT_BITS + 2 + ROW_BITS - 1 downto 0);
    areg_o       : out half_t;
    areg_waddr_i : in  unsigned(SLOT_BITS + 2 + ROW_BITS - 1 downto 0);
    -- writes
    results_i    : in  lane_to_files_t
  );
end entity;

architecture rtl of lane_files is
  type addrs_t is array (0 to 2) of unsigned(REG_ADDR_BITS - 1 downto 0);
  signal read_addr : addrs_t;
  signal read_data : words_t(0 to 2);
  signal flags_we  : std_ulogic_vector(0 downto 0);
  signal areg_we   : std_ulogic_vector(0 downto 0);
  signal flags_read : nibble_t;
begin

  read_addr <= (src_a_addr_i, src_b_addr_i, src_c_addr_i);

  latch : process (clk)
  begin
    if rising_edge(clk) then
      if latch_i = '1' then
        src_a_o     <= read_data(0);
        src_b_o     <= read_data(1);
        src_c_o     <= read_data(2);
        flags_o <= flags_read;
      end if;
    end if;
  end process;

  read_ports : for p in 0 to 2 generate
    u_registers : entity work.ram_1r1w
      generic map (ADDR_BITS => REG_ADDR_BITS, COLUMN_BITS => 16, COLUMNS => 2, SEED => SEED)
      port map (
        clk => clk, re_i => re_i, raddr_i => read_addr(p), rdata_o => read_data(p),
        we_i => results_i.reg_we, waddr_i => waddr_i, wdata_i => results_i.reg
      );
  end generate;

  flags_we(0) <= results_i.flags_we;
  u_flags : entity work.ram_1r1w
    generic map (ADDR_BITS => SLOT_BITS + 2 + ROW_BITS, COLUMN_BITS => 4, SEED => SEED)
    port map (
      clk => clk, re_i => re_i, raddr_i => flags_addr_i, rdata_o => flags_read,
      we_i => flags_we, waddr_i => flags_waddr_i, wdata_i => results_i.flags
    );

  areg_we(0) <= results_i.areg_we;
  u_aregs : entity work.ram_1r1w
    generic map (ADDR_BITS => SLOT_BITS + 2 + ROW_BITS, COLUMN_BITS => 16, SEED => SEED)
    port map (
      clk => clk, re_i => areg_re_i, raddr_i => areg_addr_i, rdata_o => areg_o,
      we_i => areg_we, waddr_i => areg_waddr_i, wdata_i => results_i.areg
    );

end architecture;
