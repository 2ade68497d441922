-- SPDX-License-Identifier: Apache-2.0
-- The machine on a board: a classic Wishbone slave, one transfer at a time, and the registers of spec/board.def. Two of
-- them hold sums over all transfers of the bridge to the host (bridge_*). Global memory is block RAM, or with BUS_WORDS
-- at an AXI4 bus, which a reset of the machine does not disturb. gpu_board is the shell with pins.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.machine_pkg.all;
use work.memory_pkg.all;
use work.host_pkg.all;
use work.board_pkg.all;
use work.retire_pkg.all;

entity board is
  generic (
    CONFIG   : config_t := CONFIG_DEFAULT;
    HAS_HASH : boolean  := false                             -- hashes what retires: retire_hash
  );
  port (
    clk           : in  std_ulogic;
    rst           : in  std_ulogic;
    bus_i         : in  master_to_host_t;                    -- classic: the strobe is held until the acknowledge
    dat_o         : out word_t;
    ack_o         : out std_ulogic;
    bridge_ack_i  : in  std_ulogic;                          -- a transfer of the bridge to the host ends
    bridge_we_i   : in  std_ulogic;
    bridge_adr_i  : in  word_t;
    bridge_wdat_i : in  word_t;
    bridge_rdat_i : in  word_t;
    irq_o         : out std_ulogic;
    axi_o         : out global_to_axi_t;                     -- global memory's bus
    axi_i         : in  axi_to_global_t := AXI_TO_GLOBAL_INIT;
    axi_wstrb_o   : out nibbles_t(0 to axi_words(CONFIG.BUS_WORDS) - 1);
    axi_wdata_o   : out words_t(0 to axi_words(CONFIG.BUS_WORDS) - 1);
    axi_rdata_i   : in  words_t(0 to axi_words(CONFIG.BUS_WORDS) - 1)
  );
end entity;

architecture rtl of board is
  constant CORES  : positive := CONFIG.CORES;
  constant SMS    : positive := CONFIG.SMS;

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

  constant BEATS : positive := CORES / axi_words(CONFIG.BUS_WORDS);

  signal machine_asks    : global_to_axi_t;
  signal machine_answers : axi_to_global_t;

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
    ours := is_board(bus_i.adr) or is_hash(bus_i.adr);

    request.adr <= bus_i.adr;
    request.dat <= bus_i.dat;
    request.we  <= bus_i.we;
    request.cyc <= bus_i.cyc;
    request.stb <= bus_i.cyc and bus_i.stb and not ours and not r.busy and not close;
    if request.stb = '1' and answer.stall = '0' then
      v.busy := '1';
    elsif answer.ack = '1' then
      v.busy := '0';
    end if;

    v.ack   := bus_i.cyc and bus_i.stb and ours and not r.ack;
    v.clear := '0';
    v.dat   := writes;
    if bus_i.adr(2) = '1' then
      v.dat := reads;
    end if;
    if bus_i.adr(3) = '1' then
      v.dat := std_ulogic_vector(to_unsigned(HASHES, 32));
    end if;

    -- A hash answers three cycles later, when it has nothing to clear.
    asks_hash   := v.ack and is_hash(bus_i.adr);
    writes_hash <= asks_hash and bus_i.we and to_sl(r.asked = 0);
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
    if v.ack = '1' and bus_i.we = '1' and asks_hash = '0' then
      v.clear := to_sl(unsigned(bus_i.adr(3 downto 0)) = BOARD_WRITES mod 16);
      if unsigned(bus_i.adr(3 downto 0)) = BOARD_RESET mod 16 then
        v.close := '1';
      end if;
    end if;

    ack_o <= r.ack or (answer.ack and r.busy);
    dat_o <= r.dat when r.ack = '1' else answer.dat;
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
    generic map (CONFIG => CONFIG)
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
      axi_wstrb_o    => axi_wstrb_o,
      axi_wdata_o    => axi_wdata_o,
      axi_rdata_i    => axi_rdata_i
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
          adr_i    => unsigned(bus_i.adr(9 downto 0)),
          dat_i    => bus_i.dat,
          dat_o    => answers(s),
          busy_o   => busy(s)
        );
    end generate;
    hash_busy <= busy(0);

    choose : process (all)
    begin
      hash <= answers(0);
      for s in 1 to SMS - 1 loop
        if unsigned(bus_i.adr(12 downto 10)) = s then
          hash <= answers(s);
        end if;
      end loop;
    end process;
  else generate
    hash      <= (others => '0');
    hash_busy <= '0';
  end generate;

  at_bus : if CONFIG.BUS_WORDS > 0 generate
    u_gate : entity work.bus_gate
      generic map (BEATS => BEATS)
      port map (clk => clk, rst => rst, close_i => close, idle_o => idle, machine_i => machine_asks,
                machine_o => machine_answers, memory_o => axi_o, memory_i => axi_i);
  else generate
    idle            <= not rst;                              -- a '1' is more than ghdl 2.0 can synthesise
    machine_answers <= axi_i;
    axi_o           <= machine_asks;
  end generate;

end architecture;
