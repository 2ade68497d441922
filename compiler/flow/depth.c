/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the depth of the warp stack at each block. SSY's entry is popped at the join, PBK's at the exit of the
 * loop, CAL's at the return. */
#include "cfg.h"

static void reach(uint32_t *depth, const struct ir_block *to, uint32_t value) {
    if (depth[to->number] == 0) depth[to->number] = value + 1;
}

static uint32_t leave(const struct ir_block *b, uint32_t *depth, uint32_t now, uint32_t *most) {
    for (const struct ir_insn *insn = b->first; insn != NULL; insn = insn->next) {
        if (insn->op == IR_PBK) reach(depth, insn->target, now);
        if (insn->op == IR_SSY || insn->op == IR_PBK) now++;
        if (insn->op == IR_SSY) reach(depth, insn->target, now);
        const uint32_t inside = insn->call != NULL ? 1 + insn->call->routine->depth : 0;
        if (now + inside > *most) *most = now + inside;
        if ((insn->flags & IR_JOIN) != 0) now--;
    }
    return now;
}

unsigned cfg_stack_depth(const struct ir *ir) {
    uint32_t *depth = CC_ARRAY(ir->cc, uint32_t, ir->order_count), most = 0; /* depth + 1; 0 if unknown */
    depth[ir->entry->number] = 1;
    for (size_t i = 0; i < ir->order_count; i++) {
        const struct ir_block *b = ir->order[i];
        const uint32_t now = leave(b, depth, depth[i] - 1, &most);
        for (unsigned k = 0; k < cfg_next_count(b); k++)
            if (!b->breaks[k]) reach(depth, b->next[k], now);
    }
    return most;
}
