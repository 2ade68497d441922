-- SPDX-License-Identifier: Apache-2.0
-- The banks of global_memory under eight SMs: lines that follow each other, and strides of powers of two, are served at
-- once; random accesses find what was stored last, each is granted after seven others at most, and only one of those to
-- a line; beside SMs that make atomic operations without end the others go on, and the other way round; an SM in the
-- middle of an atomic instruction keeps all others out.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.memory_pkg.all;
use work.host_pkg.all;
use work.bench_pkg.all;

entity global_banks_tb is
end entity global_banks_tb;

architecture sim of global_banks_tb is
  constant SMS   : positive := 8;
  constant CORES : positive := 8;
  constant LINES : positive := 128;
  constant CYCLES : positive := 2000;
  subtype sms_t is std_ulogic_vector(SMS - 1 downto 0);
  constant LOADERS : sms_t := "01011001";
  type memory_t is array (0 to LINES - 1, 0 to CORES - 1) of word_t;
  type counts_t is array (0 to SMS - 1) of natural;

  type lines_t is array (natural range <>) of unsigned(31 downto 0);
  signal clk                     : std_ulogic := '0';
  signal rst                     : std_ulogic := '1';
  signal req                     : sms_t := (others => '0');
  signal we                      : sms_t := (others => '0');
  signal line                    : lines_t(0 to SMS - 1) := (others => (others => '0'));
  signal bytes                   : nibbles_t(0 to SMS * CORES - 1) := (others => "0000");
  signal data                    : words_t(0 to SMS * CORES - 1) := (others => (others => '0'));
  signal grant                   : sms_t;
  signal rdata                   : words_t(0 to SMS * CORES - 1);
  signal atomic                  : sms_to_atomic_unit_t(0 to SMS - 1) := (others => SM_TO_ATOMIC_UNIT_INIT);
  signal done                    : sms_t;
  signal old, changed, host_word : word_t;
  signal host_line               : words_t(0 to CORES - 1);
  signal requests                : sms_to_global_t(0 to SMS - 1);
  signal answers                 : global_to_sms_t(0 to SMS - 1);
  signal host                    : host_to_memories_t;
  signal clear                   : std_ulogic := '0';
  signal clearing                : std_ulogic;
begin

  u_dut : entity work.global_memory
    generic map (SMS => SMS, CORES => CORES, GLOBAL_BYTES => LINES * CORES * 4, BANKS => 16, HAS_ATOMICS => true,
                 SEED => 1)
    port map (clk => clk, rst => rst, grid_rst_i => rst, request_i => requests, bytes_i => bytes, data_i => data,
              answer_o => answers, data_o => rdata, host_i => host, host_data_o => host_word,
              host_line_o => host_line, clearing_o => clearing);

  each_sm : for s in 0 to SMS - 1 generate
    requests(s) <= (req => req(s), we => we(s), line => line(s), ready => '0', atomic => atomic(s));
    grant(s)    <= answers(s).grant;
    done(s)     <= answers(s).atomic_done;
  end generate;
  old     <= answers(0).atomic_old;
  changed <= answers(0).atomic_new;
  host <= (addr => (others => '0'), data => (others => '0'), clear => clear, others => '0');

  stimulus : process
    variable memory : memory_t := (others => (others => (others => '0')));
    variable random : random_t;
    variable waited : counts_t := (others => 0);
    variable served : counts_t := (others => 0);
    variable reads  : sms_t := (others => '0');
    variable place  : counts_t;
    variable total  : natural := 0;
    variable granted : sms_t;
  begin
    -- banks and loads of machines: docs/architecture.md, "Global memory"
    check(banks_for(1, 128) = 1 and banks_for(2, 128) = 4 and banks_for(3, 128) = 8 and banks_for(8, 128) = 16
          and banks_for(8, 16) = 8, "banks");
    check(loads_for(1, 8) = 8 and loads_for(1, 16) = 16 and loads_for(1, 32) = 32 and loads_for(2, 8) = 16
          and loads_for(2, 16) = 32 and loads_for(8, 32) = 64, "loads under way");

    tick(clk);
    rst   <= '0';
    clear <= '1';
    tick(clk);
    clear <= '0';
    loop
      tick(clk);
      exit when clearing = '0';
    end loop;

    -- lines at a stride, all at once
    for stride in 0 to 4 loop
      req <= (others => '1');
      for s in 0 to SMS - 1 loop
        line(s) <= to_unsigned(s * 2 ** stride, 32);
      end loop;
      wait for 1 ns;
      check(grant = sms_t'(others => '1'), "eight lines at a stride of " & integer'image(2 ** stride));
      tick(clk);
    end loop;
    req <= (others => '0');

    -- random accesses, some lines more often than others
    for cycle in 1 to CYCLES loop
      for s in 0 to SMS - 1 loop
        if req(s) = '0' and random.draw(8) /= 0 then
          req(s) <= '1';
          we(s)  <= random.flag(2);
          if random.draw(2) = 0 then
            line(s) <= to_unsigned(random.draw(LINES), 32);
          else
            line(s) <= to_unsigned(4 * random.draw(3), 32);
          end if;
          for w in 0 to CORES - 1 loop
            bytes(s * CORES + w) <= std_ulogic_vector(to_unsigned(random.draw(16), 4));
            data(s * CORES + w)  <= std_ulogic_vector(unsigned'(to_unsigned(random.draw(65536), 16)
                                                               & to_unsigned(random.draw(65536), 16)));
          end loop;
        end if;
      end loop;
      wait for 1 ns;
      for s in 0 to SMS - 1 loop
        waited(s) := waited(s) + 1;
        check(grant(s) = '0' or req(s) = '1', "a grant without a request");
        for other in 0 to s - 1 loop
          check((grant(s) and grant(other)) = '0' or line(s) /= line(other), "two have one line");
        end loop;
        if grant(s) = '1' or req(s) = '0' then
          waited(s) := 0;
        end if;
        check(waited(s) < SMS, "SM " & integer'image(s) & " waits for more than seven others");
        if grant(s) = '1' then
          total := total + 1;
        end if;
      end loop;
      for s in 0 to SMS - 1 loop
        reads(s) := grant(s) and not we(s);
        place(s) := to_integer(line(s));
        if (grant(s) and we(s)) = '1' then
          for w in 0 to CORES - 1 loop
            for b in 0 to 3 loop
              if bytes(s * CORES + w)(b) = '1' then
                memory(place(s), w)(8 * b + 7 downto 8 * b) := data(s * CORES + w)(8 * b + 7 downto 8 * b);
              end if;
            end loop;
          end loop;
        end if;
      end loop;
      granted := grant;
      tick(clk);
      req <= req and not granted;
      wait for 1 ns;
      for s in 0 to SMS - 1 loop
        if reads(s) = '1' then
          for w in 0 to CORES - 1 loop
            check(rdata(s * CORES + w) = memory(place(s), w), "SM " & integer'image(s) & " reads another word");
          end loop;
        end if;
      end loop;
    end loop;
    check(total > 3 * CYCLES, "the banks serve several SMs at once");

    -- half of the SMs make atomic instructions of one lane without end, on a word each; the others load
    req  <= LOADERS;
    we   <= (others => '0');
    line <= (others => to_unsigned(1, 32));
    for s in 0 to SMS - 1 loop
      atomic(s) <= (valid => not LOADERS(s), locks => '0', op => ATOMIC_ADD, is_signed => '0',
                    address => word_t(to_unsigned(4 * ((2 * s + 1) * CORES + s), 32)),
                    operand => word_t(to_unsigned(s + 1, 32)), desired => x"00000000");
    end loop;
    waited := (others => 0);
    for cycle in 1 to 400 loop
      wait for 1 ns;
      for s in 0 to SMS - 1 loop
        waited(s) := waited(s) + 1;
        if grant(s) = '1' or done(s) = '1' then
          waited(s) := 0;
          served(s) := served(s) + 1;
        end if;
        check(waited(s) <= 4 * SMS, "SM " & integer'image(s) & " waits too long beside atomic operations");
        if done(s) = '1' then
          check(old = memory(2 * s + 1, s), "SM " & integer'image(s) & " adds to another word");
          memory(2 * s + 1, s) := word_t(unsigned(memory(2 * s + 1, s)) + s + 1);
          check(changed = memory(2 * s + 1, s), "SM " & integer'image(s) & " adds something else");
        end if;
      end loop;
      tick(clk);
    end loop;
    for s in 0 to SMS - 1 loop
      check(served(s) > 20, "SM " & integer'image(s) & " has its share");
    end loop;

    -- all want both, and one is in the middle of an atomic instruction
    req <= (others => '1');
    for s in 0 to SMS - 1 loop
      for other in 0 to SMS - 1 loop
        atomic(other).valid <= to_sl(other /= s);
        atomic(other).locks <= to_sl(other = s);
      end loop;
      served := (others => 0);
      for cycle in 1 to 12 loop
        tick(clk);
        atomic(s).valid <= to_sl(cycle >= 6);
        wait for 1 ns;
        for other in 0 to SMS - 1 loop
          served(other) := served(other) + boolean'pos(cycle > 3 and (grant(other) or done(other)) = '1');
          check(other = s or served(other) = 0, "SM " & integer'image(other) & " gets between the lanes of another's");
        end loop;
      end loop;
      check(served(s) > 3, "the SM that locks the memory goes on");
    end loop;

    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
