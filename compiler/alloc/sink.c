/* SPDX-License-Identifier: Apache-2.0 */
/* r' = r + 1; ... r ...; r = r': if the copy is the only reader of r', the sum moves down and becomes r = r + 1. */
#include "../flow/cfg.h"
#include "alloc.h"

enum { FAR = 60 };

static bool is_movable(const struct ir_insn *insn) {
    return !ir_has_effect(insn) && !ir_is_load(insn) && insn->guard == 0 && insn->fdst == 0 && insn->carry == 0 &&
           insn->op != IR_MOV && insn->src[0].kind != IR_CONST;
}

static bool writes_any(const struct ir_insn *insn, const ir_reg *regs, unsigned count) {
    ir_reg defs[IR_DEFS_MAX];
    const unsigned n = ir_defs(insn, defs);
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < count; k++)
            if (defs[i] == regs[k]) return true;
    return false;
}

/* Returns the definition of the copy's source if it may move down to the copy, else NULL. */
static struct ir_insn *find_sinkable(const struct ir *ir, const struct ir_insn *copy) {
    const struct ir_operand *s = &copy->src[0];
    struct ir_insn *def = ir_def_of(ir, s);
    ir_reg uses[IR_USES_MAX];
    if (def == NULL || def->block != copy->block || ir->regs[s->reg].uses != 1 || !is_movable(def)) return NULL;
    const unsigned n = ir_uses(def, uses);
    unsigned steps = 0;
    bool needed = false; /* an instruction between reads or writes the copy's destination */
    for (const struct ir_insn *insn = def->next; insn != copy; insn = insn->next) {
        ir_reg read[IR_USES_MAX];
        if (insn == NULL || ++steps > FAR || writes_any(insn, uses, n)) return NULL;
        const unsigned m = ir_uses(insn, read);
        for (unsigned i = 0; i < m; i++) needed |= read[i] == copy->dst;
        needed |= writes_any(insn, &copy->dst, 1);
    }
    return needed ? def : NULL;
}

static bool is_copy(const struct ir *ir, const struct ir_insn *insn) {
    const struct ir_operand *s = &insn->src[0];
    return insn->op == IR_MOV && insn->guard == 0 && insn->fdst == 0 && insn->flags == 0 && s->kind == IR_REG &&
           s->half == IR_WHOLE && !s->negative && !s->absolute && ir->regs[insn->dst].cls == IR_R;
}

/* Replaces the copy by the operation of its definition. */
static void sink(struct ir_insn *copy, struct ir_insn *def) {
    const struct ir_insn moved = *def;
    copy->op = moved.op;
    copy->sub = moved.sub;
    copy->rounding = moved.rounding;
    copy->size = moved.size;
    copy->flags = moved.flags;
    copy->place = moved.place;
    for (unsigned i = 0; i < 3; i++) copy->src[i] = moved.src[i];
    ir_remove(def);
}

void alloc_sink(struct ir *ir) {
    ir_count(ir);
    for (size_t b = 0; b < ir->order_count; b++)
        for (struct ir_insn *insn = ir->order[b]->first; insn != NULL; insn = insn->next) {
            struct ir_insn *def = is_copy(ir, insn) ? find_sinkable(ir, insn) : NULL;
            if (def != NULL) sink(insn, def);
        }
}
