-- SPDX-License-Identifier: Apache-2.0
-- lane_operand and lane_execute: which accesses of a lane are faults. Each memory, load or store or operand, each size,
-- at and around the end, at multiples of less than the size, where A + offset needs 17 to 19 bits; a constant beside a
-- shared operand; lanes that do not execute.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.operands_pkg.all;
use work.execute_pkg.all;
use work.bench_pkg.all;

entity lane_faults_tb is
end entity lane_faults_tb;

architecture sim of lane_faults_tb is
  constant GLOBAL_BYTES : positive := 65536;
  type naturals_t is array (natural range <>) of natural;

  signal clk                     : std_ulogic := '0';
  signal control                 : control_t := CONTROL_INIT; -- of the instruction, in all stages
  signal limit                   : natural := 0;             -- bytes of shared or local memory, of the bank
  signal const_limit             : natural := 0;
  signal shared_last, const_last : signed(16 downto 0) := (others => '0');
  signal const_beyond            : std_ulogic := '0';
  signal has_areg                : std_ulogic;
  signal with_areg               : offset_t;                 -- of the operand whose address has an A register
  signal truth                   : half_t := (others => '1');
  signal results                 : lane_to_files_t;
  signal cell                    : lane_to_memories_t;
  signal cells                   : bounds_to_lane_t;
  signal row                     : sources_to_lane_t;
  constant nothing               : memories_to_lane_t := (number => (others => '0'), others => (others => '0'));
  constant first : files_to_lane_t := (row => "00", creg => "00", slot => (others => '0'), others => (others => '0'));
  constant write_to              : writeback_to_operands_t := ( -- A1 and the first of all others
    areg_dst => to_unsigned(1, areg_t'length), creg_dst => "00", reg_row => (others => '0'),
    reg_beat_row | row | areg_row => "00", slot | areg_slot => (others => '0'));
  signal stays            : std_ulogic;
  signal operands         : lane_to_execute_t;
  signal selection        : latch_to_sources_t;
  signal given            : lane_to_execute_t := LANE_TO_EXECUTE_INIT; -- to lane_execute: those, or an address of
                                                                       -- global memory
  signal a                : word_t := (others => '0');
  signal is_global_access : boolean := false;
  signal done             : lane_in_write_t;
  signal faults           : faults_t;
  signal acts             : std_ulogic;
begin

  shared_last  <= to_signed(limit - bytes_of(control.mem_size), 17);
  const_last   <= to_signed(const_limit - bytes_of(control.const_size), 17);
  const_beyond <= to_sl(to_integer(control.const_offset) + bytes_of(control.const_size) > const_limit);

  has_areg     <= to_sl(control.areg /= 0);
  selection    <= operand_select(control);
  with_areg    <= resize(control.const_offset, 19) when control.areg_in_const = '1' else resize(control.offset, 19);

  cells <= (offset => with_areg, shared_at => with_areg(13 downto 0), const_at => control.const_offset(12 downto 0),
            shared_last => shared_last, const_last => const_last, const_beyond => const_beyond);
  row   <= (truth => truth, value => (others => '0'), local_base => (others => '0'), part => "00");

  u_operand : entity work.lane_operand
    generic map (REG_ADDR_BITS => 4, ROW_BITS => 0, SEED => 1)
    port map (
      clk => clk, moves_i => (others => '1'), areg_addr_i => (others => '0'), has_areg_i => has_areg,
      bounds_control_i => control, cells_i => cells, bounds_cell_o => open, again_i => '0', cell_o => cell,
      reads_i => first, starts_i => '0', tid_i => (others => '0'), enabled_i => '1',
      select_i => selection, row_i => row, sources_i => nothing, stays_o => stays,
      operands_o       => operands,
      write_to_i => write_to, results_i => results
    );

  give : process (all)
  begin
    given <= operands;
    if is_global_access then
      given.src_a <= a;
    end if;
  end process;

  u_execute : entity work.lane_execute
    generic map (GLOBAL_BYTES => GLOBAL_BYTES, HAS_ATOMICS => true)
    port map (
      clk => clk, moves_i => (others => '1'), x1_control_i => control, operands_i => given,
      x2_acts_o => open, x2_faults_o => faults, x2_control_i => control, x3_control_i => control, x3_o => open,
      x3_acts_o         => acts,
      atomic_old_i      => (others => '0'), atomic_new_i => (others => '0'),
      resolve_control_i => control, done_o => done
    );

  stimulus : process
    -- The instruction's faults, with `areg` in A1, must be those of the places; none where the guard is false.
    procedure check(areg : natural; must : faults_t; what : string) is
    begin
      results <= (areg => std_ulogic_vector(to_unsigned(areg, 16)), reg => (others => '0'), flags => "0000",
                  reg_we => "11", others => '1');
      tick(clk);
      results.reg_we   <= "00";
      results.flags_we <= '0';
      results.areg_we  <= '0';
      for guard in std_ulogic range '0' to '1' loop
        truth <= (others => guard);
        for stage in STAGE_ROWS to STAGE_X2 loop
          tick(clk);
        end loop;
        wait for 1 ns;
        assert faults = (must and faults_t'(others => guard))
          report what & " of " & integer'image(bytes_of(control.mem_size)) & " at A1 = " & integer'image(areg) & ": "
                 & to_string(faults) severity failure;
        tick(clk);
        wait for 1 ns;
        assert acts = (guard and not or_reduce(must)) report what & ": a lane with a fault acts" severity failure;
      end loop;
    end procedure check;

    -- Flags at ALIGN and the RANGE behind it of an access to bytes `at` and following, of `all_bytes`.
    function faults_at(align, at, bytes, all_bytes : natural) return faults_t is
      variable f : faults_t := (others => '0');
    begin
      f(align)     := to_sl(at mod bytes /= 0);
      f(align + 1) := to_sl(at + bytes > all_bytes);
      return f;
    end function faults_at;

    variable c     : control_t;
    variable bytes : positive;
    variable must  : faults_t;
    constant AREGS : naturals_t := (0, 1, 2, 4, 8, 80, 92, 94, 95, 96, 100, 16#fff0#, 16#fffc#, 16#ffff#);
    constant OFFSETS : naturals_t := (0, 4, 16, 96, 16#10000#, 16#20000#, 16#3fffc#);
  begin
    limit       <= 96;
    const_limit <= 64;
    for s in 0 to 4 loop
      for offset in OFFSETS'range loop
        for i in AREGS'range loop
          c := CONTROL_INIT;
          c.mem_size := std_ulogic_vector(to_unsigned(s, 3));
          bytes      := 2 ** s;
          c.areg_in_shared := '1';
          c.areg     := "001";
          c.offset   := to_unsigned(OFFSETS(offset), 18);

          for store in std_ulogic range '0' to '1' loop      -- local memory
            c.mem := MEM_LOCAL_LOAD;
            if store = '1' then
              c.mem := MEM_LOCAL_STORE;
            end if;
            control <= c;
            check(AREGS(i), faults_at(FAULT_LOCAL_ALIGN, AREGS(i) + OFFSETS(offset), bytes, 96), "local access");
          end loop;

          if s <= 2 then
            c.reads_shared := '1';
            for store in std_ulogic range '0' to '1' loop
              c.mem := MEM_NONE;
              if store = '1' then
                c.mem := MEM_SHARED_STORE;
              end if;
              control <= c;
              check(AREGS(i), faults_at(FAULT_SHARED_ALIGN, AREGS(i) + OFFSETS(offset), bytes, 96), "shared access");
            end loop;

            c.mem          := MEM_NONE;                      -- and the word behind the end of a bank beside it
            c.reads_const  := '1';
            c.const_size   := SIZE_4;
            c.const_offset := to_unsigned(64, 18);
            control <= c;
            check(AREGS(i), faults_at(FAULT_SHARED_ALIGN, AREGS(i) + OFFSETS(offset), bytes, 96)
                            or faults_at(FAULT_CONST_ALIGN, 64, 4, 64), "shared and constant operand");

            c := CONTROL_INIT;                               -- a constant alone, which A1 indexes
            c.reads_const  := '1';
            c.areg_in_const      := '1';
            c.areg         := "001";
            c.const_size   := std_ulogic_vector(to_unsigned(s, 3));
            c.const_offset := to_unsigned(OFFSETS(offset), 18);
            for kind in 0 to 2 loop                          -- source 2, source 3, a jump table
              c.flow   := FLOW_NONE;
              c.src_b_from := SRC_CONST;
              c.src_c_from := SRC_ZERO;
              if kind = 1 then
                c.src_b_from := SRC_REG32;
                c.src_c_from := SRC_CONST;
              elsif kind = 2 then
                c.flow := FLOW_BRX;
              end if;
              control <= c;
              check(AREGS(i), faults_at(FAULT_CONST_ALIGN, AREGS(i) + OFFSETS(offset), bytes, 64), "constant");
            end loop;
          end if;
        end loop;
      end loop;
    end loop;

    is_global_access <= true;
    for s in 0 to 4 loop
      for mem in mem_t loop
        for at in -16 to 16 loop
          for high in 0 to 1 loop                            -- around the first byte of all, or behind the last one
            c          := CONTROL_INIT;
            c.mem      := mem;
            c.mem_size := std_ulogic_vector(to_unsigned(s, 3));
            control    <= c;
            a          <= std_ulogic_vector(to_signed(at + high * GLOBAL_BYTES, 32));
            must       := (others => '0');
            if is_global(mem) = '1' or mem = MEM_GLOBAL_ATOMIC then
              must(FAULT_GLOBAL_ALIGN) := to_sl(at mod 2 ** s /= 0);
              must(FAULT_GLOBAL_RANGE) := to_sl((at < 0) = (high = 0));
            end if;
            check(0, must, mem_t'image(mem));
          end loop;
        end loop;
      end loop;
    end loop;

    for b in log2(GLOBAL_BYTES) to 31 loop
      c        := CONTROL_INIT;
      c.mem    := MEM_GLOBAL_LOAD;
      control  <= c;
      a        <= (others => '0');
      a(b)     <= '1';
      check(0, faults_t'(FAULT_GLOBAL_RANGE => '1', others => '0'), "far away");
    end loop;

    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
