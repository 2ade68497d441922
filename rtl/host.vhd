-- SPDX-License-Identifier: Apache-2.0
-- Host port: a 32-bit Wishbone B4 pipelined slave (byte addresses, whole words; sel is not looked at). A transfer is
-- accepted in every cycle in which stall is low and acknowledged in the next one. Stalls only while global memory
-- clears itself. Registers and windows: testbench/lockstep/host_regs.h has the same list with the meaning of each bit.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;

entity host is
  generic (
    SMS    : positive;
    CORES  : positive;
    WARPS  : positive;
    BLOCKS : positive;
    HAS_ATOMICS : boolean
  );
  port (
    clk        : in  std_ulogic;
    rst        : in  std_ulogic;
    wb_adr_i   : in  std_ulogic_vector(31 downto 0);
    wb_dat_i   : in  word_t;
    wb_we_i    : in  std_ulogic;
    wb_cyc_i   : in  std_ulogic;
    wb_stb_i   : in  std_ulogic;
    wb_dat_o   : out word_t;
    wb_ack_o   : out std_ulogic;
    wb_stall_o : out std_ulogic;
    irq_o      : out std_ulogic;                             -- the grid is done, or stopped by a trap
    launch_o   : out launch_t;
    start_o    : out std_ulogic;
    status_i   : in  status_t;
    causes_i   : in  words_t(0 to SMS - 1);                  -- each SM's cycles of the cause at addr_o, a cycle late
    -- memories: one access a cycle, read data in the next
    addr_o     : out unsigned(27 downto 0);                  -- byte address in the window
    data_o     : out word_t;
    param_we_o : out std_ulogic;
    code_we_o  : out std_ulogic;
    code_re_o  : out std_ulogic;
    code_i     : in  word_t;
    const_we_o : out std_ulogic;
    const_re_o : out std_ulogic;
    const_i    : in  word_t;
    global_we_o : out std_ulogic;
    global_re_o : out std_ulogic;
    global_i   : in  word_t;
    clear_o    : out std_ulogic;
    clearing_i : in  std_ulogic
  );
end entity;

architecture rtl of host is

  type window_t is (WINDOW_REGS, WINDOW_CAUSES, WINDOW_CODE, WINDOW_CONST, WINDOW_GLOBAL);

  type host_t is record
    launch : launch_t;
    ack    : std_ulogic;
    window : window_t;
    sm     : unsigned(2 downto 0);                           -- whose causes are read
    data   : word_t;                                         -- of a register read
    start  : std_ulogic;
    clear  : std_ulogic;
  end record;

  signal r, rin : host_t;

begin

  comb : process (all)
    variable v      : host_t;
    variable access_now : std_ulogic;
    variable window : window_t;
    variable reg    : natural range 0 to 127;                -- word offset of a register
    variable we     : std_ulogic;
    variable re     : std_ulogic;
    variable stall  : std_ulogic;
    variable causes : word_t;                                -- of the SM that is read
  begin
    v       := r;
    v.start := '0';
    v.clear := '0';
    stall   := clearing_i or r.clear;
    access_now := wb_cyc_i and wb_stb_i and not stall;
    we      := access_now and wb_we_i;
    re      := access_now and not wb_we_i;
    v.ack   := access_now;

    if wb_adr_i(30) = '1' then
      window := WINDOW_GLOBAL;
    elsif wb_adr_i(29) = '1' then
      window := WINDOW_CONST;
    elsif wb_adr_i(28) = '1' then
      window := WINDOW_CODE;
    elsif wb_adr_i(9) = '1' then
      window := WINDOW_CAUSES;
    else
      window := WINDOW_REGS;
    end if;
    v.window := window;
    v.sm     := unsigned(wb_adr_i(8 downto 6));
    reg      := to_integer(unsigned(wb_adr_i(8 downto 2)));

    addr_o      <= unsigned(wb_adr_i(27 downto 0));
    data_o      <= wb_dat_i;
    code_we_o   <= we and to_sl(window = WINDOW_CODE);
    code_re_o   <= re and to_sl(window = WINDOW_CODE);
    const_we_o  <= we and to_sl(window = WINDOW_CONST);
    const_re_o  <= re and to_sl(window = WINDOW_CONST);
    global_we_o <= we and to_sl(window = WINDOW_GLOBAL);
    global_re_o <= re and to_sl(window = WINDOW_GLOBAL);
    param_we_o  <= we and to_sl(window = WINDOW_REGS) and to_sl(reg >= 64);

    -- register writes
    if we = '1' and window = WINDOW_REGS then
      if reg = 16#008# / 4 then
        v.start := wb_dat_i(0);
        v.clear := wb_dat_i(1);
      elsif reg = 16#080# / 4 then
        v.launch.grid_x := unsigned(wb_dat_i(15 downto 0));
        v.launch.grid_y := unsigned(wb_dat_i(31 downto 16));
      elsif reg = 16#084# / 4 then
        v.launch.block_x := unsigned(wb_dat_i(15 downto 0));
        v.launch.block_y := unsigned(wb_dat_i(31 downto 16));
      elsif reg = 16#088# / 4 then
        v.launch.block_z := unsigned(wb_dat_i(15 downto 0));
      elsif reg = 16#08c# / 4 then
        v.launch.threads := unsigned(wb_dat_i(10 downto 0));
      elsif reg = 16#090# / 4 then
        v.launch.regs := unsigned(wb_dat_i(7 downto 0));
      elsif reg = 16#094# / 4 then
        v.launch.shared_bytes := unsigned(wb_dat_i(15 downto 0));
      elsif reg = 16#098# / 4 then
        v.launch.code_bytes := unsigned(wb_dat_i(23 downto 0));
      elsif reg = 16#09c# / 4 then
        v.launch.param_words := unsigned(wb_dat_i(5 downto 0));
      elsif reg = 16#0a0# / 4 then
        v.launch.local_base := unsigned(wb_dat_i(31 downto 7));
      elsif reg = 16#0a4# / 4 then
        v.launch.local_bytes := unsigned(wb_dat_i(15 downto 0));
      elsif reg = 16#0a8# / 4 then
        v.launch.local_warps := unsigned(wb_dat_i(SLOT_BITS downto 0));
      elsif reg = 16#0ac# / 4 then
        v.launch.atomics := wb_dat_i(0);
      end if;
      for b in 0 to 15 loop
        if reg = 16#0c0# / 4 + b then
          v.launch.bank(b).base  := unsigned(wb_dat_i(15 downto 0));
          v.launch.bank(b).bytes := unsigned(wb_dat_i(31 downto 16));
        end if;
      end loop;
    end if;

    -- register reads
    v.data := (others => '0');
    if reg = 16#000# / 4 then
      v.data := x"57415250";
    elsif reg = 16#004# / 4 then
      v.data(3 downto 0)   := std_ulogic_vector(to_unsigned(SMS, 4));
      v.data(9 downto 4)   := std_ulogic_vector(to_unsigned(CORES, 6));
      v.data(15 downto 10) := std_ulogic_vector(to_unsigned(WARPS - 1, 6));
      v.data(19 downto 16) := std_ulogic_vector(to_unsigned(BLOCKS, 4));
    elsif reg = 16#00c# / 4 then
      v.data(1 downto 0)  := status_i.state;
      v.data(4)           := clearing_i or r.clear;
      v.data(11 downto 8) := status_i.trap;
    elsif reg = 16#010# / 4 then
      v.data(SLOT_BITS - 1 downto 0) := std_ulogic_vector(status_i.trap_slot);
      v.data(10 downto 8)            := std_ulogic_vector(status_i.trap_sm);
    elsif reg = 16#014# / 4 then
      v.data(23 downto 0) := std_ulogic_vector(status_i.trap_pc);
    elsif reg = 16#018# / 4 then
      v.data := std_ulogic_vector(status_i.cycles(31 downto 0));
    elsif reg = 16#01c# / 4 then
      v.data(15 downto 0) := std_ulogic_vector(status_i.cycles(47 downto 32));
    elsif reg = 16#020# / 4 then
      v.data := std_ulogic_vector(status_i.warp_insns);
    elsif reg = 16#024# / 4 then
      v.data := std_ulogic_vector(status_i.thread_insns);
    elsif reg = 16#080# / 4 then
      v.data := std_ulogic_vector(r.launch.grid_y) & std_ulogic_vector(r.launch.grid_x);
    elsif reg = 16#084# / 4 then
      v.data := std_ulogic_vector(r.launch.block_y) & std_ulogic_vector(r.launch.block_x);
    elsif reg = 16#088# / 4 then
      v.data(15 downto 0) := std_ulogic_vector(r.launch.block_z);
    elsif reg = 16#08c# / 4 then
      v.data(10 downto 0) := std_ulogic_vector(r.launch.threads);
    elsif reg = 16#090# / 4 then
      v.data(7 downto 0) := std_ulogic_vector(r.launch.regs);
    elsif reg = 16#094# / 4 then
      v.data(15 downto 0) := std_ulogic_vector(r.launch.shared_bytes);
    elsif reg = 16#098# / 4 then
      v.data(23 downto 0) := std_ulogic_vector(r.launch.code_bytes);
    elsif reg = 16#09c# / 4 then
      v.data(5 downto 0) := std_ulogic_vector(r.launch.param_words);
    elsif reg = 16#0a0# / 4 then
      v.data(31 downto 7) := std_ulogic_vector(r.launch.local_base);
    elsif reg = 16#0a4# / 4 then
      v.data(15 downto 0) := std_ulogic_vector(r.launch.local_bytes);
    elsif reg = 16#0a8# / 4 then
      v.data(SLOT_BITS downto 0) := std_ulogic_vector(r.launch.local_warps);
    elsif reg = 16#0ac# / 4 then
      v.data(0) := r.launch.atomics and to_sl(HAS_ATOMICS);
    end if;
    for b in 0 to 15 loop
      if reg = 16#0c0# / 4 + b then
        v.data := std_ulogic_vector(r.launch.bank(b).bytes) & std_ulogic_vector(r.launch.bank(b).base);
      end if;
    end loop;

    causes := (others => '0');
    for s in 0 to SMS - 1 loop
      if r.sm = s then
        causes := causes_i(s);
      end if;
    end loop;

    case r.window is
      when WINDOW_REGS   => wb_dat_o <= r.data;
      when WINDOW_CAUSES => wb_dat_o <= causes;
      when WINDOW_CODE   => wb_dat_o <= code_i;
      when WINDOW_CONST  => wb_dat_o <= const_i;
      when WINDOW_GLOBAL => wb_dat_o <= global_i;
    end case;
    wb_ack_o   <= r.ack;
    wb_stall_o <= stall;
    irq_o      <= status_i.state(1);
    launch_o   <= r.launch;
    launch_o.atomics <= r.launch.atomics and to_sl(HAS_ATOMICS);
    start_o    <= r.start;
    clear_o    <= r.clear;
    rin <= v;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
      if rst = '1' then
        r.ack   <= '0';
        r.start <= '0';
        r.clear <= '0';
      end if;
    end if;
  end process;

end architecture;
