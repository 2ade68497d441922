/* SPDX-License-Identifier: Apache-2.0 */
/* The decoder's tables: the rows that match each opcode; for each row the bits that select it, the bits that must be
 * zero and the ignored bits; the reserved values of fields. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gen.h"

/* The bits that form the index in bucket_of. */
static uint64_t index_bits(const struct table *t, size_t row) {
    uint64_t primary = (uint64_t)15 << 28;
    switch (format_of(t, row)->shape) {
    case ISA_SHAPE_LONG: return primary | (uint64_t)7 << 61 | 3;
    case ISA_SHAPE_IMM: return primary | (uint64_t)3 << 32 | 3;
    default: return primary | 3;
    }
}

static bool row_in_bucket(const struct table *t, size_t row, unsigned bucket) {
    uint64_t primary, bits = index_bits(t, row);
    if (bucket < BUCKET_HALF_FLOW)
        primary = (uint64_t)(bucket - BUCKET_HALF) << 28;
    else if (bucket < BUCKET_FLOW)
        primary = (uint64_t)(bucket - BUCKET_HALF_FLOW) << 28 | 2;
    else if (bucket < BUCKET_IMM)
        primary = (uint64_t)(bucket - BUCKET_FLOW) << 28 | 3;
    else if (bucket < BUCKET_LONG)
        primary = (uint64_t)(bucket - BUCKET_IMM) << 28 | (uint64_t)3 << 32 | 1;
    else
        primary = (uint64_t)((bucket - BUCKET_LONG) / 8) << 28 | (uint64_t)((bucket - BUCKET_LONG) % 8) << 61 | 1;
    bool imm = bucket >= BUCKET_IMM && bucket < BUCKET_LONG;
    if (imm != (format_of(t, row)->shape == ISA_SHAPE_IMM)) return false;
    return ((t->row[row].match ^ primary) & t->row[row].mask & bits) == 0;
}

/* A bit of the mask selects the row when it is an index bit or when another row of the same bucket requires it to be 1;
 * every other bit of the mask must be zero. */
static uint64_t select_bits(const struct table *t, size_t row) {
    const struct row *r = &t->row[row];
    uint64_t select = r->match | (r->mask & index_bits(t, row));
    for (size_t i = 0; i < t->row_count; i++) {
        const struct row *other = &t->row[i];
        if (format_of(t, i)->shape != format_of(t, row)->shape) continue;
        if (((r->match ^ other->match) & r->mask & other->mask & index_bits(t, row)) != 0) continue;
        select |= r->mask & other->match;
    }
    return select;
}

/* ---- ignored bits ---- */

static const struct {
    const char *mnemonic;
    uint64_t bits;
} ignored[] = {
#define IGNORED(mnemonic, bits, group) {mnemonic, bits},
#include "../ignored.def"
#undef IGNORED
};

static bool has_memory_operand(const struct table *t, size_t row) {
    const struct format *format = format_of(t, row);
    for (size_t i = 0; i < FORMAT_FIELDS_MAX && format->field[i] != NO_FIELD; i++)
        if (isa_fields[format->field[i]].name == ISA_FIELD_areg) return true;
    return false;
}

/* The bits of the row's mask that silicon ignores. A bit that selects the row cannot be ignored. */
static uint64_t ignored_bits(const struct table *t, size_t row) {
    uint64_t bits = 0;
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0] && !has_memory_operand(t, row); i++)
        if (strcmp(ignored[i].mnemonic, t->row[row].mnemonic) == 0) bits |= ignored[i].bits & t->row[row].mask;
    if ((bits & select_bits(t, row)) == 0) return bits;
    gen_fail("ignored.def: %s needs bits 0x%" PRIx64, t->row[row].id, bits & select_bits(t, row));
}

static uint16_t reserved_values(const struct field *f) {
    if (f->kind == KIND_AREG) return 0xe0;
    if (f->kind == KIND_MARK) return 1u << 3;
    if (f->kind != KIND_ENUM) return 0;
    unsigned reserved = 0;
    size_t length;
    for (uint32_t v = 0; v < (uint32_t)1 << field_width(f); v++)
        if (field_spelling(f, v, &length) == NULL) reserved |= 1u << v;
    return (uint16_t)reserved;
}

void write_bits(const struct table *t) {
    unsigned start[BUCKET_COUNT + 1], count = 0;
    printf("const uint16_t derived_bucket_rows[] = {\n");
    for (unsigned bucket = 0; bucket < BUCKET_COUNT; bucket++) {
        start[bucket] = count;
        for (size_t row = 0; row < t->row_count; row++)
            if (row_in_bucket(t, row, bucket)) printf("%zu,%s", row, ++count % 24 == 0 ? "\n" : "");
    }
    start[BUCKET_COUNT] = count;
    printf("\n};\n\nconst uint16_t derived_bucket_start[BUCKET_COUNT + 1] = {\n");
    for (unsigned bucket = 0; bucket <= BUCKET_COUNT; bucket++)
        printf("%u,%s", start[bucket], bucket % 24 == 23 ? "\n" : "");
    printf("\n};\n\nconst uint64_t derived_select[] = {\n");
    for (size_t row = 0; row < t->row_count; row++)
        printf("0x%016" PRIx64 ",%s", select_bits(t, row), row % 6 == 5 ? "\n" : "");
    printf("\n};\n\nconst uint64_t derived_fixed[] = {\n");
    for (size_t row = 0; row < t->row_count; row++)
        printf("0x%016" PRIx64 ",%s", t->row[row].mask & ~ignored_bits(t, row), row % 6 == 5 ? "\n" : "");
    printf("\n};\n\nconst uint16_t derived_reserved[FIELD_ID_COUNT] = {\n");
    for (size_t id = 1; id < FIELD_ID_COUNT; id++) {
        uint16_t reserved = reserved_values(&isa_fields[id]);
        if (reserved != 0) printf("[%s] = 0x%04x,\n", isa_fields[id].id, reserved);
    }
    printf("};\n\n");
}
