/* SPDX-License-Identifier: Apache-2.0 */
/* Floating-point arithmetic and comparison: FADD, FMUL, FMAD, FSET, FMAX, FMIN, FCMP. Source: docs/isa.md 8.1 to 8.4.
 *
 * Each operation is a function of the bits of its operands, after their modifiers. */
#include "../exec.h"
#include "float.h"

/* ------------------------------------------------------------------------------------------------------ arithmetic */

/* A sum of zero: +0, but -0 if both addends are -0, or if either is negative and rounding is down. */
static uint32_t zero_sum(uint32_t a, uint32_t b, enum rounding code) {
    return (code == ROUND_DOWN ? a | b : a & b) & F32_SIGN;
}

/* a + b. Source: docs/isa.md 8.1. */
static uint32_t add(uint32_t a, uint32_t b, enum rounding code) {
    const bool opposite = ((a ^ b) & F32_SIGN) != 0;
    if (f32_is_nan(a) || f32_is_nan(b) || (f32_is_infinite(a) && f32_is_infinite(b) && opposite)) return F32_NAN;
    if (f32_is_infinite(a) || f32_is_infinite(b)) return f32_is_infinite(a) ? a : b;
    if (f32_is_zero(a) && f32_is_zero(b)) return zero_sum(a, b, code);
    if (f32_is_zero(a) || f32_is_zero(b)) return f32_is_zero(a) ? b : a;
    struct real sum;
    return real_add(real_of_f32(a), real_of_f32(b), &sum) ? f32_round(sum, code) : zero_sum(a, b, code);
}

/* The product of two finite numbers that are not zero: exact, 48 bits. */
static struct real product_of(uint32_t a, uint32_t b) {
    const uint64_t product = (uint64_t)(f32_fraction(a) | 0x800000) * (f32_fraction(b) | 0x800000);
    return real_make(((a ^ b) & F32_SIGN) != 0, product, (int)f32_exponent(a) + (int)f32_exponent(b) - 2 * (127 + 23));
}

/* a * b. Source: docs/isa.md 8.2. */
static uint32_t mul(uint32_t a, uint32_t b, enum rounding code) {
    const uint32_t sign = (a ^ b) & F32_SIGN;
    const bool zero = f32_is_zero(a) || f32_is_zero(b);
    const bool infinite = f32_is_infinite(a) || f32_is_infinite(b);
    if (f32_is_nan(a) || f32_is_nan(b) || (zero && infinite)) return F32_NAN;
    if (zero || infinite) return sign | (infinite ? F32_INFINITY : 0);
    return f32_round(product_of(a, b), code);
}

/* p + c, both finite and not zero. A sum just below 2^-126 still counts as 2^-126: rounding is at 2^-149. */
static uint32_t add_product(struct real p, uint32_t c) {
    struct real sum;
    p.bits &= ~(uint64_t)0 << (64 - 24); /* neither exact nor rounded: its 24 leading bits */
    if (!real_add(p, real_of_f32(c), &sum)) return 0;
    if (sum.exponent < -126) {
        const bool all_ones = sum.exponent == -127 && sum.bits >> (64 - 24) == 0xffffff;
        return (sum.negative ? F32_SIGN : 0) | (all_ones ? F32_SMALLEST : 0);
    }
    return f32_round(sum, ROUND_NEAREST);
}

/* a * b + c. Source: docs/isa.md 8.3. With a zero source or an infinite factor these are two operations, with the
 * product rounded before the addition; otherwise the product's exponent is unlimited. */
static uint32_t mad(uint32_t a, uint32_t b, uint32_t c) {
    const bool zero = f32_is_zero(a) || f32_is_zero(b) || f32_is_zero(c);
    const bool finite_factors = f32_is_finite(a) && f32_is_finite(b);
    if (finite_factors && f32_is_infinite(c)) return c;
    if (zero || !finite_factors || f32_is_nan(c)) return add(mul(a, b, ROUND_NEAREST), c, ROUND_NEAREST);
    return add_product(product_of(a, b), c);
}

/* ----------------------------------------------------------------------------------------- the same result, faster
 *
 * Round to nearest, with all operands normal numbers: 32-bit operations without branches, which the compiler
 * vectorises. Significands are integers of 24 bits; exponents refer to their bit 23, with the bias but without limits.
 * Lanes with other operands take the general path above. */

/* Zeros, denormals, infinities and NaNs: exponent 0 or 255. */
LANES_INLINE bool is_special(uint32_t x) { return ((x + 0x00800000) & 0x7f000000) == 0; }

LANES_INLINE uint32_t significand(uint32_t x) { return f32_fraction(x) | 0x800000; }
LANES_INLINE int32_t exponent_of(uint32_t x) { return (int32_t)f32_exponent(x); }

/* The F32 of a significand with 7 extra low bits, rounded to nearest. At the exponent just below that of 2^-126, a
 * significand that has all ones of `edge` counts as 2^-126. */
LANES_INLINE uint32_t pack(uint32_t sign, int32_t e, uint32_t bits, uint32_t edge) {
    const uint32_t rounded = (bits + 0x3f + (bits >> 7 & 1)) >> 7;
    const uint32_t magnitude = ((uint32_t)(e - 1) << 23) + rounded; /* 2^24 carries into the exponent */
    const uint32_t small = e == 0 && (bits & edge) == edge ? F32_SMALLEST : 0;
    return sign | (e < 1 ? small : e > 254 ? F32_INFINITY : magnitude);
}

/* `bits` shifted left by `step` if its lower 31 bits lose none; *e falls by as much. */
LANES_INLINE uint32_t shift_if_free(uint32_t bits, int32_t *e, unsigned step) {
    const bool is_free = bits >> (31 - step) == 0;
    *e -= is_free ? (int32_t)step : 0;
    return is_free ? bits << step : bits;
}

/* `bits`, below 2^31, shifted left until bit 30 is set. */
LANES_INLINE uint32_t normalise(uint32_t bits, int32_t *e) {
    bits = shift_if_free(bits, e, 16);
    bits = shift_if_free(bits, e, 8);
    bits = shift_if_free(bits, e, 4);
    bits = shift_if_free(bits, e, 2);
    return shift_if_free(bits, e, 1);
}

/* All ones if the top bit of x is set. */
LANES_INLINE uint32_t mask_of_sign(uint32_t x) { return 0u - (x >> 31); }

/* x * 2^ex with its sign, plus c. With equal exponents the difference may have either sign. */
LANES_INLINE uint32_t fast_sum(uint32_t x, int32_t ex, uint32_t sign_x, uint32_t c) {
    const uint32_t y = significand(c);
    const int32_t ey = exponent_of(c);
    const int32_t distance = ex > ey ? ex - ey : ey - ex;
    const uint32_t shift = distance < 31 ? (uint32_t)distance : 31;
    const uint32_t large = (ex >= ey ? x : y) << 6;
    const uint32_t small = (ex >= ey ? y : x) << 6;
    const uint32_t shifted = small >> shift;
    const uint32_t addend = shifted << shift != small ? shifted | 1 : shifted; /* with a sticky bit */
    const uint32_t opposite = mask_of_sign(sign_x ^ c);
    const uint32_t sum = large + (addend ^ opposite) - opposite;
    const uint32_t negative = mask_of_sign(sum);
    const uint32_t sign = (ex >= ey ? sign_x : c) ^ negative;
    int32_t e = (ex >= ey ? ex : ey) + 1;
    const uint32_t bits = normalise((sum ^ negative) - negative, &e);
    const uint32_t all_ones = 0xffffffu << 7;
    return sum == 0 ? 0 : pack(sign & F32_SIGN, e, bits, all_ones);
}

LANES_INLINE uint32_t fast_fadd(uint32_t a, uint32_t b) { return fast_sum(significand(a), exponent_of(a), a, b); }

LANES_INLINE uint32_t fast_fmul(uint32_t a, uint32_t b) {
    const uint64_t product = (uint64_t)significand(a) * significand(b);
    const uint32_t trace = (product & 0x1ffff) != 0 ? 1 : 0;
    int32_t e = exponent_of(a) + exponent_of(b) - 127 + 1;
    uint32_t bits = (uint32_t)(product >> 17) | trace;
    e -= bits >> 30 == 0 ? 1 : 0;
    bits <<= bits >> 30 == 0 ? 1 : 0;
    const uint32_t rounds_up = 0x1ffffffu << 6; /* all ones, and the bit below them */
    return pack((a ^ b) & F32_SIGN, e, bits, rounds_up);
}

LANES_INLINE uint32_t fast_fmad(uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t product = (uint32_t)((uint64_t)significand(a) * significand(b) >> 23);
    const uint32_t carry = product >> 24;
    return fast_sum(product >> carry, exponent_of(a) + exponent_of(b) - 127 + (int32_t)carry, a ^ b, c);
}

/* ----------------------------------------------------------------------------------------------------- the lanes */

LANES_INLINE uint32_t sign_if(bool negate) { return negate ? F32_SIGN : 0; }

LANES_INLINE void saturate_lanes(const struct exec_in *in, uint32_t value[WARP_LANES]) {
    if ((in->insn->attr & ISA_SAT) == 0) return;
    for (unsigned i = 0; i < WARP_LANES; i++) value[i] = f32_saturate(value[i]);
}

/* The portable function uses the general path in all lanes; the AVX2 function uses the fast path where it can.
 * testbench/float compares the two, and thereby the fast path with the general one. */
#define EXEC_FAST(name)                                                                                          \
    LANES_INLINE void name##_lanes(const struct exec_in *in, struct exec_out *out, bool fast);                   \
    void name(const struct exec_in *in, struct exec_out *out) { name##_lanes(in, out, false); }                  \
    LANES_AVX2 void name##_avx2(const struct exec_in *in, struct exec_out *out) { name##_lanes(in, out, true); } \
    LANES_INLINE void name##_lanes(const struct exec_in *in, struct exec_out *out, bool fast)

EXEC_FAST(exec_fadd) {
    const enum rounding code = (enum rounding)in->insn->rounding;
    const uint32_t flip_a = sign_if(in->insn->src[0].negate);
    const uint32_t flip_b = sign_if(in->insn->src[1].negate);
    uint32_t value[WARP_LANES];
    uint32_t slow = LANES_ALL;
    if (fast && code == ROUND_NEAREST) {
        slow = 0;
        for (unsigned i = 0; i < WARP_LANES; i++) {
            value[i] = fast_fadd(in->a[i] ^ flip_a, in->b[i] ^ flip_b);
            slow |= is_special(in->a[i]) || is_special(in->b[i]) ? LANE_BIT[i] : 0;
        }
    }
    for (uint32_t left = slow; left != 0; left = lanes_rest(left)) {
        const unsigned i = lanes_first(left);
        value[i] = add(in->a[i] ^ flip_a, in->b[i] ^ flip_b, code);
    }
    saturate_lanes(in, value);
    memcpy(out->value, value, sizeof value);
}

/* A product does not saturate, although its words have a saturation bit. */
EXEC_FAST(exec_fmul) {
    const enum rounding code = (enum rounding)in->insn->rounding;
    const uint32_t flip = sign_if(in->insn->src[0].negate != in->insn->src[1].negate);
    uint32_t value[WARP_LANES];
    uint32_t slow = LANES_ALL;
    if (fast && code == ROUND_NEAREST) {
        slow = 0;
        for (unsigned i = 0; i < WARP_LANES; i++) {
            value[i] = fast_fmul(in->a[i] ^ flip, in->b[i]);
            slow |= is_special(in->a[i]) || is_special(in->b[i]) ? LANE_BIT[i] : 0;
        }
    }
    for (uint32_t left = slow; left != 0; left = lanes_rest(left)) {
        const unsigned i = lanes_first(left);
        value[i] = mul(in->a[i] ^ flip, in->b[i], code);
    }
    memcpy(out->value, value, sizeof value);
}

/* A negated first factor negates the product. The rounding field has no effect. */
EXEC_FAST(exec_fmad) {
    const uint32_t flip_a = sign_if(in->insn->src[0].negate);
    const uint32_t flip_c = sign_if(in->insn->src[2].negate);
    uint32_t value[WARP_LANES];
    uint32_t slow = LANES_ALL;
    if (fast) {
        slow = 0;
        for (unsigned i = 0; i < WARP_LANES; i++) {
            value[i] = fast_fmad(in->a[i] ^ flip_a, in->b[i], in->c[i] ^ flip_c);
            slow |= is_special(in->a[i]) || is_special(in->b[i]) || is_special(in->c[i]) ? LANE_BIT[i] : 0;
        }
    }
    for (uint32_t left = slow; left != 0; left = lanes_rest(left)) {
        const unsigned i = lanes_first(left);
        value[i] = mad(in->a[i] ^ flip_a, in->b[i], in->c[i] ^ flip_c);
    }
    saturate_lanes(in, value);
    memcpy(out->value, value, sizeof value);
}

/* ------------------------------------------------------------------------------------------- compare and select */

/* An integer whose signed order is that of the floating-point values; -0 and +0 differ by one. */
static int32_t order_of(uint32_t x) { return f32_is_negative(x) ? -(int32_t)f32_magnitude(x) - 1 : (int32_t)x; }

enum relation { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 }; /* encoded as in the comparison's code */

static enum relation compare(uint32_t a, uint32_t b) {
    if (f32_is_nan(a) || f32_is_nan(b)) return UNORDERED;
    if (f32_is_zero(a) && f32_is_zero(b)) return EQUAL;
    const int32_t x = order_of(f32_flush(a));
    const int32_t y = order_of(f32_flush(b));
    return x < y ? LESS : x > y ? GREATER : EQUAL;
}

/* All ones if the code accepts the relation of a and b. Source: docs/isa.md 8.4. */
static uint32_t set_if(uint32_t a, uint32_t b, unsigned code) { return (compare(a, b) & code) != 0 ? UINT32_MAX : 0; }

/* The larger one; the number if the other is a NaN; -0 is below +0. Source: docs/isa.md 8.4. */
static uint32_t larger(uint32_t a, uint32_t b) {
    if (f32_is_nan(a) || f32_is_nan(b)) return !f32_is_nan(a) ? f32_flush(a) : !f32_is_nan(b) ? f32_flush(b) : F32_NAN;
    return order_of(f32_flush(a)) > order_of(f32_flush(b)) ? f32_flush(a) : f32_flush(b);
}

static uint32_t smaller(uint32_t a, uint32_t b) {
    if (f32_is_nan(a) || f32_is_nan(b)) return larger(a, b);
    return order_of(f32_flush(a)) < order_of(f32_flush(b)) ? f32_flush(a) : f32_flush(b);
}

/* The bits of a if c is not below zero, else (and if c is a NaN) those of b. Source: docs/isa.md 8.4. */
static uint32_t select(uint32_t a, uint32_t b, uint32_t c) {
    return !f32_is_nan(c) && (f32_is_zero(c) || !f32_is_negative(c)) ? a : b;
}

static uint32_t source_a(const struct exec_in *in, unsigned lane) {
    return f32_modify(in->a[lane], in->insn->src[0].absolute, in->insn->src[0].negate);
}

static uint32_t source_b(const struct exec_in *in, unsigned lane) {
    return f32_modify(in->b[lane], in->insn->src[1].absolute, in->insn->src[1].negate);
}

EXEC(exec_fset) {
    for (unsigned i = 0; i < WARP_LANES; i++) out->value[i] = set_if(source_a(in, i), source_b(in, i), in->insn->cmp);
}

EXEC(exec_fmax) {
    for (unsigned i = 0; i < WARP_LANES; i++) out->value[i] = larger(source_a(in, i), source_b(in, i));
}

EXEC(exec_fmin) {
    for (unsigned i = 0; i < WARP_LANES; i++) out->value[i] = smaller(source_a(in, i), source_b(in, i));
}

EXEC(exec_fcmp) {
    const uint32_t flip_c = sign_if(in->insn->src[2].negate);
    for (unsigned i = 0; i < WARP_LANES; i++) out->value[i] = select(in->a[i], in->b[i], in->c[i] ^ flip_c);
}
