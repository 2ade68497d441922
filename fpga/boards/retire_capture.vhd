-- SPDX-License-Identifier: Apache-2.0
-- Keeps what eight lanes of one warp instruction report, in one part of it, as the retire port has it, and what its
-- load brought them. Which instruction it is becomes known a cycle behind its last beat: until then each is kept, and
-- forgotten where it was another one.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.hash_pkg.all;
use work.retire_pkg.all;

entity retire_capture is
  generic (
    CORES : positive
  );
  port (
    clk      : in  std_ulogic;
    clear_i  : in  std_ulogic;
    octet_i  : in  unsigned(1 downto 0);                     -- its eight lanes
    part_i   : in  std_ulogic_vector(1 downto 0);
    retire_i : in  retire_t;
    lanes_i  : in  retire_lanes_t(0 to CORES - 1);
    ended_i  : in  std_ulogic;                               -- the last beat was in the cycle before,
    wanted_i : in  std_ulogic;                               -- it belongs to the wanted instruction
    load_valid_i : in  std_ulogic;
    load_row_i   : in  std_ulogic_vector(1 downto 0);
    load_part_i  : in  std_ulogic_vector(1 downto 0);
    load_mask_i  : in  std_ulogic_vector(0 to CORES - 1);
    load_data_i  : in  words_t(0 to CORES - 1);
    load_ended_i  : in  std_ulogic;                          -- with this load beat, or behind the last one
    load_wanted_i : in  std_ulogic;
    word_i   : in  unsigned(5 downto 0);                     -- of the port, then mask and data of the load
    word_o   : out word_t;
    seen_o   : out std_ulogic;
    load_seen_o : out std_ulogic
  );
end entity;

architecture rtl of retire_capture is

  constant OCTETS     : positive := CORES / OCTET;
  constant PORT_WORDS : positive := (RETIRE_BITS + OCTET * RETIRE_LANE_BITS + 31) / 32;
  constant LAST_WORD  : positive := PORT_WORDS + OCTET;

  type capture_t is record
    seen      : std_ulogic;
    common    : retire_t;
    lanes     : retire_lanes_t(0 to OCTET - 1);
    load_seen : std_ulogic;
    load_mask : std_ulogic_vector(0 to OCTET - 1);
    load_data : words_t(0 to OCTET - 1);
  end record;

  signal r, rin : capture_t;

  function is_row(row : std_ulogic_vector(1 downto 0); octet : unsigned(1 downto 0)) return std_ulogic is
  begin
    return to_sl(to_integer(unsigned(row)) = to_integer(octet) / OCTETS);
  end function;

  function any(l : retire_lane_t) return std_ulogic is
  begin
    return l.exec or l.dst_mask or l.c_mask or l.a_mask or l.mem_mask;
  end function;

begin

  comb : process (all)
    variable v    : capture_t;
    variable from : natural range 0 to CORES - 1;
    variable bits : std_ulogic_vector((LAST_WORD + 1) * 32 - 1 downto 0);
  begin
    v    := r;
    from := 0;
    for o in 1 to OCTETS - 1 loop
      if to_integer(octet_i) mod OCTETS = o then
        from := o * OCTET;
      end if;
    end loop;

    if r.seen = '0' and ended_i = '1' then
      v.seen  := wanted_i;
      if wanted_i = '0' then
        v.lanes := (others => RETIRE_LANE_INIT);
      end if;
    end if;
    if v.seen = '0' and retire_i.valid = '1' then
      v.common := retire_i;
      if is_row(retire_i.row, octet_i) = '1' and retire_i.part = part_i then
        for l in 0 to OCTET - 1 loop
          if any(lanes_i(from + l)) = '1' then
            v.lanes(l) := lanes_i(from + l);
            v.lanes(l).load_mask := '0';
          end if;
        end loop;
      end if;
    end if;

    if r.load_seen = '0' and load_valid_i = '1' and is_row(load_row_i, octet_i) = '1' and load_part_i = part_i then
      for l in 0 to OCTET - 1 loop
        if load_mask_i(from + l) = '1' then
          v.load_mask(l) := '1';
          v.load_data(l) := load_data_i(from + l);
        end if;
      end loop;
    end if;
    if r.load_seen = '0' and load_ended_i = '1' then
      v.load_seen := load_wanted_i;
      if load_wanted_i = '0' then
        v.load_mask := (others => '0');
      end if;
    end if;

    if clear_i = '1' then
      v.seen      := '0';
      v.load_seen := '0';
      v.lanes     := (others => RETIRE_LANE_INIT);
      v.load_mask := (others => '0');
    end if;

    bits := (others => '0');
    bits(RETIRE_BITS - 1 downto 0) := to_vector(r.common);
    for l in 0 to OCTET - 1 loop
      bits(RETIRE_BITS + (l + 1) * RETIRE_LANE_BITS - 1 downto RETIRE_BITS + l * RETIRE_LANE_BITS) :=
        to_vector(r.lanes(l));
      bits(PORT_WORDS * 32 + l) := r.load_mask(l);
      bits((PORT_WORDS + l + 2) * 32 - 1 downto (PORT_WORDS + l + 1) * 32) := r.load_data(l);
    end loop;
    word_o <= (others => '0');
    for w in 0 to LAST_WORD loop
      if word_i = w then
        word_o <= bits(w * 32 + 31 downto w * 32);
      end if;
    end loop;
    seen_o      <= r.seen;
    load_seen_o <= r.load_seen;
    rin <= v;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
    end if;
  end process;

end architecture;
