-- SPDX-License-Identifier: Apache-2.0
-- The machine, wiring only: SMS streaming multiprocessors around one code memory and one global memory, the block
-- scheduler, and the host's Wishbone port. The retire port is the trace; left open it costs nothing.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.front_pkg.all;
use work.memory_pkg.all;
use work.host_pkg.all;
use work.lists_pkg.all;
use work.retire_pkg.all;

entity gpu is
  generic (
    SMS          : positive range 1 to 8  := 1;
    CORES        : positive range 8 to 32 := 8;              -- per SM: 8, 16 or 32
    WARPS        : positive range 1 to 32 := 32;             -- per SM
    BLOCKS       : positive range 1 to 8  := 8;              -- per SM
    REGISTERS    : positive range 64 to 16384   := 16384;    -- per SM, 32 bits each
    SHARED_BYTES : positive range 16 to 16384   := 16384;    -- per SM
    CODE_BYTES   : positive := 262144;
    GLOBAL_BYTES : positive := 262144;
    STACK_DEPTH  : positive range 2 to 64 := 64;             -- entries of a warp stack
    HAS_ATOMICS  : boolean  := false;                        -- GATOM and GRED, where HOST_FEATURES switches them on
    HAS_FPU      : boolean  := false;                        -- FADD, FMUL, FMAD, comparisons, conversions
    HAS_SFU      : boolean  := false;                        -- RCP, RSQ, LG2, SIN, COS, EX2
    WIDE         : natural range 0 to 32 := 0;               -- sm_10x: lanes of an SM that multiply words (WMUL, WMAD):
                                                             -- CORES, or half of them, each for two; 0: undefined
    DIVIDERS     : natural range 0 to 32 := 0;               -- sm_10x: dividers of an SM (IDIV, IREM); 0: none
    BUS_WORDS    : natural range 0 to 32 := 0;               -- global memory is behind an AXI4 bus of so many words,
                                                             -- CORES at most; 0: it is block RAM, the bus is not used
    SEED         : natural  := 0                             -- simulation: initial contents of memories; 0 unknown
  );
  port (
    clk            : in  std_ulogic;
    rst            : in  std_ulogic;
    bus_i          : in  master_to_host_t;
    bus_o          : out host_to_master_t;
    irq_o          : out std_ulogic;
    line_o         : out words_t(0 to CORES - 1);            -- trace: the line of the host's last global read
    retire_o       : out retires_t(0 to SMS - 1);
    retire_lanes_o : out retire_lanes_t(0 to SMS * CORES - 1);
    axi_o          : out global_to_axi_t;
    axi_i          : in  axi_to_global_t := AXI_TO_GLOBAL_INIT;
    axi_wstrb_o    : out nibbles_t(0 to axi_words(BUS_WORDS) - 1);
    axi_wdata_o    : out words_t(0 to axi_words(BUS_WORDS) - 1);
    axi_rdata_i    : in  words_t(0 to axi_words(BUS_WORDS) - 1) := (others => (others => '0'))
  );
end entity;

architecture rtl of gpu is

  subtype sms_t is std_ulogic_vector(SMS - 1 downto 0);

  -- One SM gets a line and an instruction a cycle and needs no more. Several share global memory, in banks, and each
  -- has a copy of the first code to itself.
  constant BANKS      : positive := banks_for(SMS, GLOBAL_BYTES / 4 / CORES);
  constant QUEUE      : positive := 16;            -- accesses of an SM that wait
  constant LOADS      : positive := loads_for(SMS, CORES);
  constant NEAR_BYTES : positive := 8192;
  -- Of a bus: loads of an SM that wait, lines of loads and of stores under way.
  constant HAS_BUS    : boolean  := BUS_WORDS > 0;
  constant RETURNS    : natural  := returns_for(BUS_WORDS);
  constant BUS_LOADS  : positive := 64;
  constant BUS_STORES : positive := 32;

  signal launch          : launch_t;
  signal start, grid_rst : std_ulogic;
  signal status          : grid_to_host_t;
  signal host            : host_to_memories_t;
  signal read            : memories_to_host_t;
  signal const_word      : words_t(0 to SMS - 1);

  signal order    : grid_to_sm_t;
  signal offer    : sms_t;
  signal reports  : sms_to_grid_t(0 to SMS - 1);
  signal cause    : causes_t(0 to SMS - 1);
  signal causes   : words_t(0 to SMS - 1);
  signal counted  : std_ulogic;
  signal retiring : sms_t;
  signal active   : lane_masks_t(0 to SMS - 1);
  signal retire   : retires_t(0 to SMS - 1);

  signal code_request   : sms_to_code_t(0 to SMS - 1);
  signal code_answer    : code_to_sms_t(0 to SMS - 1);
  signal global_request : sms_to_global_t(0 to SMS - 1);
  signal global_answer  : global_to_sms_t(0 to SMS - 1);
  signal global_enable  : nibbles_t(0 to SMS * CORES - 1);
  signal global_wdata   : words_t(0 to SMS * CORES - 1);
  signal global_rdata   : words_t(0 to SMS * CORES - 1);

begin

  cores_divide_a_warp : assert CORES = 8 or CORES = 16 or CORES = 32
    report "CORES must be 8, 16 or 32" severity failure;
  memories_are_whole : assert 2 ** log2(REGISTERS) = REGISTERS and 2 ** log2(CODE_BYTES) = CODE_BYTES
                              and 2 ** log2(GLOBAL_BYTES) = GLOBAL_BYTES and 2 ** log2(STACK_DEPTH) = STACK_DEPTH
    report "REGISTERS, CODE_BYTES, GLOBAL_BYTES and STACK_DEPTH must be powers of two" severity failure;

  u_host : entity work.host
    generic map (SMS => SMS, CORES => CORES, WARPS => WARPS, BLOCKS => BLOCKS, HAS_ATOMICS => HAS_ATOMICS,
                 HAS_FPU => HAS_FPU, HAS_SFU => HAS_SFU, WIDE => WIDE, DIVIDERS => DIVIDERS, HAS_BUS => HAS_BUS,
                 SEED => SEED)
    port map (
      clk         => clk,
      rst         => rst,
      bus_i       => bus_i,
      bus_o       => bus_o,
      irq_o       => irq_o,
      launch_o    => launch,
      start_o     => start,
      status_i    => status,
      causes_i    => causes,
      access_o    => host,
      read_i      => read
    );

  read.const <= const_word(0);

  u_grid : entity work.grid
    generic map (SMS => SMS)
    port map (
      clk         => clk,
      rst         => rst,
      launch_i    => launch,
      start_i     => start,
      grid_rst_o  => grid_rst,
      order_o     => order,
      offer_o     => offer,
      report_i    => reports,
      retire_i    => retiring,
      active_i    => active,
      counted_o   => counted,
      status_o    => status
    );

  u_code : entity work.code_memory
    generic map (SMS => SMS, CODE_BYTES => CODE_BYTES, NEAR_BYTES => NEAR_BYTES, SEED => SEED)
    port map (
      clk         => clk,
      rst         => grid_rst,
      request_i   => code_request,
      answer_o    => code_answer,
      host_i      => host,
      host_data_o => read.code
    );

  in_block_ram : if not HAS_BUS generate
    u_global : entity work.global_memory
      generic map (
        SMS          => SMS,
        CORES        => CORES,
        GLOBAL_BYTES => GLOBAL_BYTES,
        BANKS        => BANKS,
        HAS_ATOMICS  => HAS_ATOMICS,
        SEED         => SEED
      )
      port map (
        clk         => clk,
        rst         => rst,
        grid_rst_i  => grid_rst,
        request_i   => global_request,
        bytes_i     => global_enable,
        data_i      => global_wdata,
        answer_o    => global_answer,
        data_o      => global_rdata,
        host_i      => host,
        host_data_o => read.global,
        host_line_o => line_o,
        clearing_o  => read.clearing
      );
    read.global_valid <= '0';
    read.full         <= '0';
    read.failed       <= '0';
    axi_o       <= GLOBAL_TO_AXI_INIT;
    axi_wstrb_o <= (others => (others => '0'));
    axi_wdata_o <= (others => (others => '0'));
  else generate
    signal line : words_t(0 to CORES - 1);
  begin
    u_global : entity work.global_bus
      generic map (
        SMS          => SMS,
        CORES        => CORES,
        GLOBAL_BYTES => GLOBAL_BYTES,
        BUS_WORDS    => axi_words(BUS_WORDS),
        LOADS        => BUS_LOADS,
        STORES       => BUS_STORES,
        HAS_ATOMICS  => HAS_ATOMICS,
        SEED         => SEED
      )
      port map (
        clk         => clk,
        rst         => rst,
        grid_rst_i  => grid_rst,
        request_i   => global_request,
        bytes_i     => global_enable,
        data_i      => global_wdata,
        answer_o    => global_answer,
        data_o      => line,
        host_i      => host,
        host_full_o  => read.full,
        host_valid_o => read.global_valid,
        host_data_o => read.global,
        host_line_o => line_o,
        clearing_o  => read.clearing,
        failed_o    => read.failed,
        axi_o       => axi_o,
        axi_i       => axi_i,
        wstrb_o     => axi_wstrb_o,
        wdata_o     => axi_wdata_o,
        rdata_i     => axi_rdata_i
      );

    all_sms : for s in 0 to SMS - 1 generate
      global_rdata(s * CORES to s * CORES + CORES - 1) <= line;
    end generate;
  end generate;

  multiprocessor : for s in 0 to SMS - 1 generate
    u_sm : entity work.sm
      generic map (
        CORES        => CORES,
        WARPS        => WARPS,
        BLOCKS       => BLOCKS,
        REGISTERS    => REGISTERS,
        SHARED_BYTES => SHARED_BYTES,
        GLOBAL_BYTES => GLOBAL_BYTES,
        QUEUE        => QUEUE,
        RETURNS      => RETURNS,
        LOADS        => LOADS,
        STACK_DEPTH  => STACK_DEPTH,
        HAS_ATOMICS  => HAS_ATOMICS,
        HAS_FPU      => HAS_FPU,
        HAS_SFU      => HAS_SFU,
        WIDE         => WIDE,
        DIVIDERS     => DIVIDERS,
        INDEX        => s,
        SEED         => SEED
      )
      port map (
        clk            => clk,
        rst            => grid_rst,
        launch_i       => launch,
        clock_i        => std_ulogic_vector(status.cycles(31 downto 0)),
        order_i        => order,
        offer_i        => offer(s),
        report_o       => reports(s),
        code_o         => code_request(s),
        code_i         => code_answer(s),
        global_o       => global_request(s),
        global_bytes_o => global_enable(s * CORES to s * CORES + CORES - 1),
        global_data_o  => global_wdata(s * CORES to s * CORES + CORES - 1),
        global_i       => global_answer(s),
        global_data_i  => global_rdata(s * CORES to s * CORES + CORES - 1),
        host_i         => host,
        const_data_o   => const_word(s),
        cause_o        => cause(s),
        retire_o       => retire(s),
        retire_lanes_o => retire_lanes_o(s * CORES to s * CORES + CORES - 1)
      );

    u_counters : entity work.cause_counters
      generic map (SEED => SEED)
      port map (
        clk      => clk,
        clear_i  => start,
        count_i  => counted,
        cause_i  => cause(s),
        addr_i   => host.addr(5 downto 2),
        cycles_o => causes(s)
      );

    retiring(s) <= retire(s).valid and retire(s).last;
    active(s)   <= retire(s).active;
  end generate;

  retire_o <= retire;

end architecture;
