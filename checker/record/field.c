/* SPDX-License-Identifier: Apache-2.0 */
#include "field.h"

#include <assert.h>
#include <string.h>

static const struct retire_field FIELDS[] = {
#define FIELD(name, bits, kind, compare, member, mask, word) \
    {name, bits, FIELD_##kind, FIELD_##compare, word, offsetof(struct retire, member), offsetof(struct retire, mask)},
#define HARNESS(name, bits)              FIELD(#name, bits, HARNESS, INFO, name, exec, 0)
#define SCALAR(name, bits, compare)      FIELD(#name, bits, SCALAR, compare, name, exec, 0)
#define MASK(name, compare)              FIELD(#name, WARP_LANES, MASK, compare, name, exec, 0)
#define LANES(name, bits, mask, compare) FIELD(#name, bits, LANES, compare, name, mask, 0)
#define WORDS(name, of, mask, compare)                    \
    FIELD(#of ".1", 32, LANES, compare, name[0], mask, 1) \
    FIELD(#of ".2", 32, LANES, compare, name[1], mask, 2) \
    FIELD(#of ".3", 32, LANES, compare, name[2], mask, 3)
#include "../../spec/retire.def"
};

size_t retire_field_count(void) { return sizeof FIELDS / sizeof FIELDS[0]; }

const struct retire_field *retire_field_at(size_t i) {
    assert(i < retire_field_count());
    return &FIELDS[i];
}

const struct retire_field *retire_field_named(const char *name) {
    for (size_t i = 0; i < retire_field_count(); i++)
        if (strcmp(FIELDS[i].name, name) == 0) return &FIELDS[i];
    return NULL;
}

size_t retire_field_index(const struct retire_field *f) { return (size_t)(f - FIELDS); }

bool retire_field_is_meant(const char *of, const char *name) {
    const size_t length = strlen(of);
    if (strcmp(of, "*") == 0) return true;
    return strncmp(of, name, length) == 0 && (name[length] == 0 || name[length] == '.');
}

bool field_is_in(const struct retire_field *f, const struct retire *r) { return f->word < retire_words(r); }

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
