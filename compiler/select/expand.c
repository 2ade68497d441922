/* SPDX-License-Identifier: Apache-2.0 */
/* Expands 32-bit products, divisions and selections to sm_10 instructions. Value ranges select the shorter
 * sequences. */
#include "select.h"

/* Position of an expansion: before the instruction that it replaces. The last new instruction takes over its
 * destination. */
struct site {
    struct ir *ir;
    struct ir_insn *at;
};

static struct ir_insn *put(struct site *s, enum ir_op op, struct ir_operand a, struct ir_operand b) {
    struct ir_insn *insn = ir_insert(s->ir, s->at, op);
    insn->src[0] = a;
    insn->src[1] = b;
    insn->dst = ir_new_reg(s->ir, IR_R);
    return insn;
}

static struct ir_operand put_flags(struct site *s, enum ir_op op, unsigned flags, struct ir_operand a,
                                   struct ir_operand b) {
    struct ir_insn *insn = put(s, op, a, b);
    insn->flags = (uint16_t)flags;
    return ir_use(insn->dst);
}

static struct ir_operand put_mad(struct site *s, unsigned flags, struct ir_operand a, struct ir_operand b,
                                 struct ir_operand c) {
    struct ir_insn *insn = put(s, IR_IMAD, a, b);
    insn->flags = (uint16_t)flags;
    insn->src[2] = c;
    return ir_use(insn->dst);
}

/* Makes `result` the result of the replaced instruction. */
static void finish(struct site *s, struct ir_operand result) {
    struct ir_insn *last = s->at->prev;
    if (result.kind == IR_REG && last != NULL && last->dst == result.reg && !result.negative && last->guard == 0 &&
        last->fdst == 0 && (s->at->guard == 0 || last->carry == 0)) {
        last->dst = s->at->dst;
        last->guard = s->at->guard;
        last->cond = s->at->cond;
        last->fdst = s->at->fdst;
    } else {
        struct ir_insn *move = ir_insert(s->ir, s->at, IR_MOV);
        move->src[0] = result;
        move->dst = s->at->dst;
        move->guard = s->at->guard;
        move->cond = s->at->cond;
    }
    ir_remove(s->at);
}

static struct ir_operand half(struct ir_operand o, enum ir_half which) {
    if (o.kind == IR_IMM) return ir_imm(which == IR_LOW ? o.value & 0xffff : o.value >> 16);
    o.half = (uint8_t)which;
    return o;
}
static struct ir_operand low(struct ir_operand o) { return half(o, IR_LOW); }
static struct ir_operand high(struct ir_operand o) { return half(o, IR_HIGH); }

static struct ir_operand to_register(struct site *s, struct ir_operand o) {
    if (o.kind == IR_REG) return o;
    struct ir_insn *move = put(s, IR_MOV, o, (struct ir_operand){0});
    return ir_use(move->dst);
}

/* ---- products ---- */

static struct ir_operand shift_left(struct site *s, struct ir_operand a, uint32_t n) {
    return n == 0 ? a : put_flags(s, IR_SHL, 0, a, ir_imm(n));
}

static uint32_t trailing_zeros(uint32_t n) {
    uint32_t count = 0;
    while (n != 0 && (n & 1) == 0) n >>= 1, count++;
    return count;
}

/* Multiplies by a constant with at most two shifts and a sum. Returns false for other constants. */
static bool multiply_by_shifts(struct site *s, struct ir_operand a, uint32_t n, struct ir_operand *d) {
    const uint32_t zeros = trailing_zeros(n), odd = n >> zeros;
    if (n == 0 || a.kind != IR_REG) return false;
    if (odd == 1) {
        *d = shift_left(s, a, zeros);
        return true;
    }
    struct ir_operand minus = a;
    minus.negative = true;
    if (n == UINT32_MAX) {
        *d = put_flags(s, IR_IADD, 0, minus, ir_imm(0));
        return true;
    }
    if (((odd - 1) & (odd - 2)) == 0) { /* 2^k + 1 */
        const struct ir_operand sum = put_flags(s, IR_IADD, 0, shift_left(s, a, trailing_zeros(odd - 1)), a);
        *d = shift_left(s, sum, zeros);
        return true;
    }
    if (((odd + 1) & odd) == 0) { /* 2^k - 1 */
        const struct ir_operand sum = put_flags(s, IR_IADD, 0, shift_left(s, a, trailing_zeros(odd + 1)), minus);
        *d = shift_left(s, sum, zeros);
        return true;
    }
    return false;
}

/* Multiplies narrow factors by one IMUL. */
static bool multiply_narrow(struct site *s, struct ir_operand a, struct ir_operand b, struct ir_operand *d) {
    const uint32_t ba = select_bits(s->ir, &a), bb = select_bits(s->ir, &b);
    const uint32_t sa = select_sbits(s->ir, &a), sb = select_sbits(s->ir, &b);
    if (ba <= 16 && bb <= 16)
        *d = put_flags(s, IR_IMUL, 0, low(a), low(b));
    else if (sa <= 16 && sb <= 16)
        *d = put_flags(s, IR_IMUL, IR_SIGN_A | IR_SIGN_B, low(a), low(b));
    else if (ba <= 16 && sb <= 16)
        *d = put_flags(s, IR_IMUL, IR_SIGN_B, low(a), low(b));
    else if (sa <= 16 && bb <= 16)
        *d = put_flags(s, IR_IMUL, IR_SIGN_A, low(a), low(b));
    else if (ba <= 24 && bb <= 24)
        *d = put_flags(s, IR_IMUL, IR_M24, a, b);
    else if (sa <= 24 && sb <= 24)
        *d = put_flags(s, IR_IMUL, IR_M24 | IR_SIGN_A | IR_SIGN_B, a, b);
    else
        return false;
    return true;
}

static struct ir_operand multiply(struct site *s, struct ir_operand a, struct ir_operand b) {
    struct ir_operand d;
    if (b.kind == IR_IMM && multiply_by_shifts(s, a, b.value, &d)) return d;
    if (multiply_narrow(s, a, b, &d)) return d;
    a = to_register(s, a);
    if (b.kind == IR_SHARED) b = to_register(s, b);
    const bool a_narrow = select_bits(s->ir, &a) <= 16, b_narrow = select_bits(s->ir, &b) <= 16;
    struct ir_operand middle;
    if (b_narrow)
        middle = put_flags(s, IR_IMUL, 0, high(a), low(b));
    else
        middle = put_flags(s, IR_IMUL, 0, low(a), high(b));
    if (!a_narrow && !b_narrow) middle = put_mad(s, 0, high(a), low(b), middle);
    return put_mad(s, 0, low(a), low(b), shift_left(s, middle, 16));
}

static struct ir_operand shift_right(struct site *s, struct ir_operand a, uint32_t n, bool is_signed) {
    return put_flags(s, IR_SHR, is_signed ? IR_SIGN_A : 0, a, ir_imm(n));
}

/* Returns the upper word of a product, computed from products of halves. None of the sums overflows. */
static struct ir_operand multiply_high(struct site *s, struct ir_operand a, struct ir_operand b, bool is_signed) {
    a = to_register(s, a);
    if (b.kind == IR_SHARED) b = to_register(s, b);
    if (is_signed) b = to_register(s, b);
    const struct ir_operand ll = put_flags(s, IR_IMUL, 0, low(a), low(b));
    const struct ir_operand carry = shift_right(s, ll, 16, false);
    struct ir_operand hl, lh;
    if (is_signed) {
        const struct ir_operand p = put_flags(s, IR_IMUL, IR_SIGN_A, high(a), low(b));
        hl = put_flags(s, IR_IADD, 0, p, carry);
    } else {
        hl = put_mad(s, 0, high(a), low(b), carry);
    }
    const struct ir_operand rest = put_flags(s, IR_I2I, IR_SRC16, low(hl), (struct ir_operand){0});
    if (is_signed) {
        const struct ir_operand p = put_flags(s, IR_IMUL, IR_SIGN_B, low(a), high(b));
        lh = put_flags(s, IR_IADD, 0, p, rest);
    } else {
        lh = put_mad(s, 0, low(a), high(b), rest);
    }
    const struct ir_operand up =
        put_mad(s, is_signed ? IR_SIGN_A | IR_SIGN_B : 0, high(a), high(b), shift_right(s, hl, 16, is_signed));
    return put_flags(s, IR_IADD, 0, up, shift_right(s, lh, 16, is_signed));
}

static void expand_product(struct ir *ir, struct ir_insn *insn) {
    struct site s = {ir, insn};
    const struct ir_operand a = insn->src[0], b = insn->src[1];
    const bool is_signed = (insn->flags & IR_SIGN_A) != 0;
    if (insn->op == IR_MUL)
        finish(&s, multiply(&s, a, b));
    else if (!is_signed && select_bits(ir, &a) + select_bits(ir, &b) <= 32)
        finish(&s, ir_imm(0));
    else
        finish(&s, multiply_high(&s, a, b, is_signed));
}

/* ---- divisions ---- */

static struct ir_operand subtract(struct site *s, struct ir_operand a, struct ir_operand b) {
    if (b.kind == IR_IMM) return put_flags(s, IR_IADD, 0, a, ir_imm(0 - b.value));
    b.negative = true;
    return put_flags(s, IR_IADD, 0, a, b);
}

/* Returns a quotient that is exact or too small, within the error of the reciprocal. */
static struct ir_operand estimate(struct site *s, struct ir_operand a, struct ir_operand reciprocal) {
    struct ir_insn *dividend = put(s, IR_I2F, a, (struct ir_operand){0});
    dividend->rounding = IR_TRUNC;
    struct ir_insn *q = put(s, IR_FMUL, ir_use(dividend->dst), reciprocal);
    q->rounding = IR_TRUNC;
    struct ir_insn *integer = put(s, IR_F2I, ir_use(q->dst), (struct ir_operand){0});
    integer->rounding = IR_TRUNC;
    return ir_use(integer->dst);
}

/* The first estimate is too small by less than 2^10, the second, of the remainder, by at most 1. */
static void expand_division(struct ir *ir, struct ir_insn *insn) {
    struct site s = {ir, insn};
    const struct ir_operand a = to_register(&s, insn->src[0]), b = insn->src[1];
    const struct ir_operand divisor = put_flags(&s, IR_I2F, 0, to_register(&s, b), (struct ir_operand){0});
    const struct ir_operand inverse = put_flags(&s, IR_RCP, 0, divisor, (struct ir_operand){0});
    const struct ir_operand reciprocal = put_flags(&s, IR_IADD, 0, inverse, ir_imm((uint32_t)-2));
    struct ir_operand q = estimate(&s, a, reciprocal);
    struct ir_operand r = subtract(&s, a, multiply(&s, q, b));
    if (select_bits(ir, &a) > 20) {
        const struct ir_operand more = estimate(&s, r, reciprocal);
        r = subtract(&s, r, multiply(&s, more, b));
        q = put_flags(&s, IR_IADD, 0, q, more);
    }
    struct ir_insn *mask = put(&s, IR_ISET, r, b);
    mask->sub = IR_GE;
    struct ir_operand one = ir_use(mask->dst);
    if (insn->op == IR_UDIV) {
        finish(&s, subtract(&s, q, one));
        return;
    }
    struct ir_insn *back = put(&s, IR_LOP, one, b);
    back->sub = IR_AND;
    finish(&s, subtract(&s, r, ir_use(back->dst)));
}

/* ---- selections, redundant conversions ---- */

static void move_where(struct ir *ir, struct ir_insn *at, ir_reg dst, struct ir_operand o, ir_reg guard, uint8_t cond) {
    struct ir_insn *move = ir_insert(ir, at, IR_MOV);
    move->src[0] = o;
    move->dst = dst;
    move->guard = guard;
    move->cond = cond;
}

static bool is_reg(const struct ir_operand *o, ir_reg reg) { return o->kind == IR_REG && o->reg == reg; }

static void expand_select(struct ir *ir, struct ir_insn *insn) {
    const struct ir_operand a = insn->src[0], b = insn->src[1];
    const ir_reg d = insn->dst, flags = insn->guard;
    const bool a_dies = a.kind == IR_REG && ir->regs[a.reg].uses == 1;
    const bool b_dies = b.kind == IR_REG && ir->regs[b.reg].uses == 1;
    if (is_reg(&b, d)) {
        if (!is_reg(&a, d)) move_where(ir, insn, d, a, flags, insn->cond);
    } else if (is_reg(&a, d) || (a_dies && !b_dies)) {
        if (!is_reg(&a, d)) move_where(ir, insn, d, a, 0, IR_ALWAYS);
        move_where(ir, insn, d, b, flags, ir_opposite(insn->cond));
    } else {
        move_where(ir, insn, d, b, 0, IR_ALWAYS);
        move_where(ir, insn, d, a, flags, insn->cond);
    }
    ir_remove(insn);
}

/* Replaces I2I by MOV if the source already fits in the width of the result. */
static void drop_extension(struct ir *ir, struct ir_insn *insn) {
    struct ir_operand whole = insn->src[0];
    const unsigned flags = insn->flags;
    if (whole.kind != IR_REG || whole.negative || whole.absolute || whole.half == IR_HIGH || insn->fdst != 0 ||
        (flags & ~(unsigned)(IR_SRC16 | IR_BYTE | IR_SIGN_A | IR_SIGN_D)) != 0)
        return;
    whole.half = IR_WHOLE;
    const uint32_t width = (flags & IR_BYTE) != 0 ? 8 : (flags & IR_SRC16) != 0 ? 16 : 32;
    const bool is_signed = (flags & IR_SIGN_A) != 0;
    if (is_signed != ((flags & IR_SIGN_D) != 0)) return;
    if ((is_signed ? select_sbits(ir, &whole) : select_bits(ir, &whole)) > width) return;
    insn->op = IR_MOV;
    insn->src[0] = whole;
    insn->flags = 0;
}

void select_expand(struct ir *ir) {
    for (size_t b = 0; b < ir->order_count; b++)
        for (struct ir_insn *insn = ir->order[b]->first, *next; insn != NULL; insn = next) {
            next = insn->next;
            switch (insn->op) {
            case IR_MUL:
            case IR_MULHI: expand_product(ir, insn); break;
            case IR_UDIV:
            case IR_UREM: expand_division(ir, insn); break;
            case IR_I2I: drop_extension(ir, insn); break;
            default: break;
            }
        }
}

void select_expand_selects(struct ir *ir) {
    ir_count(ir);
    for (size_t b = 0; b < ir->order_count; b++)
        for (struct ir_insn *insn = ir->order[b]->first, *next; insn != NULL; insn = next) {
            next = insn->next;
            if (insn->op == IR_SELECT) expand_select(ir, insn);
        }
}
