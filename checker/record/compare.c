/* SPDX-License-Identifier: Apache-2.0 */
#include "compare.h"

#include <string.h>

static uint32_t lanes_that_differ(const struct retire_field *f, const struct retire *a, const struct retire *b) {
    if (f->kind == FIELD_MASK) return (uint32_t)(field_scalar(f, a) ^ field_scalar(f, b));
    if (!field_is_in(f, a) || !field_is_in(f, b)) return 0;
    const uint32_t *x = field_lanes(f, a), *y = field_lanes(f, b);
    uint32_t lanes = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) lanes |= (uint32_t)(x[lane] != y[lane]) << lane;
    return lanes & field_mask(f, a) & field_mask(f, b);
}

static void compare_field(const struct retire_field *f, const struct retire *a, const struct retire *b,
                          struct compare_result *result) {
    const bool lanes = f->kind == FIELD_MASK || f->kind == FIELD_LANES;
    const uint32_t differ = lanes ? lanes_that_differ(f, a, b) : 0;
    if (lanes ? differ == 0 : field_scalar(f, a) == field_scalar(f, b)) return;
    result->diff[result->count++] = (struct compare_diff){f, differ};
}

/* All fields from block_x on are EXACT and of one type: equal bytes there mean equal records, which is the usual
 * case. */
static bool same_bytes(const struct retire *a, const struct retire *b) {
    const size_t from = offsetof(struct retire, block_x), size = retire_size(a);
    return size == retire_size(b) && memcmp((const char *)a + from, (const char *)b + from, size - from) == 0;
}

bool compare_records(const struct retire *expected, const struct retire *actual, struct compare_result *result) {
    result->count = 0;
    if (same_bytes(expected, actual)) return true;
    for (size_t i = 0; i < retire_field_count(); i++) {
        const struct retire_field *f = retire_field_at(i);
        if (f->compare == FIELD_EXACT) compare_field(f, expected, actual, result);
    }
    return result->count == 0;
}
