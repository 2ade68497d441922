/* SPDX-License-Identifier: Apache-2.0 */
/* Special functions: RCP, RSQ, LG2, SIN, COS, EX2, and RRO, which prepares the operands of the last three. Source:
 * docs/isa.md 8.6.
 *
 * Each function is a polynomial of second degree in one of 64 or 128 intervals, computed with the chip's own integers:
 * its tables, its truncated square, its rounding constants. */
#include "../exec.h"
#include "float.h"

/* ----------------------------------------------------------------------------------------------- the polynomial */

struct interval {
    int32_t c0, c1, c2;
};

#define SFU_NONE(index, c0, c1, c2)
#define SFU_ROW(index, c0, c1, c2) [index] = {c0, c1, c2},

static const struct interval RCP_TABLE[128] = {
#define SFU_RCP SFU_ROW
#include "sfu_tables.def"
};
static const struct interval RSQ_TABLE[128] = {
#define SFU_RSQ SFU_ROW
#include "sfu_tables.def"
};
static const struct interval SIN_TABLE[64] = {
#define SFU_SIN SFU_ROW
#include "sfu_tables.def"
};
static const struct interval EX2_TABLE[64] = {
#define SFU_EX2 SFU_ROW
#include "sfu_tables.def"
};
static const struct interval LG2_TABLE[64] = {
#define SFU_LG2 SFU_ROW
#include "sfu_tables.def"
};

/* A function's table and the constants of its sum: left shifts of c0 and of the square term, rounding constant, right
 * shift of the sum. */
struct polynomial {
    const struct interval *table;
    unsigned x_bits; /* width of the operand; the bits above it are the interval's index */
    unsigned shift0, shift2;
    int64_t rounding;
    unsigned drop;
};

static const struct polynomial RCP = {RCP_TABLE, 16, 13, 0, 0x47e7, 15};
static const struct polynomial RSQ = {RSQ_TABLE, 17, 14, 2, 0x7fff, 16};
static const struct polynomial SIN = {SIN_TABLE, 17, 11, 0, 0, 0};
static const struct polynomial EX2 = {EX2_TABLE, 17, 13, 0, 0x77e2, 15};
static const struct polynomial LG2 = {LG2_TABLE, 17, 12, 1, 0x3345, 2};

/* y * y / 2^19, approximately: the chip's squarer has no columns below 2^18 of the product. y has 17 bits, the result
 * 15. */
static uint32_t cut_square(uint32_t y) {
    uint32_t sum = 0;
    for (unsigned bit = 0; bit < 17; bit++) sum += (y >> bit & 1) != 0 ? y >> (18 - bit) : 0;
    return sum / 2;
}

static uint64_t evaluate(const struct polynomial *p, uint32_t f) {
    const struct interval *at = &p->table[f >> p->x_bits];
    const uint32_t x = f & (((uint32_t)1 << p->x_bits) - 1);
    const int64_t square = cut_square(x << (17 - p->x_bits));
    const int64_t sum = ((int64_t)at->c0 << p->shift0) + (int64_t)at->c1 * x +
                        at->c2 * square * ((int64_t)1 << p->shift2) + p->rounding;
    return (uint64_t)sum >> p->drop; /* it is never negative */
}

/* (-1)^negative * significand * 2^(exponent - 23), the significand of 24 bits or 2^24; infinite beyond the range. */
static uint32_t assemble(bool negative, int exponent, uint64_t significand) {
    return f32_assemble(negative, exponent, (uint32_t)significand, ROUND_NEAREST);
}

/* A fixed-point number as an F32, with excess bits dropped. */
static uint32_t assemble_fixed(bool negative, uint64_t bits, int scale) {
    return bits != 0 ? f32_round(real_make(negative, bits, scale), ROUND_ZERO) : negative ? F32_SIGN : 0;
}

/* ----------------------------------------------------------------------------------------------- the functions */

static uint32_t reciprocal(uint32_t x) {
    const uint32_t sign = x & F32_SIGN;
    if (f32_is_nan(x)) return F32_NAN;
    if (f32_is_infinite(x) || f32_is_zero(x)) return sign | (f32_is_zero(x) ? F32_INFINITY : 0);
    return assemble(sign != 0, 253 - 127 - (int)f32_exponent(x), evaluate(&RCP, f32_fraction(x)));
}

/* A zero keeps its sign: -0 gives -infinity. */
static uint32_t reciprocal_root(uint32_t x) {
    if (f32_is_zero(x)) return (x & F32_SIGN) | F32_INFINITY;
    if (f32_is_nan(x) || f32_is_negative(x)) return F32_NAN;
    if (f32_is_infinite(x)) return 0;
    const int exponent = (int)f32_exponent(x) - 127;
    const uint32_t odd = (uint32_t)exponent & 1;
    const uint32_t f = odd << 23 | f32_fraction(x);
    const int half = (exponent - (int)odd) / 2;
    return f == 0 ? assemble(false, -half, 0x800000) : assemble(false, -1 - half, evaluate(&RSQ, f));
}

/* The logarithm of the significand and the exponent, in units of 2^-36. A negative sum is inverted, not negated. */
static uint32_t logarithm(uint32_t x) {
    if (f32_is_zero(x)) return F32_SIGN | F32_INFINITY;
    if (f32_is_nan(x) || f32_is_negative(x)) return F32_NAN;
    if (f32_is_infinite(x)) return F32_INFINITY;
    const int64_t fraction = x == F32_ONE ? 0 : (int64_t)evaluate(&LG2, f32_fraction(x));
    const int64_t sum = fraction + ((int64_t)f32_exponent(x) - 127) * ((int64_t)1 << 36);
    return assemble_fixed(sum < 0, (uint64_t)(sum < 0 ? ~sum : sum), -36);
}

/* The result of RRO: a fixed-point number of 7 + 23 bits with its sign, or one of these codes instead. */
enum { RRO_SPECIAL = 0x40000000, RRO_INFINITE = 0x00800000, RRO_FRACTION = 0x7fffff };

/* A sine; the `quadrant` (quarter turns) is added first. In the odd quadrants the fraction counts down. */
static uint32_t sine(uint32_t x, bool negative, uint32_t quadrant) {
    if ((x & RRO_SPECIAL) != 0) return F32_NAN;
    quadrant += x >> 23 & 3;
    const uint32_t f = (quadrant & 1) != 0 ? ~x & RRO_FRACTION : x & RRO_FRACTION;
    return assemble_fixed(negative != ((quadrant & 2) != 0), evaluate(&SIN, f), -37);
}

/* 2 to a power of 8 + 23 bits; a negative power is inverted, not negated, unless it is an integer. */
static uint32_t power(uint32_t x) {
    const bool negative = f32_is_negative(x);
    if ((x & RRO_SPECIAL) != 0) return (x & RRO_INFINITE) == 0 ? F32_NAN : negative ? 0 : F32_INFINITY;
    const uint32_t fraction = x & RRO_FRACTION;
    const int whole = (int)(x >> 23 & 0x7f);
    if (!negative) return assemble(false, whole, evaluate(&EX2, fraction));
    return fraction == 0 ? assemble(false, -whole, evaluate(&EX2, 0))
                         : assemble(false, -whole - 1, evaluate(&EX2, ~x & RRO_FRACTION));
}

/* ----------------------------------------------------------------------------------------------- range reduction */

static uint32_t special_code(uint32_t x) {
    return (x & F32_SIGN) | RRO_SPECIAL | (f32_is_infinite(x) ? (uint32_t)RRO_INFINITE : 0);
}

/* bits shifted left, or right if `by` is negative; bits that leave the word are lost. */
static uint32_t shift_word(uint32_t bits, int by) {
    return by <= -32 || by >= 32 ? 0 : by < 0 ? bits >> -by : bits << by;
}

static uint32_t reduce_for_power(uint32_t x) {
    const int exponent = (int)f32_exponent(x) - 127;
    if (f32_is_nan(x)) return special_code(x);
    if (exponent >= 7) return (x & F32_SIGN) | RRO_SPECIAL | RRO_INFINITE;
    const uint32_t significand = f32_is_zero(x) ? 0 : f32_fraction(x) | 0x800000;
    return (x & F32_SIGN) | shift_word(significand, exponent);
}

/* Quarter turns: x times 2 / pi (24 bits), modulo 4. */
static uint32_t reduce_for_sine(uint32_t x) {
    const uint64_t two_over_pi = 0xa2f983; /* units of 2^-24 */
    if (!f32_is_finite(x)) return special_code(x);
    const uint64_t significand = f32_is_zero(x) ? 0 : f32_fraction(x) | 0x800000;
    const uint32_t product = (uint32_t)(significand * two_over_pi >> 16);
    return (x & F32_SIGN) | (shift_word(product, (int)f32_exponent(x) - 127 - 8) & 0x1ffffff);
}

/* ----------------------------------------------------------------------------------------------------- the lanes */

static uint32_t source(const struct exec_in *in, unsigned lane) {
    return f32_modify(in->a[lane], in->insn->src[0].absolute, in->insn->src[0].negate);
}

/* Saturation has no effect on these three. */
EXEC(exec_rcp) {
    for (unsigned i = 0; i < WARP_LANES; i++) out->value[i] = reciprocal(source(in, i));
}

EXEC(exec_rsq) {
    for (unsigned i = 0; i < WARP_LANES; i++) out->value[i] = reciprocal_root(source(in, i));
}

EXEC(exec_lg2) {
    for (unsigned i = 0; i < WARP_LANES; i++) out->value[i] = logarithm(source(in, i));
}

/* Their operand comes from RRO; a sign or absolute value has no effect on it, nor has saturation on SIN and COS. */
EXEC(exec_sin) {
    for (unsigned i = 0; i < WARP_LANES; i++) out->value[i] = sine(in->a[i], f32_is_negative(in->a[i]), 0);
}

EXEC(exec_cos) {
    for (unsigned i = 0; i < WARP_LANES; i++) out->value[i] = sine(in->a[i], false, 1);
}

EXEC(exec_ex2) {
    const bool saturates = (in->insn->attr & ISA_SAT) != 0;
    for (unsigned i = 0; i < WARP_LANES; i++) {
        const uint32_t value = power(in->a[i]);
        out->value[i] = saturates ? f32_saturate(value) : value;
    }
}

EXEC(exec_rro) {
    enum { FOR_SINE = 0 };
    for (unsigned i = 0; i < WARP_LANES; i++) {
        const uint32_t x = source(in, i);
        out->value[i] = in->insn->function == FOR_SINE ? reduce_for_sine(x) : reduce_for_power(x);
    }
}
