/* SPDX-License-Identifier: Apache-2.0 */
#include "field.h"

#include <assert.h>

static const struct retire_field FIELDS[] = {
#define HARNESS(name, bits)         {#name, bits, FIELD_HARNESS, FIELD_INFO, offsetof(struct retire, name), 0},
#define SCALAR(name, bits, compare) {#name, bits, FIELD_SCALAR, FIELD_##compare, offsetof(struct retire, name), 0},
#define MASK(name, compare)         {#name, WARP_LANES, FIELD_MASK, FIELD_##compare, offsetof(struct retire, name), 0},
#define LANES(name, bits, mask, compare) \
    {#name, bits, FIELD_LANES, FIELD_##compare, offsetof(struct retire, name), offsetof(struct retire, mask)},
#include "retire.def"
};

size_t retire_field_count(void) { return sizeof FIELDS / sizeof FIELDS[0]; }

const struct retire_field *retire_field_at(size_t i) {
    assert(i < retire_field_count());
    return &FIELDS[i];
}

static const void *member(const struct retire *r, size_t offset) { return (const char *)r + offset; }

uint64_t field_scalar(const struct retire_field *f, const struct retire *r) {
    assert(f->kind != FIELD_LANES);
    if (f->kind == FIELD_HARNESS) return *(const uint64_t *)member(r, f->offset);
    return *(const uint32_t *)member(r, f->offset);
}

const uint32_t *field_lanes(const struct retire_field *f, const struct retire *r) {
    assert(f->kind == FIELD_LANES);
    return member(r, f->offset);
}

uint32_t field_mask(const struct retire_field *f, const struct retire *r) {
    assert(f->kind == FIELD_LANES);
    return *(const uint32_t *)member(r, f->mask_offset);
}
