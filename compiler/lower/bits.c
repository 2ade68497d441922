/* SPDX-License-Identifier: Apache-2.0 */
/* Lowers bit fields, counts and permutations of PTX. */
#include "lower.h"

/* 2^length - 1; all ones for 32 and more */
static struct ir_operand low_mask(struct lower *l, struct ir_operand length) {
    if (length.kind == IR_IMM) return ir_imm(length.value >= 32 ? UINT32_MAX : (UINT32_C(1) << length.value) - 1);
    return build_add(l, build_shl(l, ir_imm(1), length), ir_imm(UINT32_MAX));
}

static struct ir_operand low_byte(struct lower *l, unsigned operand) {
    return build_logic(l, IR_AND, lower_word(l, operand, PTX_TYPE_u32), ir_imm(0xff));
}

/* ---- 64-bit fields ---- */

static struct value wide_low_mask(struct lower *l, struct ir_operand length) {
    const struct value bit = wide_shift(l, true, false, wide_number(1), length);
    return wide_add(l, bit, wide_number(UINT64_MAX));
}

static struct value wide_and(struct lower *l, struct value a, struct value b) {
    return (struct value){
        {build_logic(l, IR_AND, a.w[0], b.w[0]), build_logic(l, IR_AND, a.w[1], b.w[1])}
    };
}

static void lower_wide_bfe(struct lower *l, const struct ptx_insn *insn) {
    const bool is_signed = ptx_type_kind(insn->type[0]) == 's';
    const struct value a = lower_value(l, 1, insn->type[0]);
    const struct ir_operand at = low_byte(l, 2), length = low_byte(l, 3);
    const struct value down = wide_shift(l, false, is_signed, a, at);
    if (!is_signed) {
        lower_set(l, &insn->operand[0], wide_and(l, down, wide_low_mask(l, length)), insn->type[0]);
        return;
    }
    const struct ir_operand shift = build_sub(l, ir_imm(64), length);
    const struct value field = wide_shift(l, false, true, wide_shift(l, true, false, down, shift), shift);
    const struct ir_operand is_long = build_set(l, IR_GE, true, build_register(l, length), ir_imm(64));
    const struct value inside = wide_select(l, is_long, down, field);
    const struct ir_operand is_empty = build_set(l, IR_EQ, false, build_register(l, length), ir_imm(0));
    lower_set(l, &insn->operand[0], wide_select(l, is_empty, wide_number(0), inside), insn->type[0]);
}

static void lower_wide_bfi(struct lower *l, const struct ptx_insn *insn) {
    const struct value a = lower_value(l, 1, insn->type[0]), b = lower_value(l, 2, insn->type[0]);
    const struct ir_operand at = low_byte(l, 3), length = low_byte(l, 4);
    const struct value mask = wide_shift(l, true, false, wide_low_mask(l, length), at);
    const struct value put = wide_and(l, wide_shift(l, true, false, a, at), mask);
    const struct value rest =
                           {
                               {build_not(l, mask.w[0]), build_not(l, mask.w[1])}
    },
                       kept = wide_and(l, b, rest);
    const struct value d = {
        {build_logic(l, IR_OR, put.w[0], kept.w[0]), build_logic(l, IR_OR, put.w[1], kept.w[1])}
    };
    lower_set(l, &insn->operand[0], d, insn->type[0]);
}

/* Lowers bfe. Position and length are bytes. A signed field is extended by its top bit, or by bit 31 if it ends
 * beyond. */
static void lower_bfe(struct lower *l, const struct ptx_insn *insn) {
    const enum ptx_type type = insn->type[0];
    const bool is_signed = ptx_type_kind(type) == 's';
    if (ptx_type_bytes(type) == 8) {
        lower_wide_bfe(l, insn);
        return;
    }
    if (ptx_type_bytes(type) != 4) lower_bad_types(l);
    const struct ir_operand a = build_register(l, lower_word(l, 1, type)), at = low_byte(l, 2), length = low_byte(l, 3);
    if (!is_signed) {
        lower_set_word(l, 0, build_logic(l, IR_AND, build_shr(l, a, at, false), low_mask(l, length)), type);
        return;
    }
    /* Shifts left up to bit 31, then arithmetically right, so that bits beyond bit 31 are copies of the sign. */
    const struct ir_operand down = build_shr(l, a, at, true);
    const struct ir_operand shift = build_sub(l, ir_imm(32), length);
    const struct ir_operand field = build_shr(l, build_shl(l, down, shift), shift, true);
    const struct ir_operand inside = build_compare_select(l, IR_GE, true, length, ir_imm(32), down, field);
    lower_set_word(l, 0, build_compare_select(l, IR_EQ, false, length, ir_imm(0), ir_imm(0), inside), type);
}

static void lower_bfi(struct lower *l, const struct ptx_insn *insn) {
    const enum ptx_type type = insn->type[0];
    if (ptx_type_bytes(type) == 8) {
        lower_wide_bfi(l, insn);
        return;
    }
    if (ptx_type_bytes(type) != 4) lower_bad_types(l);
    const struct ir_operand a = lower_word(l, 1, type), b = lower_word(l, 2, type);
    const struct ir_operand at = low_byte(l, 3), length = low_byte(l, 4);
    const struct ir_operand mask = build_shl(l, low_mask(l, length), at);
    const struct ir_operand put = build_logic(l, IR_AND, build_shl(l, a, at), mask);
    lower_set_word(l, 0, build_logic(l, IR_OR, build_logic(l, IR_AND, b, build_not(l, mask)), put), type);
}

/* Returns the exponent of the number as a float, which gives its highest bit: 127 + 31 - clz; 0 for zero. */
static struct ir_operand float_exponent(struct lower *l, struct ir_operand a) {
    const struct ir_operand f = build_unary(l, IR_I2F, build_register(l, a));
    l->block->last->rounding = IR_TRUNC;
    return build_shr(l, f, ir_imm(23), false);
}

static struct ir_operand count_leading_zeros(struct lower *l, struct ir_operand a) {
    return build_minmax(l, false, false, build_sub(l, ir_imm(158), float_exponent(l, a)), ir_imm(32));
}

static struct ir_operand population_count(struct lower *l, struct ir_operand a) {
    a = build_register(l, a);
    a = build_sub(l, a, build_logic(l, IR_AND, build_shr(l, a, ir_imm(1), false), ir_imm(0x55555555)));
    a = build_add(l, build_logic(l, IR_AND, a, ir_imm(0x33333333)),
                  build_logic(l, IR_AND, build_shr(l, a, ir_imm(2), false), ir_imm(0x33333333)));
    a = build_logic(l, IR_AND, build_add(l, a, build_shr(l, a, ir_imm(4), false)), ir_imm(0x0f0f0f0f));
    a = build_add(l, a, build_shr(l, a, ir_imm(8), false));
    a = build_add(l, a, build_shr(l, a, ir_imm(16), false));
    return build_logic(l, IR_AND, a, ir_imm(63));
}

static struct ir_operand swap_bit_groups(struct lower *l, struct ir_operand a, uint32_t mask, uint32_t distance) {
    const struct ir_operand down = build_logic(l, IR_AND, build_shr(l, a, ir_imm(distance), false), ir_imm(mask));
    return build_logic(l, IR_OR, build_shl(l, build_logic(l, IR_AND, a, ir_imm(mask)), ir_imm(distance)), down);
}

static struct ir_operand reverse_bits(struct lower *l, struct ir_operand a) {
    a = build_register(l, a);
    a = swap_bit_groups(l, a, 0x55555555, 1);
    a = swap_bit_groups(l, a, 0x33333333, 2);
    a = swap_bit_groups(l, a, 0x0f0f0f0f, 4);
    a = swap_bit_groups(l, a, 0x00ff00ff, 8);
    return build_logic(l, IR_OR, build_shl(l, a, ir_imm(16)), build_shr(l, a, ir_imm(16), false));
}

static struct ir_operand count_wide_leading_zeros(struct lower *l, struct value a) {
    const struct ir_operand high = count_leading_zeros(l, a.w[1]),
                            low = build_add(l, count_leading_zeros(l, a.w[0]), ir_imm(32));
    return build_compare_select(l, IR_EQ, false, build_register(l, a.w[1]), ir_imm(0), low, high);
}

/* Lowers brev, clz and popc. */
static void lower_count(struct lower *l, const struct ptx_insn *insn) {
    const enum ptx_type type = insn->type[0];
    const bool wide = ptx_type_bytes(type) == 8;
    const struct value a = lower_value(l, 1, type);
    struct value d = {
        {ir_imm(0), ir_imm(0)}
    };
    if (insn->op == PTX_brev) {
        d.w[0] = reverse_bits(l, wide ? a.w[1] : a.w[0]);
        if (wide) d.w[1] = reverse_bits(l, a.w[0]);
        lower_set(l, &insn->operand[0], d, type);
        return;
    }
    if (insn->op == PTX_popc) {
        d.w[0] = population_count(l, a.w[0]);
        if (wide) d.w[0] = build_add(l, d.w[0], population_count(l, a.w[1]));
    } else {
        d.w[0] = wide ? count_wide_leading_zeros(l, a) : count_leading_zeros(l, a.w[0]);
    }
    lower_set(l, &insn->operand[0], d, PTX_TYPE_u32);
}

/* Lowers bfind: position of the highest bit that differs from the sign; all ones if none does. */
static void lower_bfind(struct lower *l, const struct ptx_insn *insn) {
    const enum ptx_type type = insn->type[0];
    const bool wide = ptx_type_bytes(type) == 8;
    const uint32_t bits = wide ? 64 : 32;
    struct value a = lower_value(l, 1, type);
    if (!wide && ptx_type_bytes(type) != 4) lower_bad_types(l);
    a.w[0] = build_register(l, a.w[0]);
    if (ptx_type_kind(type) == 's') {
        const struct ir_operand sign = build_shr(l, build_register(l, wide ? a.w[1] : a.w[0]), ir_imm(31), true);
        for (unsigned i = 0; i < (wide ? 2u : 1u); i++) a.w[i] = build_logic(l, IR_XOR, a.w[i], sign);
    }
    const struct ir_operand zeros = wide ? count_wide_leading_zeros(l, a) : count_leading_zeros(l, a.w[0]);
    struct ir_operand d = build_sub(l, ir_imm(bits - 1), zeros); /* -1 for zero */
    if ((insn->modifiers & PTX_MOD_SHIFTAMT) != 0)
        d = build_compare_select(l, IR_EQ, false, zeros, ir_imm(bits), ir_imm(UINT32_MAX), zeros);
    lower_set_word(l, 0, d, PTX_TYPE_u32);
}

/* ---- prmt ---- */

/* Returns a byte of {b, a} selected by a nibble: bits 2:0 are its index; bit 3 replicates its sign. */
static struct ir_operand select_byte(struct lower *l, struct ir_operand a, struct ir_operand b,
                                     struct ir_operand nibble) {
    const struct ir_operand shift = build_shl(l, build_logic(l, IR_AND, nibble, ir_imm(3)), ir_imm(3));
    struct ir_operand word;
    if (nibble.kind == IR_IMM) {
        word = (nibble.value & 4) != 0 ? b : a;
    } else {
        const struct ir_operand second = build_logic(l, IR_AND, nibble, ir_imm(4));
        word = build_compare_select(l, IR_NE, false, second, ir_imm(0), b, a);
    }
    struct ir_operand byte = build_logic(l, IR_AND, build_shr(l, word, shift, false), ir_imm(0xff));
    if (nibble.kind == IR_IMM && (nibble.value & 8) == 0) return byte;
    const struct ir_operand sign = build_logic(l, IR_AND, build_extend(l, byte, 8, true), ir_imm(0x80000000));
    const struct ir_operand fill = build_logic(l, IR_AND, build_shr(l, sign, ir_imm(31), true), ir_imm(0xff));
    if (nibble.kind == IR_IMM) return fill;
    return build_compare_select(l, IR_NE, false, build_logic(l, IR_AND, nibble, ir_imm(8)), ir_imm(0), fill, byte);
}

/* Returns the selector nibble for byte `i` of the result, in modes that take a position from c. */
static struct ir_operand selector_nibble(struct lower *l, enum ptx_permutation mode, struct ir_operand c, uint32_t i) {
    const struct ir_operand at = build_logic(l, IR_AND, c, ir_imm(3));
    switch (mode) {
    case PTX_PRMT_F4E: return build_logic(l, IR_AND, build_add(l, at, ir_imm(i)), ir_imm(7));
    case PTX_PRMT_B4E: return build_logic(l, IR_AND, build_sub(l, at, ir_imm(i)), ir_imm(7));
    case PTX_PRMT_RC8: return at;
    case PTX_PRMT_ECL: return build_minmax(l, true, false, at, ir_imm(i));
    case PTX_PRMT_ECR: return build_minmax(l, false, false, at, ir_imm(i));
    case PTX_PRMT_RC16:
        return build_logic(l, IR_OR, build_shl(l, build_logic(l, IR_AND, c, ir_imm(1)), ir_imm(1)), ir_imm(i & 1));
    default: return build_logic(l, IR_AND, build_shr(l, c, ir_imm(4 * i), false), ir_imm(15));
    }
}

static void lower_prmt(struct lower *l, const struct ptx_insn *insn) {
    struct ir_operand a = build_register(l, lower_word(l, 1, PTX_TYPE_b32));
    struct ir_operand b = build_register(l, lower_word(l, 2, PTX_TYPE_b32));
    struct ir_operand c = lower_word(l, 3, PTX_TYPE_b32), d = ir_imm(0);
    if (insn->permutation != PTX_PRMT_INDEX) c = build_register(l, c);
    for (uint32_t i = 0; i < 4; i++) {
        const struct ir_operand byte = select_byte(l, a, b, selector_nibble(l, insn->permutation, c, i));
        d = build_logic(l, IR_OR, build_shl(l, byte, ir_imm(8 * i)), d);
    }
    lower_set_word(l, 0, d, PTX_TYPE_b32);
}

/* Lowers shf. shf.l is the upper word of {b, a} << c, shf.r the lower word of {b, a} >> c. */
static void lower_shf(struct lower *l, const struct ptx_insn *insn) {
    const struct ir_operand a = lower_word(l, 1, PTX_TYPE_b32), b = lower_word(l, 2, PTX_TYPE_b32);
    struct ir_operand c = lower_word(l, 3, PTX_TYPE_b32);
    const bool clamps = (insn->modifiers & PTX_MOD_CLAMP) != 0;
    c = clamps ? build_minmax(l, false, false, build_register(l, c), ir_imm(32))
               : build_logic(l, IR_AND, c, ir_imm(31));
    const struct ir_operand rest = build_sub(l, ir_imm(32), c);
    const bool left = (insn->modifiers & PTX_MOD_LEFT) != 0;
    const struct ir_operand d = left ? build_logic(l, IR_OR, build_shl(l, b, c), build_shr(l, a, rest, false))
                                     : build_logic(l, IR_OR, build_shr(l, a, c, false), build_shl(l, b, rest));
    lower_set_word(l, 0, d, PTX_TYPE_b32);
}

void lower_bits(struct lower *l, const struct ptx_insn *insn) {
    if (insn->type_count != 1) lower_bad_types(l);
    switch (insn->op) {
    case PTX_bfe: lower_bfe(l, insn); break;
    case PTX_bfi: lower_bfi(l, insn); break;
    case PTX_bfind: lower_bfind(l, insn); break;
    case PTX_prmt: lower_prmt(l, insn); break;
    case PTX_shf: lower_shf(l, insn); break;
    default: lower_count(l, insn); break;
    }
}
