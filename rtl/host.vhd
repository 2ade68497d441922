-- SPDX-License-Identifier: Apache-2.0
-- Host port: a 32-bit Wishbone B4 pipelined slave (byte addresses, whole words; sel is not looked at). A transfer is
-- accepted in every cycle in which stall is low and acknowledged in the next one. Stalls only while global memory
-- clears itself. Registers and windows: docs/host.md.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.lists_pkg.all;

entity host is
  generic (
    SMS    : positive;
    CORES  : positive;
    WARPS  : positive;
    BLOCKS : positive;
    HAS_ATOMICS : boolean;
    SEED   : natural
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
    bank_we_o  : out std_ulogic;                             -- place of a constant bank
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

  type window_t is (WINDOW_REGS, WINDOW_BANKS, WINDOW_CAUSES, WINDOW_CODE, WINDOW_CONST, WINDOW_GLOBAL);

  type host_t is record
    launch : launch_t;
    ack    : std_ulogic;
    window : window_t;
    sm     : unsigned(2 downto 0);                           -- whose causes are read
    data   : word_t;                                         -- of a register read
    start  : std_ulogic;
    clear  : std_ulogic;
  end record;

  signal r, rin  : host_t;
  signal bank_we : std_ulogic_vector(0 downto 0);
  signal bank    : word_t;                                   -- place of a constant bank, as written

  -- A register of the bus: its value where it is the one, else zero.
  function read(number, reg : natural; value : std_ulogic_vector; low : natural := 0) return word_t is
    variable word : word_t;
  begin
    word := std_ulogic_vector(shift_left(resize(unsigned(value), 32), low));
    return word and (31 downto 0 => to_sl(number = reg));
  end function;

begin

  comb : process (all)
    variable v      : host_t;
    variable access_now : std_ulogic;
    variable window : window_t;
    variable reg    : natural range 0 to 127;                -- word offset of a register
    variable we     : std_ulogic;
    variable re     : std_ulogic;
    variable stall  : std_ulogic;
    variable l      : launch_t;
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

    if wb_adr_i(log2(HOST_GLOBAL)) = '1' then
      window := WINDOW_GLOBAL;
    elsif wb_adr_i(log2(HOST_CONST)) = '1' then
      window := WINDOW_CONST;
    elsif wb_adr_i(log2(HOST_CODE)) = '1' then
      window := WINDOW_CODE;
    elsif wb_adr_i(log2(HOST_CAUSES)) = '1' then
      window := WINDOW_CAUSES;
    elsif unsigned(wb_adr_i(8 downto 6)) = HOST_CONST_BANK / 64 then
      window := WINDOW_BANKS;
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
    bank_we(0)  <= we and to_sl(window = WINDOW_BANKS);
    param_we_o  <= we and to_sl(window = WINDOW_REGS) and to_sl(reg >= HOST_PARAMS / 4);

    -- register writes
    if we = '1' and window = WINDOW_REGS then
      if reg = HOST_CONTROL / 4 then
        v.start := wb_dat_i(0);
        v.clear := wb_dat_i(1);
      elsif reg = HOST_GRID / 4 then
        v.launch.grid_x := unsigned(wb_dat_i(15 downto 0));
        v.launch.grid_y := unsigned(wb_dat_i(31 downto 16));
      elsif reg = HOST_BLOCK_XY / 4 then
        v.launch.block_x := unsigned(wb_dat_i(15 downto 0));
        v.launch.block_y := unsigned(wb_dat_i(31 downto 16));
      elsif reg = HOST_BLOCK_Z / 4 then
        v.launch.block_z := unsigned(wb_dat_i(15 downto 0));
      elsif reg = HOST_THREADS / 4 then
        v.launch.threads := unsigned(wb_dat_i(10 downto 0));
      elsif reg = HOST_REGS / 4 then
        v.launch.regs := unsigned(wb_dat_i(7 downto 0));
      elsif reg = HOST_SHARED / 4 then
        v.launch.shared_bytes := unsigned(wb_dat_i(15 downto 0));
      elsif reg = HOST_CODE_BYTES / 4 then
        v.launch.code_bytes := unsigned(wb_dat_i(23 downto 0));
      elsif reg = HOST_PARAM_WORDS / 4 then
        v.launch.param_words := unsigned(wb_dat_i(5 downto 0));
      elsif reg = HOST_LOCAL_BASE / 4 then
        v.launch.local_base := unsigned(wb_dat_i(31 downto 7));
      elsif reg = HOST_LOCAL_BYTES / 4 then
        v.launch.local_bytes := unsigned(wb_dat_i(15 downto 0));
      elsif reg = HOST_LOCAL_WARPS / 4 then
        v.launch.local_warps := unsigned(wb_dat_i(SLOT_BITS downto 0));
      elsif reg = HOST_FEATURES / 4 then
        v.launch.atomics := wb_dat_i(0);
      end if;
    end if;

    -- register reads: gates into one OR, which is narrower than a multiplexer of so many
    l := r.launch;
    v.data := read(reg, HOST_ID / 4, std_ulogic_vector(to_unsigned(HOST_ID_VALUE, 32)))
              or read(reg, HOST_CONFIG / 4, std_ulogic_vector(to_unsigned(SMS, 4)))
              or read(reg, HOST_CONFIG / 4, std_ulogic_vector(to_unsigned(CORES, 6)), 4)
              or read(reg, HOST_CONFIG / 4, std_ulogic_vector(to_unsigned(WARPS - 1, 6)), 10)
              or read(reg, HOST_CONFIG / 4, std_ulogic_vector(to_unsigned(BLOCKS, 4)), 16)
              or read(reg, HOST_STATUS / 4, status_i.trap & "000" & (clearing_i or r.clear) & "00" & status_i.state)
              or read(reg, HOST_TRAP_WHERE / 4, std_ulogic_vector(status_i.trap_sm) & "000"
                                        & std_ulogic_vector(status_i.trap_slot))
              or read(reg, HOST_TRAP_PC / 4, std_ulogic_vector(status_i.trap_pc))
              or read(reg, HOST_CYCLES_LO / 4, std_ulogic_vector(status_i.cycles(31 downto 0)))
              or read(reg, HOST_CYCLES_HI / 4, std_ulogic_vector(status_i.cycles(47 downto 32)))
              or read(reg, HOST_WARP_INSNS / 4, std_ulogic_vector(status_i.warp_insns))
              or read(reg, HOST_THREAD_INSNS / 4, std_ulogic_vector(status_i.thread_insns))
              or read(reg, HOST_GRID / 4, std_ulogic_vector(l.grid_y) & std_ulogic_vector(l.grid_x))
              or read(reg, HOST_BLOCK_XY / 4, std_ulogic_vector(l.block_y) & std_ulogic_vector(l.block_x))
              or read(reg, HOST_BLOCK_Z / 4, std_ulogic_vector(l.block_z))
              or read(reg, HOST_THREADS / 4, std_ulogic_vector(l.threads))
              or read(reg, HOST_REGS / 4, std_ulogic_vector(l.regs))
              or read(reg, HOST_SHARED / 4, std_ulogic_vector(l.shared_bytes))
              or read(reg, HOST_CODE_BYTES / 4, std_ulogic_vector(l.code_bytes))
              or read(reg, HOST_PARAM_WORDS / 4, std_ulogic_vector(l.param_words))
              or read(reg, HOST_LOCAL_BASE / 4, std_ulogic_vector(l.local_base), 7)
              or read(reg, HOST_LOCAL_BYTES / 4, std_ulogic_vector(l.local_bytes))
              or read(reg, HOST_LOCAL_WARPS / 4, std_ulogic_vector(l.local_warps))
              or read(reg, HOST_FEATURES / 4, "" & (l.atomics and to_sl(HAS_ATOMICS)));

    causes := (others => '0');
    for s in 0 to SMS - 1 loop
      if r.sm = s then
        causes := causes_i(s);
      end if;
    end loop;

    case r.window is
      when WINDOW_REGS   => wb_dat_o <= r.data;
      when WINDOW_BANKS  => wb_dat_o <= bank;
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

  bank_we_o <= bank_we(0);

  u_banks : entity work.ram_1r1w
    generic map (ADDR_BITS => 4, COLUMN_BITS => 32, SEED => SEED)
    port map (
      clk     => clk,
      re_i    => '1',
      raddr_i => unsigned(wb_adr_i(5 downto 2)),
      rdata_o => bank,
      we_i    => bank_we,
      waddr_i => unsigned(wb_adr_i(5 downto 2)),
      wdata_i => wb_dat_i
    );

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
