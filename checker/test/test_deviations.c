/* SPDX-License-Identifier: Apache-2.0 */
/* warp-lockstep on a trace that is known to differ: findings, waivers, an audit. The trace is the model's own, changed
 * by sed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

enum { TEXT = 1 << 14, EXIT_TRAPPED = 3 };

struct scratch {
    char directory[64];
    char out[TEXT]; /* output of the last command, both streams */
};

/* Runs a command in the scratch directory; returns its exit code. */
__attribute__((format(printf, 2, 3))) static int shell(struct scratch *s, const char *format, ...) {
    char arguments[1024], command[1280];
    va_list args;
    va_start(args, format);
    vsnprintf(arguments, sizeof arguments, format, args);
    va_end(args);
    snprintf(command, sizeof command, "bin=$PWD/build/bin; cd %s && (%s) 2>&1", s->directory, arguments);
    FILE *tool = popen(command, "r");
    assert_non_null(tool);
    s->out[fread(s->out, 1, TEXT - 1, tool)] = 0;
    const int status = pclose(tool);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static bool says(const struct scratch *s, const char *text) {
    if (strstr(s->out, text) != NULL) return true;
    print_error("no '%s' in:\n%s", text, s->out);
    return false;
}

/* Writes k.sass and its records, t.txt, edited by a sed script. */
static void record(struct scratch *s, const char *kernel, const char *script) {
    char path[80];
    snprintf(path, sizeof path, "%s/k.sass", s->directory);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(kernel, out);
    fclose(out);
    const int code = shell(s, "$bin/warp-run k.sass --trace right.txt");
    if (code != 0 && code != EXIT_TRAPPED) fail_msg("%s", s->out);
    if (shell(s, "sed '%s' right.txt > t.txt; ! cmp -s right.txt t.txt", script) != 0)
        fail_msg("%s does nothing", script);
}

static int set_up(void **state) {
    struct scratch *s = calloc(1, sizeof *s);
    assert_non_null(s);
    *state = s;
    strcpy(s->directory, "/tmp/test_deviations.XXXXXX");
    return mkdtemp(s->directory) == NULL;
}

static int tear_down(void **state) {
    struct scratch *s = *state;
    const int code = shell(s, "rm *") | shell(s, "rmdir $PWD");
    free(s);
    return code;
}

/* G2R reads shared memory, and its record has no access: an opinion on it restores nothing in global memory. */
static void test_a_finding_leaves_memory_as_it_is(void **state) {
    struct scratch *s = *state;
    record(s,
           ".kernel k\n.block 1\n.shared 64\n.param 0x11223344\n.global 0x10 = 0xaabbccdd\n"
           "MVI R2, 0x10;\nG2R.U32.U32 R1, g [0x4];\nGLD.U32 R3, global14 [R2];\nRET;\n",
           "s/R1=11223344/R1=11223345/");
    assert_int_equal(shell(s, "$bin/warp-lockstep k.sass --check-trace t.txt --keep-going 5"), 1);
    assert_true(says(s, "RTL and model differ in 1 way, in 1 of 4 warp instructions\n"));
    assert_true(says(s, "found 1: G2R:dst: 1 instruction, 1 lane, bits 0x1\n"));
    assert_true(says(s, "the third opinion agrees with: model\n"));
    assert_null(strstr(s->out, "found 2"));
}

static const char JOIN[] = ".kernel k\n.block 40\nSHL.C0 R1, R0, 0x2;\nSSY join;\nBRA C0.NE, join;\nMVI R2, 0x1;\n"
                           "join: NOP.S;\nNOP;\nGST.U32 global14 [R1], R1;\n";

/* The marker is the operation, in findings and in waivers; the markers of other instructions are not waived with it. */
static void test_markers_are_operations(void **state) {
    struct scratch *s = *state;
    record(s, JOIN, "/GST/s/depth=0/depth=1/");
    assert_int_equal(shell(s, "$bin/warp-lockstep k.sass --check-trace t.txt --keep-going 5"), 1);
    assert_true(says(s, "found 1: END:depth: 2 instructions"));
    assert_int_equal(shell(s, "$bin/warp-lockstep k.sass --check-trace t.txt --waive END:depth"), 0);
    assert_true(says(s, "waiver END:depth: 2 instructions"));
    assert_int_equal(shell(s, "$bin/warp-lockstep k.sass --check-trace t.txt --waive NOP:depth"), 1);
    record(s, JOIN, "/: NOP.S/s/depth=0/depth=1/");
    assert_int_equal(shell(s, "$bin/warp-lockstep k.sass --check-trace t.txt --waive \"END:*\""), 1);
    assert_int_equal(shell(s, "$bin/warp-lockstep k.sass --check-trace t.txt --keep-going 5"), 1);
    assert_true(says(s, "found 1: JOIN:depth: "));
}

/* Some RTLs obey a guard that does not exist. */
static void test_a_finding_says_that_there_is_no_guard(void **state) {
    struct scratch *s = *state;
    static const char *const NONE[] = {"SSY", "NOP", "BAR"};
    for (size_t n = 0; n < sizeof NONE / sizeof *NONE; n++) {
        char script[64], note[80];
        snprintf(script, sizeof script, "/: %s/s/exec=ffffffff/exec=fffffffe/", NONE[n]);
        snprintf(note, sizeof note, "%s has no guard: all active lanes execute it\n", NONE[n]);
        record(s, ".kernel k\n.block 32\nSSY 0x18;\nNOP;\nBAR.ARV.WAIT b0, 0xfff;\nNOP.S;\nRET;\n", script);
        assert_int_equal(shell(s, "$bin/warp-lockstep k.sass --check-trace t.txt --keep-going 5"), 1);
        assert_true(says(s, note));
        assert_true(says(s, "5 warp instructions compared\n"));
        assert_null(strstr(s->out, "agreed"));
        assert_int_equal(shell(s, "$bin/warp-lockstep k.sass --check-trace t.txt --keep-going 5 --json"), 1);
        assert_true(says(s, "\"note\":\""));
        assert_int_equal(shell(s, "$bin/warp-lockstep k.sass --check-trace t.txt"), 1);
        assert_true(says(s, note));
    }
    record(s, ".kernel k\n.block 32\nIADD R1, R0, R0;\nRET;\n", "/: IADD/s/exec=ffffffff/exec=fffffffe/");
    assert_int_equal(shell(s, "$bin/warp-lockstep k.sass --check-trace t.txt --keep-going 5"), 1);
    assert_null(strstr(s->out, "has no guard"));
}

/* An audit does not notice waived changes, but all others. */
static void test_an_audit_takes_waivers(void **state) {
    struct scratch *s = *state;
    record(s, JOIN, "/GST/s/depth=0/depth=1/");
    assert_int_equal(shell(s, "$bin/warp-lockstep k.sass --audit t.txt --audit-changes 600"), 1);
    assert_true(says(s, "the trace does not agree as it is"));
    assert_int_equal(shell(s, "$bin/warp-lockstep k.sass --audit t.txt --audit-changes 600 --waive END:depth"), 0);
    assert_true(says(s, "14 records agree, 2 of them by waivers; of 600 changes of a digit "));
    assert_true(says(s, "waived in some instructions\n"));
    assert_int_equal(shell(s, "echo 'END:depth # one too many' > w; $bin/warp-lockstep k.sass --audit t.txt --waivers w"
                              " --audit-changes 600 --json"),
                     0);
    assert_true(says(s, "\"waived\":2"));
    assert_int_equal(shell(s, "$bin/warp-lockstep k.sass --audit t.txt --keep-going 5"), 2);
    assert_true(says(s, "--audit goes with no --keep-going"));
}

/* Bytes filled in from the word do not show how many were written. */
static void test_a_filled_width_is_said_to_be_unchecked(void **state) {
    struct scratch *s = *state;
    record(s, JOIN, "1s/$/\\nfilled mem_kind/");
    assert_int_equal(shell(s, "$bin/warp-lockstep k.sass --check-trace t.txt"), 0);
    assert_true(says(s, "; so the width of stores is not checked\n"));
    assert_int_equal(shell(s, "$bin/warp-lockstep k.sass --check-trace t.txt --json"), 0);
    assert_true(says(s, "\"store_width\":\"not checked\""));
    record(s, JOIN, "1s/$/\\nfilled dst_reg/");
    assert_int_equal(shell(s, "$bin/warp-lockstep k.sass --check-trace t.txt"), 0);
    assert_null(strstr(s->out, "width"));
}

/* An agreed trap keeps the model's details, whatever else of its record is waived: bytes that the RTL may have stored
 * before are not compared. Lane 1 is misaligned; lane 0 has stored. */
static void test_a_waiver_leaves_a_trap_as_it_is(void **state) {
    struct scratch *s = *state;
    record(s, ".kernel k\n.block 2\nSHL R1, R0, 0x1;\nMVI R2, 0x55;\nGST.U32 global14 [R1], R2;\nRET;\n",
           "/: GST/s/depth=0/depth=1/");
    assert_int_equal(shell(s, "printf U > m; $bin/warp-lockstep k.sass --check-trace t.txt --final-memory m --waive "
                              "GST:depth"),
                     3);
    assert_true(says(s, "misaligned global memory access"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_finding_leaves_memory_as_it_is),
        cmocka_unit_test(test_markers_are_operations),
        cmocka_unit_test(test_a_finding_says_that_there_is_no_guard),
        cmocka_unit_test(test_an_audit_takes_waivers),
        cmocka_unit_test(test_a_filled_width_is_said_to_be_unchecked),
        cmocka_unit_test(test_a_waiver_leaves_a_trap_as_it_is),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
