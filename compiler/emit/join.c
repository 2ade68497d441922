/* SPDX-License-Identifier: Apache-2.0 */
/* Replaces a join (NOP.S) by the marker .S on the first instruction of the next block, if that instruction can carry
 * it and the block has no other predecessor. Each thread still executes the instruction once, together with the
 * threads that it arrived with. */
#include "emit.h"

static bool is_join(const struct ir_block *b) {
    return b->first != NULL && b->first == b->last && b->first->op == IR_NOP && (b->first->flags & IR_JOIN) != 0 &&
           b->end == IR_JUMP;
}

static bool can_mark(const struct ir *ir, const struct ir_insn *insn) {
    switch (insn->op) {
    case IR_NOP:
    case IR_R2G:
    case IR_R2A:
    case IR_A2R:
    case IR_ADA:
    case IR_S2R:
    case IR_C2R:
    case IR_R2C: return false;
    case IR_MOV: return insn->src[0].kind != IR_IMM;
    default: break;
    }
    struct ir_insn marked = *insn;
    marked.flags |= IR_JOIN;
    return emit_can_end(ir, &marked);
}

void emit_merge_joins(struct ir *ir) {
    for (size_t i = 0; i < ir->order_count; i++) {
        struct ir_block *b = ir->order[i], *next = b->next[0];
        if (!is_join(b) || next->previous_count != 1 || next->first == NULL || !can_mark(ir, next->first)) continue;
        struct ir_insn *insn = next->first;
        next->first = insn->next;
        if (insn->next != NULL)
            insn->next->prev = NULL;
        else
            next->last = NULL;
        insn->flags |= IR_JOIN;
        insn->prev = insn->next = NULL;
        insn->block = b;
        b->first = b->last = insn;
    }
}
