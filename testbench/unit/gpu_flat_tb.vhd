-- SPDX-License-Identifier: Apache-2.0
-- gpu_flat is gpu with other ports: both are driven alike, and in each cycle of a launch on two SMs, and of the host's
-- accesses around it, answer alike. A strobe without a bus cycle is none, whatever it would do.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.machine_pkg.all;
use work.lists_pkg.all;
use work.retire_pkg.all;
use work.bench_pkg.all;

entity gpu_flat_tb is
end entity gpu_flat_tb;

architecture sim of gpu_flat_tb is
  constant MACHINE : string   := "C16-S2-G4096-seed1";
  constant SMS     : positive := config_of(MACHINE).SMS;
  constant CORES   : positive := config_of(MACHINE).CORES;

  -- Thread t of three blocks of 32 stores t at 4 t and loads it.
  constant CODE : words_t(0 to 15) := (
    x"a0000005", x"04000780", x"a0004c09", x"04200780",
    x"30050409", x"c4100780", x"20000405", x"04004780",
    x"30020209", x"c4100780", x"d00e0405", x"a0c00780",
    x"d00e040d", x"80c00780", x"30000003", x"00000780");

  signal clk : std_ulogic := '0';
  signal rst : std_ulogic := '1';
  signal adr, dat : word_t := (others => '0');
  signal sel : std_ulogic_vector(3 downto 0) := "1111";
  signal we, cyc, stb : std_ulogic := '0';

  signal flat_answer, answer : word_t;
  signal flat_ack, flat_stall, flat_irq, ack, stall, irq : std_ulogic;
  signal flat_line   : std_ulogic_vector(CORES * 32 - 1 downto 0);
  signal flat_retire : std_ulogic_vector(SMS * (RETIRE_BITS + CORES * RETIRE_LANE_BITS) - 1 downto 0);
  signal line   : words_t(0 to CORES - 1);
  signal retire : retires_t(0 to SMS - 1);
  signal lanes  : retire_lanes_t(0 to SMS * CORES - 1);
begin

  u_flat : entity work.gpu_flat
    generic map (MACHINE => MACHINE)
    port map (clk => clk, rst => rst, wb_adr_i => adr, wb_dat_i => dat, wb_sel_i => sel, wb_we_i => we,
              wb_cyc_i => cyc, wb_stb_i => stb, wb_dat_o => flat_answer, wb_ack_o => flat_ack, wb_stall_o => flat_stall,
              irq_o => flat_irq, line_o => flat_line, retire_o => flat_retire);

  u_gpu : entity work.gpu
    generic map (CONFIG => config_of(MACHINE))
    port map (clk => clk, rst => rst, bus_i.adr => adr, bus_i.dat => dat, bus_i.we => we, bus_i.cyc => cyc,
              bus_i.stb => stb, bus_o.dat => answer, bus_o.ack => ack, bus_o.stall => stall,
              irq_o => irq, line_o => line,
              retire_o => retire, retire_lanes_o => lanes);

  stimulus : process
    variable retired : natural := 0;                         -- beats that were seen, of the last SM

    -- One clock, after which both must say the same.
    procedure step is
      variable bit_at : natural := 0;

      procedure must_be(value : std_ulogic_vector; what : string) is
      begin
        assert flat_retire(bit_at + value'length - 1 downto bit_at) = value
          report what & " is not where it belongs, bit " & integer'image(bit_at) severity failure;
        bit_at := bit_at + value'length;
      end procedure must_be;
    begin
      tick(clk);
      wait for 0 ns;
      check(flat_answer = answer and flat_ack = ack and flat_stall = stall and flat_irq = irq, "the bus differs");
      for w in line'range loop
        check(flat_line(32 * w + 31 downto 32 * w) = line(w), "word " & integer'image(w) & " of the line differs");
      end loop;
      for s in 0 to SMS - 1 loop
        must_be(to_vector(retire(s)), "the record of SM " & integer'image(s));
        for l in 0 to CORES - 1 loop
          must_be(to_vector(lanes(s * CORES + l)), "lane " & integer'image(l));
        end loop;
      end loop;
      if retire(SMS - 1).valid = '1' then
        retired := retired + 1;
      end if;
    end procedure step;

    procedure write(address : natural; value : word_t) is
    begin
      adr <= std_ulogic_vector(to_unsigned(address, 32));
      dat <= value;
      we  <= '1';
      cyc <= '1';
      stb <= '1';
      step;
      cyc <= '0';                                            -- and the strobe stays
      step;
      check(flat_ack = '1', "a write is acknowledged");
    end procedure write;

    procedure write(address, value : natural) is
    begin
      write(address, std_ulogic_vector(to_unsigned(value, 32)));
    end procedure write;

    procedure expect(address, value : natural) is
    begin
      adr <= std_ulogic_vector(to_unsigned(address, 32));
      we  <= '0';
      cyc <= '1';
      stb <= '1';
      step;
      cyc <= '0';
      we  <= '1';
      step;
      check(flat_ack = '1', "a read is acknowledged");
      check(unsigned(flat_answer) = value, "it reads " & to_hstring(flat_answer) & ", not " & integer'image(value));
    end procedure expect;
  begin
    for i in 1 to 4 loop
      tick(clk);
    end loop;
    rst <= '0';
    for i in CODE'range loop
      write(HOST_CODE + 4 * i, CODE(i));
    end loop;
    write(HOST_GRID, 16#1_0003#);
    write(HOST_BLOCK_XY, 16#1_0020#);
    write(HOST_BLOCK_Z, 1);
    write(HOST_THREADS, 32);
    write(HOST_REGS, 4);
    write(HOST_SHARED, 16);
    write(HOST_CODE_BYTES, 4 * CODE'length);
    write(HOST_PARAM_WORDS, 0);
    write(HOST_LOCAL_BYTES, 0);
    -- strobes without a cycle start nothing and write nothing
    adr <= std_ulogic_vector(to_unsigned(HOST_GRID, 32));
    dat <= x"00010001";
    step;
    check(flat_ack = '0', "no cycle, no answer");
    adr <= std_ulogic_vector(to_unsigned(HOST_CONTROL, 32));
    dat <= x"00000001";
    step;
    check(flat_ack = '0', "no cycle, no answer");
    for i in 1 to 40 loop
      stb <= '0';
      step;
      check(flat_ack = '0', "no cycle, no answer");
    end loop;
    check(retired = 0, "nothing runs");
    expect(HOST_GRID, 16#1_0003#);

    write(HOST_CONTROL, 1);
    stb <= '0';
    for c in 1 to 1000 loop
      exit when flat_irq = '1' and c > 2;
      step;
    end loop;
    check(flat_irq = '1', "it ends");
    expect(HOST_STATUS, 2);
    check(retired >= 14, "both SMs work: " & integer'image(retired));
    for t in 0 to 95 loop
      expect(HOST_GLOBAL + 4 * t, t);
      for w in 0 to CORES - 1 loop
        check(unsigned(flat_line(32 * w + 31 downto 32 * w)) = t - t mod CORES + w, "its line is beside it");
      end loop;
    end loop;
    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
