/* SPDX-License-Identifier: Apache-2.0 */
/* Lowers set, setp, selp and slct. */
#include "lower.h"

static bool is_signed(enum ptx_type type) { return ptx_type_kind(type) == 's'; }

/* Returns the condition code of ISET. */
static enum ir_cond integer_condition(const struct lower *l, enum ptx_compare compare) {
    switch (compare) {
    case PTX_EQ: return IR_EQ;
    case PTX_NE: return IR_NE;
    case PTX_LT:
    case PTX_LO: return IR_LT;
    case PTX_LE:
    case PTX_LS: return IR_LE;
    case PTX_GT:
    case PTX_HI: return IR_GT;
    case PTX_GE:
    case PTX_HS: return IR_GE;
    default: lower_fail(l, "this comparison needs floats");
    }
}

uint8_t lower_float_condition(const struct lower *l, enum ptx_compare compare) {
    static const uint8_t CODE[] = {
        [PTX_EQ] = IR_EQ,   [PTX_NE] = IR_NE,   [PTX_LT] = IR_LT,   [PTX_LE] = IR_LE,   [PTX_GT] = IR_GT,
        [PTX_GE] = IR_GE,   [PTX_EQU] = IR_EQU, [PTX_NEU] = IR_NEU, [PTX_LTU] = IR_LTU, [PTX_LEU] = IR_LEU,
        [PTX_GTU] = IR_GTU, [PTX_GEU] = IR_GEU, [PTX_NUM] = IR_NUM, [PTX_NAN] = IR_NAN};
    if (CODE[compare] == 0) lower_fail(l, "this comparison needs integers");
    return CODE[compare];
}

struct ir_operand float_set(struct lower *l, enum ptx_compare compare, struct ir_operand a, struct ir_operand b) {
    const struct ir_operand d = build_binary(l, IR_FSET, a, b);
    l->block->last->sub = lower_float_condition(l, compare);
    return d;
}

static const char *double_routine(const struct lower *l, enum ptx_compare compare) {
    static const char *const NAME[] = {
        [PTX_EQ] = "__eq64",   [PTX_NE] = "__ne64",   [PTX_LT] = "__lt64",   [PTX_LE] = "__le64",
        [PTX_GT] = "__gt64",   [PTX_GE] = "__ge64",   [PTX_EQU] = "__equ64", [PTX_NEU] = "__neu64",
        [PTX_LTU] = "__ltu64", [PTX_LEU] = "__leu64", [PTX_GTU] = "__gtu64", [PTX_GEU] = "__geu64",
        [PTX_NUM] = "__num64", [PTX_NAN] = "__nan64"};
    if (NAME[compare] == NULL) lower_fail(l, "this comparison needs integers");
    return NAME[compare];
}

/* Returns the mask of a comparison of operands `first` and `first` + 1. */
static struct ir_operand compare_operands(struct lower *l, const struct ptx_insn *insn, enum ptx_type type,
                                          unsigned first) {
    if (type == PTX_TYPE_f32) {
        const struct ir_operand a = lower_word(l, first, type);
        return float_set(l, insn->compare, build_register(l, a), lower_word(l, first + 1, type));
    }
    if (type == PTX_TYPE_f64) {
        const struct value a = lower_value(l, first, type), b = lower_value(l, first + 1, type);
        const struct ir_operand arguments[] = {a.w[0], a.w[1], b.w[0], b.w[1]};
        struct ir_operand result;
        lower_support_call(l, double_routine(l, insn->compare), arguments, 4, &result, 1);
        return build_set(l, IR_NE, false, result, ir_imm(0));
    }
    const enum ir_cond code = integer_condition(l, insn->compare);
    const bool as_signed = is_signed(type) && insn->compare < PTX_LO;
    if (ptx_type_bytes(type) == 8)
        return wide_set(l, code, as_signed, lower_value(l, first, type), lower_value(l, first + 1, type));
    if (ptx_type_bytes(type) < 2) lower_bad_types(l);
    const struct ir_operand a = lower_extended(l, first, type);
    return build_set(l, code, as_signed, a, lower_extended(l, first + 1, type));
}

static enum ir_logic combine_operation(enum ptx_combine combine) {
    return combine == PTX_COMBINE_AND ? IR_AND : combine == PTX_COMBINE_OR ? IR_OR : IR_XOR;
}

/* Makes the last instruction, which writes only the mask, write the predicate. */
static void set_predicate(struct lower *l, const struct ptx_operand *o, struct ir_operand mask) {
    struct ir_insn *last = l->block->last;
    const bool is_comparison = last != NULL && (last->op == IR_ISET || last->op == IR_FSET || last->op == IR_LOP);
    if (is_comparison && mask.kind == IR_REG && last->dst == mask.reg && mask.reg >= l->first_new_reg &&
        last->guard == 0 && o->kind == PTX_OPERAND_REGISTER && last->fdst == 0) {
        const struct ir_insn *probe = lower_set_predicate(l, o, IR_NOP);
        last->dst = probe->dst;
        last->fdst = probe->fdst;
        last->guard = probe->guard;
        last->cond = probe->cond;
        ir_remove((struct ir_insn *)probe);
        return;
    }
    mask = build_register(l, mask);
    struct ir_insn *move = lower_set_predicate(l, o, IR_I2I);
    move->src[0] = mask;
    move->flags = IR_SIGN_A | IR_SIGN_D;
}

static void lower_setp(struct lower *l, const struct ptx_insn *insn) {
    struct ir_operand mask = compare_operands(l, insn, insn->type[0], 1);
    const struct ptx_operand *d = &insn->operand[0];
    const bool is_pair = d->kind == PTX_OPERAND_PAIR;
    struct ir_operand inverse = mask;
    if (is_pair) inverse = build_not(l, mask);
    if (insn->combine != PTX_NO_COMBINE) {
        if (insn->operand_count < 4) lower_fail(l, "'setp' has too few operands");
        const struct ir_operand other = build_register(l, lower_mask(l, &insn->operand[3]));
        if (is_pair) {
            const struct ir_operand second = build_logic(l, combine_operation(insn->combine), inverse, other);
            const struct ir_operand first = build_logic(l, combine_operation(insn->combine), mask, other);
            set_predicate(l, &d->elements[0], first);
            set_predicate(l, &d->elements[1], second);
            return;
        }
        mask = build_logic(l, combine_operation(insn->combine), mask, other);
    }
    if (is_pair) {
        set_predicate(l, &d->elements[0], mask);
        set_predicate(l, &d->elements[1], inverse);
    } else {
        set_predicate(l, d, mask);
    }
}

/* Lowers testp by comparing the bits of the magnitude. */
static void lower_testp(struct lower *l, const struct ptx_insn *insn) {
    const bool wide = insn->type[0] == PTX_TYPE_f64;
    const uint32_t infinite = wide ? 0x7ff00000 : 0x7f800000, normal = wide ? 0x00100000 : 0x00800000;
    if (insn->type_count != 1 || (!wide && insn->type[0] != PTX_TYPE_f32)) lower_bad_types(l);
    const struct value v = lower_value(l, 1, insn->type[0]);
    const struct ir_operand upper =
        build_register(l, build_logic(l, IR_AND, build_register(l, v.w[wide]), ir_imm(0x7fffffff)));
    /* 64 bits: doubles the upper word, and sets its last bit if the lower word is not zero */
    struct ir_operand a = upper;
    uint32_t scale = 1;
    if (wide) {
        const struct ir_operand below = build_neg(l, build_set(l, IR_NE, false, build_register(l, v.w[0]), ir_imm(0)));
        a = build_logic(l, IR_OR, build_shl(l, upper, ir_imm(1)), below);
        scale = 2;
    }
    struct ir_operand mask;
    switch (insn->test) {
    case PTX_FINITE: mask = build_set(l, IR_LT, false, a, ir_imm(infinite * scale)); break;
    case PTX_INFINITE: mask = build_set(l, IR_EQ, false, a, ir_imm(infinite * scale)); break;
    case PTX_NUMBER_TEST: mask = build_set(l, IR_LE, false, a, ir_imm(infinite * scale)); break;
    case PTX_NOT_A_NUMBER: mask = build_set(l, IR_GT, false, a, ir_imm(infinite * scale)); break;
    case PTX_NORMAL: { /* zero is not a normal number */
        const struct ir_operand finite = build_set(l, IR_LT, false, a, ir_imm(infinite * scale));
        a = build_add(l, a, ir_imm(UINT32_MAX));
        mask = build_logic(l, IR_AND, build_set(l, IR_GE, false, a, ir_imm(normal * scale - 1)), finite);
        break;
    }
    case PTX_SUBNORMAL:
        a = build_add(l, a, ir_imm(UINT32_MAX));
        mask = build_set(l, IR_LT, false, a, ir_imm(normal * scale - 1));
        break;
    default: lower_fail(l, "testp needs a test, such as .finite");
    }
    set_predicate(l, &insn->operand[0], mask);
}

struct ir_operand lower_is_in_space(struct lower *l, struct ir_operand address, enum ptx_space space,
                                    enum ptx_space wanted) {
    if (space != PTX_NO_SPACE || wanted == PTX_SPACE_CONST) return ir_imm(space == wanted ? UINT32_MAX : 0);
    const struct ir_operand tag = build_shr(l, address, ir_imm(TAG_SHIFT), false);
    if (wanted == PTX_SPACE_GLOBAL) return build_set(l, IR_LT, false, tag, ir_imm(TAG_SHARED)); /* the lower tag */
    return build_set(l, IR_EQ, false, tag, ir_imm(wanted == PTX_SPACE_LOCAL ? TAG_LOCAL : TAG_SHARED));
}

/* Lowers isspacep. The memory of a generic address is mostly known at compile time, else its tag is tested. */
static void lower_isspacep(struct lower *l, const struct ptx_insn *insn) {
    if (insn->operand_count != 2) lower_fail(l, "'isspacep' has two operands");
    const enum ptx_space space = lower_space(l, &insn->operand[1], PTX_NO_SPACE);
    const struct ir_operand address = lower_word(l, 1, PTX_TYPE_u32);
    set_predicate(l, &insn->operand[0], build_register(l, lower_is_in_space(l, address, space, insn->space)));
}

/* Lowers set: all ones or 0; 1.0 or 0.0 for floats. */
static void lower_set_instruction(struct lower *l, const struct ptx_insn *insn) {
    if (insn->type_count != 2) lower_bad_types(l);
    struct ir_operand mask = compare_operands(l, insn, insn->type[1], 1);
    if (insn->combine != PTX_NO_COMBINE) {
        if (insn->operand_count < 4) lower_fail(l, "'set' has too few operands");
        mask = build_logic(l, combine_operation(insn->combine), mask, lower_mask(l, &insn->operand[3]));
    }
    if (insn->type[0] == PTX_TYPE_f32) mask = build_logic(l, IR_AND, mask, ir_imm(0x3f800000));
    lower_set_word(l, 0, mask, insn->type[0]);
}

/* Lowers selp: p ? a : b. */
static void lower_selp(struct lower *l, const struct ptx_insn *insn) {
    const enum ptx_type type = insn->type[0];
    uint8_t cond;
    if (insn->operand_count != 4) lower_fail(l, "'selp' has four operands");
    const ir_reg flags = lower_flags(l, &insn->operand[3], &cond);
    const struct value a = lower_value(l, 1, type), b = lower_value(l, 2, type);
    struct value d = {
        {ir_imm(0), ir_imm(0)}
    };
    for (unsigned i = 0; i < (ptx_type_bytes(type) == 8 ? 2u : 1u); i++) {
        d.w[i] = build_binary(l, IR_SELECT, a.w[i], b.w[i]);
        l->block->last->guard = flags;
        l->block->last->cond = cond;
    }
    lower_set(l, &insn->operand[0], d, type);
}

/* Lowers slct: c >= 0 ? a : b. */
static void lower_slct(struct lower *l, const struct ptx_insn *insn) {
    const enum ptx_type type = insn->type[0];
    if (insn->type_count != 2) lower_bad_types(l);
    const struct ir_operand c = build_register(l, lower_word(l, 3, insn->type[1]));
    const struct value a = lower_value(l, 1, type), b = lower_value(l, 2, type);
    const struct ir_operand mask =
        insn->type[1] == PTX_TYPE_f32 ? float_set(l, PTX_GE, c, ir_imm(0)) : build_set(l, IR_GE, true, c, ir_imm(0));
    const ir_reg flags = l->block->last->fdst = ir_new_reg(l->ir, IR_C);
    (void)mask;
    struct value d = {
        {ir_imm(0), ir_imm(0)}
    };
    for (unsigned i = 0; i < (ptx_type_bytes(type) == 8 ? 2u : 1u); i++) {
        d.w[i] = build_binary(l, IR_SELECT, a.w[i], b.w[i]);
        l->block->last->guard = flags;
        l->block->last->cond = IR_NE;
    }
    lower_set(l, &insn->operand[0], d, type);
}

void lower_compare(struct lower *l, const struct ptx_insn *insn) {
    switch (insn->op) {
    case PTX_setp: lower_setp(l, insn); break;
    case PTX_testp: lower_testp(l, insn); break;
    case PTX_isspacep: lower_isspacep(l, insn); break;
    case PTX_set: lower_set_instruction(l, insn); break;
    case PTX_selp: lower_selp(l, insn); break;
    default: lower_slct(l, insn); break;
    }
}
