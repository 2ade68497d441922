-- SPDX-License-Identifier: Apache-2.0
-- The instruction buffer of one warp: counts of a small ring of 8-byte words (the words themselves are in fetch.vhd's
-- memory), where the next one is fetched from, and which half of the head word comes next. Redirection empties it; what
-- was under way then is never reported here.

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
    after_i    : in  unsigned(20 downto 0);                  -- ... which makes this the next one
    arrive_i   : in  std_ulogic;                             -- a requested word arrives, for tail_o
    decoding_i : in  std_ulogic;                             -- stage D holds an instruction of this warp
    take_i     : in  std_ulogic;                             -- ... which is consumed now
    take_word_i : in std_ulogic;                             -- ... and is the last of its word
    redirect_i : in  std_ulogic;
    upper_i    : in  std_ulogic;                             -- to the upper half of a word
    coming_i   : in  unsigned(1 downto 0);                   -- as many words are requested with the redirection
    resume_i   : in  unsigned(20 downto 0);                  -- and this is the next one
    wants_o    : out std_ulogic;                             -- there is room for another word
    ready_o    : out std_ulogic;                             -- an instruction is there, behind the one in stage D
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
    if arrive_i = '1' then
      v.coming := r.coming - 1;
      v.filled := r.filled + 1;
      v.tail   := r.tail + 1;
    end if;
    if take_i = '1' then
      v.upper := not take_word_i;
      if take_word_i = '1' then
        v.filled := v.filled - 1;
        v.head   := r.head + 1;
      end if;
    end if;
    if request_i = '1' then
      v.next_word := after_i;
      v.coming    := v.coming + 1;
    end if;
    if redirect_i = '1' then
      v.filled    := (others => '0');
      v.coming    := '0' & coming_i;
      v.head      := v.tail;
      v.next_word := resume_i;
      v.upper     := upper_i;
    end if;
    rin <= v;
  end process;

  wants_o <= running_i and to_sl(r.filled + r.coming < DEPTH);
  -- a word that arrives can be read at once; that of the instruction in stage D is still in the buffer
  ready_o <= arrive_i or to_sl(r.filled > 1)
             or (to_sl(r.filled = 1) and not (decoding_i and take_word_i));
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
        r.head   <= (others => '0');
        r.tail   <= (others => '0');
      end if;
    end if;
  end process;

end architecture;
