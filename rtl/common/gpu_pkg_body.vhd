-- SPDX-License-Identifier: Apache-2.0
-- Bodies of the helper functions that gpu_pkg.vhd declares: records to vectors and back, cells of memory words, bits.

package body gpu_pkg is

  function to_vector(w : warp_info_t) return std_ulogic_vector is
  begin
    return std_ulogic_vector(w.local_base) & std_ulogic_vector(w.reg_base) & std_ulogic_vector(w.shared_base)
           & std_ulogic_vector(w.block_slot) & std_ulogic_vector(w.warp) & std_ulogic_vector(w.block_y)
           & std_ulogic_vector(w.block_x);
  end function;

  function to_warp_info(v : std_ulogic_vector(WARP_INFO_BITS - 1 downto 0)) return warp_info_t is
    variable w : warp_info_t;
  begin
    w.block_x     := unsigned(v(15 downto 0));
    w.block_y     := unsigned(v(31 downto 16));
    w.warp        := unsigned(v(36 downto 32));
    w.block_slot  := unsigned(v(39 downto 37));
    w.shared_base := unsigned(v(53 downto 40));
    w.reg_base    := unsigned(v(62 downto 54));
    w.local_base  := unsigned(v(87 downto 63));
    return w;
  end function;

  function to_vector(w : warp_state_t) return std_ulogic_vector is
  begin
    return std_ulogic_vector(w.breaks) & std_ulogic_vector(w.calls) & std_ulogic_vector(w.depth)
           & w.brk_parked & w.call_parked & w.alive & w.active;
  end function;

  function to_warp_state(v : std_ulogic_vector(WARP_STATE_BITS - 1 downto 0)) return warp_state_t is
    variable w : warp_state_t;
  begin
    w.active      := v(31 downto 0);
    w.alive       := v(63 downto 32);
    w.call_parked := v(95 downto 64);
    w.brk_parked  := v(127 downto 96);
    w.depth       := unsigned(v(134 downto 128));
    w.calls       := unsigned(v(141 downto 135));
    w.breaks      := unsigned(v(148 downto 142));
    return w;
  end function;

  function to_vector(w : decoded_word_t) return std_ulogic_vector is
  begin
    return to_vector(w.second) & to_vector(w.first) & w.word;
  end function;

  function to_decoded_word(v : std_ulogic_vector(DECODED_WORD_BITS - 1 downto 0)) return decoded_word_t is
    variable w : decoded_word_t;
  begin
    w.word   := v(63 downto 0);
    w.first  := to_control(v(63 + CONTROL_BITS downto 64));
    w.second := to_control(v(63 + 2 * CONTROL_BITS downto 64 + CONTROL_BITS));
    return w;
  end function;

  function to_vector(b : load_beat_t) return std_ulogic_vector is
  begin
    return b.enable & std_ulogic_vector(b.reg_row) & std_ulogic_vector(b.part) & std_ulogic_vector(b.row)
           & std_ulogic_vector(b.slot) & b.last;
  end function;

  function to_load_beat(v : std_ulogic_vector(LOAD_BEAT_BITS - 1 downto 0)) return load_beat_t is
    variable b : load_beat_t;
    constant ROW_AT : positive := 1 + SLOT_BITS;
  begin
    b.valid   := '1';
    b.last    := v(0);
    b.slot    := unsigned(v(SLOT_BITS downto 1));
    b.row     := unsigned(v(ROW_AT + 1 downto ROW_AT));
    b.part    := unsigned(v(ROW_AT + 3 downto ROW_AT + 2));
    b.reg_row := unsigned(v(ROW_AT + 12 downto ROW_AT + 4));
    b.enable  := v(ROW_AT + 13);
    return b;
  end function;

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

  function axi_words(bus_words : natural) return positive is
    variable words : positive := 1;
  begin
    if bus_words > 0 then
      words := bus_words;
    end if;
    return words;
  end function;

  function returns_for(bus_words : natural) return natural is
    variable returns : natural := 0;
  begin
    if bus_words > 0 then
      returns := 64;
    end if;
    return returns;
  end function;

  function may_access(requests : global_requests_t) return std_ulogic_vector is
    variable locked : std_ulogic := '0';
    variable may    : std_ulogic_vector(requests'length - 1 downto 0);
  begin
    for s in 0 to requests'length - 1 loop
      locked := locked or requests(s).atomic.locks;
    end loop;
    for s in 0 to requests'length - 1 loop
      may(s) := requests(s).atomic.locks or not locked;
    end loop;
    return may;
  end function;

  function banks_for(sms : positive; lines : positive) return positive is
    variable banks : positive := 1;
  begin
    while sms > 1 and banks < 2 * sms and 4 * banks <= lines loop
      banks := 2 * banks;
    end loop;
    return banks;
  end function;

  function is_late(c : control_t) return std_ulogic is
  begin
    return to_sl(c.float /= FLOAT_NONE or c.special /= SPECIAL_NONE);
  end function;

  function is_wide(c : control_t) return std_ulogic is
  begin
    return to_sl(c.alu = ALU_MUL) and c.src16 and not c.byte;
  end function;

  function is_division(c : control_t) return std_ulogic is
  begin
    return to_sl(c.alu = ALU_MUL) and c.src16 and c.byte;
  end function;

  function factors_of(c : control_t) return factors_t is
    variable float, scales : std_ulogic;
  begin
    float  := to_sl(c.float /= FLOAT_NONE);
    scales := to_sl(c.float = FLOAT_TO_INTEGER or c.float = FLOAT_CONVERT or c.float = FLOAT_REDUCE_EX2
                    or c.float = FLOAT_ADD);
    return (sign_a  => c.sign_a,
            sign_b  => c.sign_b,
            mul24   => c.mul24 or float,
            shifts  => to_sl(c.alu = ALU_SHL or c.alu = ALU_SHR) or scales,
            right   => to_sl(c.alu = ALU_SHR),
            fills   => to_sl(c.alu = ALU_SHR) and c.sign_a,
            float   => float,
            half    => c.src16,
            scales  => scales,
            unscaled => to_sl(c.float = FLOAT_ADD),
            reduces => to_sl(c.float = FLOAT_REDUCE_EX2),
            from_integer => to_sl(c.float = FLOAT_FROM_INTEGER));
  end function;

  function source_select(from : source_t; upper, by_sign : std_ulogic) return source_select_t is
    variable is_half, is_value, is_zero : std_ulogic;
  begin
    is_half  := to_sl(from = SRC_REG16);
    is_value := to_sl(from = SRC_CONST or from = SRC_IMM);
    is_zero  := to_sl(from = SRC_ZERO);
    return (low     => (is_value or is_zero) & (is_zero or (is_half and upper)),
            high    => (is_half or is_zero) & is_value,
            upper   => upper,
            extends => is_half and by_sign);
  end function;

  function operand_select(c : control_t) return operand_select_t is
    variable signed16, is_half : std_ulogic;                 -- a 16-bit operation that extends its sources
  begin
    signed16 := c.w16 and c.sign_a;
    is_half  := to_sl(c.src_a_from = SRC_REG16);
    return (src_b     => source_select(c.src_b_from, c.src_b_high, signed16),
            src_c     => source_select(c.src_c_from, c.src_c_high, '0'),
            cell      => to_sl(c.src_a_from = SRC_SHARED),
            narrow    => to_sl(c.mem_size = SIZE_1),
            whole     => to_sl(c.mem_size /= SIZE_1 and c.mem_size /= SIZE_2),
            is_signed => extends(c, c.mem_size, c.mem_signed),
            reg       => to_sl(c.src_a_from = SRC_REG32),
            lower     => to_sl(c.src_a_from = SRC_REG32) or (is_half and not c.src_a_high),
            upper     => is_half and c.src_a_high,
            extends   => is_half and signed16,
            areg      => to_sl(c.src_a_from = SRC_AREG),
            creg      => to_sl(c.src_a_from = SRC_CREG),
            local     => to_sl(c.src_a_from = SRC_LOCAL),
            increment => c.areg_inc_bytes,
            factors   => factors_of(c));
  end function;

  function writes_registers(c : control_t) return std_ulogic is
  begin
    return to_sl(c.dst /= DST_NONE and is_load(c.mem) = '0');
  end function;

  function areg_written(c : control_t) return areg_t is
  begin
    if c.areg_inc = '1' then
      return c.areg;
    end if;
    return c.areg_dst;
  end function;

  function writes_areg(c : control_t) return std_ulogic is
  begin
    return (c.areg_inc or c.areg_set) and to_sl(areg_written(c) /= 0);
  end function;

  function write_delay(has_units : boolean) return positive is
    variable delay : positive := ALU_STAGES;
  begin
    if has_units then
      delay := FLOAT_STAGES;
    end if;
    return delay;
  end function;

  function loads_for(sms : positive; cores : positive) return positive is
    variable loads : positive := cores;
  begin
    if sms > 1 then
      loads := 2 * loads;
    end if;
    return loads;
  end function;

  function extends(c : control_t; size : size_t; cell_signed : std_ulogic) return std_ulogic is
  begin
    if c.w16 = '1' then
      return c.sign_a and to_sl(size /= SIZE_1);
    end if;
    return cell_signed;
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
