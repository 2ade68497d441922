/* SPDX-License-Identifier: Apache-2.0 */
/* The tool from outside: traces that it writes, checks and audits. */
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

#include "tool.h"

/* The example, its records as text and its memory at the end as a file. */
static void record_five(struct tool *s) {
    assert_int_equal(tool_run(s, "%s --sim %s/tiny_core.so --trace %s/t.txt --dump 0:4096=%s/m.bin", FIVE, s->directory,
                              s->directory, s->directory),
                     0);
}

/* Applies a sed script to a file of the directory. */
static void edit(const struct tool *s, const char *script, const char *from, const char *to) {
    char command[512];
    snprintf(command, sizeof command, "sed '%s' %s/%s > %s/%s", script, s->directory, from, s->directory, to);
    assert_int_equal(system(command), 0);
}

static void test_warp_lockstep_checks_a_trace(void **state) {
    struct tool *s = *state;
    record_five(s);
    assert_int_equal(tool_run(s, "%s --check-trace %s/t.txt", FIVE, s->directory), 0);
    assert_non_null(strstr(s->out, "pass: 30 warp instructions compared"));
    assert_non_null(strstr(s->out, "on a trace"));
    assert_non_null(strstr(s->out, "; fields not compared: memory\n"));
    assert_int_equal(tool_run(s, "%s --check-trace - --json < %s/t.txt", FIVE, s->directory), 0);
    json_t *result = tool_json(s);
    assert_int_equal(json_number(result, "compared"), 30);
    json_decref(result);
    /* checked records may be written again, unchanged */
    assert_int_equal(tool_run(s, "%s --check-trace %s/t.txt --trace %s/u.txt", FIVE, s->directory, s->directory), 0);
    char first[TOOL_TEXT], again[TOOL_TEXT];
    tool_read(s, "t.txt", first);
    tool_read(s, "u.txt", again);
    assert_string_equal(first, again);
}

static void test_warp_lockstep_finds_what_is_wrong_in_a_trace(void **state) {
    struct tool *s = *state;
    record_five(s);
    edit(s, "20s/ next=0000../ next=000000/", "t.txt", "wrong.txt");
    assert_int_equal(tool_run(s, "%s --check-trace %s/wrong.txt", FIVE, s->directory), 1);
    assert_non_null(strstr(s->err, "RTL and model differ in next_pc"));
    assert_null(strstr(s->err, "waves"));
    edit(s, "$d", "t.txt", "short.txt");
    assert_int_equal(tool_run(s, "%s --check-trace %s/short.txt", FIVE, s->directory), 1);
    assert_non_null(strstr(s->err, "the trace ends, but the model has work left"));
    edit(s, "2,$d", "t.txt", "none.txt");
    assert_int_equal(tool_run(s, "%s --check-trace %s/none.txt", FIVE, s->directory), 1);
    edit(s, "7s/ depth=/ deep=/", "t.txt", "bad.txt");
    assert_int_equal(tool_run(s, "%s --check-trace %s/bad.txt", FIVE, s->directory), 2);
    assert_non_null(strstr(s->err, "/bad.txt:7:"));
    assert_non_null(strstr(s->err, "error: unknown item 'deep=0'"));
    assert_int_equal(tool_run(s, "%s --check-trace - < /dev/null", FIVE), 2);
    assert_non_null(strstr(s->err, "standard input: error: the trace is empty"));
    assert_int_equal(tool_run(s, "%s --check-trace %s/t.txt --sim ghdl", FIVE, s->directory), 2);
    assert_int_equal(tool_run(s, "%s --check-trace %s/t.txt --dump 0:4", FIVE, s->directory), 2);
    assert_int_equal(tool_run(s, "%s --final-memory %s/m.bin", FIVE, s->directory), 2);
}

static void test_warp_lockstep_checks_memory_beside_a_trace(void **state) {
    struct tool *s = *state;
    record_five(s);
    assert_int_equal(tool_run(s, "%s --check-trace %s/t.txt --final-memory %s/m.bin --expect 0=78563412", FIVE,
                              s->directory, s->directory),
                     0);
    assert_null(strstr(s->out, "not compared"));
    edit(s, "s/./y/", "m.bin", "x.bin");
    assert_int_equal(tool_run(s, "%s --check-trace %s/t.txt --final-memory %s/x.bin", FIVE, s->directory, s->directory),
                     1);
    assert_non_null(strstr(s->err, "global memory differs at the end"));
    assert_int_equal(
        tool_run(s, "%s --check-trace %s/t.txt --final-memory %s/no.bin", FIVE, s->directory, s->directory), 2);
}

/* A trace of a kernel that traps, and one that lacks its declared fields. */
static void test_warp_lockstep_checks_a_trace_to_its_trap(void **state) {
    struct tool *s = *state;
    tool_write(s, "trap.sass", ".kernel t\n.block 32\nSHL R1, R0, 0x1\nGST.U32 global14[R1], R0\nRET\n");
    assert_int_equal(
        tool_run(s, "%s/trap.sass --sim %s/tiny_core.so --trace %s/t.txt", s->directory, s->directory, s->directory),
        3);
    assert_int_equal(tool_run(s, "%s/trap.sass --check-trace %s/t.txt", s->directory, s->directory), 3);
    edit(s, "$s/trap:.*/trap: breakpoint/", "t.txt", "other.txt");
    assert_int_equal(tool_run(s, "%s/trap.sass --check-trace %s/other.txt", s->directory, s->directory), 1);
    edit(s, "1s/$/\\nunreported depth exec/;s/ depth=[0-9]*//;s/ exec=[0-9a-f]*//", "t.txt", "less.txt");
    assert_int_equal(tool_run(s, "%s/trap.sass --check-trace %s/less.txt", s->directory, s->directory), 3);
    assert_non_null(strstr(s->out, "; fields not compared: exec, depth, memory"));
}

static const json_t *audited(const json_t *result, const char *field) {
    size_t i;
    const json_t *row;
    json_array_foreach(json_object_get(result, "fields"), i,
                       row) if (strcmp(json_text(row, "field"), field) == 0) return row;
    fail_msg("no field %s", field);
    return NULL;
}

/* Every change is noticed, except in fields that are not compared, or not reported. */
static void test_warp_lockstep_audits_a_trace(void **state) {
    struct tool *s = *state;
    size_t i;
    const json_t *row;
    record_five(s);
    assert_int_equal(tool_run(s, "%s --audit %s/t.txt --audit-changes 1000 --json", FIVE, s->directory), 0);
    json_t *result = tool_json(s);
    assert_int_equal(json_number(result, "records"), 30);
    assert_int_equal(json_number(result, "changes"), 1000);
    json_array_foreach(json_object_get(result, "fields"), i, row) {
        if (strcmp(json_text(row, "field"), "cycle") == 0)
            assert_int_equal(json_number(row, "noticed"), 0);
        else if (json_number(row, "noticed") != json_number(row, "changes"))
            fail_msg("%s: %lld of %lld", json_text(row, "field"), json_number(row, "noticed"),
                     json_number(row, "changes"));
    }
    assert_true(json_number(audited(result, "dst"), "changes") > 20);
    assert_int_equal(json_number(audited(result, "c"), "changes"), 0);
    assert_string_equal(json_text(audited(result, "c"), "note"), "no value in this trace");
    json_decref(result);

    edit(s, "1s/$/\\nunreported depth dst\\nfilled dst_reg/", "t.txt", "less.txt");
    assert_int_equal(tool_run(s, "%s --audit %s/less.txt --audit-changes 1000 --json", FIVE, s->directory), 0);
    result = tool_json(s);
    assert_int_equal(json_number(audited(result, "depth"), "noticed"), 0);
    assert_string_equal(json_text(audited(result, "depth"), "note"), "not reported");
    assert_int_equal(json_number(audited(result, "dst"), "noticed"), 0);
    assert_string_equal(json_text(audited(result, "dst_reg"), "note"), "filled from the instruction word");
    assert_int_equal(json_number(audited(result, "dst_reg"), "noticed"), 0);
    assert_int_equal(json_number(audited(result, "data"), "noticed"), json_number(audited(result, "data"), "changes"));
    json_decref(result);
}

static void test_warp_lockstep_audits_only_what_agrees(void **state) {
    struct tool *s = *state;
    char first[TOOL_TEXT];
    record_five(s);
    assert_int_equal(tool_run(s, "%s --audit %s/t.txt --audit-changes 50", FIVE, s->directory), 0);
    assert_non_null(strstr(s->out, "30 records agree; of 50 changes of a digit 48 are noticed, seed 1\n"));
    assert_non_null(strstr(s->out, "cycle               2        0    0.0 %  place and time, not compared\n"));
    strcpy(first, s->out);
    assert_int_equal(tool_run(s, "%s --audit %s/t.txt --audit-changes 50", FIVE, s->directory), 0);
    assert_string_equal(s->out, first);
    edit(s, "9s/ depth=0/ depth=1/", "t.txt", "wrong.txt");
    assert_int_equal(tool_run(s, "%s --audit %s/wrong.txt", FIVE, s->directory), 1);
    assert_non_null(
        strstr(s->err, "wrong.txt: error: the trace does not agree as it is: RTL and model differ in depth"));
    edit(s, "9s/ depth=0//", "t.txt", "bad.txt");
    assert_int_equal(tool_run(s, "%s --audit %s/bad.txt", FIVE, s->directory), 2);
    assert_non_null(strstr(s->err, "bad.txt:9:"));
    assert_int_equal(tool_run(s, "%s --audit %s/t.txt --check-trace %s/t.txt", FIVE, s->directory, s->directory), 2);
    assert_int_equal(tool_run(s, "%s --audit %s/t.txt --keep-going 3", FIVE, s->directory), 2);
    assert_int_equal(tool_run(s, "%s --audit %s/t.txt --audit-changes 0", FIVE, s->directory), 2);
}

static void test_warp_lockstep_writes_a_trace(void **state) {
    struct tool *s = *state;
    char trace[TOOL_TEXT];
    assert_int_equal(tool_run(s, "%s --sim %s/tiny_core.so --trace %s/t.txt", FIVE, s->directory, s->directory), 0);
    tool_read(s, "t.txt", trace);
    assert_non_null(strstr(trace, "SHL R1, R0, 0x2"));
}

/* A trace that does not fit on its device, as far as is known when it is closed. */
static void test_warp_lockstep_says_when_a_trace_is_lost(void **state) {
    struct tool *s = *state;
    char path[TOOL_PATH];
    snprintf(path, sizeof path, "%s/full.txt", s->directory);
    assert_int_equal(symlink("/dev/full", path), 0);
    assert_int_equal(tool_run(s, "%s --sim %s/tiny_core.so --trace %s", FIVE, s->directory, path), 2);
    assert_non_null(strstr(s->err, "full.txt: error: cannot write: No space left on device"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_warp_lockstep_checks_a_trace),
        cmocka_unit_test(test_warp_lockstep_finds_what_is_wrong_in_a_trace),
        cmocka_unit_test(test_warp_lockstep_checks_memory_beside_a_trace),
        cmocka_unit_test(test_warp_lockstep_checks_a_trace_to_its_trap),
        cmocka_unit_test(test_warp_lockstep_audits_a_trace),
        cmocka_unit_test(test_warp_lockstep_audits_only_what_agrees),
        cmocka_unit_test(test_warp_lockstep_writes_a_trace),
        cmocka_unit_test(test_warp_lockstep_says_when_a_trace_is_lost),
    };
    return cmocka_run_group_tests(tests, tool_set_up, tool_tear_down);
}
