-- SPDX-License-Identifier: Apache-2.0
-- Sums over the transfers of a bus, which tell its far end whether they arrived as meant: a CRC-32 of address
-- and data for writes, one for reads (docs/evidence/host.md). A transfer is taken in each second cycle at most and is
-- in the sum three cycles later.

library ieee;
use ieee.std_logic_1164.all;

entity transfer_sum is
  port (
    clk      : in  std_ulogic;
    clear_i  : in  std_ulogic;
    valid_i  : in  std_ulogic;                               -- a transfer was done
    we_i     : in  std_ulogic;                               -- the transfer was a write
    adr_i    : in  std_ulogic_vector(31 downto 0);
    dat_i    : in  std_ulogic_vector(31 downto 0);
    writes_o : out std_ulogic_vector(31 downto 0);
    reads_o  : out std_ulogic_vector(31 downto 0)
  );
end entity;

architecture rtl of transfer_sum is

  subtype word_t is std_ulogic_vector(31 downto 0);

  constant POLYNOMIAL : word_t := x"edb88320";               -- of CRC-32, lowest bit first
  constant INITIAL    : word_t := x"ffffffff";

  -- A transfer goes in as two words: its address, then its data.
  type sum_t is record
    valid, second : std_ulogic;
    we            : std_ulogic;
    word          : word_t;
    data          : word_t;
    writes, reads : word_t;
  end record;

  signal r, rin : sum_t;

  function crc(state, word : word_t) return word_t is
    variable v   : word_t := state;
    variable one : std_ulogic;
  begin
    for i in 0 to 31 loop
      one := v(0) xor word(i);
      v   := ('0' & v(31 downto 1)) xor (POLYNOMIAL and (31 downto 0 => one));
    end loop;
    return v;
  end function;

begin

  comb : process (all)
    variable v : sum_t;
    variable s : word_t;
  begin
    v := r;
    s := r.reads;
    if r.we = '1' then
      s := r.writes;
    end if;
    s := crc(s, r.word);
    if r.valid = '1' and r.we = '1' then
      v.writes := s;
    elsif r.valid = '1' then
      v.reads := s;
    end if;
    v.valid  := valid_i or r.second;
    v.second := valid_i;
    if valid_i = '1' then
      v.we   := we_i;
      v.word := adr_i;
      v.data := dat_i;
    else
      v.word := r.data;
    end if;
    writes_o <= not r.writes;
    reads_o  <= not r.reads;
    rin <= v;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
      if clear_i = '1' then
        r.valid  <= '0';
        r.second <= '0';
        r.writes <= INITIAL;
        r.reads  <= INITIAL;
      end if;
      each_second_cycle : assert clear_i = '1' or (valid_i and r.second) = '0' or is_x(valid_i)
        report "transfers in two cycles, one after the other" severity failure;
    end if;
  end process;

end architecture;
