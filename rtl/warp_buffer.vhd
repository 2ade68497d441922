-- SPDX-License-Identifier: Apache-2.0
-- The instruction buffer of one warp: counts of a small ring of 8-byte words (the words themselves are in fetch.vhd's
-- memory), where the next one is fetched from, and which half of the head word comes next. Redirection empties it;
-- words still under way are then dropped as they arrive.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;

entity warp_buffer is
  port (
    clk        : in  std_ulogic;
    rst        : in  std_ulogic;
    running_i  : in  std_ulogic;
    request_i  : in  std_ulogic;                             -- the word at next_o is requested
    arrive_i   : in  std_ulogic;                             -- a requested word arrives
    take_i     : in  std_ulogic;                             -- an instruction is consumed
    take_word_i : in std_ulogic;                             -- ... and with it the rest of its word
    redirect_i : in  std_ulogic;
    pc_i       : in  pc_t;
    wants_o    : out std_ulogic;                             -- there is room for another word
    ready_o    : out std_ulogic;                             -- an instruction is in the buffer
    keep_o     : out std_ulogic;                             -- a word that arrives now goes to tail_o
    next_o     : out unsigned(20 downto 0);
    head_o     : out unsigned(1 downto 0);
    tail_o     : out unsigned(1 downto 0);
    upper_o    : out std_ulogic                              -- the upper half of the head word is next
  );
end entity;

architecture rtl of warp_buffer is

  constant DEPTH : positive := 4;

  type buffer_t is record
    next_word : unsigned(20 downto 0);
    filled    : unsigned(2 downto 0);                        -- words in the buffer
    coming    : unsigned(2 downto 0);                        -- requested, not yet arrived
    stale     : unsigned(2 downto 0);                        -- of these, to be dropped
    head      : unsigned(1 downto 0);
    tail      : unsigned(1 downto 0);
    upper     : std_ulogic;
  end record;

  signal r, rin : buffer_t;

begin

  comb : process (all)
    variable v : buffer_t;
  begin
    v := r;
    keep_o <= '0';
    if arrive_i = '1' then
      v.coming := r.coming - 1;
      if r.stale /= 0 then
        v.stale := r.stale - 1;
      else
        keep_o   <= '1';
        v.filled := r.filled + 1;
        v.tail   := r.tail + 1;
      end if;
    end if;
    if take_i = '1' then
      v.upper := not take_word_i;
      if take_word_i = '1' then
        v.filled := v.filled - 1;
        v.head   := r.head + 1;
      end if;
    end if;
    wants_o <= running_i and to_sl(v.filled + v.coming < DEPTH);
    if request_i = '1' then
      v.next_word := r.next_word + 1;
      v.coming    := v.coming + 1;
    end if;
    if redirect_i = '1' then
      v.stale     := v.coming;
      v.filled    := (others => '0');
      v.head      := v.tail;
      v.next_word := pc_i(23 downto 3);
      v.upper     := pc_i(2);
    end if;
    rin <= v;
  end process;

  ready_o <= to_sl(r.filled /= 0);
  next_o  <= r.next_word;
  head_o  <= r.head;
  tail_o  <= r.tail;
  upper_o <= r.upper;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
      if rst = '1' then
        r.filled <= (others => '0');
        r.coming <= (others => '0');
        r.stale  <= (others => '0');
        r.head   <= (others => '0');
        r.tail   <= (others => '0');
      end if;
    end if;
  end process;

end architecture;
