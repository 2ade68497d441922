-- SPDX-License-Identifier: Apache-2.0
-- dispatch: as many blocks as registers, shared memory, warps and slots allow; each with its header, parameters, warps
-- and lanes in its own part of the SM; warps where there is local memory, each with its own; a slot is used again when
-- all of its warps have left. A launch of which no block fits is refused.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.host_pkg.all;
use work.bench_pkg.all;

entity dispatch_tb is
end entity dispatch_tb;

architecture sim of dispatch_tb is
  constant WARPS  : positive := 8;
  constant BLOCKS : positive := 4;
  constant SM     : natural  := 7;                           -- number of the last SM that there can be

  signal clk              : std_ulogic := '0';
  signal rst              : std_ulogic := '1';
  signal launch           : launch_t;
  signal host             : host_to_memories_t;
  signal order            : grid_to_sm_t;
  signal setup            : std_ulogic := '0';
  signal param_we         : std_ulogic := '0';
  signal param_addr       : unsigned(5 downto 0) := (others => '0');
  signal param_data       : word_t := (others => '0');
  signal refused          : std_ulogic;
  signal offer            : std_ulogic := '0';
  signal block_x, block_y : unsigned(15 downto 0) := (others => '0');
  signal accept           : std_ulogic;
  signal wants_shared     : std_ulogic;
  signal shared_addr      : shared_word_t;
  signal shared_data      : word_t;
  signal shared_done      : std_ulogic := '0';
  signal tid_ready        : std_ulogic := '1';
  signal init             : front_to_operands_t;
  signal init_taken       : std_ulogic := '0';
  signal start            : std_ulogic;
  signal start_slot       : slot_t;
  signal start_ready      : std_ulogic := '0';
  signal info             : warp_info_t;
  signal state            : warp_state_t;
  signal block_slot       : block_slot_t;
  signal block_first      : slot_t;
  signal block_warps      : unsigned(SLOT_BITS downto 0);
  signal finished         : std_ulogic := '0';
  signal finished_slot    : slot_t := (others => '0');
  signal busy, empty      : std_ulogic;
begin

  host  <= (param_we => param_we, addr => resize(param_addr & "00", 28), data => param_data, others => '0');
  order <= (setup => setup, block_x => block_x, block_y => block_y, others => '0');
  block_slot <= info.block_slot;

  u_dut : entity work.dispatch
    generic map (WARPS => WARPS, BLOCKS => BLOCKS, REG_ROWS => 64, SHARED_BYTES => 1024, INDEX => SM, SEED => 1)
    port map (clk => clk, rst => rst, launch_i => launch, order_i => order, refused_o => refused,
              host_i => host,
              offer_i => offer, accept_o => accept,
              shared_o.valid => wants_shared, shared_o.addr => shared_addr,
              shared_o.data => shared_data, shared_done_i => shared_done, tid_ready_i => tid_ready,
              init_o => init, init_taken_i => init_taken, start_o.valid => start,
              start_o.slot => start_slot, start_o.warp.info => info,
              start_o.warp.state => state, start_o.first => block_first, start_o.warps => block_warps,
              start_ready_i => start_ready,
              finished_i.valid => finished, finished_i.slot => finished_slot, busy_o => busy, empty_o => empty);

  stimulus : process
    variable warps_of_block : natural;
    variable last_lanes     : natural;                       -- threads of a block's last warp
    variable local_slots    : natural := 0;                  -- warp slots with local memory,
    variable local_words    : natural := 0;                  -- words of a thread,
    variable local_first    : natural := 0;                  -- and where it begins
    variable cycle          : natural := 0;                  -- of a block's start
    variable leaving        : integer := -1;                 -- in which the warp in slot 0 leaves

    procedure prepare(threads, regs, shared_bytes : natural) is
    begin
      launch.threads      <= to_unsigned(threads, 11);
      launch.regs         <= to_unsigned(regs, 8);
      launch.shared_bytes <= to_unsigned(shared_bytes, 16);
      warps_of_block := (threads + 31) / 32;
      last_lanes     := threads - 32 * (warps_of_block - 1);
      rst   <= '1';                                          -- as grid.vhd begins
      tick(clk);
      rst   <= '0';
      setup <= '1';
      tick(clk);
      setup <= '0';
      wait for 1 ns;
    end procedure prepare;

    procedure set_up(threads, regs, shared_bytes : positive) is
    begin
      prepare(threads, regs, shared_bytes);
      check(refused = '0', "a block fits");
      for waited in 0 to 2 * BLOCKS loop
        check(accept = '0' and busy = '1', "takes no block while it sets up");
        tick(clk);
      end loop;
      check(busy = '0' and empty = '1', "is ready");
    end procedure set_up;

    -- No block fits: says so once, and takes none.
    procedure refuse(threads, regs, shared_bytes : natural; what : string) is
    begin
      prepare(threads, regs, shared_bytes);
      for finds in 1 to 2 loop
        check(refused = '0', "finds out");
        tick(clk);
      end loop;
      check(refused = '1', what);
      for waited in 2 to 2 * BLOCKS loop
        tick(clk);
        check(refused = '0', "says so once");
      end loop;
      check(busy = '0' and empty = '1' and accept = '0', what & ": takes no block");
    end procedure refuse;

    function header(word, x, y : natural) return word_t is
    begin
      case word is
        when 0 => return x"5a0f" & x"0000";                  -- block x
        when 1 => return x"963c" & x"c3e1";                  -- block z, y
        when 2 => return x"0f5a" & x"f0a5";                  -- grid y, x
        when 3 => return std_ulogic_vector(to_unsigned(y, 16)) & std_ulogic_vector(to_unsigned(x, 16));
        when others => return x"0000beef" xor std_ulogic_vector(to_unsigned(word - 4, 32));
      end case;
    end function header;

    -- A cycle of a block's start.
    procedure step is
    begin
      finished      <= to_sl(cycle = leaving);
      finished_slot <= (others => '0');
      tick(clk);
      finished <= '0';
      cycle := cycle + 1;
    end procedure step;

    -- Gives it a block, which must go to this slot; answers with delays and follows it to its last warp.
    -- R0's beat of the first warp is taken behind the header's word `early`, or behind the header.
    procedure run_block(x, y, slot, shared_bytes, regs : natural; early : natural := 6) is
      variable lanes : lane_mask_t;
    begin
      check(accept = '1', "room for block slot " & integer'image(slot));
      offer   <= '1';
      block_x <= to_unsigned(x, 16);
      block_y <= to_unsigned(y, 16);
      step;
      offer <= '0';
      for word in 0 to 5 loop
        if word mod 2 = 0 then
          shared_done <= '0';
          step;
        end if;
        shared_done <= '1';
        wait for 1 ns;
        check(wants_shared = '1' and shared_addr = slot * shared_bytes / 4 + word, "where header word goes");
        check(shared_data = header(word, x, y),
              "header word " & integer'image(word) & " is " & to_hstring(shared_data));
        check(word < 5 or (block_slot = slot and block_first = slot * warps_of_block and block_warps = warps_of_block),
              "its slot and warps");
        check(init.valid = to_sl(word <= early), "R0's beat of the first warp is offered until it is taken");
        init_taken <= to_sl(word = early);
        step;
        init_taken <= '0';
      end loop;
      shared_done <= '0';
      for w in 0 to warps_of_block - 1 loop
        lanes := (others => '1');
        if w = warps_of_block - 1 then
          for l in lanes'range loop
            lanes(l) := to_sl(l < last_lanes);
          end loop;
        end if;
        if w > 0 or early > 5 then
          step;
          check(init.valid = '1' and init.is_init = '1' and init.slot = slot * warps_of_block + w, "R0's beat");
          check(init.state.active = lanes and init.info.warp = w, "... of these lanes");
          init_taken <= '1';
          step;
          init_taken <= '0';
        end if;
        wait for 1 ns;
        check(init.valid = '0', "R0's beat is taken once");
        check(start = '0', "the warp waits until its state can be written");
        start_ready <= '1';
        wait for 1 ns;
        check(start = '1' and start_slot = slot * warps_of_block + w, "warp slot");
        check(info.block_x = x and info.block_y = y and info.block_slot = slot and info.warp = w, "warp information");
        check(to_warp_info(to_vector(info)) = info, "... as a vector");
        check(info.reg_base = (slot * warps_of_block + w) * regs, "register base");
        check(info.shared_base = slot * shared_bytes, "shared base");
        check(info.local_base = local_first + (SM * local_slots + slot * warps_of_block + w) * local_words,
              "local base");
        check(state.active = lanes and state.alive = lanes and state.depth = 0 and state.calls = 0
              and state.breaks = 0, "warp state");
        step;
        start_ready <= '0';
      end loop;
      wait for 1 ns;
      check(busy = '0' and empty = '0', "the block is resident");
    end procedure run_block;

    procedure leave(slot : natural) is
    begin
      finished      <= '1';
      finished_slot <= to_unsigned(slot, SLOT_BITS);
      tick(clk);
      finished <= '0';
      wait for 1 ns;
    end procedure leave;
  begin
    launch.block_x <= x"5a0f";
    launch.block_y <= x"c3e1";
    launch.block_z <= x"963c";
    launch.grid_x  <= x"f0a5";
    launch.grid_y  <= x"0f5a";
    launch.local_base  <= (others => '0');
    launch.local_bytes <= (others => '0');
    launch.local_warps <= (others => '0');
    launch.param_words <= to_unsigned(2, 6);
    tick(clk);
    rst <= '0';
    for p in 0 to 1 loop
      param_we   <= '1';
      param_addr <= to_unsigned(p, 6);
      param_data <= x"0000beef" xor std_ulogic_vector(to_unsigned(p, 32));
      tick(clk);
    end loop;
    param_we <= '0';

    -- registers: 2 warps of 10 fit three times into 64
    set_up(40, 10, 64);
    run_block(16#9669#, 16#6996#, 0, 64, 10);
    run_block(16#6996#, 16#9669#, 1, 64, 10, early => 5);
    run_block(3, 2, 2, 64, 10, early => 1);
    check(accept = '0', "the registers are used up");
    leave(3);
    check(accept = '0', "half of a block has left");
    leave(2);
    check(accept = '1', "all of it has");
    run_block(4, 2, 1, 64, 10);
    for w in 0 to 5 loop
      check(empty = '0', "warps are left");
      leave(w);
    end loop;
    check(empty = '1', "all have left");
    tid_ready <= '0';
    wait for 1 ns;
    check(accept = '0', "thread ids are not ready");
    tid_ready <= '1';

    -- shared memory: 512 bytes fit twice
    set_up(32, 1, 512);
    run_block(5, 0, 0, 512, 1);
    run_block(6, 0, 1, 512, 1);
    check(accept = '0', "the shared memory is used up");
    -- the first block's only warp leaves in any cycle of the second's start
    for c in 0 to 12 loop
      set_up(32, 1, 512);
      run_block(5, 0, 0, 512, 1);
      cycle   := 0;
      leaving := c;
      run_block(6, 0, 1, 512, 1);
      leaving := -1;
      check(accept = '1' and cycle = 13, "cycle " & integer'image(c) & " is one in which a warp may leave");
    end loop;
    -- warps: 3 fit twice into 8
    set_up(96, 1, 64);
    run_block(7, 0, 0, 64, 1);
    run_block(8, 0, 1, 64, 1);
    check(accept = '0', "the warps are used up");
    -- block slots: four
    set_up(1, 1, 64);
    for b in 0 to 3 loop
      run_block(b, 1, b, 64, 1);
    end loop;
    check(accept = '0', "the block slots are used up");
    -- local memory: five warp slots have some, which are two blocks of two warps
    local_slots := 5;
    local_words := 16#2bd5#;
    local_first := 16#1459a6c#;
    launch.local_base  <= to_unsigned(local_first, 25);
    launch.local_bytes <= to_unsigned(4 * local_words, 16);
    launch.local_warps <= to_unsigned(local_slots, SLOT_BITS + 1);
    set_up(64, 1, 64);
    run_block(9, 0, 0, 64, 1);
    run_block(10, 0, 1, 64, 1);
    check(accept = '0', "the local memory is used up");
    -- as many of the SMs before have as may be
    local_slots := 32;
    launch.local_warps <= to_unsigned(local_slots, SLOT_BITS + 1);
    set_up(256, 1, 64);
    run_block(13, 0, 0, 64, 1);
    local_slots := 5;
    launch.local_warps <= to_unsigned(local_slots, SLOT_BITS + 1);

    -- a block that just fits, and one that just does not
    refuse(192, 1, 64, "six warps where five have local memory");
    launch.local_bytes <= (others => '0');
    local_words := 0;
    set_up(256, 8, 1024);
    run_block(11, 0, 0, 1024, 8);
    check(accept = '0', "all is used up");
    refuse(257, 1, 64, "a warp too many");
    refuse(2046, 1, 64, "more threads than any SM has");
    refuse(0, 1, 64, "no threads");
    refuse(256, 9, 64, "too many registers");
    refuse(32, 65, 64, "too many registers of one warp");
    refuse(32, 1, 1028, "too many shared bytes");
    refuse(32, 1, 32768, "far too many shared bytes");
    refuse(32, 1, 20, "header and parameters are larger than the block's shared memory");
    set_up(32, 64, 24);
    run_block(12, 0, 0, 24, 64);
    leave(0);
    launch.param_words <= to_unsigned(3, 6);
    refuse(32, 64, 24, "one parameter more is");

    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
