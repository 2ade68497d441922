/* SPDX-License-Identifier: Apache-2.0 */
/* Rewrites comparisons and copies that keep a register live without need. */
#include "../flow/cfg.h"
#include "../ir/live.h"
#include "select.h"

enum { FAR = 200 };

/* ---- x < k, if x >> n exists, is (x >> n) < (k >> n) ---- */

static bool comes_before(const struct ir_insn *a, const struct ir_insn *b) {
    return a->block == b->block ? a->order < b->order : ir_dominates(a->block, b->block);
}

/* Returns whether a write leaves a register the same at `first` and at `last`, which `first` dominates: the write
 * comes before `first` on all paths, or behind `last` in the same iteration of the innermost loop. */
static bool stays_same(const struct ir_insn *write, const struct ir_insn *first, const struct ir_insn *last) {
    const struct ir_loop *loop = last->block->loop;
    const bool same_turn = loop == NULL || cfg_in_loop(first->block, loop);
    return (write != first && comes_before(write, first)) ||
           (write->block == last->block && write->order > last->order && same_turn);
}

/* All writes, sorted by register, in block order. */
struct writes {
    struct ir_insn **list; /* writes of register r: from starts[r] up to starts[r + 1] */
    size_t *starts;
};

static void index_writes(struct ir *ir, struct writes *w) {
    ir_reg defs[IR_DEFS_MAX];
    size_t *next = CC_ARRAY(ir->cc, size_t, ir->reg_count + 1);
    w->starts = CC_ARRAY(ir->cc, size_t, ir->reg_count + 1);
    for (unsigned pass = 0; pass < 2; pass++) {
        for (size_t b = 0; b < ir->order_count; b++)
            for (struct ir_insn *insn = ir->order[b]->first; insn != NULL; insn = insn->next) {
                const unsigned n = ir_defs(insn, defs);
                for (unsigned i = 0; i < n; i++)
                    if (pass == 0)
                        w->starts[defs[i] + 1]++;
                    else
                        w->list[next[defs[i]]++] = insn;
            }
        if (pass == 1) break;
        for (size_t r = 0; r < ir->reg_count; r++) w->starts[r + 1] += w->starts[r];
        for (size_t r = 0; r < ir->reg_count; r++) next[r] = w->starts[r];
        w->list = CC_ARRAY(ir->cc, struct ir_insn *, w->starts[ir->reg_count] + 1);
    }
}

static bool is_same(const struct writes *w, ir_reg reg, const struct ir_insn *shift, const struct ir_insn *test) {
    if (w->starts[reg + 1] - w->starts[reg] > FAR) return false;
    for (size_t i = w->starts[reg]; i < w->starts[reg + 1]; i++)
        if (w->list[i] != shift && !stays_same(w->list[i], shift, test)) return false;
    return true;
}

static bool is_plain_register(const struct ir_operand *o) {
    return o->kind == IR_REG && o->half == IR_WHOLE && !o->negative && !o->absolute;
}

static bool is_test(const struct ir_insn *insn) {
    const unsigned f = insn->flags;
    return insn->op == IR_ISET && (f & IR_SIGN_A) == 0 && (insn->sub == IR_LT || insn->sub == IR_GE) &&
           insn->guard == 0 && is_plain_register(&insn->src[0]) && insn->src[1].kind == IR_IMM;
}

static bool is_shift(const struct ir_insn *insn) {
    return insn->op == IR_SHR && (insn->flags & IR_SIGN_A) == 0 && insn->guard == 0 && insn->fdst == 0 &&
           insn->dst != 0 && insn->dst != insn->src[0].reg && is_plain_register(&insn->src[0]) &&
           insn->src[1].kind == IR_IMM && insn->src[1].value > 0 && insn->src[1].value < 32;
}

/* Rewrites a comparison only if x or x >> n is written more than once, that is, in a loop. Otherwise nothing is
 * gained. */
static void compare_shifted(struct ir *ir) {
    struct writes w = {0};
    struct ir_insn **shift_of = CC_ARRAY(ir->cc, struct ir_insn *, ir->reg_count);
    index_writes(ir, &w);
    for (size_t b = 0; b < ir->order_count; b++)
        for (struct ir_insn *insn = ir->order[b]->first; insn != NULL; insn = insn->next) {
            if (is_shift(insn)) shift_of[insn->src[0].reg] = insn;
            const struct ir_insn *shift = is_test(insn) ? shift_of[insn->src[0].reg] : NULL;
            if (shift == NULL || !comes_before(shift, insn) || !is_same(&w, insn->src[0].reg, shift, insn) ||
                !is_same(&w, shift->dst, shift, insn) ||
                (ir->regs[insn->src[0].reg].defs == 1 && ir->regs[shift->dst].defs == 1))
                continue;
            const uint32_t n = shift->src[1].value, k = insn->src[1].value;
            if (k >> n << n != k) continue;
            insn->src[0].reg = shift->dst;
            insn->src[1].value = k >> n;
            if (k >> n != 1) continue; /* x < 1 is x == 0 */
            insn->src[1].value = 0;
            insn->sub = insn->sub == IR_LT ? IR_EQ : IR_NE;
        }
}

/* ---- r = k where x equals k becomes r = x, so that both may share a register ---- */

static bool same_operand(const struct ir_operand *a, const struct ir_operand *b) {
    return a->kind == b->kind && a->kind != IR_NONE && a->reg == b->reg && a->value == b->value && a->cell == b->cell &&
           a->half == IR_WHOLE && b->half == IR_WHOLE && !a->negative && !b->negative && !a->absolute && !b->absolute;
}

static bool is_live_into(const struct ir_block *b, ir_reg reg) {
    for (size_t i = 0; i < b->live_in_count; i++)
        if (b->live_in[i] == reg) return true;
    return false;
}

static bool reads_or_writes(const struct ir_insn *insn, ir_reg reg) {
    ir_reg list[IR_USES_MAX];
    unsigned n = ir_uses(insn, list);
    for (unsigned i = 0; i < n; i++)
        if (list[i] == reg) return true;
    n = ir_defs(insn, list);
    for (unsigned i = 0; i < n; i++)
        if (list[i] == reg) return true;
    return false;
}

/* Returns the equality comparison that decides a branch, and in *way the successor taken if both sides are equal;
 * NULL if there is none. */
static const struct ir_insn *find_equality(const struct ir *ir, const struct ir_block *b, unsigned *way) {
    const struct ir_insn *test = ir->regs[b->guard].defs == 1 ? ir->regs[b->guard].def : NULL;
    if (test == NULL || test->block != b || test->op != IR_ISET || test->guard != 0 ||
        (test->sub != IR_EQ && test->sub != IR_NE) || (b->cond != IR_NE && b->cond != IR_EQ && b->cond != IR_EQU))
        return NULL;
    *way = (test->sub == IR_EQ) == (b->cond == IR_NE) ? 0 : 1;
    return test;
}

static bool is_untouched_behind(const struct ir_insn *insn, ir_reg reg) {
    for (insn = insn->next; insn != NULL; insn = insn->next)
        if (reads_or_writes(insn, reg)) return false;
    return true;
}

static bool is_unwritten_behind(const struct ir_insn *insn, ir_reg reg) {
    ir_reg defs[IR_DEFS_MAX];
    for (insn = insn->next; insn != NULL; insn = insn->next) {
        const unsigned n = ir_defs(insn, defs);
        for (unsigned i = 0; i < n; i++)
            if (defs[i] == reg) return false;
    }
    return true;
}

static bool is_move_of(const struct ir_insn *insn, const struct ir_operand *k) {
    return insn->op == IR_MOV && insn->guard == 0 && insn->fdst == 0 && insn->flags == 0 &&
           same_operand(&insn->src[0], k);
}

static void move_to_end(struct ir *ir, struct ir_insn *insn, ir_reg from) {
    struct ir_insn *last = ir_append(ir, insn->block, IR_MOV);
    last->place = insn->place;
    last->dst = insn->dst;
    last->src[0] = ir_use(from);
    ir_remove(insn);
}

static void copy_equal(struct ir *ir, struct ir_block *b) {
    unsigned way;
    const struct ir_insn *test = b->end == IR_BRANCH ? find_equality(ir, b, &way) : NULL;
    if (test == NULL || b->next[0] == b->next[1]) return;
    for (unsigned i = 0; i < 2; i++) {
        const struct ir_operand *x = &test->src[i], *k = &test->src[1 - i];
        const bool is_constant = k->kind == IR_IMM || (k->kind == IR_SHARED && k->reg == 0) ||
                                 (k->kind == IR_REG && ir->regs[k->reg].defs == 1);
        if (!is_plain_register(x) || !is_constant || !is_unwritten_behind(test, x->reg)) continue;
        unsigned steps = 0;
        for (struct ir_insn *insn = b->last, *before; insn != NULL && ++steps < FAR; insn = before) {
            before = insn->prev;
            if (is_move_of(insn, k) && insn->dst != x->reg && is_untouched_behind(insn, insn->dst) &&
                !is_live_into(b->next[1 - way], insn->dst))
                move_to_end(ir, insn, x->reg);
        }
    }
}

void select_compare(struct ir *ir) {
    struct cfg_loops loops = {0};
    ir_count(ir);
    cfg_find_loops(ir, &loops);
    compare_shifted(ir);
    ir_find_live(ir);
    for (size_t b = 0; b < ir->order_count; b++) copy_equal(ir, ir->order[b]);
}
