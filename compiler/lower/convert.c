/* SPDX-License-Identifier: Apache-2.0 */
/* Lowers cvt, cvta and mov. */
#include "lower.h"

static bool is_signed(enum ptx_type type) { return ptx_type_kind(type) == 's'; }
static bool is_float(enum ptx_type type) { return ptx_type_kind(type) == 'f'; }
static unsigned type_bits(enum ptx_type type) { return ptx_type_bytes(type) * 8; }

enum ir_rounding lower_rounding(enum ptx_rounding rounding) {
    static const uint8_t CODE[] = {[PTX_NO_ROUNDING] = IR_NEAREST,
                                   [PTX_RN] = IR_NEAREST,
                                   [PTX_RZ] = IR_TRUNC,
                                   [PTX_RM] = IR_FLOOR,
                                   [PTX_RP] = IR_CEIL,
                                   [PTX_RNI] = IR_NEAREST,
                                   [PTX_RZI] = IR_TRUNC,
                                   [PTX_RMI] = IR_FLOOR,
                                   [PTX_RPI] = IR_CEIL};
    return (enum ir_rounding)CODE[rounding];
}

/* ---- integers to integers ---- */

/* Clamps a signed or unsigned word to the range of a type of up to 32 bits. */
static struct ir_operand clamp_word(struct lower *l, struct ir_operand a, bool from_signed, enum ptx_type to) {
    const unsigned bits = type_bits(to);
    const bool to_signed = is_signed(to);
    const uint32_t most = to_signed    ? (UINT32_C(1) << (bits - 1)) - 1
                          : bits == 32 ? UINT32_MAX
                                       : (UINT32_C(1) << bits) - 1;
    const uint32_t least = to_signed ? 0 - (UINT32_C(1) << (bits - 1)) : 0;
    a = build_register(l, a);
    if (from_signed && !(to_signed && bits == 32)) a = build_minmax(l, true, true, a, ir_imm(least));
    const bool never_above = from_signed ? bits == 32 : (bits == 32 && !to_signed);
    return never_above ? a : build_minmax(l, false, from_signed, a, ir_imm(most));
}

/* Clamps a 64-bit number to the range of a type. */
static struct value clamp_wide(struct lower *l, struct value a, bool from_signed, enum ptx_type to) {
    const unsigned bits = type_bits(to);
    const bool to_signed = is_signed(to);
    const uint64_t most = to_signed    ? (UINT64_C(1) << (bits - 1)) - 1
                          : bits == 64 ? UINT64_MAX
                                       : (UINT64_C(1) << bits) - 1;
    const uint64_t least = to_signed ? 0 - (UINT64_C(1) << (bits - 1)) : 0;
    if (from_signed && !(to_signed && bits == 64))
        a = wide_select(l, wide_set(l, IR_LT, true, a, wide_number(least)), wide_number(least), a);
    if ((from_signed && bits == 64) || (!from_signed && !to_signed && bits == 64)) return a;
    return wide_select(l, wide_set(l, IR_GT, from_signed, a, wide_number(most)), wide_number(most), a);
}

/* Returns whether type `to` can represent every number of type `from`. */
static bool represents_all(enum ptx_type to, enum ptx_type from) {
    if (is_signed(from) || !is_signed(to)) return is_signed(from) == is_signed(to) && type_bits(from) <= type_bits(to);
    return type_bits(from) < type_bits(to);
}

static void integer_to_integer(struct lower *l, const struct ptx_insn *insn) {
    const enum ptx_type to = insn->type[0], from = insn->type[1];
    const bool saturates = (insn->modifiers & PTX_MOD_SAT) != 0;
    struct value v = {
        {ir_imm(0), ir_imm(0)}
    };
    if (type_bits(from) == 64)
        v = lower_value(l, 1, from);
    else
        v.w[0] = lower_extended(l, 1, from);
    if (type_bits(from) == 64 && saturates) {
        v = clamp_wide(l, v, is_signed(from), to);
    } else if (saturates && type_bits(to) < 64) {
        v.w[0] = clamp_word(l, v.w[0], is_signed(from), to);
    } else if (type_bits(from) < 64 && type_bits(to) == 64) {
        if (saturates && is_signed(from) && !is_signed(to)) v.w[0] = build_minmax(l, true, true, v.w[0], ir_imm(0));
        v = wide_extend(v.w[0], is_signed(from) && !(saturates && !is_signed(to)), l);
    }
    if (type_bits(to) < 32 && !saturates && !represents_all(to, from)) {
        const struct ptx_operand *d = &insn->operand[0];
        const bool has_upper = d->kind == PTX_OPERAND_REGISTER && ptx_type_bytes(d->symbol->type) > ptx_type_bytes(to);
        if (has_upper) v.w[0] = build_extend(l, v.w[0], type_bits(to), is_signed(to));
    }
    if (type_bits(to) < 64) v.w[1] = ir_imm(0);
    lower_set(l, &insn->operand[0], v, to);
}

/* ---- floats ---- */

/* Converts any float of up to 32 bits to F32. */
static struct ir_operand load_single(struct lower *l, const struct ptx_insn *insn) {
    const enum ptx_type from = insn->type[1];
    struct ir_operand a = build_register(l, lower_word(l, 1, from));
    if (from == PTX_TYPE_f32) return a;
    a.half = IR_LOW;
    const struct ir_operand d = build_unary(l, IR_F2F, a);
    l->block->last->flags = IR_SRC16;
    return d;
}

/* F2F flushes numbers below 2^-33 to zero in every rounding mode. Replaces them by 2^-30 where rounding goes away
 * from zero. */
static struct ir_operand prevent_underflow(struct lower *l, struct ir_operand a, enum ir_rounding rounding) {
    const bool up = rounding == IR_CEIL;
    if (!up && rounding != IR_FLOOR) return a;
    a = build_register(l, a);
    struct ir_operand magnitude = a;
    magnitude.negative = !up;
    const struct ir_operand positive = float_set(l, PTX_GT, magnitude, ir_imm(0));
    const struct ir_operand moved = build_binary(l, up ? IR_FMAX : IR_FMIN, a, ir_imm(up ? 0x30800000 : 0xb0800000));
    return build_select(l, positive, moved, a);
}

static struct ir_operand convert_to_half(struct lower *l, struct ir_operand a, enum ir_rounding rounding) {
    a = prevent_underflow(l, a, rounding);
    const struct ir_operand d = build_unary(l, IR_F2F, build_register(l, a));
    l->block->last->flags = IR_DST16;
    l->block->last->rounding = (uint8_t)rounding;
    return build_extend(l, d, 16, false);
}

static struct ir_operand wide_to_single(struct lower *l, struct value a, bool from_signed, enum ir_rounding rounding) {
    static const char *const NAME[2][4] = {
        {"__u64_f32_rn", "__u64_f32_rm", "__u64_f32_rp", "__u64_f32_rz"},
        {"__s64_f32_rn", "__s64_f32_rm", "__s64_f32_rp", "__s64_f32_rz"}
    };
    struct ir_operand d;
    lower_support_call(l, NAME[from_signed][rounding], a.w, 2, &d, 1);
    return d;
}

static void integer_to_float(struct lower *l, const struct ptx_insn *insn) {
    const enum ptx_type to = insn->type[0], from = insn->type[1];
    const enum ir_rounding rounding = lower_rounding(insn->rounding);
    struct ir_operand d;
    if (type_bits(from) == 64) {
        d = wide_to_single(l, lower_value(l, 1, from), is_signed(from), rounding);
    } else {
        struct ir_operand a = build_register(l, lower_word(l, 1, from));
        const unsigned bits = type_bits(from);
        if (bits == 16) a.half = IR_LOW;
        d = build_unary(l, IR_I2F, a);
        l->block->last->flags =
            (uint16_t)((is_signed(from) ? IR_SIGN_A : 0) | (bits == 16 ? IR_SRC16 : 0) | (bits == 8 ? IR_BYTE : 0));
        l->block->last->rounding = (uint8_t)rounding;
    }
    if ((insn->modifiers & PTX_MOD_SAT) != 0) d = build_saturate(l, d);
    if (to == PTX_TYPE_f16) d = convert_to_half(l, d, rounding);
    lower_set_word(l, 0, d, to);
}

static void float_to_integer(struct lower *l, const struct ptx_insn *insn) {
    const enum ptx_type to = insn->type[0];
    const enum ir_rounding rounding = lower_rounding(insn->rounding);
    const struct ir_operand a = load_single(l, insn);
    if (type_bits(to) == 64) {
        static const char *const NAME[2] = {"__f32_u64", "__f32_s64"};
        struct ir_operand integral = build_unary(l, IR_F2F, a), result[2];
        l->block->last->flags = IR_INTEGRAL;
        l->block->last->rounding = (uint8_t)rounding;
        lower_support_call(l, NAME[is_signed(to)], &integral, 1, result, 2);
        const struct value v = {
            {result[0], result[1]}
        };
        lower_set(l, &insn->operand[0], v, to);
        return;
    }
    struct ir_operand d = build_unary(l, IR_F2I, a);
    l->block->last->flags = is_signed(to) ? IR_SIGN_D : 0;
    l->block->last->rounding = (uint8_t)rounding;
    if (type_bits(to) < 32) d = clamp_word(l, d, is_signed(to), to);
    lower_set_word(l, 0, d, to);
}

static void float_to_float(struct lower *l, const struct ptx_insn *insn) {
    const enum ptx_type to = insn->type[0];
    const bool integral = insn->rounding >= PTX_RNI;
    struct ir_operand d = load_single(l, insn);
    if (integral || (insn->type[1] == PTX_TYPE_f32 && to == PTX_TYPE_f32)) {
        d = build_unary(l, IR_F2F, d);
        l->block->last->flags = integral ? IR_INTEGRAL : 0;
        l->block->last->rounding = (uint8_t)lower_rounding(insn->rounding);
    }
    if ((insn->modifiers & PTX_MOD_SAT) != 0) d = build_saturate(l, d);
    if (to == PTX_TYPE_f16) d = convert_to_half(l, d, lower_rounding(integral ? PTX_RN : insn->rounding));
    lower_set_word(l, 0, d, to);
}

/* ---- double precision: __TYPE_f64, __f64_TYPE_ROUNDING ---- */

static const char *routine_type_name(enum ptx_type type, bool is_result) {
    if (is_float(type)) return type == PTX_TYPE_f64 ? "f64" : type == PTX_TYPE_f16 && is_result ? "f16" : "f32";
    if (type_bits(type) == 64) return is_signed(type) ? "s64" : "u64";
    if (is_signed(type)) return "s32";
    return type_bits(type) == 32 || !is_result ? "u32" : type_bits(type) == 16 ? "u16" : "u8";
}

static const char *double_routine(const struct lower *l, const struct ptx_insn *insn) {
    static const char *const ROUNDING[4] = {"rn", "rm", "rp", "rz"};
    const enum ptx_type to = insn->type[0], from = insn->type[1];
    const char *source = routine_type_name(from, false), *target = routine_type_name(to, true);
    const bool exact = to == PTX_TYPE_f64 && from != PTX_TYPE_f64 && (is_float(from) || type_bits(from) <= 32);
    return exact ? cc_format(l->cc, "__%s_%s", source, target)
                 : cc_format(l->cc, "__%s_%s_%s", source, target, ROUNDING[lower_rounding(insn->rounding)]);
}

/* Flushes a denormal single to zero; keeps a NaN. */
static struct ir_operand flush_denormal(struct lower *l, struct ir_operand a) {
    a = build_register(l, a);
    const struct ir_operand exponent = build_register(l, build_logic(l, IR_AND, a, ir_imm(0x7f800000)));
    const struct ir_operand stays = build_set(l, IR_NE, false, exponent, ir_imm(0));
    return build_logic(l, IR_AND, a, build_logic(l, IR_OR, stays, ir_imm(0x80000000)));
}

/* Saturates to [0, 1]; a NaN becomes 0. */
static struct value saturate_double(struct lower *l, struct value a) {
    struct ir_operand arguments[4] = {a.w[0], a.w[1], ir_imm(0), ir_imm(0)}, result[2];
    lower_support_call(l, "__max64", arguments, 4, result, 2);
    arguments[0] = result[0];
    arguments[1] = result[1];
    arguments[3] = ir_imm(0x3ff00000);
    lower_support_call(l, "__min64", arguments, 4, result, 2);
    a.w[0] = result[0];
    a.w[1] = result[1];
    return a;
}

static struct value double_source(struct lower *l, const struct ptx_insn *insn) {
    const enum ptx_type from = insn->type[1];
    struct value v = lower_value(l, 1, from);
    if (type_bits(from) < 32) v.w[0] = is_float(from) ? load_single(l, insn) : lower_extended(l, 1, from);
    if (from == PTX_TYPE_f32 && (insn->modifiers & PTX_MOD_FTZ) != 0)
        v.w[0] = build_unary(l, IR_F2F, build_register(l, v.w[0]));
    return v;
}

static void convert_double(struct lower *l, const struct ptx_insn *insn) {
    const enum ptx_type to = insn->type[0], from = insn->type[1];
    if ((l->cc->notes_given & NOTE_DOUBLE) == 0) cc_note(l->cc, &insn->place, "double precision is done in software");
    l->cc->notes_given |= NOTE_DOUBLE;
    struct value v = double_source(l, insn);
    const bool saturates = (insn->modifiers & PTX_MOD_SAT) != 0;
    if (saturates && is_float(to) && from == PTX_TYPE_f64) v = saturate_double(l, v);
    if (from != to || insn->rounding != PTX_NO_ROUNDING) {
        struct ir_operand result[2] = {ir_imm(0), ir_imm(0)};
        lower_support_call(l, double_routine(l, insn), v.w, type_bits(from) == 64 ? 2 : 1, result,
                           type_bits(to) == 64 ? 2 : 1);
        v.w[0] = result[0];
        v.w[1] = result[1];
    }
    if (saturates && from != PTX_TYPE_f64 && to == PTX_TYPE_f64) v = saturate_double(l, v);
    if (to == PTX_TYPE_f32 && (insn->modifiers & PTX_MOD_FTZ) != 0) v.w[0] = flush_denormal(l, v.w[0]);
    if (is_signed(to) && type_bits(to) < 32) v.w[0] = clamp_word(l, v.w[0], true, to);
    if (type_bits(to) < 32)
        lower_set_word(l, 0, v.w[0], to);
    else
        lower_set(l, &insn->operand[0], v, to);
}

/* Lowers cvta. A generic address is the address within its memory, with a tag if the kernel needs tags. */
static void convert_address(struct lower *l, const struct ptx_insn *insn) {
    struct value v = lower_value(l, 1, insn->type[0]);
    const bool is_tagged = l->tags && (insn->space == PTX_SPACE_SHARED || insn->space == PTX_SPACE_LOCAL);
    const uint32_t tag = (insn->space == PTX_SPACE_LOCAL ? (uint32_t)TAG_LOCAL : (uint32_t)TAG_SHARED) << TAG_SHIFT;
    if (is_tagged && (insn->modifiers & PTX_MOD_TO) != 0)
        v.w[0] = build_logic(l, IR_AND, v.w[0], ir_imm((UINT32_C(1) << TAG_SHIFT) - 1));
    else if (is_tagged)
        v.w[0] = build_logic(l, IR_OR, v.w[0], ir_imm(tag));
    lower_set(l, &insn->operand[0], v, insn->type[0]);
}

void lower_convert(struct lower *l, const struct ptx_insn *insn) {
    if (insn->op == PTX_cvta) {
        convert_address(l, insn);
        return;
    }
    if (insn->type_count != 2) lower_bad_types(l);
    const enum ptx_type to = insn->type[0], from = insn->type[1];
    if (to == PTX_TYPE_pred || from == PTX_TYPE_pred) lower_bad_types(l);
    if (to == PTX_TYPE_f64 || from == PTX_TYPE_f64)
        convert_double(l, insn);
    else if (is_float(to) && is_float(from))
        float_to_float(l, insn);
    else if (is_float(to))
        integer_to_float(l, insn);
    else if (is_float(from))
        float_to_integer(l, insn);
    else
        integer_to_integer(l, insn);
}

/* ---- mov ---- */

/* Lowers mov.b32 r, {lo, hi}: packs pieces of equal width. */
static void pack(struct lower *l, const struct ptx_insn *insn) {
    const struct ptx_operand *s = &insn->operand[1];
    const unsigned bytes = ptx_type_bytes(insn->type[0]);
    if (s->count == 0 || bytes % s->count != 0 || bytes / s->count < 1 || s->count > 8) lower_bad_types(l);
    const unsigned bits = bytes / s->count * 8;
    struct value v = {
        {ir_imm(0), ir_imm(0)}
    };
    for (uint32_t i = 0; i < s->count; i++) {
        const unsigned at = i * bits;
        struct ir_operand piece = lower_operand(l, &s->elements[i], PTX_TYPE_b32).w[0];
        if (bits < 32) piece = build_shl(l, build_extend(l, piece, bits, false), ir_imm(at % 32));
        v.w[at / 32] = build_logic(l, IR_OR, piece, v.w[at / 32]);
    }
    lower_set(l, &insn->operand[0], v, insn->type[0]);
}

static void unpack(struct lower *l, const struct ptx_insn *insn) {
    const struct ptx_operand *d = &insn->operand[0];
    const unsigned bytes = ptx_type_bytes(insn->type[0]);
    if (d->count == 0 || bytes % d->count != 0 || bytes / d->count < 1 || d->count > 8) lower_bad_types(l);
    const unsigned bits = bytes / d->count * 8;
    struct value v = lower_value(l, 1, insn->type[0]);
    for (unsigned i = 0; i < 2; i++) v.w[i] = build_move(l, v.w[i]); /* a result may be part of the source */
    for (uint32_t i = 0; i < d->count; i++) {
        const unsigned at = i * bits;
        struct value piece = {
            {v.w[at / 32], ir_imm(0)}
        };
        if (bits < 32) piece.w[0] = build_extend(l, build_shr(l, piece.w[0], ir_imm(at % 32), false), bits, false);
        lower_set(l, &d->elements[i], piece, PTX_TYPE_b32);
    }
}

static void move_predicate(struct lower *l, const struct ptx_insn *insn) {
    const struct ir_operand mask = build_register(l, lower_mask(l, &insn->operand[1]));
    struct ir_insn *d = lower_set_predicate(l, &insn->operand[0], IR_I2I);
    d->src[0] = mask;
    d->flags = IR_SIGN_A | IR_SIGN_D;
}

/* Lowers mov.v4.f32 v, w and mov.v4.f32 v, {a, b, c, d}. */
static bool move_vector(struct lower *l, const struct ptx_insn *insn) {
    const struct ptx_operand *d = &insn->operand[0];
    if (insn->vector == 1) return false;
    struct value v[4];
    for (unsigned i = 0; i < insn->vector; i++) {
        const struct ptx_operand *s = &insn->operand[1];
        struct ptx_operand element = *s;
        element.component = (uint8_t)(i + 1);
        if (s->kind == PTX_OPERAND_VECTOR && i >= s->count) lower_bad_types(l);
        v[i] = lower_operand(l, s->kind == PTX_OPERAND_VECTOR ? &s->elements[i] : &element, insn->type[0]);
        for (unsigned k = 0; k < 2; k++) v[i].w[k] = build_move(l, v[i].w[k]);
    }
    for (unsigned i = 0; i < insn->vector; i++) {
        struct ptx_operand element = *d;
        element.component = (uint8_t)(i + 1);
        if (d->kind == PTX_OPERAND_VECTOR && i >= d->count) lower_bad_types(l);
        lower_set(l, d->kind == PTX_OPERAND_VECTOR ? &d->elements[i] : &element, v[i], insn->type[0]);
    }
    return true;
}

void lower_move(struct lower *l, const struct ptx_insn *insn) {
    if (insn->operand_count != 2 || insn->type_count != 1) lower_bad_types(l);
    const enum ptx_type type = insn->type[0];
    if (move_vector(l, insn)) return;
    const struct ptx_operand *d = &insn->operand[0];
    if (insn->operand[1].kind == PTX_OPERAND_VECTOR)
        pack(l, insn);
    else if (d->kind == PTX_OPERAND_VECTOR)
        unpack(l, insn);
    else if (type == PTX_TYPE_pred)
        move_predicate(l, insn);
    else if (d->kind == PTX_OPERAND_REGISTER && d->symbol->kind == PTX_REGISTER && d->component == 0 &&
             d->symbol->vector == 1 && l->frame->facts[d->symbol->index].is_constant)
        return; /* its uses read the constant */
    else
        lower_set(l, d, lower_value(l, 1, type), type);
}
