-- SPDX-License-Identifier: Apache-2.0
-- fetch: whatever the code memory's grants and the redirections, each warp reads its words in order from where it was
-- sent, with address and half; words that were under way when it was sent elsewhere never show. Random, 20000 cycles.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use ieee.math_real.uniform;

use work.gpu_pkg.all;

entity fetch_tb is
end entity fetch_tb;

architecture sim of fetch_tb is
  constant WARPS : positive := 3;

  signal clk      : std_ulogic := '0';
  signal rst      : std_ulogic := '1';
  signal running  : std_ulogic_vector(WARPS - 1 downto 0) := (others => '0');
  signal redirect : std_ulogic := '0';
  signal slot     : slot_t := (others => '0');
  signal pc       : pc_t := (others => '0');
  signal req      : std_ulogic;
  signal addr     : unsigned(20 downto 0);
  signal grant    : std_ulogic := '0';
  signal data     : std_ulogic_vector(63 downto 0) := (others => 'X');
  signal ready    : std_ulogic_vector(WARPS - 1 downto 0);
  signal read     : std_ulogic := '0';
  signal read_slot : slot_t := (others => '0');
  signal word     : std_ulogic_vector(63 downto 0);
  signal word_addr : unsigned(20 downto 0);
  signal upper    : std_ulogic;
  signal take     : std_ulogic := '0';
  signal take_slot : slot_t := (others => '0');
  signal take_word : std_ulogic := '0';

  function code(address : unsigned(20 downto 0)) return std_ulogic_vector is
  begin
    return "00000" & x"c0d" & "000" & std_ulogic_vector(address) & "00" & not std_ulogic_vector(address);
  end function code;
begin

  u_dut : entity work.fetch
    generic map (WARPS => WARPS, SEED => 1)
    port map (clk => clk, rst => rst, running_i => running, redirect_i => redirect, slot_i => slot, pc_i => pc,
              req_o => req, addr_o => addr, grant_i => grant, data_i => data, ready_o => ready, read_i => read,
              read_slot_i => read_slot, word_o => word, addr_of_word_o => word_addr, upper_o => upper,
              take_i => take, take_slot_i => take_slot, take_word_i => take_word);

  stimulus : process
    type pcs_t is array (0 to WARPS - 1) of natural;
    type counts_t is array (0 to WARPS - 1) of natural;
    variable must_pc  : pcs_t := (others => 0);              -- of the next instruction
    variable taken    : counts_t := (others => 0);
    variable seed1    : positive := 7;
    variable seed2    : positive := 11;
    variable warp     : natural;
    variable granted  : boolean;
    variable asked    : unsigned(20 downto 0);
    variable reading  : boolean := false;                    -- a read was asked for in the cycle before
    variable redirects : natural := 0;

    impure function random(n : positive) return natural is
      variable x : real;
    begin
      uniform(seed1, seed2, x);
      return natural(real(n) * x - 0.5);
    end function random;

    procedure send(w, address : natural) is
    begin
      redirect   <= '1';
      slot       <= to_unsigned(w, SLOT_BITS);
      pc         <= to_unsigned(address, 24);
      must_pc(w) := address;
    end procedure send;

    -- One clock: the memory answers a grant in the next cycle.
    procedure tick is
    begin
      grant <= to_sl(random(3) > 0);
      wait for 1 ns;
      granted := req = '1' and grant = '1';
      asked   := addr;
      clk <= '1';
      wait for 1 ns;
      clk <= '0';
      data <= (others => 'X');
      if granted then
        data <= code(asked);
      end if;
      redirect <= '0';
      read     <= '0';
      take     <= '0';
      wait for 0 ns;
    end procedure tick;
  begin
    tick;
    rst <= '0';
    for w in 0 to WARPS - 1 loop
      send(w, 64 * w);
      running(w) <= '1';
      tick;
    end loop;

    for cycle in 1 to 20000 loop
      if reading then
        -- what was read; consume it or leave it
        assert word_addr = must_pc(warp) / 8 and upper = to_sl(must_pc(warp) mod 8 = 4) and word = code(word_addr)
          report "warp " & integer'image(warp) & " must read at " & integer'image(must_pc(warp)) & ", is at "
                 & integer'image(to_integer(word_addr) * 8) severity failure;
        if random(4) > 0 then
          take      <= '1';
          take_slot <= to_unsigned(warp, SLOT_BITS);
          taken(warp) := taken(warp) + 1;
          if upper = '1' or random(2) = 0 then
            take_word     <= '1';
            must_pc(warp) := (must_pc(warp) / 8 + 1) * 8;
          else
            take_word     <= '0';
            must_pc(warp) := must_pc(warp) + 4;
          end if;
        end if;
        reading := false;
      elsif random(8) = 0 then
        send(random(WARPS), random(256) * 4);
        redirects := redirects + 1;
      else
        warp := random(WARPS);
        if ready(warp) = '1' then
          read      <= '1';
          read_slot <= to_unsigned(warp, SLOT_BITS);
          reading   := true;
        end if;
      end if;
      tick;
    end loop;
    for w in 0 to WARPS - 1 loop
      assert taken(w) > 500
        report "warp " & integer'image(w) & " took only " & integer'image(taken(w)) severity failure;
    end loop;
    assert redirects > 500 report "too few redirections" severity failure;

    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
