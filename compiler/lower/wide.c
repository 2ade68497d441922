/* SPDX-License-Identifier: Apache-2.0 */
/* 64-bit integers as two words, low word first. */
#include "lower.h"

static struct value make_value(struct ir_operand lo, struct ir_operand hi) {
    return (struct value){
        {lo, hi}
    };
}

struct value wide_number(uint64_t number) {
    return make_value(ir_imm((uint32_t)number), ir_imm((uint32_t)(number >> 32)));
}

static bool is_immediate(const struct value *v) { return v->w[0].kind == IR_IMM && v->w[1].kind == IR_IMM; }
static uint64_t immediate_of(const struct value *v) { return v->w[0].value | (uint64_t)v->w[1].value << 32; }

struct value wide_extend(struct ir_operand a, bool is_signed, struct lower *l) {
    return make_value(a, is_signed ? build_shr(l, a, ir_imm(31), true) : ir_imm(0));
}

struct value wide_add(struct lower *l, struct value a, struct value b) {
    if (is_immediate(&a) && is_immediate(&b)) return wide_number(immediate_of(&a) + immediate_of(&b));
    if (ir_is_imm(&b.w[0], 0)) return make_value(a.w[0], build_add(l, a.w[1], b.w[1]));
    if (ir_is_imm(&a.w[0], 0)) return make_value(b.w[0], build_add(l, a.w[1], b.w[1]));
    const struct ir_operand lo = build_binary(l, IR_IADD, a.w[0], b.w[0]);
    const ir_reg carry = l->block->last->fdst = ir_new_reg(l->ir, IR_C);
    const struct ir_operand hi = build_binary(l, IR_IADD, a.w[1], b.w[1]);
    l->block->last->carry = carry;
    return make_value(lo, hi);
}

struct value wide_sub(struct lower *l, struct value a, struct value b) {
    if (is_immediate(&b)) return wide_add(l, a, wide_number(0 - immediate_of(&b)));
    b.w[0].negative = true;
    const struct ir_operand inverted = build_not(l, b.w[1]);
    const struct ir_operand lo = build_binary(l, IR_IADD, a.w[0], b.w[0]);
    const ir_reg carry = l->block->last->fdst = ir_new_reg(l->ir, IR_C);
    const struct ir_operand hi = build_binary(l, IR_IADD, a.w[1], inverted);
    l->block->last->carry = carry;
    return make_value(lo, hi);
}

struct value wide_product(struct lower *l, bool is_signed, struct ir_operand a, struct ir_operand b) {
    return make_value(build_mul(l, a, b), build_mulhi(l, is_signed, a, b));
}

struct value wide_mul(struct lower *l, struct value a, struct value b) {
    struct value p = wide_product(l, false, a.w[0], b.w[0]);
    if (!ir_is_imm(&b.w[1], 0)) p.w[1] = build_add(l, p.w[1], build_mul(l, a.w[0], b.w[1]));
    if (!ir_is_imm(&a.w[1], 0)) p.w[1] = build_add(l, p.w[1], build_mul(l, a.w[1], b.w[0]));
    return p;
}

struct value wide_select(struct lower *l, struct ir_operand mask, struct value a, struct value b) {
    const struct ir_operand lo = build_select(l, mask, a.w[0], b.w[0]);
    const ir_reg flags = l->block->last->guard;
    const struct ir_operand hi = build_binary(l, IR_SELECT, a.w[1], b.w[1]);
    l->block->last->guard = flags;
    l->block->last->cond = IR_NE;
    return make_value(lo, hi);
}

/* Returns the comparison for upper words that differ: <= becomes <, >= becomes >. */
static enum ir_cond strict_condition(enum ir_cond compare) {
    return compare == IR_LE ? IR_LT : compare == IR_GE ? IR_GT : compare;
}

/* Returns the mask of a 64-bit comparison: that of the low words if the upper words are equal, else that of the
 * upper words. */
struct ir_operand wide_set(struct lower *l, enum ir_cond compare, bool is_signed, struct value a, struct value b) {
    const struct ir_operand mask = build_set(l, compare, false, a.w[0], b.w[0]);
    const ir_reg flags = l->block->last->fdst = ir_new_reg(l->ir, IR_C);
    build_set(l, IR_NE, false, a.w[1], b.w[1]);
    l->block->last->dst = 0;
    const ir_reg differ = l->block->last->fdst = ir_new_reg(l->ir, IR_C);
    build_set(l, strict_condition(compare), is_signed, a.w[1], b.w[1]);
    l->block->last->dst = mask.reg;
    l->block->last->fdst = flags;
    l->block->last->guard = differ;
    l->block->last->cond = IR_NE;
    return mask;
}

/* ---- shifts ---- */

static struct value shift_by_constant(struct lower *l, bool left, bool is_signed, struct value a, uint32_t n) {
    const struct ir_operand fill = is_signed ? build_shr(l, a.w[1], ir_imm(31), true) : ir_imm(0);
    if (n == 0) return a;
    if (n >= 64) return make_value(fill, fill);
    if (n >= 32)
        return left ? make_value(ir_imm(0), build_shl(l, a.w[0], ir_imm(n - 32)))
                    : make_value(build_shr(l, a.w[1], ir_imm(n - 32), is_signed), fill);
    if (left)
        return make_value(build_shl(l, a.w[0], ir_imm(n)), build_logic(l, IR_OR, build_shl(l, a.w[1], ir_imm(n)),
                                                                       build_shr(l, a.w[0], ir_imm(32 - n), false)));
    return make_value(
        build_logic(l, IR_OR, build_shr(l, a.w[0], ir_imm(n), false), build_shl(l, a.w[1], ir_imm(32 - n))),
        build_shr(l, a.w[1], ir_imm(n), is_signed));
}

/* A word shift by 32 or more, or by a negative count, gives 0. */
static struct value shift_left(struct lower *l, struct value a, struct ir_operand n) {
    const struct ir_operand rest = build_sub(l, ir_imm(32), n), more = build_add(l, n, ir_imm((uint32_t)-32));
    struct ir_operand hi = build_logic(l, IR_OR, build_shl(l, a.w[1], n), build_shr(l, a.w[0], rest, false));
    hi = build_logic(l, IR_OR, hi, build_shl(l, a.w[0], more));
    return make_value(build_shl(l, a.w[0], n), hi);
}

static struct value shift_right(struct lower *l, bool is_signed, struct value a, struct ir_operand n) {
    const struct ir_operand rest = build_sub(l, ir_imm(32), n), more = build_add(l, n, ir_imm((uint32_t)-32));
    struct ir_operand lo = build_logic(l, IR_OR, build_shr(l, a.w[0], n, false), build_shl(l, a.w[1], rest));
    if (is_signed) {
        const struct ir_operand far = build_shr(l, a.w[1], more, true);
        lo = build_compare_select(l, IR_GE, false, n, ir_imm(32), far, lo);
    } else {
        lo = build_logic(l, IR_OR, lo, build_shr(l, a.w[1], more, false));
    }
    return make_value(lo, build_shr(l, a.w[1], n, is_signed));
}

struct value wide_shift(struct lower *l, bool left, bool is_signed, struct value a, struct ir_operand n) {
    if (n.kind == IR_IMM) return shift_by_constant(l, left, is_signed, a, n.value);
    return left ? shift_left(l, a, n) : shift_right(l, is_signed, a, n);
}

void lower_wide_shift(struct lower *l, const struct ptx_insn *insn) {
    const bool left = insn->op == PTX_shl, is_signed = ptx_type_kind(insn->type[0]) == 's' && !left;
    const struct value a = lower_value(l, 1, insn->type[0]);
    const struct ir_operand n = lower_word(l, 2, PTX_TYPE_u32);
    const struct value d = wide_shift(l, left, is_signed, a, n);
    lower_set(l, &insn->operand[0], d, insn->type[0]);
}

/* ---- min, max, abs, neg, products, divisions ---- */

static struct value negate(struct lower *l, struct value a) { return wide_sub(l, wide_number(0), a); }

static struct value absolute(struct lower *l, struct value a) {
    const struct value n = negate(l, a);
    return wide_select(l, build_set(l, IR_LT, true, a.w[1], ir_imm(0)), n, a);
}

/* Returns the upper 64 bits of an unsigned product. */
static struct value high_product(struct lower *l, struct value a, struct value b) {
    const struct value ll = wide_product(l, false, a.w[0], b.w[0]), lh = wide_product(l, false, a.w[0], b.w[1]);
    const struct value hl = wide_product(l, false, a.w[1], b.w[0]), hh = wide_product(l, false, a.w[1], b.w[1]);
    const struct value middle = wide_add(l, hl, make_value(ll.w[1], ir_imm(0)));
    const struct value low = wide_add(l, make_value(middle.w[0], ir_imm(0)), lh);
    return wide_add(l, wide_add(l, hh, make_value(middle.w[1], ir_imm(0))), make_value(low.w[1], ir_imm(0)));
}

static struct value multiply_high(struct lower *l, bool is_signed, struct value a, struct value b) {
    struct value p = high_product(l, a, b);
    if (!is_signed) return p;
    const struct ir_operand sa = build_shr(l, a.w[1], ir_imm(31), true), sb = build_shr(l, b.w[1], ir_imm(31), true);
    p = wide_sub(l, p, make_value(build_logic(l, IR_AND, b.w[0], sa), build_logic(l, IR_AND, b.w[1], sa)));
    return wide_sub(l, p, make_value(build_logic(l, IR_AND, a.w[0], sb), build_logic(l, IR_AND, a.w[1], sb)));
}

static struct value build_wide_division(struct lower *l, bool remainder, bool is_signed, struct value a,
                                        struct value b) {
    const struct ir_operand sign = remainder ? a.w[1] : build_logic(l, IR_XOR, build_register(l, a.w[1]), b.w[1]);
    if (is_signed) {
        a = absolute(l, a);
        b = absolute(l, b);
    }
    const struct ir_operand arguments[] = {a.w[0], a.w[1], b.w[0], b.w[1]};
    struct ir_operand r[2];
    lower_support_call(l, remainder ? "__remainder64" : "__quotient64", arguments, 4, r, 2);
    const struct value q = make_value(r[0], r[1]);
    if (!is_signed) return q;
    const struct value n = negate(l, q);
    return wide_select(l, build_set(l, IR_LT, true, build_register(l, sign), ir_imm(0)), n, q);
}

static struct value build_wide_minmax(struct lower *l, bool is_max, bool is_signed, struct value a, struct value b) {
    const struct ir_operand mask = wide_set(l, is_max ? IR_GT : IR_LT, is_signed, a, b);
    return wide_select(l, mask, a, b);
}

static struct value lower_wide_multiply(struct lower *l, const struct ptx_insn *insn, bool is_signed) {
    const enum ptx_type type = insn->type[0];
    const struct value a = lower_value(l, 1, type), b = lower_value(l, 2, type);
    const struct value p = (insn->modifiers & PTX_MOD_HI) != 0 ? multiply_high(l, is_signed, a, b) : wide_mul(l, a, b);
    return insn->op == PTX_mad ? wide_add(l, p, lower_value(l, 3, type)) : p;
}

void lower_wide_arithmetic(struct lower *l, const struct ptx_insn *insn) {
    const enum ptx_type type = insn->type[0];
    const bool is_signed = ptx_type_kind(type) == 's';
    const struct value a = lower_value(l, 1, type);
    struct value b = {0}, d = {0};
    if (insn->operand_count > 2) b = lower_value(l, 2, type);
    switch (insn->op) {
    case PTX_add: d = wide_add(l, a, b); break;
    case PTX_sub: d = wide_sub(l, a, b); break;
    case PTX_neg: d = negate(l, a); break;
    case PTX_abs: d = absolute(l, a); break;
    case PTX_min: d = build_wide_minmax(l, false, is_signed, a, b); break;
    case PTX_max: d = build_wide_minmax(l, true, is_signed, a, b); break;
    case PTX_mul:
    case PTX_mad: d = lower_wide_multiply(l, insn, is_signed); break;
    case PTX_div: d = build_wide_division(l, false, is_signed, a, b); break;
    case PTX_rem: d = build_wide_division(l, true, is_signed, a, b); break;
    case PTX_sad: {
        const struct value less = wide_sub(l, b, a), more = wide_sub(l, a, b);
        const struct value distance = wide_select(l, wide_set(l, IR_LT, is_signed, a, b), less, more);
        d = wide_add(l, distance, lower_value(l, 3, type));
        break;
    }
    default: lower_bad_types(l);
    }
    lower_set(l, &insn->operand[0], d, type);
}
