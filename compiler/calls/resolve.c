/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which routines stay, that is, are not inlined: large ones with several calls. */
#include "../flow/cfg.h"
#include "../select/select.h"
#include "calls.h"

enum {
    SMALL = 24,                     /* instructions; a routine of this size is always inlined */
    GROWTH = 400,                   /* instructions that inlining may add */
    TEMPORARY = 4,                  /* registers reserved for moving arguments */
    MOST_STACK = IR_STACK_ROOM - 2, /* warp stack entries that a routine may need */
};

static bool fits(const struct ir_routine *r, unsigned most) {
    const size_t room = most - TEMPORARY;
    return r->input_count <= IR_ARGUMENTS && r->input_count <= room && r->output_count <= IR_RESULTS &&
           r->output_count <= room;
}

static size_t count_insns(const struct ir *ir) {
    size_t count = 0;
    for (size_t i = 0; i < ir->order_count; i++) {
        for (const struct ir_insn *insn = ir->order[i]->first; insn != NULL; insn = insn->next) count++;
        count += ir->order[i]->end == IR_BRANCH;
    }
    return count;
}

/* Adds up the callees of a kernel or routine: the warp stack entries that they need, and the depth of nested calls. */
static void add_up_callees(const struct ir *ir, struct ir_routine *sum) {
    for (size_t i = 0; i < ir->block_count; i++)
        for (const struct ir_insn *insn = ir->blocks[i]->first; insn != NULL; insn = insn->next) {
            const struct ir_routine *called = insn->call != NULL ? insn->call->routine : NULL;
            if (called == NULL) continue;
            sum->ends_threads |= called->ends_threads;
            if (called->need + called->stays > sum->need) sum->need = called->need + called->stays;
            if (called->height + called->stays > sum->height) sum->height = called->height + called->stays;
        }
}

static uint32_t depth_of_loops(struct ir *ir) {
    struct cfg_loops loops = {0};
    uint32_t depth = 0;
    cfg_find_loops(ir, &loops);
    for (size_t i = 0; i < loops.count; i++)
        if (loops.list[i]->depth > depth) depth = loops.list[i]->depth;
    return depth;
}

static void resolve(struct ir_routine *r, unsigned most) {
    add_up_callees(r->ir, r);
    calls_inline(r->ir);
    if (r->ends_threads) return;
    cfg_clean(r->ir);
    cfg_make_reducible(r->ir);
    r->loops = depth_of_loops(r->ir);
    r->need += r->loops;
    select_simplify(r->ir);
    r->size = count_insns(r->ir);
    const bool is_large = r->size > SMALL && r->size * (r->sites - 1) > GROWTH;
    r->stays = (is_large || r->ir->cc->options->no_inline) && r->need <= MOST_STACK && fits(r, most);
}

/* R0 is the first argument of each call, so its initial value moves to another register. */
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

/* Distributes the warp stack entries that loops and calls leave free to branches. Every routine on a call path gets
 * the same share. */
static void share_stack(struct ir *kernel, struct ir_routine *const *routines, size_t count) {
    struct ir_routine sum = {0};
    add_up_callees(kernel, &sum);
    const uint32_t need = sum.need + depth_of_loops(kernel);
    const uint32_t share = need < IR_STACK_ROOM ? (IR_STACK_ROOM - need) / (sum.height + 1) : 0;
    for (size_t i = 0; i < count; i++) {
        struct ir_routine *r = routines[i];
        r->ir->stack_room = r->need + (r->height + 1) * share;
    }
}

void calls_resolve(struct ir *kernel, struct ir_routine *const *routines, size_t count, unsigned most) {
    bool any = false;
    for (size_t i = 0; i < count; i++) resolve(routines[i], most);
    for (size_t i = 0; i < count; i++) any |= routines[i]->stays;
    calls_inline(kernel);
    if (!any) return;
    cfg_clean(kernel);
    cfg_make_reducible(kernel);
    share_stack(kernel, routines, count);
    for (size_t i = 0; i < count; i++) {
        if (!routines[i]->stays) continue;
        calls_place_values(routines[i]->ir);
        calls_place_ends(routines[i]);
    }
    calls_place_values(kernel);
    save_r0(kernel);
}
