/* SPDX-License-Identifier: Apache-2.0 */
/* Selects the form of an instruction. An immediate is in the instruction if it has no guard and no flags, and all
 * its registers are below R64; otherwise it is a literal in constant bank 1. Two instructions without guard and
 * flags may be halves. */
#include "emit.h"

static int home(const struct ir *ir, ir_reg r) { return ir->regs[r].home; }

uint32_t emit_cell_bytes(uint8_t cell) { return cell == IR_U8 ? 1 : cell == IR_B32 ? 4 : 2; }

/* Returns whether the operation has an immediate form, with the immediate as source 2. */
static bool has_immediate_form(const struct ir_insn *insn) {
    switch (insn->op) {
    case IR_IADD:
    case IR_FADD:
    case IR_FMUL: return insn->rounding == IR_NEAREST && !insn->src[1].negative && !insn->src[1].absolute;
    case IR_IMUL: return true;
    case IR_LOP: return false;
    case IR_IMAD: /* only for 24-bit unsigned factors, low word */
        return !insn->src[0].negative && !insn->src[2].negative && (insn->flags & IR_HI) == 0 &&
               (insn->flags & (IR_M24 | IR_SIGN_A)) != (IR_M24 | IR_SIGN_A);
    default: return false;
    }
}

static bool is_low(const struct ir *ir, const struct ir_operand *o) {
    if (o->increments) return false;
    if (o->kind == IR_SHARED) return o->value / emit_cell_bytes(o->cell) < 16 && (o->reg == 0 || home(ir, o->reg) < 4);
    if (o->kind == IR_IMM) return false; /* zero is R124 */
    return o->kind != IR_REG || home(ir, o->reg) < (o->half != IR_WHOLE ? 32 : 64);
}

static bool same_home(const struct ir *ir, ir_reg d, const struct ir_operand *o) {
    return o->kind == IR_REG && home(ir, d) == home(ir, o->reg);
}

bool emit_takes_in_place(const struct ir *ir, const struct ir_insn *insn) {
    if (insn->src[1].kind != IR_IMM || insn->guard != 0 || insn->fdst != 0 || insn->carry != 0 || insn->dst == 0 ||
        (insn->flags & (IR_JOIN | IR_EXIT)) != 0 || !has_immediate_form(insn))
        return false;
    if (insn->src[1].value == 0 && insn->op == IR_IADD && !insn->src[0].negative) return false;
    if (insn->op == IR_IMAD && !same_home(ir, insn->dst, &insn->src[2])) return false;
    if (insn->src[2].kind == IR_IMM) return false;
    return home(ir, insn->dst) < 64 && is_low(ir, &insn->src[0]);
}

static bool is_immediate(const struct ir *ir, const struct ir_insn *insn) {
    if (insn->op == IR_MOV && insn->src[0].kind == IR_IMM) return insn->guard == 0 && insn->fdst == 0;
    return emit_takes_in_place(ir, insn);
}

bool emit_can_end(const struct ir *ir, const struct ir_insn *insn) {
    switch (insn->op) {
    case IR_SSY:
    case IR_PBK:
    case IR_CAL:
    case IR_KEEP:
    case IR_BAR:
    case IR_TRAP: return false;
    default: return !is_immediate(ir, insn);
    }
}

/* ---- halves ---- */

static bool is_bare_register(const struct ir *ir, const struct ir_operand *o) {
    return o->kind == IR_REG && is_low(ir, o) && !o->absolute;
}

/* Returns whether a half can address the constant: bank 0 or 1, one of the first 32 cells. */
static bool is_near_constant(const struct ir *ir, const struct ir_operand *o) {
    return o->kind == IR_CONST && !o->increments && o->bank < 2 && o->value / emit_cell_bytes(o->cell) < 32 &&
           !o->absolute && (o->reg == 0 || home(ir, o->reg) < 4);
}

static bool are_two_sources(const struct ir *ir, const struct ir_insn *insn) {
    const struct ir_operand *a = &insn->src[0], *b = &insn->src[1];
    if (a->absolute) return false;
    if (a->kind == IR_SHARED) return is_low(ir, a) && is_bare_register(ir, b);
    return is_bare_register(ir, a) && (is_bare_register(ir, b) || is_near_constant(ir, b));
}

bool emit_fits_half(const struct ir *ir, const struct ir_insn *insn) {
    const unsigned f = insn->flags;
    if (insn->guard != 0 || insn->fdst != 0 || insn->carry != 0 || insn->dst == 0 || home(ir, insn->dst) >= 64 ||
        insn->rounding != IR_NEAREST || (f & (IR_JOIN | IR_EXIT | IR_SAT)) != 0)
        return false;
    switch (insn->op) {
    case IR_MOV: {
        const struct ir_operand *a = &insn->src[0];
        return !a->negative && a->half == IR_WHOLE &&
               (is_bare_register(ir, a) || (a->kind == IR_SHARED && is_low(ir, a)));
    }
    case IR_RCP: return is_bare_register(ir, &insn->src[0]);
    case IR_IADD:
    case IR_IMUL:
    case IR_FADD:
    case IR_FMUL: return are_two_sources(ir, insn);
    case IR_ISAD:
        return is_bare_register(ir, &insn->src[1]) && are_two_sources(ir, insn) && insn->src[0].kind == IR_REG &&
               same_home(ir, insn->dst, &insn->src[2]);
    case IR_IMAD:
        if ((f & IR_HI) != 0 || (f & (IR_M24 | IR_SIGN_A)) == (IR_M24 | IR_SIGN_A)) return false;
        return are_two_sources(ir, insn) && same_home(ir, insn->dst, &insn->src[2]);
    case IR_FMAD: return are_two_sources(ir, insn) && same_home(ir, insn->dst, &insn->src[2]);
    default: return false;
    }
}
