-- SPDX-License-Identifier: Apache-2.0
-- host: launch registers read back as written and reach their own field; identity, status and counters; windows onto
-- the memories; a transfer is done in the cycle after and acknowledged in the next one, once; stalls while global
-- memory clears itself. Behind a bus words of global memory are acknowledged when they come, and nothing else is
-- accepted before; where it is full, nothing is.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.host_pkg.all;
use work.lists_pkg.all;
use work.bench_pkg.all;

entity host_tb is
end entity host_tb;

architecture sim of host_tb is
  signal request : master_to_host_t;
  signal answer, answer_without, answer_of_bus : host_to_master_t;
  signal access_now : host_to_memories_t;
  signal read    : memories_to_host_t;
  signal clk      : std_ulogic := '0';
  signal rst      : std_ulogic := '1';
  signal adr      : std_ulogic_vector(31 downto 0) := (others => '0');
  signal to_host, from_host : word_t := (others => '0');
  signal we, cyc, stb : std_ulogic := '0';
  signal ack, stall, irq : std_ulogic;
  signal launch   : launch_t;
  signal launch_without    : launch_t;
  signal from_host_without : word_t;
  signal start    : std_ulogic;
  signal status   : grid_to_host_t := GRID_TO_HOST_INIT;
  signal causes_of_8 : words_t(0 to 7) := (others => x"00000000");
  signal mem_addr : unsigned(27 downto 0);
  signal mem_data : word_t;
  signal param_we, bank_we, code_we, code_re, const_we, const_re, global_we, global_re : std_ulogic;
  signal clear    : std_ulogic;
  signal clearing : std_ulogic := '0';
  signal comes, full, failed : std_ulogic := '0';            -- behind a bus
  signal enables_of_memories : std_ulogic_vector(7 downto 0);
begin

  u_dut : entity work.host
    generic map (SMS => 2, CORES => 16, WARPS => 32, BLOCKS => 8, HAS_ATOMICS => true, SEED => 1)
    port map (clk => clk, rst => rst, bus_i => request, bus_o => answer, irq_o => irq, launch_o => launch,
              start_o => start, status_i => status, causes_i => causes_of_8(0 to 1), access_o => access_now,
              read_i => read);

  -- a machine of eight SMs without atomics, which listens along
  u_without : entity work.host
    generic map (SMS => 8, CORES => 16, WARPS => 32, BLOCKS => 8, HAS_ATOMICS => false, SEED => 1)
    port map (clk => clk, rst => rst, bus_i => request, bus_o => answer_without, irq_o => open,
              launch_o => launch_without, start_o => open, status_i => status, causes_i => causes_of_8,
              access_o => open, read_i => read);

  -- one with global memory behind a bus
  u_bus : entity work.host
    generic map (SMS => 2, CORES => 16, WARPS => 32, BLOCKS => 8, HAS_ATOMICS => true, HAS_BUS => true, SEED => 1)
    port map (clk => clk, rst => rst, bus_i => request, bus_o => answer_of_bus, irq_o => open,
              launch_o => open, start_o => open, status_i => status, causes_i => causes_of_8(0 to 1),
              access_o => open, read_i => read);

  request <= (adr => adr, dat => to_host, we => we, cyc => cyc, stb => stb);
  from_host <= answer.dat;
  from_host_without <= answer_without.dat;
  ack   <= answer.ack;
  stall <= answer.stall;
  read  <= (code => x"c0dec0de", const => x"c0575757", global => x"610ba100", global_valid => comes, full => full,
            failed => failed, clearing => clearing);
  mem_addr  <= access_now.addr;
  mem_data  <= access_now.data;
  param_we  <= access_now.param_we;
  bank_we   <= access_now.bank_we;
  code_we   <= access_now.code_we;
  code_re   <= access_now.code_re;
  const_we  <= access_now.const_we;
  const_re  <= access_now.const_re;
  global_we <= access_now.global_we;
  global_re <= access_now.global_re;
  clear     <= access_now.clear;

  enables_of_memories <= bank_we & global_re & global_we & const_re & const_we & code_re & code_we & param_we;

  stimulus : process
    type reg_t is record
      address : natural;
      bits    : word_t;                                      -- those that it has
    end record reg_t;
    type regs_t is array (natural range <>) of reg_t;
    constant WRITTEN : regs_t := (
      (HOST_GRID, x"ffffffff"), (HOST_BLOCK_XY, x"ffffffff"), (HOST_BLOCK_Z, x"0000ffff"),
      (HOST_THREADS, x"000007ff"), (HOST_REGS, x"000000ff"), (HOST_SHARED, x"0000ffff"),
      (HOST_CODE_BYTES, x"00ffffff"), (HOST_PARAM_WORDS, x"0000003f"), (HOST_LOCAL_BASE, x"ffffff80"),
      (HOST_LOCAL_BYTES, x"0000ffff"), (HOST_LOCAL_WARPS, x"0000003f"), (HOST_FEATURES, x"00000001"));
    constant COUNTED : regs_t := (
      (HOST_STATUS, x"00000f03"), (HOST_TRAP_WHERE, x"0000071f"), (HOST_TRAP_PC, x"00ffffff"),
      (HOST_CYCLES_LO, x"ffffffff"), (HOST_CYCLES_HI, x"0000ffff"), (HOST_WARP_INSNS, x"ffffffff"),
      (HOST_THREAD_INSNS, x"ffffffff"));

    function bank_word(b : natural) return word_t is
    begin
      return std_ulogic_vector(to_unsigned(16 * b + 4, 16)) & std_ulogic_vector(to_unsigned(b * 256, 16));
    end function bank_word;

    -- One transfer; `must_enable` says which memory it may touch.
    procedure transfer(address : natural; value : word_t; is_write : std_ulogic;
                       must_enable : std_ulogic_vector(7 downto 0) := "00000000") is
    begin
      adr     <= std_ulogic_vector(to_unsigned(address, 32));
      to_host <= value;
      we      <= is_write;
      cyc     <= '1';
      stb     <= '1';
      wait for 1 ns;
      check(stall = '0', "is accepted at once");
      tick(clk);
      stb <= '0';
      adr <= std_ulogic_vector(to_unsigned(address, 32)) xor x"70000000";   -- the answer is of the last address
      wait for 1 ns;
      check(enables_of_memories = must_enable,
            to_hstring(to_unsigned(address, 32)) & " enables " & to_string(enables_of_memories));
      check(ack = '0', "is not acknowledged before it is done");
      check(stall = (clearing or to_sl(address = HOST_CONTROL and is_write = '1' and value(1) = '1')),
            "stalls if it clears");
      tick(clk);
      check(enables_of_memories = "00000000", "is done once");
      check(ack = '1', "is acknowledged two cycles later");
    end procedure transfer;

    procedure write(address : natural; value : word_t) is
    begin
      transfer(address, value, '1');
      tick(clk);
      check(ack = '0', "is acknowledged once");
    end procedure write;

    procedure expect(address : natural; must_be : word_t) is
    begin
      transfer(address, x"00000000", '0');
      check(from_host = must_be, to_hstring(to_unsigned(address, 12)) & " reads " & to_hstring(from_host)
            & ", must be " & to_hstring(must_be));
      tick(clk);
    end procedure expect;
    -- All registers, of which the one at `address` has all its bits set, and the others none.
    procedure expect_alone(address : natural) is
      constant REGS : regs_t := WRITTEN & COUNTED;
    begin
      for i in REGS'range loop
        if REGS(i).address = address then
          expect(REGS(i).address, REGS(i).bits);
        else
          expect(REGS(i).address, x"00000000");
        end if;
      end loop;
      expect(HOST_ID, x"57415250");
      expect(HOST_CONFIG, x"00087d02");
    end procedure expect_alone;
  begin
    adr     <= x"00000008";                                  -- start and clear
    to_host <= x"00000003";
    we      <= '1';
    cyc     <= '1';
    stb     <= '1';
    tick(clk);
    tick(clk);
    check(ack = '0' and start = '0' and clear = '0', "a reset asks and answers nothing");
    rst <= '0';
    expect(HOST_ID, x"57415250");
    transfer(HOST_CONFIG, x"00000000", '0');                     -- 8 blocks, 32 warps, 16 cores, 2 or 8 SMs
    check(from_host = x"00087d02" and from_host_without = x"00087d08", "what the machine has");
    tick(clk);

    -- launch registers: all written, then all read
    write(HOST_GRID, x"00070009");
    write(HOST_BLOCK_XY, x"00020028");
    write(HOST_BLOCK_Z, x"ffff0003");
    write(HOST_THREADS, x"000000f0");
    write(HOST_REGS, x"00000080");
    write(HOST_SHARED, x"00001004");
    write(HOST_CODE_BYTES, x"00034568");
    write(HOST_PARAM_WORDS, x"0000003c");
    write(HOST_LOCAL_BASE, x"00031fff");
    write(HOST_LOCAL_BYTES, x"ffff0404");
    write(HOST_LOCAL_WARPS, x"00000020");
    write(HOST_FEATURES, x"ffffffff");
    for b in 0 to 15 loop
      transfer(HOST_CONST_BANK + 4 * b, bank_word(b), '1', "10000000");
      check(mem_addr(5 downto 2) = b and mem_data = bank_word(b), "number and place of a bank");
      tick(clk);
    end loop;
    expect(HOST_GRID, x"00070009");
    expect(HOST_BLOCK_XY, x"00020028");
    expect(HOST_BLOCK_Z, x"00000003");
    expect(HOST_THREADS, x"000000f0");
    expect(HOST_REGS, x"00000080");
    expect(HOST_SHARED, x"00001004");
    expect(HOST_CODE_BYTES, x"00034568");
    expect(HOST_PARAM_WORDS, x"0000003c");
    expect(HOST_LOCAL_BASE, x"00031f80");
    expect(HOST_LOCAL_BYTES, x"00000404");
    expect(HOST_LOCAL_WARPS, x"00000020");
    transfer(HOST_FEATURES, x"00000000", '0');
    check(from_host = x"00000001" and from_host_without = x"00000000", "atomics, where there are some");
    check(launch.atomics = '1' and launch_without.atomics = '0', "... and in the launch");
    tick(clk);
    for b in 0 to 15 loop
      expect(HOST_CONST_BANK + 4 * b, bank_word(b));
    end loop;
    check(launch.grid_x = 9 and launch.grid_y = 7 and launch.block_x = 40 and launch.block_y = 2
          and launch.block_z = 3 and launch.threads = 240 and launch.regs = 128 and launch.shared_bytes = 4100
          and launch.code_bytes = 16#34568# and launch.param_words = 60, "the launch");
    check(launch.local_base = 16#31f80# / 128 and launch.local_bytes = 1028 and launch.local_warps = 32,
          "its local memory");

    -- status and counters
    status.state       <= "11";
    status.trap        <= TRAP_FETCH;
    status.trap_slot   <= to_unsigned(21, SLOT_BITS);
    status.trap_sm     <= to_unsigned(5, 3);
    status.trap_pc     <= x"123458";
    status.cycles      <= x"0123456789ab";
    status.warp_insns  <= x"11111111";
    status.thread_insns <= x"22222222";
    wait for 1 ns;
    check(irq = '1', "interrupts when trapped");
    expect(HOST_STATUS, x"00000303");
    expect(HOST_TRAP_WHERE, x"00000515");
    expect(HOST_TRAP_PC, x"00123458");
    expect(HOST_CYCLES_LO, x"456789ab");
    expect(HOST_CYCLES_HI, x"00000123");
    expect(HOST_WARP_INSNS, x"11111111");
    expect(HOST_THREAD_INSNS, x"22222222");
    for sm in causes_of_8'range loop
      for c in cause_t'low to cause_t'high loop
        causes_of_8 <= (others => x"ffffffff");
        causes_of_8(sm) <= std_ulogic_vector(to_unsigned(100 * sm + c, 32));
        wait for 1 ns;
        transfer(HOST_CAUSES + 16#40# * sm + 4 * c, x"00000000", '0');
        check(from_host_without = causes_of_8(sm), "the cycles of SM " & integer'image(sm));
        check(from_host = x"00000000" or sm < 2, "no more SMs than there are");
        check(from_host = causes_of_8(sm) or sm > 1, "the same, of two");
        check(mem_addr(5 downto 2) = c, "the cause's number");
        tick(clk);
      end loop;
    end loop;
    write(16#280#, x"12345678");
    check(launch.grid_x = 9 and launch.grid_y = 7, "counters are not written, nor the registers below");
    status.state <= "01";
    wait for 1 ns;
    check(irq = '0', "no interrupt while it runs");

    -- each register alone: all its bits read as set, and none of them in another
    status <= GRID_TO_HOST_INIT;
    for i in WRITTEN'range loop
      for k in WRITTEN'range loop
        write(WRITTEN(k).address, (word_t'range => to_sl(k = i)));
      end loop;
      expect_alone(WRITTEN(i).address);
    end loop;
    write(WRITTEN(WRITTEN'high).address, x"00000000");
    for i in COUNTED'range loop
      status <= GRID_TO_HOST_INIT;
      case i is
        when 0      => status.state <= "11"; status.trap <= "1111";
        when 1      => status.trap_slot <= (others => '1'); status.trap_sm <= (others => '1');
        when 2      => status.trap_pc <= (others => '1');
        when 3      => status.cycles(31 downto 0) <= (others => '1');
        when 4      => status.cycles(47 downto 32) <= (others => '1');
        when 5      => status.warp_insns <= (others => '1');
        when others => status.thread_insns <= (others => '1');
      end case;
      expect_alone(COUNTED(i).address);
    end loop;
    status <= GRID_TO_HOST_INIT;

    -- windows and parameters
    transfer(16#1000_0124#, x"deadbeef", '1', "00000010");
    check(mem_addr = 16#124# and mem_data = x"deadbeef", "address and data of a window");
    transfer(16#1000_0000#, x"00000000", '0', "00000100");
    check(from_host = x"c0dec0de", "code");
    transfer(16#2000_0ffc#, x"00000000", '1', "00001000");
    transfer(16#2000_0000#, x"00000000", '0', "00010000");
    check(from_host = x"c0575757", "constants");
    transfer(16#4003_fffc#, x"00000000", '1', "00100000");
    transfer(16#4000_0000#, x"00000000", '0', "01000000");
    check(from_host = x"610ba100", "global memory");
    transfer(16#0000_0100#, x"00000007", '1', "00000001");
    transfer(16#0000_01ec#, x"00000007", '1', "00000001");
    tick(clk);
    adr <= x"10000000";
    stb <= '1';
    cyc <= '0';
    tick(clk);
    stb <= '0';
    wait for 1 ns;
    check(enables_of_memories = "00000000", "a transfer of another slave's cycle");
    tick(clk);
    check(ack = '0', "is not acknowledged");

    -- start and clear
    transfer(HOST_CONTROL, x"00000001", '1');
    check(start = '1' and clear = '0', "starts");
    tick(clk);
    check(start = '0', "for one cycle");
    transfer(HOST_CONTROL, x"00000002", '1');
    check(start = '0' and clear = '1' and stall = '1', "clears, and stalls at once");
    clearing <= '1';
    tick(clk);
    check(clear = '0' and stall = '1', "stalls while it clears");
    expect(HOST_STATUS, x"00000010");
    adr <= std_ulogic_vector(to_unsigned(HOST_CODE, 32));
    wait for 1 ns;
    check(stall = '1', "but for registers");
    adr <= x"00000008";
    to_host <= x"00000001";
    we  <= '1';
    stb <= '1';
    tick(clk);
    tick(clk);
    check(start = '0' and ack = '0', "what it stalls does nothing");
    clearing <= '0';
    tick(clk);
    stb <= '0';
    tick(clk);
    check(start = '1' and ack = '1', "until then");
    tick(clk);
    transfer(HOST_CONTROL, x"00000003", '1');
    check(start = '1' and clear = '1', "both at once");

    -- behind a bus: three words, the first of which comes while the third is asked for
    rst <= '1';
    tick(clk);
    rst <= '0';
    cyc <= '1';
    stb <= '1';
    we  <= '0';
    adr <= std_ulogic_vector(to_unsigned(HOST_GLOBAL + 4, 32));
    for n in 1 to 3 loop
      comes <= to_sl(n = 3);
      wait for 1 ns;
      check(answer_of_bus.stall = '0', "a word behind others is asked for");
      check(answer_of_bus.ack = to_sl(n = 3) and (n < 3 or answer_of_bus.dat = x"610ba100"), "comes when it comes");
      tick(clk);
    end loop;
    comes <= '0';
    for n in 2 to 3 loop
      adr <= std_ulogic_vector(to_unsigned(HOST_ID, 32));
      for later in 1 to 4 loop
        wait for 1 ns;
        check(answer_of_bus.stall = '1' and answer_of_bus.ack = '0', "a register waits for words");
        tick(clk);
      end loop;
      adr <= std_ulogic_vector(to_unsigned(HOST_GLOBAL, 32));
      we  <= '1';
      wait for 1 ns;
      check(answer_of_bus.stall = '1', "a write waits for words");
      comes <= '1';
      wait for 1 ns;
      check(answer_of_bus.ack = '1' and answer_of_bus.dat = x"610ba100", "the next word");
      tick(clk);
      comes <= '0';
      we    <= '0';
    end loop;
    full <= '1';
    wait for 1 ns;
    check(answer_of_bus.stall = '1', "full");
    full   <= '0';
    failed <= '1';
    adr    <= std_ulogic_vector(to_unsigned(HOST_STATUS, 32));
    wait for 1 ns;
    check(answer_of_bus.stall = '0', "no words are owed");
    tick(clk);
    stb <= '0';
    tick(clk);
    check(answer_of_bus.ack = '1' and answer_of_bus.dat(5) = '1', "an access has failed");

    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
