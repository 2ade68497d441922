/* SPDX-License-Identifier: Apache-2.0 */
/* Fuses a product and its sum into one multiply-add, and a comparison with zero into the flags of the instruction
 * that computes the value. */
#include "select.h"

enum { FAR = 200, TWO = 0x40000000 }; /* FAR: maximum distance in instructions; TWO: 2.0f */

static bool is_plain(const struct ir_operand *o) { return o->kind != IR_REG || o->half == IR_WHOLE; }

/* Returns whether the sources of `def` still have the same values at `at`. */
static bool sources_last(const struct ir *ir, const struct ir_insn *def, const struct ir_insn *at) {
    ir_reg uses[IR_USES_MAX], defs[IR_DEFS_MAX];
    const unsigned n = ir_uses(def, uses);
    bool all_once = true;
    for (unsigned i = 0; i < n; i++) all_once &= ir->regs[uses[i]].defs == 1;
    if (all_once) return true;
    if (def->block != at->block) return false;
    unsigned steps = 0;
    for (const struct ir_insn *insn = def->next; insn != at; insn = insn->next) {
        if (insn == NULL || ++steps > FAR) return false;
        const unsigned m = ir_defs(insn, defs);
        for (unsigned i = 0; i < m; i++)
            for (unsigned k = 0; k < n; k++)
                if (defs[i] == uses[k]) return false;
    }
    return true;
}

/* Returns the product whose only reader is operand i of the sum, or NULL. */
static struct ir_insn *product_of(const struct ir *ir, const struct ir_insn *sum, unsigned i, enum ir_op op) {
    const struct ir_operand *o = &sum->src[i];
    struct ir_insn *def = ir_def_of(ir, o);
    if (def == NULL || def->op != op || ir->regs[o->reg].uses != 1 || o->half != IR_WHOLE || o->absolute ||
        def->guard != 0 || def->fdst != 0 || def->block != sum->block)
        return NULL;
    return sources_last(ir, def, sum) ? def : NULL;
}

/* ---- IMUL and IADD ---- */

static bool has_imad(const struct ir_insn *product) {
    const unsigned f = product->flags;
    return ((f & IR_SIGN_A) != 0) == ((f & IR_SIGN_B) != 0);
}

static bool fuse_integers(struct ir *ir, struct ir_insn *sum, unsigned i) {
    struct ir_insn *p = product_of(ir, sum, i, IR_IMUL);
    const struct ir_operand c = sum->src[1 - i];
    if (p == NULL || !has_imad(p) || (sum->flags & IR_SAT) != 0 || c.kind == IR_SHARED || !is_plain(&c) || c.absolute)
        return false;
    if (c.kind == IR_IMM && (c.value != 0 || sum->carry != 0)) return false; /* at most one constant */
    const bool minus_product = sum->src[i].negative;
    if (sum->carry != 0 && (minus_product || c.negative)) return false;
    sum->op = IR_IMAD;
    sum->flags = (uint16_t)(p->flags | (sum->flags & (IR_JOIN | IR_EXIT)));
    sum->src[0] = p->src[0];
    sum->src[1] = p->src[1];
    sum->src[2] = c;
    sum->src[0].negative = minus_product;
    ir_remove(p);
    return true;
}

/* ---- FMUL and FADD ---- */

static bool fuse_floats(struct ir *ir, struct ir_insn *sum, unsigned i) {
    struct ir_insn *p = product_of(ir, sum, i, IR_FMUL);
    const struct ir_operand c = sum->src[1 - i];
    if (p == NULL || (p->flags & IR_FUSIBLE) == 0 || (sum->flags & IR_FUSIBLE) == 0 || c.absolute) return false;
    if (c.kind == IR_IMM && p->src[1].kind == IR_IMM) return false;
    const bool negative = p->src[0].negative != p->src[1].negative;
    sum->op = IR_FMAD;
    sum->flags &= (uint16_t)~IR_FUSIBLE;
    const bool minus_product = sum->src[i].negative != negative;
    sum->src[0] = p->src[0];
    sum->src[1] = p->src[1];
    sum->src[2] = c;
    sum->src[1].negative = false;
    sum->src[0].negative = minus_product;
    ir_remove(p);
    return true;
}

/* (x + x) + c is 2 x + c, because doubling is exact. */
static bool fuse_double(struct ir *ir, struct ir_insn *sum, unsigned i) {
    const struct ir_insn *d = product_of(ir, sum, i, IR_FADD);
    const struct ir_operand c = sum->src[1 - i];
    if (d == NULL || d->rounding != IR_NEAREST || (d->flags & IR_FUSIBLE) == 0 || (sum->flags & IR_FUSIBLE) == 0 ||
        c.absolute || c.kind == IR_IMM || d->src[0].kind != IR_REG || d->src[1].kind != IR_REG ||
        d->src[0].reg != d->src[1].reg || d->src[0].negative != d->src[1].negative || d->src[0].absolute ||
        d->src[1].absolute)
        return false;
    const bool negative = d->src[0].negative != sum->src[i].negative;
    sum->op = IR_FMAD;
    sum->flags &= (uint16_t)~IR_FUSIBLE;
    sum->src[2] = c;
    sum->src[0] = d->src[0];
    sum->src[0].negative = negative;
    sum->src[1] = ir_imm(TWO);
    ir_remove((struct ir_insn *)d);
    return true;
}

static void fuse_sums(struct ir *ir) {
    for (size_t b = 0; b < ir->order_count; b++)
        for (struct ir_insn *insn = ir->order[b]->first; insn != NULL; insn = insn->next)
            for (unsigned i = 0; i < 2; i++) {
                if (insn->op == IR_IADD && fuse_integers(ir, insn, i)) break;
                if (insn->op == IR_FADD && insn->rounding == IR_NEAREST &&
                    (fuse_floats(ir, insn, i) || fuse_double(ir, insn, i)))
                    break;
            }
}

/* ---- flags ---- */

/* Conditions equivalent to the comparison and to its negation; 0 if the flags still are those of a mask. */
struct meaning {
    uint8_t yes, no;
};

static bool meaning_of(const struct ir_insn *test, struct meaning *m) {
    const bool is_signed = (test->flags & IR_SIGN_A) != 0;
    switch (test->sub) {
    case IR_EQ: *m = (struct meaning){IR_EQU, IR_NE}; return true;
    case IR_NE: *m = (struct meaning){IR_NE, IR_EQU}; return true;
    case IR_LT: *m = (struct meaning){IR_SIGN_SET, IR_SIGN_CLEAR}; return is_signed;
    case IR_GE: *m = (struct meaning){IR_SIGN_CLEAR, IR_SIGN_SET}; return is_signed;
    default: return false;
    }
}

static bool sets_flags(const struct ir_insn *insn) {
    switch (insn->op) {
    case IR_IADD: return (insn->flags & IR_SAT) == 0;
    case IR_IMAD:
    case IR_LOP:
    case IR_SHL:
    case IR_SHR:
    case IR_IMIN:
    case IR_IMAX:
    case IR_I2I: return true;
    default: return false;
    }
}

/* Returns the last instruction of this block that writes the tested register, if it can also write the flags; else
 * NULL. */
static struct ir_insn *find_source(const struct ir *ir, const struct ir_insn *test) {
    const ir_reg reg = test->src[0].reg;
    unsigned steps = 0;
    (void)ir;
    for (struct ir_insn *insn = test->prev; insn != NULL && ++steps < FAR; insn = insn->prev) {
        if (insn->dst != reg) continue;
        const bool good = insn->guard == 0 && insn->fdst == 0 && sets_flags(insn) && insn->more[0] == 0;
        return good ? insn : NULL;
    }
    return NULL;
}

static bool is_test(const struct ir *ir, const struct ir_insn *insn) {
    return insn->op == IR_ISET && insn->dst == 0 && insn->fdst != 0 && insn->guard == 0 &&
           insn->src[0].kind == IR_REG && insn->src[0].half == IR_WHOLE && !insn->src[0].negative &&
           ir_is_imm(&insn->src[1], 0) && ir->regs[insn->fdst].defs == 1;
}

static bool change_condition(const struct meaning *m, ir_reg flags, uint8_t *cond) {
    if (m[flags].yes == 0) return false;
    *cond = *cond == IR_NE ? m[flags].yes : m[flags].no;
    return true;
}

/* Readers of a mask's flags test NE or EQ. Changes these conditions to those of the new flags. */
static void change_readers(const struct ir *ir, const struct meaning *m) {
    for (size_t b = 0; b < ir->order_count; b++) {
        struct ir_block *block = ir->order[b];
        for (struct ir_insn *insn = block->first; insn != NULL; insn = insn->next)
            if (insn->guard != 0) change_condition(m, insn->guard, &insn->cond);
        if (block->end == IR_BRANCH) change_condition(m, block->guard, &block->cond);
    }
}

static void fuse_tests(struct ir *ir) {
    struct meaning *meanings = CC_ARRAY(ir->cc, struct meaning, ir->reg_count);
    for (size_t b = 0; b < ir->order_count; b++)
        for (struct ir_insn *insn = ir->order[b]->first, *next; insn != NULL; insn = next) {
            struct meaning m;
            next = insn->next;
            if (!is_test(ir, insn) || !meaning_of(insn, &m)) continue;
            struct ir_insn *source = find_source(ir, insn);
            if (source == NULL) continue;
            source->fdst = insn->fdst;
            meanings[insn->fdst] = m;
            ir_remove(insn);
        }
    change_readers(ir, meanings);
}

void select_fuse(struct ir *ir) {
    ir_count(ir);
    fuse_sums(ir);
    select_remove_dead(ir);
    fuse_tests(ir);
    select_remove_dead(ir);
}
