-- SPDX-License-Identifier: Apache-2.0
-- The accesses of one direction, loads or stores, that a bus has not answered yet, oldest first: owner and tag of the
-- line. Tells whether the next access meets its tag here and must wait. Tags are compared one cycle early.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;

entity lines_under_way is
  generic (
    PLACES     : positive;                                   -- a power of two
    TAG_BITS   : positive;
    OWNER_BITS : positive;
    SEED       : natural
  );
  port (
    clk      : in  std_ulogic;
    rst      : in  std_ulogic;
    enters_i : in  std_ulogic;                               -- an access comes to its stage, where it will
    tag_i    : in  std_ulogic_vector(TAG_BITS - 1 downto 0); -- tag of that access
    meets_o  : out std_ulogic;                               -- the access in that stage: one here has its tag
    push_i   : in  std_ulogic;                               -- the access in the stage goes under way
    owner_i  : in  std_ulogic_vector(OWNER_BITS - 1 downto 0);
    room_o   : out std_ulogic;                               -- there is room for one more
    pop_i    : in  std_ulogic;                               -- the oldest is answered, two cycles after push_i at best
    owner_o  : out std_ulogic_vector(OWNER_BITS - 1 downto 0) -- owner of the oldest access
  );
end entity;

architecture rtl of lines_under_way is

  subtype tag_t is std_ulogic_vector(TAG_BITS - 1 downto 0);
  type tags_t is array (0 to PLACES - 1) of tag_t;
  subtype places_t is std_ulogic_vector(PLACES - 1 downto 0);
  subtype place_t is unsigned(log2(PLACES) - 1 downto 0);

  signal tag    : tag_t;                                     -- of the access in the stage
  signal tags   : tags_t;
  signal valid  : places_t;
  signal same   : places_t;                                  -- it has the tag of the access in the stage
  signal oldest, next_oldest : place_t;
  signal free, next_free     : place_t;

begin

  meets_o <= or_reduce(same and valid);
  room_o  <= not valid(to_integer(free));

  each_place : for p in 0 to PLACES - 1 generate
    signal enters, leaves    : std_ulogic;
    signal valid_in, same_in : std_ulogic;
  begin
    enters <= push_i and to_sl(free = p);
    leaves <= pop_i and to_sl(oldest = p);

    valid_in <= enters or (valid(p) and not leaves);
    same_in  <= to_sl(tag = tag_i) when enters = '1' else to_sl(tags(p) = tag_i);

    place_regs : process (clk)
    begin
      if rising_edge(clk) then
        valid(p) <= valid_in;
        if enters = '1' then
          tags(p) <= tag;
        end if;
        if enters_i = '1' then
          same(p) <= same_in;
        end if;
        if rst = '1' then
          valid(p) <= '0';
        end if;
      end if;
    end process;
  end generate;

  next_free   <= free + 1;
  next_oldest <= oldest + 1;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      if enters_i = '1' then
        tag <= tag_i;
      end if;
      if push_i = '1' then
        free <= next_free;
      end if;
      if pop_i = '1' then
        oldest <= next_oldest;
      end if;
      if rst = '1' then
        oldest <= (others => '0');
        free   <= (others => '0');
      end if;
    end if;
  end process;

  -- Never full before the places are.
  u_owners : entity work.access_queue
    generic map (BITS => OWNER_BITS, PLACES => PLACES, SEED => SEED)
    port map (clk => clk, rst => rst, push_i => push_i, data_i => owner_i, free_o => open, valid_o => open,
              data_o => owner_o, pop_i => pop_i, empty_o => open);

  rules : process (clk)
  begin
    if rising_edge(clk) then
      room_for_push : assert rst = '1' or (push_i and not room_o) = '0'
        report "an access goes under way for which there is no room" severity failure;
      pops_what_was_pushed : assert rst = '1' or pop_i = '0' or valid(to_integer(oldest)) = '1'
        report "the bus answers without a request" severity failure;
    end if;
  end process;

end architecture;
