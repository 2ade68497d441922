/* SPDX-License-Identifier: Apache-2.0 */
/* Which routines stay: large ones that are called several times. */
#include "../flow/cfg.h"
#include "../select/select.h"
#include "calls.h"

enum {
    SMALL = 24,    /* instructions: no larger than what a call takes */
    GROWTH = 400,  /* instructions: so many more are no reason for a call */
    TEMPORARY = 4, /* registers that moving arguments may need */
    HIGHEST = 8,   /* calls inside of calls: each takes some of the warp stack */
};

static bool fits(const struct ir_routine *r, unsigned most) {
    const unsigned arguments = most - TEMPORARY < IR_ARGUMENTS ? most - TEMPORARY : IR_ARGUMENTS;
    const unsigned results = arguments < IR_RESULTS ? arguments : IR_RESULTS;
    return r->input_count <= arguments && r->output_count <= results;
}

static size_t count_insns(const struct ir *ir) {
    size_t count = 0;
    for (size_t i = 0; i < ir->order_count; i++) {
        for (const struct ir_insn *insn = ir->order[i]->first; insn != NULL; insn = insn->next) count++;
        count += ir->order[i]->end == IR_BRANCH;
    }
    return count;
}

/* What holds of a routine because of those that it calls. */
static void look_at_calls(struct ir_routine *r) {
    for (size_t i = 0; i < r->ir->block_count; i++)
        for (const struct ir_insn *insn = r->ir->blocks[i]->first; insn != NULL; insn = insn->next) {
            const struct ir_routine *called = insn->call != NULL ? insn->call->routine : NULL;
            if (called == NULL) continue;
            r->ends_threads |= called->ends_threads;
            if (called->height + called->stays > r->height) r->height = called->height + called->stays;
        }
}

static void resolve(struct ir_routine *r, unsigned most) {
    look_at_calls(r);
    calls_inline(r->ir);
    if (r->ends_threads) return;
    cfg_clean(r->ir);
    select_simplify(r->ir);
    r->size = count_insns(r->ir);
    const bool is_large = r->size > SMALL && r->size * (r->sites - 1) > GROWTH;
    r->stays = (is_large || r->ir->cc->options->no_inline) && r->height < HIGHEST && fits(r, most);
}

/* R0 is the first argument of each call: what it holds at the start goes elsewhere. */
static void save_r0(struct ir *ir) {
    const ir_reg start = ir_new_reg(ir, IR_R);
    ir->regs[start].fixed = 0;
    ir->regs[start].low = true;
    ir->regs[ir->r0].fixed = -1;
    struct ir_block *entry = ir_new_block(ir);
    struct ir_insn *move = ir_append(ir, entry, IR_MOV);
    move->src[0] = ir_use(start);
    move->dst = ir->r0;
    entry->end = IR_JUMP;
    entry->next[0] = ir->entry;
    ir->entry = entry;
    ir->r0 = start;
}

void calls_resolve(struct ir *kernel, struct ir_routine *const *routines, size_t count, unsigned most) {
    bool any = false;
    for (size_t i = 0; i < count; i++) resolve(routines[i], most);
    for (size_t i = 0; i < count; i++) any |= routines[i]->stays;
    calls_inline(kernel);
    if (!any) return;
    for (size_t i = 0; i < count; i++) {
        if (!routines[i]->stays) continue;
        calls_place_values(routines[i]->ir);
        calls_place_ends(routines[i]);
    }
    calls_place_values(kernel);
    save_r0(kernel);
}
