/* SPDX-License-Identifier: Apache-2.0 */
/* Divergence analysis: finds registers that may differ between threads of a warp that run together. Sources are
 * thread numbers, local memory, atomics, arguments and results of routines. A register also diverges if it is
 * computed from a divergent one, if it is written on a path between a divergent branch and its join, or if it is
 * written in a loop that threads leave one by one and read behind it. */
#include "cfg.h"
#include "frontier.h"

/* Blocks that write a register, by position in the dominator tree, ascending. */
struct writers {
    uint32_t *list;
    size_t count, capacity;
};

struct analysis {
    struct ir *ir;
    struct ir_insn **readers; /* readers of register r: from starts[r] up to starts[r + 1] */
    size_t *starts;
    uint32_t *first_branch, *next_branch; /* list of the blocks that branch on a register, by number + 1 */
    ir_reg *work;
    size_t work_count, work_capacity;
    bool *spread; /* by block number: its branch has been processed */
    struct ir_block **postdominator;
    /* for each side of a branch, by block number: stamp of the last branch that reaches the block on that side */
    uint32_t *side_stamp[2];
    uint32_t stamp;
    struct frontier frontier; /* by block number */
    struct writers *writers;  /* by register */
    uint32_t *entries;        /* by block number: number of forward edges to it */
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

/* ---- joins ---- */

/* Returns the nearest common postdominator of x and y. Back edges are left out, so numbers ascend along every path. */
static uint32_t common(const uint32_t *ip, uint32_t end, uint32_t x, uint32_t y) {
    while (x != y) {
        uint32_t *lower = x < y ? &x : &y;
        *lower = ip[*lower] == UINT32_MAX ? end : ip[*lower];
    }
    return x;
}

/* Returns the common postdominator of all exits of the loop of b, a block that ends with a back edge. */
static uint32_t behind_loop(const uint32_t *ip, uint32_t end, const struct ir_block *b) {
    const struct ir_loop *loop = b->loop;
    uint32_t d = UINT32_MAX;
    for (size_t i = 0; loop != NULL && i < loop->exit_count; i++) {
        const uint32_t x = loop->exits[i].block->next[loop->exits[i].way]->number;
        if (x <= b->number) return end;
        d = d == UINT32_MAX ? x : common(ip, end, x, d);
    }
    return d == UINT32_MAX ? end : d;
}

/* Finds the immediate postdominators of all blocks; NULL for the end of the kernel. */
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
        ip[i] = d == UINT32_MAX ? behind_loop(ip, n, b) : d;
    }
    a->postdominator = CC_ARRAY(ir->cc, struct ir_block *, n);
    for (uint32_t i = 0; i < n; i++) a->postdominator[i] = ip[i] < n ? ir->order[ip[i]] : NULL;
}

static void find_frontiers(struct analysis *a) {
    struct ir *ir = a->ir;
    struct frontier *f = &a->frontier;
    struct frontier_edge *edges = NULL;
    size_t count = 0, capacity = 0;
    f->count = (uint32_t)ir->order_count;
    f->nodes = CC_ARRAY(ir->cc, struct frontier_node, f->count);
    a->entries = CC_ARRAY(ir->cc, uint32_t, f->count);
    for (uint32_t i = 0; i < f->count; i++) {
        const struct ir_block *b = ir->order[i];
        f->nodes[i].dominator = b->dominator->number;
        for (unsigned k = 0; k < cfg_next_count(b); k++) {
            const struct frontier_edge edge = {i, b->next[k]->number};
            if (edge.to <= i) continue;
            a->entries[edge.to]++;
            CC_PUSH(ir->cc, edges, count, capacity, edge);
        }
    }
    frontier_find(ir->cc, f, edges, count);
}

static void find_writers(struct analysis *a) {
    struct ir *ir = a->ir;
    struct ir_block **by_place = CC_ARRAY(ir->cc, struct ir_block *, ir->order_count);
    ir_reg defs[IR_DEFS_MAX];
    a->writers = CC_ARRAY(ir->cc, struct writers, ir->reg_count);
    for (size_t i = 0; i < ir->order_count; i++) by_place[a->frontier.nodes[i].first] = ir->order[i];
    for (uint32_t place = 0; place < ir->order_count; place++)
        for (const struct ir_insn *insn = by_place[place]->first; insn != NULL; insn = insn->next) {
            const unsigned n = ir_defs(insn, defs);
            for (unsigned i = 0; i < n; i++) {
                struct writers *w = &a->writers[defs[i]];
                if (w->count == 0 || w->list[w->count - 1] != place)
                    CC_PUSH(ir->cc, w->list, w->count, w->capacity, place);
            }
        }
}

/* Returns whether a block with position in [from, to) writes the register. */
static bool is_written(const struct writers *w, uint32_t from, uint32_t to) {
    size_t low = 0, high = w->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (w->list[middle] < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low < w->count && w->list[low] < to;
}

/* ---- marking ---- */

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

/* Marks registers that the loop writes and that are read behind it. Threads leave the loop one by one. */
static void mark_loop_results(struct analysis *a, struct ir_loop *loop, uint32_t *written) {
    const uint32_t stamp = ++a->stamp;
    if (loop->spread) return;
    loop->spread = true;
    for (size_t i = 0; i < loop->block_count; i++) note_written(loop->blocks[i], written, stamp);
    for (size_t i = 0; i < loop->exit_count; i++)
        mark_join(a, loop->exits[i].block->next[loop->exits[i].way], written, stamp);
}

/* Collects all blocks between one side of a branch and its postdominator, which is included and is last. Paths do
 * not pass the branch again. Returns their number. */
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

/* Returns whether the branch dominates all blocks between itself and its postdominator, and no path leaves a loop. */
static bool is_closed(const struct analysis *a, const struct ir_block *branch, const struct ir_block *end) {
    const struct frontier_node *n = &a->frontier.nodes[branch->number];
    if (end == NULL || (branch->loop != NULL && !cfg_in_loop(end, branch->loop))) return false;
    for (size_t i = 0; i < n->count; i++)
        if (n->list[i] < end->number) return false;
    return true;
}

/* Marks registers live at a join that are written between the branch and its postdominator. */
static void mark_between(struct analysis *a, const struct ir_block *branch, const struct ir_block *end,
                         const struct ir_block *join) {
    const struct frontier_node *b = &a->frontier.nodes[branch->number], *e = &a->frontier.nodes[end->number];
    const uint32_t last = b->first + b->size;
    const bool is_below = frontier_dominates(&a->frontier, branch->number, end->number);
    const uint32_t low = is_below ? e->first : last, high = is_below ? e->first + e->size : last;
    for (size_t i = 0; i < join->live_in_count; i++) {
        const struct writers *w = &a->writers[join->live_in[i]];
        if (is_written(w, b->first + 1, low) || is_written(w, high, last)) mark(a, join->live_in[i]);
    }
}

/* If the branch dominates the whole region, paths first meet in blocks that it immediately dominates. Behind these
 * blocks both sides are the same path, until the postdominator. */
static void spread_closed(struct analysis *a, const struct ir_block *branch, const struct ir_block *end) {
    const struct frontier_node *nodes = a->frontier.nodes;
    for (uint32_t c = nodes[branch->number].first_child; c != 0; c = nodes[c - 1].sibling)
        if (a->entries[c - 1] > 1 && c - 1 != end->number) mark_between(a, branch, end, a->ir->order[c - 1]);
    mark_between(a, branch, end, end);
}

/* Marks registers at the joins of both sides of a branch: all that are written on any path in between. A block that
 * only one side reaches stays uniform. */
static void spread_branch(struct analysis *a, struct ir_block *branch, uint32_t *written, struct ir_block **work) {
    const struct ir_block *end = a->postdominator[branch->number];
    if (is_closed(a, branch, end)) {
        spread_closed(a, branch, end);
        return;
    }
    const uint32_t stamp = ++a->stamp;
    follow_side(a, branch, 0, written, work);
    const size_t count = follow_side(a, branch, 1, written, work);
    for (size_t i = 0; i < count; i++)
        if (a->side_stamp[0][work[i]->number] == stamp) mark_join(a, work[i], written, stamp);
    struct ir_loop *loop = branch->loop;
    for (; loop != NULL && (end == NULL || !cfg_in_loop(end, loop)); loop = loop->parent)
        mark_loop_results(a, loop, written);
}

void cfg_find_divergence(struct ir *ir, const struct cfg_loops *loops) {
    struct analysis a = {.ir = ir};
    uint32_t *written = CC_ARRAY(ir->cc, uint32_t, ir->reg_count);
    struct ir_block **work = CC_ARRAY(ir->cc, struct ir_block *, 4 * ir->order_count + 4);
    for (size_t i = 0; i < loops->count; i++) loops->list[i]->spread = false;
    for (size_t r = 0; r < ir->reg_count; r++) ir->regs[r].divergent = false;
    a.spread = CC_ARRAY(ir->cc, bool, ir->order_count);
    for (unsigned side = 0; side < 2; side++) a.side_stamp[side] = CC_ARRAY(ir->cc, uint32_t, ir->order_count);
    index_readers(&a);
    index_branches(&a);
    find_postdominators(&a);
    find_frontiers(&a);
    find_writers(&a);
    for (ir_reg r = 1; r < ir->reg_count; r++) /* R0 of a kernel, inputs of a routine */
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
