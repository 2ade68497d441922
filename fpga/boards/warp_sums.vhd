-- SPDX-License-Identifier: Apache-2.0
-- A sum for each warp of a block, and a count of what is in it: of instructions, each by a factor that its number in
-- the warp gives. The terms of an instruction come row by row, three cycles behind the row.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.hash_pkg.all;

entity warp_sums is
  generic (
    SEED : natural := 0
  );
  port (
    clk      : in  std_ulogic;
    clear_i  : in  std_ulogic;                               -- the sum and the count at place_i
    row_i    : in  std_ulogic;
    ended_i  : in  std_ulogic;                               -- nothing of this instruction comes behind this
    trap_i   : in  std_ulogic;                               -- the instruction trapped: only common fields count
    hashed_i : in  std_ulogic;                               -- the instruction counts at all
    warp_i   : in  unsigned(4 downto 0);
    number_i : in  number_t;
    sum_i    : in  sum_t;                                    -- three cycles later
    common_i : in  sum_t;
    place_i  : in  unsigned(4 downto 0);                     -- to be read while nothing comes
    sum_o    : out word_t;                                   -- one cycle later
    count_o  : out word_t
  );
end entity;

architecture rtl of warp_sums is

  type step_t is record
    row, ended, trap, hashed : std_ulogic;
    warp : unsigned(4 downto 0);
  end record;
  type steps_t is array (natural range <>) of step_t;
  type sums_t  is array (natural range <>) of sum_t;

  signal steps, steps_in   : steps_t(2 to 6);                -- 1 is the input
  signal mixed, mixed_in   : sums_t(2 to 5);
  signal so_far, so_far_in : sum_t;                          -- of the instruction whose rows come in
  signal whole, whole_in   : sum_t;                          -- in step 5
  signal added, added_in   : sum_t;                          -- in step 6
  signal row    : std_ulogic_vector(63 downto 0);
  signal changed : std_ulogic_vector(63 downto 0);
  signal writes : std_ulogic_vector(0 downto 0);
  signal from, to_place : unsigned(4 downto 0);

begin

  pipe : process (all)
    variable sum : sum_t;
  begin
    steps_in(2)      <= (row => row_i, ended => ended_i, trap => trap_i, hashed => hashed_i, warp => warp_i);
    steps_in(3 to 6) <= steps(2 to 5);
    mixed_in(2) <= mix_first(resize(number_i, 32));
    mixed_in(3) <= mix_second(mixed(2));
    mixed_in(4) <= mixed(3)(31 downto 1) & '1';
    mixed_in(5) <= mixed(4);

    sum := so_far;
    if steps(4).row = '1' then
      sum := sum + sum_i;
    end if;
    so_far_in <= sum;
    if steps(4).ended = '1' or clear_i = '1' then
      so_far_in <= (others => '0');
    end if;
    if steps(4).trap = '1' then
      sum := (others => '0');
    end if;
    whole_in <= sum + common_i;
    added_in <= weigh(whole, mixed(5));
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      steps  <= steps_in;
      mixed  <= mixed_in;
      so_far <= so_far_in;
      whole  <= whole_in;
      added  <= added_in;
    end if;
  end process;

  from <= steps(5).warp when (steps(5).ended and steps(5).hashed) = '1' else place_i;

  change : process (all)
    variable adds : std_ulogic;
  begin
    adds      := steps(6).ended and steps(6).hashed;
    writes(0) <= adds or clear_i;
    to_place  <= steps(6).warp;
    changed   <= std_ulogic_vector(unsigned(row(63 downto 32)) + 1) & std_ulogic_vector(unsigned(row(31 downto 0)) +
                   added);
    if clear_i = '1' then
      to_place <= place_i;
      changed  <= (others => '0');
    end if;
  end process;

  u_sums : entity work.ram_1r1w
    generic map (ADDR_BITS => 5, COLUMN_BITS => 64, NEW_DATA => true, SEED => SEED)
    port map (clk => clk, re_i => '1', raddr_i => from, rdata_o => row, we_i => writes, waddr_i => to_place,
              wdata_i => changed);

  sum_o   <= row(31 downto 0);
  count_o <= row(63 downto 32);

end architecture;
