/* SPDX-License-Identifier: Apache-2.0 */
/* The tool from outside: builds the worked example as in docs/bring-your-own-rtl.md, runs kernels on it, and checks
 * exit codes, JSON and messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "crooked.h"
#include "fake_sim.h"

enum { TEXT_BYTES = 8192, PATH_BYTES = 256 };

static const char *const TOOL = "build/bin/warp-lockstep";
static const char *const EXAMPLE = "checker/port/example";
static const char *const FIVE = "checker/port/example/five.sass";

/* fake_sim.c: --seed selects the fault, and the first record for it. */
#define FAKE "build/checker/test/libfake.so"

/* A private directory of this test, with the example as a shared object and the tool's output. */
struct scratch {
    char directory[64];
    char out[TEXT_BYTES], err[TEXT_BYTES];
};

static void read_text(const struct scratch *s, const char *name, char text[TEXT_BYTES]) {
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", s->directory, name);
    FILE *f = fopen(path, "r");
    const size_t size = f != NULL ? fread(text, 1, TEXT_BYTES - 1, f) : 0;
    text[size] = 0;
    if (f != NULL) fclose(f);
}

/* Runs warp-lockstep with these arguments; returns its exit code. */
__attribute__((format(printf, 2, 3))) static int run(struct scratch *s, const char *format, ...) {
    char arguments[1024], command[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(arguments, sizeof arguments, format, args);
    va_end(args);
    snprintf(command, sizeof command, "TMPDIR=%s %s %s > %s/out 2> %s/err", s->directory, TOOL, arguments, s->directory,
             s->directory);
    const int status = system(command);
    read_text(s, "out", s->out);
    read_text(s, "err", s->err);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void write_kernel(const struct scratch *s, const char *name, const char *text) {
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", s->directory, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* Makes NAME.so from the example, its source changed by a sed script. */
static void edit_core(const struct scratch *s, const char *name, const char *script) {
    char command[512];
    snprintf(command, sizeof command, "sed '%s' %s/tiny_core.c | cc -std=c11 -shared -fPIC -I. -I%s -o %s/%s.so -x c -",
             script, EXAMPLE, EXAMPLE, s->directory, name);
    assert_int_equal(system(command), 0);
}

static int set_up(void **state) {
    struct scratch *s = calloc(1, sizeof *s);
    assert_non_null(s);
    *state = s;
    strcpy(s->directory, "/tmp/warpstep-test-XXXXXX");
    assert_non_null(mkdtemp(s->directory));
    if (access(TOOL, X_OK) != 0) return 0;
    edit_core(s, "tiny_core", "");
    return 0;
}

static int tear_down(void **state) {
    struct scratch *s = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", s->directory);
    const int status = system(command);
    free(s);
    return status;
}

static json_int_t number(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    if (!json_is_integer(value)) fail_msg("no number '%s'", key);
    return json_integer_value(value);
}

static const char *string(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    if (text == NULL) fail_msg("no string '%s'", key);
    return text;
}

static json_t *parse_json(const struct scratch *s) {
    json_error_t error;
    json_t *object = json_loads(s->out, 0, &error);
    if (object == NULL) fail_msg("%s in: %s", error.text, s->out);
    return object;
}

static void test_warp_lockstep_passes(void **state) {
    struct scratch *s = *state;
    assert_int_equal(run(s, "%s --sim %s/tiny_core.so --seed 7 --json", FIVE, s->directory), 0);
    json_t *result = parse_json(s);
    assert_string_equal(string(result, "status"), "pass");
    assert_string_equal(string(result, "sim"), "tiny core");
    assert_int_equal(number(result, "compared"), 3 * 2 * 5);
    assert_int_equal(number(result, "thread_instructions"), 3 * 48 * 5);
    assert_int_equal(number(result, "executed_threads"), 3 * 48 * 5);
    assert_int_equal(number(result, "seed"), 7);
    assert_int_equal(number(result, "cores"), 8);
    json_int_t sum = 0;
    const char *cause;
    json_t *cycles;
    json_object_foreach(json_object_get(result, "stalls"), cause, cycles) sum += json_integer_value(cycles);
    assert_int_equal(sum, number(result, "cycles") * number(result, "sms"));
    json_decref(result);
}

static void test_warp_lockstep_checks_and_dumps_memory(void **state) {
    struct scratch *s = *state;
    assert_int_equal(run(s, "%s --sim %s/tiny_core.so --expect 0=785634127c563412 --dump 0:4", FIVE, s->directory), 0);
    assert_non_null(strstr(s->out, "78 56 34 12"));
    assert_int_equal(run(s, "%s --sim %s/tiny_core.so --expect 0=785634137c563412 --json", FIVE, s->directory), 1);
    json_t *result = parse_json(s);
    assert_string_equal(string(result, "status"), "failed");
    assert_int_equal(number(result, "expect_bytes_wrong"), 1);
    json_decref(result);
}

/* Without the model only memory is compared, and options that need the model are refused. */
static void test_warp_lockstep_runs_unchecked(void **state) {
    struct scratch *s = *state;
    assert_int_equal(
        run(s, "%s --sim %s/tiny_core.so --expect 0=785634127c563412 --unchecked --json", FIVE, s->directory), 0);
    json_t *result = parse_json(s);
    assert_string_equal(string(result, "status"), "pass");
    assert_int_equal(number(result, "compared"), 0);
    assert_int_equal(number(json_object_get(result, "stalls"), "issue"), number(result, "cycles"));
    json_decref(result);
    assert_int_equal(run(s, "%s --sim %s/tiny_core.so --expect 0=785634137c563412 --unchecked", FIVE, s->directory), 1);
    assert_non_null(strstr(s->out, "failed: unchecked"));
    assert_int_equal(run(s, "%s --sim %s/tiny_core.so --unchecked --strict", FIVE, s->directory), 2);
    assert_non_null(strstr(s->err, "--unchecked cannot be combined with"));
}

/* The second launch, after the first, is compared: a core that does not start anew ends at once. */
static void test_warp_lockstep_launches_again(void **state) {
    struct scratch *s = *state;
    assert_int_equal(run(s, "%s --sim %s/tiny_core.so --relaunch --json", FIVE, s->directory), 0);
    json_t *result = parse_json(s);
    assert_int_equal(number(result, "compared"), 3 * 2 * 5);
    assert_int_equal(number(result, "warp_instructions"), 3 * 2 * 5);
    json_decref(result);
    edit_core(s, "ended", "/s->done = s->trapped = false/d");
    assert_int_equal(run(s, "%s --sim %s/ended.so --no-wave", FIVE, s->directory), 0);
    assert_int_equal(run(s, "%s --sim %s/ended.so --no-wave --relaunch", FIVE, s->directory), 1);
    assert_non_null(strstr(s->err, "nothing was compared"));
    assert_int_equal(run(s, "%s --sim %s/tiny_core.so --unchecked --relaunch", FIVE, s->directory), 2);
    assert_non_null(strstr(s->err, "--relaunch cannot be combined with --unchecked"));
}

/* The first launch traps, which a core must clear. */
static void test_warp_lockstep_launches_after_another(void **state) {
    struct scratch *s = *state;
    write_kernel(s, "trap.sass", ".kernel trap\n    SHR R2, R1, 0x1;\n    RET;\n");
    edit_core(s, "ended", "/s->done = s->trapped = false/d");
    assert_int_equal(run(s, "%s --sim %s/tiny_core.so --after %s/trap.sass", FIVE, s->directory, s->directory), 0);
    assert_int_equal(run(s, "%s --sim %s/ended.so --no-wave --after %s/trap.sass", FIVE, s->directory, s->directory),
                     1);
    assert_non_null(strstr(s->err, "the RTL reports that a trap (undefined instruction) stopped it"));
    assert_int_equal(run(s, "%s --sim %s/tiny_core.so --after %s/none.sass", FIVE, s->directory, s->directory), 2);
    assert_non_null(strstr(s->err, "none.sass"));
    write_kernel(s, "k.ptx", ".version 3.2\n.target sm_20\n.entry k(.param .u32 n) { ret; }\n");
    assert_int_equal(
        run(s, "%s --sim %s/tiny_core.so --after '%s/k.ptx  --arg 3 --block 4'", FIVE, s->directory, s->directory), 0);
    assert_int_equal(run(s, "%s --sim %s/tiny_core.so --after %s/k.ptx", FIVE, s->directory, s->directory), 2);
    assert_non_null(strstr(s->err, "0 arguments are given"));
    assert_int_equal(run(s, "%s --sim %s/tiny_core.so --after %s --relaunch", FIVE, s->directory, FIVE), 2);
    assert_non_null(strstr(s->err, "--after cannot be combined with --relaunch"));
}

/* A cycle counted for two causes is an error, with the model and without. */
static void test_warp_lockstep_refuses_a_miscount(void **state) {
    struct scratch *s = *state;
    edit_core(s, "miscounts", "s/SIM_CAUSE_ISSUE. = s->cycle;/& counters->cause[0][SIM_CAUSE_FETCH] = 1;/");
    assert_int_equal(run(s, "%s --sim %s/miscounts.so --no-wave", FIVE, s->directory), 1);
    assert_non_null(strstr(s->err, "cycles by cause sum to"));
    assert_int_equal(run(s, "%s --sim %s/miscounts.so --unchecked --json", FIVE, s->directory), 1);
    assert_non_null(strstr(s->err, "cycles by cause sum to"));
    json_t *result = parse_json(s);
    assert_string_equal(string(result, "status"), "failed");
    json_decref(result);
}

/* The core lacks SHR: the report names it, and the missing wave file is a note. */
static void test_warp_lockstep_reports_a_mismatch(void **state) {
    struct scratch *s = *state;
    char text[1024];
    snprintf(text, sizeof text,
             "%-800s\n.kernel shr\n.grid 1\n.block 32\n    SHL R1, R0, 0x2;\n    SHR R2, R1, 0x1;\n    RET;\n",
             "// a long line");
    write_kernel(s, "it's shr.sass", text);
    assert_int_equal(run(s, "\"%s/it's shr.sass\" --sim %s/tiny_core.so --json", s->directory, s->directory), 1);
    json_t *result = parse_json(s);
    assert_string_equal(string(result, "status"), "mismatch");
    assert_int_equal(number(result, "pc"), 8);
    assert_int_equal(number(result, "compared"), 1);
    json_decref(result);
    assert_non_null(strstr(s->err, "SHR R2, R1, 0x1"));
    assert_non_null(strstr(s->err, "shr.sass:6: SHR R2, R1, 0x1;\n"));
    assert_non_null(strstr(s->err, "undefined instruction"));
    assert_non_null(strstr(s->err, "no waves"));
    char command[PATH_BYTES];
    snprintf(command, sizeof command, "repeat: build/bin/warp-lockstep '%s/it'\\''s shr.sass' --sim ", s->directory);
    assert_non_null(strstr(s->err, command));
    run(s, "\"%s/it's shr.sass\" --sim %s/tiny_core.so --coverage ''", s->directory, s->directory);
    assert_non_null(strstr(s->err, "/tiny_core.so --coverage ''\n")); /* a word without letters */
}

static void test_warp_lockstep_tells_a_trap(void **state) {
    struct scratch *s = *state;
    write_kernel(s, "trap.sass",
                 ".kernel trap\n.grid 1\n.block 32\n    SHL R1, R0, 0x1;\n    GST.U32 global14[R1], R0;\n    RET;\n");
    assert_int_equal(run(s, "%s/trap.sass --sim %s/tiny_core.so --json", s->directory, s->directory), 3);
    json_t *result = parse_json(s);
    assert_string_equal(string(result, "status"), "trap");
    assert_int_equal(number(result, "compared"), 2); /* including the one that trapped */
    assert_int_equal(number(result, "warp_instructions"), 1);
    const double ipc = json_real_value(json_object_get(result, "ipc")) * (double)number(result, "cycles");
    assert_true(ipc > 0.999 && ipc < 1.001);
    assert_int_equal(number(json_object_get(result, "trap"), "pc"), 8);
    assert_int_equal(number(json_object_get(result, "trap"), "lane"), 1);
    assert_int_equal(number(json_object_get(result, "trap"), "address"), 2); /* SHL R1, R0, 0x1 of lane 1 */
    assert_non_null(strstr(s->err, "  lane 1 of lanes aaaaaaaa: 4 bytes at 0x2, which is no multiple of 4"));
    assert_non_null(strstr(s->err, "  operands in lane 1: R0 0x00000001, R1 0x00000002\n"));
    json_decref(result);
    assert_non_null(strstr(s->err, "misaligned global memory access"));
}

#define CROOKED_SO "build/checker/test/libcrooked.so"

/* An RTL with a bug, in words and as JSON: first as a finding, then waived. */
static void test_warp_lockstep_goes_on_over_what_differs(void **state) {
    struct scratch *s = *state;
    write_kernel(s, "five.waive", "SHL:dst  # shifts by one more\nMVI:*    # never\n");
    assert_int_equal(setenv(CROOKED, "0x0=SHL R1, R0, 0x3", 1), 0);
    assert_int_equal(run(s, "%s --sim " CROOKED_SO " --no-wave", FIVE), 1);
    assert_non_null(strstr(s->err, "            lane  4: R0 0x00000004\n              and 27 more\n"));
    assert_int_equal(run(s, "%s --sim " CROOKED_SO " --keep-going 9", FIVE), 1);
    assert_non_null(strstr(s->out, "found 1: SHL:dst: 6 instructions, 141 lanes, bits 0x1fc"));
    assert_non_null(strstr(s->out, "first at pc 0x0: SHL R1, R0, 0x2, cycle 1, block (0,0), warp 0, lane 1: "
                                   "expected 0x4, actual 0x8"));
    assert_non_null(strstr(s->out, "\n    the third opinion agrees with: model\n"));
    assert_null(strstr(s->err, "waves"));
    assert_non_null(strstr(s->err, " 30 warp instructions compared\n")); /* in the cycle of the last one */
    assert_int_equal(run(s, "%s --sim " CROOKED_SO " --waivers %s/five.waive", FIVE, s->directory), 0);
    assert_non_null(strstr(s->out, "waiver SHL:dst: 6 instructions, 141 lanes, bits 0x1fc (shifts by one more)"));
    assert_non_null(strstr(s->out, "waiver MVI:*: covered nothing (never)"));
    assert_int_equal(run(s, "%s --sim " CROOKED_SO " --waive SHL:dst:3-31 --keep-going 9 --json", FIVE), 1);
    json_t *result = parse_json(s);
    assert_string_equal(string(json_array_get(json_object_get(result, "findings"), 0), "bits"), "0x4");
    const json_t *judged = json_object_get(json_array_get(json_object_get(result, "findings"), 0), "third_opinion");
    assert_int_equal(number(judged, "none") + number(judged, "RTL") + number(judged, "neither"), 0);
    assert_true(number(judged, "model") > 0);
    assert_string_equal(string(json_array_get(json_object_get(result, "waivers"), 0), "bits"), "0x1f8");
    assert_int_equal(number(result, "overruled"), 6);
    json_decref(result);
    unsetenv(CROOKED);
}

/* Every result names the fields that were not compared. */
static void test_warp_lockstep_says_which_fields_were_not_compared(void **state) {
    struct scratch *s = *state;
    assert_int_equal(setenv(CROOKED_HIDES, "depth state", 1), 0);
    assert_int_equal(setenv(CROOKED_FILLS, "dst_reg", 1), 0);
    assert_int_equal(run(s, "%s --sim " CROOKED_SO, FIVE), 0);
    assert_non_null(strstr(s->out, "seed 1; fields not compared: depth, state; fields filled from the instruction "
                                   "word: dst_reg\n"));
    assert_int_equal(run(s, "%s --sim " CROOKED_SO " --json", FIVE), 0);
    json_t *result = parse_json(s);
    assert_int_equal(json_array_size(json_object_get(result, "not_compared")), 2);
    assert_string_equal(json_string_value(json_array_get(json_object_get(result, "filled"), 0)), "dst_reg");
    json_decref(result);
    assert_int_equal(setenv(CROOKED_HIDES, "pc", 1), 0);
    assert_int_equal(run(s, "%s --sim " CROOKED_SO, FIVE), 2);
    assert_non_null(strstr(s->err, "field 'pc' cannot be left out"));
    unsetenv(CROOKED_HIDES);
    unsetenv(CROOKED_FILLS);
}

/* The example, its records as text and its memory at the end as a file. */
static void record_five(struct scratch *s) {
    assert_int_equal(run(s, "%s --sim %s/tiny_core.so --trace %s/t.txt --dump 0:4096=%s/m.bin", FIVE, s->directory,
                         s->directory, s->directory),
                     0);
}

/* Applies a sed script to a file of the directory. */
static void edit(const struct scratch *s, const char *script, const char *from, const char *to) {
    char command[512];
    snprintf(command, sizeof command, "sed '%s' %s/%s > %s/%s", script, s->directory, from, s->directory, to);
    assert_int_equal(system(command), 0);
}

static void test_warp_lockstep_checks_a_trace(void **state) {
    struct scratch *s = *state;
    record_five(s);
    assert_int_equal(run(s, "%s --check-trace %s/t.txt", FIVE, s->directory), 0);
    assert_non_null(strstr(s->out, "pass: 30 warp instructions compared"));
    assert_non_null(strstr(s->out, "on a trace"));
    assert_non_null(strstr(s->out, "; fields not compared: memory\n"));
    assert_int_equal(run(s, "%s --check-trace - --json < %s/t.txt", FIVE, s->directory), 0);
    json_t *result = parse_json(s);
    assert_int_equal(number(result, "compared"), 30);
    json_decref(result);
    /* checked records may be written again, unchanged */
    assert_int_equal(run(s, "%s --check-trace %s/t.txt --trace %s/u.txt", FIVE, s->directory, s->directory), 0);
    char first[TEXT_BYTES], again[TEXT_BYTES];
    read_text(s, "t.txt", first);
    read_text(s, "u.txt", again);
    assert_string_equal(first, again);
}

static void test_warp_lockstep_finds_what_is_wrong_in_a_trace(void **state) {
    struct scratch *s = *state;
    record_five(s);
    edit(s, "20s/ next=0000../ next=000000/", "t.txt", "wrong.txt");
    assert_int_equal(run(s, "%s --check-trace %s/wrong.txt", FIVE, s->directory), 1);
    assert_non_null(strstr(s->err, "RTL and model differ in next_pc"));
    assert_null(strstr(s->err, "waves"));
    edit(s, "$d", "t.txt", "short.txt");
    assert_int_equal(run(s, "%s --check-trace %s/short.txt", FIVE, s->directory), 1);
    assert_non_null(strstr(s->err, "the trace ends, but the model has work left"));
    edit(s, "2,$d", "t.txt", "none.txt");
    assert_int_equal(run(s, "%s --check-trace %s/none.txt", FIVE, s->directory), 1);
    edit(s, "7s/ depth=/ deep=/", "t.txt", "bad.txt");
    assert_int_equal(run(s, "%s --check-trace %s/bad.txt", FIVE, s->directory), 2);
    assert_non_null(strstr(s->err, "/bad.txt:7:"));
    assert_non_null(strstr(s->err, "error: unknown item 'deep=0'"));
    assert_int_equal(run(s, "%s --check-trace - < /dev/null", FIVE), 2);
    assert_non_null(strstr(s->err, "standard input: error: the trace is empty"));
    assert_int_equal(run(s, "%s --check-trace %s/t.txt --sim ghdl", FIVE, s->directory), 2);
    assert_int_equal(run(s, "%s --check-trace %s/t.txt --dump 0:4", FIVE, s->directory), 2);
    assert_int_equal(run(s, "%s --final-memory %s/m.bin", FIVE, s->directory), 2);
}

static void test_warp_lockstep_checks_memory_beside_a_trace(void **state) {
    struct scratch *s = *state;
    record_five(s);
    assert_int_equal(run(s, "%s --check-trace %s/t.txt --final-memory %s/m.bin --expect 0=78563412", FIVE, s->directory,
                         s->directory),
                     0);
    assert_null(strstr(s->out, "not compared"));
    edit(s, "s/./y/", "m.bin", "x.bin");
    assert_int_equal(run(s, "%s --check-trace %s/t.txt --final-memory %s/x.bin", FIVE, s->directory, s->directory), 1);
    assert_non_null(strstr(s->err, "global memory differs at the end"));
    assert_int_equal(run(s, "%s --check-trace %s/t.txt --final-memory %s/no.bin", FIVE, s->directory, s->directory), 2);
}

/* A trace of a kernel that traps, and one that lacks its declared fields. */
static void test_warp_lockstep_checks_a_trace_to_its_trap(void **state) {
    struct scratch *s = *state;
    write_kernel(s, "trap.sass", ".kernel t\n.block 32\nSHL R1, R0, 0x1\nGST.U32 global14[R1], R0\nRET\n");
    assert_int_equal(
        run(s, "%s/trap.sass --sim %s/tiny_core.so --trace %s/t.txt", s->directory, s->directory, s->directory), 3);
    assert_int_equal(run(s, "%s/trap.sass --check-trace %s/t.txt", s->directory, s->directory), 3);
    edit(s, "$s/trap:.*/trap: breakpoint/", "t.txt", "other.txt");
    assert_int_equal(run(s, "%s/trap.sass --check-trace %s/other.txt", s->directory, s->directory), 1);
    edit(s, "1s/$/\\nunreported depth exec/;s/ depth=[0-9]*//;s/ exec=[0-9a-f]*//", "t.txt", "less.txt");
    assert_int_equal(run(s, "%s/trap.sass --check-trace %s/less.txt", s->directory, s->directory), 3);
    assert_non_null(strstr(s->out, "; fields not compared: exec, depth, memory"));
}

static const json_t *audited(const json_t *result, const char *field) {
    size_t i;
    const json_t *row;
    json_array_foreach(json_object_get(result, "fields"), i,
                       row) if (strcmp(string(row, "field"), field) == 0) return row;
    fail_msg("no field %s", field);
    return NULL;
}

/* Every change is noticed, except in fields that are not compared, or not reported. */
static void test_warp_lockstep_audits_a_trace(void **state) {
    struct scratch *s = *state;
    size_t i;
    const json_t *row;
    record_five(s);
    assert_int_equal(run(s, "%s --audit %s/t.txt --audit-changes 1000 --json", FIVE, s->directory), 0);
    json_t *result = parse_json(s);
    assert_int_equal(number(result, "records"), 30);
    assert_int_equal(number(result, "changes"), 1000);
    json_array_foreach(json_object_get(result, "fields"), i, row) {
        if (strcmp(string(row, "field"), "cycle") == 0)
            assert_int_equal(number(row, "noticed"), 0);
        else if (number(row, "noticed") != number(row, "changes"))
            fail_msg("%s: %lld of %lld", string(row, "field"), number(row, "noticed"), number(row, "changes"));
    }
    assert_true(number(audited(result, "dst"), "changes") > 20);
    assert_int_equal(number(audited(result, "c"), "changes"), 0);
    assert_string_equal(string(audited(result, "c"), "note"), "no value in this trace");
    json_decref(result);

    edit(s, "1s/$/\\nunreported depth dst\\nfilled dst_reg/", "t.txt", "less.txt");
    assert_int_equal(run(s, "%s --audit %s/less.txt --audit-changes 1000 --json", FIVE, s->directory), 0);
    result = parse_json(s);
    assert_int_equal(number(audited(result, "depth"), "noticed"), 0);
    assert_string_equal(string(audited(result, "depth"), "note"), "not reported");
    assert_int_equal(number(audited(result, "dst"), "noticed"), 0);
    assert_string_equal(string(audited(result, "dst_reg"), "note"), "filled from the instruction word");
    assert_int_equal(number(audited(result, "dst_reg"), "noticed"), 0);
    assert_int_equal(number(audited(result, "data"), "noticed"), number(audited(result, "data"), "changes"));
    json_decref(result);
}

static void test_warp_lockstep_audits_only_what_agrees(void **state) {
    struct scratch *s = *state;
    char first[TEXT_BYTES];
    record_five(s);
    assert_int_equal(run(s, "%s --audit %s/t.txt --audit-changes 50", FIVE, s->directory), 0);
    assert_non_null(strstr(s->out, "30 records agree; of 50 changes of a digit 48 are noticed, seed 1\n"));
    assert_non_null(strstr(s->out, "cycle               2        0    0.0 %  place and time, not compared\n"));
    strcpy(first, s->out);
    assert_int_equal(run(s, "%s --audit %s/t.txt --audit-changes 50", FIVE, s->directory), 0);
    assert_string_equal(s->out, first);
    edit(s, "9s/ depth=0/ depth=1/", "t.txt", "wrong.txt");
    assert_int_equal(run(s, "%s --audit %s/wrong.txt", FIVE, s->directory), 1);
    assert_non_null(
        strstr(s->err, "wrong.txt: error: the trace does not agree as it is: RTL and model differ in depth"));
    edit(s, "9s/ depth=0//", "t.txt", "bad.txt");
    assert_int_equal(run(s, "%s --audit %s/bad.txt", FIVE, s->directory), 2);
    assert_non_null(strstr(s->err, "bad.txt:9:"));
    assert_int_equal(run(s, "%s --audit %s/t.txt --check-trace %s/t.txt", FIVE, s->directory, s->directory), 2);
    assert_int_equal(run(s, "%s --audit %s/t.txt --keep-going 3", FIVE, s->directory), 2);
    assert_int_equal(run(s, "%s --audit %s/t.txt --audit-changes 0", FIVE, s->directory), 2);
}

static void test_warp_lockstep_says_what_is_wrong_with_waivers(void **state) {
    struct scratch *s = *state;
    write_kernel(s, "bad.waive", "# known\n  SHL:dest # why\n");
    assert_int_equal(run(s, "%s --waivers %s/bad.waive", FIVE, s->directory), 2);
    assert_non_null(strstr(s->err, "/bad.waive:2:7: error: waiver 'SHL:dest': 'dest' is not a field"));
    assert_int_equal(run(s, "%s --waive SHL", FIVE), 2);
    assert_non_null(strstr(s->err, "warp-lockstep: error: waiver 'SHL': 'SHL' is not OP:FIELD"));
    assert_int_equal(run(s, "%s --waive SHL:dst --unchecked", FIVE), 2);
    assert_int_equal(run(s, "%s --keep-going 0", FIVE), 2);
    assert_int_equal(run(s, "%s --waivers", FIVE), 2);
}

static void test_warp_lockstep_writes_a_trace(void **state) {
    struct scratch *s = *state;
    char trace[TEXT_BYTES];
    assert_int_equal(run(s, "%s --sim %s/tiny_core.so --trace %s/t.txt", FIVE, s->directory, s->directory), 0);
    read_text(s, "t.txt", trace);
    assert_non_null(strstr(trace, "SHL R1, R0, 0x2"));
}

/* A trace that does not fit on its device, as far as is known when it is closed. */
static void test_warp_lockstep_says_when_a_trace_is_lost(void **state) {
    struct scratch *s = *state;
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/full.txt", s->directory);
    assert_int_equal(symlink("/dev/full", path), 0);
    assert_int_equal(run(s, "%s --sim %s/tiny_core.so --trace %s", FIVE, s->directory, path), 2);
    assert_non_null(strstr(s->err, "full.txt: error: cannot write: No space left on device"));
}

static void test_warp_lockstep_is_strict_about_undefined_values(void **state) {
    static const char RULE[] = "error: R5 is read before it is written (sm 0 slot 0 lane 0), pc 0x0: SHL R1";
    struct scratch *s = *state;
    write_kernel(s, "undefined.sass", ".kernel k\n.grid 1\n.block 32\n    SHL R1, R5, 0x2;\n    RET;\n");
    assert_int_equal(run(s, "%s/undefined.sass --sim %s/tiny_core.so", s->directory, s->directory), 0);
    assert_int_equal(run(s, "%s/undefined.sass --sim %s/tiny_core.so --strict --json", s->directory, s->directory), 1);
    assert_non_null(strstr(s->err, RULE));
    json_t *result = parse_json(s);
    assert_string_equal(string(result, "status"), "undefined");
    const json_t *first = json_array_get(json_object_get(result, "undefined"), 0);
    assert_string_equal(string(first, "what"), "R5");
    assert_int_equal(number(first, "pc"), 0);
    json_decref(result);
}

/* The third parameter word is missing: the kernel's results are wrong for that reason. */
static void test_warp_lockstep_tells_undefined_values_of_what_fails(void **state) {
    static const char READ[] = "shared 0x18 is read before it is written (sm 0 slot 0 lane 0; the launch has 2 "
                               "parameter words, up to 0x18), pc 0x0: MOV R1, g [0x6]";
    struct scratch *s = *state;
    write_kernel(s, "missing.sass", ".block 32\n.shared 256\n.param 1, 2\n    MOV R1, g [0x6]\n    RET\n");
    assert_int_equal(run(s, "%s/missing.sass --sim " FAKE " --seed 0", s->directory), 0);
    assert_null(strstr(s->err, READ));
    assert_int_equal(run(s, "%s/missing.sass --sim " FAKE " --seed 0 --expect 0=07", s->directory), 1);
    assert_non_null(strstr(s->err, READ));
    assert_non_null(strstr(s->err, "1 byte of global memory is not as expected\n"));
    assert_int_equal(run(s, "%s/missing.sass --sim " FAKE " --seed 0 --expect 0=07 --strict", s->directory), 1);
    assert_non_null(strstr(s->err, "error: shared 0x18"));
    assert_non_null(strstr(s->out, "missing.sass: failed: "));
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
    struct scratch *s = *state;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const int code = run(s, "%s %s", FIVE, CASES[i].arguments);
        if (code != 2 || strstr(s->err, CASES[i].message) == NULL)
            print_error("%s: exit %d, %s\n", CASES[i].arguments, code, s->err);
        assert_int_equal(code, 2);
        assert_non_null(strstr(s->err, "error: "));
        if (strstr(CASES[i].arguments, "--no-such-flag") != NULL)
            assert_memory_equal(s->err, "warp-lockstep: error: ", strlen("warp-lockstep: error: "));
        assert_non_null(strstr(s->err, CASES[i].message));
        assert_string_equal(s->out, "");
    }
    assert_int_equal(run(s, "%s --sim %s/tiny_core.so --sms 2", FIVE, s->directory), 2);
    assert_non_null(strstr(s->err, "the tiny core has one SM"));
    assert_int_equal(run(s, "%s --global-bytes 4096 --machine checker/port/example/serial/serial.machine", FIVE), 2);
    assert_non_null(strstr(s->err, "--machine cannot be combined with --global-bytes"));
    assert_int_equal(run(s, "/nonexistent.sass"), 2);
}

static void test_warp_lockstep_keeps_to_a_declared_machine(void **state) {
    struct scratch *s = *state;
    write_kernel(s, "ragged.sass", ".kernel k\n.block 40\n.reg 12\n    SHL R1, R0, 0x2;\n    RET;\n");
    write_kernel(s, "mine.machine", "registers 12\nwhole_warps # no partial ones\n");
    assert_int_equal(run(s, "%s/ragged.sass --sim %s/tiny_core.so --machine %s/mine.machine", s->directory,
                         s->directory, s->directory),
                     2);
    assert_non_null(
        strstr(s->err, "ragged.sass: error: cannot run this: threads in a block 40, the machine has whole"));
    assert_string_equal(s->out, "");
    assert_int_equal(run(s, "%s/ragged.sass --block 64 --sim %s/tiny_core.so --machine %s/mine.machine", s->directory,
                         s->directory, s->directory),
                     0);
    assert_int_equal(run(s, "%s --block 64 --reg 13 --sim %s/tiny_core.so --machine %s/mine.machine", FIVE,
                         s->directory, s->directory),
                     2);
    assert_non_null(strstr(s->err, "cannot run this: registers a thread 13, the machine has 12"));
}

static void test_warp_lockstep_says_when_output_is_lost(void **state) {
    struct scratch *s = *state;
    static const char *const LOST[] = {"", "--json", "--dump 0:16", "--help"};
    for (size_t i = 0; i < sizeof LOST / sizeof LOST[0]; i++) {
        char command[512];
        snprintf(command, sizeof command, "%s %s --sim %s/tiny_core.so %s > /dev/full 2> %s/err", TOOL, FIVE,
                 s->directory, LOST[i], s->directory);
        const int status = system(command);
        read_text(s, "err", s->err);
        assert_int_equal(WEXITSTATUS(status), 2);
        assert_non_null(strstr(s->err, "standard output: error: cannot write: No space left on device"));
    }
}

static void test_warp_lockstep_says_what_is_not_built(void **state) {
    struct scratch *s = *state;
    setenv("WARPSTEP_SIM_DIR", s->directory, 1);
    const int code = run(s, "%s", FIVE);
    unsetenv("WARPSTEP_SIM_DIR");
    assert_int_equal(code, 2);
    assert_non_null(strstr(s->err, "run 'make build/sim/libsim-verilator-C8-S1.so'"));
    setenv("WARPSTEP_SIM_DIR", "", 1); /* as if unset */
    const int elsewhere = run(s, "%s --global-bytes 4096 --cores 32 --sms 7", FIVE);
    unsetenv("WARPSTEP_SIM_DIR");
    assert_int_equal(elsewhere, 2);
    assert_non_null(strstr(s->err, "libsim-verilator-C32-S7-G4096.so: error: this simulation is not built"));
}

/* GHDL's design was analysed, but the executable that LLVM links is missing. */
static void test_warp_lockstep_says_what_ghdl_lacks(void **state) {
    struct scratch *s = *state;
    char command[512];
    snprintf(command, sizeof command,
             "cp build/sim/libsim-ghdl.so %s && mkdir %s/ghdl && touch %s/ghdl/work-obj08.cf %s/ghdl/gpu_tb.o",
             s->directory, s->directory, s->directory, s->directory);
    assert_int_equal(system(command), 0);
    assert_int_equal(run(s, "%s --sim %s/libsim-ghdl.so", FIVE, s->directory), 2);
    assert_non_null(strstr(s->err, "/ghdl/gpu_tb (run 'make build/sim/ghdl/built')"));
}

/* ------------------------------------------------------------------------------- a machine with planted faults */

static const char COLUMN[] = /* of three blocks of two warps, two blocks an SM; thread 0 does not store */
    ".kernel column\n.grid 1, 3\n.block 64\n.shared 8192\n    SHL R1, R0, 0x2\n    ISET.S32.C0 R2, R0, R1, NE\n"
    "    MVI R3, 0x10\n    GST.U32 global14 [R1] (C0.NE), R3\n    GLD.U32 R4, global14 [R1]\n    RET\n";

static void test_warp_lockstep_prints_what_it_counts(void **state) {
    struct scratch *s = *state;
    write_kernel(s, "column.sass", COLUMN);
    assert_int_equal(run(s, "%s/column.sass --sim " FAKE " --sms 2 --cores 16 --seed 0 --json", s->directory), 0);
    json_t *result = parse_json(s), *per_sm = json_object_get(result, "sm_stalls");
    const json_int_t rows = 6 * 6 * 2; /* warps, instructions, rows of 16 lanes */
    const double ipc = 36.0 / (double)rows;
    assert_string_equal(string(result, "kernel"), "column");
    assert_int_equal(number(result, "sms"), 2);
    assert_int_equal(number(result, "cores"), 16);
    assert_int_equal(number(result, "compared"), 36);
    assert_int_equal(number(result, "cycles"), rows); /* the fake's counter, not its clock */
    assert_int_equal(number(result, "warp_instructions"), 36);
    assert_int_equal(number(result, "thread_instructions"), 36 * 32);
    assert_int_equal(number(result, "executed_threads"), 36 * 32 - 3); /* thread 0 of each block does not store */
    assert_float_equal(json_real_value(json_object_get(result, "ipc")), ipc, 1e-6);
    assert_float_equal(json_real_value(json_object_get(result, "utilisation")), ipc, 1e-6); /* 2 SMs of half a warp */
    assert_int_equal(number(json_object_get(result, "stalls"), "issue"), rows);
    assert_int_equal(json_array_size(per_sm), 2);
    assert_int_equal(number(json_array_get(per_sm, 0), "issue"), 2 * rows / 3); /* two of the three blocks */
    assert_int_equal(number(json_array_get(per_sm, 1), "issue"), rows / 3);
    assert_int_equal(number(json_array_get(per_sm, 1), "drain"), 2 * rows / 3);
    json_decref(result);
    assert_int_equal(run(s, "%s/column.sass --sim " FAKE " --sms 2 --cores 16 --seed 0", s->directory), 0);
    assert_non_null(strstr(s->out, "cycles: issue 50.0 %, drain 50.0 %\n"));
    const unsigned much = FAKE_CAUSE_SM1;
    assert_int_equal(run(s, "%s/column.sass --sim " FAKE " --sms 2 --seed %u --unchecked", s->directory, much), 1);
    assert_non_null(strstr(s->err, "cycles by cause sum to 145 on sm 1, not to 144"));
}

/* A store of the last block, and the 200 cycles before it as waves. */
/* Neither GHDL's machine nor the fake offers stacks. */
static void test_warp_lockstep_says_what_shows_the_stack(void **state) {
    struct scratch *s = *state;
    assert_int_equal(run(s, "%s --sim " FAKE " --seed %u --no-wave", FIVE, FAKE_DEPTH), 1);
    assert_non_null(strstr(s->err, "    of the RTL: 1 entry after; which, a run with --sim verilator shows\n"));
    assert_int_equal(run(s, "%s --sim " FAKE " --seed %u --no-wave", FIVE, FAKE_NEXT_PC), 1);
    assert_non_null(strstr(s->err, "    of the RTL: 0 entries after\n"));
}

static void test_warp_lockstep_says_where_it_differs(void **state) {
    struct scratch *s = *state;
    char window[TEXT_BYTES], expected[64];
    write_kernel(s, "column.sass", COLUMN);
    json_int_t y = 0, end = 0;
    for (unsigned from = 0; y < 2; from += 4) {
        const unsigned seed = FAKE_DATA | from << 8;
        assert_int_equal(run(s, "%s/column.sass --sim " FAKE " --seed %u --json", s->directory, seed), 1);
        json_t *result = parse_json(s), *place = json_object_get(result, "block");
        assert_string_equal(json_string_value(json_array_get(json_object_get(result, "differs"), 0)), "data");
        assert_int_equal(number(result, "pc"), 0x18);
        assert_int_equal(json_integer_value(json_array_get(place, 0)), 0);
        y = json_integer_value(json_array_get(place, 1));
        end = number(result, "cycle");
        assert_in_range(end, 4 * from + 4, 4 * 36); /* a record every four cycles */
        json_decref(result);
    }
    assert_non_null(strstr(s->err, ", block (0,2), warp "));
    snprintf(expected, sizeof expected, ".fst, cycles 1 to %lld\n", (long long)end);
    assert_non_null(strstr(s->err, expected));

    write_kernel(s, "loop.sass", ".block 32\n    MOV R1, R0\n    BRA 0x0\n");
    assert_int_equal(run(s, "%s/loop.sass --sim " FAKE " --seed %u", s->directory, FAKE_LANE | 100 << 8), 1);
    const char *wave = strstr(s->err, "waves: ");
    assert_non_null(wave); /* record 101 is that of cycle 404 */
    assert_non_null(strstr(wave, ".fst, cycles 204 to 404\n"));
    snprintf(window, sizeof window, "%.*s", (int)strcspn(wave + 7, ","), wave + 7);
    FILE *f = fopen(window, "r");
    assert_non_null(f);
    assert_non_null(fgets(window, sizeof window, f));
    fclose(f);
    assert_string_equal(window, "204 404\n");
    assert_int_equal(run(s, "%s/loop.sass --sim " FAKE " --seed %u", s->directory, FAKE_NEXT_PC | 49 << 8), 1);
    assert_non_null(strstr(s->err, ".fst, cycles 1 to 200\n")); /* the first cycle is 1 */
}

/* A machine that falls silent is shown up to 50 cycles after its last record; a run with waves has no second run. */
static void test_warp_lockstep_shows_what_fell_silent(void **state) {
    struct scratch *s = *state;
    const unsigned silent = FAKE_SILENT | 10 << 8;
    char path[PATH_BYTES];
    write_kernel(s, "column.sass", COLUMN);
    assert_int_equal(run(s, "%s/column.sass --sim " FAKE " --seed %u --silence 700", s->directory, silent), 1);
    assert_non_null(strstr(s->err, "hang: the RTL retires nothing for 700 cycles while the model could go on\n"));
    assert_non_null(strstr(s->err, ".fst, cycles 1 to 90\n")); /* ten records, the last in cycle 40 */
    snprintf(path, sizeof path, "%s/a\\b.fst", s->directory);
    assert_int_equal(
        run(s, "%s/column.sass --sim " FAKE " --sms 2 --seed %u --wave '%s' --json", s->directory, silent, path), 1);
    assert_null(strstr(s->err, "waves: "));
    json_t *result = parse_json(s);
    assert_string_equal(string(result, "wave"), path);
    assert_int_equal(number(json_object_get(result, "stalls"), "unknown"), 2 * number(result, "cycles"));
    json_decref(result);
    assert_int_equal(run(s, "%s/column.sass --sim " FAKE " --seed %u --no-wave", s->directory, silent), 1);
    assert_null(strstr(s->err, "waves: "));
    write_kernel(s, "loop.sass", "BRA 0x0\n");
    assert_int_equal(run(s, "%s/loop.sass --sim " FAKE " --seed 0 --max-cycles 400", s->directory), 3);
    assert_non_null(strstr(s->err, "hang: the kernel did not end within 400 cycles\n"));
    assert_int_equal(run(s, "%s/loop.sass --sim " FAKE " --seed 0", s->directory), 3);
    assert_non_null(strstr(s->err, "hang: the kernel hangs: every remaining warp loops for ever or waits at a "));
    assert_non_null(strstr(s->err, "warp 0: loops for ever, active 0000"));
    assert_int_equal(run(s, "%s/loop.sass --sim " FAKE " --sms 2 --grid 2 --seed 0", s->directory), 3);
    assert_non_null(strstr(s->err, "sm 0 slot 1 block (1,0) warp 0: loops for ever"));
    assert_int_equal(run(s, "%s/loop.sass --sim " FAKE " --seed 0 --max-cycles 400 --unchecked", s->directory), 3);
    assert_non_null(strstr(s->out, "loop.sass: hang: unchecked, "));
}

/* A loop that counts, which only a signal ends. */
static void test_warp_lockstep_can_be_interrupted(void **state) {
    struct scratch *s = *state;
    char command[1024];
    write_kernel(s, "count.sass", "MVI R1, 0\nagain: IADD32I R1, R1, 1\nBRA again\n");
    snprintf(command, sizeof command,
             "timeout --foreground --preserve-status -k 9 -s INT 1.3 %s %s/count.sass --sim " FAKE
             " --seed 0 --max-cycles 1000000000000 --trace %s/kept.txt --json > %s/out 2> %s/err",
             TOOL, s->directory, s->directory, s->directory, s->directory);
    const int status = system(command);
    assert_int_equal(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 130);
    read_text(s, "err", s->err);
    read_text(s, "out", s->out);
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
    assert_int_equal(run(s, "%s/count.sass --check-trace %s/kept.txt", s->directory, s->directory), 0);
    assert_non_null(strstr(s->out, ", seed 1; the trace was cut there; fields not compared: memory\n"));
    snprintf(command, sizeof command, "sed -i '2{h;};${p;x;}' %s/kept.txt", s->directory);
    assert_int_equal(system(command), 0);
    assert_int_equal(run(s, "%s/count.sass --check-trace %s/kept.txt", s->directory, s->directory), 2);
    assert_non_null(strstr(s->err, "a line after the end of a truncated trace"));
}

/* A loop that counts repeats no state. If the model alone does not end in time, the hang is reported at cycle 10000,
 * not after twenty million; a kernel that ends later runs on; one that reads undefined values is not judged by the
 * model alone. */
static void test_warp_lockstep_looks_ahead(void **state) {
    struct scratch *s = *state;
    write_kernel(s, "count.sass", "MVI R1, 0\nagain: IADD32I R1, R1, 1\nBRA again\n");
    assert_int_equal(run(s, "%s/count.sass --sim " FAKE " --seed 0 --max-cycles 300000", s->directory), 3);
    assert_non_null(strstr(s->err,
                           "hang: the kernel will not end within 300000 cycles: the model alone has not ended after "
                           "as many warp instructions\n"));
    assert_non_null(strstr(s->err, ": ready, active 0000"));
    assert_non_null(strstr(s->out, "count.sass: hang: 2500 warp instructions compared, 10000 cycles"));
    write_kernel(s, "late.sass",
                 "MVI R1, 10000\nagain: IADD32I R1, R1, -1\nI2I.U32.U32.C0 o [0x7f], R1\n"
                 "BRA C0.NE, again\nNOP\n");
    assert_int_equal(run(s, "%s/late.sass --sim " FAKE " --seed 0 --max-cycles 300000", s->directory), 0);
    assert_non_null(strstr(s->out, "late.sass: pass: 30002 warp instructions compared"));
    write_kernel(s, "undefined.sass", ".reg 4\nagain: IADD32I R1, R1, 1\nBRA again\n");
    assert_int_equal(run(s, "%s/undefined.sass --sim " FAKE " --seed 0 --max-cycles 30000", s->directory), 3);
    assert_non_null(strstr(s->err, "hang: the kernel did not end within 30000 cycles\n"));
    /* nor one that reads the clock, nor a run in which the model takes the RTL's side */
    write_kernel(s, "clock.sass", "MVI R1, 0\nagain: S2R R2, SR1\nIADD32I R1, R1, 1\nBRA again\n");
    assert_int_equal(run(s, "%s/clock.sass --sim " FAKE " --seed 0 --max-cycles 30000", s->directory), 3);
    assert_non_null(strstr(s->err, "hang: the kernel did not end within 30000 cycles\n"));
    assert_int_equal(run(s, "%s/count.sass --sim " FAKE " --seed 0 --max-cycles 30000 --keep-going 5", s->directory),
                     3);
    assert_non_null(strstr(s->err, "hang: the kernel did not end within 30000 cycles\n"));
}

/* Cycles and threads of a Konata trace equal those of the records. */
static void test_warp_lockstep_traces_cycles(void **state) {
    struct scratch *s = *state;
    char trace[TEXT_BYTES];
    unsigned cycle = 0, step, id, again, thread, seen = 0, of_sm1 = 0;
    write_kernel(s, "column.sass", COLUMN);
    assert_int_equal(
        run(s, "%s/column.sass --sim " FAKE " --sms 2 --seed 0 --trace %s/t.kanata", s->directory, s->directory), 0);
    read_text(s, "t.kanata", trace);
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

/* Dumps are written for any result, and stay out of JSON. */
static void test_warp_lockstep_dumps_beside_json(void **state) {
    struct scratch *s = *state;
    assert_int_equal(
        run(s, "%s --sim %s/tiny_core.so --expect 0=ff --dump 0:4 --json --seed 4294967295", FIVE, s->directory), 1);
    json_t *result = parse_json(s);
    assert_true(number(result, "seed") == UINT32_MAX);
    json_decref(result);
    assert_non_null(strstr(s->err, "00000000:  78 56 34 12\n"));
    assert_int_equal(run(s, "%s --sim %s/tiny_core.so --unchecked --dump 0:4", FIVE, s->directory), 2);
}

/* Block 0 stores a word that block 1 loads: the loaded value is a race, and the fake's other value as good as the
 * model's. */
static void test_warp_lockstep_is_strict_about_races(void **state) {
    struct scratch *s = *state;
    write_kernel(s, "race.sass",
                 ".grid 2\n.block 32\n.shared 16384\n    I2I.U32.U16.C0 R1, g [0x6].U16\n    MVI R2, 0x800\n    MVI "
                 "R3, 0x80000000\n"
                 "    GST.U32 global14 [R2] (C0.EQ), R3\n    GLD.U32 R4 (C0.NE), global14 [R2]\n    RET\n");
    assert_int_equal(run(s, "%s/race.sass --sim " FAKE " --sms 2 --seed %u --json", s->directory, FAKE_LOAD), 0);
    json_t *result = parse_json(s);
    assert_int_equal(number(result, "raced"), 1);
    json_decref(result);
    assert_int_equal(run(s, "%s/race.sass --sim " FAKE " --sms 2 --seed %u --strict", s->directory, FAKE_LOAD), 1);
    assert_non_null(strstr(s->err, "error: 1 lane value depends on a race between SMs\n"));
    assert_non_null(strstr(s->out, "race.sass: race: "));
}

/* Atomics depend on the launch, not on the first one; the first one has to fit the machine, too. */
static void test_warp_lockstep_switches_atomics_for_each_launch(void **state) {
    struct scratch *s = *state;
    const char *dir = s->directory;
    write_kernel(s, "sm10.sass", "    MVI R1, 0x0\n    GRED.IADD.U32 global14 [R1], R1\n    RET\n");
    write_kernel(s, "sm11.sass", ".arch sm_11\n    MVI R1, 0x0\n    GRED.IADD.U32 global14 [R1], R1\n    RET\n");
    write_kernel(s, "large.sass", ".shared 20000\n    RET\n");
    assert_int_equal(run(s, "%s/sm10.sass --sim " FAKE " --seed 0 --after %s/sm11.sass", dir, dir), 3);
    assert_int_equal(run(s, "%s/sm11.sass --sim " FAKE " --seed 0 --after %s/sm10.sass", dir, dir), 0);
    assert_int_equal(run(s, "%s/sm11.sass --sim " FAKE " --seed 0 --after %s/large.sass", dir, dir), 2);
    assert_non_null(strstr(s->err, "large.sass: error: launch does not fit: shared bytes 20000"));
}

/* A machine without a unit names the option that adds it; a kernel that does not need it runs. */
static void test_warp_lockstep_leaves_units_out(void **state) {
    struct scratch *s = *state;
    const char *dir = s->directory;
    write_kernel(s, "float.sass", "    MVI R1, 0x3f800000\n    FADD R1, R1, R1\n    RET\n");
    write_kernel(s, "special.sass", "    MVI R1, 0x3f800000\n    RCP R1, R1\n    RET\n");
    assert_int_equal(run(s, "%s/float.sass --sim " FAKE " --seed 0 --no-sfu", dir), 0);
    assert_int_equal(run(s, "%s/special.sass --sim " FAKE " --seed 0 --no-fpu", dir), 0);
    assert_int_equal(run(s, "%s/float.sass --sim " FAKE " --seed 0 --no-fpu", dir), 3);
    assert_non_null(strstr(s->err, "at pc 0x8, sm 0 slot 0; it executes without --no-fpu\n"));
    assert_int_equal(run(s, "%s/special.sass --sim " FAKE " --seed 0 --no-sfu", dir), 3);
    assert_non_null(strstr(s->err, "; it executes without --no-sfu\n"));
    assert_int_equal(run(s, "%s/float.sass --no-fpu --no-sfu --sms 8 --global-bytes 4096", dir), 2);
    assert_non_null(strstr(s->err, "not built: run 'make build/sim/libsim-verilator-C8-S8-G4096-nofpu-nosfu.so'"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_warp_lockstep_passes),
        cmocka_unit_test(test_warp_lockstep_keeps_to_a_declared_machine),
        cmocka_unit_test(test_warp_lockstep_prints_what_it_counts),
        cmocka_unit_test(test_warp_lockstep_says_what_shows_the_stack),
        cmocka_unit_test(test_warp_lockstep_says_where_it_differs),
        cmocka_unit_test(test_warp_lockstep_shows_what_fell_silent),
        cmocka_unit_test(test_warp_lockstep_can_be_interrupted),
        cmocka_unit_test(test_warp_lockstep_looks_ahead),
        cmocka_unit_test(test_warp_lockstep_traces_cycles),
        cmocka_unit_test(test_warp_lockstep_dumps_beside_json),
        cmocka_unit_test(test_warp_lockstep_is_strict_about_races),
        cmocka_unit_test(test_warp_lockstep_switches_atomics_for_each_launch),
        cmocka_unit_test(test_warp_lockstep_leaves_units_out),
        cmocka_unit_test(test_warp_lockstep_checks_and_dumps_memory),
        cmocka_unit_test(test_warp_lockstep_runs_unchecked),
        cmocka_unit_test(test_warp_lockstep_launches_again),
        cmocka_unit_test(test_warp_lockstep_launches_after_another),
        cmocka_unit_test(test_warp_lockstep_refuses_a_miscount),
        cmocka_unit_test(test_warp_lockstep_reports_a_mismatch),
        cmocka_unit_test(test_warp_lockstep_tells_a_trap),
        cmocka_unit_test(test_warp_lockstep_goes_on_over_what_differs),
        cmocka_unit_test(test_warp_lockstep_says_which_fields_were_not_compared),
        cmocka_unit_test(test_warp_lockstep_checks_a_trace),
        cmocka_unit_test(test_warp_lockstep_finds_what_is_wrong_in_a_trace),
        cmocka_unit_test(test_warp_lockstep_checks_memory_beside_a_trace),
        cmocka_unit_test(test_warp_lockstep_checks_a_trace_to_its_trap),
        cmocka_unit_test(test_warp_lockstep_audits_a_trace),
        cmocka_unit_test(test_warp_lockstep_audits_only_what_agrees),
        cmocka_unit_test(test_warp_lockstep_says_what_is_wrong_with_waivers),
        cmocka_unit_test(test_warp_lockstep_writes_a_trace),
        cmocka_unit_test(test_warp_lockstep_says_when_a_trace_is_lost),
        cmocka_unit_test(test_warp_lockstep_is_strict_about_undefined_values),
        cmocka_unit_test(test_warp_lockstep_tells_undefined_values_of_what_fails),
        cmocka_unit_test(test_warp_lockstep_refuses_bad_usage),
        cmocka_unit_test(test_warp_lockstep_says_when_output_is_lost),
        cmocka_unit_test(test_warp_lockstep_says_what_is_not_built),
        cmocka_unit_test(test_warp_lockstep_says_what_ghdl_lacks),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
