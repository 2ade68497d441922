/* SPDX-License-Identifier: Apache-2.0 */
/* Lowers integer arithmetic and logic of PTX of up to 32 bits; wide.c lowers 64 bits. */
#include "lower.h"

static bool is_float(enum ptx_type type) { return ptx_type_kind(type) == 'f'; }
static bool is_signed(enum ptx_type type) { return ptx_type_kind(type) == 's'; }
static bool is_wide(enum ptx_type type) { return ptx_type_bytes(type) == 8; }

/* ---- carries ---- */

/* Lowers add.cc, addc, sub.cc and subc to one IADD. After a subtraction, C means no borrow. */
static void lower_carry(struct lower *l, const struct ptx_insn *insn) {
    const bool reads = insn->op == PTX_addc || insn->op == PTX_subc;
    const bool subtracts = insn->op == PTX_sub || insn->op == PTX_subc;
    struct ir_operand a = lower_word(l, 1, PTX_TYPE_u32), b = lower_word(l, 2, PTX_TYPE_u32);
    if (subtracts && reads)
        b = build_not(l, b);
    else
        b.negative = subtracts;
    if (b.kind == IR_IMM && b.negative) b = build_register(l, ir_imm(b.value)), b.negative = true;
    const struct ir_operand d = build_binary(l, IR_IADD, a, b);
    struct ir_insn *add = l->block->last;
    if (reads) add->carry = l->frame->carry;
    if ((insn->modifiers & PTX_MOD_CC) != 0) add->fdst = l->frame->carry;
    lower_set_word(l, 0, d, PTX_TYPE_u32);
}

/* ---- add, sub, min, max, abs, neg ---- */

static struct ir_operand lower_saturating_sum(struct lower *l, const struct ptx_insn *insn) {
    struct ir_operand a = lower_word(l, 1, PTX_TYPE_s32), b = lower_word(l, 2, PTX_TYPE_s32);
    if (insn->op == PTX_sub) {
        b = build_register(l, b);
        b.negative = true;
    }
    const struct ir_operand d = build_binary(l, IR_IADD, a, b);
    l->block->last->flags = IR_SAT;
    return d;
}

static struct ir_operand narrow_arithmetic(struct lower *l, const struct ptx_insn *insn) {
    const enum ptx_type type = insn->type[0];
    struct ir_operand a;
    switch (insn->op) {
    case PTX_add: return build_add(l, lower_word(l, 1, type), lower_word(l, 2, type));
    case PTX_sub: return build_sub(l, lower_word(l, 1, type), lower_word(l, 2, type));
    case PTX_neg: return build_neg(l, lower_word(l, 1, type));
    case PTX_min:
    case PTX_max:
        a = lower_extended(l, 1, type);
        return build_minmax(l, insn->op == PTX_max, is_signed(type), a, lower_extended(l, 2, type));
    case PTX_abs:
        a = build_register(l, lower_extended(l, 1, type));
        a.absolute = true;
        a = build_unary(l, IR_I2I, a);
        l->block->last->flags = IR_SIGN_A; /* to U32: the most negative number is unchanged */
        return a;
    default: lower_bad_types(l);
    }
}

void lower_arithmetic(struct lower *l, const struct ptx_insn *insn) {
    const enum ptx_type type = insn->type[0];
    if (is_float(type)) {
        lower_float(l, insn);
    } else if ((insn->modifiers & PTX_MOD_CC) != 0 || insn->op == PTX_addc || insn->op == PTX_subc) {
        if (ptx_type_bytes(type) != 4) lower_bad_types(l);
        lower_carry(l, insn);
    } else if (is_wide(type)) {
        lower_wide_arithmetic(l, insn);
    } else if ((insn->modifiers & PTX_MOD_SAT) != 0) {
        if (type != PTX_TYPE_s32) lower_bad_types(l);
        lower_set_word(l, 0, lower_saturating_sum(l, insn), type);
    } else {
        if (insn->type_count != 1 || ptx_type_bytes(type) < 2) lower_bad_types(l);
        lower_set_word(l, 0, narrow_arithmetic(l, insn), type);
    }
}

/* ---- products ---- */

/* Multiplies 16-bit factors: IMUL reads the low halves. */
static struct ir_operand product16(struct lower *l, enum ptx_type type) {
    struct ir_operand a = lower_word(l, 1, type), b = lower_word(l, 2, type);
    if (a.kind == IR_IMM || b.kind == IR_IMM) {
        a = build_extend(l, a, 16, is_signed(type));
        return build_mul(l, a, build_extend(l, b, 16, is_signed(type)));
    }
    a.half = b.half = IR_LOW;
    const struct ir_operand d = build_binary(l, IR_IMUL, a, b);
    l->block->last->flags = is_signed(type) ? IR_SIGN_A | IR_SIGN_B : 0;
    return d;
}

static struct ir_operand lower_product16(struct lower *l, const struct ptx_insn *insn) {
    struct ir_operand p = product16(l, insn->type[0]);
    if ((insn->modifiers & PTX_MOD_HI) != 0) p = build_shr(l, p, ir_imm(16), is_signed(insn->type[0]));
    return p;
}

static struct ir_operand product24(struct lower *l, const struct ptx_insn *insn) {
    struct ir_operand a = lower_word(l, 1, PTX_TYPE_u32), b = lower_word(l, 2, PTX_TYPE_u32);
    a = build_register(l, a);
    const struct ir_operand d = build_binary(l, IR_IMUL, a, b);
    l->block->last->flags = (uint16_t)(IR_M24 | (is_signed(insn->type[0]) ? IR_SIGN_A | IR_SIGN_B : 0) |
                                       ((insn->modifiers & PTX_MOD_HI) != 0 ? IR_HI : 0));
    return d;
}

static struct ir_operand build_saturating_add(struct lower *l, struct ir_operand a, struct ir_operand b) {
    const struct ir_operand d = build_binary(l, IR_IADD, a, b);
    l->block->last->flags = IR_SAT;
    return d;
}

/* Lowers mul.wide and mad.wide. */
static void lower_wide_product(struct lower *l, const struct ptx_insn *insn) {
    const enum ptx_type type = insn->type[0];
    const bool with_sum = insn->op == PTX_mad;
    if (ptx_type_bytes(type) == 2) {
        struct ir_operand p = product16(l, type);
        if (with_sum) p = build_add(l, p, lower_word(l, 3, PTX_TYPE_u32));
        lower_set_word(l, 0, p, PTX_TYPE_u32);
        return;
    }
    if (ptx_type_bytes(type) != 4) lower_bad_types(l);
    struct value p = wide_product(l, is_signed(type), lower_word(l, 1, type), lower_word(l, 2, type));
    if (with_sum) p = wide_add(l, p, lower_value(l, 3, PTX_TYPE_u64));
    lower_set(l, &insn->operand[0], p, PTX_TYPE_u64);
}

/* Lowers mad.lo.cc, madc.lo, mad.hi.cc and madc.hi. */
static void lower_product_carry(struct lower *l, const struct ptx_insn *insn) {
    const bool reads = insn->op == PTX_madc;
    const struct ir_operand a = lower_word(l, 1, PTX_TYPE_u32), b = lower_word(l, 2, PTX_TYPE_u32);
    const struct ir_operand p =
        (insn->modifiers & PTX_MOD_HI) != 0 ? build_mulhi(l, is_signed(insn->type[0]), a, b) : build_mul(l, a, b);
    if (ptx_type_bytes(insn->type[0]) != 4 || l->guard != 0) lower_bad_types(l);
    const struct ir_operand d = build_binary(l, IR_IADD, p, lower_word(l, 3, PTX_TYPE_u32));
    if (reads) l->block->last->carry = l->frame->carry;
    if ((insn->modifiers & PTX_MOD_CC) != 0) l->block->last->fdst = l->frame->carry;
    lower_set_word(l, 0, d, PTX_TYPE_u32);
}

static struct ir_operand lower_sad(struct lower *l, const struct ptx_insn *insn) {
    const enum ptx_type type = insn->type[0];
    const struct ir_operand a = build_register(l, lower_extended(l, 1, type)), b = lower_extended(l, 2, type);
    const struct ir_operand d = build_binary(l, IR_ISAD, a, b);
    l->block->last->src[2] = lower_word(l, 3, type);
    l->block->last->flags = is_signed(type) ? IR_SIGN_A : 0;
    return d;
}

static struct ir_operand absolute(struct lower *l, struct ir_operand a) {
    if (a.kind == IR_IMM) return ir_imm((a.value >> 31) != 0 ? 0 - a.value : a.value);
    a.absolute = true;
    const struct ir_operand d = build_unary(l, IR_I2I, a);
    l->block->last->flags = IR_SIGN_A;
    return d;
}

static bool is_power_of_two(uint32_t n) { return n != 0 && (n & (n - 1)) == 0; }

static uint32_t log2_of(uint32_t n) {
    uint32_t log = 0;
    while (n > 1) n >>= 1, log++;
    return log;
}

static struct ir_operand divide_unsigned(struct lower *l, bool remainder, struct ir_operand a, struct ir_operand b) {
    if (b.kind == IR_IMM && is_power_of_two(b.value))
        return remainder ? build_logic(l, IR_AND, a, ir_imm(b.value - 1))
                         : build_shr(l, a, ir_imm(log2_of(b.value)), false);
    return build_binary(l, remainder ? IR_UREM : IR_UDIV, a, b);
}

/* Signed division: the quotient has the product of the signs, the remainder the sign of the dividend. */
static struct ir_operand divide_signed(struct lower *l, bool remainder, struct ir_operand a, struct ir_operand b) {
    a = build_register(l, a);
    const struct ir_operand sign =
        remainder ? build_shr(l, a, ir_imm(31), true) : build_shr(l, build_logic(l, IR_XOR, a, b), ir_imm(31), true);
    const struct ir_operand q = divide_unsigned(l, remainder, absolute(l, a), absolute(l, b));
    return build_sub(l, build_logic(l, IR_XOR, q, sign), sign);
}

static struct ir_operand lower_divide(struct lower *l, const struct ptx_insn *insn) {
    const enum ptx_type type = insn->type[0];
    const struct ir_operand a = lower_extended(l, 1, type), b = lower_extended(l, 2, type);
    const bool remainder = insn->op == PTX_rem;
    return is_signed(type) ? divide_signed(l, remainder, a, b) : divide_unsigned(l, remainder, a, b);
}

static struct ir_operand narrow_product(struct lower *l, const struct ptx_insn *insn) {
    const enum ptx_type type = insn->type[0];
    struct ir_operand p;
    switch (insn->op) {
    case PTX_mul24: return product24(l, insn);
    case PTX_sad: return lower_sad(l, insn);
    case PTX_div:
    case PTX_rem: return lower_divide(l, insn);
    case PTX_mad24: p = product24(l, insn); break;
    default:
        if (ptx_type_bytes(type) == 2)
            p = lower_product16(l, insn);
        else if ((insn->modifiers & PTX_MOD_HI) != 0)
            p = build_mulhi(l, is_signed(type), lower_word(l, 1, type), lower_word(l, 2, type));
        else
            p = build_mul(l, lower_word(l, 1, type), lower_word(l, 2, type));
        if (insn->op == PTX_mul) return p;
    }
    const struct ir_operand c = lower_word(l, 3, type);
    return (insn->modifiers & PTX_MOD_SAT) != 0 ? build_saturating_add(l, p, c) : build_add(l, p, c);
}

void lower_product(struct lower *l, const struct ptx_insn *insn) {
    const enum ptx_type type = insn->type[0];
    if (is_float(type))
        lower_float(l, insn);
    else if (insn->op == PTX_madc || (insn->op == PTX_mad && (insn->modifiers & PTX_MOD_CC) != 0))
        lower_product_carry(l, insn);
    else if ((insn->modifiers & PTX_MOD_WIDE) != 0)
        lower_wide_product(l, insn);
    else if (is_wide(type))
        lower_wide_arithmetic(l, insn);
    else if (ptx_type_bytes(type) < 2)
        lower_bad_types(l);
    else
        lower_set_word(l, 0, narrow_product(l, insn), type);
}

/* ---- logic ---- */

static enum ir_logic logic_of(enum ptx_op op) { return op == PTX_and ? IR_AND : op == PTX_or ? IR_OR : IR_XOR; }

static void lower_predicate_logic(struct lower *l, const struct ptx_insn *insn) {
    const struct ir_operand a = build_register(l, lower_mask(l, &insn->operand[1]));
    if (insn->op == PTX_not) {
        struct ir_insn *d = lower_set_predicate(l, &insn->operand[0], IR_LOP);
        d->sub = IR_PASS;
        d->src[0] = d->src[1] = a;
        d->src[1].negative = true;
        return;
    }
    const struct ir_operand b = lower_mask(l, &insn->operand[2]);
    struct ir_insn *d = lower_set_predicate(l, &insn->operand[0], IR_LOP);
    d->sub = (uint8_t)logic_of(insn->op);
    d->src[0] = a;
    d->src[1] = b;
}

static void lower_wide_logic(struct lower *l, const struct ptx_insn *insn) {
    const enum ptx_type type = insn->type[0];
    const struct value a = lower_value(l, 1, type);
    struct value b = {0}, d;
    if (insn->op == PTX_cnot) {
        const struct ir_operand both = build_logic(l, IR_OR, build_register(l, a.w[0]), a.w[1]);
        d.w[0] = build_neg(l, build_set(l, IR_EQ, false, both, ir_imm(0)));
        d.w[1] = ir_imm(0);
    } else {
        if (insn->op != PTX_not) b = lower_value(l, 2, type);
        for (unsigned i = 0; i < 2; i++)
            d.w[i] = insn->op == PTX_not ? build_not(l, a.w[i]) : build_logic(l, logic_of(insn->op), a.w[i], b.w[i]);
    }
    lower_set(l, &insn->operand[0], d, type);
}

static struct ir_operand narrow_logic(struct lower *l, const struct ptx_insn *insn) {
    const enum ptx_type type = insn->type[0];
    switch (insn->op) {
    case PTX_not: return build_not(l, lower_word(l, 1, type));
    case PTX_cnot:
        return build_neg(
            l, build_set(l, IR_EQ, false,
                         build_extend(l, build_register(l, lower_word(l, 1, type)), ptx_type_bytes(type) * 8, false),
                         ir_imm(0)));
    case PTX_shl: return build_shl(l, lower_word(l, 1, type), lower_word(l, 2, PTX_TYPE_u32));
    case PTX_shr: return build_shr(l, lower_extended(l, 1, type), lower_word(l, 2, PTX_TYPE_u32), is_signed(type));
    default: return build_logic(l, logic_of(insn->op), lower_word(l, 1, type), lower_word(l, 2, type));
    }
}

void lower_logic(struct lower *l, const struct ptx_insn *insn) {
    const enum ptx_type type = insn->type[0];
    const bool is_shift = insn->op == PTX_shl || insn->op == PTX_shr;
    if (insn->type_count != 1 || is_float(type)) lower_bad_types(l);
    if (type == PTX_TYPE_pred) {
        if (is_shift || insn->op == PTX_cnot || insn->operand_count < (insn->op == PTX_not ? 2 : 3)) lower_bad_types(l);
        lower_predicate_logic(l, insn);
    } else if (is_wide(type)) {
        if (is_shift)
            lower_wide_shift(l, insn);
        else
            lower_wide_logic(l, insn);
    } else {
        lower_set_word(l, 0, narrow_logic(l, insn), type);
    }
}
