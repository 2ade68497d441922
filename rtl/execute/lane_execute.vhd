-- SPDX-License-Identifier: Apache-2.0
-- One lane of stages X1 to WRITE: the ALU, the lane's faults, and what it has when the beat is in WRITE; the
-- floating-point unit, whose results come later.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.operands_pkg.all;
use work.execute_pkg.all;

entity lane_execute is
  generic (
    GLOBAL_BYTES : positive;                                 -- a power of two
    HAS_ATOMICS  : boolean;
    HAS_FPU      : boolean := false;
    HAS_WIDE     : boolean := false;                         -- it multiplies words
    LENDS        : boolean := false;                         -- it also multiplies words for the lane behind it
    BORROWS      : boolean := false;                         -- this lane uses the wide multiplier of the lane before it
    HAS_DIVIDERS : boolean := false
  );
  port (
    clk           : in  std_ulogic;
    moves_i       : in  execute_moves_t;
    float_moves_i : in unit_moves_t := (others => '0');
    -- stage X1
    x1_control_i : in control_t;
    operands_i   : in  lane_to_execute_t;
    borrower_i   : in  lane_to_execute_t := LANE_TO_EXECUTE_INIT; -- the lane behind it: its factors where it executes
    -- stage X2
    x2_acts_o   : out std_ulogic;                            -- it executes, without a fault
    x2_faults_o : out faults_t;                              -- of a lane that executes
    x2_control_i : in control_t;
    -- stage X3
    x3_control_i : in control_t;
    x3_o         : out lane_to_execute_t;
    x3_acts_o    : out std_ulogic;
    atomic_old_i : in word_t;                                -- answer of the atomic unit
    atomic_new_i : in word_t;
    product_o    : out std_ulogic_vector(63 downto 0);
    lent_i       : in  std_ulogic_vector(63 downto 0) := (others => '0'); -- the product of the lane before it
    divided_i    : in  word_t := (others => '0');            -- zero unless it divides
    -- stage RESOLVE
    resolve_control_i : in  control_t;
    -- stage WRITE
    done_o      : out lane_in_write_t;
    -- FLOAT_STAGES behind it
    float_o     : out unit_result_t
  );
end entity;

architecture rtl of lane_execute is

  type x2_stage_t is record
    operands : lane_to_execute_t;
    faults   : faults_t;
    acts     : std_ulogic;
  end record;
  signal x2_r, x2_in : x2_stage_t;

  type x3_stage_t is record
    operands : lane_to_execute_t;
    acts     : std_ulogic;
  end record;
  signal x3_r, x3_in : x3_stage_t;

  signal resolve_r, resolve_in : lane_to_execute_t;

  type write_stage_t is record
    operands : lane_to_execute_t;
    control  : control_t;
  end record;
  signal write_r, write_in : write_stage_t;

  signal result                             : word_t;
  signal sum                                : word_t;
  signal flags                              : nibble_t;
  signal factor                             : word_t;
  signal multiplies, lends_now, borrows_now : std_ulogic;
  signal pair                               : lane_to_multiplier_t;
  signal compared                           : alu_to_float_t;
  signal product                            : std_ulogic_vector(63 downto 0);
  signal float_result                       : word_t;
  signal float_flags                        : nibble_t;

  function faults_of(c : control_t; operands : lane_to_execute_t) return faults_t is
    variable misaligned : std_ulogic;
    variable beyond     : std_ulogic;
    variable global     : std_ulogic;
    variable faults     : faults_t;
  begin
    misaligned := not aligned(unsigned(operands.src_a(3 downto 0)), c.mem_size);
    beyond     := or_reduce(operands.src_a(31 downto log2(GLOBAL_BYTES)));
    global     := is_global(c.mem) or to_sl(HAS_ATOMICS and c.mem = MEM_GLOBAL_ATOMIC);
    faults     := (others => '0');
    if operands.exec = '1' then
      faults := operands.faults;
      faults(FAULT_GLOBAL_ALIGN) := global and misaligned;
      faults(FAULT_GLOBAL_RANGE) := global and beyond;
    end if;
    return faults;
  end function;

  function x2_of(c : control_t; operands : lane_to_execute_t) return x2_stage_t is
    variable faults : faults_t;
  begin
    faults := faults_of(c, operands);
    return (operands => operands, faults => faults, acts => operands.exec and not or_reduce(faults));
  end function;

begin

  -- A product of words takes the factors as they are, its own ones or those of the lane behind it.
  with_wide : if HAS_WIDE generate
    multiplies <= is_wide(x1_control_i);
    lends_now  <= to_sl(LENDS) and multiplies and borrower_i.exec;
    pair.a     <= borrower_i.src_a when lends_now = '1' else operands_i.src_a when multiplies = '1' else factor;
    pair.b     <= borrower_i.src_b when lends_now = '1' else operands_i.src_b;
  else generate
    pair.a <= factor;
    pair.b <= operands_i.src_b;
  end generate;
  borrows_now <= to_sl(BORROWS) and is_wide(x3_control_i);
  product_o <= product;

  u_alu : entity work.alu
    generic map (HAS_FPU => HAS_FPU, HAS_WIDE => HAS_WIDE, HAS_PARTNER => BORROWS, HAS_DIVIDERS => HAS_DIVIDERS)
    port map (
      clk        => clk,
      moves_i    => moves_i,
      src_a_i    => operands_i.src_a,
      src_b_i    => operands_i.src_b,
      src_c_i    => operands_i.src_c,
      carry_i    => operands_i.carry,
      factors_i  => operands_i.factors,
      pair_i     => pair,
      x1_i       => x1_control_i,
      x2_i       => x2_control_i,
      resolve_i  => resolve_control_i,
      partner_i  => lent_i,
      partners_i => borrows_now,
      divided_i  => divided_i,
      compared_o => compared,
      product_o  => product,
      result_o   => result,
      sum_o      => sum,
      flags_o    => flags
    );

  with_float : if HAS_FPU generate
    u_float : entity work.float_unit
      port map (
        clk       => clk,
        moves_i   => float_moves_i,
        control_i => x1_control_i,
        src_a_i   => operands_i.src_a,
        src_b_i   => operands_i.src_b,
        src_c_i   => operands_i.src_c,
        factors_i => operands_i.factors,
        factor_o  => factor,
        less_i    => compared.less,
        equal_i   => compared.equal,
        product_i => product,
        result_o  => float_result,
        flags_o   => float_flags
      );

    to_writeback : process (clk)
    begin
      if rising_edge(clk) then
        if float_moves_i(UNIT_STAGES) = '1' then
          float_o <= (value => float_result, flags => float_flags);
        end if;
      end if;
    end process;
  else generate
    factor  <= operands_i.src_a;
    float_o <= UNIT_RESULT_INIT;
  end generate;

  x2_in <= x2_of(x1_control_i, operands_i);

  x2_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i.x2 = '1' then
        x2_r <= x2_in;
      end if;
    end if;
  end process;

  x2_faults_o <= x2_r.faults;
  x2_acts_o   <= x2_r.acts;

  x3_in <= (operands => x2_r.operands, acts => x2_r.acts);

  x3_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i.x3 = '1' then
        x3_r <= x3_in;
      end if;
    end if;
  end process;

  x3_o      <= x3_r.operands;
  x3_acts_o <= x3_r.acts;

  to_resolve : process (all)
  begin
    resolve_in <= x3_r.operands;
    if HAS_ATOMICS and x3_control_i.mem = MEM_GLOBAL_ATOMIC then
      resolve_in.src_b <= atomic_old_i;
      resolve_in.src_c <= atomic_new_i;
    end if;
  end process;

  resolve_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i.resolve = '1' then
        resolve_r <= resolve_in;
      end if;
    end if;
  end process;

  write_in <= (operands => resolve_r, control => resolve_control_i);

  -- writeback.vhd knows whether the beat has left RESOLVE.
  write_regs : process (clk)
  begin
    if rising_edge(clk) then
      if moves_i.write = '1' then
        write_r <= write_in;
      end if;
    end if;
  end process;

  in_write : process (all)
    variable c : control_t;
  begin
    c := write_r.control;
    done_o.exec   <= write_r.operands.exec;
    done_o.result <= result;
    if HAS_ATOMICS and c.mem = MEM_GLOBAL_ATOMIC then
      done_o.result <= write_r.operands.src_b;
    end if;
    done_o.flags  <= flags;
    if c.creg_from_src_a = '1' then
      done_o.flags <= write_r.operands.src_a(3 downto 0);
    end if;
    done_o.areg <= write_r.operands.areg_new;
    if c.areg_set = '1' then
      done_o.areg <= sum(15 downto 0);
    end if;
    done_o.addr <= write_r.operands.src_a;
    if c.mem = MEM_SHARED_STORE or is_local(c.mem) = '1' then
      done_o.addr <= std_ulogic_vector(resize(write_r.operands.addr, 32));
    end if;
    done_o.data <= write_r.operands.src_c;
  end process;

end architecture;
