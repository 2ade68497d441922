/* SPDX-License-Identifier: Apache-2.0 */
/* Pages of global memory: the pages that a launch has stored to, their former contents; and a launch that keeps
 * memory. */
#include <stdlib.h>
#include <string.h>

#include "../core/pages.h"
#include "fixture.h"

enum { BYTES = 5 * PAGES_BYTES - 100 };

static void test_pages_are_listed_once(void **state) {
    uint8_t memory[BYTES] = {0};
    struct pages *p = pages_create(BYTES);
    (void)state;
    assert_non_null(p);
    pages_touch(p, memory, 4 * PAGES_BYTES + 8);
    pages_touch(p, memory, 12);
    pages_touch(p, memory, PAGES_BYTES - 1);
    pages_touch(p, memory, BYTES - 1);
    assert_int_equal(p->count, 2);
    assert_int_equal(p->list[0], 4);
    assert_int_equal(p->list[1], 0);
    assert_int_equal(pages_size(p, 4), PAGES_BYTES - 100);
    pages_clear(p);
    assert_int_equal(p->count, 0);
    pages_touch(p, memory, 12);
    assert_int_equal(p->count, 1);
    pages_destroy(p);
}

static void store(struct pages *p, uint8_t *memory, uint32_t addr, uint8_t value) {
    pages_touch(p, memory, addr);
    memory[addr] = value;
}

/* A page stored to before copying begins is copied on the next store. */
static void test_pages_know_what_changed(void **state) {
    uint8_t memory[BYTES] = {0};
    struct pages *p = pages_create(BYTES);
    (void)state;
    assert_non_null(p);
    store(p, memory, 5, 1);
    assert_false(pages_unchanged(p, memory)); /* nothing was kept */
    pages_keep(p);
    assert_true(pages_unchanged(p, memory));
    store(p, memory, 5, 2);
    assert_false(pages_unchanged(p, memory));
    store(p, memory, 5, 1);
    assert_true(pages_unchanged(p, memory));
    store(p, memory, BYTES - 1, 9);
    assert_false(pages_unchanged(p, memory));
    pages_keep(p);
    assert_true(pages_unchanged(p, memory));
    store(p, memory, BYTES - 1, 8);
    assert_false(pages_unchanged(p, memory));
    pages_destroy(p);
}

/* One page more than the number of copies. */
static void test_pages_copy_so_many(void **state) {
    enum { ALL = PAGES_COPIES_MOST + 1 };
    uint8_t *memory = calloc(ALL, PAGES_BYTES);
    struct pages *p = pages_create(ALL * PAGES_BYTES);
    (void)state;
    assert_true(p != NULL && memory != NULL);
    pages_keep(p);
    for (uint32_t page = 0; page < ALL; page++) {
        assert_true(pages_unchanged(p, memory));
        store(p, memory, page * PAGES_BYTES, 0);
    }
    assert_false(pages_unchanged(p, memory));
    assert_int_equal(p->count, ALL);
    pages_keep(p);
    store(p, memory, 0, 0);
    assert_true(pages_unchanged(p, memory));
    pages_destroy(p);
    free(memory);
}

static void run_to_end(struct fixture *f) {
    uint64_t steps;
    assert_int_equal(model_run(f->m, 1000, &steps), MODEL_DONE);
}

/* R0 goes to the following word: 4 * R0 + 0x2000, then one higher. */
static void test_model_launches_over_memory(void **state) {
    struct fixture f;
    struct diag d = {0};
    const uint32_t *pages;
    uint8_t first[] = {17, 0, 0, 0};
    struct image_piece piece = {.addr = 0x2000, .size = sizeof first, .bytes = first};
    (void)state;
    fixture_source(&f, "SHL R1, R0, 0x2\n"
                       "IADD32I R1, R1, 0x2000\n"
                       "GLD.U32 R2, global14 [R1]\n"
                       "IADD32I R2, R2, 0x1\n"
                       "GST.U32 global14 [R1], R2\n"
                       "!NOP\n");
    f.image.block[0] = 32;
    f.image.global = &piece;
    f.image.global_count = 1;
    fixture_launch(&f);
    assert_int_equal(model_stored_pages(f.m, &pages), 0);
    run_to_end(&f);
    assert_int_equal(model_stored_pages(f.m, &pages), 1);
    assert_int_equal(pages[0], 2);
    assert_int_equal(model_global(f.m)[0x2000], 18);
    assert_int_equal(model_global(f.m)[0x2004], 1);
    assert_int_equal(model_relaunch(f.m, &f.image, &d), STATUS_OK);
    assert_int_equal(model_stored_pages(f.m, &pages), 0);
    run_to_end(&f);
    assert_int_equal(model_global(f.m)[0x2000], 19);
    assert_int_equal(model_global(f.m)[0x2004], 2);
    assert_int_equal(model_launch(f.m, &f.image, &d), STATUS_OK);
    assert_int_equal(model_global(f.m)[0x2000], 17);
    assert_int_equal(model_global(f.m)[0x2004], 0);
    fixture_teardown(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pages_are_listed_once),
        cmocka_unit_test(test_pages_know_what_changed),
        cmocka_unit_test(test_pages_copy_so_many),
        cmocka_unit_test(test_model_launches_over_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
