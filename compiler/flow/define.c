/* SPDX-License-Identifier: Apache-2.0 */
/* Defines registers that clang leaves undefined but that are read on some path, for instance by a selection. A
 * register written under a guard is assumed to be read only under the same guard. */
#include "../ir/live.h"
#include "cfg.h"

static void set_fresh(const struct ir *ir, bool *was_fresh, bool restore) {
    size_t at = 0;
    for (size_t i = 0; i < ir->order_count; i++)
        for (struct ir_insn *insn = ir->order[i]->first; insn != NULL; insn = insn->next, at++) {
            if (!restore) was_fresh[at] = (insn->flags & IR_FRESH) != 0;
            if (!restore) insn->flags |= IR_FRESH;
            if (restore && !was_fresh[at]) insn->flags &= (uint16_t)~IR_FRESH;
        }
}

static size_t count_insns(const struct ir *ir) {
    size_t count = 0;
    for (size_t i = 0; i < ir->order_count; i++)
        for (const struct ir_insn *insn = ir->order[i]->first; insn != NULL; insn = insn->next) count++;
    return count;
}

void cfg_define(struct ir *ir) {
    bool *was_fresh = CC_ARRAY(ir->cc, bool, count_insns(ir));
    struct ir_block *old = ir->entry, *entry = NULL;
    set_fresh(ir, was_fresh, false);
    ir_find_live(ir);
    set_fresh(ir, was_fresh, true);
    for (size_t i = 0; i < old->live_in_count; i++) {
        const ir_reg reg = old->live_in[i];
        if (ir->regs[reg].cls != IR_R || ir->regs[reg].fixed >= 0) continue;
        if (entry == NULL) entry = ir_new_block(ir);
        struct ir_insn *zero = ir_append(ir, entry, IR_MOV);
        zero->place = old->place;
        zero->dst = reg;
        zero->src[0] = ir_imm(0);
    }
    if (entry == NULL) return;
    entry->end = IR_JUMP;
    entry->next[0] = old;
    ir->entry = entry;
    cfg_order(ir);
}
