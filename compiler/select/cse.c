/* SPDX-License-Identifier: Apache-2.0 */
/* Common subexpression elimination: reuses a result that is computed on every path to an instruction. */
#include <string.h>

#include "select.h"

enum { SLOTS = 4096 };

struct table {
    struct ir_insn *slots[SLOTS];
};

static bool is_stable(const struct ir *ir, const struct ir_operand *o) {
    return o->kind == IR_NONE || o->kind == IR_IMM || (o->kind == IR_SHARED && o->reg == 0) ||
           (o->kind == IR_REG && (ir->regs[o->reg].defs == 1 || o->reg == ir->r0));
}

static bool can_share(const struct ir *ir, const struct ir_insn *insn) {
    if (ir_has_effect(insn) || ir_is_load(insn) || insn->guard != 0 || insn->carry != 0 || insn->fdst != 0 ||
        insn->dst == 0 || ir->regs[insn->dst].defs != 1 || insn->op == IR_S2R || insn->op == IR_C2R ||
        (insn->op == IR_MOV && insn->src[0].kind != IR_SHARED))
        return false;
    for (unsigned i = 0; i < 3; i++)
        if (!is_stable(ir, &insn->src[i])) return false;
    return true;
}

static uint64_t hash_operand(uint64_t h, const struct ir_operand *o) {
    const uint64_t word = o->kind | (uint64_t)o->half << 4 | (uint64_t)o->cell << 8 | (uint64_t)o->negative << 12 |
                          (uint64_t)o->absolute << 13 | (uint64_t)(o->kind == IR_REG ? o->reg : o->value) << 16;
    return (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
}

static size_t hash(const struct ir_insn *insn) {
    uint64_t h = insn->op | (uint64_t)insn->sub << 8 | (uint64_t)insn->flags << 16 | (uint64_t)insn->rounding << 32;
    for (unsigned i = 0; i < 3; i++) h = hash_operand(h ^ (h >> 29), &insn->src[i]);
    return (size_t)(h >> 40) % SLOTS;
}

static bool same_operand(const struct ir_operand *a, const struct ir_operand *b) {
    return a->kind == b->kind && a->half == b->half && a->cell == b->cell && a->negative == b->negative &&
           a->absolute == b->absolute && a->reg == b->reg && a->value == b->value;
}

static bool same(const struct ir_insn *a, const struct ir_insn *b) {
    if (a->op != b->op || a->sub != b->sub || a->flags != b->flags || a->rounding != b->rounding) return false;
    for (unsigned i = 0; i < 3; i++)
        if (!same_operand(&a->src[i], &b->src[i])) return false;
    return true;
}

static bool comes_before(const struct ir_insn *a, const struct ir_insn *b) {
    return a->block == b->block ? a->order < b->order : ir_dominates(a->block, b->block);
}

void select_share(struct ir *ir) {
    struct table *table = CC_NEW(ir->cc, struct table);
    ir_count(ir);
    for (size_t b = 0; b < ir->order_count; b++)
        for (struct ir_insn *insn = ir->order[b]->first; insn != NULL; insn = insn->next) {
            if (!can_share(ir, insn)) continue;
            struct ir_insn **slot = &table->slots[hash(insn)];
            if (*slot != NULL && same(*slot, insn) && comes_before(*slot, insn)) {
                insn->op = IR_MOV;
                insn->sub = insn->rounding = 0;
                insn->flags = 0;
                memset(insn->src, 0, sizeof insn->src);
                insn->src[0] = ir_use((*slot)->dst);
            } else {
                *slot = insn;
            }
        }
}
