/* SPDX-License-Identifier: Apache-2.0 */
/* The shrinker, with predicates whose smallest kernel is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../judge.h"
#include "../make.h"
#include "../shrink.h"

enum { TRIES = 3000 };

static struct kernel *make(uint64_t seed) {
    const struct make_options options = {MAKE_RUNS, JUDGE_STEPS};
    struct table *table = malloc(sizeof *table);
    struct kernel *k = malloc(sizeof *k);
    char why[JUDGE_WHY];
    assert_true(table != NULL && k != NULL);
    table_find(table);
    assert_true(make_kernel(k, seed, &options, table, why));
    free(table);
    return k;
}

static unsigned count_op(const struct kernel *k, enum isa_op op) {
    unsigned count = 0;
    struct isa_insn insn;
    for (size_t i = 0; i < k->line_count; i++)
        count += isa_decode(k->line[i].lo, k->line[i].hi, &insn) == ISA_OK && insn.op == op;
    return count;
}

/* Fails if the kernel has such an instruction, legal or not. */
static bool has_op(void *state, const struct kernel *k) { return count_op(k, *(const enum isa_op *)state) > 0; }

static uint64_t find_seed(enum isa_op op) {
    for (uint64_t seed = 1;; seed++) {
        struct kernel *k = make(seed);
        const bool found = count_op(k, op) > 0;
        free(k);
        if (found) return seed;
    }
}

static void test_shrink_leaves_the_one_line(void **state) {
    (void)state;
    enum isa_op op = OP_IMAD;
    struct kernel *k = make(find_seed(op));
    shrink_kernel(k, has_op, &op, TRIES);
    assert_int_equal(k->line_count, 1);
    assert_int_equal(count_op(k, op), 1);
    assert_int_equal(kernel_threads(k) * k->grid[0] * k->grid[1], 1);
    free(k);
}

/* A kernel that must be legal must also end. */
static bool is_legal_with_op(void *state, const struct kernel *k) {
    char why[JUDGE_WHY];
    return has_op(state, k) && judge_kernel(k, JUDGE_STEPS, why) == JUDGED_LEGAL;
}

static void test_shrink_keeps_to_the_predicate(void **state) {
    (void)state;
    enum isa_op op = OP_PBK;
    struct kernel *k = make(find_seed(op));
    shrink_kernel(k, is_legal_with_op, &op, TRIES);
    assert_true(is_legal_with_op(&op, k));
    assert_true(k->line_count <= 3);
    free(k);
}

static bool never(void *state, const struct kernel *k) {
    (void)k;
    ++*(unsigned *)state;
    return false;
}

static void test_shrink_leaves_what_cannot_be_smaller(void **state) {
    (void)state;
    struct kernel *k = make(2), *before = malloc(sizeof *before);
    unsigned asked = 0;
    *before = *k;
    const unsigned tries = shrink_kernel(k, never, &asked, TRIES);
    assert_int_equal(tries, asked);
    assert_memory_equal(k, before, sizeof *k);
    free(before);
    free(k);
}

static void test_shrink_asks_no_more_than_it_may(void **state) {
    (void)state;
    enum isa_op op = OP_BAR;
    struct kernel *k = make(find_seed(op));
    assert_int_equal(shrink_kernel(k, has_op, &op, 5), 5);
    free(k);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shrink_leaves_the_one_line),
        cmocka_unit_test(test_shrink_keeps_to_the_predicate),
        cmocka_unit_test(test_shrink_leaves_what_cannot_be_smaller),
        cmocka_unit_test(test_shrink_asks_no_more_than_it_may),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
