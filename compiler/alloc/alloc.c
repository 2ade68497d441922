/* SPDX-License-Identifier: Apache-2.0 */
/* Linear scan. Ranges are visited by their start, and each gets the lowest register that is free for its whole
 * length. Copies are coalesced first, unless one side is written while the other holds a different value. */
#include "alloc.h"

#include <stdlib.h>
#include <string.h>

#include "../flow/cfg.h"
#include "../ir/live.h"

enum { ROUNDS = 60, LOW_HOMES = 64 };

struct home {
    struct alloc_range **list; /* ranges that have not ended */
    size_t count, capacity;
};

/* How copies are coalesced. The next value is tried after an allocation fails: all copies; only those between ranges
 * that can both be spilled; the same, with copies inserted so that the words of a group can be spilled. */
enum effort { COALESCE_ALL, COALESCE_SPILLABLE, SPLIT_GROUPS };

struct alloc {
    struct ir *ir;
    struct alloc_range *ranges;
    ir_reg *root;
    struct home homes[IR_CLASSES][ALLOC_HOMES];
    struct alloc_reserved reserved[IR_CLASSES][ALLOC_HOMES];
    unsigned most[IR_CLASSES];
    bool any_spilled;
    enum effort effort;
    bool has_failed;
    unsigned spared; /* so many registers below LOW_HOMES go last to ranges that do not need one */
    size_t temporary_from;
};

static ir_reg root_of(struct alloc *a, ir_reg r) { return alloc_root(a->root, r); }

/* ---- copies ---- */

struct copy {
    const struct ir_insn *insn;
    uint32_t depth, order;
};

static int deeper_first(const void *x, const void *y) {
    const struct copy *a = x, *b = y;
    if (a->depth != b->depth) return a->depth > b->depth ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

/* Returns whether x and y may share a register although one of them is fixed; if so, reserves the fixed register for
 * the other. */
static bool fits_fixed(struct alloc *a, const struct alloc_range *x, const struct alloc_range *y) {
    if (x->fixed < 0 && y->fixed < 0) return true;
    const struct alloc_range *fixed = x->fixed >= 0 ? x : y, *other = x->fixed >= 0 ? y : x;
    struct alloc_reserved *home = &a->reserved[a->ir->regs[other->reg].cls][fixed->fixed];
    if (alloc_is_reserved(home, other)) return false;
    alloc_reserve(a->ir, home, other);
    return true;
}

static void try_coalesce(struct alloc *a, const struct ir_insn *insn) {
    const ir_reg x = root_of(a, insn->dst), y = root_of(a, insn->src[0].reg);
    struct alloc_range *rx = &a->ranges[x], *ry = &a->ranges[y];
    const bool any_fixed = rx->fixed >= 0 || ry->fixed >= 0, both_fixed = rx->fixed >= 0 && ry->fixed >= 0;
    const bool any_group = rx->group != NULL || ry->group != NULL,
               both_grouped = rx->group != NULL && ry->group != NULL;
    const bool any_waits = any_fixed || any_group || rx->is_temporary != ry->is_temporary;
    if (x == y || both_fixed || (any_waits && a->effort != COALESCE_ALL) || both_grouped || (any_fixed && any_group))
        return;
    /* A range that cannot be spilled should not become longer. */
    const bool stays = any_fixed || any_group || rx->is_temporary || ry->is_temporary;
    if ((stays ? alloc_overlaps(rx, ry) : alloc_conflicts(rx, ry, a->root)) || !fits_fixed(a, rx, ry)) return;
    alloc_merge(a->ir, rx, ry);
    a->root[y] = x;
}

static void coalesce_copies(struct alloc *a) {
    struct ir *ir = a->ir;
    struct copy *copies = NULL;
    size_t count = 0, capacity = 0;
    for (size_t i = 0; i < ir->order_count; i++) {
        const struct ir_block *b = ir->order[i];
        for (const struct ir_insn *insn = b->first; insn != NULL; insn = insn->next) {
            if (!alloc_is_copy(ir, insn)) continue;
            const struct copy copy = {insn, b->loop != NULL ? b->loop->depth : 0, insn->order};
            CC_PUSH(ir->cc, copies, count, capacity, copy);
        }
    }
    if (count > 0) qsort(copies, count, sizeof *copies, deeper_first);
    for (size_t i = 0; i < count; i++) try_coalesce(a, copies[i].insn);
}

/* ---- homes ---- */

static uint32_t start_of(const struct alloc_range *r) { return r->pieces[0].start; }
static uint32_t end_of(const struct alloc_range *r) { return r->pieces[r->count - 1].end; }

static int earlier_first(const void *x, const void *y) {
    const struct alloc_range *a = *(struct alloc_range *const *)x, *b = *(struct alloc_range *const *)y;
    if (start_of(a) != start_of(b)) return start_of(a) < start_of(b) ? -1 : 1;
    return a->reg < b->reg ? -1 : a->reg > b->reg;
}

static void drop_ended(struct home *h, uint32_t position) {
    size_t kept = 0;
    for (size_t i = 0; i < h->count; i++)
        if (end_of(h->list[i]) > position && !h->list[i]->spilled) h->list[kept++] = h->list[i];
    h->count = kept;
}

static bool is_free(const struct home *h, const struct alloc_reserved *reserved, const struct alloc_range *r) {
    if (alloc_is_reserved(reserved, r)) return false;
    for (size_t i = 0; i < h->count; i++)
        if (alloc_overlaps(h->list[i], r)) return false;
    return true;
}

static void place_range(struct alloc *a, struct alloc_range *r, enum ir_class cls, unsigned home) {
    struct home *h = &a->homes[cls][home];
    r->home = (int)home;
    CC_PUSH_POINTER(a->ir->cc, h->list, h->count, h->capacity, r);
}

static unsigned first_home(enum ir_class cls) { return cls == IR_A ? 1 : 0; }

static unsigned homes_of(const struct alloc *a, const struct alloc_range *r, enum ir_class cls) {
    const unsigned most = a->most[cls];
    return cls == IR_R && r->low && most > LOW_HOMES ? LOW_HOMES : most;
}

/* Returns the home to try after k others: those that are spared come last. */
static unsigned nth_home(const struct alloc *a, unsigned k, enum ir_class cls, unsigned count) {
    if (cls != IR_R || count <= LOW_HOMES || k < LOW_HOMES - a->spared) return k;
    return k < count - a->spared ? k + a->spared : k - count + LOW_HOMES;
}

/* Returns the cost of spilling a range: low for a long range that is rarely used. */
static double cost(const struct alloc_range *r) { return (double)r->weight / (double)(end_of(r) - start_of(r) + 1); }

static bool can_spill(const struct alloc_range *r) { return r->fixed < 0 && !r->is_temporary && r->group == NULL; }

static void fail_attempt(struct alloc *a) {
    if (a->effort == SPLIT_GROUPS) cc_fail(a->ir->cc, a->ir->place, "too many live values for the number of registers");
    a->has_failed = true;
}

/* Called if no home is free. Spills the cheapest: this range, or all ranges that overlap it in one home. Spilling does
 * not help a range that needs a low home if others then move down into it, so these move up first. */
static void spill_cheapest(struct alloc *a, struct alloc_range *r, enum ir_class cls) {
    if (a->spared < LOW_HOMES && homes_of(a, r, cls) < a->most[cls]) {
        a->spared = a->spared == 0 ? 8 : 2 * a->spared;
        a->has_failed = true;
        return;
    }
    double best = can_spill(r) ? cost(r) : 1e30;
    int where = -1;
    for (unsigned k = first_home(cls); k < homes_of(a, r, cls); k++) {
        const struct home *h = &a->homes[cls][k];
        double sum = alloc_is_reserved(&a->reserved[cls][k], r) ? 1e30 : 0;
        for (size_t i = 0; i < h->count && sum < best; i++)
            if (alloc_overlaps(h->list[i], r)) sum += can_spill(h->list[i]) ? cost(h->list[i]) : 1e30;
        if (sum < best) best = sum, where = (int)k;
    }
    if (best >= 1e30) fail_attempt(a);
    a->any_spilled = true;
    if (where < 0 || a->has_failed) {
        r->spilled = true;
        return;
    }
    struct home *h = &a->homes[cls][where];
    size_t kept = 0;
    for (size_t i = 0; i < h->count; i++)
        if (alloc_overlaps(h->list[i], r))
            h->list[i]->spilled = true;
        else
            h->list[kept++] = h->list[i];
    h->count = kept;
    place_range(a, r, cls, (unsigned)where);
}

/* ---- groups ---- */

static void find_groups(struct alloc *a) {
    struct ir *ir = a->ir;
    for (size_t b = 0; b < ir->order_count; b++)
        for (const struct ir_insn *insn = ir->order[b]->first; insn != NULL; insn = insn->next) {
            if (insn->more[0] == 0) continue;
            struct alloc_group *g = CC_NEW(ir->cc, struct alloc_group);
            g->reg[g->count++] = insn->op == IR_GST ? insn->src[1].reg : insn->dst;
            for (unsigned i = 0; i < IR_MORE && insn->more[i] != 0; i++) g->reg[g->count++] = insn->more[i];
            for (unsigned i = 0; i < g->count; i++) a->ranges[g->reg[i]].group = g;
        }
}

/* Returns the cost of placing the group at registers base and up; 1e30 if impossible. Spills the ranges there if
 * `leave`. */
static double group_cost(struct alloc *a, const struct alloc_group *g, unsigned base, bool leave) {
    double sum = 0;
    for (unsigned i = 0; i < g->count; i++) {
        const struct alloc_range *r = &a->ranges[root_of(a, g->reg[i])];
        struct home *h = &a->homes[IR_R][base + i];
        if (base + i >= homes_of(a, r, IR_R) || alloc_is_reserved(&a->reserved[IR_R][base + i], r)) return 1e30;
        for (size_t k = 0; k < h->count; k++) {
            if (h->list[k]->spilled || !alloc_overlaps(h->list[k], r)) continue;
            sum += can_spill(h->list[k]) ? cost(h->list[k]) : 1e30;
            if (leave) h->list[k]->spilled = a->any_spilled = true;
        }
    }
    return sum;
}

static void place_group(struct alloc *a, const struct alloc_group *g) {
    unsigned best = 0;
    double least = 1e30;
    for (unsigned base = 0; base + g->count <= a->most[IR_R] && least > 0; base += g->count) {
        const double sum = group_cost(a, g, base, false);
        if (sum < least) least = sum, best = base;
    }
    if (least >= 1e30) fail_attempt(a);
    if (a->has_failed) return;
    if (least > 0) group_cost(a, g, best, true);
    for (unsigned i = 0; i < g->count; i++) place_range(a, &a->ranges[root_of(a, g->reg[i])], IR_R, best + i);
}

static void assign_home(struct alloc *a, struct alloc_range *r) {
    if (r->home >= 0) return; /* placed with its group */
    if (r->fixed >= 0) {
        r->home = r->fixed;
        return;
    }
    if (r->group != NULL) {
        place_group(a, r->group);
        return;
    }

    const enum ir_class cls = (enum ir_class)a->ir->regs[r->reg].cls;
    const unsigned count = homes_of(a, r, cls);
    for (unsigned i = first_home(cls); i < count; i++) {
        const unsigned k = nth_home(a, i, cls, count);
        struct home *h = &a->homes[cls][k];
        drop_ended(h, start_of(r));
        if (!is_free(h, &a->reserved[cls][k], r)) continue;
        place_range(a, r, cls, k);
        return;
    }
    spill_cheapest(a, r, cls);
}

static void assign_homes(struct alloc *a) {
    struct ir *ir = a->ir;
    struct alloc_range **order = CC_ARRAY(ir->cc, struct alloc_range *, ir->reg_count);
    size_t count = 0;
    memset(a->homes, 0, sizeof a->homes);
    for (ir_reg r = 1; r < ir->reg_count; r++)
        if (a->ranges[r].count > 0) order[count++] = &a->ranges[r];
    qsort(order, count, sizeof(struct alloc_range *), earlier_first);
    for (size_t i = 0; i < count && !a->has_failed; i++) assign_home(a, order[i]);
}

static void remove_self_copies(struct ir *ir) {
    for (size_t i = 0; i < ir->order_count; i++)
        for (struct ir_insn *insn = ir->order[i]->first, *next; insn != NULL; insn = next) {
            next = insn->next;
            if (alloc_is_copy(ir, insn) && insn->flags == 0 &&
                ir->regs[insn->dst].home == ir->regs[insn->src[0].reg].home)
                ir_remove(insn);
        }
}

static unsigned record_homes(struct alloc *a) {
    struct ir *ir = a->ir;
    unsigned used = 0;
    for (ir_reg r = 1; r < ir->reg_count; r++) {
        const struct alloc_range *range = &a->ranges[root_of(a, r)];
        ir->regs[r].home = range->home;
        if (ir->regs[r].cls == IR_R && range->home >= (int)used) used = (unsigned)range->home + 1;
    }
    remove_self_copies(ir);
    return used;
}

unsigned alloc_registers(struct ir *ir, unsigned most) {
    struct alloc *a = CC_NEW(ir->cc, struct alloc);
    a->ir = ir;
    a->most[IR_R] = most;
    a->most[IR_C] = 4;
    a->most[IR_A] = 5;
    a->temporary_from = ir->reg_count;
    for (unsigned round = 0; round < ROUNDS; round++) {
        a->ranges = CC_ARRAY(ir->cc, struct alloc_range, ir->reg_count);
        a->root = CC_ARRAY(ir->cc, ir_reg, ir->reg_count);
        a->any_spilled = a->has_failed = false;
        for (ir_reg r = 0; r < ir->reg_count; r++) a->root[r] = r;
        ir_find_live(ir);
        alloc_find_ranges(ir, a->ranges);
        for (ir_reg r = (ir_reg)a->temporary_from; r < ir->reg_count; r++)
            a->ranges[r].is_temporary = ir->regs[r].cls != IR_R || ir->regs[r].uses != UINT32_MAX;
        alloc_find_reserved(ir, a->ranges, a->reserved);
        find_groups(a);
        coalesce_copies(a);
        const unsigned spared = a->spared;
        assign_homes(a);
        if (a->has_failed) {
            if (a->spared == spared && ++a->effort == SPLIT_GROUPS) alloc_split_groups(ir);
            continue;
        }
        if (!a->any_spilled) return record_homes(a);
        bool *spilled = CC_ARRAY(ir->cc, bool, ir->reg_count);
        for (ir_reg r = 1; r < ir->reg_count; r++) spilled[r] = a->ranges[root_of(a, r)].spilled;
        for (ir_reg r = 1; r < ir->reg_count; r++) root_of(a, r), a->root[r] = root_of(a, r);
        alloc_spill(ir, spilled, a->root);
    }
    cc_fail(ir->cc, ir->place, "register allocation failed");
}
