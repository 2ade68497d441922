-- SPDX-License-Identifier: Apache-2.0
-- ram_1r1w: every word comes back, column enables write their columns alone, read data holds, and a read in the cycle
-- of a write to the same place sees the new word where NEW_DATA asks for it, else X in the columns that are written.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.bench_pkg.all;

entity ram_1r1w_tb is
end entity ram_1r1w_tb;

architecture sim of ram_1r1w_tb is
  constant ADDR_BITS : positive := 4;
  signal clk        : std_ulogic := '0';
  signal re         : std_ulogic := '0';
  signal raddr      : unsigned(ADDR_BITS - 1 downto 0) := (others => '0');
  signal any_data   : std_ulogic_vector(15 downto 0);
  signal new_data   : std_ulogic_vector(15 downto 0);
  signal we         : std_ulogic_vector(1 downto 0) := "00";
  signal waddr      : unsigned(ADDR_BITS - 1 downto 0) := (others => '0');
  signal wdata      : std_ulogic_vector(15 downto 0) := (others => '0');
begin

  u_any : entity work.ram_1r1w
    generic map (ADDR_BITS => ADDR_BITS, COLUMN_BITS => 8, COLUMNS => 2)
    port map (clk => clk, re_i => re, raddr_i => raddr, rdata_o => any_data, we_i => we, waddr_i => waddr,
              wdata_i => wdata);

  u_new : entity work.ram_1r1w
    generic map (ADDR_BITS => ADDR_BITS, COLUMN_BITS => 8, COLUMNS => 2, NEW_DATA => true)
    port map (clk => clk, re_i => re, raddr_i => raddr, rdata_o => new_data, we_i => we, waddr_i => waddr,
              wdata_i => wdata);

  stimulus : process
    procedure expect(any_word, new_word : std_ulogic_vector(15 downto 0); what : string) is
    begin
      assert any_data = any_word
        report what & ": any data " & to_hstring(any_data) & ", not " & to_hstring(any_word) severity failure;
      assert new_data = new_word
        report what & ": new data " & to_hstring(new_data) & ", not " & to_hstring(new_word) severity failure;
    end procedure expect;

    function pattern(i : natural) return std_ulogic_vector is
    begin
      return std_ulogic_vector(to_unsigned(i * 4097 + 17, 16));
    end function pattern;
  begin
    we <= "11";
    for i in 0 to 15 loop
      waddr <= to_unsigned(i, ADDR_BITS);
      wdata <= pattern(i);
      tick(clk);
    end loop;
    we <= "00";
    re <= '1';
    for i in 0 to 15 loop
      raddr <= to_unsigned(i, ADDR_BITS);
      tick(clk);
      expect(pattern(i), pattern(i), "word " & integer'image(i));
    end loop;

    -- one column
    we    <= "10";
    waddr <= x"3";
    wdata <= x"abcd";
    raddr <= x"3";
    tick(clk);
    expect("XXXXXXXX" & pattern(3)(7 downto 0), x"ab" & pattern(3)(7 downto 0),
           "read during write of the upper column");
    we <= "01";
    tick(clk);
    expect(x"ab" & "XXXXXXXX", x"abcd", "read during write of the lower column");
    we <= "00";
    tick(clk);
    expect(x"abcd", x"abcd", "after both columns");

    -- data holds while re is low, also when its word is written
    re    <= '0';
    raddr <= x"5";
    we    <= "11";
    waddr <= x"3";
    wdata <= x"1111";
    tick(clk);
    expect(x"abcd", x"abcd", "held");
    we <= "00";
    tick(clk);
    expect(x"abcd", x"abcd", "held again");
    re <= '1';
    tick(clk);
    expect(pattern(5), pattern(5), "read again");

    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
