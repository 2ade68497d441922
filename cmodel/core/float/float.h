/* SPDX-License-Identifier: Apache-2.0 */
/* Floating-point numbers as integers: the formats F32 and F16, rounding and range. No host floating point is used, so
 * that a result depends on the operands alone. Source: docs/isa.md 2.8.
 *
 *     struct real v = real_of_f32(0x3fc00000);                    // 1.5
 *     uint32_t x = f32_round(v, ROUND_NEAREST);                   // 0x3fc00000 again
 */
#ifndef WARPSTEP_FLOAT_H
#define WARPSTEP_FLOAT_H

#include "../lanes.h"

enum rounding { ROUND_NEAREST, ROUND_DOWN, ROUND_UP, ROUND_ZERO }; /* numbered as in the instruction words */

#define F32_SIGN     0x80000000u
#define F32_INFINITY 0x7f800000u
#define F32_LARGEST  0x7f7fffffu
#define F32_SMALLEST 0x00800000u /* 2^-126 */
#define F32_ONE      0x3f800000u
#define F32_NAN      0x7fffffffu /* the only NaN that an operation makes */
#define F16_SIGN     0x8000u
#define F16_INFINITY 0x7c00u
#define F16_LARGEST  0x7bffu
#define F16_NAN      0x7fffu

LANES_INLINE uint32_t f32_exponent(uint32_t x) { return x >> 23 & 0xff; } /* with its bias of 127 */
LANES_INLINE uint32_t f32_fraction(uint32_t x) { return x & 0x7fffff; }
LANES_INLINE uint32_t f32_magnitude(uint32_t x) { return x & ~F32_SIGN; }
LANES_INLINE bool f32_is_negative(uint32_t x) { return (x & F32_SIGN) != 0; }
LANES_INLINE bool f32_is_nan(uint32_t x) { return f32_magnitude(x) > F32_INFINITY; }
LANES_INLINE bool f32_is_finite(uint32_t x) { return f32_exponent(x) != 255; }
LANES_INLINE bool f32_is_infinite(uint32_t x) { return f32_magnitude(x) == F32_INFINITY; }

/* Denormals count as zeros. */
LANES_INLINE bool f32_is_zero(uint32_t x) { return f32_exponent(x) == 0; }
LANES_INLINE uint32_t f32_flush(uint32_t x) { return f32_is_zero(x) ? x & F32_SIGN : x; }

/* Absolute value, then negation; both act on the bits, of a NaN too. */
LANES_INLINE uint32_t f32_modify(uint32_t x, bool absolute, bool negate) {
    return (absolute ? f32_magnitude(x) : x) ^ (negate ? F32_SIGN : 0);
}

/* A NaN stays; a number with its sign bit set becomes +0; a number above 1.0 becomes 1.0. */
LANES_INLINE uint32_t f32_saturate(uint32_t x) {
    if (f32_is_nan(x)) return F32_NAN;
    return f32_is_negative(x) ? 0 : x > F32_ONE ? F32_ONE : x;
}

/* A number that is not zero, exact or with a sticky lowest bit: (-1)^negative * bits * 2^(exponent - 63), the top bit
 * of `bits` set. */
struct real {
    bool negative;
    int exponent;
    uint64_t bits;
};

/* (-1)^negative * bits * 2^scale; bits are not 0. */
LANES_INLINE struct real real_make(bool negative, uint64_t bits, int scale) {
    const int zeros = __builtin_clzll(bits);
    return (struct real){.negative = negative, .exponent = scale + 63 - zeros, .bits = bits << zeros};
}

/* A finite F32 that is not zero. */
LANES_INLINE struct real real_of_f32(uint32_t x) {
    return real_make(f32_is_negative(x), f32_fraction(x) | 0x800000, (int)f32_exponent(x) - 127 - 23);
}

/* bits / 2^drop rounded to an integer; drop is 1 to 63. Down and up refer to the signed value. */
LANES_INLINE uint64_t round_off(uint64_t bits, unsigned drop, bool negative, enum rounding code) {
    const uint64_t kept = bits >> drop;
    const uint64_t rest = bits & (((uint64_t)1 << drop) - 1);
    const uint64_t half = (uint64_t)1 << (drop - 1);
    switch (code) {
    case ROUND_NEAREST: return kept + (rest > half || (rest == half && (kept & 1) != 0) ? 1 : 0);
    case ROUND_DOWN: return kept + (rest != 0 && negative ? 1 : 0);
    case ROUND_UP: return kept + (rest != 0 && !negative ? 1 : 0);
    default: return kept;
    }
}

/* True if a too large number becomes infinite; false if the rounding mode limits it to the largest number. */
LANES_INLINE bool overflows_to_infinity(bool negative, enum rounding code) {
    return code == ROUND_NEAREST || (code == ROUND_DOWN && negative) || (code == ROUND_UP && !negative);
}

/* An F32 from its parts: significand of 24 bits or 2^24, exponent of its bit 23. Below 2^-126 the result is zero, as
 * there are no denormals. */
LANES_INLINE uint32_t f32_assemble(bool negative, int exponent, uint32_t significand, enum rounding code) {
    const uint32_t sign = negative ? F32_SIGN : 0;
    exponent += significand >> 24 != 0 ? 1 : 0; /* 2^24: all 24 bits were ones; its fraction is 0 as well */
    if (exponent < -126) return sign;
    if (exponent > 127) return sign | (overflows_to_infinity(negative, code) ? F32_INFINITY : F32_LARGEST);
    return sign | (uint32_t)(exponent + 127) << 23 | f32_fraction(significand);
}

/* Rounded to 24 bits; the comparison with 2^-126 follows the rounding. */
LANES_INLINE uint32_t f32_round(struct real v, enum rounding code) {
    return f32_assemble(v.negative, v.exponent, (uint32_t)round_off(v.bits, 64 - 24, v.negative, code), code);
}

/* The sum of two reals as a real: exact, but for a sticky lowest bit in place of bits far below the larger one. False
 * if the sum is zero. */
LANES_INLINE bool real_add(struct real x, struct real y, struct real *sum) {
    const bool x_larger = x.exponent != y.exponent ? x.exponent > y.exponent : x.bits >= y.bits;
    const struct real large = x_larger ? x : y;
    const struct real small = x_larger ? y : x;
    const unsigned shift = (unsigned)(large.exponent - small.exponent);
    const uint64_t a = large.bits >> 2; /* room for a carry */
    uint64_t b = shift < 64 ? small.bits >> 2 >> shift : 0;
    b |= shift >= 64 || b << shift != small.bits >> 2 ? 1 : 0;
    const uint64_t bits = large.negative == small.negative ? a + b : a - b;
    if (bits == 0) return false;
    *sum = real_make(large.negative, bits, large.exponent - 61);
    return true;
}

/* The value of an F16 as an F32; F16's denormals are ordinary numbers there. */
LANES_INLINE uint32_t f32_of_f16(uint32_t half) {
    const bool negative = (half & F16_SIGN) != 0;
    const uint32_t sign = negative ? F32_SIGN : 0;
    const uint32_t exponent = half >> 10 & 0x1f;
    const uint32_t fraction = half & 0x3ff;
    if (exponent == 0x1f) return fraction != 0 ? F32_NAN : sign | F32_INFINITY;
    if (exponent == 0) return fraction != 0 ? f32_round(real_make(negative, fraction, -24), ROUND_NEAREST) : sign;
    return sign | (exponent + 127 - 15) << 23 | fraction << 13;
}

#endif
