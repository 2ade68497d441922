/* SPDX-License-Identifier: Apache-2.0 */
/* Classes of the operands and results of floating point. Sources are not in the record: register contents are tracked
 * from record to record. Sources in memory have no bins. */
#include "parts.h"

/* The lanes in which the source is known, with its values. */
static uint32_t source_of(const struct warp_watch *warp, const struct isa_operand *o, uint32_t value[WARP_LANES]) {
    const bool half = o->kind == ISA_REG16;
    const unsigned reg = half ? o->reg / 2 : o->reg;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        value[lane] = half && o->reg % 2 != 0 ? warp->r[reg][lane] >> 16 : warp->r[reg][lane];
    return half ? warp->known[o->reg] : warp->known[2 * reg] & warp->known[2 * reg + 1];
}

static void note_result(struct collector *c, const struct row_space *row, const struct retire *r) {
    if (r->dst_kind == RETIRE_DST_NONE) return;
    for (uint32_t left = r->dst_mask; left != 0; left &= left - 1)
        mark(c, row->result + space_value_class(row->result_kind, r->dst[__builtin_ctz(left)]));
}

void note_values(struct collector *c, const struct warp_watch *warp, const struct word *w, const struct retire *r) {
    const struct row_space *row = w->row;
    uint32_t value[VALUE_SOURCES][WARP_LANES], known[VALUE_SOURCES] = {0};
    if (row->result == SPACE_NONE || !has_acted(w, r)) return;
    note_result(c, row, r);
    for (unsigned i = 0; i < VALUE_SOURCES; i++)
        if (row->source[i] != SPACE_NONE) known[i] = r->exec & source_of(warp, &w->insn.src[i], value[i]);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        unsigned class[VALUE_SOURCES] = {0};
        for (unsigned i = 0; i < VALUE_SOURCES; i++) {
            if ((known[i] >> lane & 1) == 0) continue;
            class[i] = space_value_class(row->source_kind[i], value[i][lane]);
            mark(c, row->source[i] + class[i]);
        }
        if (row->both != SPACE_NONE && (known[0] & known[1]) >> lane & 1)
            mark(c, row->both + class[0] * VALUE_CLASSES + class[1]);
        for (unsigned i = 0; i < w->crossed_count; i++)
            if ((known[row->crossed_source] >> lane & 1) != 0) mark(c, w->crossed[i] + class[row->crossed_source]);
    }
}

static void keep_word(struct warp_watch *warp, unsigned reg, uint32_t lanes, const uint32_t value[WARP_LANES]) {
    if (reg >= ISA_REGS) return;
    for (uint32_t left = lanes; left != 0; left &= left - 1)
        warp->r[reg][__builtin_ctz(left)] = value[__builtin_ctz(left)];
    warp->known[2 * reg] |= lanes;
    warp->known[2 * reg + 1] |= lanes;
}

static void keep_half(struct warp_watch *warp, unsigned half, uint32_t lanes, const uint32_t value[WARP_LANES]) {
    const unsigned shift = 16 * (half % 2);
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        uint32_t *r = &warp->r[half / 2][__builtin_ctz(left)];
        *r = (*r & ~((uint32_t)0xffff << shift)) | value[__builtin_ctz(left)] << shift;
    }
    warp->known[half] |= lanes;
}

void keep_registers(struct warp_watch *warp, const struct retire *r) {
    if (r->dst_kind == RETIRE_DST_REG16) keep_half(warp, r->dst_reg, r->dst_mask, r->dst);
    if (r->dst_kind != RETIRE_DST_REG32) return;
    keep_word(warp, r->dst_reg, r->dst_mask, r->dst);
    for (unsigned word = 1; word < retire_words(r); word++)
        keep_word(warp, r->dst_reg + word, r->dst_mask, r->dst_rest[word - 1]);
}
