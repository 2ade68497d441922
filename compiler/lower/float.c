/* SPDX-License-Identifier: Apache-2.0 */
/* Lowers floating point of PTX. Single precision flushes denormals, as sm_10 does; double precision calls routines. */
#include "lower.h"

static bool is_approximate(const struct lower *l, const struct ptx_insn *insn) {
    return (insn->modifiers & PTX_MOD_APPROX) != 0 || l->cc->options->fast_math;
}

static bool may_fuse(const struct lower *l, const struct ptx_insn *insn) {
    switch (l->cc->options->contract) {
    case COMPILE_CONTRACT_OFF: return false;
    case COMPILE_CONTRACT_FAST:
        if (insn->rounding == PTX_RN) return !insn->in_assembly;
        return insn->rounding == PTX_NO_ROUNDING;
    default: return insn->rounding == PTX_NO_ROUNDING;
    }
}

static struct ir_operand float_source(struct lower *l, unsigned operand) {
    return lower_word(l, operand, PTX_TYPE_f32);
}
static struct ir_operand float_source_register(struct lower *l, unsigned operand) {
    return build_register(l, float_source(l, operand));
}

static struct ir_operand negate(struct ir_operand a) {
    if (a.kind == IR_IMM)
        a.value ^= UINT32_C(0x80000000);
    else
        a.negative = !a.negative;
    return a;
}

static struct ir_operand lower_sum(struct lower *l, const struct ptx_insn *insn) {
    const struct ir_operand a = float_source(l, 1), b = float_source(l, 2);
    const struct ir_operand d = build_binary(l, IR_FADD, a, insn->op == PTX_sub ? negate(b) : b);
    l->block->last->rounding = (uint8_t)lower_rounding(insn->rounding);
    if (may_fuse(l, insn)) l->block->last->flags |= IR_FUSIBLE;
    return d;
}

static struct ir_operand build_fmul(struct lower *l, struct ir_operand a, struct ir_operand b) {
    return build_binary(l, IR_FMUL, a, b);
}

static struct ir_operand lower_float_product(struct lower *l, const struct ptx_insn *insn) {
    const struct ir_operand a = float_source(l, 1), d = build_fmul(l, a, float_source(l, 2));
    l->block->last->rounding = (uint8_t)lower_rounding(insn->rounding);
    if (may_fuse(l, insn)) l->block->last->flags |= IR_FUSIBLE;
    return d;
}

static struct ir_operand call_routine(struct lower *l, const char *name, const struct ir_operand *arguments,
                                      unsigned count) {
    struct ir_operand result;
    lower_support_call(l, name, arguments, count, &result, 1);
    return result;
}

/* Lowers fma, with a single rounding, and mad of sm_1x, which truncates the product. */
static struct ir_operand lower_fma(struct lower *l, const struct ptx_insn *insn) {
    const struct ir_operand arguments[] = {float_source_register(l, 1), float_source_register(l, 2),
                                           float_source_register(l, 3)};
    const bool cuts = insn->op == PTX_mad && insn->rounding == PTX_NO_ROUNDING && l->module->target < 20;
    if (cuts || l->cc->options->fast_math) {
        const struct ir_operand d = build_binary(l, IR_FMAD, arguments[0], arguments[1]);
        l->block->last->src[2] = arguments[2];
        return d;
    }
    static const char *const NAME[] = {"__fma_rn", "__fma_rm", "__fma_rp", "__fma_rz"};
    return call_routine(l, NAME[lower_rounding(insn->rounding)], arguments, 3);
}

/* The reciprocal of a divisor of 2^126 or more is flushed to zero, so dividend and divisor are scaled down. */
static struct ir_operand divide_full(struct lower *l, struct ir_operand a, struct ir_operand b) {
    struct ir_operand size = b;
    size.absolute = true;
    float_set(l, PTX_GT, size, ir_imm(0x7e800000));
    l->block->last->dst = 0;
    const ir_reg flags = l->block->last->fdst = ir_new_reg(l->ir, IR_C);
    const struct ir_operand x = build_fmul(l, a, ir_imm(0x3e800000)), y = build_fmul(l, b, ir_imm(0x3e800000));
    const struct ir_operand n = build_binary(l, IR_SELECT, x, a);
    l->block->last->guard = flags;
    l->block->last->cond = IR_NE;
    const struct ir_operand d = build_binary(l, IR_SELECT, y, b);
    l->block->last->guard = flags;
    l->block->last->cond = IR_NE;
    return build_fmul(l, n, build_unary(l, IR_RCP, d));
}

static const char *routine_for_rounding(const struct lower *l, const struct ptx_insn *insn,
                                        const char *const names[4]) {
    const char *name = names[lower_rounding(insn->rounding)];
    if (name == NULL) lower_fail(l, "this rounding of '%s' is not supported", ptx_op_name(insn->op));
    return name;
}

static struct ir_operand lower_quotient(struct lower *l, const struct ptx_insn *insn) {
    const struct ir_operand a = float_source_register(l, 1), b = float_source_register(l, 2);
    if (is_approximate(l, insn)) return build_fmul(l, a, build_unary(l, IR_RCP, b));
    if ((insn->modifiers & PTX_MOD_FULL) != 0 || insn->rounding == PTX_NO_ROUNDING) return divide_full(l, a, b);
    static const char *const NAMES[4] = {"__div_rn", "__div_rm", "__div_rp", "__div_rz"};
    const struct ir_operand arguments[] = {a, b};
    return call_routine(l, routine_for_rounding(l, insn, NAMES), arguments, 2);
}

static struct ir_operand lower_reciprocal(struct lower *l, const struct ptx_insn *insn) {
    const struct ir_operand a = float_source_register(l, 1);
    if (is_approximate(l, insn)) return build_unary(l, IR_RCP, a);
    static const char *const NAMES[4] = {"__div_rn", "__div_rm", "__div_rp", "__div_rz"};
    const struct ir_operand arguments[] = {ir_imm(0x3f800000), a};
    return call_routine(l, routine_for_rounding(l, insn, NAMES), arguments, 2);
}

static struct ir_operand lower_square_root(struct lower *l, const struct ptx_insn *insn) {
    const struct ir_operand a = float_source_register(l, 1);
    if (is_approximate(l, insn)) return build_unary(l, IR_RCP, build_unary(l, IR_RSQ, a));
    static const char *const NAMES[4] = {"__sqrt_rn", "__sqrt_rm", "__sqrt_rp", "__sqrt_rz"};
    return call_routine(l, routine_for_rounding(l, insn, NAMES), &a, 1);
}

static struct ir_operand build_special_function(struct lower *l, enum ir_op op, struct ir_operand a) {
    struct ir_operand reduced = build_unary(l, IR_RRO, a);
    l->block->last->sub = op == IR_EX2;
    return build_unary(l, op, reduced);
}

/* Returns b with the sign of a. */
static struct ir_operand lower_copysign(struct lower *l) {
    const struct ir_operand sign = build_logic(l, IR_AND, float_source(l, 1), ir_imm(0x80000000));
    return build_logic(l, IR_OR, build_logic(l, IR_AND, float_source(l, 2), ir_imm(0x7fffffff)), sign);
}

static struct ir_operand lower_sign_change(struct lower *l, const struct ptx_insn *insn) {
    struct ir_operand a = float_source_register(l, 1);
    if ((insn->modifiers & PTX_MOD_FTZ) == 0)
        return insn->op == PTX_abs ? build_logic(l, IR_AND, a, ir_imm(0x7fffffff))
                                   : build_logic(l, IR_XOR, a, ir_imm(0x80000000));
    a.absolute = insn->op == PTX_abs;
    a.negative = insn->op == PTX_neg;
    return build_unary(l, IR_F2F, a);
}

static struct ir_operand lower_single(struct lower *l, const struct ptx_insn *insn) {
    switch (insn->op) {
    case PTX_add:
    case PTX_sub: return lower_sum(l, insn);
    case PTX_mul: return lower_float_product(l, insn);
    case PTX_fma:
    case PTX_mad: return lower_fma(l, insn);
    case PTX_div: return lower_quotient(l, insn);
    case PTX_rcp: return lower_reciprocal(l, insn);
    case PTX_sqrt: return lower_square_root(l, insn);
    case PTX_rsqrt: return build_unary(l, IR_RSQ, float_source_register(l, 1));
    case PTX_lg2: return build_unary(l, IR_LG2, float_source_register(l, 1));
    case PTX_ex2: return build_special_function(l, IR_EX2, float_source_register(l, 1));
    case PTX_sin: return build_special_function(l, IR_SIN, float_source_register(l, 1));
    case PTX_cos: return build_special_function(l, IR_COS, float_source_register(l, 1));
    case PTX_abs:
    case PTX_neg: return lower_sign_change(l, insn);
    case PTX_copysign: return lower_copysign(l);
    case PTX_min:
    case PTX_max: {
        const struct ir_operand a = float_source_register(l, 1);
        return build_binary(l, insn->op == PTX_min ? IR_FMIN : IR_FMAX, a, float_source(l, 2));
    }
    default: lower_bad_types(l);
    }
}

void lower_float(struct lower *l, const struct ptx_insn *insn) {
    const enum ptx_type type = insn->type[0];
    if (type == PTX_TYPE_f64) {
        lower_double(l, insn);
        return;
    }
    if (type != PTX_TYPE_f32 || insn->type_count != 1) lower_bad_types(l);
    struct ir_operand d = lower_single(l, insn);
    if ((insn->modifiers & PTX_MOD_SAT) != 0) d = build_saturate(l, d);
    lower_set_word(l, 0, d, type);
}

/* ---- double precision ---- */

/* Returns the name of the routine; with `to`, the first argument is the rounding. */
static const char *double_routine_name(const struct lower *l, const struct ptx_insn *insn, bool to) {
    static const char *const NAME[PTX_OP_COUNT] = {
        [PTX_add] = "__add64", [PTX_sub] = "__sub64", [PTX_mul] = "__mul64", [PTX_fma] = "__fma64",
        [PTX_mad] = "__fma64", [PTX_div] = "__div64", [PTX_rcp] = "__div64", [PTX_sqrt] = "__sqrt64",
        [PTX_min] = "__min64", [PTX_max] = "__max64",
    };
    if (NAME[insn->op] == NULL) lower_bad_types(l);
    return to ? cc_format(l->cc, "%s_to", NAME[insn->op]) : NAME[insn->op];
}

static void build_double_sign(struct lower *l, enum ptx_op op, const struct ir_operand *a, struct ir_operand *result) {
    result[0] = a[0];
    if (op == PTX_abs)
        result[1] = build_logic(l, IR_AND, a[1], ir_imm(0x7fffffff));
    else if (op == PTX_neg)
        result[1] = build_logic(l, IR_XOR, a[1], ir_imm(0x80000000));
    else { /* copysign: the first source gives the sign */
        const struct ir_operand sign = build_logic(l, IR_AND, a[1], ir_imm(0x80000000));
        result[0] = a[2];
        result[1] = build_logic(l, IR_OR, build_logic(l, IR_AND, a[3], ir_imm(0x7fffffff)), sign);
    }
}

void lower_double(struct lower *l, const struct ptx_insn *insn) {
    struct ir_operand arguments[9] = {{0}}, result[2];
    unsigned count = 0;
    const bool to = lower_rounding(insn->rounding) != IR_NEAREST;
    if ((l->cc->notes_given & NOTE_DOUBLE) == 0) cc_note(l->cc, &insn->place, "double precision is done in software");
    l->cc->notes_given |= NOTE_DOUBLE;
    if (to) arguments[count++] = ir_imm(lower_rounding(insn->rounding));
    if (insn->op == PTX_rcp) {
        arguments[count++] = ir_imm(0);
        arguments[count++] = ir_imm(0x3ff00000);
    }
    for (unsigned i = 1; i < insn->operand_count && i < 4; i++) {
        const struct value v = lower_value(l, i, PTX_TYPE_f64);
        arguments[count++] = v.w[0];
        arguments[count++] = v.w[1];
    }
    if (insn->op == PTX_abs || insn->op == PTX_neg || insn->op == PTX_copysign)
        build_double_sign(l, insn->op, arguments, result);
    else
        lower_support_call(l, double_routine_name(l, insn, to), arguments, count, result, 2);
    const struct value v = {
        {result[0], result[1]}
    };
    lower_set(l, &insn->operand[0], v, PTX_TYPE_f64);
}
