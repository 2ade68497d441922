/* SPDX-License-Identifier: Apache-2.0 */
/* Which registers may differ between the threads of a warp that run together. They differ where they are computed from
 * the thread's number, from memory of its own, from what a routine is given or returns, or from one that differs; where
 * two paths that a divergent branch separates meet again and one has written them; and behind a loop that the threads
 * leave one by one. */
#include "cfg.h"

struct analysis {
    struct ir *ir;
    struct ir_insn **readers; /* of each register, by starts */
    size_t *starts;
    uint32_t *first_branch, *next_branch; /* blocks that end with a branch on a register, by number + 1 */
    ir_reg *work;
    size_t work_count, work_capacity;
    bool *spread; /* by block number: its branch has been looked at */
    struct ir_block **postdominator;
    uint32_t *side_stamp[2]; /* by block number: the last branch on whose ways it is, by either side */
    uint32_t stamp;
};

static void mark(struct analysis *a, ir_reg reg) {
    if (reg == 0 || a->ir->regs[reg].divergent) return;
    a->ir->regs[reg].divergent = true;
    CC_PUSH(a->ir->cc, a->work, a->work_count, a->work_capacity, reg);
}

static bool is_source(const struct ir_insn *insn) {
    switch (insn->op) {
    case IR_CAL:
    case IR_LLD:
    case IR_GATOM:
    case IR_S2R: return true;
    default: return false;
    }
}

static void mark_results(struct analysis *a, const struct ir_insn *insn) {
    ir_reg defs[IR_DEFS_MAX];
    const unsigned n = ir_defs(insn, defs);
    for (unsigned i = 0; i < n; i++) mark(a, defs[i]);
}

static void index_readers(struct analysis *a) {
    struct ir *ir = a->ir;
    ir_reg uses[IR_USES_MAX];
    size_t *next = CC_ARRAY(ir->cc, size_t, ir->reg_count + 1);
    a->starts = CC_ARRAY(ir->cc, size_t, ir->reg_count + 1);
    for (unsigned pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < ir->order_count; i++)
            for (struct ir_insn *insn = ir->order[i]->first; insn != NULL; insn = insn->next) {
                const unsigned n = ir_uses(insn, uses);
                for (unsigned k = 0; k < n; k++)
                    if (pass == 0)
                        a->starts[uses[k] + 1]++;
                    else
                        a->readers[next[uses[k]]++] = insn;
            }
        if (pass == 1) break;
        for (size_t r = 0; r < ir->reg_count; r++) a->starts[r + 1] += a->starts[r];
        for (size_t r = 0; r <= ir->reg_count; r++) next[r] = a->starts[r];
        a->readers = CC_ARRAY(ir->cc, struct ir_insn *, a->starts[ir->reg_count] + 1);
    }
}

static void index_branches(struct analysis *a) {
    struct ir *ir = a->ir;
    a->first_branch = CC_ARRAY(ir->cc, uint32_t, ir->reg_count);
    a->next_branch = CC_ARRAY(ir->cc, uint32_t, ir->order_count);
    for (uint32_t i = 0; i < ir->order_count; i++) {
        const struct ir_block *b = ir->order[i];
        if (b->end != IR_BRANCH) continue;
        a->next_branch[i] = a->first_branch[b->guard];
        a->first_branch[b->guard] = i + 1;
    }
}

/* Jumps back are left out, so all ways lead up; one that ends with a jump back meets the others at the end. */
static uint32_t common(const uint32_t *ip, uint32_t end, uint32_t x, uint32_t y) {
    while (x != y) {
        uint32_t *lower = x < y ? &x : &y;
        *lower = ip[*lower] == UINT32_MAX ? end : ip[*lower];
    }
    return x;
}

/* Immediate postdominators of all blocks; the end of the kernel is NULL. */
static void find_postdominators(struct analysis *a) {
    struct ir *ir = a->ir;
    const uint32_t n = (uint32_t)ir->order_count;
    uint32_t *ip = CC_ARRAY(ir->cc, uint32_t, n + 1);
    for (uint32_t i = 0; i <= n; i++) ip[i] = UINT32_MAX;
    ip[n] = n;
    for (uint32_t i = n; i-- > 0;) {
        const struct ir_block *b = ir->order[i];
        uint32_t d = b->end == IR_RETURN ? n : UINT32_MAX;
        for (unsigned k = 0; k < cfg_next_count(b); k++) {
            const uint32_t x = b->next[k]->number;
            if (x > i) d = d == UINT32_MAX ? x : common(ip, n, x, d);
        }
        ip[i] = d;
    }
    a->postdominator = CC_ARRAY(ir->cc, struct ir_block *, n);
    for (uint32_t i = 0; i < n; i++) a->postdominator[i] = ip[i] < n ? ir->order[ip[i]] : NULL;
}

static void mark_join(struct analysis *a, const struct ir_block *join, const uint32_t *written, uint32_t stamp) {
    for (size_t i = 0; i < join->live_in_count; i++)
        if (written[join->live_in[i]] == stamp) mark(a, join->live_in[i]);
}

static void note_written(const struct ir_block *b, uint32_t *written, uint32_t stamp) {
    ir_reg defs[IR_DEFS_MAX];
    for (const struct ir_insn *insn = b->first; insn != NULL; insn = insn->next) {
        const unsigned n = ir_defs(insn, defs);
        for (unsigned i = 0; i < n; i++) written[defs[i]] = stamp;
    }
}

/* What a loop that is left one by one has written and what is read behind it. */
static void mark_loop_results(struct analysis *a, const struct ir_loop *loop, uint32_t *written) {
    const uint32_t stamp = ++a->stamp;
    for (size_t i = 0; i < loop->block_count; i++) note_written(loop->blocks[i], written, stamp);
    for (size_t i = 0; i < loop->block_count; i++) {
        const struct ir_block *b = loop->blocks[i];
        for (unsigned k = 0; k < cfg_next_count(b); k++)
            if (!cfg_in_loop(b->next[k], loop)) mark_join(a, b->next[k], written, stamp);
    }
}

/* All blocks on the ways from one side of a branch to where all ways meet, which comes last if any gets there. Ways do
 * not lead through the branch again. */
static size_t follow_side(struct analysis *a, const struct ir_block *branch, unsigned side, uint32_t *written,
                          struct ir_block **work) {
    const struct ir_block *end = a->postdominator[branch->number];
    uint32_t *seen = a->side_stamp[side];
    size_t count = 0;
    if (branch->next[side] != branch) seen[branch->next[side]->number] = a->stamp, work[count++] = branch->next[side];
    for (size_t i = 0; i < count; i++) {
        struct ir_block *b = work[i];
        if (b == end) continue;
        note_written(b, written, a->stamp);
        for (unsigned k = 0; k < cfg_next_count(b); k++) {
            struct ir_block *to = b->next[k];
            if (to == branch || seen[to->number] == a->stamp) continue;
            seen[to->number] = a->stamp;
            work[count++] = to;
        }
    }
    return count;
}

/* Where ways of both sides meet, what was written on one of them differs; this takes all that was written anywhere on
 * the way. What one side alone reaches is the same in all threads that come there. */
static void spread_branch(struct analysis *a, struct ir_block *branch, uint32_t *written, struct ir_block **work) {
    const struct ir_block *end = a->postdominator[branch->number];
    const uint32_t stamp = ++a->stamp;
    follow_side(a, branch, 0, written, work);
    const size_t count = follow_side(a, branch, 1, written, work);
    for (size_t i = 0; i < count; i++)
        if (a->side_stamp[0][work[i]->number] == stamp) mark_join(a, work[i], written, stamp);
    const struct ir_loop *loop = branch->loop;
    for (; loop != NULL; loop = loop->parent)
        if (end == NULL || !cfg_in_loop(end, loop)) mark_loop_results(a, loop, written);
}

void cfg_find_divergence(struct ir *ir, const struct cfg_loops *loops) {
    struct analysis a = {.ir = ir};
    uint32_t *written = CC_ARRAY(ir->cc, uint32_t, ir->reg_count);
    struct ir_block **work = CC_ARRAY(ir->cc, struct ir_block *, 4 * ir->order_count + 4);
    (void)loops;
    for (size_t r = 0; r < ir->reg_count; r++) ir->regs[r].divergent = false;
    a.spread = CC_ARRAY(ir->cc, bool, ir->order_count);
    for (unsigned side = 0; side < 2; side++) a.side_stamp[side] = CC_ARRAY(ir->cc, uint32_t, ir->order_count);
    index_readers(&a);
    index_branches(&a);
    find_postdominators(&a);
    for (ir_reg r = 1; r < ir->reg_count; r++) /* R0 of a kernel, the inputs of a routine */
        if (ir->regs[r].fixed >= 0) mark(&a, r);
    for (size_t i = 0; i < ir->order_count; i++)
        for (const struct ir_insn *insn = ir->order[i]->first; insn != NULL; insn = insn->next)
            if (is_source(insn)) mark_results(&a, insn);
    while (a.work_count > 0) {
        const ir_reg reg = a.work[--a.work_count];
        for (size_t i = a.starts[reg]; i < a.starts[reg + 1]; i++) mark_results(&a, a.readers[i]);
        for (uint32_t k = a.first_branch[reg]; k != 0; k = a.next_branch[k - 1]) {
            if (a.spread[k - 1]) continue;
            a.spread[k - 1] = true;
            spread_branch(&a, ir->order[k - 1], written, work);
        }
    }
}

bool cfg_is_divergent(const struct ir *ir, const struct ir_block *block) {
    return block->end == IR_BRANCH && ir->regs[block->guard].divergent;
}
