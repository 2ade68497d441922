-- SPDX-License-Identifier: Apache-2.0
-- The machine as a board has it: its trace left open, a classic Wishbone slave (strobe held until the acknowledge, one
-- transfer at a time) in place of a pipelined one, and the registers of boards/board.def. The sums are over what the
-- bridge to the host transfers, wherever that goes: bridge_* is its bus, as a master sees it.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.board_pkg.all;

entity gpu_board is
  generic (
    SMS          : positive := 1;
    CORES        : positive := 8;
    WARPS        : positive := 32;
    BLOCKS       : positive := 8;
    REGISTERS    : positive := 16384;
    SHARED_BYTES : positive := 16384;
    CODE_BYTES   : positive := 4096;
    GLOBAL_BYTES : positive := 32768;
    STACK_DEPTH  : positive := 64;
    HAS_ATOMICS  : boolean  := false;
    HAS_FPU      : boolean  := false;
    HAS_SFU      : boolean  := false
  );
  port (
    clk           : in  std_ulogic;
    rst           : in  std_ulogic;
    wb_adr_i      : in  std_ulogic_vector(31 downto 0);      -- byte address of a whole word
    wb_dat_i      : in  std_ulogic_vector(31 downto 0);
    wb_we_i       : in  std_ulogic;
    wb_cyc_i      : in  std_ulogic;
    wb_stb_i      : in  std_ulogic;
    wb_dat_o      : out std_ulogic_vector(31 downto 0);
    wb_ack_o      : out std_ulogic;
    bridge_ack_i  : in  std_ulogic;                          -- a transfer is done: what it was is beside this
    bridge_we_i   : in  std_ulogic;
    bridge_adr_i  : in  std_ulogic_vector(31 downto 0);
    bridge_wdat_i : in  std_ulogic_vector(31 downto 0);
    bridge_rdat_i : in  std_ulogic_vector(31 downto 0);
    irq_o         : out std_ulogic
  );
end entity;

architecture rtl of gpu_board is

  type board_t is record
    busy  : std_ulogic;                                      -- the machine has taken a transfer, its answer is to come
    ack   : std_ulogic;                                      -- of a register of the board
    dat   : word_t;
    clear : std_ulogic;
    reset : unsigned(4 downto 0);                            -- cycles in which the machine still is reset: highest bit
  end record;

  signal r, rin        : board_t;
  signal request       : bus_request_t;
  signal answer        : bus_answer_t;
  signal gpu_rst       : std_ulogic;
  signal counts        : std_ulogic;
  signal bridge_dat    : word_t;
  signal clear         : std_ulogic;
  signal writes, reads : word_t;

  function is_board(adr : std_ulogic_vector(31 downto 0)) return std_ulogic is
  begin
    return to_sl(unsigned(adr(31 downto 4)) = BOARD_WRITES / 16);
  end function;

begin

  comb : process (all)
    variable v    : board_t;
    variable ours : std_ulogic;
  begin
    v    := r;
    ours := is_board(wb_adr_i);

    request.adr <= wb_adr_i;
    request.dat <= wb_dat_i;
    request.we  <= wb_we_i;
    request.cyc <= wb_cyc_i;
    request.stb <= wb_cyc_i and wb_stb_i and not ours and not r.busy and not r.reset(4);
    if request.stb = '1' and answer.stall = '0' then
      v.busy := '1';
    elsif answer.ack = '1' then
      v.busy := '0';
    end if;

    v.ack   := wb_cyc_i and wb_stb_i and ours and not r.ack;
    v.clear := '0';
    v.dat   := writes;
    if wb_adr_i(2) = '1' then
      v.dat := reads;
    end if;
    if r.reset(4) = '1' then
      v.reset := r.reset + 1;
    end if;
    if v.ack = '1' and wb_we_i = '1' then
      v.clear := to_sl(unsigned(wb_adr_i(3 downto 0)) = BOARD_WRITES mod 16);
      if unsigned(wb_adr_i(3 downto 0)) = BOARD_RESET mod 16 then
        v.reset := "10000";
      end if;
    end if;

    wb_ack_o <= r.ack or (answer.ack and r.busy);
    wb_dat_o <= r.dat when r.ack = '1' else answer.dat;
    gpu_rst  <= rst or r.reset(4);
    counts   <= bridge_ack_i and not to_sl(unsigned(bridge_adr_i(31 downto 3)) = BOARD_WRITES / 8);
    bridge_dat <= bridge_wdat_i when bridge_we_i = '1' else bridge_rdat_i;
    clear    <= rst or r.clear;
    rin <= v;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
      if rst = '1' then
        r.busy  <= '0';
        r.ack   <= '0';
        r.clear <= '0';
        r.reset <= (others => '0');
      end if;
    end if;
  end process;

  u_sum : entity work.transfer_sum
    port map (
      clk      => clk,
      clear_i  => clear,
      valid_i  => counts,
      we_i     => bridge_we_i,
      adr_i    => bridge_adr_i,
      dat_i    => bridge_dat,
      writes_o => writes,
      reads_o  => reads
    );

  u_gpu : entity work.gpu
    generic map (SMS => SMS, CORES => CORES, WARPS => WARPS, BLOCKS => BLOCKS, REGISTERS => REGISTERS,
                 SHARED_BYTES => SHARED_BYTES, CODE_BYTES => CODE_BYTES, GLOBAL_BYTES => GLOBAL_BYTES,
                 STACK_DEPTH => STACK_DEPTH, HAS_ATOMICS => HAS_ATOMICS, HAS_FPU => HAS_FPU, HAS_SFU => HAS_SFU)
    port map (
      clk            => clk,
      rst            => gpu_rst,
      bus_i          => request,
      bus_o          => answer,
      irq_o          => irq_o,
      line_o         => open,
      retire_o       => open,
      retire_lanes_o => open
    );

end architecture;
