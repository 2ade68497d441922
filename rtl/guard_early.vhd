-- SPDX-License-Identifier: Apache-2.0
-- Evaluates the guards of branches before stage O does, for branch_early.vhd. A copy of all lanes' C registers is read
-- for the beat that enters stage I, or for a branch on its way from A to M that was not answered in I and whose later
-- rows are not known there; what the guard lets the row do is known one cycle later and stays until I, A and M move.
--   In I that is so only if no flags of that row were still to be written when the copy was read.
--   In M they have been: the scoreboard keeps a reader of flags four beats behind their writer, and the copy is written
--     as results leave stage Y, one cycle before the lanes' own file.
-- Where flags were never written the copy may hold others than the lanes' files: operand.vhd makes such a row execute
-- what the copy says.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.isa_pkg.all;
use work.control_pkg.all;
use work.gpu_pkg.all;

entity guard_early is
  generic (
    CORES : positive;
    SEED  : natural
  );
  port (
    clk       : in  std_ulogic;
    rst       : in  std_ulogic;
    moves_i   : in  std_ulogic;                              -- I, A and M take new beats
    enters_i  : in  beat_t;                                  -- ... I this one
    stages_i  : in  beats_t(1 to 5);                         -- I, A, M, O, X
    -- what leaves stage Y
    done_i    : in  beat_t;
    lanes_i   : in  lanes_done_t(0 to CORES - 1);
    -- of the beat in I, or of that in M
    i_known_o : out std_ulogic;                              -- ... in I, and it is known
    m_known_o : out std_ulogic;                              -- ... in M
    taken_o   : out std_ulogic;                              -- a lane executes
    stays_o   : out std_ulogic                               -- an active lane does not
  );
end entity;

architecture rtl of guard_early is

  constant FILE_BITS : positive := lane_file_bits(LANES / CORES);
  subtype file_addr_t is unsigned(FILE_BITS - 1 downto 0);

  type guard_t is record
    i_known : std_ulogic;
    i_rows  : std_ulogic;                                    -- ... as it was of the rows before
    m_known : std_ulogic;
    truth   : cond_truth_t;                                  -- of the flags
    active  : std_ulogic_vector(CORES - 1 downto 0);
  end record;

  signal r, rin     : guard_t;
  signal read_addr  : file_addr_t;
  signal write_addr : file_addr_t;
  signal flags      : nibbles_t(0 to CORES - 1);
  signal executes   : std_ulogic_vector(CORES - 1 downto 0);

begin

  choose : process (all)
    variable v       : guard_t;
    variable beat    : beat_t;
    variable a       : beat_t;
    variable for_m   : std_ulogic;
    variable pending : std_ulogic;                           -- a writer of the flags is on its way to Y
    variable creg    : creg_t;
    variable cond    : unsigned(4 downto 0);
  begin
    a     := stages_i(2);
    for_m := a.valid and not a.insn.early and not (r.i_rows and to_sl(stages_i(1).row /= 0))
             and to_sl(is_guarded_branch(a.insn.control.flow));
    -- the guard's place in the word, not what the decoder says: that comes late in the cycle
    beat := enters_i;
    if for_m = '1' then
      beat := a;
    end if;
    creg := unsigned(beat.insn.hi(13 downto 12));
    cond := unsigned(beat.insn.hi(11 downto 7));

    pending := '0';
    for s in stages_i'range loop
      if stages_i(s).valid = '1' and stages_i(s).insn.control.set_c = '1' and stages_i(s).insn.slot = beat.insn.slot
        and stages_i(s).insn.control.c_dst = creg and stages_i(s).row = beat.row
      then
        pending := '1';
      end if;
    end loop;

    v := r;
    if moves_i = '1' then
      v.i_known := not for_m and not pending;
      v.i_rows  := v.i_known and (r.i_rows or to_sl(beat.row = 0));
      v.m_known := for_m;
      v.truth   := COND_LUT(to_integer(cond));
      v.active  := row_of(beat.insn.state.active, beat.row, CORES);
    end if;
    read_addr <= lane_file_addr(beat.insn.slot, creg, beat.row, LANES / CORES);
    rin <= v;
  end process;

  write_addr <= lane_file_addr(done_i.insn.slot, done_i.insn.control.c_dst, done_i.row, LANES / CORES);

  lane : for l in 0 to CORES - 1 generate
    signal we : std_ulogic_vector(0 downto 0);
  begin
    we(0) <= done_i.valid and not rst and lanes_i(l).exec and done_i.insn.control.set_c
             and done_i.insn.control.lane_mask(l mod 4);

    u_flags : entity work.ram_1r1w
      generic map (ADDR_BITS => FILE_BITS, COLUMN_BITS => 4, NEW_DATA => true, SEED => SEED)
      port map (
        clk => clk, re_i => moves_i, raddr_i => read_addr, rdata_o => flags(l),
        we_i => we, waddr_i => write_addr, wdata_i => lanes_i(l).flags
      );

    executes(l) <= r.active(l) and r.truth(to_integer(unsigned(flags(l))));
  end generate;

  i_known_o <= r.i_known;
  m_known_o <= r.m_known;
  taken_o   <= or_reduce(executes);
  stays_o   <= or_reduce(r.active and not executes);

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
      if rst = '1' then
        r.i_known <= '0';
        r.m_known <= '0';
      end if;
    end if;
  end process;

end architecture;
