/* SPDX-License-Identifier: Apache-2.0 */
/* Field values to words, for a given row of the table. */
#include "../../spec/memory.h"
#include "../../spec/table.h"
#include "isa.h"

static const struct field *row_field(size_t row, size_t i) {
    const struct format *format = row_format(row);
    if (i >= FORMAT_FIELDS_MAX || format->field[i] == NO_FIELD) return NULL;
    return &isa_fields[format->field[i]];
}

void isa_unpack(size_t row, uint32_t lo, uint32_t hi, struct isa_fields *fields) {
    struct word_fields w;
    word_unpack(row, (uint64_t)hi << 32 | lo, &w);
    for (size_t i = 0; i < ISA_FIELD_COUNT; i++) fields->value[i] = w.value[i];
}

bool isa_encode(size_t row, const struct isa_fields *fields, uint32_t *lo, uint32_t *hi) {
    uint64_t word = isa_rows[row].match;
    const struct field *f;
    for (size_t i = 0; (f = row_field(row, i)) != NULL; i++) {
        uint32_t value = fields->value[f->name];
        unsigned width = field_width(f), reserved = derived_reserved[row_format(row)->field[i]];
        if (width < 32 && value >> width != 0) return false;
        if (reserved != 0 && (reserved >> value & 1) != 0) return false;
        word |= field_put(f, value);
    }
    *lo = (uint32_t)word;
    *hi = (uint32_t)(word >> 32);
    return true;
}

void isa_default_fields(size_t row, struct isa_fields *fields) {
    *fields = (struct isa_fields){0};
    const struct field *f;
    for (size_t i = 0; (f = row_field(row, i)) != NULL; i++) {
        if (f->kind == KIND_COND) fields->value[f->name] = ISA_COND_TRUE;
        if (f->kind == KIND_LANE) fields->value[f->name] = 15;
        if (f->name == ISA_FIELD_seg) fields->value[f->name] = SEGMENT_GLOBAL;
    }
    if (isa_rows[row].op == OP_R2C) fields->value[ISA_FIELD_ce] = 1; /* always set by nvcc, never printed */
}

unsigned isa_row_field_bits(size_t row, enum isa_field field) { return row_format(row)->bits[field]; }
