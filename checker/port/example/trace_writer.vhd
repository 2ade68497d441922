-- SPDX-License-Identifier: Apache-2.0
-- Writes the records of a pipelined SM as lines that `warp-lockstep KERNEL --check-trace FILE` reads, in simulation
-- only. An instruction of 32 lanes passes the pipeline in 32 / CORES passes, between those of other warps, so the lanes
-- are gathered by warp slot and printed with the last pass.
--
-- Tap the stage that writes the registers, with the registers that carry an instruction down to it: when its last pass
-- is there, all that the instruction did has happened, and no flush can undo it. Take register number, enable and data
-- from the write port itself: those in decode agree always, even if another register is written.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use std.textio.all;

entity trace_writer is
  generic (
    CORES     : positive := 8;
    SLOTS     : positive := 32;
    FILE_NAME : string   := "rtl.txt"
  );
  port (
    clk           : in std_ulogic;
    -- One pass of an instruction is in the write stage.
    valid_i       : in std_ulogic;
    slot_i        : in unsigned(7 downto 0);
    pass_i        : in unsigned(1 downto 0);                         -- its lanes are pass * CORES and following
    last_i        : in std_ulogic;                                   -- the last pass of the instruction
    -- Of the instruction; read with the last pass.
    block_x_i     : in unsigned(15 downto 0);
    block_y_i     : in unsigned(15 downto 0);
    warp_i        : in unsigned(7 downto 0);                         -- in its block
    pc_i          : in std_ulogic_vector(23 downto 0);
    word_i        : in std_ulogic_vector(63 downto 0);
    active_i      : in std_ulogic_vector(31 downto 0);               -- before the instruction
    next_pc_i     : in std_ulogic_vector(23 downto 0);               -- 0 when the warp has finished
    next_active_i : in std_ulogic_vector(31 downto 0);
    finished_i    : in std_ulogic;
    writes_i      : in std_ulogic;                                   -- it has a 32-bit destination register
    stores_i      : in std_ulogic;                                   -- it is a 32-bit store to global memory
    -- Of the pass, lane 0 in the lowest bits.
    exec_i        : in std_ulogic_vector(CORES - 1 downto 0);        -- active, and guard true
    write_reg_i   : in unsigned(6 downto 0);                         -- at the write port of the registers
    write_en_i    : in std_ulogic_vector(CORES - 1 downto 0);
    write_data_i  : in std_ulogic_vector(32 * CORES - 1 downto 0);
    store_en_i    : in std_ulogic_vector(CORES - 1 downto 0);        -- at the port of global memory
    store_addr_i  : in std_ulogic_vector(32 * CORES - 1 downto 0);
    store_data_i  : in std_ulogic_vector(32 * CORES - 1 downto 0)
  );
end entity trace_writer;

architecture sim of trace_writer is
  type lanes_t is array (0 to 31) of std_ulogic_vector(31 downto 0);
  type gathered_t is record -- of the passes of a warp's instruction so far
    exec, dst_mask, mem_mask : std_ulogic_vector(31 downto 0);
    dst, addr, data          : lanes_t;
    dst_reg                  : natural;
  end record gathered_t;
  constant NOTHING : gathered_t := (exec | dst_mask | mem_mask => (others => '0'),
                                    dst | addr | data          => (others => (others => '0')),
                                    dst_reg                    => 0);
  type slots_t is array (0 to SLOTS - 1) of gathered_t;
begin

  trace : process (clk)
    file out_file      : text;
    variable is_open   : boolean := false;
    variable row       : line;
    variable cycle     : natural := 0;
    variable gathered  : slots_t := (others => NOTHING);
    variable slot      : natural;
    variable lane      : natural;

    procedure say(text : string) is
    begin
      write(row, text);
    end procedure say;

    -- " NAME/MASK=v,v": a value for each lane of the mask.
    procedure say_lanes(name : string; mask : std_ulogic_vector(31 downto 0); values : lanes_t) is
      variable first : boolean := true;
    begin
      say(" " & name & "/" & to_hstring(mask) & "=");
      for i in 0 to 31 loop
        if mask(i) = '1' then
          if not first then
            say(",");
          end if;
          say(to_hstring(values(i)));
          first := false;
        end if;
      end loop;
    end procedure say_lanes;

    procedure say_record(g : gathered_t) is
    begin
      say(integer'image(cycle) & " sm0 slot" & integer'image(slot) & " block(" &
          integer'image(to_integer(block_x_i)) & "," & integer'image(to_integer(block_y_i)) & ") warp" &
          integer'image(to_integer(warp_i)) & " " & to_hstring(pc_i) & ": |");
      say(" active=" & to_hstring(active_i) & " exec=" & to_hstring(g.exec) & " word=" &
          to_hstring(word_i(31 downto 0)) & "," & to_hstring(word_i(63 downto 32)));
      if writes_i = '1' then -- also where no lane is written: the register counts all the same
        say_lanes("R" & integer'image(g.dst_reg), g.dst_mask, g.dst);
      end if;
      if stores_i = '1' then
        say(" gst4");
        say_lanes("addr", g.mem_mask, g.addr);
        say_lanes("data", g.mem_mask, g.data);
      end if;
      say(" next=" & to_hstring(next_pc_i) & "," & to_hstring(next_active_i));
      if finished_i = '1' then
        say(" finished");
      end if;
      writeline(out_file, row);
    end procedure say_record;
  begin
    if rising_edge(clk) then
      cycle := cycle + 1;
      if not is_open then
        file_open(out_file, FILE_NAME, write_mode);
        is_open := true;
        say("warpstep-trace 2");
        writeline(out_file, row);
        say("unreported depth"); -- this machine does not show its stack
        writeline(out_file, row);
      end if;
      if valid_i = '1' then
        slot := to_integer(slot_i);
        gathered(slot).dst_reg := to_integer(write_reg_i);
        for core in 0 to CORES - 1 loop
          lane := to_integer(pass_i) * CORES + core;
          gathered(slot).exec(lane) := exec_i(core);
          if write_en_i(core) = '1' then
            gathered(slot).dst_mask(lane) := '1';
            gathered(slot).dst(lane)      := write_data_i(32 * core + 31 downto 32 * core);
          end if;
          if store_en_i(core) = '1' then
            gathered(slot).mem_mask(lane) := '1';
            gathered(slot).addr(lane)     := store_addr_i(32 * core + 31 downto 32 * core);
            gathered(slot).data(lane)     := store_data_i(32 * core + 31 downto 32 * core);
          end if;
        end loop;
        if last_i = '1' then
          say_record(gathered(slot));
          gathered(slot) := NOTHING;
        end if;
      end if;
    end if;
  end process trace;

end architecture sim;
