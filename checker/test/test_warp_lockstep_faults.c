/* SPDX-License-Identifier: Apache-2.0 */
/* The tool from outside, on a machine with planted faults (fake_sim.c): what it reports, counts and refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>
#include <jansson.h>

#include "fake_sim.h"
#include "tool.h"

/* The third parameter word is missing: the kernel's results are wrong for that reason. */
static void test_warp_lockstep_tells_undefined_values_of_what_fails(void **state) {
    static const char READ[] = "shared 0x18 is read before it is written (sm 0 slot 0 lane 0; the launch has 2 "
                               "parameter words, up to 0x18), pc 0x0: MOV R1, g [0x6]";
    struct tool *s = *state;
    tool_write(s, "missing.sass", ".block 32\n.shared 256\n.param 1, 2\n    MOV R1, g [0x6]\n    RET\n");
    assert_int_equal(tool_run(s, "%s/missing.sass --sim " FAKE " --seed 0", s->directory), 0);
    assert_null(strstr(s->err, READ));
    assert_int_equal(tool_run(s, "%s/missing.sass --sim " FAKE " --seed 0 --expect 0=07", s->directory), 1);
    assert_non_null(strstr(s->err, READ));
    assert_non_null(strstr(s->err, "1 byte of global memory is not as expected\n"));
    assert_int_equal(tool_run(s, "%s/missing.sass --sim " FAKE " --seed 0 --expect 0=07 --strict", s->directory), 1);
    assert_non_null(strstr(s->err, "error: shared 0x18"));
    assert_non_null(strstr(s->out, "missing.sass: failed: "));
}

static const char COLUMN[] = /* of three blocks of two warps, two blocks an SM; thread 0 does not store */
    ".kernel column\n.grid 1, 3\n.block 64\n.shared 8192\n    SHL R1, R0, 0x2\n    ISET.S32.C0 R2, R0, R1, NE\n"
    "    MVI R3, 0x10\n    GST.U32 global14 [R1] (C0.NE), R3\n    GLD.U32 R4, global14 [R1]\n    RET\n";

static void test_warp_lockstep_prints_what_it_counts(void **state) {
    struct tool *s = *state;
    tool_write(s, "column.sass", COLUMN);
    assert_int_equal(tool_run(s, "%s/column.sass --sim " FAKE " --sms 2 --cores 16 --seed 0 --json", s->directory), 0);
    json_t *result = tool_json(s), *per_sm = json_object_get(result, "sm_stalls");
    const json_int_t rows = 6 * 6 * 2; /* warps, instructions, rows of 16 lanes */
    const double ipc = 36.0 / (double)rows;
    assert_string_equal(json_text(result, "kernel"), "column");
    assert_int_equal(json_number(result, "sms"), 2);
    assert_int_equal(json_number(result, "cores"), 16);
    assert_int_equal(json_number(result, "compared"), 36);
    assert_int_equal(json_number(result, "cycles"), rows); /* the fake's counter, not its clock */
    assert_int_equal(json_number(result, "warp_instructions"), 36);
    assert_int_equal(json_number(result, "thread_instructions"), 36 * 32);
    assert_int_equal(json_number(result, "executed_threads"), 36 * 32 - 3); /* thread 0 of each block does not store */
    assert_float_equal(json_real_value(json_object_get(result, "ipc")), ipc, 1e-6);
    assert_float_equal(json_real_value(json_object_get(result, "utilisation")), ipc, 1e-6); /* 2 SMs of half a warp */
    assert_int_equal(json_number(json_object_get(result, "stalls"), "issue"), rows);
    assert_int_equal(json_array_size(per_sm), 2);
    assert_int_equal(json_number(json_array_get(per_sm, 0), "issue"), 2 * rows / 3); /* two of the three blocks */
    assert_int_equal(json_number(json_array_get(per_sm, 1), "issue"), rows / 3);
    assert_int_equal(json_number(json_array_get(per_sm, 1), "drain"), 2 * rows / 3);
    json_decref(result);
    assert_int_equal(tool_run(s, "%s/column.sass --sim " FAKE " --sms 2 --cores 16 --seed 0", s->directory), 0);
    assert_non_null(strstr(s->out, "cycles: issue 50.0 %, drain 50.0 %\n"));
    const unsigned much = FAKE_CAUSE_SM1;
    assert_int_equal(tool_run(s, "%s/column.sass --sim " FAKE " --sms 2 --seed %u --unchecked", s->directory, much), 1);
    assert_non_null(strstr(s->err, "cycles by cause sum to 145 on sm 1, not to 144"));
}

/* Neither GHDL's machine nor the fake offers stacks. */
static void test_warp_lockstep_says_what_shows_the_stack(void **state) {
    struct tool *s = *state;
    assert_int_equal(tool_run(s, "%s --sim " FAKE " --seed %u --no-wave", FIVE, FAKE_DEPTH), 1);
    assert_non_null(strstr(s->err, "    of the RTL: 1 entry after; which, a run with --sim verilator shows\n"));
    assert_int_equal(tool_run(s, "%s --sim " FAKE " --seed %u --no-wave", FIVE, FAKE_NEXT_PC), 1);
    assert_non_null(strstr(s->err, "    of the RTL: 0 entries after\n"));
}

/* A store of the last block, and the 200 cycles before it as waves. */
static void test_warp_lockstep_says_where_it_differs(void **state) {
    struct tool *s = *state;
    char window[TOOL_TEXT], expected[64];
    tool_write(s, "column.sass", COLUMN);
    json_int_t y = 0, end = 0;
    for (unsigned from = 0; y < 2; from += 4) {
        const unsigned seed = FAKE_DATA | from << 8;
        assert_int_equal(tool_run(s, "%s/column.sass --sim " FAKE " --seed %u --json", s->directory, seed), 1);
        json_t *result = tool_json(s), *place = json_object_get(result, "block");
        assert_string_equal(json_string_value(json_array_get(json_object_get(result, "differs"), 0)), "data");
        assert_int_equal(json_number(result, "pc"), 0x18);
        assert_int_equal(json_integer_value(json_array_get(place, 0)), 0);
        y = json_integer_value(json_array_get(place, 1));
        end = json_number(result, "cycle");
        assert_in_range(end, 4 * from + 4, 4 * 36); /* a record every four cycles */
        json_decref(result);
    }
    assert_non_null(strstr(s->err, ", block (0,2), warp "));
    snprintf(expected, sizeof expected, ".fst, cycles 1 to %lld\n", (long long)end);
    assert_non_null(strstr(s->err, expected));

    tool_write(s, "loop.sass", ".block 32\n    MOV R1, R0\n    BRA 0x0\n");
    assert_int_equal(tool_run(s, "%s/loop.sass --sim " FAKE " --seed %u", s->directory, FAKE_LANE | 100 << 8), 1);
    const char *wave = strstr(s->err, "waves: ");
    assert_non_null(wave); /* record 101 is that of cycle 404 */
    assert_non_null(strstr(wave, ".fst, cycles 204 to 404\n"));
    snprintf(window, sizeof window, "%.*s", (int)strcspn(wave + 7, ","), wave + 7);
    FILE *f = fopen(window, "r");
    assert_non_null(f);
    assert_non_null(fgets(window, sizeof window, f));
    fclose(f);
    assert_string_equal(window, "204 404\n");
    assert_int_equal(tool_run(s, "%s/loop.sass --sim " FAKE " --seed %u", s->directory, FAKE_NEXT_PC | 49 << 8), 1);
    assert_non_null(strstr(s->err, ".fst, cycles 1 to 200\n")); /* the first cycle is 1 */
}

/* A machine that falls silent is shown up to 50 cycles after its last record; a run with waves has no second run. */
static void test_warp_lockstep_shows_what_fell_silent(void **state) {
    struct tool *s = *state;
    const unsigned silent = FAKE_SILENT | 10 << 8;
    char path[TOOL_PATH];
    tool_write(s, "column.sass", COLUMN);
    assert_int_equal(tool_run(s, "%s/column.sass --sim " FAKE " --seed %u --silence 700", s->directory, silent), 1);
    assert_non_null(strstr(s->err, "hang: the RTL retires nothing for 700 cycles while the model could go on\n"));
    assert_non_null(strstr(s->err, ".fst, cycles 1 to 90\n")); /* ten records, the last in cycle 40 */
    snprintf(path, sizeof path, "%s/a\\b.fst", s->directory);
    assert_int_equal(
        tool_run(s, "%s/column.sass --sim " FAKE " --sms 2 --seed %u --wave '%s' --json", s->directory, silent, path),
        1);
    assert_null(strstr(s->err, "waves: "));
    json_t *result = tool_json(s);
    assert_string_equal(json_text(result, "wave"), path);
    assert_int_equal(json_number(json_object_get(result, "stalls"), "unknown"), 2 * json_number(result, "cycles"));
    json_decref(result);
    assert_int_equal(tool_run(s, "%s/column.sass --sim " FAKE " --seed %u --no-wave", s->directory, silent), 1);
    assert_null(strstr(s->err, "waves: "));
    tool_write(s, "loop.sass", "BRA 0x0\n");
    assert_int_equal(tool_run(s, "%s/loop.sass --sim " FAKE " --seed 0 --max-cycles 400", s->directory), 3);
    assert_non_null(strstr(s->err, "hang: the kernel did not end within 400 cycles\n"));
    assert_int_equal(tool_run(s, "%s/loop.sass --sim " FAKE " --seed 0", s->directory), 3);
    assert_non_null(strstr(s->err, "hang: the kernel hangs: every remaining warp loops for ever or waits at a "));
    assert_non_null(strstr(s->err, "warp 0: loops for ever, active 0000"));
    assert_int_equal(tool_run(s, "%s/loop.sass --sim " FAKE " --sms 2 --grid 2 --seed 0", s->directory), 3);
    assert_non_null(strstr(s->err, "sm 0 slot 1 block (1,0) warp 0: loops for ever"));
    assert_int_equal(tool_run(s, "%s/loop.sass --sim " FAKE " --seed 0 --max-cycles 400 --unchecked", s->directory), 3);
    assert_non_null(strstr(s->out, "loop.sass: hang: unchecked, "));
}

/* A loop that counts, which only a signal ends. */
static void test_warp_lockstep_can_be_interrupted(void **state) {
    struct tool *s = *state;
    char command[1024];
    tool_write(s, "count.sass", "MVI R1, 0\nagain: IADD32I R1, R1, 1\nBRA again\n");
    snprintf(command, sizeof command,
             "timeout --foreground --preserve-status -k 9 -s INT 1.3 %s %s/count.sass --sim " FAKE
             " --seed 0 --max-cycles 1000000000000 --trace %s/kept.txt --json > %s/out 2> %s/err",
             TOOL, s->directory, s->directory, s->directory, s->directory);
    const int status = system(command);
    assert_int_equal(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 130);
    tool_read(s, "err", s->err);
    tool_read(s, "out", s->out);
    assert_non_null(strstr(s->err, "count.sass: interrupted: in cycle "));
    assert_non_null(strstr(s->err, "  sm 0 slot 0 block (0,0) warp 0: ready, active 0000"));
    assert_null(strstr(s->err, " a second"));
    assert_non_null(strstr(s->out, "{\"status\":\"interrupted\""));
    assert_non_null(strstr(s->err, "/kept.txt: warning: the trace is cut after "));
    snprintf(command, sizeof command,
             "cd %s && test \"$(ls kept.txt*)\" = kept.txt && tail -n 1 kept.txt | grep -q '^# cut after .*: SIGINT$'",
             s->directory);
    assert_int_equal(system(command), 0);
    /* it is compared up to its end, and nothing may follow */
    assert_int_equal(tool_run(s, "%s/count.sass --check-trace %s/kept.txt", s->directory, s->directory), 0);
    assert_non_null(strstr(s->out, ", seed 1; the trace was cut there; fields not compared: memory\n"));
    snprintf(command, sizeof command, "sed -i '2{h;};${p;x;}' %s/kept.txt", s->directory);
    assert_int_equal(system(command), 0);
    assert_int_equal(tool_run(s, "%s/count.sass --check-trace %s/kept.txt", s->directory, s->directory), 2);
    assert_non_null(strstr(s->err, "a line after the end of a truncated trace"));
}

/* A loop that counts repeats no state. If the model alone does not end in time, the hang is reported at cycle 10000,
 * not after twenty million; a kernel that ends later runs on; one that reads undefined values is not judged by the
 * model alone. */
static void test_warp_lockstep_looks_ahead(void **state) {
    struct tool *s = *state;
    tool_write(s, "count.sass", "MVI R1, 0\nagain: IADD32I R1, R1, 1\nBRA again\n");
    assert_int_equal(tool_run(s, "%s/count.sass --sim " FAKE " --seed 0 --max-cycles 300000", s->directory), 3);
    assert_non_null(strstr(s->err,
                           "hang: the kernel will not end within 300000 cycles: the model alone has not ended after "
                           "300000 warp instructions, 149504 times back to "));
    assert_non_null(strstr(s->err, "/count.sass:2\n"));
    assert_non_null(strstr(s->err, ": ready, active 0000"));
    assert_non_null(strstr(s->out, "count.sass: hang: 2500 warp instructions compared, 10000 cycles"));
    assert_int_equal(
        tool_run(s, "%s/count.sass --sim " FAKE " --block 64 --grid 40 --seed 0 --max-cycles 30000", s->directory), 3);
    assert_non_null(strstr(s->err, "hang: the kernel will not end within 30000 cycles: "));
    tool_write(s, "many.sass",
               "MVI R1, 1000\nagain: IADD32I R1, R1, -1\nI2I.U32.U32.C0 o [0x7f], R1\nBRA C0.NE, again\nNOP\n");
    assert_int_equal(tool_run(s, "%s/many.sass --sim " FAKE " --grid 1000 --seed 0 --max-cycles 20000", s->directory),
                     3);
    assert_non_null(strstr(s->err, "hang: the kernel did not end within 20000 cycles\n"));
    tool_write(s, "late.sass",
               "MVI R1, 10000\nagain: IADD32I R1, R1, -1\nI2I.U32.U32.C0 o [0x7f], R1\n"
               "BRA C0.NE, again\nNOP\n");
    assert_int_equal(tool_run(s, "%s/late.sass --sim " FAKE " --seed 0 --max-cycles 300000", s->directory), 0);
    assert_non_null(strstr(s->out, "late.sass: pass: 30002 warp instructions compared"));
    tool_write(s, "undefined.sass", ".reg 4\nagain: IADD32I R1, R1, 1\nBRA again\n");
    assert_int_equal(tool_run(s, "%s/undefined.sass --sim " FAKE " --seed 0 --max-cycles 30000", s->directory), 3);
    assert_non_null(strstr(s->err, "hang: the kernel did not end within 30000 cycles\n"));
    /* nor one that reads the clock, nor a run in which the model takes the RTL's side */
    tool_write(s, "clock.sass", "MVI R1, 0\nagain: S2R R2, SR1\nIADD32I R1, R1, 1\nBRA again\n");
    assert_int_equal(tool_run(s, "%s/clock.sass --sim " FAKE " --seed 0 --max-cycles 30000", s->directory), 3);
    assert_non_null(strstr(s->err, "hang: the kernel did not end within 30000 cycles\n"));
    assert_int_equal(
        tool_run(s, "%s/count.sass --sim " FAKE " --seed 0 --max-cycles 30000 --keep-going 5", s->directory), 3);
    assert_non_null(strstr(s->err, "hang: the kernel did not end within 30000 cycles\n"));
}

/* A loop that stores is not the repeated state of a warp; that of the machine repeats, and here in any order. */
static void test_warp_lockstep_finds_loops_that_store(void **state) {
    struct tool *s = *state;
    tool_write(s, "store.sass",
               ".block 64\nSHL R1, R0, 2\nMVI R2, 7\nMVI R3, 8\nagain: GST.U32 global14 [R1], R2\nGST.U32 global14 "
               "[R1], R3\nBRA again\n");
    assert_int_equal(tool_run(s, "%s/store.sass --sim " FAKE " --seed 0", s->directory), 3);
    assert_non_null(strstr(s->err, "hang: the kernel loops for ever: the model alone repeats its state after "));
    assert_non_null(strstr(s->err, " times back to "));
    assert_non_null(strstr(s->err, "/store.sass:5, and no order of the warps changes that\n"));
    assert_non_null(strstr(s->err, ": ready, active ffffffff of ffffffff, stack 0, pc 0x"));
    assert_non_null(strstr(s->out, "store.sass: hang: 2500 warp instructions compared, 10000 cycles"));
    /* one that ends is not taken for it */
    tool_write(s, "late.sass",
               ".block 64\nMVI R1, 0x100\nMVI R2, 9000\nagain: IADD32I R2, R2, -1\nGST.U32 global14 [R1], R1\n"
               "I2I.U32.U32.C0 o [0x7f], R2\nBRA C0.NE, again\nNOP\n");
    assert_int_equal(tool_run(s, "%s/late.sass --sim " FAKE " --seed 0", s->directory), 0);
}

/* Warp 0 writes a word to and fro until warp 1 has seen 3000 ones. In the model's order warp 1 sees none, and the state
 * repeats; in another order it does. Races, atomics and the number of a slot show the order: such a kernel runs on to
 * the limit. */
static void test_warp_lockstep_knows_that_another_order_may_end(void **state) {
    struct tool *s = *state;
    tool_write(s, "spin.sass",
               ".block 64\nSHR.C0 R8, R0, 5\nMVI R1, 0x100\nMVI R5, 0x104\nMVI R2, 1\nMVI R3, 0\nMVI R7, 3000\n"
               "BRA C0.EQ, write\nread: GLD.U32 R4, global14 [R1]\nI2I.U32.U32.C0 o [0x7f], R4\nMVI R6, 0\nMVI R6, 0\n"
               "BRA C0.EQ, read\nIADD32I R7, R7, -1\nI2I.U32.U32.C0 o [0x7f], R7\nBRA C0.NE, read\n"
               "GST.U32 global14 [R5], R2\nNOP\n"
               "write: GST.U32 global14 [R1], R2\nGST.U32 global14 [R1], R3\nGLD.U32 R4, global14 [R5]\n"
               "I2I.U32.U32.C0 o [0x7f], R4\nBRA C0.EQ, write\nNOP\n");
    assert_int_equal(tool_run(s, "%s/spin.sass --sim " FAKE " --seed %u", s->directory, FAKE_ORDER), 0);
    assert_int_equal(tool_run(s, "%s/spin.sass --sim " FAKE " --seed 0 --max-cycles 400000", s->directory), 3);
    assert_non_null(strstr(s->err, "hang: the kernel did not end within 400000 cycles; whether it ends may depend on "
                                   "the order of its warps\n"));
    tool_write(s, "place.sass", "MVI R1, 0\nS2R R2, SR0\nagain: IADD32I R1, R1, 1\nBRA again\n");
    assert_int_equal(tool_run(s, "%s/place.sass --sim " FAKE " --seed 0 --max-cycles 30000", s->directory), 3);
    assert_non_null(strstr(s->err, "within 30000 cycles; whether it ends may depend"));
    tool_write(s, "atomic.sass",
               ".arch sm_11\nMVI R1, 0\nMVI R2, 1\nagain: GRED.IADD.U32 global14 [R1], R2\nBRA again\n");
    assert_int_equal(tool_run(s, "%s/atomic.sass --sim " FAKE " --block 64 --seed 0 --max-cycles 30000", s->directory),
                     3);
    assert_non_null(strstr(s->err, "within 30000 cycles; whether it ends may depend"));
    assert_int_equal(tool_run(s, "%s/atomic.sass --sim " FAKE " --seed 0 --max-cycles 30000", s->directory), 3);
    assert_non_null(strstr(s->err, "the kernel will not end within 30000 cycles: "));
}

/* Cycles and threads of a Konata trace equal those of the records. */
static void test_warp_lockstep_traces_cycles(void **state) {
    struct tool *s = *state;
    char trace[TOOL_TEXT];
    unsigned cycle = 0, step, id, again, thread, seen = 0, of_sm1 = 0;
    tool_write(s, "column.sass", COLUMN);
    assert_int_equal(
        tool_run(s, "%s/column.sass --sim " FAKE " --sms 2 --seed 0 --trace %s/t.kanata", s->directory, s->directory),
        0);
    tool_read(s, "t.kanata", trace);
    for (char *save = NULL, *line = strtok_r(trace, "\n", &save); line != NULL; line = strtok_r(NULL, "\n", &save)) {
        if (sscanf(line, "C\t%u", &step) == 1) cycle += step;
        if (sscanf(line, "I\t%u\t%u\t%u", &id, &again, &thread) != 3) continue;
        assert_int_equal(id, seen++);
        assert_int_equal(cycle, 4 * seen); /* a record every four cycles */
        of_sm1 += thread == 64 || thread == 65;
        assert_true(thread < 4 || thread == 64 || thread == 65);
    }
    assert_int_equal(seen, 36);
    assert_int_equal(of_sm1, 12);
    assert_int_equal(cycle, 4 * 36 + 1);
}

/* Block 0 stores a word that block 1 loads: the loaded value is a race, and the fake's other value as good as the
 * model's. */
static void test_warp_lockstep_is_strict_about_races(void **state) {
    struct tool *s = *state;
    tool_write(s, "race.sass",
               ".grid 2\n.block 32\n.shared 16384\n    I2I.U32.U16.C0 R1, g [0x6].U16\n    MVI R2, 0x800\n    MVI "
               "R3, 0x80000000\n"
               "    GST.U32 global14 [R2] (C0.EQ), R3\n    GLD.U32 R4 (C0.NE), global14 [R2]\n    RET\n");
    assert_int_equal(tool_run(s, "%s/race.sass --sim " FAKE " --sms 2 --seed %u --json", s->directory, FAKE_LOAD), 0);
    json_t *result = tool_json(s);
    assert_int_equal(json_number(result, "raced"), 1);
    json_decref(result);
    assert_int_equal(tool_run(s, "%s/race.sass --sim " FAKE " --sms 2 --seed %u --strict", s->directory, FAKE_LOAD), 1);
    assert_non_null(strstr(s->err, "error: 1 lane value depends on a race between SMs\n"));
    assert_non_null(strstr(s->out, "race.sass: race: "));
}

/* Atomics depend on the launch, not on the first one; the first one has to fit the machine, too. */
static void test_warp_lockstep_switches_atomics_for_each_launch(void **state) {
    struct tool *s = *state;
    const char *dir = s->directory;
    tool_write(s, "sm10.sass", "    MVI R1, 0x0\n    GRED.IADD.U32 global14 [R1], R1\n    RET\n");
    tool_write(s, "sm11.sass", ".arch sm_11\n    MVI R1, 0x0\n    GRED.IADD.U32 global14 [R1], R1\n    RET\n");
    tool_write(s, "large.sass", ".shared 20000\n    RET\n");
    assert_int_equal(tool_run(s, "%s/sm10.sass --sim " FAKE " --seed 0 --after %s/sm11.sass", dir, dir), 3);
    assert_int_equal(tool_run(s, "%s/sm11.sass --sim " FAKE " --seed 0 --after %s/sm10.sass", dir, dir), 0);
    assert_int_equal(tool_run(s, "%s/sm11.sass --sim " FAKE " --seed 0 --after %s/large.sass", dir, dir), 2);
    assert_non_null(strstr(s->err, "large.sass: error: launch does not fit: shared bytes 20000"));
}

/* A machine without a unit names the option that adds it; a kernel that does not need it runs. */
static void test_warp_lockstep_leaves_units_out(void **state) {
    struct tool *s = *state;
    const char *dir = s->directory;
    tool_write(s, "float.sass", "    MVI R1, 0x3f800000\n    FADD R1, R1, R1\n    RET\n");
    tool_write(s, "special.sass", "    MVI R1, 0x3f800000\n    RCP R1, R1\n    RET\n");
    assert_int_equal(tool_run(s, "%s/float.sass --sim " FAKE " --seed 0 --no-sfu", dir), 0);
    assert_int_equal(tool_run(s, "%s/special.sass --sim " FAKE " --seed 0 --no-fpu", dir), 0);
    assert_int_equal(tool_run(s, "%s/float.sass --sim " FAKE " --seed 0 --no-fpu", dir), 3);
    assert_non_null(strstr(s->err, "at pc 0x8, sm 0 slot 0; it executes without --no-fpu\n"));
    assert_int_equal(tool_run(s, "%s/special.sass --sim " FAKE " --seed 0 --no-sfu", dir), 3);
    assert_non_null(strstr(s->err, "; it executes without --no-sfu\n"));
    assert_int_equal(tool_run(s, "%s/float.sass --no-fpu --no-sfu --sms 8 --global-bytes 4096", dir), 2);
    assert_non_null(strstr(s->err, "not built: run 'make build/sim/libsim-verilator-C8-S8-G4096-nofpu-nosfu.so'"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_warp_lockstep_prints_what_it_counts),
        cmocka_unit_test(test_warp_lockstep_says_what_shows_the_stack),
        cmocka_unit_test(test_warp_lockstep_says_where_it_differs),
        cmocka_unit_test(test_warp_lockstep_shows_what_fell_silent),
        cmocka_unit_test(test_warp_lockstep_can_be_interrupted),
        cmocka_unit_test(test_warp_lockstep_looks_ahead),
        cmocka_unit_test(test_warp_lockstep_finds_loops_that_store),
        cmocka_unit_test(test_warp_lockstep_knows_that_another_order_may_end),
        cmocka_unit_test(test_warp_lockstep_traces_cycles),
        cmocka_unit_test(test_warp_lockstep_is_strict_about_races),
        cmocka_unit_test(test_warp_lockstep_switches_atomics_for_each_launch),
        cmocka_unit_test(test_warp_lockstep_leaves_units_out),
        cmocka_unit_test(test_warp_lockstep_tells_undefined_values_of_what_fails),
    };
    return cmocka_run_group_tests(tests, tool_set_up, tool_tear_down);
}
