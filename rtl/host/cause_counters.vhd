-- SPDX-License-Identifier: Apache-2.0
-- Counts the cycles of one SM by cause, modulo 2 ** 32: a word of a small memory for each cause, read in the cycle in
-- which the cause is known and written back, one higher, in the next. The host reads when nothing is counted, data one
-- cycle later; while a grid runs it reads 0.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;
use work.lists_pkg.all;

entity cause_counters is
  generic (
    SEED : natural
  );
  port (
    clk      : in  std_ulogic;
    clear_i  : in  std_ulogic;                               -- all are 0 again
    count_i  : in  std_ulogic;
    cause_i  : in  cause_t;                                  -- a cycle of this
    addr_i   : in  unsigned(3 downto 0);                     -- the host's: number of a cause
    cycles_o : out word_t
  );
end entity;

architecture rtl of cause_counters is

  subtype addr_t is unsigned(3 downto 0);
  subtype causes_seen_t is std_ulogic_vector(15 downto 0);

  type counters_t is record
    seen  : causes_seen_t;                                   -- since the last clear: the others' words mean nothing
    addr  : addr_t;                                          -- of the word that arrives from memory
    valid : std_ulogic;                                      -- it means something
    count : std_ulogic_vector(0 downto 0);                   -- it goes back, one higher
    counts : std_ulogic;                                     -- inputs of the last cycle
    cause  : cause_t;
  end record;

  signal r, rin : counters_t;
  signal addr   : addr_t;
  signal stored, cycles, one_more : word_t;

begin

  comb : process (all)
    variable v : counters_t;
  begin
    v := r;
    addr <= addr_i;
    v.counts := count_i and not clear_i;
    v.cause  := cause_i;
    if r.counts = '1' then
      addr <= to_unsigned(r.cause, addr_t'length);
    end if;
    v.addr     := addr;
    v.valid    := r.seen(to_integer(addr));
    v.count(0) := r.counts;
    v.seen     := r.seen or (one_hot(addr, causes_seen_t'length) and causes_seen_t'(others => r.counts));
    if clear_i = '1' then
      v.seen := (others => '0');
    end if;
    rin <= v;
  end process;

  cycles   <= stored and word_t'(others => r.valid);
  one_more <= std_ulogic_vector(unsigned(cycles) + 1);
  cycles_o <= cycles and word_t'(others => not r.count(0));

  u_words : entity work.ram_1r1w
    generic map (ADDR_BITS => addr_t'length, COLUMN_BITS => 32, NEW_DATA => true, SEED => SEED)
    port map (
      clk     => clk,
      re_i    => '1',
      raddr_i => addr,
      rdata_o => stored,
      we_i    => r.count,
      waddr_i => r.addr,
      wdata_i => one_more
    );

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
    end if;
  end process;

end architecture;
