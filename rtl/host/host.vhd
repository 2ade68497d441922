-- SPDX-License-Identifier: Apache-2.0
-- Host port: a 32-bit Wishbone B4 pipelined slave (byte addresses, whole words, sel ignored). A transfer is
-- acknowledged two cycles after it is accepted. It stalls while global memory clears itself, and behind a bus while
-- that is full. Registers and windows: docs/evidence/host.md.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.machine_pkg.all;
use work.host_pkg.all;
use work.lists_pkg.all;

entity host is
  generic (
    CONFIG : config_t
  );
  port (
    clk      : in  std_ulogic;
    rst      : in  std_ulogic;
    bus_i    : in  master_to_host_t;
    bus_o    : out host_to_master_t;
    irq_o    : out std_ulogic;                               -- the grid is done, or stopped by a trap
    launch_o : out launch_t;
    start_o  : out std_ulogic;
    status_i : in  grid_to_host_t;
    causes_i : in  words_t(0 to CONFIG.SMS - 1);             -- of each SM: of the cause at the address, a cycle late
    access_o : out host_to_memories_t;
    read_i   : in  memories_to_host_t
  );
end entity;

architecture rtl of host is

  constant HAS_BUS : boolean := CONFIG.BUS_WORDS > 0;        -- global memory is behind it

  type window_t is (WINDOW_REGS, WINDOW_BANKS, WINDOW_CAUSES, WINDOW_CODE, WINDOW_CONST, WINDOW_GLOBAL);

  type host_t is record
    launch : launch_t;
    ack    : std_ulogic;
    window : window_t;
    sm     : unsigned(2 downto 0);                           -- SM of the causes that are read
    data   : word_t;                                         -- of a register read
    start  : std_ulogic;
    clear  : std_ulogic;
    reading : unsigned(7 downto 0);                          -- words of global memory that a bus owes
  end record;

  signal r, rin  : host_t;
  signal stall   : std_ulogic;
  signal accept  : std_ulogic;
  signal owed    : std_ulogic;                               -- a bus owes words of global memory
  signal request, request_in : master_to_host_t;             -- the transfer of the last cycle, where stb is set
  signal window, window_in : window_t;                       -- window of the transfer
  type memory_access_t is record
    code_we, code_re, const_we, const_re, global_we, global_re : std_ulogic;
  end record;
  signal memory, memory_in : memory_access_t;                -- access of the transfer, if it is to a memory
  signal bank_we : std_ulogic_vector(0 downto 0);
  signal bank    : word_t;                                   -- place of a constant bank, as written

  function window_of(adr : std_ulogic_vector(31 downto 0)) return window_t is
    variable answer : window_t := WINDOW_REGS;
  begin
    if adr(log2(HOST_GLOBAL)) = '1' then
      answer := WINDOW_GLOBAL;
    elsif adr(log2(HOST_CONST)) = '1' then
      answer := WINDOW_CONST;
    elsif adr(log2(HOST_CODE)) = '1' then
      answer := WINDOW_CODE;
    elsif adr(log2(HOST_CAUSES)) = '1' then
      answer := WINDOW_CAUSES;
    elsif unsigned(adr(8 downto 6)) = HOST_CONST_BANK / 64 then
      answer := WINDOW_BANKS;
    end if;
    return answer;
  end function;

  -- A register of the bus: its value where it is the one, else zero.
  function read(number, reg : natural; value : std_ulogic_vector; low : natural := 0) return word_t is
    variable word : word_t;
  begin
    word := std_ulogic_vector(shift_left(resize(unsigned(value), 32), low));
    return word and (31 downto 0 => to_sl(number = reg));
  end function;

begin

  accept <= bus_i.cyc and bus_i.stb and not stall;
  owed   <= to_sl(HAS_BUS) and (memory.global_re or to_sl(r.reading /= 0));

  comb : process (all)
    variable v      : host_t;
    variable reg    : natural range 0 to 127;                -- word offset of a register
    variable we     : std_ulogic;
    variable re     : std_ulogic;
    variable l      : launch_t;
    variable causes : word_t;                                -- of the SM that is read
  begin
    v       := r;
    v.start := '0';
    v.clear := '0';
    we      := request.stb and request.we;
    re      := request.stb and not request.we;
    v.ack   := request.stb and not (to_sl(HAS_BUS) and memory.global_re);

    v.window := window;
    v.sm     := unsigned(request.adr(8 downto 6));
    reg      := to_integer(unsigned(request.adr(8 downto 2)));

    access_o.addr      <= unsigned(request.adr(27 downto 0));
    access_o.data      <= request.dat;
    access_o.code_we   <= memory.code_we;
    access_o.code_re   <= memory.code_re;
    access_o.const_we  <= memory.const_we;
    access_o.const_re  <= memory.const_re;
    access_o.global_we <= memory.global_we;
    access_o.global_re <= memory.global_re;
    bank_we(0)  <= we and to_sl(window = WINDOW_BANKS);
    access_o.bank_we   <= bank_we(0);
    access_o.param_we  <= we and to_sl(window = WINDOW_REGS) and to_sl(reg >= HOST_PARAMS / 4);

    -- register writes
    if we = '1' and window = WINDOW_REGS then
      if reg = HOST_CONTROL / 4 then
        v.start := request.dat(0);
        v.clear := request.dat(1);
      elsif reg = HOST_GRID / 4 then
        v.launch.grid_x := unsigned(request.dat(15 downto 0));
        v.launch.grid_y := unsigned(request.dat(31 downto 16));
      elsif reg = HOST_BLOCK_XY / 4 then
        v.launch.block_x := unsigned(request.dat(15 downto 0));
        v.launch.block_y := unsigned(request.dat(31 downto 16));
      elsif reg = HOST_BLOCK_Z / 4 then
        v.launch.block_z := unsigned(request.dat(15 downto 0));
      elsif reg = HOST_THREADS / 4 then
        v.launch.threads := unsigned(request.dat(10 downto 0));
      elsif reg = HOST_REGS / 4 then
        v.launch.regs := unsigned(request.dat(7 downto 0));
      elsif reg = HOST_SHARED / 4 then
        v.launch.shared_bytes := unsigned(request.dat(15 downto 0));
      elsif reg = HOST_CODE_BYTES / 4 then
        v.launch.code_bytes := unsigned(request.dat(23 downto 0));
      elsif reg = HOST_PARAM_WORDS / 4 then
        v.launch.param_words := unsigned(request.dat(5 downto 0));
      elsif reg = HOST_LOCAL_BASE / 4 then
        v.launch.local_base := unsigned(request.dat(31 downto 7));
      elsif reg = HOST_LOCAL_BYTES / 4 then
        v.launch.local_bytes := unsigned(request.dat(15 downto 0));
      elsif reg = HOST_LOCAL_WARPS / 4 then
        v.launch.local_warps := unsigned(request.dat(SLOT_BITS downto 0));
      elsif reg = HOST_FEATURES / 4 then
        v.launch.atomics := request.dat(0);
      end if;
    end if;

    -- register reads: gates into one OR, which is narrower than a multiplexer of so many
    l := r.launch;
    v.data := read(reg, HOST_ID / 4, std_ulogic_vector(to_unsigned(HOST_ID_VALUE, 32)))
              or read(reg, HOST_CONFIG / 4, std_ulogic_vector(to_unsigned(CONFIG.SMS, 4)))
              or read(reg, HOST_CONFIG / 4, std_ulogic_vector(to_unsigned(CONFIG.CORES, 6)), 4)
              or read(reg, HOST_CONFIG / 4, std_ulogic_vector(to_unsigned(CONFIG.WARPS - 1, 6)), 10)
              or read(reg, HOST_CONFIG / 4, std_ulogic_vector(to_unsigned(CONFIG.BLOCKS, 4)), 16)
              or read(reg, HOST_CONFIG / 4, "" & to_sl(CONFIG.DIVIDERS > 0) & to_sl(CONFIG.WIDE > 0)
                                            & to_sl(CONFIG.HAS_SFU) & to_sl(CONFIG.HAS_FPU), 20)
              or read(reg, HOST_STATUS / 4, status_i.trap & "00" & read_i.failed & (read_i.clearing or r.clear)
                                            & "00" & status_i.state)
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
              or read(reg, HOST_FEATURES / 4, "" & (l.atomics and to_sl(CONFIG.HAS_ATOMICS)));

    causes := (others => '0');
    for s in 0 to CONFIG.SMS - 1 loop
      if r.sm = s then
        causes := causes_i(s);
      end if;
    end loop;

    case r.window is
      when WINDOW_REGS   => bus_o.dat <= r.data;
      when WINDOW_BANKS  => bus_o.dat <= bank;
      when WINDOW_CAUSES => bus_o.dat <= causes;
      when WINDOW_CODE   => bus_o.dat <= read_i.code;
      when WINDOW_CONST  => bus_o.dat <= read_i.const;
      when WINDOW_GLOBAL => bus_o.dat <= read_i.global;
    end case;
    if (to_sl(HAS_BUS) and read_i.global_valid) = '1' then
      bus_o.dat <= read_i.global;
    end if;
    bus_o.ack   <= r.ack or (to_sl(HAS_BUS) and read_i.global_valid);
    bus_o.stall <= stall;
    stall       <= ((read_i.clearing or r.clear or v.clear)
                    and (bus_i.we or to_sl(window_of(bus_i.adr) /= WINDOW_REGS)))
                   or read_i.full or (owed and (bus_i.we or to_sl(window_of(bus_i.adr) /= WINDOW_GLOBAL)));
    if HAS_BUS and (memory.global_re and not read_i.global_valid) = '1' then
      v.reading := r.reading + 1;
    elsif HAS_BUS and (read_i.global_valid and not memory.global_re) = '1' then
      v.reading := r.reading - 1;
    end if;
    irq_o      <= status_i.state(1);
    launch_o   <= r.launch;
    launch_o.atomics <= r.launch.atomics and to_sl(CONFIG.HAS_ATOMICS);
    start_o    <= r.start;
    access_o.clear     <= r.clear;
    rin <= v;
  end process;

  u_banks : entity work.ram_1r1w
    generic map (ADDR_BITS => 4, COLUMN_BITS => 32, SEED => CONFIG.SEED)
    port map (
      clk     => clk,
      re_i    => '1',
      raddr_i => unsigned(request.adr(5 downto 2)),
      rdata_o => bank,
      we_i    => bank_we,
      waddr_i => unsigned(request.adr(5 downto 2)),
      wdata_i => request.dat
    );

  take : process (all)
    variable at     : window_t;
    variable reads  : std_ulogic;
    variable writes : std_ulogic;
  begin
    at     := window_of(bus_i.adr);
    reads  := accept and not bus_i.we;
    writes := accept and bus_i.we;
    request_in     <= bus_i;
    request_in.stb <= accept;
    window_in      <= at;
    memory_in      <= (code_we   => writes and to_sl(at = WINDOW_CODE),
                       code_re   => reads and to_sl(at = WINDOW_CODE),
                       const_we  => writes and to_sl(at = WINDOW_CONST),
                       const_re  => reads and to_sl(at = WINDOW_CONST),
                       global_we => writes and to_sl(at = WINDOW_GLOBAL),
                       global_re => reads and to_sl(at = WINDOW_GLOBAL));
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r       <= rin;
      request <= request_in;
      window  <= window_in;
      memory  <= memory_in;
      if rst = '1' then
        request.stb <= '0';
        memory      <= (others => '0');
        r.ack       <= '0';
        r.start     <= '0';
        r.clear     <= '0';
        r.reading   <= (others => '0');
      end if;
    end if;
  end process;

  rules : process (clk)
  begin
    if rising_edge(clk) then
      one_memory : assert rst = '1'
        or (access_o.code_we and (access_o.global_we or access_o.const_we or access_o.param_we)) = '0'
        report "a write goes to two memories" severity failure;
    end if;
  end process;

end architecture;
