/* SPDX-License-Identifier: Apache-2.0 */
/* Moves operands that an instruction cannot take to registers. An immediate stays if the instruction has an
 * immediate form or can read a literal from constant bank 1; emit.c selects between the two. */
#include "select.h"

enum { MOST_LITERALS = 64 }; /* the number that a 16-bit operand can address */

int select_literal(struct ir *ir, uint32_t value) {
    struct ir_literals *l = ir->literals;
    for (size_t i = 0; i < l->count; i++)
        if (l->list[i] == value) return (int)i;
    if (l->count >= MOST_LITERALS) return -1;
    CC_PUSH(ir->cc, l->list, l->count, l->capacity, value);
    return (int)l->count - 1;
}

static void to_register(struct ir *ir, struct ir_insn *insn, unsigned i) {
    struct ir_insn *move = ir_insert(ir, insn, IR_MOV);
    move->src[0] = insn->src[i];
    move->src[0].negative = move->src[0].absolute = false;
    move->src[0].half = IR_WHOLE;
    move->dst = ir_new_reg(ir, IR_R);
    const bool is_factor = (insn->op == IR_IMUL || insn->op == IR_IMAD) && i < 2 && (insn->flags & IR_M24) == 0;
    insn->src[i].kind = IR_REG;
    insn->src[i].reg = move->dst;
    insn->src[i].value = 0;
    if (is_factor) insn->src[i].half = IR_LOW;
}

/* Returns whether source i may be an immediate, in the instruction or as a literal. */
static bool takes_immediate(const struct ir_insn *insn, unsigned i) {
    switch (insn->op) {
    case IR_MOV: return i == 0;
    case IR_SHL:
    case IR_SHR:
    case IR_ADA: return i == 1;
    case IR_IADD:
    case IR_ISET:
    case IR_IMIN:
    case IR_IMAX:
    case IR_LOP:
    case IR_FADD:
    case IR_FMUL:
    case IR_FSET:
    case IR_FMIN:
    case IR_FMAX:
    case IR_IMUL: return i == 1;
    case IR_IMAD:
    case IR_FMAD:
    case IR_ISAD:
    case IR_FCMP: return i == 1 || (i == 2 && insn->src[1].kind != IR_IMM);
    default: return false;
    }
}

static bool takes_shared(const struct ir_insn *insn, unsigned i) {
    if (i != 0) return (insn->op == IR_R2G || insn->op == IR_LST) && i == 0;
    switch (insn->op) {
    case IR_MOV:
    case IR_MVC:
    case IR_IADD:
    case IR_IMUL:
    case IR_IMAD:
    case IR_ISET:
    case IR_IMIN:
    case IR_IMAX:
    case IR_SHL:
    case IR_SHR:
    case IR_LOP:
    case IR_I2I:
    case IR_FADD:
    case IR_FMUL:
    case IR_FMAD:
    case IR_FSET:
    case IR_FMIN:
    case IR_FMAX:
    case IR_R2G:
    case IR_LLD:
    case IR_LST: return true;
    default: return false;
    }
}

/* Returns whether source i is a zero that R124 can replace. */
static bool is_zero_register(const struct ir_insn *insn, unsigned i) {
    if (!ir_is_imm(&insn->src[i], 0) || insn->src[i].half != IR_WHOLE) return false;
    switch (insn->op) {
    case IR_ISET:
    case IR_FSET:
    case IR_IMIN:
    case IR_IMAX:
    case IR_FMIN:
    case IR_FMAX:
    case IR_LOP:
    case IR_IADD:
    case IR_IMAD:
    case IR_ISAD:
    case IR_FMAD:
    case IR_GST:
    case IR_LST:
    case IR_R2G:
    case IR_FADD: return (insn->flags & IR_M24) != 0 || insn->op != IR_IMAD || i == 2;
    default: return false;
    }
}

/* Returns whether an immediate may become a literal. A 32-bit immediate form needs none unless there is a guard or
 * flags. */
static bool may_need_literal(const struct ir_insn *insn, unsigned i) {
    if (insn->op == IR_SHL || insn->op == IR_SHR || insn->op == IR_ADA) return false;
    return !is_zero_register(insn, i);
}

static void legalise(struct ir *ir, struct ir_insn *insn) {
    for (unsigned i = 0; i < 3; i++) {
        const struct ir_operand *o = &insn->src[i];
        if (o->kind == IR_IMM && !takes_immediate(insn, i) && !is_zero_register(insn, i)) to_register(ir, insn, i);
        if (o->kind == IR_SHARED && !takes_shared(insn, i)) to_register(ir, insn, i);
        if (o->kind == IR_IMM && may_need_literal(insn, i) && insn->op != IR_MOV) {
            const uint32_t value = o->negative && insn->op == IR_IADD ? 0 - o->value : o->value;
            if (select_literal(ir, value) < 0) to_register(ir, insn, i);
        }
        if (o->kind == IR_IMM && insn->op == IR_MOV && insn->guard != 0 && select_literal(ir, o->value) < 0)
            to_register(ir, insn, i);
    }
}

/* Only R0 to R63 have halves. */
static void note_halves(struct ir *ir, const struct ir_insn *insn) {
    for (unsigned i = 0; i < 3; i++)
        if (insn->src[i].kind == IR_REG && insn->src[i].half != IR_WHOLE) ir->regs[insn->src[i].reg].low = true;
    if ((insn->flags & IR_DST16) != 0 && insn->dst != 0) ir->regs[insn->dst].low = true;
}

void select_legalise(struct ir *ir) {
    for (size_t b = 0; b < ir->order_count; b++)
        for (struct ir_insn *insn = ir->order[b]->first; insn != NULL; insn = insn->next) {
            legalise(ir, insn);
            note_halves(ir, insn);
        }
}
