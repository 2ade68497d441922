-- SPDX-License-Identifier: Apache-2.0
-- global_bus with bus_memory behind it, two SMs and the host, on busses of a line and of two words, with a memory that
-- is fast, slow, or stalls by chance. Random loads, stores of some bytes, atomic operations and accesses of the host,
-- many of them to few lines: each load and read of the host gives what memory held when it was granted, in order;
-- memory is the same as a copy that takes stores in the order of their grants. An SM is told that it has no store under
-- way when the bus has answered all of them. An error of the bus is kept.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.memory_pkg.all;
use work.host_pkg.all;
use work.bench_pkg.all;

entity global_bus_tb is
end entity global_bus_tb;

architecture sim of global_bus_tb is
  constant SMS    : positive := 2;
  constant CORES  : positive := 8;
  constant LINES  : positive := 64;
  constant CYCLES : positive := 1500;
  constant DUTS   : positive := 2;
  type naturals_t is array (natural range <>) of natural;
  constant WIDTHS    : naturals_t(0 to DUTS - 1) := (8, 2);
  constant LATENCIES : naturals_t(0 to 3) := (0, 30, 7, 60);
  constant STALLS    : naturals_t(0 to 3) := (0, 0, 128, 200);

  signal clk : std_ulogic := '0';
  signal finished : std_ulogic_vector(DUTS - 1 downto 0) := (others => '0');
begin

  -- All of them have one clock.
  clocks : process
  begin
    while (and finished) = '0' loop
      tick(clk);
    end loop;
    report "done";
    std.env.finish;
  end process clocks;

  each : for d in 0 to DUTS - 1 generate
    constant WORDS : positive := WIDTHS(d);
    type line_t is array (0 to CORES - 1) of word_t;
    type lines_t is array (natural range <>) of line_t;
    subtype sms_t is std_ulogic_vector(SMS - 1 downto 0);
    constant LENGTH : std_ulogic_vector(7 downto 0) := std_ulogic_vector(to_unsigned(CORES / WORDS - 1, 8));
    constant DEEP : positive := 256;                         -- answers that may be owed

    signal requests : sms_to_global_t(0 to SMS - 1) :=
      (others => (line => (others => '0'), atomic => SM_TO_ATOMIC_UNIT_INIT, others => '0'));
    signal answers  : global_to_sms_t(0 to SMS - 1);
    signal bytes    : nibbles_t(0 to SMS * CORES - 1) := (others => "0000");
    signal data     : words_t(0 to SMS * CORES - 1) := (others => (others => '0'));
    signal line     : words_t(0 to CORES - 1);
    signal host     : host_to_memories_t := (addr => (others => '0'), data => (others => '0'), others => '0');
    signal host_full, host_valid, clearing, failed : std_ulogic;
    signal host_word : word_t;
    signal host_line : words_t(0 to CORES - 1);
    signal local_rst : std_ulogic := '1';
    signal latency, stall : unsigned(7 downto 0) := (others => '0');
    signal seed     : word_t := (others => '0');
    signal axi      : global_to_axi_t;
    signal ready    : axi_to_global_t;
    signal wstrb    : nibbles_t(0 to WORDS - 1);
    signal wdata, rdata : words_t(0 to WORDS - 1);
    signal strb     : std_ulogic_vector(WORDS * 4 - 1 downto 0);
    signal wvector, rvector : std_ulogic_vector(WORDS * 32 - 1 downto 0);
    signal spoil    : std_ulogic := '0';                     -- the next answer is an error
  begin

    u_dut : entity work.global_bus
      generic map (SMS => SMS, CORES => CORES, GLOBAL_BYTES => LINES * CORES * 4, BUS_WORDS => WORDS, LOADS => 16,
                   STORES => 8, HAS_ATOMICS => true, SEED => 1)
      port map (clk => clk, rst => local_rst, grid_rst_i => local_rst, request_i => requests, bytes_i => bytes,
                data_i => data, answer_o => answers, data_o => line, host_i => host, host_full_o => host_full,
                host_valid_o => host_valid, host_data_o => host_word, host_line_o => host_line,
                clearing_o => clearing, failed_o => failed, axi_o => axi, axi_i => ready, wstrb_o => wstrb,
                wdata_o => wdata, rdata_i => rdata);

    word : for w in 0 to WORDS - 1 generate
      strb(4 * w + 3 downto 4 * w)       <= wstrb(w);
      wvector(32 * w + 31 downto 32 * w) <= wdata(w);
      rdata(w) <= rvector(32 * w + 31 downto 32 * w);
    end generate word;
    ready.r_error <= spoil;
    ready.b_error <= '0';

    u_memory : entity work.bus_memory
      generic map (WORDS => WORDS, BYTES => LINES * CORES * 4, SEED => 1)
      port map (clk => clk, rst => local_rst, latency_i => latency, stall_i => stall, seed_i => seed,
                araddr_i => axi.ar.address, arlen_i => LENGTH,
                arvalid_i => axi.ar.valid, arready_o => ready.ar_ready, rdata_o => rvector,
                rvalid_o => ready.r_valid, rready_i => axi.r_ready, awaddr_i => axi.aw.address,
                awlen_i => LENGTH, awvalid_i => axi.aw.valid,
                awready_o => ready.aw_ready, wdata_i => wvector, wstrb_i => strb, wlast_i => axi.w_last,
                wvalid_i => axi.w_valid, wready_o => ready.w_ready, bvalid_o => ready.b_valid, bready_i => '1');

    stimulus : process
      variable random  : random_t;
      variable memory  : lines_t(0 to LINES - 1);
      variable owed    : lines_t(0 to SMS * DEEP - 1);       -- to each SM, a ring
      variable first, free : naturals_t(0 to SMS - 1) := (others => 0);
      variable host_owed : lines_t(0 to DEEP - 1);
      variable host_at : naturals_t(0 to DEEP - 1);
      variable host_first, host_free : natural := 0;
      variable host_push : std_ulogic := '0';                -- one cycle behind the choice, as host.vhd does
      variable host_we   : std_ulogic;
      variable host_to   : natural;
      variable host_data : word_t;
      variable granted, loaded, done : sms_t;
      variable stores, acks : natural;                       -- of SMs; that the bus has answered, clearing included
      variable run     : natural := 0;                       -- cycles
      variable new_word, was : word_t;
      variable loads_seen, atomics_seen, host_seen : natural := 0;

      procedure edge is
      begin
        wait until rising_edge(clk);
        wait until falling_edge(clk);
        wait for 0 ns;
      end procedure edge;

      impure function draw_word return word_t is
      begin
        return std_ulogic_vector(unsigned'(to_unsigned(random.draw(65536), 16) & to_unsigned(random.draw(65536), 16)));
      end function draw_word;

      impure function draw_line return natural is            -- few lines, or any
      begin
        if random.draw(5) = 0 then
          return random.draw(3);
        end if;
        return random.draw(LINES);
      end function draw_line;

      procedure write(to_line, to_word : natural; enable : nibble_t; value : word_t) is
      begin
        for b in 0 to 3 loop
          if enable(b) = '1' then
            memory(to_line)(to_word)(8 * b + 7 downto 8 * b) := value(8 * b + 7 downto 8 * b);
          end if;
        end loop;
      end procedure write;

      -- Notes the grants and ends of this cycle, and checks the data that came.
      procedure look is
        variable at : natural;
      begin
        for s in 0 to SMS - 1 loop
          check(not (granted(s) = '1' and requests(s).req = '0'), "a grant without a request");
          if granted(s) = '1' then
            at := to_integer(requests(s).line);
            if requests(s).we = '1' then
              stores := stores + 1;
              for w in 0 to CORES - 1 loop
                write(at, w, bytes(s * CORES + w), data(s * CORES + w));
              end loop;
            else
              owed(s * DEEP + free(s) mod DEEP) := memory(at);
              free(s) := free(s) + 1;
            end if;
          end if;
          if done(s) = '1' then
            at   := to_integer(unsigned(requests(s).atomic.address)) / 4;
            was  := memory(at / CORES)(at mod CORES);
            new_word := word_t(unsigned(was) + unsigned(requests(s).atomic.operand));
            check(answers(s).atomic_old = was and answers(s).atomic_new = new_word, "an atomic operation finds "
                  & to_hstring(answers(s).atomic_old) & ", not " & to_hstring(was));
            memory(at / CORES)(at mod CORES) := new_word;
            atomics_seen := atomics_seen + 1;
            stores := stores + 1;
          end if;
        end loop;
      end procedure look;

      -- One cycle; what it grants and brings.
      procedure cycle is
        variable at : natural;
      begin
        run := run + 1;
        check(run < 50000, "it does not end");
        wait for 500 ps;                                     -- half of the time to the edge
        for s in 0 to SMS - 1 loop
          granted(s) := answers(s).grant;
          loaded(s)  := answers(s).loads;
          done(s)    := answers(s).atomic_done;
          check(not (loaded(s) = '1' and requests(s).ready = '0'), "a line comes when the SM is not ready");
        end loop;
        look;
        if (ready.b_valid) = '1' then
          acks := acks + 1;
        end if;
        edge;
        for s in 0 to SMS - 1 loop
          if loaded(s) = '1' then
            check(first(s) < free(s), "a line without a request");
            for w in 0 to CORES - 1 loop
              check(line(w) = owed(s * DEEP + first(s) mod DEEP)(w), "SM " & integer'image(s) & " loads "
                    & to_hstring(line(w)) & ", not " & to_hstring(owed(s * DEEP + first(s) mod DEEP)(w)));
            end loop;
            first(s) := first(s) + 1;
            loads_seen := loads_seen + 1;
          end if;
        end loop;
        if host_valid = '1' then
          check(host_first < host_free, "a word that the host has not asked for");
          at := host_at(host_first mod DEEP);
          check(host_word = host_owed(host_first mod DEEP)(at), "the host reads " & to_hstring(host_word) & ", not "
                & to_hstring(host_owed(host_first mod DEEP)(at)));
          for w in 0 to CORES - 1 loop
            check(host_line(w) = host_owed(host_first mod DEEP)(w), "the host's line");
          end loop;
          host_first := host_first + 1;
          host_seen  := host_seen + 1;
        end if;
      end procedure cycle;

      procedure wait_for_silence is
      begin
        requests(0).req <= '0';
        requests(1).req <= '0';
        requests(0).ready <= '1';
        requests(1).ready <= '1';
        loop
          for s in 0 to SMS - 1 loop
            requests(s).atomic.valid <= requests(s).atomic.valid and not done(s);
          end loop;
          wait for 100 ps;
          exit when first = free and host_first = host_free
            and (answers(0).storing or answers(1).storing
                 or requests(0).atomic.valid or requests(1).atomic.valid) = '0';
          cycle;
        end loop;
      end procedure wait_for_silence;
    begin
      for speed in LATENCIES'range loop
        latency <= to_unsigned(LATENCIES(speed), 8);
        stall   <= to_unsigned(STALLS(speed), 8);
        seed    <= word_t(to_unsigned(speed + d, 32));
        local_rst <= '1';
        stores := 0;
        acks   := 0;
        edge;
        local_rst <= '0';

        -- clear all of it
        host.clear <= '1';
        cycle;
        host.clear <= '0';
        memory := (others => (others => (others => '0')));
        loop
          cycle;
          exit when clearing = '0';
        end loop;

        -- the SMs, and atomic operations of either
        for n in 1 to CYCLES loop
          for s in 0 to SMS - 1 loop
            requests(s).ready <= not random.flag(4);
            if granted(s) = '1' or requests(s).req = '0' then
              requests(s).req  <= not random.flag(4) and to_sl(free(s) - first(s) < DEEP - 1);
              requests(s).we   <= random.flag(2);
              requests(s).line <= to_unsigned(draw_line, 32);
              for w in 0 to CORES - 1 loop
                bytes(s * CORES + w) <= std_ulogic_vector(to_unsigned(random.draw(16), 4));
                data(s * CORES + w)  <= draw_word;
              end loop;
            end if;
            if done(s) = '1' or requests(s).atomic.valid = '0' then
              requests(s).atomic <= (valid => random.flag(200), locks => '0', op => ATOMIC_ADD, is_signed => '0',
                                     address => word_t(to_unsigned(4 * (draw_line * CORES + random.draw(CORES)), 32)),
                                     operand => draw_word, desired => x"00000000");
            end if;
          end loop;
          cycle;
        end loop;
        wait_for_silence;
        check(acks = stores + LINES, "no store is under way, and the bus has answered " & integer'image(acks) & " of "
              & integer'image(stores + LINES));

        -- the host, one access after the other without a pause, while the SMs do nothing
        host_push := '0';
        for n in 1 to 300 loop
          host.global_we <= host_push and host_we;
          host.global_re <= host_push and not host_we;
          host.addr      <= to_unsigned(4 * host_to, 28);
          host.data      <= host_data;
          if host_push = '1' and host_we = '1' then
            write(host_to / CORES, host_to mod CORES, "1111", host_data);
          elsif host_push = '1' then
            host_owed(host_free mod DEEP) := memory(host_to / CORES);
            host_at(host_free mod DEEP)   := host_to mod CORES;
            host_free := host_free + 1;
          end if;
          host_push := not host_full and to_sl(n < 299);
          host_we   := random.flag(2);
          host_to   := draw_line * CORES + random.draw(CORES);
          host_data := draw_word;
          cycle;
        end loop;
        wait_for_silence;

        -- all of memory, by SM 1
        for at in 0 to LINES - 1 loop
          requests(1).req  <= '1';
          requests(1).we   <= '0';
          requests(1).line <= to_unsigned(at, 32);
          loop
            cycle;
            exit when granted(1) = '1';
          end loop;
          requests(1).req <= '0';
        end loop;
        wait_for_silence;
        check(failed = '0', "no error");
      end loop;
      check(loads_seen > 500 and atomics_seen > 20 and host_seen > 100,
            "too little has happened: " & integer'image(loads_seen) & " loads, "
            & integer'image(atomics_seen) & " atomic operations, " & integer'image(host_seen) & " reads of the host");

      -- an error of the bus
      requests(0).req <= '1';
      requests(0).we  <= '0';
      loop
        cycle;
        exit when granted(0) = '1';
      end loop;
      spoil <= '1';
      wait_for_silence;
      edge;
      check(failed = '1', "an error of the bus is kept");

      finished(d) <= '1';
      wait;
    end process stimulus;
  end generate each;

end architecture sim;
