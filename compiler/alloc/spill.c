/* SPDX-License-Identifier: Apache-2.0 */
/* Spill code. R registers go to local memory, flags and address registers to R registers. Each access gets a
 * register that is live only at that instruction. */
#include "alloc.h"

struct spill {
    struct ir *ir;
    const bool *is_spilled;
    const ir_reg *root;
    uint32_t *slot; /* of R registers, by root: byte offset in local memory + 1 */
    ir_reg *keeper; /* of flags and address registers, by root: the R register that keeps the value */
};

static uint32_t slot_of(struct spill *s, ir_reg reg) {
    uint32_t *slot = &s->slot[s->root[reg]];
    if (*slot != 0) return *slot - 1;
    const uint32_t at = (s->ir->local_bytes + 3) / 4 * 4;
    s->ir->local_bytes = at + 4;
    *slot = at + 1;
    return at;
}

static ir_reg keeper_of(struct spill *s, ir_reg reg) {
    ir_reg *keeper = &s->keeper[s->root[reg]];
    if (*keeper == 0) {
        *keeper = ir_new_reg(s->ir, IR_R);
        s->ir->regs[*keeper].uses = UINT32_MAX; /* long-lived, so it may be spilled itself */
    }
    return *keeper;
}

static void fetch(struct spill *s, struct ir_insn *insn, ir_reg reg, ir_reg temporary) {
    static const enum ir_op OP[IR_CLASSES] = {IR_LLD, IR_R2C, IR_R2A};
    const uint8_t cls = s->ir->regs[reg].cls;
    const ir_reg keeper = cls != IR_R ? keeper_of(s, reg) : 0;
    struct ir_insn *load = ir_insert(s->ir, insn, OP[cls]);
    load->src[0] = keeper != 0 ? ir_use(keeper) : ir_shared(slot_of(s, reg), IR_B32);
    if (cls == IR_R) load->size = IR_SIZE_U32;
    if (cls == IR_C)
        load->fdst = temporary;
    else
        load->dst = temporary;
}

static void put_behind(struct spill *s, struct ir_insn *insn, ir_reg reg, ir_reg temporary) {
    static const enum ir_op OP[IR_CLASSES] = {IR_LST, IR_C2R, IR_A2R};
    const uint8_t cls = s->ir->regs[reg].cls;
    struct ir_insn *store =
        insn->next != NULL ? ir_insert(s->ir, insn->next, OP[cls]) : ir_append(s->ir, insn->block, OP[cls]);
    store->place = insn->place;
    if (cls != IR_R) store->dst = keeper_of(s, reg);
    if (cls == IR_C) {
        store->carry = temporary;
    } else if (cls == IR_A) {
        store->src[0] = ir_use(temporary);
    } else {
        store->src[0] = ir_shared(slot_of(s, reg), IR_B32);
        store->src[1] = ir_use(temporary);
        store->size = IR_SIZE_U32;
    }
}

static void replace(struct ir_insn *insn, ir_reg reg, ir_reg by) {
    for (unsigned i = 0; i < 3; i++)
        if (insn->src[i].reg == reg) insn->src[i].reg = by;
    if (insn->guard == reg) insn->guard = by;
    if (insn->carry == reg) insn->carry = by;
    if (insn->dst == reg) insn->dst = by;
    if (insn->fdst == reg) insn->fdst = by;
    for (unsigned i = 0; i < IR_MORE; i++)
        if (insn->more[i] == reg) insn->more[i] = by;
}

static ir_reg temporary_for(struct spill *s, ir_reg reg) {
    const ir_reg t = ir_new_reg(s->ir, (enum ir_class)s->ir->regs[reg].cls);
    s->ir->regs[t].low = s->ir->regs[reg].low;
    return t;
}

static void spill_insn(struct spill *s, struct ir_insn *insn) {
    ir_reg uses[IR_USES_MAX], defs[IR_DEFS_MAX];
    const unsigned use_count = ir_uses(insn, uses), def_count = ir_defs(insn, defs);
    for (unsigned i = 0; i < use_count; i++) {
        if (uses[i] == 0 || !s->is_spilled[uses[i]]) continue;
        const ir_reg reg = uses[i], t = temporary_for(s, reg);
        bool is_written = false;
        fetch(s, insn, reg, t);
        for (unsigned k = 0; k < def_count; k++)
            if (defs[k] == reg) is_written = true, defs[k] = 0;
        for (unsigned k = i; k < use_count; k++)
            if (uses[k] == reg) uses[k] = 0;
        replace(insn, reg, t);
        if (is_written) put_behind(s, insn, reg, t);
    }
    for (unsigned i = 0; i < def_count; i++) {
        if (defs[i] == 0 || !s->is_spilled[defs[i]]) continue;
        const ir_reg reg = defs[i], t = temporary_for(s, reg);
        replace(insn, reg, t);
        put_behind(s, insn, reg, t);
    }
}

/* Puts a copy before a wide store, or behind a wide load, and returns the register that the access then uses. */
static ir_reg split_word(struct ir *ir, struct ir_insn *insn, ir_reg word) {
    const bool is_store = insn->op == IR_GST;
    const ir_reg own = ir_new_reg(ir, IR_R);
    struct ir_insn *copy = is_store             ? ir_insert(ir, insn, IR_MOV)
                           : insn->next != NULL ? ir_insert(ir, insn->next, IR_MOV)
                                                : ir_append(ir, insn->block, IR_MOV);
    copy->place = insn->place;
    copy->dst = is_store ? own : word;
    copy->src[0] = ir_use(is_store ? word : own);
    return own;
}

void alloc_split_groups(struct ir *ir) {
    for (size_t b = 0; b < ir->order_count; b++)
        for (struct ir_insn *insn = ir->order[b]->first; insn != NULL; insn = insn->next) {
            if (insn->more[0] == 0) continue;
            ir_reg *first = insn->op == IR_GST ? &insn->src[1].reg : &insn->dst;
            *first = split_word(ir, insn, *first);
            for (unsigned i = 0; i < IR_MORE && insn->more[i] != 0; i++)
                insn->more[i] = split_word(ir, insn, insn->more[i]);
        }
}

/* Reloads the guard of the branch at the end of the block. */
static void spill_end(struct spill *s, struct ir_block *b) {
    if (b->end != IR_BRANCH || !s->is_spilled[b->guard]) return;
    const ir_reg t = temporary_for(s, b->guard), keeper = keeper_of(s, b->guard);
    struct ir_insn *load = ir_append(s->ir, b, IR_R2C);
    load->place = b->place;
    load->src[0] = ir_use(keeper);
    load->fdst = t;
    b->guard = t;
}

/* Clears a spilled register that is live at the entry, because a guarded write may leave it undefined. */
static void clear_at_start(struct spill *s, ir_reg reg) {
    const bool is_kept = s->ir->regs[reg].cls != IR_R;
    struct ir_block *entry = s->ir->entry;
    struct ir_insn *first = entry->first;
    if (reg == s->ir->r0) return;
    struct ir_insn *zero = first != NULL ? ir_insert(s->ir, first, IR_MOV) : ir_append(s->ir, entry, IR_MOV);
    zero->src[0] = ir_imm(0);
    zero->dst = is_kept ? keeper_of(s, reg) : temporary_for(s, reg);
    if (!is_kept) put_behind(s, zero, reg, zero->dst);
}

void alloc_spill(struct ir *ir, const bool *is_spilled, const ir_reg *root) {
    struct spill s = {ir, is_spilled, root, CC_ARRAY(ir->cc, uint32_t, ir->reg_count),
                      CC_ARRAY(ir->cc, ir_reg, ir->reg_count)};
    for (size_t i = 0; i < ir->order_count; i++) {
        for (struct ir_insn *insn = ir->order[i]->first, *next; insn != NULL; insn = next) {
            next = insn->next;
            spill_insn(&s, insn);
        }
        spill_end(&s, ir->order[i]);
    }
    for (size_t i = 0; i < ir->entry->live_in_count; i++)
        if (is_spilled[ir->entry->live_in[i]]) clear_at_start(&s, ir->entry->live_in[i]);
}
