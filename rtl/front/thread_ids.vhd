-- SPDX-License-Identifier: Apache-2.0
-- Thread ids of starting warps, as R0 holds them: x in bits 15:0, y in 25:16, z in 31:26, one row at a time. Setup
-- counts through the ids of CORES + 1 neighbours; a row is then its first thread's id plus each lane's offset, added
-- digit by digit in the block's mixed radix. No division.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.gpu_pkg.all;

entity thread_ids is
  generic (
    CORES : positive
  );
  port (
    clk      : in  std_ulogic;
    launch_i : in  launch_t;
    setup_i  : in  std_ulogic;                               -- a launch begins; takes CORES + 1 cycles
    ready_o  : out std_ulogic;                               -- setup is over, from the cycle behind setup_i on
    first_i  : in  std_ulogic;                               -- show the first row of a block next
    next_i   : in  std_ulogic;                               -- show the next row
    tid_o    : out words_t(0 to CORES - 1)
  );
end entity;

architecture rtl of thread_ids is

  type id_t is record
    x : unsigned(9 downto 0);
    y : unsigned(9 downto 0);
    z : unsigned(5 downto 0);
  end record;
  constant FIRST : id_t := (x => (others => '0'), y => (others => '0'), z => (others => '0'));
  type ids_t is array (1 to CORES) of id_t;

  -- A block has at most 1024 threads, so that eleven bits hold a dimension.
  type ids_state_t is record
    count    : natural range 0 to CORES;                     -- threads that setup has counted
    ready    : std_ulogic;                                   -- setup is over
    running  : id_t;
    distance : ids_t;                                        -- of lane l from lane 0; the last one from row to row
    base     : id_t;                                         -- first thread of the row
  end record;
  signal r, rin : ids_state_t;

  type sum_t is record
    digit : unsigned(9 downto 0);
    over  : std_ulogic;                                      -- one is carried
  end record;

  -- a + b + one, below the radix
  function add(a, b : unsigned(9 downto 0); one : natural; radix : unsigned(15 downto 0)) return sum_t is
    variable sum  : unsigned(10 downto 0);
    variable less : unsigned(11 downto 0);                   -- sum less its radix; negative where that is more
    variable s    : sum_t;
  begin
    sum     := resize(a, 11) + resize(b, 11) + one;
    less    := resize(sum, 12) - resize(radix(10 downto 0), 12);
    s.over  := not less(11);
    s.digit := sum(9 downto 0);
    if s.over = '1' then
      s.digit := less(9 downto 0);
    end if;
    return s;
  end function;

  -- a + b, each digit below its radix. Each digit's value with a carry is computed in parallel.
  function add(a, b : id_t; launch : launch_t) return id_t is
    variable x, y, y_carried : sum_t;
    variable id : id_t;
  begin
    x         := add(a.x, b.x, 0, launch.block_x);
    y         := add(a.y, b.y, 0, launch.block_y);
    y_carried := add(a.y, b.y, 1, launch.block_y);
    if x.over = '1' then
      y := y_carried;
    end if;
    id.x := x.digit;
    id.y := y.digit;
    id.z := a.z + b.z;
    if y.over = '1' then
      id.z := a.z + b.z + 1;
    end if;
    return id;
  end function;

  -- the id of the next thread
  function successor(a : id_t; launch : launch_t) return id_t is
    variable id : id_t;
  begin
    id := a;
    if resize(a.x, 11) + 1 = launch.block_x(10 downto 0) then
      id.x := (others => '0');
      if resize(a.y, 11) + 1 = launch.block_y(10 downto 0) then
        id.y := (others => '0');
        id.z := a.z + 1;
      else
        id.y := a.y + 1;
      end if;
    else
      id.x := a.x + 1;
    end if;
    return id;
  end function;

begin

  comb : process (all)
    variable v : ids_state_t;
  begin
    v := r;
    if setup_i = '1' then
      v.count   := 0;
      v.ready   := '0';
      v.running := FIRST;
    elsif r.ready = '0' then
      for i in 1 to CORES loop
        if r.count = i then
          v.distance(i) := r.running;
        end if;
      end loop;
      v.running := successor(r.running, launch_i);
      v.ready   := to_sl(r.count = CORES);
      if r.count < CORES then
        v.count := r.count + 1;
      end if;
    end if;
    if next_i = '1' then
      v.base := add(r.base, r.distance(CORES), launch_i);
    end if;
    if first_i = '1' then
      v.base := FIRST;
    end if;
    rin <= v;
  end process;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r <= rin;
    end if;
  end process;

  ready_o <= r.ready;

  show : process (all)
    variable id : id_t;
  begin
    id := r.base;
    for l in 0 to CORES - 1 loop
      if l > 0 then
        id := add(r.base, r.distance(l), launch_i);
      end if;
      tid_o(l) <= std_ulogic_vector(id.z) & std_ulogic_vector(id.y) & "000000" & std_ulogic_vector(id.x);
    end loop;
  end process;

end architecture;
