/* SPDX-License-Identifier: Apache-2.0 */
/* The tool from outside: builds the worked example as in docs/bring-your-own-rtl.md, runs kernels on it, and checks
 * exit codes, JSON and messages. Beside this file: test_warp_lockstep_trace.c, test_warp_lockstep_faults.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "crooked.h"
#include "fake_sim.h"
#include "tool.h"

static void test_warp_lockstep_passes(void **state) {
    struct tool *s = *state;
    assert_int_equal(tool_run(s, "%s --sim %s/tiny_core.so --seed 7 --json", FIVE, s->directory), 0);
    json_t *result = tool_json(s);
    assert_string_equal(json_text(result, "status"), "pass");
    assert_string_equal(json_text(result, "sim"), "tiny core");
    assert_int_equal(json_number(result, "compared"), 3 * 2 * 5);
    assert_int_equal(json_number(result, "thread_instructions"), 3 * 48 * 5);
    assert_int_equal(json_number(result, "executed_threads"), 3 * 48 * 5);
    assert_int_equal(json_number(result, "seed"), 7);
    assert_int_equal(json_number(result, "cores"), 8);
    json_int_t sum = 0;
    const char *cause;
    json_t *cycles;
    json_object_foreach(json_object_get(result, "stalls"), cause, cycles) sum += json_integer_value(cycles);
    assert_int_equal(sum, json_number(result, "cycles") * json_number(result, "sms"));
    json_decref(result);
}

static void test_warp_lockstep_checks_and_dumps_memory(void **state) {
    struct tool *s = *state;
    assert_int_equal(tool_run(s, "%s --sim %s/tiny_core.so --expect 0=785634127c563412 --dump 0:4", FIVE, s->directory),
                     0);
    assert_non_null(strstr(s->out, "78 56 34 12"));
    assert_int_equal(tool_run(s, "%s --sim %s/tiny_core.so --expect 0=785634137c563412 --json", FIVE, s->directory), 1);
    json_t *result = tool_json(s);
    assert_string_equal(json_text(result, "status"), "failed");
    assert_int_equal(json_number(result, "expect_bytes_wrong"), 1);
    json_decref(result);
}

/* Without the model only memory is compared, and options that need the model are refused. */
static void test_warp_lockstep_runs_unchecked(void **state) {
    struct tool *s = *state;
    assert_int_equal(
        tool_run(s, "%s --sim %s/tiny_core.so --expect 0=785634127c563412 --unchecked --json", FIVE, s->directory), 0);
    json_t *result = tool_json(s);
    assert_string_equal(json_text(result, "status"), "pass");
    assert_int_equal(json_number(result, "compared"), 0);
    assert_int_equal(json_number(json_object_get(result, "stalls"), "issue"), json_number(result, "cycles"));
    json_decref(result);
    assert_int_equal(
        tool_run(s, "%s --sim %s/tiny_core.so --expect 0=785634137c563412 --unchecked", FIVE, s->directory), 1);
    assert_non_null(strstr(s->out, "failed: unchecked"));
    assert_int_equal(tool_run(s, "%s --sim %s/tiny_core.so --unchecked --strict", FIVE, s->directory), 2);
    assert_non_null(strstr(s->err, "--unchecked cannot be combined with"));
}

/* The second launch, after the first, is compared: a core that does not start anew ends at once. */
static void test_warp_lockstep_launches_again(void **state) {
    struct tool *s = *state;
    assert_int_equal(tool_run(s, "%s --sim %s/tiny_core.so --relaunch --json", FIVE, s->directory), 0);
    json_t *result = tool_json(s);
    assert_int_equal(json_number(result, "compared"), 3 * 2 * 5);
    assert_int_equal(json_number(result, "warp_instructions"), 3 * 2 * 5);
    json_decref(result);
    tool_edit_core(s, "ended", "/s->done = s->trapped = false/d");
    assert_int_equal(tool_run(s, "%s --sim %s/ended.so --no-wave", FIVE, s->directory), 0);
    assert_int_equal(tool_run(s, "%s --sim %s/ended.so --no-wave --relaunch", FIVE, s->directory), 1);
    assert_non_null(strstr(s->err, "nothing was compared"));
    assert_int_equal(tool_run(s, "%s --sim %s/tiny_core.so --unchecked --relaunch", FIVE, s->directory), 2);
    assert_non_null(strstr(s->err, "--relaunch cannot be combined with --unchecked"));
}

/* The first launch traps, which a core must clear. */
static void test_warp_lockstep_launches_after_another(void **state) {
    struct tool *s = *state;
    tool_write(s, "trap.sass", ".kernel trap\n    SHR R2, R1, 0x1;\n    RET;\n");
    tool_edit_core(s, "ended", "/s->done = s->trapped = false/d");
    assert_int_equal(tool_run(s, "%s --sim %s/tiny_core.so --after %s/trap.sass", FIVE, s->directory, s->directory), 0);
    assert_int_equal(
        tool_run(s, "%s --sim %s/ended.so --no-wave --after %s/trap.sass", FIVE, s->directory, s->directory), 1);
    assert_non_null(strstr(s->err, "the RTL reports that a trap (undefined instruction) stopped it"));
    assert_int_equal(tool_run(s, "%s --sim %s/tiny_core.so --after %s/none.sass", FIVE, s->directory, s->directory), 2);
    assert_non_null(strstr(s->err, "none.sass"));
    tool_write(s, "k.ptx", ".version 3.2\n.target sm_20\n.entry k(.param .u32 n) { ret; }\n");
    assert_int_equal(
        tool_run(s, "%s --sim %s/tiny_core.so --after '%s/k.ptx  --arg 3 --block 4'", FIVE, s->directory, s->directory),
        0);
    assert_int_equal(tool_run(s, "%s --sim %s/tiny_core.so --after %s/k.ptx", FIVE, s->directory, s->directory), 2);
    assert_non_null(strstr(s->err, "0 arguments are given"));
    assert_int_equal(tool_run(s, "%s --sim %s/tiny_core.so --after %s --relaunch", FIVE, s->directory, FIVE), 2);
    assert_non_null(strstr(s->err, "--after cannot be combined with --relaunch"));
}

/* A cycle counted for two causes is an error, with the model and without. */
static void test_warp_lockstep_refuses_a_miscount(void **state) {
    struct tool *s = *state;
    tool_edit_core(s, "miscounts", "s/SIM_CAUSE_ISSUE. = s->cycle;/& counters->cause[0][SIM_CAUSE_FETCH] = 1;/");
    assert_int_equal(tool_run(s, "%s --sim %s/miscounts.so --no-wave", FIVE, s->directory), 1);
    assert_non_null(strstr(s->err, "cycles by cause sum to"));
    assert_int_equal(tool_run(s, "%s --sim %s/miscounts.so --unchecked --json", FIVE, s->directory), 1);
    assert_non_null(strstr(s->err, "cycles by cause sum to"));
    json_t *result = tool_json(s);
    assert_string_equal(json_text(result, "status"), "failed");
    json_decref(result);
}

/* The core lacks SHR: the report names it, and the missing wave file is a note. */
static void test_warp_lockstep_reports_a_mismatch(void **state) {
    struct tool *s = *state;
    char text[1024];
    snprintf(text, sizeof text,
             "%-800s\n.kernel shr\n.grid 1\n.block 32\n    SHL R1, R0, 0x2;\n    SHR R2, R1, 0x1;\n    RET;\n",
             "// a long line");
    tool_write(s, "it's shr.sass", text);
    assert_int_equal(tool_run(s, "\"%s/it's shr.sass\" --sim %s/tiny_core.so --json", s->directory, s->directory), 1);
    json_t *result = tool_json(s);
    assert_string_equal(json_text(result, "status"), "mismatch");
    assert_int_equal(json_number(result, "pc"), 8);
    assert_int_equal(json_number(result, "compared"), 1);
    json_decref(result);
    assert_non_null(strstr(s->err, "SHR R2, R1, 0x1"));
    assert_non_null(strstr(s->err, "shr.sass:6: SHR R2, R1, 0x1;\n"));
    assert_non_null(strstr(s->err, "undefined instruction"));
    assert_non_null(strstr(s->err, "no waves"));
    char command[TOOL_PATH];
    snprintf(command, sizeof command, "repeat: build/bin/warp-lockstep '%s/it'\\''s shr.sass' --sim ", s->directory);
    assert_non_null(strstr(s->err, command));
    tool_run(s, "\"%s/it's shr.sass\" --sim %s/tiny_core.so --coverage ''", s->directory, s->directory);
    assert_non_null(strstr(s->err, "/tiny_core.so --coverage ''\n")); /* a word without letters */
}

static void test_warp_lockstep_tells_a_trap(void **state) {
    struct tool *s = *state;
    tool_write(s, "trap.sass",
               ".kernel trap\n.grid 1\n.block 32\n    SHL R1, R0, 0x1;\n    GST.U32 global14[R1], R0;\n    RET;\n");
    assert_int_equal(tool_run(s, "%s/trap.sass --sim %s/tiny_core.so --json", s->directory, s->directory), 3);
    json_t *result = tool_json(s);
    assert_string_equal(json_text(result, "status"), "trap");
    assert_int_equal(json_number(result, "compared"), 2); /* including the one that trapped */
    assert_int_equal(json_number(result, "warp_instructions"), 1);
    const double ipc = json_real_value(json_object_get(result, "ipc")) * (double)json_number(result, "cycles");
    assert_true(ipc > 0.999 && ipc < 1.001);
    assert_int_equal(json_number(json_object_get(result, "trap"), "pc"), 8);
    assert_int_equal(json_number(json_object_get(result, "trap"), "lane"), 1);
    assert_int_equal(json_number(json_object_get(result, "trap"), "address"), 2); /* SHL R1, R0, 0x1 of lane 1 */
    assert_non_null(strstr(s->err, "  lane 1 of lanes aaaaaaaa: 4 bytes at 0x2, which is no multiple of 4"));
    assert_non_null(strstr(s->err, "  operands in lane 1: R0 0x00000001, R1 0x00000002\n"));
    json_decref(result);
    assert_non_null(strstr(s->err, "misaligned global memory access"));
}

#define CROOKED_SO "build/checker/test/libcrooked.so"

/* An RTL with a bug, in words and as JSON: first as a finding, then waived. */
static void test_warp_lockstep_goes_on_over_what_differs(void **state) {
    struct tool *s = *state;
    tool_write(s, "five.waive", "SHL:dst  # shifts by one more\nMVI:*    # never\n");
    assert_int_equal(setenv(CROOKED, "0x0=SHL R1, R0, 0x3", 1), 0);
    assert_int_equal(tool_run(s, "%s --sim " CROOKED_SO " --no-wave", FIVE), 1);
    assert_non_null(strstr(s->err, "            lane  4: R0 0x00000004\n              and 27 more\n"));
    assert_int_equal(tool_run(s, "%s --sim " CROOKED_SO " --keep-going 9", FIVE), 1);
    assert_non_null(strstr(s->out, "found 1: SHL:dst: 6 instructions, 141 lanes, bits 0x1fc"));
    assert_non_null(strstr(s->out, "first at pc 0x0: SHL R1, R0, 0x2, cycle 1, block (0,0), warp 0, lane 1: "
                                   "expected 0x4, actual 0x8"));
    assert_non_null(strstr(s->out, "\n    the third opinion agrees with: model\n"));
    assert_null(strstr(s->err, "waves"));
    assert_non_null(strstr(s->err, " 30 warp instructions compared\n")); /* in the cycle of the last one */
    assert_int_equal(tool_run(s, "%s --sim " CROOKED_SO " --waivers %s/five.waive", FIVE, s->directory), 0);
    assert_non_null(strstr(s->out, "waiver SHL:dst: 6 instructions, 141 lanes, bits 0x1fc (shifts by one more)"));
    assert_non_null(strstr(s->out, "waiver MVI:*: covered nothing (never)"));
    assert_int_equal(tool_run(s, "%s --sim " CROOKED_SO " --waive SHL:dst:3-31 --keep-going 9 --json", FIVE), 1);
    json_t *result = tool_json(s);
    assert_string_equal(json_text(json_array_get(json_object_get(result, "findings"), 0), "bits"), "0x4");
    const json_t *judged = json_object_get(json_array_get(json_object_get(result, "findings"), 0), "third_opinion");
    assert_int_equal(json_number(judged, "none") + json_number(judged, "RTL") + json_number(judged, "neither"), 0);
    assert_true(json_number(judged, "model") > 0);
    assert_string_equal(json_text(json_array_get(json_object_get(result, "waivers"), 0), "bits"), "0x1f8");
    assert_int_equal(json_number(result, "overruled"), 6);
    json_decref(result);
    unsetenv(CROOKED);
}

/* An assertion of the RTL stops it: the innermost instance names the entity. */
static void test_warp_lockstep_tells_where_an_assertion_failed(void **state) {
    struct tool *s = *state;
    tool_edit_core(s, "asserts",
                   "s/return s->why;/return \"in top.u_execute.u_ldst: assertion failure rules_many\";/;"
                   "/^static enum sim_event tiny_next/a (void)s, (void)record, (void)limit; return SIM_FAILED;");
    assert_int_equal(tool_run(s, "%s --sim %s/asserts.so --no-wave", FIVE, s->directory), 1);
    assert_non_null(strstr(s->err, "  look at: rule rules_many of ldst.vhd, and what drives its inputs\n"));
}

/* The RTL's result is what the rules give for another register: the operands are wrong, not the operation. */
static void test_warp_lockstep_tells_a_wrong_operand(void **state) {
    struct tool *s = *state;
    tool_write(s, "sums.sass", ".block 32\nSHL R1, R0, 0x2\nIADD R2, R0, R1\nSHL R3, R0, 0x4\nIADD R4, R2, R1\nRET\n");
    assert_int_equal(setenv(CROOKED, "0x18=IADD R4, R3, R1", 1), 0);
    assert_int_equal(tool_run(s, "%s/sums.sass --sim " CROOKED_SO " --no-wave", s->directory), 1);
    assert_non_null(strstr(s->err, "  as if R2 were R3 in these lanes: an operand is wrong\n"
                                   "  look at: stages CHECK to SOURCES, in rtl/: operands/lane_operand.vhd, "));
    assert_non_null(strstr(s->err, "\n    its operation, X1 to WRITE: execute/alu.vhd\n"));
    assert_int_equal(setenv(CROOKED, "0x18=IADD R4, R2, -R1", 1), 0);
    assert_int_equal(tool_run(s, "%s/sums.sass --sim " CROOKED_SO " --no-wave", s->directory), 1);
    assert_null(strstr(s->err, "as if"));
    assert_non_null(strstr(s->err, "  look at: stages X1 to WRITE, in rtl/: execute/alu.vhd\n"
                                   "    its operands, CHECK to SOURCES: operands/lane_operand.vhd, "));
    unsetenv(CROOKED);
}

/* The RTL's result is that of the register before its last write, a value that no register has any more. R2 is 16 * R0
 * before it is 5 * R0. */
static void test_warp_lockstep_tells_a_stale_operand(void **state) {
    struct tool *s = *state;
    tool_write(s, "stale.sass",
               ".block 32\nSHL R1, R0, 0x2\nIADD R3, R0, R1\nSHL R3, R3, 0x2\nSHL R2, R0, 0x4\n"
               "IADD R2, R0, R1\nIADD R4, R2, R1\nRET\n");
    assert_int_equal(setenv(CROOKED, "0x28=IADD R4, R3, R124", 1), 0);
    assert_int_equal(tool_run(s, "%s/stale.sass --sim " CROOKED_SO " --no-wave", s->directory), 1);
    assert_non_null(strstr(s->err,
                           "  as if R2 had the value before its last write (pc 0x20) in these lanes: it is read "
                           "too early\n  look at: stage CHECK, in rtl/: front/scoreboard.vhd, "));
    assert_non_null(strstr(s->err, "\n    its operation, X1 to WRITE: execute/alu.vhd\n    its operands, "));
    unsetenv(CROOKED);
}

/* A byte that is extended by the wrong sign: decode is where the sign is read. */
static void test_warp_lockstep_tells_a_wrong_sign(void **state) {
    struct tool *s = *state;
    tool_write(s, "bytes.sass", ".block 32\n.global 0x0 = 0x818283\nGLD.S8 R1, global14 [R124]\nRET\n");
    assert_int_equal(setenv(CROOKED, "0x0=GLD.U8 R1, global14 [R124]", 1), 0);
    assert_int_equal(tool_run(s, "%s/bytes.sass --sim " CROOKED_SO " --no-wave", s->directory), 1);
    assert_non_null(strstr(s->err, "  the value is extended by the wrong sign\n"
                                   "  look at: decode, in rtl/: front/decode_memory.vhd, "));
    assert_int_equal(setenv(CROOKED, "0x0=GLD.U16 R1, global14 [R124]", 1), 0);
    assert_int_equal(tool_run(s, "%s/bytes.sass --sim " CROOKED_SO " --no-wave", s->directory), 1);
    assert_null(strstr(s->err, "wrong sign"));
    unsetenv(CROOKED);
}

/* A value that is wider than its column is apart from the next one. */
static void test_warp_lockstep_keeps_wide_values_apart(void **state) {
    struct tool *s = *state;
    tool_write(s, "sums.sass", ".block 32\nSHL R1, R0, 0x2\nIADD R2, R0, R1\nRET\n");
    assert_int_equal(setenv(CROOKED, "0x8=QUADON", 1), 0);
    assert_int_equal(tool_run(s, "%s/sums.sass --sim " CROOKED_SO " --no-wave", s->directory), 1);
    assert_non_null(strstr(s->err, "    trap              0 none                  2 unimplemented instruction 0x2\n"));
    unsetenv(CROOKED);
}

/* Every result names the fields that were not compared. */
static void test_warp_lockstep_says_which_fields_were_not_compared(void **state) {
    struct tool *s = *state;
    assert_int_equal(setenv(CROOKED_HIDES, "depth state", 1), 0);
    assert_int_equal(setenv(CROOKED_FILLS, "dst_reg", 1), 0);
    assert_int_equal(tool_run(s, "%s --sim " CROOKED_SO, FIVE), 0);
    assert_non_null(strstr(s->out, "seed 1; fields not compared: depth, state; fields filled from the instruction "
                                   "word: dst_reg\n"));
    assert_int_equal(tool_run(s, "%s --sim " CROOKED_SO " --json", FIVE), 0);
    json_t *result = tool_json(s);
    assert_int_equal(json_array_size(json_object_get(result, "not_compared")), 2);
    assert_string_equal(json_string_value(json_array_get(json_object_get(result, "filled"), 0)), "dst_reg");
    json_decref(result);
    assert_int_equal(setenv(CROOKED_HIDES, "pc", 1), 0);
    assert_int_equal(tool_run(s, "%s --sim " CROOKED_SO, FIVE), 2);
    assert_non_null(strstr(s->err, "field 'pc' cannot be left out"));
    unsetenv(CROOKED_HIDES);
    unsetenv(CROOKED_FILLS);
}

static void test_warp_lockstep_says_what_is_wrong_with_waivers(void **state) {
    struct tool *s = *state;
    tool_write(s, "bad.waive", "# known\n  SHL:dest # why\n");
    assert_int_equal(tool_run(s, "%s --waivers %s/bad.waive", FIVE, s->directory), 2);
    assert_non_null(strstr(s->err, "/bad.waive:2:7: error: waiver 'SHL:dest': 'dest' is not a field"));
    assert_int_equal(tool_run(s, "%s --waive SHL", FIVE), 2);
    assert_non_null(strstr(s->err, "warp-lockstep: error: waiver 'SHL': 'SHL' is not OP:FIELD"));
    assert_int_equal(tool_run(s, "%s --waive SHL:dst --unchecked", FIVE), 2);
    assert_int_equal(tool_run(s, "%s --keep-going 0", FIVE), 2);
    assert_int_equal(tool_run(s, "%s --waivers", FIVE), 2);
}

static void test_warp_lockstep_is_strict_about_undefined_values(void **state) {
    static const char RULE[] = "error: R5 is read before it is written (sm 0 slot 0 lane 0), pc 0x0: SHL R1";
    struct tool *s = *state;
    tool_write(s, "undefined.sass", ".kernel k\n.grid 1\n.block 32\n    SHL R1, R5, 0x2;\n    RET;\n");
    assert_int_equal(tool_run(s, "%s/undefined.sass --sim %s/tiny_core.so", s->directory, s->directory), 0);
    assert_int_equal(tool_run(s, "%s/undefined.sass --sim %s/tiny_core.so --strict --json", s->directory, s->directory),
                     1);
    assert_non_null(strstr(s->err, RULE));
    json_t *result = tool_json(s);
    assert_string_equal(json_text(result, "status"), "undefined");
    const json_t *first = json_array_get(json_object_get(result, "undefined"), 0);
    assert_string_equal(json_text(first, "what"), "R5");
    assert_int_equal(json_number(first, "pc"), 0);
    json_decref(result);
}

static void test_warp_lockstep_refuses_bad_usage(void **state) {
    static const struct {
        const char *arguments, *message;
    } CASES[] = {
        {"--sim nothing",                 "no such simulation"                   },
        {"--sim /dev/null",               "error"                                },
        {"--cores 12",                    "expected 8, 16 or 32"                 },
        {"--cores",                       "expected a number"                    },
        {"--sms 9",                       "expected a number from 1 to 8"        },
        {"--global-bytes 9000",           "expected a power of two"              },
        {"--seed -1",                     "expected a number"                    },
        {"--silence 0",                   "expected a number"                    },
        {"--wave x.vcd",                  ".fst or .ghw"                         },
        {"--sim " FAKE " --wave x.ghw",   "fake writes waves as .fst"            },
        {"--sim " FAKE " --wave n/x.fst", "n/x.fst: error: cannot write: No such"},
        {"--arch sm_20",                  "expected sm_10, sm_10x, sm_11"        },
        {"--sim",                         "missing"                              },
        {"--machine no.machine",          "no.machine: error: cannot open"       },
        {"--machine README.md",           "README.md:3:1: error: unknown "       },
        {"--wide 3",                      "expected 0 or a power of two up to 32"},
        {"--dividers 64",                 "expected 0 or a power of two up to 32"},
        {"--no-such-flag",                "error"                                },
    };
    struct tool *s = *state;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const int code = tool_run(s, "%s %s", FIVE, CASES[i].arguments);
        if (code != 2 || strstr(s->err, CASES[i].message) == NULL)
            print_error("%s: exit %d, %s\n", CASES[i].arguments, code, s->err);
        assert_int_equal(code, 2);
        assert_non_null(strstr(s->err, "error: "));
        if (strstr(CASES[i].arguments, "--no-such-flag") != NULL)
            assert_memory_equal(s->err, "warp-lockstep: error: ", strlen("warp-lockstep: error: "));
        assert_non_null(strstr(s->err, CASES[i].message));
        assert_string_equal(s->out, "");
    }
    assert_int_equal(tool_run(s, "%s --sim %s/tiny_core.so --sms 2", FIVE, s->directory), 2);
    assert_non_null(strstr(s->err, "the tiny core has one SM"));
    assert_int_equal(tool_run(s, "%s --global-bytes 4096 --machine checker/port/example/serial/serial.machine", FIVE),
                     2);
    assert_non_null(strstr(s->err, "--machine cannot be combined with --global-bytes"));
    assert_int_equal(tool_run(s, "/nonexistent.sass"), 2);
}

static void test_warp_lockstep_keeps_to_a_declared_machine(void **state) {
    struct tool *s = *state;
    tool_write(s, "ragged.sass", ".kernel k\n.block 40\n.reg 12\n    SHL R1, R0, 0x2;\n    RET;\n");
    tool_write(s, "mine.machine", "registers 12\nwhole_warps # no partial ones\n");
    assert_int_equal(tool_run(s, "%s/ragged.sass --sim %s/tiny_core.so --machine %s/mine.machine", s->directory,
                              s->directory, s->directory),
                     2);
    assert_non_null(
        strstr(s->err, "ragged.sass: error: cannot run this: threads in a block 40, the machine has whole"));
    assert_string_equal(s->out, "");
    assert_int_equal(tool_run(s, "%s/ragged.sass --block 64 --sim %s/tiny_core.so --machine %s/mine.machine",
                              s->directory, s->directory, s->directory),
                     0);
    assert_int_equal(tool_run(s, "%s --block 64 --reg 13 --sim %s/tiny_core.so --machine %s/mine.machine", FIVE,
                              s->directory, s->directory),
                     2);
    assert_non_null(strstr(s->err, "cannot run this: registers a thread 13, the machine has 12"));
}

static void test_warp_lockstep_says_when_output_is_lost(void **state) {
    struct tool *s = *state;
    static const char *const LOST[] = {"", "--json", "--dump 0:16", "--help"};
    for (size_t i = 0; i < sizeof LOST / sizeof LOST[0]; i++) {
        char command[512];
        snprintf(command, sizeof command, "%s %s --sim %s/tiny_core.so %s > /dev/full 2> %s/err", TOOL, FIVE,
                 s->directory, LOST[i], s->directory);
        const int status = system(command);
        tool_read(s, "err", s->err);
        assert_int_equal(WEXITSTATUS(status), 2);
        assert_non_null(strstr(s->err, "standard output: error: cannot write: No space left on device"));
    }
}

static void test_warp_lockstep_says_what_is_not_built(void **state) {
    struct tool *s = *state;
    setenv("WARPSTEP_SIM_DIR", s->directory, 1);
    const int code = tool_run(s, "%s", FIVE);
    unsetenv("WARPSTEP_SIM_DIR");
    assert_int_equal(code, 2);
    assert_non_null(strstr(s->err, "run 'make build/sim/libsim-verilator-C8-S1.so'"));
    setenv("WARPSTEP_SIM_DIR", "", 1); /* as if unset */
    const int elsewhere = tool_run(s, "%s --global-bytes 4096 --cores 32 --sms 7", FIVE);
    unsetenv("WARPSTEP_SIM_DIR");
    assert_int_equal(elsewhere, 2);
    assert_non_null(strstr(s->err, "libsim-verilator-C32-S7-G4096.so: error: this simulation is not built"));
}

/* A path that cannot be written costs no simulation. */
static void test_warp_lockstep_checks_its_output_files_first(void **state) {
    struct tool *s = *state;
    assert_int_equal(tool_run(s, "%s --sim %s/tiny_core.so --dump 0:4=%s/none/x", FIVE, s->directory, s->directory), 2);
    assert_non_null(strstr(s->err, "/none/x: error: cannot write: No such file or directory"));
    assert_string_equal(s->out, "");
    assert_int_equal(tool_run(s, "%s --sim %s/tiny_core.so --coverage %s/none", FIVE, s->directory, s->directory), 2);
    assert_non_null(strstr(s->err, "/none/run: error: cannot write: No such file or directory"));
    assert_string_equal(s->out, "");
}

/* The kernel loads the word behind its buffer. */
static void test_warp_lockstep_is_strict_about_bounds(void **state) {
    struct tool *s = *state;
    tool_write(s, "k.ptx",
               ".version 3.2\n.target sm_20\n.address_size 32\n.entry k(.param .u32 .ptr .global y)\n"
               "{ .reg .u32 %r<9>;\nld.param.u32 %r1, [y];\nld.global.u32 %r2, [%r1+8];\n"
               "st.global.u32 [%r1], %r2;\nret; }\n");
    assert_int_equal(tool_run(s, "%s/k.ptx --block 2 --sim " FAKE " --seed 0 --arg zero:8", s->directory), 0);
    assert_int_equal(tool_run(s, "%s/k.ptx --block 2 --sim " FAKE " --seed 0 --arg zero:8 --strict", s->directory), 1);
    assert_non_null(strstr(s->err, "error: load outside all buffers: 4 bytes at 0x108, right behind --arg 1 (0x100 to "
                                   "0x107), first in block (0,0) warp 0 lane 0, 2 times\n"));
    assert_non_null(strstr(s->out, "k.ptx: out of bounds: "));
}

/* Dumps are written for any result, and stay out of JSON. */
static void test_warp_lockstep_dumps_beside_json(void **state) {
    struct tool *s = *state;
    assert_int_equal(
        tool_run(s, "%s --sim %s/tiny_core.so --expect 0=ff --dump 0:4 --json --seed 4294967295", FIVE, s->directory),
        1);
    json_t *result = tool_json(s);
    assert_true(json_number(result, "seed") == UINT32_MAX);
    json_decref(result);
    assert_non_null(strstr(s->err, "00000000:  78 56 34 12\n"));
    assert_int_equal(tool_run(s, "%s --sim %s/tiny_core.so --unchecked --dump 0:4", FIVE, s->directory), 2);
}

/* GHDL's design was analysed, but the executable that LLVM links is missing, with its object or without. */
static void test_warp_lockstep_says_what_ghdl_lacks(void **state) {
    struct tool *s = *state;
    static const char *const MADE[] = {"gpu_tb.o", "gpu.o"};
    char command[512];
    for (size_t i = 0; i < sizeof MADE / sizeof MADE[0]; i++) {
        snprintf(command, sizeof command,
                 "cp build/sim/libsim-ghdl.so %s && rm -rf %s/ghdl && mkdir %s/ghdl && "
                 "touch %s/ghdl/work-obj08.cf %s/ghdl/%s",
                 s->directory, s->directory, s->directory, s->directory, s->directory, MADE[i]);
        assert_int_equal(system(command), 0);
        assert_int_equal(tool_run(s, "%s --sim %s/libsim-ghdl.so", FIVE, s->directory), 2);
        assert_non_null(strstr(s->err, "/ghdl/gpu_tb (run 'make build/sim/ghdl/built')"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_warp_lockstep_passes),
        cmocka_unit_test(test_warp_lockstep_keeps_to_a_declared_machine),
        cmocka_unit_test(test_warp_lockstep_dumps_beside_json),
        cmocka_unit_test(test_warp_lockstep_checks_its_output_files_first),
        cmocka_unit_test(test_warp_lockstep_is_strict_about_bounds),
        cmocka_unit_test(test_warp_lockstep_checks_and_dumps_memory),
        cmocka_unit_test(test_warp_lockstep_runs_unchecked),
        cmocka_unit_test(test_warp_lockstep_launches_again),
        cmocka_unit_test(test_warp_lockstep_launches_after_another),
        cmocka_unit_test(test_warp_lockstep_refuses_a_miscount),
        cmocka_unit_test(test_warp_lockstep_reports_a_mismatch),
        cmocka_unit_test(test_warp_lockstep_tells_a_trap),
        cmocka_unit_test(test_warp_lockstep_goes_on_over_what_differs),
        cmocka_unit_test(test_warp_lockstep_tells_where_an_assertion_failed),
        cmocka_unit_test(test_warp_lockstep_tells_a_wrong_operand),
        cmocka_unit_test(test_warp_lockstep_tells_a_stale_operand),
        cmocka_unit_test(test_warp_lockstep_tells_a_wrong_sign),
        cmocka_unit_test(test_warp_lockstep_keeps_wide_values_apart),
        cmocka_unit_test(test_warp_lockstep_says_which_fields_were_not_compared),
        cmocka_unit_test(test_warp_lockstep_says_what_is_wrong_with_waivers),
        cmocka_unit_test(test_warp_lockstep_is_strict_about_undefined_values),
        cmocka_unit_test(test_warp_lockstep_refuses_bad_usage),
        cmocka_unit_test(test_warp_lockstep_says_when_output_is_lost),
        cmocka_unit_test(test_warp_lockstep_says_what_is_not_built),
        cmocka_unit_test(test_warp_lockstep_says_what_ghdl_lacks),
    };
    return cmocka_run_group_tests(tests, tool_set_up, tool_tear_down);
}
