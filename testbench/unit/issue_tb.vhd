-- SPDX-License-Identifier: Apache-2.0
-- issue, with decode_word in front of it: the scoreboard, stage by stage and row by row, for registers, flags and
-- address registers, asked from stage CHECK and followed from stage HOLD; registers that loads under way will write;
-- the words of wide accesses; registers that the launch does not have; traps that fetching finds; the dispatcher's
-- beats first.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.control_pkg.all;
use work.gpu_pkg.all;
use work.machine_pkg.all;
use work.stages_pkg.all;
use work.front_pkg.all;
use work.lists_pkg.all;
use work.bench_pkg.all;

entity issue_tb is
end entity issue_tb;

architecture sim of issue_tb is
  type moves_list_t is array (0 to 2) of stages_to_issue_t;
  constant WARPS : positive := 4;
  constant DISTANCE : positive := RESULT_DISTANCE + ALU_STAGES; -- beats from the writer of a register to its reader
  -- words, high half first
  constant IADD      : std_ulogic_vector(63 downto 0) := x"0400c78020000405";   -- IADD R1, R2, R3
  constant IADD_R124 : std_ulogic_vector(63 downto 0) := x"0400c7802000f805";   -- IADD R1, R124, R3
  constant IADD_C1   : std_ulogic_vector(63 downto 0) := x"0400d28020000405";   -- IADD R1 (C1.NE), R2, R3
  constant MOV_A1    : std_ulogic_vector(63 downto 0) := x"0423c7801400cc05";   -- MOV R1, g [A1+0x6]
  constant GLD       : std_ulogic_vector(63 downto 0) := x"80c00780d00e0405";   -- GLD.U32 R1, global14 [R2]
  constant GLD_R7    : std_ulogic_vector(63 downto 0) := x"80c00780d00e041d";   -- GLD.U32 R7, global14 [R2]
  constant IADD_R1   : std_ulogic_vector(63 downto 0) := x"0400c78020000211";   -- IADD R4, R1, R3
  constant IADD_TO_1 : std_ulogic_vector(63 downto 0) := x"0400c78020000805";   -- IADD R1, R4, R3
  constant IADD_R5   : std_ulogic_vector(63 downto 0) := x"0400c78020000a19";   -- IADD R6, R5, R3
  constant GLD_4     : std_ulogic_vector(63 downto 0) := x"80a00780d00e0a11";   -- GLD.S128 R4, global14 [R5]
  constant GST_4     : std_ulogic_vector(63 downto 0) := x"a0a00780d00e0211";   -- GST.S128 global14 [R1], R4
  constant LLD_2     : std_ulogic_vector(63 downto 0) := x"40800780d6000009";   -- LLD.S64 R2, local [A1+++0x0]
  constant LST_2_END : std_ulogic_vector(63 downto 0) := x"60800781d0000009";   -- LST.S64 local [0x0], R2, END
  constant GRED      : std_ulogic_vector(63 downto 0) := x"c0c00780d00e0209";   -- GRED.IADD.U32 global14 [R1], R2
  constant IADD_R7   : std_ulogic_vector(63 downto 0) := x"0400c78020000e19";   -- IADD R6, R7, R3
  constant BRA       : std_ulogic_vector(63 downto 0) := x"0000078010010003";   -- BRA 0x80
  constant BAR       : std_ulogic_vector(63 downto 0) := x"00000000861ffe03";   -- BAR.ARV.WAIT b0, 0xfff
  constant RET       : std_ulogic_vector(63 downto 0) := x"0000078030000003";   -- RET
  constant RET_SOME  : std_ulogic_vector(63 downto 0) := x"0000028030000003";   -- RET C0.NE
  constant HALVES    : std_ulogic_vector(63 downto 0) := x"1000840420038404";   -- IADD32 R1, R2, R3; MOV32 R1, R2

  signal clk         : std_ulogic := '0';
  signal rst         : std_ulogic := '1';
  signal launch      : launch_t;
  signal halt        : std_ulogic := '0';
  signal flush       : std_ulogic := '0';
  signal choose      : std_ulogic := '0';
  signal slot        : slot_t := (others => '0');
  signal code        : std_ulogic_vector(63 downto 0) := (others => '0');
  signal word        : decoded_word_t;
  signal word_addr   : unsigned(20 downto 0) := (others => '0');
  signal upper       : std_ulogic := '0';
  signal free        : std_ulogic;
  signal read        : std_ulogic;
  signal read_slot   : slot_t;
  signal hazard      : std_ulogic;
  signal turned_away : std_ulogic;
  signal goes        : std_ulogic;                           -- the instruction leaves for stage ROWS, its last word
  signal fate        : issue_to_sched_t;                     -- of that instruction, one cycle later
  signal full        : std_ulogic;
  signal warp        : warp_t := (info => FRONT_TO_OPERANDS_INIT.info, state => FRONT_TO_OPERANDS_INIT.state);
  signal init        : front_to_operands_t := FRONT_TO_OPERANDS_INIT;
  signal init_taken  : std_ulogic;
  signal ready       : std_ulogic := '1';
  signal moves       : stages_to_issue_t := (front => '1', back => '1');
  signal issued      : front_to_operands_t;
  signal stages      : beats_t(1 to WRITER_STAGES) := (others => BEAT_INIT);
  signal load_done   : std_ulogic := '0';
  signal load_slot   : slot_t := (others => '0');
  signal load_busy   : std_ulogic_vector(WARPS - 1 downto 0);
begin

  goes <= issued.valid and not issued.more and not issued.is_init;

  u_decode : entity work.decode_word
    generic map (CONFIG => config_of("C8-S1-nofpu-nosfu"))
    port map (clk => clk, launch_i => launch, arrives_i => '1', word_i => code, addr_i => word_addr, word_o => word);

  u_dut : entity work.issue
    generic map (WARPS => WARPS, LOADS => 4, CROWDS => true, EAGER => true)
    port map (clk => clk, rst => rst, launch_i => launch, halt_i => halt, flush_i => flush,
              choice_i.valid => choose, choice_i.slot => slot, fetched_i.word => word, fetched_i.addr => word_addr,
              fetched_i.upper => upper, warp_i => warp, free_o => free, read_o.valid => read, read_o.slot => read_slot,
              use_o.waits => hazard, use_o.turned_away => turned_away, use_o.full => full, fate_o => fate,
              init_i => init, init_taken_o => init_taken, ready_i => ready,
              issue_o => issued, moves_i => moves, stages_i => stages, load_back_i.valid => load_done,
              load_back_i.slot => load_slot,
              load_busy_o => load_busy);

  stimulus : process
    -- Brings a word of warp 2 into stage CHECK.
    procedure bring(w : std_ulogic_vector(63 downto 0); address : natural := 0; is_upper : std_ulogic := '0') is
    begin
      code      <= w;
      word_addr <= to_unsigned(address, 21);
      upper     <= is_upper;
      for cycle in 1 to DECODE_CYCLES loop
        tick(clk);
      end loop;
      slot   <= to_unsigned(2, SLOT_BITS);
      choose <= '1';
      wait for 1 ns;
      check(free = '1', "stage READ takes a choice");
      tick(clk);
      choose <= '0';
      wait for 1 ns;
      check(read = '1' and read_slot = 2, "stage READ reads");
      tick(clk);
      tick(clk);
      check(hazard = '0', "stages WORD and CHECK have what was read");
    end procedure bring;

    -- The word goes into stage HOLD.
    procedure decode(w : std_ulogic_vector(63 downto 0); address : natural := 0; is_upper : std_ulogic := '0') is
    begin
      bring(w, address, is_upper);
      tick(clk);
      check(hazard = '1', "stage HOLD holds the warp");
    end procedure decode;

    procedure must_issue(yes : boolean; what : string) is
    begin
      wait for 1 ns;
      check((goes = '1') = yes and (issued.valid = '1') = yes, what);
      check((fate.leaves or fate.take or fate.blocks or fate.arrives or fate.ends or fate.waits or fate.crowded) = '0',
            what & ": told later");
    end procedure must_issue;

    -- Clears stage HOLD by letting what is there issue.
    procedure drain is
    begin
      stages <= (others => BEAT_INIT);
      tick(clk);
      check(hazard = '0' and free = '1', "stage HOLD is empty");
      check(fate.leaves = '1' and fate.slot = 2, "which is told");
    end procedure drain;

    -- It issues, and one cycle later that is told, and what is to be known of it.
    procedure drain(of_word, redirects, at_barrier, at_end : std_ulogic; what : string) is
    begin
      check(goes = '1' and (fate.take or fate.blocks or fate.arrives or fate.ends) = '0', what & ": it issues");
      drain;
      check(fate.take = '1' and fate.take_word = of_word and fate.blocks = redirects and fate.arrives = at_barrier
            and fate.ends = at_end and (fate.waits or fate.crowded) = '0', what);
    end procedure drain;

    -- It is turned away, and one cycle later that is told, and what it waits for, unless it has come meanwhile.
    procedure turn_away(what : string; until_load : std_ulogic := '1'; until_room : std_ulogic := '0') is
    begin
      check(goes = '0' and turned_away = '1', what);
      drain;
      check(fate.take = '0' and fate.waits = until_load and fate.crowded = until_room, what & ": told");
    end procedure turn_away;

    -- The beats behind HOLD go on as they are told to, and nothing enters.
    procedure go_on is
      variable next_ones : beats_t(stages'range) := stages;
    begin
      if moves.back = '1' then
        next_ones(STAGE_FILES to stages'high) := stages(STAGE_MEMORY to stages'high - 1);
        next_ones(STAGE_MEMORY).valid := '0';
      end if;
      if moves.front = '1' then
        next_ones(STAGE_ADDRESS to STAGE_MEMORY) := stages(STAGE_ROWS to STAGE_PASS);
        next_ones(STAGE_ROWS).valid := '0';
      end if;
      tick(clk);
      stages <= next_ones;
    end procedure go_on;

    -- With `writer` in each stage and row in turn, the word must wait while it is less than `beats` beats behind when
    -- it might issue: one cycle after it was asked, from stage CHECK, then from HOLD. Meanwhile all beats move, or
    -- those from MEMORY on, or none.
    procedure scoreboard(w : std_ulogic_vector(63 downto 0); writer : control_t; of_warp, beats : natural;
                         what : string) is
      constant ANY_OF : moves_list_t := ((front => '0', back => '0'), (front => '1', back => '1'),
                                         (front => '0', back => '1'));
      variable at   : positive;                              -- the writer's stage
      variable near : boolean;
    begin
      for s in stages'range loop
        for row in 0 to 3 loop
          for first in ANY_OF'range loop
            for second in ANY_OF'range loop
              bring(w);
              stages                 <= (others => BEAT_INIT);
              stages(s).valid        <= '1';
              stages(s).row          <= to_unsigned(row, 2);
              stages(s).insn.slot    <= to_unsigned(of_warp, SLOT_BITS);
              stages(s).insn.control <= writer;
              moves                  <= ANY_OF(first);
              wait for 1 ns;
              near := s + row + boolean'pos(moves.front = '1') < beats;
              go_on;
              must_issue(not near, what & ", stage " & integer'image(s) & ", row " & integer'image(row));
              if near then
                at := s;
                if moves.front = '1' or (moves.back = '1' and s >= STAGE_MEMORY) then
                  at := s + 1;
                end if;
                moves <= ANY_OF(second);
                wait for 1 ns;
                near := at + row + boolean'pos(moves.front = '1') < beats;
                go_on;
                must_issue(not near, what & ", followed to stage " & integer'image(at) & ", row " & integer'image(row));
              end if;
              if near then
                stages <= (others => BEAT_INIT);
                must_issue(false, what & ", asked in the cycle before");
                tick(clk);
                must_issue(true, what & ": an empty stage holds nothing up");
              end if;
              drain;
            end loop;
          end loop;
        end loop;
      end loop;
      moves <= (front => '1', back => '1');
    end procedure scoreboard;

    -- `writer` has issued: its row 0 is in stage ROWS when the word asks. Then a row of it comes behind that, or an
    -- instruction of another warp.
    procedure follow(w : std_ulogic_vector(63 downto 0); writer : control_t; behind : natural; waits : boolean;
                     what : string) is
    begin
      bring(w);
      stages                    <= (others => BEAT_INIT);
      stages(1).valid           <= '1';
      stages(1).insn.slot       <= to_unsigned(2, SLOT_BITS);
      stages(1).insn.control    <= writer;
      tick(clk);
      stages(1).row <= to_unsigned(behind, 2);
      if behind = 0 then
        stages(1).insn.slot <= to_unsigned(1, SLOT_BITS);
      end if;
      must_issue(false, what & ": it waits for what was in stage ROWS");
      tick(clk);
      must_issue(not waits, what);
      if waits then
        stages <= (others => BEAT_INIT);
        tick(clk);
      end if;
      drain;
    end procedure follow;

    function writes_r(reg : natural; mem : mem_t) return control_t is
      variable c : control_t := CONTROL_INIT;
    begin
      c.dst     := DST_REG32;
      c.dst_reg := to_unsigned(reg, 7);
      c.mem     := mem;
      return c;
    end function writes_r;

    -- Words of GLD.S128 R4, global14 [R5]: R5 last.
    type words_of_load_t is array (0 to 3) of natural;
    constant WORDS_TO_R5 : words_of_load_t := (2, 3, 0, 1);

    function writes_c(reg : natural) return control_t is
      variable c : control_t := CONTROL_INIT;
    begin
      c.creg_set := '1';
      c.creg_dst := to_unsigned(reg, 2);
      return c;
    end function writes_c;

    function writes_a(reg : natural; by_increment : boolean) return control_t is
      variable c : control_t := CONTROL_INIT;
    begin
      c.areg_set := to_sl(not by_increment);
      c.areg_inc := to_sl(by_increment);
      c.areg_dst := to_unsigned(reg, 3);
      c.areg  := to_unsigned(reg, 3);
      return c;
    end function writes_a;
  begin
    launch.regs       <= to_unsigned(16, 8);
    launch.code_bytes <= to_unsigned(64, 24);
    tick(clk);
    rst <= '0';
    check(load_busy = "0000", "no load is under way");

    scoreboard(IADD, writes_r(2, MEM_NONE), 2, DISTANCE, "first source");
    scoreboard(IADD, writes_r(3, MEM_NONE), 2, DISTANCE, "second source");
    scoreboard(IADD, writes_r(1, MEM_NONE), 2, 0, "destination");
    scoreboard(IADD, writes_r(2, MEM_NONE), 1, 0, "another warp");
    scoreboard(IADD_C1, writes_c(1), 2, DISTANCE, "guard");
    scoreboard(IADD_C1, writes_c(2), 2, 0, "another flag register");
    scoreboard(IADD, writes_c(0), 2, 0, "no guard");
    scoreboard(MOV_A1, writes_a(1, false), 2, AREG_DISTANCE, "address register");
    scoreboard(MOV_A1, writes_a(1, true), 2, AREG_DISTANCE, "address register, post-increment");
    scoreboard(MOV_A1, writes_a(2, false), 2, 0, "another address register");

    follow(IADD, writes_r(2, MEM_NONE), 1, true, "the next row of an instruction");
    follow(IADD, writes_r(2, MEM_NONE), 0, false, "an instruction of another warp");
    follow(MOV_A1, writes_a(1, false), 1, true, "the next row, address register");
    follow(MOV_A1, writes_a(1, false), 0, false, "an instruction of another warp, address register");

    -- a load: what needs its register is turned away, the rest goes on
    decode(GLD);
    must_issue(true, "GLD");
    drain;
    tick(clk);
    check(load_busy = "0100", "the load is under way");
    decode(IADD_R5);
    must_issue(true, "an instruction beside the load");
    check(full = '0', "there is room for more loads");
    drain;
    for again in 0 to 1 loop
      if again = 0 then
        decode(IADD_R1);
      else
        decode(IADD_TO_1);
      end if;
      turn_away("what needs the load's register is turned away");
    end loop;
    -- CHECK does not see a load that is back in the cycle in which it asks: an instruction that needs its register is
    -- turned away for nothing, and waits for nothing.
    bring(IADD_R1);
    load_done <= '1';
    load_slot <= to_unsigned(2, SLOT_BITS);
    tick(clk);
    load_done <= '0';
    turn_away("the load is back as CHECK asks", until_load => '0');
    check(load_busy = "0000", "the load is back");
    decode(IADD_R1);
    must_issue(true, "its value is there");
    drain;
    decode(GLD);
    must_issue(true, "GLD");
    drain;

    -- While one waits in HOLD for a result, and is turned away for a load, the next one, of warp 1, is heard in CHECK.
    code <= IADD_R1;
    for cycle in 1 to DECODE_CYCLES loop
      tick(clk);
    end loop;
    choose <= '1';
    slot   <= to_unsigned(2, SLOT_BITS);
    tick(clk);
    slot   <= to_unsigned(1, SLOT_BITS);
    tick(clk);
    choose <= '0';
    tick(clk);
    stages(1).valid        <= '1';
    stages(1).insn.slot    <= to_unsigned(2, SLOT_BITS);
    stages(1).insn.control <= writes_r(3, MEM_NONE);
    tick(clk);
    check(turned_away = '1', "it needs R1, and R3, too");
    tick(clk);
    check(goes = '1' and issued.slot = 1, "warp 1 has been heard");
    stages <= (others => BEAT_INIT);
    tick(clk);

    -- further loads of the warp: each register is busy until its own load is back, in their order
    decode(GLD_R7);
    must_issue(true, "a second load");
    drain;
    decode(GLD);
    must_issue(true, "a third one, to the register of the first");
    drain;
    for back in 0 to 2 loop
      decode(IADD_R1);
      turn_away("R1 waits for the third load");
      check(load_busy = "0100", "loads are under way");
      decode(IADD_R7);
      load_done <= '1';
      load_slot <= to_unsigned(2, SLOT_BITS);
      wait for 1 ns;
      check(turned_away = to_sl(back < 2), "R7 waits for the second load, whichever is back now");
      drain;
      check(fate.waits = '0', "... but for none that is back");
      load_done <= '0';
    end loop;
    tick(clk);
    check(load_busy = "0000", "all loads are back");
    decode(IADD_R1);
    must_issue(true, "after the loads");
    drain;

    -- no more than four; a fifth is turned away, the second time it stays
    for load in 1 to 4 loop
      decode(GLD);
      must_issue(true, "load " & integer'image(load));
      drain;
    end loop;
    check(full = '0', "no load waits for one of them");
    decode(IADD_R1);
    turn_away("what needs one of them waits for that");
    decode(GLD_R7);
    check(full = '1', "too many are under way");
    turn_away("a fifth load", until_load => '0', until_room => '1');
    decode(GLD_R7);
    must_issue(false, "a fifth load, again");
    check(turned_away = '0' and full = '1', "it stays");
    load_done <= '1';
    tick(clk);
    load_done <= '0';
    must_issue(true, "when one is back");
    drain;
    decode(GLD_R7);
    load_done <= '1';
    turn_away("a load is back as there is no room", until_load => '0');
    load_done <= '0';
    decode(GLD_R7);
    must_issue(true, "there is room");
    drain;
    load_done <= '1';
    for load in 1 to 4 loop
      check(load_busy = "0100", "the last ones are under way");
      tick(clk);
    end loop;
    load_done <= '0';
    tick(clk);
    check(load_busy = "0000", "the last one is back");

    -- a wide load: four words, that of the address register last, and one instruction for the warp
    decode(GLD_4);
    for part in 0 to 3 loop
      check(issued.valid = '1' and issued.part = WORDS_TO_R5(part) and issued.control.dst_reg = 4 + WORDS_TO_R5(part),
            "word " & integer'image(part) & " of a load over its address");
      check(issued.control.dst_number = x"04" and issued.dropped = '0', "it is a load of R4");
      check(issued.more = to_sl(part < 3) and goes = to_sl(part = 3), "it goes on after its last word");
      check(turned_away = '0', "its own load does not hold it up");
      if part = 1 then
        ready <= '0';
        wait for 1 ns;
        check(issued.valid = '0', "a word waits for stage ROWS");
        ready <= '1';
      end if;
      tick(clk);
      check(load_busy = "0100" or part = 0, "the load is under way from its first word on");
    end loop;
    check(hazard = '0' and free = '1', "all of it has issued");
    for again in 0 to 1 loop
      if again = 0 then
        decode(IADD_R7);
      else
        decode(GST_4);
      end if;
      turn_away("each register of the load is busy");
    end loop;
    decode(IADD);
    must_issue(true, "the registers below are not");
    drain;
    load_done <= '1';
    tick(clk);
    load_done <= '0';

    -- a wide store waits for each of its registers
    bring(GST_4);
    stages(1).valid        <= '1';
    stages(1).insn.slot    <= to_unsigned(2, SLOT_BITS);
    stages(1).insn.control <= writes_r(6, MEM_NONE);
    tick(clk);
    check(hazard = '1' and issued.valid = '0', "the store waits for R6");
    stages(1).valid <= '0';
    tick(clk);
    for part in 0 to 3 loop
      wait for 1 ns;
      check(issued.valid = '1' and issued.control.src_c_reg = 4 + to_integer(issued.part), "a word of the store");
      tick(clk);
    end loop;
    check(hazard = '0', "the store has issued");
    stages <= (others => BEAT_INIT);

    -- post-increment and markers come with the last word
    decode(LLD_2);
    init.valid <= '1';
    wait for 1 ns;
    check(issued.is_init = '1' and issued.more = '0', "the dispatcher's beat has no more words");
    init.valid <= '0';
    wait for 1 ns;
    check(issued.valid = '1' and issued.more = '1' and issued.control.areg_inc = '0', "a first word leaves A alone");
    tick(clk);
    check(issued.more = '0' and issued.control.areg_inc = '1' and goes = '1', "the last one increments it");
    tick(clk);
    load_done <= '1';
    tick(clk);
    load_done <= '0';
    decode(LST_2_END);
    check(issued.valid = '1' and issued.more = '1', "a first word");
    tick(clk);
    check((fate.leaves or fate.take or fate.blocks or fate.ends) = '0', "it does not block the warp");
    drain('1', '1', '0', '1', "the last one does, and ends it");

    -- a stopped grid: an access that has begun is ended, unless its own SM trapped
    decode(GST_4);
    tick(clk);
    halt <= '1';
    for part in 1 to 3 loop
      wait for 1 ns;
      check(issued.valid = '1' and issued.more = to_sl(part < 3), "what has begun goes on");
      tick(clk);
    end loop;
    check(hazard = '0', "to its end");
    halt <= '0';
    decode(GST_4);
    tick(clk);
    flush <= '1';
    tick(clk);
    flush <= '0';
    halt  <= '1';
    wait for 1 ns;
    check(hazard = '0' and issued.valid = '0', "a trap forgets it");
    halt <= '0';
    decode(IADD);
    check(issued.part = 0 and issued.more = '0', "and its words");
    drain;

    -- registers that the launch does not have
    launch.regs <= to_unsigned(6, 8);
    decode(GLD_4);
    for part in 0 to 3 loop
      check(issued.control.dst = DST_REG32, "it loads R4");
      check(issued.dropped = to_sl(issued.control.dst_reg >= 6), "of six registers R4 and R5 are written");
      tick(clk);
    end loop;
    load_done <= '1';
    tick(clk);
    load_done <= '0';
    launch.regs <= to_unsigned(3, 8);
    decode(IADD);
    check(issued.control.src_a_from = SRC_REG32 and issued.control.src_b_from = SRC_ZERO, "R3 of three reads zero");
    check(issued.control.dst = DST_REG32, "R1 of three is written");
    drain;
    launch.regs <= to_unsigned(1, 8);
    decode(IADD);
    check(issued.control.dst = DST_NONE, "R1 of one is not");
    launch.regs <= to_unsigned(128, 8);
    drain;
    decode(IADD_R124);
    check(issued.control.src_a_from = SRC_ZERO and issued.control.src_b_from = SRC_REG32, "R124 of 128 reads zero");
    launch.regs <= to_unsigned(16, 8);
    drain;

    -- halves of a word, redirection
    decode(HALVES, 3, '0');
    check(issued.pc = 24 and issued.hi = x"00000000" and issued.long = '0', "the lower half");
    drain('0', '0', '0', '0', "its word stays");
    decode(HALVES, 3, '1');
    check(issued.pc = 28 and issued.lo = x"10008404", "the upper half");
    drain('1', '0', '0', '0', "its word goes");
    decode(BRA);
    drain('1', '1', '0', '0', "a branch blocks its warp, and no more");
    decode(BAR);
    drain('1', '1', '1', '0', "a barrier");
    decode(RET);
    drain('1', '1', '0', '1', "RET ends its warp");
    warp.state.depth <= to_unsigned(1, DEPTH_BITS);
    decode(RET);
    drain('1', '1', '0', '0', "... not where the stack has an entry");
    warp.state.depth <= to_unsigned(0, DEPTH_BITS);
    decode(RET);
    ready <= '0';
    tick(clk);
    check(fate.blocks = '0' and fate.ends = '0', "... nor before it issues");
    ready <= '1';
    wait for 1 ns;
    drain('1', '1', '0', '1', "... as it does then");
    decode(RET_SOME);
    drain('1', '1', '0', '0', "... nor some of its threads");

    -- traps of fetching
    decode(IADD, 7);
    check(issued.control.trap = TRAP_NONE, "the last word of the code");
    drain;
    decode(IADD, 8);
    check(issued.control.trap = TRAP_FETCH and issued.lo = x"00000000", "beyond the code");
    drain('1', '1', '0', '0', "which blocks its warp");
    launch.code_bytes <= to_unsigned(60, 24);
    decode(IADD, 7);
    check(issued.control.trap = TRAP_FETCH, "a long word half beyond the code");
    drain;
    decode(GST_4, 7);
    check(issued.control.trap = TRAP_FETCH and issued.control.mem = MEM_NONE and issued.more = '0',
          "which, of a store, stores nothing");
    drain;
    decode(HALVES, 7);
    check(issued.control.trap = TRAP_NONE, "a half word before its end");
    drain;
    decode(IADD(31 downto 0) & IADD(31 downto 0), 0, '1');
    check(issued.control.trap = TRAP_UNDEFINED, "a long word in an upper half");
    check(issued.control.src_a_from = SRC_ZERO, "which reads nothing, and so waits for nothing");
    check(issued.hi = x"00000000", "and is the half alone");
    drain('1', '1', '0', '0', "and blocks its warp");

    -- atomics, as the launch has them or not
    for has in std_ulogic range '0' to '1' loop
      launch.atomics <= has;
      decode(GRED);
      if has = '1' then
        check(issued.control.trap = TRAP_NONE and issued.control.mem = MEM_GLOBAL_ATOMIC, "an atomic");
      else
        check(issued.control.trap = TRAP_UNIMPLEMENTED, "an atomic that the machine does not have");
      end if;
      drain('1', not has, '0', '0', "which blocks its warp if it traps");
    end loop;

    -- the dispatcher's beat goes before a warp's instruction
    decode(IADD);
    ready <= '0';
    wait for 1 ns;
    check(goes = '0' and turned_away = '0', "stage ROWS takes nothing");
    choose <= '1';
    slot   <= to_unsigned(0, SLOT_BITS);
    tick(clk);
    check(free = '1', "READ, WORD and CHECK have room for three");
    slot   <= to_unsigned(1, SLOT_BITS);
    tick(clk);
    check(free = '1', "READ, WORD and CHECK have room for another one");
    slot   <= to_unsigned(3, SLOT_BITS);
    tick(clk);
    choose <= '0';
    wait for 1 ns;
    check(free = '0' and read = '0', "and no more while HOLD keeps its instruction");
    ready      <= '1';
    init.valid <= '1';
    init.slot  <= to_unsigned(3, SLOT_BITS);
    wait for 1 ns;
    check(goes = '0' and init_taken = '1' and issued.valid = '1' and issued.slot = 3, "the dispatcher's beat");
    check(issued.is_init = '1', "and says so");
    tick(clk);
    init.valid <= '0';
    wait for 1 ns;
    check(goes = '1' and issued.slot = 2 and issued.is_init = '0', "then the warp's");
    halt <= '1';
    wait for 1 ns;
    check(goes = '0' and issued.valid = '0', "a stopped grid issues nothing");
    for stage in 1 to 4 loop
      tick(clk);
    end loop;
    check(hazard = '0' and issued.valid = '0', "and forgets it, and what is in READ, WORD and CHECK");

    report "done";
    std.env.finish;
  end process stimulus;

end architecture sim;
