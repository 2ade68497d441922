-- SPDX-License-Identifier: Apache-2.0
-- The machine, wiring only: SMS streaming multiprocessors around one code memory and one global memory, the block
-- scheduler, and the host's Wishbone port. The retire port is the trace; left open it costs nothing.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
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
    SEED         : natural  := 0                             -- simulation: initial contents of memories; 0 unknown
  );
  port (
    clk        : in  std_ulogic;
    rst        : in  std_ulogic;
    wb_adr_i   : in  std_ulogic_vector(31 downto 0);         -- byte address
    wb_dat_i   : in  word_t;
    wb_we_i    : in  std_ulogic;
    wb_cyc_i   : in  std_ulogic;
    wb_stb_i   : in  std_ulogic;
    wb_dat_o   : out word_t;
    wb_ack_o   : out std_ulogic;
    wb_stall_o : out std_ulogic;
    irq_o      : out std_ulogic;
    line_o     : out words_t(0 to CORES - 1);                -- trace: the line of the host's last global read
    retire_o       : out retires_t(0 to SMS - 1);
    retire_lanes_o : out retire_lanes_t(0 to SMS * CORES - 1)
  );
end entity;

architecture rtl of gpu is

  subtype sms_t is std_ulogic_vector(SMS - 1 downto 0);

  -- One SM gets a line and an instruction a cycle and needs no more. Several share global memory, in banks, and each
  -- has a queue in front of it and a copy of the first code to itself.
  constant BANKS      : positive := banks_for(SMS, GLOBAL_BYTES / 4 / CORES);
  constant QUEUE      : positive := queue_for(SMS);
  constant LOADS      : positive := loads_for(SMS, CORES);
  constant NEAR_BYTES : positive := 8192;

  signal launch      : launch_t;
  signal start, setup, grid_rst, halt : std_ulogic;
  signal status      : status_t;
  signal host_addr   : unsigned(27 downto 0);
  signal host_data   : word_t;
  signal param_we, bank_we, code_we, code_re, const_we, const_re, global_we, global_re, clear, clearing : std_ulogic;
  signal code_word, global_word : word_t;
  signal const_word  : words_t(0 to SMS - 1);

  signal refused, offer, accept, empty, idle, trap : sms_t;
  signal block_x, block_y : unsigned(15 downto 0);
  signal trap_code   : traps_t(0 to SMS - 1);
  signal trap_slot   : slots_t(0 to SMS - 1);
  signal trap_pc     : pcs_t(0 to SMS - 1);
  signal cause       : causes_t(0 to SMS - 1);
  signal causes      : words_t(0 to SMS - 1);
  signal blocks_left, counted : std_ulogic;
  signal retiring    : sms_t;
  signal active      : lane_masks_t(0 to SMS - 1);
  signal retire      : retires_t(0 to SMS - 1);

  signal code_req, code_grant : sms_t;
  signal code_addr   : code_addrs_t(0 to SMS - 1);
  signal code_data   : code_words_t(0 to SMS - 1);
  signal global_req, global_store, global_grant : sms_t;
  signal global_line : lines_t(0 to SMS - 1);
  signal global_enable : nibbles_t(0 to SMS * CORES - 1);
  signal global_wdata : words_t(0 to SMS * CORES - 1);
  signal global_rdata : words_t(0 to SMS * CORES - 1);
  signal atomic      : atomic_requests_t(0 to SMS - 1);
  signal atomic_done : sms_t;
  signal atomic_old, atomic_new : word_t;

begin

  cores_divide_a_warp : assert CORES = 8 or CORES = 16 or CORES = 32
    report "CORES must be 8, 16 or 32" severity failure;
  memories_are_whole : assert 2 ** log2(REGISTERS) = REGISTERS and 2 ** log2(CODE_BYTES) = CODE_BYTES
                              and 2 ** log2(GLOBAL_BYTES) = GLOBAL_BYTES and 2 ** log2(STACK_DEPTH) = STACK_DEPTH
    report "REGISTERS, CODE_BYTES, GLOBAL_BYTES and STACK_DEPTH must be powers of two" severity failure;

  u_host : entity work.host
    generic map (SMS => SMS, CORES => CORES, WARPS => WARPS, BLOCKS => BLOCKS, HAS_ATOMICS => HAS_ATOMICS,
                 SEED => SEED)
    port map (
      clk         => clk,
      rst         => rst,
      wb_adr_i    => wb_adr_i,
      wb_dat_i    => wb_dat_i,
      wb_we_i     => wb_we_i,
      wb_cyc_i    => wb_cyc_i,
      wb_stb_i    => wb_stb_i,
      wb_dat_o    => wb_dat_o,
      wb_ack_o    => wb_ack_o,
      wb_stall_o  => wb_stall_o,
      irq_o       => irq_o,
      launch_o    => launch,
      start_o     => start,
      status_i    => status,
      causes_i    => causes,
      addr_o      => host_addr,
      data_o      => host_data,
      param_we_o  => param_we,
      bank_we_o   => bank_we,
      code_we_o   => code_we,
      code_re_o   => code_re,
      code_i      => code_word,
      const_we_o  => const_we,
      const_re_o  => const_re,
      const_i     => const_word(0),
      global_we_o => global_we,
      global_re_o => global_re,
      global_i    => global_word,
      clear_o     => clear,
      clearing_i  => clearing
    );

  u_grid : entity work.grid
    generic map (SMS => SMS)
    port map (
      clk         => clk,
      rst         => rst,
      launch_i    => launch,
      start_i     => start,
      grid_rst_o  => grid_rst,
      setup_o     => setup,
      offer_o     => offer,
      block_x_o   => block_x,
      block_y_o   => block_y,
      refused_i   => refused,
      accept_i    => accept,
      empty_i     => empty,
      idle_i      => idle,
      trap_i      => trap,
      trap_code_i => trap_code,
      trap_slot_i => trap_slot,
      trap_pc_i   => trap_pc,
      halt_o      => halt,
      blocks_left_o => blocks_left,
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
      req_i       => code_req,
      addr_i      => code_addr,
      grant_o     => code_grant,
      data_o      => code_data,
      host_re_i   => code_re,
      host_we_i   => code_we,
      host_addr_i => host_addr(23 downto 0),
      host_data_i => host_data,
      host_data_o => code_word
    );

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
      req_i       => global_req,
      we_i        => global_store,
      line_i      => global_line,
      bytes_i     => global_enable,
      data_i      => global_wdata,
      grant_o     => global_grant,
      data_o      => global_rdata,
      atomic_i      => atomic,
      atomic_done_o => atomic_done,
      atomic_old_o  => atomic_old,
      atomic_new_o  => atomic_new,
      host_re_i   => global_re,
      host_we_i   => global_we,
      host_addr_i => "0000" & host_addr(27 downto 2),
      host_data_i => host_data,
      host_data_o => global_word,
      host_line_o => line_o,
      clear_i     => clear,
      clearing_o  => clearing
    );

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
        LOADS        => LOADS,
        STACK_DEPTH  => STACK_DEPTH,
        HAS_ATOMICS  => HAS_ATOMICS,
        INDEX        => s,
        SEED         => SEED
      )
      port map (
        clk            => clk,
        rst            => grid_rst,
        launch_i       => launch,
        setup_i        => setup,
        halt_i         => halt,
        clock_i        => std_ulogic_vector(status.cycles(31 downto 0)),
        offer_i        => offer(s),
        block_x_i      => block_x,
        block_y_i      => block_y,
        refused_o      => refused(s),
        accept_o       => accept(s),
        blocks_left_i  => blocks_left,
        empty_o        => empty(s),
        idle_o         => idle(s),
        trap_o         => trap(s),
        trap_code_o    => trap_code(s),
        trap_slot_o    => trap_slot(s),
        trap_pc_o      => trap_pc(s),
        code_req_o     => code_req(s),
        code_addr_o    => code_addr(s),
        code_grant_i   => code_grant(s),
        code_data_i    => code_data(s),
        global_req_o   => global_req(s),
        global_we_o    => global_store(s),
        global_line_o  => global_line(s),
        global_bytes_o => global_enable(s * CORES to s * CORES + CORES - 1),
        global_data_o  => global_wdata(s * CORES to s * CORES + CORES - 1),
        global_grant_i => global_grant(s),
        global_data_i  => global_rdata(s * CORES to s * CORES + CORES - 1),
        atomic_o       => atomic(s),
        atomic_done_i  => atomic_done(s),
        atomic_old_i   => atomic_old,
        atomic_new_i   => atomic_new,
        param_we_i     => param_we,
        param_addr_i   => host_addr(7 downto 2),
        bank_we_i      => bank_we,
        const_we_i     => const_we,
        const_re_i     => const_re,
        const_addr_i   => host_addr(12 downto 2),
        host_data_i    => host_data,
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
        addr_i   => host_addr(5 downto 2),
        cycles_o => causes(s)
      );

    retiring(s) <= retire(s).valid and retire(s).last;
    active(s)   <= retire(s).active;
  end generate;

  retire_o <= retire;

end architecture;
