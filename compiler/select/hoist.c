/* SPDX-License-Identifier: Apache-2.0 */
/* Hoists R2A out of loops if its value is loop-invariant: for two of the four A registers, those with the highest
 * weight. */
#include "../flow/cfg.h"
#include "select.h"

enum { MOST = 2 };

struct candidate {
    ir_reg reg; /* source of R2A, and its shift */
    uint32_t shift;
    struct ir_loop *loop; /* outermost loop that does not write the register */
    struct ir_loop *root;
    uint32_t weight;
    ir_reg address; /* the A register, set before the loop */
};

struct candidates {
    struct ir *ir;
    struct candidate *list;
    size_t count, capacity;
};

static struct ir_loop *largest_loop(const struct ir *ir, const struct ir_insn *insn) {
    const struct ir_insn *def = ir->regs[insn->src[0].reg].def;
    struct ir_loop *found = NULL;
    if (ir->regs[insn->src[0].reg].defs != 1 || def == NULL) return NULL;
    for (struct ir_loop *l = insn->block->loop; l != NULL && !cfg_in_loop(def->block, l); l = l->parent) found = l;
    return found;
}

static struct candidate *find(struct candidates *c, const struct ir_insn *insn, const struct ir_loop *loop) {
    for (size_t i = c->count; i-- > 0 && c->count - i < 64;) {
        struct candidate *k = &c->list[i];
        if (k->reg == insn->src[0].reg && k->shift == insn->sub && k->loop == loop) return k;
    }
    return NULL;
}

static uint32_t weight_of(const struct ir_block *b) {
    uint32_t weight = 1;
    for (uint32_t d = b->loop->depth; d > 0 && weight < 100000; d--) weight *= 10;
    return weight;
}

static bool is_candidate(const struct ir *ir, const struct ir_insn *insn) {
    return insn->op == IR_R2A && insn->guard == 0 && ir->regs[insn->dst].defs == 1 && insn->block->loop != NULL;
}

static void collect(struct candidates *c) {
    for (size_t b = 0; b < c->ir->order_count; b++)
        for (const struct ir_insn *insn = c->ir->order[b]->first; insn != NULL; insn = insn->next) {
            struct ir_loop *loop = is_candidate(c->ir, insn) ? largest_loop(c->ir, insn) : NULL;
            if (loop == NULL || cfg_preheader(loop) == NULL) continue;
            struct candidate *k = find(c, insn, loop);
            if (k == NULL) {
                struct candidate fresh = {insn->src[0].reg, insn->sub, loop, loop, 0, 0};
                while (fresh.root->parent != NULL) fresh.root = fresh.root->parent;
                CC_PUSH(c->ir->cc, c->list, c->count, c->capacity, fresh);
                k = &c->list[c->count - 1];
            }
            k->weight += weight_of(insn->block);
        }
}

static void set_before(struct ir *ir, struct candidate *k) {
    struct ir_insn *insn = ir_append(ir, cfg_preheader(k->loop), IR_R2A);
    insn->place = cfg_preheader(k->loop)->place;
    insn->src[0] = ir_use(k->reg);
    insn->sub = (uint8_t)k->shift;
    insn->dst = k->address = ir_new_reg(ir, IR_A);
}

/* Selects the candidates with the highest weight of each loop nest. */
static void choose(struct candidates *c) {
    for (size_t i = 0; i < c->count; i++) {
        size_t better = 0;
        for (size_t k = 0; k < c->count; k++) {
            const struct candidate *x = &c->list[k], *y = &c->list[i];
            better += x->root == y->root && (x->weight > y->weight || (x->weight == y->weight && k < i));
        }
        if (better < MOST) set_before(c->ir, &c->list[i]);
    }
}

void select_hoist_addresses(struct ir *ir) {
    struct candidates c = {.ir = ir};
    ir_count(ir);
    collect(&c);
    if (c.count == 0 || c.count > 2000) return;
    ir_reg *instead = CC_ARRAY(ir->cc, ir_reg, ir->reg_count);
    const size_t known = ir->reg_count;
    choose(&c);
    for (size_t b = 0; b < ir->order_count; b++)
        for (struct ir_insn *insn = ir->order[b]->first, *next; insn != NULL; insn = next) {
            next = insn->next;
            for (unsigned i = 0; i < 3; i++)
                if (insn->src[i].reg < known && instead[insn->src[i].reg] != 0)
                    insn->src[i].reg = instead[insn->src[i].reg];
            const struct ir_loop *loop = insn->dst < known && is_candidate(ir, insn) ? largest_loop(ir, insn) : NULL;
            const struct candidate *k = loop != NULL ? find(&c, insn, loop) : NULL;
            if (k == NULL || k->address == 0) continue;
            instead[insn->dst] = k->address;
            ir_remove(insn);
        }
}
