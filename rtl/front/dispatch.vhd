-- SPDX-License-Identifier: Apache-2.0
-- Block dispatcher of one SM. At launch it computes how many blocks fit (registers, shared memory, warps, local memory)
-- and their bases; it refuses a launch of which no block fits. For each block it then writes header and parameters to
-- shared memory, sends the beats that write R0, and starts the warps.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.stages_pkg.all;
use work.front_pkg.all;
use work.host_pkg.all;
use work.lists_pkg.all;

entity dispatch is
  generic (
    WARPS        : positive;
    BLOCKS       : positive;
    REG_ROWS     : positive;                                 -- registers of the SM / 32
    SHARED_BYTES : positive;
    INDEX        : natural;                                  -- number of this SM
    SEED         : natural
  );
  port (
    clk       : in  std_ulogic;
    rst       : in  std_ulogic;
    launch_i  : in  launch_t;
    host_i    : in  host_to_memories_t;                      -- parameters
    order_i   : in  grid_to_sm_t;                            -- its setup comes behind a reset
    refused_o : out std_ulogic;                              -- one cycle after setup: no block of the launch fits
    offer_i   : in  std_ulogic;                              -- the block is for this SM, only while accept_o
    accept_o  : out std_ulogic;                              -- takes it, if offered
    -- shared memory
    shared_o      : out dispatch_to_shared_t;
    shared_done_i : in  std_ulogic;
    -- beats that write R0
    tid_ready_i  : in  std_ulogic;
    init_o       : out front_to_operands_t;                  -- valid until taken
    init_taken_i : in std_ulogic;
    -- warps
    start_o       : out dispatch_to_warps_t;
    start_ready_i : in std_ulogic;                           -- the warp's state can be written this cycle
    finished_i    : in  warp_event_t;                        -- it has left
    busy_o        : out std_ulogic;                          -- a block is being started
    empty_o       : out std_ulogic                           -- no block is resident
  );
end entity;

architecture rtl of dispatch is

  type step_t is (STEP_SETUP, STEP_IDLE, STEP_PLACE, STEP_HEADER, STEP_START);

  subtype warps_t is unsigned(SLOT_BITS downto 0);           -- 0 .. WARPS

  type block_slot_info_t is record
    usable      : std_ulogic;
    taken       : std_ulogic;
    left        : warps_t;                                   -- warps that have not left
    warp_base   : warps_t;
  end record;
  type block_slots_t is array (0 to BLOCKS - 1) of block_slot_info_t;

  type dispatch_t is record
    step       : step_t;
    header     : std_ulogic;                                 -- that is STEP_HEADER; needs no decoding
    slots      : block_slots_t;
    warps      : warps_t;                                    -- of a block
    -- setup: first resources that are free
    index      : unsigned(BLOCK_SLOT_BITS downto 0);
    warp_next  : warps_t;
    reg_next   : unsigned(13 downto 0);
    shared_next : unsigned(15 downto 0);
    -- the block being started
    block_slot : block_slot_t;
    block_x    : unsigned(15 downto 0);
    block_y    : unsigned(15 downto 0);
    word       : unsigned(6 downto 0);
    data       : word_t;                                     -- data of the word
    init       : std_ulogic;                                 -- R0's beat of the warp is offered
    warp       : warps_t;
    slot       : slot_t;                                     -- slot of the warp and its first row of registers
    reg_base   : reg_row_t;
    rest       : unsigned(10 downto 0);                      -- threads in this warp and the following
    lanes      : lane_mask_t;                                -- those of this warp
    next_lanes : lane_mask_t;                                -- those of the following warp
    local_slot : unsigned(8 downto 0);                       -- of the first: slots before it with local memory
    local_rows : local_row_t;                                -- memory of the slots before it
    local_base : local_row_t;                                -- of this warp
    fits       : std_ulogic;                                 -- in STEP_SETUP: another block does
    judged     : std_ulogic;                                 -- fits, registered
    settles    : std_ulogic;                                 -- not yet valid: first cycle of STEP_SETUP
    block_regs : unsigned(14 downto 0);                      -- registers of a block, for each thread of a warp
  end record;

  signal r, rin : dispatch_t;

  -- The first addresses of a block slot's resources, read for the slot of the block being started.
  constant PLACE_BITS : positive := 15 + 10 + warps_t'length;
  signal place_read, place, place_data : std_ulogic_vector(PLACE_BITS - 1 downto 0);
  signal place_we   : std_ulogic_vector(0 downto 0);
  signal place_slot : block_slot_t;

  signal param_addr : unsigned(5 downto 0);
  signal param_data : word_t;
  signal param_we   : std_ulogic_vector(0 downto 0);
  signal info       : warp_info_t;
  signal state      : warp_state_t;

  -- One lane for each remaining thread, at most all.
  function lanes_of(rest : unsigned(10 downto 0)) return lane_mask_t is
    variable mask : unsigned(lane_mask_t'range) := (others => '1');
  begin
    if rest < LANES then
      mask := not shift_left(mask, to_integer(rest(4 downto 0)));
    end if;
    return std_ulogic_vector(mask);
  end function;

begin

  comb : process (all)
    variable v      : dispatch_t;
    variable warp_base   : warps_t;
    variable shared_base : unsigned(14 downto 0);
    variable free   : std_ulogic_vector(BLOCKS - 1 downto 0);
    variable sound  : boolean;                               -- a block has warps, and room for header and parameters
    variable fits   : boolean;
    variable has_local  : boolean;
    variable local_words : unsigned(13 downto 0);            -- of a thread
    variable warp_end   : unsigned(SLOT_BITS + 1 downto 0);
    variable reg_end    : unsigned(14 downto 0);
    variable shared_end : unsigned(16 downto 0);
    variable empty  : std_ulogic;
    variable begun  : std_ulogic;                            -- a block begins at the slot or below
    variable later  : std_ulogic;                            -- another block begins behind it
  begin
    v    := r;
    warp_base   := unsigned(place(warps_t'range));
    shared_base := unsigned(place(PLACE_BITS - 1 downto PLACE_BITS - 15));

    -- a warp that left: of the last block that begins at its slot or below
    later := '0';
    for b in BLOCKS - 1 downto 0 loop
      begun := r.slots(b).usable and to_sl(finished_i.slot >= r.slots(b).warp_base);
      if finished_i.valid = '1' and begun = '1' and later = '0' then
        v.slots(b).left := r.slots(b).left - 1;
        if r.slots(b).left = 1 then
          v.slots(b).taken := '0';
        end if;
      end if;
      later := later or begun;
    end loop;

    empty := '1';
    for b in 0 to BLOCKS - 1 loop
      free(b) := r.slots(b).usable and not r.slots(b).taken;
      empty   := empty and not r.slots(b).taken;
    end loop;

    -- resources used with one more block
    warp_end   := resize(r.warp_next, SLOT_BITS + 2) + r.warps;
    reg_end    := resize(r.reg_next, 15) + r.block_regs;
    v.block_regs := resize(r.warps * launch_i.regs, 15);
    shared_end := resize(r.shared_next, 17) + launch_i.shared_bytes;
    has_local  := warp_end <= launch_i.local_warps or launch_i.local_bytes = 0;
    sound      := r.warps /= 0 and launch_i.shared_bytes >= resize(launch_i.param_words, 8) * 4 + HEADER_BYTES;
    fits       := warp_end <= WARPS and has_local and reg_end <= REG_ROWS and shared_end <= SHARED_BYTES and sound;

    v.init := r.init and not init_taken_i;
    v.next_lanes := lanes_of(r.rest - 32);                   -- in time: a warp starts in every second cycle at most
    refused_o     <= '0';
    accept_o      <= '0';
    start_o.valid <= '0';

    case r.step is

      when STEP_SETUP =>
        v.judged  := not r.judged and not r.settles;         -- two cycles for each
        v.settles := '0';
        v.fits   := to_sl(fits);
        if r.judged = '1' then
          v.index   := r.index + 1;
          refused_o <= to_sl(r.index = 0) and not r.fits;
          for b in 0 to BLOCKS - 1 loop
            if r.index = b then
              v.slots(b).usable    := r.fits;
              v.slots(b).warp_base := r.warp_next;
            end if;
          end loop;
          if r.fits = '1' then
            v.warp_next   := warp_end(SLOT_BITS downto 0);
            v.reg_next    := reg_end(13 downto 0);
            v.shared_next := shared_end(15 downto 0);
          end if;
          if r.index = BLOCKS - 1 then
            v.step := STEP_IDLE;
          end if;
        end if;

      when STEP_IDLE =>
        accept_o <= or_reduce(free) and tid_ready_i;
        if offer_i = '1' then
          v.block_slot := one_hot_index(lowest_set(free), BLOCK_SLOT_BITS);
          v.block_x    := order_i.block_x;
          v.block_y    := order_i.block_y;
          v.word       := (others => '0');
          v.warp       := (others => '0');
          v.rest       := launch_i.threads;
          v.step       := STEP_PLACE;
        end if;

      when STEP_PLACE =>                                     -- the place of the block's resources has been read
        v.slot     := unsigned(place_read(slot_t'range));
        v.reg_base := unsigned(place_read(warps_t'length + reg_row_t'high downto warps_t'length));
        v.lanes    := lanes_of(r.rest);
        v.init     := '1';
        v.step     := STEP_HEADER;

      when STEP_HEADER =>
        if shared_done_i = '1' then
          v.word := r.word + 1;
          if r.word = resize(launch_i.param_words, 7) + (HEADER_BYTES / 4 - 1) then
            v.step := STEP_START;
            for b in 0 to BLOCKS - 1 loop
              if r.block_slot = b then
                v.slots(b).taken := '1';
                v.slots(b).left  := r.warps;
              end if;
            end loop;
          end if;
        end if;

      when STEP_START =>                                     -- when its R0 is on the way: taken in a cycle before
        if start_ready_i = '1' and r.init = '0' then
          start_o.valid <= '1';
          v.warp  := r.warp + 1;
          v.rest  := r.rest - 32;
          v.lanes := r.next_lanes;
          v.slot  := r.slot + 1;
          v.reg_base := r.reg_base + launch_i.regs;
          v.init  := '1';
          if r.warp + 1 = r.warps then
            v.init := '0';
            v.step := STEP_IDLE;
          end if;
        end if;
    end case;

    -- Of the first warp while the header is written, which takes at least four cycles; then from warp to warp.
    local_words  := launch_i.local_bytes(15 downto 2);
    v.local_slot := resize(to_unsigned(INDEX, 3) * launch_i.local_warps, 9) + warp_base;
    v.local_rows := resize(r.local_slot * local_words, local_row_t'length);
    if r.step = STEP_HEADER then
      v.local_base := launch_i.local_base + r.local_rows;
    elsif r.step = STEP_START and start_ready_i = '1' and r.init = '0' then
      v.local_base := r.local_base + local_words;
    end if;

    if order_i.setup = '1' then
      v.step        := STEP_SETUP;
      v.judged      := '0';
      v.settles     := '1';
      v.index       := (others => '0');
      v.warp_next   := (others => '0');
      v.reg_next    := (others => '0');
      v.shared_next := (others => '0');
      v.warps       := resize(shift_right(launch_i.threads + 31, 5), SLOT_BITS + 1);
    end if;

    -- the warp being started
    start_o.slot <= r.slot;
    info.block_x     <= r.block_x;
    info.block_y     <= r.block_y;
    info.warp        <= r.warp(SLOT_BITS - 1 downto 0);
    info.block_slot  <= r.block_slot;
    info.shared_base <= shared_base(13 downto 0);
    info.reg_base    <= r.reg_base;
    info.local_base  <= r.local_base;
    state <= FRONT_TO_OPERANDS_INIT.state;
    state.active <= r.lanes;
    state.alive  <= r.lanes;

    -- the beat that writes its R0
    init_o         <= FRONT_TO_OPERANDS_INIT;
    init_o.valid   <= r.init;
    init_o.is_init <= '1';
    init_o.slot    <= r.slot;
    init_o.info    <= info;
    init_o.state   <= state;
    init_o.control.src_a_from <= SRC_TID;
    init_o.control.dst    <= DST_REG32;
    init_o.control.lane_mask <= "1111";

    -- the header's words
    shared_o.valid <= r.header;
    shared_o.addr <= resize(shift_right(shared_base, 2) + r.word, 12);
    shared_o.data <= r.data;
    if r.step = STEP_PLACE then                              -- the first one
      v.data := std_ulogic_vector(launch_i.block_x) & x"0000";
    elsif shared_done_i = '1' then                           -- the next one
      v.data := param_data;
      if r.word = HEADER_BLOCK_Y / 4 - 1 then
        v.data := std_ulogic_vector(launch_i.block_z) & std_ulogic_vector(launch_i.block_y);
      elsif r.word = HEADER_GRID_X / 4 - 1 then
        v.data := std_ulogic_vector(launch_i.grid_y) & std_ulogic_vector(launch_i.grid_x);
      elsif r.word = HEADER_INDEX_X / 4 - 1 then
        v.data := std_ulogic_vector(r.block_y) & std_ulogic_vector(r.block_x);
      end if;
    end if;
    param_addr <= resize(r.word - (HEADER_BYTES / 4 - 1), 6); -- data are for the word behind this one
    if shared_done_i = '1' then
      param_addr <= resize(r.word - (HEADER_BYTES / 4 - 2), 6);
    end if;

    place_we(0) <= to_sl(r.step = STEP_SETUP);
    place_data  <= std_ulogic_vector(r.shared_next(14 downto 0)) & std_ulogic_vector(r.reg_next(9 downto 0))
                   & std_ulogic_vector(r.warp_next);
    place_slot  <= v.block_slot;

    busy_o  <= to_sl(r.step /= STEP_IDLE);
    empty_o <= empty and to_sl(r.step = STEP_IDLE);
    v.header := to_sl(v.step = STEP_HEADER);
    rin <= v;
  end process;

  start_o.warp  <= (info => info, state => state);
  start_o.first <= unsigned(place(SLOT_BITS - 1 downto 0));
  start_o.warps <= r.warps;

  regs : process (clk)
  begin
    if rising_edge(clk) then
      r     <= rin;
      place <= place_read;
      if rst = '1' then
        r.step <= STEP_IDLE;
        r.header <= '0';
        r.init <= '0';
        for b in 0 to BLOCKS - 1 loop
          r.slots(b).usable <= '0';
          r.slots(b).taken  <= '0';
        end loop;
      end if;
    end if;
  end process;

  -- Both are read in every cycle. Places are written in STEP_SETUP and looked at in the steps of a block, two cycles
  -- later at least; parameters are written by the host, which must not while a grid runs.
  u_places : entity work.ram_1r1w
    generic map (ADDR_BITS => BLOCK_SLOT_BITS, COLUMN_BITS => PLACE_BITS, SEED => SEED)
    port map (
      clk     => clk,
      re_i    => '1',
      raddr_i => place_slot,
      rdata_o => place_read,
      we_i    => place_we,
      waddr_i => r.index(BLOCK_SLOT_BITS - 1 downto 0),
      wdata_i => place_data
    );

  param_we(0) <= host_i.param_we;
  u_params : entity work.ram_1r1w
    generic map (ADDR_BITS => 6, COLUMN_BITS => 32, SEED => SEED)
    port map (
      clk     => clk,
      re_i    => '1',
      raddr_i => param_addr,
      rdata_o => param_data,
      we_i    => param_we,
      waddr_i => host_i.addr(7 downto 2),
      wdata_i => host_i.data
    );

  rules : process (clk)
  begin
    if rising_edge(clk) then
      takes_what_it_accepts : assert rst = '1' or (offer_i and not accept_o) = '0'
        report "a block is lost" severity failure;
      starts_when_ready : assert rst = '1' or (start_o.valid and not start_ready_i) = '0'
        report "a warp starts whose state is not written" severity failure;
      knows_its_step : assert rst = '1' or r.header = to_sl(r.step = STEP_HEADER)
        report "the header's words are offered in another step" severity failure;
    end if;
  end process;

end architecture;
