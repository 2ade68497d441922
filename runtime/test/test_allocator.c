/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of memory, against a map of its bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../allocator.h"

enum { BEGIN = 256, END = 64 * 256, BLOCKS = 64, STEPS = 20000 };

/* The reference: allocated bytes, and allocated blocks. */
struct map {
    bool taken[END];
    uint32_t address[BLOCKS], size[BLOCKS];
    unsigned count;
};

static uint32_t draw(uint32_t *seed, uint32_t below) {
    *seed = *seed * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)(*seed >> 8) * below >> 24);
}

static bool is_free(const struct map *m, uint32_t address, uint32_t size) {
    if (address < BEGIN || address + size > END) return false;
    for (uint32_t i = 0; i < size; i++)
        if (m->taken[address + i]) return false;
    return true;
}

static void mark(struct map *m, uint32_t address, uint32_t size, bool taken) {
    for (uint32_t i = 0; i < size; i++) m->taken[address + i] = taken;
}

/* The lowest, or the highest place at a multiple of ALLOCATOR_ALIGN; 0: there is none. */
static uint32_t find_place(const struct map *m, uint32_t size, bool is_last) {
    uint32_t found = 0;
    for (uint32_t at = BEGIN; at < END && (found == 0 || is_last); at += ALLOCATOR_ALIGN)
        if (is_free(m, at, size)) found = at;
    return found;
}

static void add(struct map *m, uint32_t address, uint32_t size) {
    mark(m, address, size, true);
    m->address[m->count] = address;
    m->size[m->count++] = size;
}

static void give(struct allocator *a, struct map *m, unsigned i) {
    allocator_free(a, m->address[i]);
    mark(m, m->address[i], m->size[i], false);
    m->address[i] = m->address[--m->count];
    m->size[i] = m->size[m->count];
}

static void test_random_blocks(void **state) {
    struct map m = {0};
    struct allocator a;
    uint32_t seed = 1;
    (void)state;
    allocator_init(&a, BEGIN, END);
    for (unsigned i = 0; i < STEPS; i++) {
        const uint32_t size = 1 + draw(&seed, draw(&seed, 4) == 0 ? 4096 : 700), kind = draw(&seed, 6);
        uint32_t address = 0;
        if (m.count > 0 && (m.count == BLOCKS || kind == 0)) give(&a, &m, draw(&seed, m.count));
        if (m.count == BLOCKS) continue;
        if (kind == 5) {
            address = BEGIN + draw(&seed, END - BEGIN);
            assert_int_equal(allocator_allocate_at(&a, address, size), is_free(&m, address, size));
            if (is_free(&m, address, size)) add(&m, address, size);
            continue;
        }
        const uint32_t expected = find_place(&m, size, kind == 4);
        const bool taken =
            kind == 4 ? allocator_allocate_last(&a, size, &address) : allocator_allocate(&a, size, &address);
        assert_int_equal(taken, expected != 0);
        if (!taken) continue;
        assert_int_equal(address, expected);
        add(&m, address, size);
    }
    while (m.count > 0) give(&a, &m, 0);
    uint32_t address;
    assert_true(allocator_allocate(&a, END - BEGIN, &address));
    assert_false(allocator_allocate(&a, 1, &address));
    allocator_release(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_blocks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
