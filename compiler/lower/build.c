/* SPDX-License-Identifier: Apache-2.0 */
/* Builds instructions at the end of the current block, see lower.h. */
#include "lower.h"

struct ir_insn *build(struct lower *l, enum ir_op op) {
    return ir_append(l->ir, l->block, op);
}

void build_jump(struct lower *l, struct ir_block *to) {
    l->block->end = IR_JUMP;
    l->block->next[0] = to;
    l->block->place = l->ir->place;
}

void build_branch(struct lower *l, ir_reg flags, uint8_t cond, struct ir_block *yes, struct ir_block *no) {
    build_jump(l, yes);
    l->block->end = IR_BRANCH;
    l->block->guard = flags;
    l->block->cond = cond;
    l->block->next[1] = no;
}

struct ir_operand build_unary(struct lower *l, enum ir_op op, struct ir_operand a) {
    struct ir_insn *insn = build(l, op);
    insn->src[0] = a;
    insn->dst = ir_new_reg(l->ir, IR_R);
    return ir_use(insn->dst);
}

struct ir_operand build_binary(struct lower *l, enum ir_op op, struct ir_operand a, struct ir_operand b) {
    const struct ir_operand d = build_unary(l, op, a);
    l->block->last->src[1] = b;
    return d;
}

struct ir_operand build_move(struct lower *l, struct ir_operand a) {
    return build_unary(l, IR_MOV, a);
}

struct ir_operand build_register(struct lower *l, struct ir_operand a) {
    return a.kind == IR_REG && a.half == IR_WHOLE && !a.negative && !a.absolute ? a : build_move(l, a);
}

struct ir_operand build_add(struct lower *l, struct ir_operand a, struct ir_operand b) {
    if (ir_is_imm(&b, 0)) return a;
    if (ir_is_imm(&a, 0)) return b;
    if (a.kind == IR_IMM && b.kind == IR_IMM) return ir_imm(a.value + b.value);
    return build_binary(l, IR_IADD, a, b);
}

struct ir_operand build_sub(struct lower *l, struct ir_operand a, struct ir_operand b) {
    if (b.kind == IR_IMM) return build_add(l, a, ir_imm(0 - b.value));
    b.negative = true;
    return build_binary(l, IR_IADD, a, b);
}

struct ir_operand build_neg(struct lower *l, struct ir_operand a) {
    if (a.kind == IR_IMM) return ir_imm(0 - a.value);
    a.negative = true;
    return build_binary(l, IR_IADD, a, ir_imm(0));
}

static uint32_t evaluate_logic(enum ir_logic op, uint32_t a, uint32_t b) {
    switch (op) {
    case IR_AND: return a & b;
    case IR_OR: return a | b;
    case IR_XOR: return a ^ b;
    case IR_PASS: return b;
    }
    return 0;
}

struct ir_operand build_logic(struct lower *l, enum ir_logic op, struct ir_operand a, struct ir_operand b) {
    if (a.kind == IR_IMM && b.kind == IR_IMM) return ir_imm(evaluate_logic(op, a.value, b.value));
    if (a.kind == IR_IMM) return build_logic(l, op, b, a);
    if (op == IR_AND && ir_is_imm(&b, 0)) return b;
    if (op == IR_AND && ir_is_imm(&b, UINT32_MAX)) return a;
    if (op != IR_AND && ir_is_imm(&b, 0)) return a;
    const struct ir_operand d = build_binary(l, IR_LOP, a, b);
    l->block->last->sub = (uint8_t)op;
    return d;
}

struct ir_operand build_not(struct lower *l, struct ir_operand a) {
    if (a.kind == IR_IMM) return ir_imm(~a.value);
    a = build_register(l, a);
    struct ir_operand inverted = a;
    inverted.negative = true;
    const struct ir_operand d = build_binary(l, IR_LOP, a, inverted);
    l->block->last->sub = IR_PASS;
    return d;
}

struct ir_operand build_shl(struct lower *l, struct ir_operand a, struct ir_operand count) {
    if (ir_is_imm(&count, 0)) return a;
    if (count.kind == IR_IMM && count.value > 31) return ir_imm(0);
    if (count.kind == IR_IMM && a.kind == IR_IMM) return ir_imm(a.value << count.value);
    return build_binary(l, IR_SHL, a, count);
}

struct ir_operand build_shr(struct lower *l, struct ir_operand a, struct ir_operand count, bool is_signed) {
    if (ir_is_imm(&count, 0)) return a;
    if (count.kind == IR_IMM && count.value > 31) {
        if (!is_signed) return ir_imm(0);
        count.value = 31;
    }
    if (count.kind == IR_IMM && a.kind == IR_IMM)
        return ir_imm(is_signed ? (uint32_t)((int32_t)a.value >> count.value) : a.value >> count.value);
    const struct ir_operand d = build_binary(l, IR_SHR, a, count);
    l->block->last->flags = is_signed ? IR_SIGN_A : 0;
    return d;
}

struct ir_operand build_set(struct lower *l, enum ir_cond compare, bool is_signed, struct ir_operand a,
                            struct ir_operand b) {
    const struct ir_operand d = build_binary(l, IR_ISET, a, b);
    l->block->last->sub = (uint8_t)compare;
    l->block->last->flags = is_signed ? IR_SIGN_A : 0;
    return d;
}

/* Returns the flags register that the last instruction writes with its mask. */
static ir_reg flags_of_last(struct lower *l) {
    if (l->block->last->fdst == 0) l->block->last->fdst = ir_new_reg(l->ir, IR_C);
    return l->block->last->fdst;
}

static struct ir_operand build_select_by_flags(struct lower *l, ir_reg flags, struct ir_operand a,
                                               struct ir_operand b) {
    const struct ir_operand d = build_binary(l, IR_SELECT, a, b);
    l->block->last->guard = flags;
    l->block->last->cond = IR_NE;
    return d;
}

struct ir_operand build_select(struct lower *l, struct ir_operand mask, struct ir_operand a, struct ir_operand b) {
    struct ir_insn *last = l->block->last;
    if (last != NULL && mask.kind == IR_REG && last->dst == mask.reg && last->op == IR_ISET)
        return build_select_by_flags(l, flags_of_last(l), a, b);
    mask = build_register(l, mask);
    struct ir_insn *test = build(l, IR_I2I);
    test->src[0] = mask;
    test->flags = IR_SIGN_A | IR_SIGN_D;
    test->fdst = ir_new_reg(l->ir, IR_C);
    return build_select_by_flags(l, test->fdst, a, b);
}

struct ir_operand build_compare_select(struct lower *l, enum ir_cond compare, bool is_signed, struct ir_operand a,
                                       struct ir_operand b, struct ir_operand x, struct ir_operand y) {
    const struct ir_operand mask = build_set(l, compare, is_signed, a, b);
    return build_select(l, mask, x, y);
}

struct ir_operand build_minmax(struct lower *l, bool is_max, bool is_signed, struct ir_operand a, struct ir_operand b) {
    const struct ir_operand d = build_binary(l, is_max ? IR_IMAX : IR_IMIN, a, b);
    l->block->last->flags = is_signed ? IR_SIGN_A : 0;
    return d;
}

struct ir_operand build_mul(struct lower *l, struct ir_operand a, struct ir_operand b) {
    if (a.kind == IR_IMM && b.kind == IR_IMM) return ir_imm(a.value * b.value);
    return build_binary(l, IR_MUL, a, b);
}

struct ir_operand build_mulhi(struct lower *l, bool is_signed, struct ir_operand a, struct ir_operand b) {
    if (a.kind == IR_IMM && b.kind == IR_IMM)
        return ir_imm(is_signed ? (uint32_t)(((int64_t)(int32_t)a.value * (int32_t)b.value) >> 32)
                                : (uint32_t)(((uint64_t)a.value * b.value) >> 32));
    const struct ir_operand d = build_binary(l, IR_MULHI, a, b);
    l->block->last->flags = is_signed ? IR_SIGN_A : 0;
    return d;
}

struct ir_operand build_extend(struct lower *l, struct ir_operand a, unsigned bits, bool is_signed) {
    if (bits >= 32) return a;
    if (a.kind == IR_IMM) {
        const uint32_t low = a.value & ((UINT32_C(1) << bits) - 1), sign = UINT32_C(1) << (bits - 1);
        return ir_imm(is_signed ? (low ^ sign) - sign : low);
    }
    a = build_register(l, a);
    struct ir_insn *insn = build(l, IR_I2I);
    insn->src[0] = a;
    if (bits == 16) insn->src[0].half = IR_LOW;
    insn->flags = (uint16_t)((bits == 16 ? IR_SRC16 : IR_BYTE) | (is_signed ? IR_SIGN_A | IR_SIGN_D : 0));
    insn->dst = ir_new_reg(l->ir, IR_R);
    return ir_use(insn->dst);
}

struct ir_operand build_saturate(struct lower *l, struct ir_operand a) {
    return build_binary(l, IR_FMIN, build_binary(l, IR_FMAX, a, ir_imm(0)), ir_imm(0x3f800000));
}
