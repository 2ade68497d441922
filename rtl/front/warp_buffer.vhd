-- SPDX-License-Identifier: Apache-2.0
-- The instruction buffer of one warp: counts of a small ring of 8-byte words (the words themselves are in fetch.vhd's
-- memory), and where in it the next instruction is. Redirection empties it; what was under way then is never reported
-- here.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;

entity warp_buffer is
  port (
    clk        : in  std_ulogic;
    rst        : in  std_ulogic;
    running_i  : in  std_ulogic;
    request_i  : in  std_ulogic;                             -- the next word is requested
    arrive_i   : in  std_ulogic;                             -- a requested word arrives
    take_i     : in  std_ulogic;                             -- an instruction is consumed now
    take_word_i : in std_ulogic;                             -- it is the last instruction of its word
    redirect_i : in  std_ulogic;
    place_i    : in  unsigned(2 downto 0);                   -- to this place and half
    coming_i   : in  unsigned(1 downto 0);                   -- as many words are requested with the redirection
    wants_o    : out std_ulogic;                             -- there is room for another word
    ready_o    : out std_ulogic;                             -- an instruction is there
    place_o    : out unsigned(2 downto 0)                    -- place of the head word, and half that is next
  );
end entity;

architecture rtl of warp_buffer is

  constant DEPTH : positive := 4;

  type buffer_t is record
    filled : unsigned(2 downto 0);                           -- words in the buffer
    held   : unsigned(2 downto 0);                           -- words in the buffer or requested
    ready  : std_ulogic;                                     -- there is a word
    place  : unsigned(2 downto 0);
  end record;

  signal r, rin : buffer_t;

begin

  comb : process (all)
    variable v : buffer_t;
    variable leaves : std_ulogic;                            -- the head word
    variable held, requested : unsigned(2 downto 0);
  begin
    v := r;
    leaves := take_i and take_word_i;
    if arrive_i = '1' and leaves = '0' then
      v.filled := r.filled + 1;
    elsif arrive_i = '0' and leaves = '1' then
      v.filled := r.filled - 1;
    end if;
    held      := r.held;                                     -- without a request, or with one, which is known late
    requested := r.held + 1;
    if leaves = '1' then
      held      := r.held - 1;
      requested := r.held;
    end if;
    if redirect_i = '1' then
      held      := '0' & coming_i;
      requested := held;
    end if;
    v.held := held;
    if request_i = '1' then
      v.held := requested;
    end if;
    if take_i = '1' then
      v.place := r.place(2 downto 1) & '1';
      if take_word_i = '1' then
        v.place := (r.place(2 downto 1) + 1) & '0';
      end if;
    end if;
    if redirect_i = '1' then
      v.filled := (others => '0');
      v.place  := place_i;
    end if;
    v.ready := to_sl(v.filled /= 0);
    rin <= v;
  end process;

  wants_o <= running_i and to_sl(r.held < DEPTH);
  ready_o <= r.ready;
  place_o <= r.place;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
      if rst = '1' then
        r.filled <= (others => '0');
        r.held   <= (others => '0');
        r.ready  <= '0';
      end if;
    end if;
  end process;

  rules : process (clk)
  begin
    if rising_edge(clk) then
      room_for_word : assert rst = '1' or arrive_i = '0' or r.filled < DEPTH
        report "a word arrives that has no place" severity failure;
      takes_what_is_there : assert rst = '1' or take_i = '0' or r.filled /= 0
        report "an instruction is taken from an empty buffer" severity failure;
      arrives_as_requested : assert rst = '1' or arrive_i = '0' or r.filled < r.held
        report "a word arrives that was not requested" severity failure;
      requests_what_fits : assert rst = '1' or request_i = '0' or r.held < DEPTH
        report "a word is requested that has no place" severity failure;
    end if;
  end process;

end architecture;
