/* SPDX-License-Identifier: Apache-2.0 */
#include "records.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 3 ^ *state << 11;
}

struct retire records_random(uint32_t *seed, unsigned words) {
    struct retire r = {0};
#define SCALAR(name, bits, compare) r.name = next_random(seed) & (uint32_t)(((uint64_t)1 << (bits)) - 1);
#define MASK(name, compare)         r.name = next_random(seed);
#include "../../spec/retire.def"
#define LANES(name, bits, mask, compare)               \
    for (unsigned lane = 0; lane < WARP_LANES; lane++) \
        if ((r.mask >> lane & 1) != 0) r.name[lane] = next_random(seed) & (uint32_t)(((uint64_t)1 << (bits)) - 1);
#include "../../spec/retire.def"
#define WORDS(name, of, mask, compare)                      \
    for (unsigned i = 0; i < WARP_LANES * (words - 1); i++) \
        if ((r.mask >> i % WARP_LANES & 1) != 0) r.name[i / WARP_LANES][i % WARP_LANES] = next_random(seed);
#include "../../spec/retire.def"
    r.mem_bytes = 4 * words;
    r.trap = TRAP_NONE;
    return r;
}

void records_assert_same(const struct retire *a, const struct retire *b) {
#define SCALAR(name, bits, compare)      assert_int_equal(a->name, b->name);
#define MASK(name, compare)              assert_int_equal(a->name, b->name);
#define LANES(name, bits, mask, compare) assert_memory_equal(a->name, b->name, sizeof a->name);
#define WORDS(name, of, mask, compare) \
    if (retire_words(a) > 1) assert_memory_equal(a->name, b->name, sizeof a->name);
#include "../../spec/retire.def"
}
