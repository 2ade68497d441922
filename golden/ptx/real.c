/* SPDX-License-Identifier: Apache-2.0 */
/* See real.h. */
#include "real.h"

#include "../float/reference.h"
#include "integer.h"
#include "number.h"

static enum rounding rounding_of(enum word word) {
    switch (word) {
    case W_RZ:
    case W_RZI: return TO_ZERO;
    case W_RM:
    case W_RMI: return DOWNWARD;
    case W_RP:
    case W_RPI: return UPWARD;
    default: return TO_NEAREST;
    }
}

bool real_flushes(const struct instruction *i, struct type type) {
    return type.kind == 'f' && type.bits == 32 && has_word(&i->words, W_FTZ);
}

static struct value defined(uint64_t bits) { return (struct value){bits, ~(uint64_t)0}; }

static bool is_nan(uint64_t bits, const struct number_format *f) {
    return number_unpack(bits, f, false).kind == NOT_A_NUMBER;
}

/* f32 arithmetic makes one NaN, 7fffffff; of other NaNs the sign and the payload are open. */
static struct value open_if_nan(uint64_t bits, const struct number_format *f) {
    const uint64_t exponents = (((uint64_t)1 << (f->bits - 1)) - 1) & ~(((uint64_t)1 << f->fraction) - 1);
    return (struct value){bits, is_nan(bits, f) ? exponents : ~(uint64_t)0};
}

static uint64_t flushed(uint64_t bits, const struct number_format *f, bool flush) {
    const struct number n = number_unpack(bits, f, flush);
    return n.kind == ZERO ? number_pack(n, f, TO_NEAREST, false) : bits;
}

/* To 0..1; a NaN is +0. */
static uint64_t saturated(struct number n, uint64_t bits, const struct number_format *f) {
    const struct number one = number_of_integer(1, false);
    if (n.kind == NOT_A_NUMBER || n.kind == ZERO || n.negative) return 0;
    return number_order(number_unpack(bits, f, false), one) > 0 ? number_pack(one, f, TO_NEAREST, false) : bits;
}

/* ---------------------------------------------------------------------------------------------------- arithmetic */

static struct number computed(const struct instruction *i, const struct number n[3], enum rounding rounding) {
    switch (i->opcode) {
    case OP_ADD: return number_add(n[0], n[1], rounding);
    case OP_SUB: return number_add(n[0], number_negate(n[1]), rounding);
    case OP_MUL: return number_multiply(n[0], n[1]);
    case OP_DIV: return number_divide(n[0], n[1]);
    case OP_RCP: return number_divide(number_of_integer(1, false), n[0]);
    case OP_SQRT: return number_root(n[0]);
    default: return number_add(number_multiply(n[0], n[1]), n[2], rounding);
    }
}

static struct value arithmetic(const struct instruction *i, const uint64_t s[4], const struct number_format *f) {
    const bool flush = real_flushes(i, i->types[0]);
    const enum rounding rounding = rounding_of(i->rounding);
    const struct number n[3] = {number_unpack(s[0], f, flush), number_unpack(s[1], f, flush),
                                number_unpack(s[2], f, flush)};
    const struct number result = computed(i, n, rounding);
    const uint64_t bits = number_pack(result, f, rounding, flush);
    if (has_word(&i->words, W_SAT)) return defined(saturated(result, bits, f));
    return f->bits == 32 ? defined(bits) : open_if_nan(bits, f);
}

static uint64_t extreme(const uint64_t s[4], const struct number_format *f, bool flush, bool least) {
    const struct number a = number_unpack(s[0], f, flush);
    const struct number b = number_unpack(s[1], f, flush);
    if (a.kind == NOT_A_NUMBER && b.kind == NOT_A_NUMBER) return number_pack(a, f, TO_NEAREST, false);
    if (a.kind == NOT_A_NUMBER || b.kind == NOT_A_NUMBER)
        return flushed(a.kind == NOT_A_NUMBER ? s[1] : s[0], f, flush);
    int order = number_order(a, b);
    if (order == 0) order = a.negative == b.negative ? 0 : a.negative ? -1 : 1;
    return flushed((order < 0) == least ? s[0] : s[1], f, flush);
}

static struct value minimum_maximum(const struct instruction *i, const uint64_t s[4], const struct number_format *f) {
    const uint64_t bits = extreme(s, f, real_flushes(i, i->types[0]), i->opcode == OP_MIN);
    return f->bits == 32 ? defined(bits) : open_if_nan(bits, f);
}

static struct value signs(const struct instruction *i, const uint64_t s[4], const struct number_format *f) {
    const uint64_t sign = (uint64_t)1 << (f->bits - 1);
    const uint64_t a = flushed(s[0], f, real_flushes(i, i->types[0]));
    if (i->opcode == OP_COPYSIGN) return open_if_nan((s[1] & ~sign) | (s[0] & sign), f);
    return open_if_nan(i->opcode == OP_ABS ? a & ~sign : a ^ sign, f);
}

/* ------------------------------------------------------------------------------------------- special functions */

/* Without .ftz a subnormal operand counts, which the tables do not support: the result there is exact. */
static bool is_subnormal(uint64_t bits) { return (bits & 0x7f800000) == 0 && (bits & 0x7fffff) != 0; }

static uint32_t special(enum opcode opcode, uint32_t x) {
    switch (opcode) {
    case OP_RCP: return reference_rcp(x);
    case OP_RSQRT: return reference_rsq(x);
    case OP_LG2: return reference_lg2(x);
    case OP_EX2: return reference_ex2(reference_rro_ex2(x));
    case OP_SIN: return reference_sin(reference_rro_sin(x));
    case OP_COS: return reference_cos(reference_rro_sin(x));
    default: return reference_rcp(reference_rsq(x));
    }
}

/* a times 2^n, exact if the result is normal. */
static uint32_t scaled(uint32_t a, int n) {
    struct number x = number_unpack(a, &FORMAT_F32, false);
    x.exponent += n;
    return (uint32_t)number_pack(x, &FORMAT_F32, TO_NEAREST, false);
}

/* Subnormal operands are scaled up by 2^24 (a root's result by 2^12), subnormal results of rcp are scaled down. */
static uint32_t special_of_subnormals(enum opcode opcode, uint32_t x) {
    if (opcode == OP_RCP && is_subnormal(x)) return scaled(reference_rcp(scaled(x, 24)), 24);
    if (opcode == OP_RCP && (x >> 23 & 255) >= 252) return scaled(reference_rcp(scaled(x, -24)), -24);
    if (opcode == OP_RSQRT && is_subnormal(x)) return scaled(reference_rsq(scaled(x, 24)), 12);
    if (opcode == OP_LG2 && is_subnormal(x)) return reference_fadd(reference_lg2(scaled(x, 24)), 0xc1c00000, 0);
    if (opcode == OP_EX2 && (x & 0x7fffffff) < 0x7f800000 && x > 0xc2fc0000) {
        const uint32_t half = scaled(x, -1);
        const uint32_t root = reference_ex2(reference_rro_ex2(half));
        const struct number n = number_unpack(root, &FORMAT_F32, false);
        return (uint32_t)number_pack(number_multiply(n, n), &FORMAT_F32, TO_NEAREST, false);
    }
    return special(opcode, x);
}

static uint32_t approximate_root(uint32_t x) {
    if ((x & 0x7f800000) == 0) return x & 0x80000000; /* RSQ and RCP of a zero would work, too, except for the sign */
    return special(OP_SQRT, x);
}

/* The quotient of the fast method: a * rcp(b). */
static uint32_t approximate_quotient(const uint64_t s[4]) {
    return reference_fmul((uint32_t)s[0], reference_rcp((uint32_t)s[1]), 0);
}

static struct value approximate(const struct instruction *i, const uint64_t s[4]) {
    const uint32_t x = (uint32_t)s[0];
    if (i->opcode == OP_DIV) return defined(approximate_quotient(s));
    if (i->opcode == OP_SQRT) return defined(approximate_root(x));
    return defined(has_word(&i->words, W_FTZ) ? special(i->opcode, x) : special_of_subnormals(i->opcode, x));
}

bool real_is_approximate(const struct instruction *i) {
    const bool fast = has_word(&i->words, W_APPROX) || has_word(&i->words, W_FULL);
    if (!fast || i->types[0].bits != 32) return fast;
    if (i->opcode == OP_DIV || i->opcode == OP_SQRT || i->opcode == OP_SIN || i->opcode == OP_COS) return true;
    return !has_word(&i->words, W_FTZ);
}

struct value real_result(const struct instruction *i, const uint64_t s[4], unsigned target) {
    const struct number_format *f = number_format_of(i->types[0].bits);
    const bool fast = has_word(&i->words, W_APPROX) && f->bits == 32;
    switch (i->opcode) {
    case OP_MIN:
    case OP_MAX: return minimum_maximum(i, s, f);
    case OP_ABS:
    case OP_NEG:
    case OP_COPYSIGN: return signs(i, s, f);
    case OP_LG2:
    case OP_EX2:
    case OP_SIN:
    case OP_COS:
    case OP_RSQRT:
        if (f->bits == 32) return approximate(i, s);
        break;
    case OP_MAD:
        if (f->bits == 32 && target < 20 && i->rounding == NO_WORD)
            return defined(reference_fmad((uint32_t)s[0], (uint32_t)s[1], (uint32_t)s[2]));
        break;
    default: break;
    }
    if (fast) return approximate(i, s);
    if (i->opcode != OP_RSQRT) return arithmetic(i, s, f);
    const struct number root = number_root(number_unpack(s[0], f, false));
    return open_if_nan(number_pack(number_divide(number_of_integer(1, false), root), f, TO_NEAREST, false), f);
}

/* --------------------------------------------------------------------------------------------------- comparisons */

static bool ordered_compare(enum word comparison, int order) {
    switch (comparison) {
    case W_EQ:
    case W_EQU: return order == 0;
    case W_NE:
    case W_NEU: return order != 0;
    case W_LT:
    case W_LTU: return order < 0;
    case W_LE:
    case W_LEU: return order <= 0;
    case W_GT:
    case W_GTU: return order > 0;
    case W_GE:
    case W_GEU: return order >= 0;
    default: return comparison == W_NUM;
    }
}

bool real_compare(enum word comparison, uint64_t a, uint64_t b, unsigned bits, bool flush) {
    const struct number_format *f = number_format_of(bits);
    const struct number x = number_unpack(a, f, flush);
    const struct number y = number_unpack(b, f, flush);
    if (x.kind == NOT_A_NUMBER || y.kind == NOT_A_NUMBER)
        return (comparison >= W_EQU && comparison <= W_GEU) || comparison == W_NAN;
    return ordered_compare(comparison, number_order(x, y));
}

bool real_test(const struct instruction *i, uint64_t a) {
    const struct number_format *f = number_format_of(i->types[0].bits);
    const struct number n = number_unpack(a, f, false);
    const bool subnormal = n.kind == FINITE && number_unpack(a, f, true).kind == ZERO;
    if (has_word(&i->words, W_FINITE)) return n.kind == FINITE || n.kind == ZERO;
    if (has_word(&i->words, W_INFINITE)) return n.kind == INFINITE;
    if (has_word(&i->words, W_NUMBER)) return n.kind != NOT_A_NUMBER;
    if (has_word(&i->words, W_NOTANUMBER)) return n.kind == NOT_A_NUMBER;
    if (has_word(&i->words, W_SUBNORMAL)) return subnormal;
    return n.kind == ZERO || (n.kind == FINITE && !subnormal); /* the PTX ISA includes zeros */
}

bool real_selects_first(uint64_t c, bool flush) {
    const struct number n = number_unpack(c, &FORMAT_F32, flush);
    return n.kind != NOT_A_NUMBER && (n.kind == ZERO || !n.negative);
}

/* --------------------------------------------------------------------------------------------------- conversions */

static struct value to_integer(const struct instruction *i, uint64_t source, struct type to, struct type from) {
    const struct number n = number_unpack(source, number_format_of(from.bits), real_flushes(i, from));
    if (n.kind == NOT_A_NUMBER && (from.bits == 64 || to.bits == 64)) return defined((uint64_t)1 << (to.bits - 1));
    return defined(number_to_integer(n, rounding_of(i->rounding), to.kind == 's', to.bits));
}

static struct value from_integer(const struct instruction *i, uint64_t source, struct type to, struct type from) {
    const uint64_t number = as_number(source, from);
    const bool negative = from.kind == 's' && (int64_t)number < 0;
    const struct number n = number_of_integer(negative ? 0 - number : number, negative);
    const struct number_format *f = number_format_of(to.bits);
    const uint64_t bits = number_pack(n, f, rounding_of(i->rounding), false);
    return defined(has_word(&i->words, W_SAT) ? saturated(n, bits, f) : bits);
}

static bool is_integral(enum word rounding) { return rounding >= W_RNI && rounding <= W_RPI; }

static struct value between_reals(const struct instruction *i, uint64_t source, struct type to, struct type from) {
    const struct number_format *f = number_format_of(to.bits);
    const bool flush = real_flushes(i, to) || real_flushes(i, from);
    struct number n = number_unpack(source, number_format_of(from.bits), flush && from.bits == 32);
    const bool sign_only = to.bits == from.bits && i->rounding == NO_WORD;
    if (is_integral(i->rounding)) n = number_integral(n, rounding_of(i->rounding));
    uint64_t bits = number_pack(n, f, rounding_of(i->rounding), flush && to.bits == 32);
    if (has_word(&i->words, W_SAT)) return defined(saturated(n, bits, f));
    if (n.kind == NOT_A_NUMBER && sign_only) bits = source;
    return to.bits == 64 || from.bits == 64 || sign_only ? open_if_nan(bits, f) : defined(bits);
}

struct value real_convert(const struct instruction *i, uint64_t source) {
    const struct type to = i->types[0];
    const struct type from = i->types[1];
    if (to.kind != 'f') return to_integer(i, source, to, from);
    return from.kind != 'f' ? from_integer(i, source, to, from) : between_reals(i, source, to, from);
}
