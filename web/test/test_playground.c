/* SPDX-License-Identifier: Apache-2.0 */
/* The playground's answers, on the host: the contents of the page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../assembler/base/file.h"
#include "../../cmodel/test/scratch.h"
#include "../playground.h"

/* Line 3 is pc 0. R1 counts to 3; one word is as expected, the other is not. */
static const char KERNEL[] = ".kernel count\n.block 2\n"
                             "    MVI R1, 0x0\n"
                             "    MVI R2, 0x3\n"
                             "again: IADD32I R1, R1, 0x1\n"
                             "    IADD.C0 R3, R2, -R1\n"
                             "    BRA C0.NE, again\n"
                             "    MVI R4, 0x20\n"
                             "    GST.U32 global14 [R4], R1\n"
                             "    RET\n"
                             ".expect 0x20 = 0x3\n.expect 0x24 = 0x00070001\n";

static struct playground *p;

static int make(void **state) {
    (void)state;
    p = playground_create();
    return p == NULL;
}

static int destroy(void **state) {
    (void)state;
    playground_destroy(p);
    return 0;
}

static void must_have(const char *answer, const char *text) {
    if (strstr(answer, text) == NULL) fail_msg("no '%s' in:\n%s", text, answer);
}

static const char *load(const char *text) {
    const char *answer = playground_load(p, "count.sass", text);
    must_have(answer, "{\"ok\":true,");
    return answer;
}

static void load_file(const char *path) {
    char *text;
    size_t size;
    struct diag d;
    assert_int_equal(file_read(path, &text, &size, &d), STATUS_OK);
    must_have(playground_load(p, path, text), "{\"ok\":true,");
    free(text);
}

/* The command, and the run that it resumes. */
static const char *command(const char *line) {
    const char *answer = playground_command(p, line);
    while (strstr(answer, "\"goes_on\":true") != NULL) answer = playground_run(p, 1000);
    return answer;
}

/* ---------------------------------------------------------------------------- a kernel */

static void test_playground_shows_code(void **state) {
    (void)state;
    const char *answer = load(KERNEL);
    must_have(answer, "\"name\":\"count\",\"code\":[{\"pc\":0,\"text\":\"MVI R1, 0x0\",\"file\":\"count.sass\","
                      "\"line\":3},{\"pc\":8,");
    must_have(answer, "{\"name\":\"global\",\"bytes\":262144},{\"name\":\"shared\",\"bytes\":16}]");
}

static void test_playground_shows_errors(void **state) {
    (void)state;
    const char *answer = playground_load(p, "k.sass", ".kernel k\n    MVI R1, 0x0\n    IMUL.S23.S24 R4, R2, R3\n");
    must_have(answer, "{\"ok\":false,\"messages\":\"k.sass:3:9: error: unknown modifier '.S23'");
    must_have(answer, "    3 |     IMUL.S23.S24 R4, R2, R3\\u000a      |         ^~~~");
    assert_string_equal(playground_command(p, "step"), "null");
    answer = playground_load(p, "k.sass", ".kernel k\n.param 1, 2\n.global 0x3fffe = 0x1\nRET\n");
    must_have(answer, "{\"ok\":false,\"messages\":\"k.sass: error: ");
    assert_string_equal(playground_memory(p, "global", 0, 0, 16), "null");
    assert_string_equal(playground_picture(p), "null");
}

static void test_playground_warns(void **state) {
    (void)state;
    const char *answer = load(".kernel k\n.block 32\n    SHL R1, R2, 0x2\n    RET\n");
    must_have(answer, "count.sass:3:5: warning: ");
}

static void test_playground_takes_no_elf(void **state) {
    (void)state;
    must_have(playground_load(p, "k.sass", "\177ELF"), "{\"ok\":false,\"messages\":\"k.sass: error: ");
}

/* ---------------------------------------------------------------------------- a run */

static void test_playground_steps(void **state) {
    (void)state;
    load(KERNEL);
    const char *answer = command("step 3");
    must_have(answer, "\"goes_on\":false,\"ended\":\"\",\"instructions\":3,");
    must_have(answer, "\"warps\":[{\"sm\":0,\"slot\":0,\"block\":[0,0],\"warp\":0,\"state\":\"ready\",\"pc\":24,"
                      "\"active\":3,\"alive\":3}]");
    must_have(answer, "\"R1\":[1,1,0,");
    must_have(answer, "\"R2\":[3,3,0,");
    must_have(answer, "\"A1\":[0,");
    must_have(command("n"), "\"C0\":[4,4,0,");
}

/* Labels come from the file. */
static void test_playground_breaks(void **state) {
    (void)state;
    char path[512];
    scratch_write("count.sass", KERNEL);
    snprintf(path, sizeof path, "%s/count.sass", scratch);
    load_file(path);
    must_have(playground_command(p, "break again if R1.0 == 2"),
              "{\"said\":\" 1 break at pc 0x10 if R1.0 == 0x2\\u000a\"");
    must_have(command("continue"), "\"R1\":[2,2,0,");
    must_have(playground_command(p, "print R1.1"), "{\"said\":\"R1 lane 1 = 0x00000002\\u000a\",\"goes_on\":false,");
    must_have(playground_command(p, "dance"), "there is no command of that name");
    must_have(playground_command(p, "quit"), "\"goes_on\":false,\"ended\":\"\"");
}

static void test_playground_ends(void **state) {
    (void)state;
    load(KERNEL);
    const char *answer = command("continue");
    must_have(answer, "0x00000024: expected 01 00 07 00, found 00 00 00 00");
    must_have(answer, "count.sass: failed: ");
    must_have(answer, "\"ended\":\"failed\"");
    must_have(answer, "\"expect\":[{\"addr\":32,\"bytes\":4,\"wrong\":0},{\"addr\":36,\"bytes\":4,\"wrong\":2}]");
    must_have(answer, "\"warps\":[],\"warp\":null}");
    must_have(command("step"), "the run has ended");
    assert_string_equal(playground_memory(p, "global", 0, 0x1e, 8), "{\"hex\":\"0000030000000000\"}");
    assert_string_equal(playground_memory(p, "global", 0, 262142, 8), "{\"hex\":\"0000\"}");
    assert_string_equal(playground_memory(p, "shared", 0, 0, 8), "{\"hex\":\"\"}");
}

static void test_playground_traps(void **state) {
    (void)state;
    load(".kernel k\n    MVI R1, 0x40000\n    GST.U32 global14 [R1], R1\n    RET\n");
    const char *answer = command("continue");
    must_have(answer, "count.sass: trap: global memory access out of range");
    must_have(answer, "\"ended\":\"trap\"");
    must_have(answer, "\"R1\":[262144,");
}

static void test_playground_hangs(void **state) {
    (void)state;
    load(".kernel k\nagain: BRA again\n    RET\n");
    const char *answer = command("continue");
    must_have(answer, "count.sass: hang: ");
    must_have(answer, "\"ended\":\"hang\"");
}

static void test_playground_shows_divergence(void **state) {
    (void)state;
    load_file("web/kernels/divergence.sass");
    const char *answer;
    command("break odd");
    answer = command("continue");
    must_have(answer, "\"active\":43690,\"alive\":4294967295,\"registers\"");
    must_have(answer, "\"stack\":[{\"token\":\"SYNC\",\"mask\":4294967295,");
    must_have(answer, "{\"token\":\"DIVERGE\",\"mask\":21845,");
    must_have(playground_memory(p, "shared", 0, 16, 4), "{\"hex\":\"00010000\"}");
    answer = command("continue");
    must_have(answer, "web/kernels/divergence.sass: pass: ");
    must_have(playground_picture(p), "\"svg\":\"<svg ");
}

/* The same number of instructions and the same verdict as warp-run. */
static void test_playground_runs_applications(void **state) {
    (void)state;
    static const char *const KERNELS[] = {"kernels/apps/collatz.sass", "kernels/apps/bitonic.sass"};
    for (size_t i = 0; i < sizeof KERNELS / sizeof KERNELS[0]; i++) {
        char line[256];
        snprintf(line, sizeof line, "build/bin/warp-run %s", KERNELS[i]);
        FILE *tool = popen(line, "r");
        assert_non_null(tool);
        assert_non_null(fgets(line, sizeof line, tool));
        assert_int_equal(pclose(tool), 0);
        line[strcspn(line, "\n")] = '\0';
        load_file(KERNELS[i]);
        must_have(command("continue"), line);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_playground_shows_code, make, destroy),
        cmocka_unit_test_setup_teardown(test_playground_shows_errors, make, destroy),
        cmocka_unit_test_setup_teardown(test_playground_warns, make, destroy),
        cmocka_unit_test_setup_teardown(test_playground_takes_no_elf, make, destroy),
        cmocka_unit_test_setup_teardown(test_playground_steps, make, destroy),
        cmocka_unit_test_setup_teardown(test_playground_breaks, make, destroy),
        cmocka_unit_test_setup_teardown(test_playground_ends, make, destroy),
        cmocka_unit_test_setup_teardown(test_playground_traps, make, destroy),
        cmocka_unit_test_setup_teardown(test_playground_hangs, make, destroy),
        cmocka_unit_test_setup_teardown(test_playground_shows_divergence, make, destroy),
        cmocka_unit_test_setup_teardown(test_playground_runs_applications, make, destroy),
    };
    return cmocka_run_group_tests_name("playground", tests, scratch_make, scratch_remove);
}
