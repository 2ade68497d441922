/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings about jumps that the analysis cannot follow, and about long code. diag/warn-*.sass has the texts of all
 * warnings, test_corpus.c tests with real code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../check/warn.h"
#include "support.h"

enum { TEXT_MAX = 4 * 65536 };

/* Jumps that the analysis cannot follow: one warning reports them, and only single instructions are checked. A target
 * that is no instruction ends its path, and a RET reaches PRET's. */
static void test_warn_irregular_code(void **state) {
    (void)state;
    const char *text = ".reg 1\nMOV R2, R3\nBRA 0x100\nNOP\n";
    assert_int_equal(count_warnings(text, WARN_REGISTERS), 1); /* R2 and R3 at one place */
    assert_int_equal(count_warnings("MOV R2, R3\nBRA 0x100\nNOP\n", WARN_UNWRITTEN), 1);
    assert_int_equal(count_warnings(text, WARN_TARGET), 1);
    assert_int_equal(count_warnings(text, WARN_PATHS), 0);
    const char *returns = "PRET after\nMVI R1, 1\nRET\nafter: MOV R2, R1\nMOV R2, R3\nNOP\n";
    assert_int_equal(count_warnings(returns, WARN_COUNT), 1);
    assert_int_equal(count_warnings(returns, WARN_UNWRITTEN), 1); /* R3, behind the RET */
    const char *unseen = "MOV R2, R3\nBRX c [0x1] [0x0]\nNOP\n";
    assert_int_equal(count_warnings(unseen, WARN_PATHS), 1);
    assert_int_equal(count_warnings(unseen, WARN_COUNT), 1);
    assert_int_equal(count_warnings("MOV R2, R3\nQUADON\nNOP\n", WARN_PATHS), 1);
    assert_int_equal(count_warnings("MOV R2, R3\nQUADPOP\nNOP\n", WARN_PATHS), 1);
    assert_int_equal(count_warnings(".word 0, 1, 2, 3, 4, 5, 6\n", WARN_COUNT), 0);
}

/* Nested loops with an SSY each, and a long chain of branches, settle in time. */
static void test_warn_settles(void **state) {
    (void)state;
    static char text[TEXT_MAX];
    size_t at = 0;
    at += (size_t)snprintf(text + at, sizeof text - at, "I2I.U32.U16.C0 R1, R0L\n");
    for (unsigned i = 0; i < 200; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "SSY j%u\nl%u: BRA C0.NE, j%u\n", i, i, i);
    for (unsigned i = 200; i-- > 0;)
        at += (size_t)snprintf(text + at, sizeof text - at, "BRA C0.EQ, l%u\nj%u: NOP.S\n", i, i);
    at += (size_t)snprintf(text + at, sizeof text - at, "NOP\nBRA C0.EQ, end\nend: NOP\n");
    assert_true(at < sizeof text);
    assert_int_equal(count_warnings(text, WARN_DIVERGENT_BRANCH), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_warn_irregular_code),
        cmocka_unit_test(test_warn_settles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
