/* SPDX-License-Identifier: Apache-2.0 */
/* The set of blocks that have started: each block alone, across the words and pages of the set, and the last block of
 * the largest grid. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../core/blockset.h"

/* Every block of a small grid in turn: the set has it once added, and no other. */
static void test_blockset_keeps_blocks_apart(void **state) {
    (void)state;
    enum { BLOCKS = 200 };
    struct blockset set;
    assert_true(blockset_create(&set, BLOCKS));
    for (unsigned block = 0; block < BLOCKS; block++) {
        assert_false(blockset_has(&set, block));
        assert_true(blockset_add(&set, block));
        assert_true(blockset_has(&set, block));
    }
    blockset_destroy(&set);

    assert_true(blockset_create(&set, BLOCKS));
    assert_true(blockset_add(&set, 100));
    for (unsigned block = 0; block < BLOCKS; block++) assert_int_equal(blockset_has(&set, block), block == 100);
    blockset_destroy(&set);
}

static void test_blockset_holds_the_largest_grid(void **state) {
    (void)state;
    const uint64_t blocks = (uint64_t)65535 * 65535;
    struct blockset set;
    assert_true(blockset_create(&set, blocks));
    assert_true(blockset_add(&set, blocks - 1));
    assert_true(blockset_add(&set, blocks / 2));
    assert_true(blockset_has(&set, blocks - 1));
    assert_true(blockset_has(&set, blocks / 2));
    assert_false(blockset_has(&set, 0));
    assert_false(blockset_has(&set, blocks - 2));
    blockset_destroy(&set);
    assert_null(set.pages);
}

/* The set has room for the last block of each grid around the page size, 32768; the address sanitizer checks it. */
static void test_blockset_has_room_for_the_last_block(void **state) {
    (void)state;
    for (uint64_t blocks = 32767; blocks <= 32769; blocks++) {
        struct blockset set;
        assert_true(blockset_create(&set, blocks));
        assert_true(blockset_add(&set, blocks - 1));
        assert_true(blockset_has(&set, blocks - 1));
        assert_false(blockset_has(&set, 0));
        blockset_destroy(&set);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blockset_keeps_blocks_apart),
        cmocka_unit_test(test_blockset_holds_the_largest_grid),
        cmocka_unit_test(test_blockset_has_room_for_the_last_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
