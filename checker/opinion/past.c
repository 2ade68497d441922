/* SPDX-License-Identifier: Apache-2.0 */
#include "past.h"

#include <stdlib.h>
#include <string.h>

bool past_create(struct past *p, const struct machine *machine, unsigned registers) {
    *p = (struct past){.sms = machine->sms, .warps = machine->warps, .registers = registers};
    p->value = calloc((size_t)p->sms * p->warps * registers + 1, sizeof *p->value);
    return p->value != NULL;
}

void past_destroy(struct past *p) { free(p->value); }

static struct past_value *find(const struct past *p, const struct retire *r, unsigned reg) {
    if (r->sm >= p->sms || r->slot >= p->warps || reg >= p->registers) return NULL;
    return &p->value[((size_t)r->sm * p->warps + r->slot) * p->registers + reg];
}

void past_begin(struct past *p, const struct retire *r) {
    struct past_value *first = find(p, r, 0);
    if (first != NULL) memset(first, 0, p->registers * sizeof *first);
}

static void note(struct past_value *to, const uint32_t before[WARP_LANES], uint32_t lanes, uint32_t pc) {
    to->lanes |= lanes;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if ((lanes >> lane & 1) == 0) continue;
        to->value[lane] = before[lane];
        to->pc[lane] = pc;
    }
}

void past_note(struct past *p, const struct model_saved *before, const struct retire *r) {
    if (r->dst_kind == RETIRE_DST_NONE) return;
    const unsigned first = r->dst_kind == RETIRE_DST_REG16 ? r->dst_reg / 2 : r->dst_reg;
    for (unsigned reg = first; reg < first + retire_words(r); reg++) {
        struct past_value *to = find(p, r, reg);
        if (to != NULL) note(to, before->reg[reg], r->dst_mask, r->pc);
    }
}

const struct past_value *past_of(const struct past *p, const struct retire *r, unsigned reg) { return find(p, r, reg); }
