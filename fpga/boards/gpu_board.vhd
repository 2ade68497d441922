-- SPDX-License-Identifier: Apache-2.0
-- The machine as a board has it: a classic Wishbone slave (strobe held until the acknowledge, one
-- transfer at a time) in place of a pipelined one, and the registers of spec/board.def. The sums are over what the
-- bridge to the host transfers, wherever that goes: bridge_* is its bus, as a master sees it. Global memory is block
-- RAM, or with BUS_WORDS at the AXI4 bus, which a reset of the machine leaves in order. HAS_HASH looks at the trace.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.memory_pkg.all;
use work.host_pkg.all;
use work.board_pkg.all;
use work.retire_pkg.all;

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
    HAS_SFU      : boolean  := false;
    HAS_HASH     : boolean  := false;                        -- what retires is hashed: retire_hash
    BUS_WORDS    : natural  := 0                             -- see gpu; without a bus its port has one word, unused
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
    irq_o         : out std_ulogic;
    -- global memory's bus: AXI4, one ID
    axi_araddr_o  : out std_ulogic_vector(31 downto 0);
    axi_arlen_o   : out std_ulogic_vector(7 downto 0);
    axi_arsize_o  : out std_ulogic_vector(2 downto 0);
    axi_arburst_o : out std_ulogic_vector(1 downto 0);
    axi_arvalid_o : out std_ulogic;
    axi_arready_i : in  std_ulogic := '0';
    axi_rdata_i   : in  std_ulogic_vector(axi_words(BUS_WORDS) * 32 - 1 downto 0) := (others => '0');
    axi_rresp_i   : in  std_ulogic_vector(1 downto 0) := "00";
    axi_rvalid_i  : in  std_ulogic := '0';
    axi_rready_o  : out std_ulogic;
    axi_awaddr_o  : out std_ulogic_vector(31 downto 0);
    axi_awlen_o   : out std_ulogic_vector(7 downto 0);
    axi_awsize_o  : out std_ulogic_vector(2 downto 0);
    axi_awburst_o : out std_ulogic_vector(1 downto 0);
    axi_awvalid_o : out std_ulogic;
    axi_awready_i : in  std_ulogic := '0';
    axi_wdata_o   : out std_ulogic_vector(axi_words(BUS_WORDS) * 32 - 1 downto 0);
    axi_wstrb_o   : out std_ulogic_vector(axi_words(BUS_WORDS) * 4 - 1 downto 0);
    axi_wlast_o   : out std_ulogic;
    axi_wvalid_o  : out std_ulogic;
    axi_wready_i  : in  std_ulogic := '0';
    axi_bresp_i   : in  std_ulogic_vector(1 downto 0) := "00";
    axi_bvalid_i  : in  std_ulogic := '0';
    axi_bready_o  : out std_ulogic
  );
end entity;

architecture rtl of gpu_board is

  type board_t is record
    busy  : std_ulogic;                                      -- the machine has taken a transfer, its answer is to come
    ack   : std_ulogic;                                      -- of a register of the board
    dat   : word_t;
    clear : std_ulogic;
    close : std_ulogic;                                      -- the machine is to be reset once its bus is idle
    reset : unsigned(4 downto 0);                            -- cycles in which the machine still is reset: highest bit
    asked : unsigned(1 downto 0);                            -- cycles since a hash was asked for
  end record;

  signal r, rin        : board_t;
  signal request       : master_to_host_t;
  signal answer        : host_to_master_t;
  signal gpu_rst       : std_ulogic;
  signal close         : std_ulogic;                         -- the bus
  signal idle          : std_ulogic;                         -- it is closed, and nothing is under way
  signal counts        : std_ulogic;
  signal bridge_dat    : word_t;
  signal clear         : std_ulogic;
  signal writes, reads : word_t;

  signal writes_hash : std_ulogic;
  signal hash        : word_t;
  signal hash_busy   : std_ulogic;
  signal retire      : retires_t(0 to SMS - 1);
  signal lanes       : retire_lanes_t(0 to SMS * CORES - 1);

  constant HASHES : natural := SMS * boolean'pos(HAS_HASH);

  constant BEAT_WORDS : positive := axi_words(BUS_WORDS);
  constant BEATS      : positive := CORES / BEAT_WORDS;

  signal machine_asks, memory_asks       : global_to_axi_t;
  signal machine_answers, memory_answers : axi_to_global_t;
  signal wstrb        : nibbles_t(0 to BEAT_WORDS - 1);
  signal wdata, rdata : words_t(0 to BEAT_WORDS - 1);

  function is_board(adr : std_ulogic_vector(31 downto 0)) return std_ulogic is
  begin
    return to_sl(unsigned(adr(31 downto 4)) = BOARD_WRITES / 16);
  end function;

  function is_hash(adr : std_ulogic_vector(31 downto 0)) return std_ulogic is
  begin
    return to_sl(HAS_HASH) and to_sl(unsigned(adr(31 downto 13)) = BOARD_HASH_FROM / 2 ** 13);
  end function;

begin

  comb : process (all)
    variable v    : board_t;
    variable ours : std_ulogic;
    variable asks_hash : std_ulogic;
  begin
    v    := r;
    ours := is_board(wb_adr_i) or is_hash(wb_adr_i);

    request.adr <= wb_adr_i;
    request.dat <= wb_dat_i;
    request.we  <= wb_we_i;
    request.cyc <= wb_cyc_i;
    request.stb <= wb_cyc_i and wb_stb_i and not ours and not r.busy and not close;
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
    if wb_adr_i(3) = '1' then
      v.dat := std_ulogic_vector(to_unsigned(HASHES, 32));
    end if;

    -- A hash answers three cycles later, when it has nothing to clear.
    asks_hash   := v.ack and is_hash(wb_adr_i);
    writes_hash <= asks_hash and wb_we_i and to_sl(r.asked = 0);
    v.asked     := (others => '0');
    if asks_hash = '1' then
      v.dat   := hash;
      v.asked := r.asked;
      if r.asked /= 3 then
        v.asked := r.asked + 1;
      end if;
      v.ack := to_sl(r.asked = 3) and not hash_busy;
    end if;
    if r.reset(4) = '1' then
      v.reset := r.reset + 1;
    end if;
    if (r.close and idle) = '1' then
      v.close := '0';
      v.reset := "10000";
    end if;
    if v.ack = '1' and wb_we_i = '1' and asks_hash = '0' then
      v.clear := to_sl(unsigned(wb_adr_i(3 downto 0)) = BOARD_WRITES mod 16);
      if unsigned(wb_adr_i(3 downto 0)) = BOARD_RESET mod 16 then
        v.close := '1';
      end if;
    end if;

    wb_ack_o <= r.ack or (answer.ack and r.busy);
    wb_dat_o <= r.dat when r.ack = '1' else answer.dat;
    gpu_rst  <= rst or r.reset(4);
    close    <= r.close or r.reset(4);
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
        r.close <= '0';
        r.reset <= (others => '0');
        r.asked <= (others => '0');
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
                 STACK_DEPTH => STACK_DEPTH, HAS_ATOMICS => HAS_ATOMICS, HAS_FPU => HAS_FPU, HAS_SFU => HAS_SFU,
                 BUS_WORDS => BUS_WORDS)
    port map (
      clk            => clk,
      rst            => gpu_rst,
      bus_i          => request,
      bus_o          => answer,
      irq_o          => irq_o,
      line_o         => open,
      retire_o       => retire,
      retire_lanes_o => lanes,
      axi_o          => machine_asks,
      axi_i          => machine_answers,
      axi_wstrb_o    => wstrb,
      axi_wdata_o    => wdata,
      axi_rdata_i    => rdata
    );

  with_hash : if HAS_HASH generate
    signal answers : words_t(0 to SMS - 1);
    signal busy   : std_ulogic_vector(0 to SMS - 1);
  begin
    each : for s in 0 to SMS - 1 generate
      u_hash : entity work.retire_hash
        generic map (CORES => CORES)
        port map (
          clk      => clk,
          rst      => rst,
          retire_i => retire(s),
          lanes_i  => lanes(s * CORES to s * CORES + CORES - 1),
          we_i     => writes_hash,
          adr_i    => unsigned(wb_adr_i(9 downto 0)),
          dat_i    => wb_dat_i,
          dat_o    => answers(s),
          busy_o   => busy(s)
        );
    end generate;
    hash_busy <= busy(0);

    choose : process (all)
    begin
      hash <= answers(0);
      for s in 1 to SMS - 1 loop
        if unsigned(wb_adr_i(12 downto 10)) = s then
          hash <= answers(s);
        end if;
      end loop;
    end process;
  else generate
    hash      <= (others => '0');
    hash_busy <= '0';
  end generate;

  at_bus : if BUS_WORDS > 0 generate
    u_gate : entity work.bus_gate
      generic map (BEATS => BEATS)
      port map (clk => clk, rst => rst, close_i => close, idle_o => idle, machine_i => machine_asks,
                machine_o => machine_answers, memory_o => memory_asks, memory_i => memory_answers);
  else generate
    idle            <= not rst;                              -- a '1' is more than ghdl 2.0 can synthesise
    machine_answers <= memory_answers;
    memory_asks     <= machine_asks;
  end generate;

  memory_answers <= (ar_ready => axi_arready_i, aw_ready => axi_awready_i, w_ready => axi_wready_i,
                     r_valid => axi_rvalid_i, r_error => axi_rresp_i(1), b_valid => axi_bvalid_i,
                     b_error => axi_bresp_i(1));
  axi_araddr_o  <= memory_asks.ar.address;
  axi_arvalid_o <= memory_asks.ar.valid;
  axi_arlen_o   <= std_ulogic_vector(to_unsigned(BEATS - 1, 8));
  axi_arsize_o  <= std_ulogic_vector(to_unsigned(log2(BEAT_WORDS) + 2, 3));
  axi_arburst_o <= "01";
  axi_rready_o  <= memory_asks.r_ready;
  axi_awaddr_o  <= memory_asks.aw.address;
  axi_awvalid_o <= memory_asks.aw.valid;
  axi_awlen_o   <= axi_arlen_o;
  axi_awsize_o  <= axi_arsize_o;
  axi_awburst_o <= axi_arburst_o;
  axi_wvalid_o  <= memory_asks.w_valid;
  axi_wlast_o   <= memory_asks.w_last;
  axi_bready_o  <= '1';
  beat : for w in 0 to BEAT_WORDS - 1 generate
    axi_wstrb_o(w * 4 + 3 downto w * 4)    <= wstrb(w);
    axi_wdata_o(w * 32 + 31 downto w * 32) <= wdata(w);
    rdata(w) <= axi_rdata_i(w * 32 + 31 downto w * 32);
  end generate;

end architecture;
