-- SPDX-License-Identifier: Apache-2.0
-- Memory with one synchronous read port and one write port with column enables. Read data come one cycle after re_i and
-- hold. Reading the word being written returns the new data with NEW_DATA, else X in the written columns.
--
-- Every memory of the machine is one of these. Nothing is reset. SEED draws the initial contents in simulation; with 0
-- they are unknown.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity ram_1r1w is
  generic (
    ADDR_BITS   : positive;            -- depth is 2 ** ADDR_BITS words
    COLUMN_BITS : positive;            -- bits that share a write enable
    COLUMNS     : positive := 1;
    NEW_DATA    : boolean  := false;
    SEED        : natural  := 0
  );
  port (
    clk     : in  std_ulogic;
    re_i    : in  std_ulogic;
    raddr_i : in  unsigned(ADDR_BITS - 1 downto 0);
    rdata_o : out std_ulogic_vector(COLUMNS * COLUMN_BITS - 1 downto 0);
    we_i    : in  std_ulogic_vector(COLUMNS - 1 downto 0);
    waddr_i : in  unsigned(ADDR_BITS - 1 downto 0);
    wdata_i : in  std_ulogic_vector(COLUMNS * COLUMN_BITS - 1 downto 0)
  );
end entity;

architecture rtl of ram_1r1w is
  subtype row_t is std_ulogic_vector(COLUMNS * COLUMN_BITS - 1 downto 0);
  type memory_t is array (0 to 2 ** ADDR_BITS - 1) of row_t;

  -- A pattern that differs from word to word and from seed to seed; cheap, as memories are large.
  -- Unknown (and so no initial value after synthesis) when SEED is 0.
  function initial return memory_t is
    variable memory : memory_t := (others => (others => 'X'));
    variable state  : unsigned(30 downto 0);
  begin
    if SEED /= 0 then
      state := to_unsigned(SEED mod 16#7fff0000# + 1, 31);
      for i in memory'range loop
        state := state(29 downto 0) & (state(30) xor state(27));
        for b in row_t'range loop
          memory(i)(b) := state(b mod 31);
        end loop;
      end loop;
    end if;
    return memory;
  end function;

  signal stored : row_t;
begin

  -- A process variable: a signal array of this size would cost the simulator hundreds of bytes a bit. It is read before
  -- it is written, the only order that synthesis keeps. One multiplexer for each column, between memory and register,
  -- is the form that synthesis takes for a read port with new or unknown data.
  access_memory : process (clk)
    variable memory : memory_t := initial;
    variable data   : row_t;
  begin
    if rising_edge(clk) then
      if re_i = '1' then
        data := memory(to_integer(raddr_i));
        for c in 0 to COLUMNS - 1 loop
          if we_i(c) = '1' and raddr_i = waddr_i then
            if NEW_DATA then
              data((c + 1) * COLUMN_BITS - 1 downto c * COLUMN_BITS) :=
                wdata_i((c + 1) * COLUMN_BITS - 1 downto c * COLUMN_BITS);
            else
              data((c + 1) * COLUMN_BITS - 1 downto c * COLUMN_BITS) := (others => 'X');
            end if;
          end if;
        end loop;
        stored <= data;
      end if;
      for c in 0 to COLUMNS - 1 loop
        if we_i(c) = '1' then
          memory(to_integer(waddr_i))((c + 1) * COLUMN_BITS - 1 downto c * COLUMN_BITS) :=
            wdata_i((c + 1) * COLUMN_BITS - 1 downto c * COLUMN_BITS);
        end if;
      end loop;
    end if;
  end process;

  rdata_o <= stored;

end architecture;
