-- SPDX-License-Identifier: Apache-2.0
-- A stand-in for a pipelined SM of 8 cores in front of trace_writer.vhd: what its write stage shows while it runs
-- five.sass, the two warps of a block in turn, pass by pass. It writes rtl.txt; with WRONG one bit of a lane is wrong.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity trace_writer_tb is
  generic (
    WRONG : boolean := false
  );
end entity trace_writer_tb;

architecture sim of trace_writer_tb is
  constant CORES  : positive := 8;
  constant PASSES : positive := 32 / CORES;
  type words_t is array (0 to 4) of std_ulogic_vector(63 downto 0);
  type registers_t is array (0 to 4) of natural;
  constant CODE : words_t := (x"c4100780_30020005", x"01234567_10388009", x"04008780_2000020d", x"a0c00780_d00e020d",
                              x"00000780_30000003");
  constant REGISTERS : registers_t := (1, 2, 3, 0, 0);

  signal clk, valid, last, finished, writes, stores    : std_ulogic := '0';
  signal slot, warp                                    : unsigned(7 downto 0);
  signal pass                                          : unsigned(1 downto 0);
  signal block_x                                       : unsigned(15 downto 0);
  signal pc, next_pc                                   : std_ulogic_vector(23 downto 0);
  signal word                                          : std_ulogic_vector(63 downto 0);
  signal active, next_active                           : std_ulogic_vector(31 downto 0);
  signal exec, write_en, store_en                      : std_ulogic_vector(CORES - 1 downto 0);
  signal write_reg                                     : unsigned(6 downto 0);
  signal write_data, store_addr, store_data            : std_ulogic_vector(32 * CORES - 1 downto 0);
begin

  u_writer : entity work.trace_writer
    generic map (CORES => CORES)
    port map (
      clk           => clk,
      valid_i       => valid,
      slot_i        => slot,
      pass_i        => pass,
      last_i        => last,
      block_x_i     => block_x,
      block_y_i     => x"0000",
      warp_i        => warp,
      pc_i          => pc,
      word_i        => word,
      active_i      => active,
      next_pc_i     => next_pc,
      next_active_i => next_active,
      finished_i    => finished,
      writes_i      => writes,
      stores_i      => stores,
      exec_i        => exec,
      write_reg_i   => write_reg,
      write_en_i    => write_en,
      write_data_i  => write_data,
      store_en_i    => store_en,
      store_addr_i  => store_addr,
      store_data_i  => store_data
    );

  machine : process

    -- The result of instruction `step` in the thread of this id.
    function result(step, id : natural) return unsigned is
      constant ADDRESS : unsigned(31 downto 0) := to_unsigned(4 * id, 32);
    begin
      case step is
        when 0 => return ADDRESS;
        when 1 => return x"12345678";
        when others => return ADDRESS + x"12345678";
      end case;
    end function result;

    procedure show_pass(block_number, warp_number, step, pass_number : natural) is
      variable id : natural;
    begin
      for core in 0 to CORES - 1 loop
        id                                          := 32 * warp_number + CORES * pass_number + core;
        exec(core)                                  <= active(id mod 32);
        write_data(32 * core + 31 downto 32 * core) <= std_ulogic_vector(result(step, id));
        store_addr(32 * core + 31 downto 32 * core) <= std_ulogic_vector(result(0, id));
        store_data(32 * core + 31 downto 32 * core) <= std_ulogic_vector(result(2, id));
        write_en(core)                              <= active(id mod 32) and writes;
        store_en(core)                              <= active(id mod 32) and stores;
      end loop;
      if WRONG and block_number = 2 and warp_number = 1 and step = 2 and pass_number = 1 then
        write_data(4) <= not result(step, 40)(4);
      end if;
      pass <= to_unsigned(pass_number, 2);
      last <= '1' when pass_number = PASSES - 1 else '0';
      slot <= to_unsigned(warp_number, 8);
      warp <= to_unsigned(warp_number, 8);
    end procedure show_pass;

    procedure show_instruction(warp_number, step : natural) is
    begin
      active      <= x"ffffffff" when warp_number = 0 else x"0000ffff"; -- 48 threads
      next_active <= x"ffffffff" when warp_number = 0 else x"0000ffff";
      writes      <= '1' when step < 3 else '0';
      stores      <= '1' when step = 3 else '0';
      finished    <= '0';
      pc          <= std_ulogic_vector(to_unsigned(8 * step, 24));
      next_pc     <= std_ulogic_vector(to_unsigned(8 * step + 8, 24));
      word        <= CODE(step);
      write_reg   <= to_unsigned(REGISTERS(step), 7);
      if step = 4 then
        finished    <= '1';
        next_pc     <= (others => '0');
        next_active <= (others => '0');
      end if;
      wait for 1 ns;
    end procedure show_instruction;
  begin
    for block_number in 0 to 2 loop
      block_x <= to_unsigned(block_number, 16);
      for step in 0 to 4 loop
        for pass_number in 0 to PASSES - 1 loop
          for warp_number in 0 to 1 loop
            show_instruction(warp_number, step);
            show_pass(block_number, warp_number, step, pass_number);
            valid <= '1';
            wait for 1 ns;
            clk <= '1';
            wait for 1 ns;
            clk <= '0';
          end loop;
        end loop;
      end loop;
    end loop;
    wait;
  end process machine;

end architecture sim;
