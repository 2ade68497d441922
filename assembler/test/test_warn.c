/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings about real code: none, until its SSY are taken away. What each warning says is in diag/warn-*.sass. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "../check/warn.h"
#include "need_shared.h"
#include "support.h"

enum { TEXT_MAX = 65536 };

/* The code of an application of the corpus as .word directives; without its SSY (words a....003) when asked for. */
static void read_app(const char *name, bool without_ssy, char *text) {
    char path[128];
    snprintf(path, sizeof path, "../shared/corpus/apps/%s.json", name);
    need_shared(path);
    json_t *app = json_load_file(path, 0, NULL), *insn;
    size_t index, at = 0;
    assert_non_null(app);
    json_array_foreach(json_object_get(app, "code"), index, insn) {
        const json_t *words = json_object_get(insn, "words");
        const char *lo = json_string_value(json_array_get(words, 0));
        const char *hi = json_string_value(json_array_get(words, 1));
        if (without_ssy && hi != NULL && lo[2] == 'a' && strcmp(lo + 7, "003") == 0)
            lo = "0xf0000001", hi = "0xe0000000";
        at += (size_t)snprintf(text + at, TEXT_MAX - at, ".word %s%s%s\n", lo, hi != NULL ? ", " : "",
                               hi != NULL ? hi : "");
        assert_true(at < TEXT_MAX);
    }
    json_decref(app);
}

static size_t count_warnings(const char *text, enum warning kind) {
    struct messages m;
    struct assembly a;
    size_t count = 0;
    messages_init(&m, "test.sass", text, strlen(text));
    assert_int_equal(assemble_text(NULL, &a, &m), STATUS_OK);
    assert_int_equal(warn_kernel(&a, &m), STATUS_OK);
    for (size_t i = 0; i < m.count; i++) count += kind == WARN_COUNT || m.list[i].warning == kind ? 1 : 0;
    assembly_release(&a);
    messages_release(&m);
    return count;
}

static void test_warn_real_code(void **state) {
    (void)state;
    static const char *const apps[] = {"EdgeDetection_64threads", "Reduction", "Transpose", "VectorAdd_integer"};
    static char text[TEXT_MAX];
    for (size_t i = 0; i < sizeof apps / sizeof apps[0]; i++) {
        read_app(apps[i], false, text);
        assert_int_equal(count_warnings(text, WARN_COUNT), 0);
    }
    read_app("EdgeDetection_64threads", true, text);
    assert_true(count_warnings(text, WARN_DIVERGENT_BRANCH) > 0);
}

/* Code that jumps where no analysis follows: one warning says so, and only what one instruction shows is checked. A
 * target that is no instruction ends its path, and PRET's is reached by RET. */
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

/* Loops in loops with an SSY each, and a long chain of branches, settle in time. */
static void test_warn_settles(void **state) {
    (void)state;
    static char text[TEXT_MAX * 4];
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
        cmocka_unit_test(test_warn_real_code),
        cmocka_unit_test(test_warn_irregular_code),
        cmocka_unit_test(test_warn_settles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
