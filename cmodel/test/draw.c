/* SPDX-License-Identifier: Apache-2.0 */
/* See draw.h. */
#include "draw.h"

#include "../../assembler/isa/isa.h"

uint32_t draw(uint32_t *seed) {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

/* Restricts a field so that the program keeps running: few registers, guards that often hold, targets inside the code,
 * small offsets. */
static uint32_t tame(enum isa_field field, uint32_t value, uint32_t *seed) {
    switch (field) {
    case ISA_FIELD_d:
    case ISA_FIELD_a:
    case ISA_FIELD_b:
    case ISA_FIELD_c: return value % 12;
    case ISA_FIELD_goff:
    case ISA_FIELD_coff:
    case ISA_FIELD_loff: return value % 8;
    case ISA_FIELD_cb: return 1;
    case ISA_FIELD_areg: return value % 5;
    case ISA_FIELD_ad: return value % 5;
    case ISA_FIELD_seg: return 14;
    case ISA_FIELD_tgt: return value % (DRAW_WORDS / 2) * 2;
    case ISA_FIELD_mark: return draw(seed) % 8 == 0 ? value % 3 : 0;
    case ISA_FIELD_cond: return draw(seed) % 2 == 0 ? ISA_COND_TRUE : value;
    default: return value;
    }
}

static bool is_wanted(size_t row, uint32_t lo, uint32_t hi) {
    struct isa_insn insn;
    if (isa_decode(lo, hi, &insn) != ISA_OK || isa_row_shape(row) == ISA_SHAPE_HALF) return false;
    return insn.unit != UNIT_TEXTURE && insn.op != OP_TRAP && insn.op != OP_BPT;
}

bool draw_row(size_t row, uint32_t *seed, uint32_t *lo, uint32_t *hi) {
    struct isa_fields fields = {0};
    for (int field = 0; field < ISA_FIELD_COUNT; field++) {
        const unsigned bits = isa_row_field_bits(row, (enum isa_field)field);
        const uint32_t mask = bits == 0 ? 0 : UINT32_MAX >> (32 - bits);
        const uint32_t value = draw(seed) & mask;
        fields.value[field] = tame((enum isa_field)field, value, seed) & mask;
    }
    return isa_encode(row, &fields, lo, hi) && is_wanted(row, *lo, *hi);
}

void draw_words(uint32_t *seed, uint32_t *lo, uint32_t *hi) {
    while (!draw_row(draw(seed) % isa_row_count(), seed, lo, hi)) {}
}
