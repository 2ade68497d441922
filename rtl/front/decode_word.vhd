-- SPDX-License-Identifier: Apache-2.0
-- Decodes a code word on its way to a warp's buffer, as one long instruction and as two half ones. Adds the traps that
-- the launch decides: fetch beyond the code, registers beyond those of a thread, atomics. Latency: DECODE_CYCLES.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.machine_pkg.all;
use work.front_pkg.all;
use work.lists_pkg.all;

entity decode_word is
  generic (
    CONFIG : config_t
  );
  port (
    clk      : in  std_ulogic;
    launch_i : in  launch_t;
    arrives_i : in std_ulogic;
    word_i   : in  std_ulogic_vector(63 downto 0);           -- from the code memory
    addr_i   : in  unsigned(20 downto 0);                    -- its address / 8, DECODE_CYCLES - 1 later
    word_o   : out decoded_word_t
  );
end entity;

architecture rtl of decode_word is

  constant LAST : positive := DECODE_CYCLES - 1;
  subtype code_word_t is std_ulogic_vector(63 downto 0);
  -- No array of all words: in Verilator each stage's registers have a clock of their own.
  type words_t is array (1 to LAST - 1) of code_word_t;
  signal arrive_r        : code_word_t;                      -- the word to be decoded next
  signal words           : words_t;                          -- those between, beside the decoders' registers
  signal moves, moves_in : std_ulogic_vector(1 to LAST);     -- of words, then of decoded_r: it takes a word

  type decoded_stage_t is record
    word        : code_word_t;
    half_beyond : std_ulogic;                                -- bytes of its first half lie beyond the code
    beyond      : std_ulogic;                                -- bytes of the whole word do
  end record;
  signal decoded_r, decoded_in : decoded_stage_t;

  signal half          : word_t;                             -- the upper half, as a half instruction
  signal first, second : control_t;
  signal first_long    : std_ulogic;
  signal beyond_first  : std_ulogic;

  constant NO_WORD : word_t := (others => '0');

  -- Sources: registers beyond the launch's count, and R124, read zero.
  function existing(from : source_t; reg : reg_t; launch : launch_t) return source_t is
    variable source : source_t := from;
  begin
    if (from = SRC_REG32 or from = SRC_REG16) and not exists(reg, launch) then
      source := SRC_ZERO;
    end if;
    if from = SRC_REG32 and reg = 124 then
      source := SRC_ZERO;
    end if;
    return source;
  end function;

  function in_launch(decoded : control_t; launch : launch_t; past_end : std_ulogic; long_above : std_ulogic)
    return control_t is
    variable c    : control_t := decoded;
    variable trap : trap_t    := TRAP_NONE;
  begin
    if c.mem = MEM_GLOBAL_ATOMIC and launch.atomics = '0' then
      trap := TRAP_UNIMPLEMENTED;
    end if;
    if long_above = '1' then
      trap := TRAP_UNDEFINED;
    end if;
    if past_end = '1' then
      trap := TRAP_FETCH;
    end if;
    if trap /= TRAP_NONE then
      c           := CONTROL_INIT;
      c.redirects := or_reduce(trap);
      c.trap      := trap;
    end if;
    if not exists(c.dst_reg, launch) then                     -- of a wide load: the register of its first word
      c.dst := DST_NONE;
    end if;
    c.src_a_from := existing(c.src_a_from, c.src_a_reg, launch);
    c.src_b_from := existing(c.src_b_from, c.src_b_reg, launch);
    if last_part(c.mem_size) = 0 or is_store(c.mem) = '0' then -- else of each word, see issue.vhd
      c.src_c_from := existing(c.src_c_from, c.src_c_reg, launch);
    end if;
    return c;
  end function;

begin

  moves_in <= arrives_i & moves(1 to LAST - 1);

  moves_regs : process (clk)
  begin
    if rising_edge(clk) then
      moves <= moves_in;
    end if;
  end process;

  arrive_regs : process (clk)
  begin
    if rising_edge(clk) then
      if arrives_i = '1' then
        arrive_r <= word_i;
      end if;
    end if;
  end process;

  words_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves(1) = '1' then
        words(1) <= arrive_r;
      end if;
      for i in 2 to LAST - 1 loop
        if moves(i) = '1' then
          words(i) <= words(i - 1);
        end if;
      end loop;
    end if;
  end process;

  decoded_in <= (word        => words(LAST - 1),
                 half_beyond => to_sl(('0' & addr_i & "011") >= ('0' & launch_i.code_bytes)),
                 beyond      => to_sl(('0' & addr_i & "111") >= ('0' & launch_i.code_bytes)));

  decoded_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves(LAST) = '1' then
        decoded_r <= decoded_in;
      end if;
    end if;
  end process;

  beyond_first <= decoded_r.beyond when first_long = '1' else decoded_r.half_beyond;

  half <= arrive_r(63 downto 33) & '0';

  u_first : entity work.decode
    generic map (CONFIG => CONFIG, HAS_EXTENSION => CONFIG.WIDE > 0 or CONFIG.DIVIDERS > 0)
    port map (clk => clk, moves_i => moves, lo_i => arrive_r(31 downto 0), hi_i => arrive_r(63 downto 32),
              control_o => first, long_o => first_long);

  u_second : entity work.decode
    generic map (CONFIG => CONFIG, HAS_EXTENSION => false)
    port map (clk => clk, moves_i => moves, lo_i => half, hi_i => NO_WORD, control_o => second, long_o => open);

  with_launch : process (all)
  begin
    word_o.word   <= decoded_r.word;
    word_o.first  <= in_launch(first, launch_i, beyond_first, '0');
    word_o.second <= in_launch(second, launch_i, decoded_r.beyond, decoded_r.word(32));
  end process;

end architecture;
