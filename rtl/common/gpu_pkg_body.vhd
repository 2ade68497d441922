-- SPDX-License-Identifier: Apache-2.0
-- Bodies of the helper functions that gpu_pkg.vhd declares: cells of memory words, bits.

package body gpu_pkg is

  function to_sl(b : boolean) return std_ulogic is
    variable bit_value : std_ulogic := '0';
  begin
    if b then
      bit_value := '1';
    end if;
    return bit_value;
  end function;

  function or_reduce(v : std_ulogic_vector) return std_ulogic is
  begin
    return or v;
  end function;

  function plus_one(n : unsigned) return unsigned is
    alias normal  : unsigned(n'length - 1 downto 0) is n;
    variable sum  : unsigned(n'length - 1 downto 0);
    variable below : std_ulogic := '1';                       -- all bits below are ones
  begin
    for i in 0 to n'length - 1 loop
      sum(i) := normal(i) xor below;
      below  := below and normal(i);
    end loop;
    return sum;
  end function;

  function shift_power(right : std_ulogic; n : unsigned(4 downto 0)) return unsigned is
  begin
    if right = '1' then
      return plus_one(not n);
    end if;
    return n;
  end function;

  function ones(first : natural; last : natural) return word_t is
    variable word : word_t := (others => '0');
  begin
    word(last downto first) := (others => '1');
    return word;
  end function;

  function ones(at : natural) return word_t is
  begin
    return ones(at, at);
  end function;

  function log2(n : positive) return natural is
    variable bits : natural := 0;
    variable rest : natural := n;
  begin
    while rest > 1 loop
      rest := rest / 2;
      bits := bits + 1;
    end loop;
    return bits;
  end function;

  function extract(word : word_t; byte : unsigned(1 downto 0); narrow, whole, is_signed, enable : std_ulogic)
    return word_t is
    variable half   : half_t := word(15 downto 0);
    variable cell   : std_ulogic_vector(7 downto 0);
    variable sign   : std_ulogic;
    variable choice : std_ulogic_vector(1 downto 0);
    variable value  : word_t;
  begin
    if byte(1) = '1' and whole = '0' then
      half := word(31 downto 16);
    end if;
    cell := half(7 downto 0);
    sign := half(15);
    if narrow = '1' and byte(0) = '1' then
      cell := half(15 downto 8);
    elsif narrow = '1' then
      sign := half(7);
    end if;
    sign := sign and is_signed;

    -- Two bits select the bits above the cell, one LUT each.
    value(7 downto 0) := cell and (7 downto 0 => enable);
    choice := (narrow or not enable) & (enable and ((byte(1) and not whole and not narrow) or (narrow and sign)));
    case choice is
      when "00"   => value(15 downto 8) := word(15 downto 8);
      when "01"   => value(15 downto 8) := word(31 downto 24);
      when "10"   => value(15 downto 8) := (others => '0');
      when "11"   => value(15 downto 8) := (others => '1');
      when others => value(15 downto 8) := (others => 'X');
    end case;
    value(31 downto 16) := (others => sign and not whole and enable);
    if whole = '1' and enable = '1' then
      value(31 downto 16) := word(31 downto 16);
    end if;
    return value;
  end function;

  function extract(word : word_t; byte : unsigned(1 downto 0); size : size_t; is_signed : std_ulogic) return word_t is
  begin
    return extract(word, byte, to_sl(size = SIZE_1), to_sl(size /= SIZE_1 and size /= SIZE_2), is_signed, '1');
  end function;

  function aligned(low : unsigned(3 downto 0); size : size_t) return std_ulogic is
    variable must_be_zero : unsigned(3 downto 0);
  begin
    must_be_zero := (3 => to_sl(size = SIZE_16), 2 => to_sl(size = SIZE_16 or size = SIZE_8),
                     1 => to_sl(size /= SIZE_1 and size /= SIZE_2), 0 => to_sl(size /= SIZE_1));
    return to_sl((low and must_be_zero) = 0);
  end function;

  function bytes_of(size : size_t) return natural is
    variable bytes : natural := 4;
  begin
    if size = SIZE_1 then
      bytes := 1;
    elsif size = SIZE_2 then
      bytes := 2;
    elsif size = SIZE_8 then
      bytes := 8;
    elsif size = SIZE_16 then
      bytes := 16;
    end if;
    return bytes;
  end function;

  function exceeds(address : offset_t; last : signed(16 downto 0)) return std_ulogic is
  begin
    return last(16) or or_reduce(std_ulogic_vector(address(18 downto 16)))
           or to_sl(address(15 downto 0) > unsigned(last(15 downto 0)));
  end function;

  function last_part(size : size_t) return part_t is
    variable last : part_t;
  begin
    last := (1 => to_sl(size = SIZE_16), 0 => to_sl(size = SIZE_16 or size = SIZE_8));
    return last;
  end function;

  function exists(reg : reg_t; launch : launch_t) return boolean is
  begin
    return ('0' & reg) < launch.regs;
  end function;

  function is_load(mem : mem_t) return std_ulogic is
  begin
    return to_sl(mem = MEM_GLOBAL_LOAD or mem = MEM_LOCAL_LOAD);
  end function;

  function is_local(mem : mem_t) return std_ulogic is
  begin
    return to_sl(mem = MEM_LOCAL_LOAD or mem = MEM_LOCAL_STORE);
  end function;

  function is_global(mem : mem_t) return std_ulogic is
  begin
    return to_sl(mem = MEM_GLOBAL_LOAD or mem = MEM_GLOBAL_STORE);
  end function;

  function is_store(mem : mem_t) return std_ulogic is
  begin
    return to_sl(mem = MEM_SHARED_STORE or mem = MEM_GLOBAL_STORE or mem = MEM_LOCAL_STORE);
  end function;

  function enables(byte : unsigned(1 downto 0); size : size_t) return nibble_t is
    variable e : nibble_t := "1111";
  begin
    if size = SIZE_1 then
      for i in 0 to 3 loop
        e(i) := to_sl(byte = i);
      end loop;
    elsif size = SIZE_2 then
      e := byte(1) & byte(1) & not byte(1) & not byte(1);
    end if;
    return e;
  end function;

  function replicate(value : word_t; size : size_t) return word_t is
    variable word : word_t := value;
  begin
    if size = SIZE_1 then
      word := value(7 downto 0) & value(7 downto 0) & value(7 downto 0) & value(7 downto 0);
    elsif size = SIZE_2 then
      word := value(15 downto 0) & value(15 downto 0);
    end if;
    return word;
  end function;

  function bit_mask(bytes : nibble_t) return word_t is
    variable mask : word_t;
  begin
    for b in 0 to 3 loop
      mask(8 * b + 7 downto 8 * b) := (others => bytes(b));
    end loop;
    return mask;
  end function;

  function lowest_set(v : std_ulogic_vector) return std_ulogic_vector is
    variable lowest : std_ulogic_vector(v'length - 1 downto 0);
  begin
    lowest := v and std_ulogic_vector(unsigned(not v) + 1);
    return lowest;
  end function;

  function first_of(v : std_ulogic_vector) return std_ulogic_vector is
    alias normal   : std_ulogic_vector(v'length - 1 downto 0) is v;
    variable first : std_ulogic_vector(v'length - 1 downto 0) := (others => '0');
    variable below : std_ulogic;                              -- one of the fours before has one
  begin
    for i in 0 to v'length - 1 loop
      first(i) := normal(i);
      for lower in 4 * (i / 4) to i - 1 loop
        first(i) := first(i) and not normal(lower);
      end loop;
      below := '0';
      for four in 0 to i / 4 - 1 loop
        below := below or or_reduce(normal(4 * four + 3 downto 4 * four));
      end loop;
      first(i) := first(i) and not below;
    end loop;
    return first;
  end function;

  function one_hot_index(v : std_ulogic_vector; bits : positive) return unsigned is
    alias normal   : std_ulogic_vector(v'length - 1 downto 0) is v;  -- operators return ascending ranges
    variable index : unsigned(bits - 1 downto 0) := (others => '0');
  begin
    for i in normal'low to normal'high loop
      if normal(i) = '1' then
        index := index or to_unsigned(i, bits);
      end if;
    end loop;
    return index;
  end function;

  function one_hot(n : unsigned; bits : positive) return std_ulogic_vector is
  begin
    return std_ulogic_vector(shift_left(to_unsigned(1, bits), to_integer(n)));
  end function;

  function row_of(mask : lane_mask_t; row : row_t; cores : positive) return std_ulogic_vector is
    variable lanes_of_row : std_ulogic_vector(cores - 1 downto 0) := (others => '0');
  begin
    for r in 0 to LANES / cores - 1 loop
      if row = r then
        lanes_of_row := mask((r + 1) * cores - 1 downto r * cores);
      end if;
    end loop;
    return lanes_of_row;
  end function;

  function lane_file_bits(rows : positive) return positive is
  begin
    return SLOT_BITS + 2 + log2(rows);
  end function;

  function areg_index(areg : areg_t) return unsigned is
    variable below : areg_t;
  begin
    below := areg - 1;
    return below(1 downto 0);
  end function;

  function lane_file_addr(slot : slot_t; index : unsigned(1 downto 0); row : row_t; rows : positive) return unsigned is
    constant BITS : positive := lane_file_bits(rows);
  begin
    return shift_left(resize(slot & index, BITS), log2(rows)) or resize(row, BITS);
  end function;

end package body;
