/* SPDX-License-Identifier: Apache-2.0 */
/* Replays golden/semantics/integer.tsv, rows computed by hand; its README describes the columns. */
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "table.h"

#define GOLDEN "golden/semantics/integer.tsv"

enum { LANE = 17, REGS = 16, BEFORE = 0x5a5a5a5a };

static uint32_t before(const struct table *t, unsigned reg) {
    const char name[] = {'r', (char)('0' + reg % 10), '\0'};
    return reg == 1 ? BEFORE : reg >= 2 && reg <= 4 ? table_hex(t, name) : 0;
}

static bool check_value(const struct table *t, const char *what, unsigned number, uint32_t actual, uint32_t expected) {
    if (actual != expected) {
        print_error("%s: %s%u is %x, expected %x (%s; %s)\n", table_text(t, "id"), what, number, actual, expected,
                    table_text(t, "text"), table_text(t, "source"));
    }
    return actual == expected;
}

static bool check_state(const struct fixture *f, const struct table *t) {
    const bool flags = strcmp(table_text(t, "c0"), "-") != 0;
    bool good = true;
    for (unsigned i = 0; i < REGS; i++)
        good &= check_value(t, "R", i, model_peek_reg(f->m, 0, 0, LANE, i), i == 1 ? table_hex(t, "r1") : before(t, i));
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t expected = i == 0 && flags ? table_hex(t, "c0") : i == 1 ? table_hex(t, "c1") : 0;
        good &= check_value(t, "C", i, model_peek_creg(f->m, 0, 0, LANE, i), expected);
    }
    return good;
}

/* The instruction of the row: its text, or ".word 0x..." with its words. */
static void setup(struct fixture *f, const struct table *t) {
    const char *text = table_text(t, "text");
    uint32_t words[2] = {0, 0};
    char *rest;
    if (strncmp(text, ".word ", 6) != 0) {
        fixture_source(f, text);
        return;
    }
    words[0] = (uint32_t)strtoul(text + 6, &rest, 16);
    if (*rest == ',') words[1] = (uint32_t)strtoul(rest + 1, NULL, 16);
    fixture_setup(f, words, 2);
}

/* True if the model gives the row's result. */
static bool replay(const struct table *t) {
    struct fixture f;
    setup(&f, t);
    fixture_launch(&f);
    for (unsigned i = 0; i < REGS; i++) fixture_poke(&f, i, before(t, i), 0);
    for (unsigned i = 0; i < 4; i++) fixture_poke_c(&f, i, i == 1 ? (uint8_t)table_hex(t, "c1") : 0);
    const struct retire r = fixture_step(&f);
    const bool good = r.trap == TRAP_NONE && check_state(&f, t);
    if (r.trap != TRAP_NONE) print_error("%s: trap: %s\n", table_text(t, "id"), trap_name((enum trap)r.trap));
    fixture_teardown(&f);
    return good;
}

static void test_golden_semantics(void **state) {
    (void)state;
    struct table t;
    unsigned rows = 0, wrong = 0;
    assert_true(table_open(&t, GOLDEN));
    while (table_next(&t)) {
        rows++;
        wrong += replay(&t) ? 0 : 1;
    }
    print_message("%s: %u of %u rows passed\n", GOLDEN, rows - wrong, rows);
    assert_true(rows > 0);
    assert_int_equal(wrong, 0);
}

/* A row with a wrong expectation must be noticed. */
static void test_golden_check_can_fail(void **state) {
    (void)state;
    struct table t;
    assert_true(table_open(&t, GOLDEN));
    assert_true(table_next(&t));
    assert_true(replay(&t));
    for (unsigned i = 0; i < t.columns; i++)
        if (strcmp(t.name[i], "c0") == 0) t.cell[i] = "8";
    assert_false(replay(&t));
    fclose(t.file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_semantics),
        cmocka_unit_test(test_golden_check_can_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
