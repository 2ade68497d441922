/* SPDX-License-Identifier: Apache-2.0 */
/* Reserved homes, see alloc.h. */
#include "alloc.h"

static void reserve(struct ir *ir, struct alloc_reserved *home, uint32_t start, uint32_t end) {
    if (home->bits == NULL) home->bits = CC_ARRAY(ir->cc, uint64_t, home->words);
    for (uint32_t at = start; at < end;) {
        const uint32_t bit = at % 64, count = end - at < 64 - bit ? end - at : 64 - bit;
        home->bits[at / 64] |= (UINT64_MAX >> (64 - count)) << bit;
        at += count;
    }
}

static bool is_taken(const struct alloc_reserved *home, uint32_t start, uint32_t end) {
    for (uint32_t at = start; at < end;) {
        const uint32_t bit = at % 64, count = end - at < 64 - bit ? end - at : 64 - bit;
        if ((home->bits[at / 64] & (UINT64_MAX >> (64 - count)) << bit) != 0) return true;
        at += count;
    }
    return false;
}

void alloc_reserve(struct ir *ir, struct alloc_reserved *home, const struct alloc_range *r) {
    for (size_t i = 0; i < r->count; i++) reserve(ir, home, r->pieces[i].start, r->pieces[i].end);
}

bool alloc_is_reserved(const struct alloc_reserved *home, const struct alloc_range *r) {
    for (size_t i = 0; home->bits != NULL && i < r->count; i++)
        if (is_taken(home, r->pieces[i].start, r->pieces[i].end)) return true;
    return false;
}

/* A call overwrites its registers at the position at which its results are written. */
static void reserve_call(struct ir *ir, const struct ir_insn *insn, struct alloc_reserved (*homes)[ALLOC_HOMES]) {
    const struct ir_routine *r = insn->call->routine;
    const uint32_t at = insn->order * 2 + 1;
    for (unsigned k = 0; k < r->registers; k++) reserve(ir, &homes[IR_R][k], at, at + 1);
    for (unsigned k = 0; k < 4; k++)
        if ((r->flags >> k & 1) != 0) reserve(ir, &homes[IR_C][k], at, at + 1);
    for (unsigned k = 0; k < 5; k++)
        if ((r->addresses >> k & 1) != 0) reserve(ir, &homes[IR_A][k], at, at + 1);
}

void alloc_find_reserved(struct ir *ir, const struct alloc_range *ranges, struct alloc_reserved (*homes)[ALLOC_HOMES]) {
    const uint32_t end = ir->order[ir->order_count - 1]->last_order * 2 + 4;
    for (unsigned cls = 0; cls < IR_CLASSES; cls++)
        for (unsigned k = 0; k < ALLOC_HOMES; k++) homes[cls][k] = (struct alloc_reserved){NULL, end / 64 + 1};
    for (ir_reg r = 1; r < ir->reg_count; r++)
        if (ranges[r].fixed >= 0) alloc_reserve(ir, &homes[ir->regs[r].cls][ranges[r].fixed], &ranges[r]);
    for (size_t i = 0; i < ir->order_count; i++)
        for (const struct ir_insn *insn = ir->order[i]->first; insn != NULL; insn = insn->next)
            if (insn->call != NULL) reserve_call(ir, insn, homes);
}
