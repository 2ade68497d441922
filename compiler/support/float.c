/* SPDX-License-Identifier: Apache-2.0 */
/* Single precision that sm_10 only approximates, correctly rounded by integers: quotient, root, fused multiply-add,
 * and conversions of 64-bit integers. Denormals are zero, as everywhere on sm_10; a NaN is 7fffffff. make_support.sh
 * compiles this file to PTX. */
#include "words.h"

enum { NOT_A_NUMBER = 0x7fffffff, INFINITE = 0x7f800000, LARGEST = 0x7f7fffff };

INLINE u32 exponent(u32 a) { return (a >> 23) & 0xff; }
INLINE u32 fraction(u32 a) { return (a & 0x7fffff) | 0x800000; }
INLINE int is_nan(u32 a) { return (a & 0x7fffffff) > INFINITE; }
INLINE int is_infinite(u32 a) { return (a & 0x7fffffff) == INFINITE; }
INLINE int is_zero(u32 a) { return exponent(a) == 0; }

/* Returns whether a magnitude with a sign is rounded up. last: its last bit; next: the next bit; rest: whether lower
 * bits are set. */
INLINE u32 goes_up(enum mode mode, u32 sign, u32 last, u32 next, u32 rest) {
    switch (mode) {
    case RN: return next & (last | rest);
    case RM: return (sign != 0) & (next | rest);
    case RP: return (sign == 0) & (next | rest);
    default: return 0;
    }
}

INLINE u32 too_large(enum mode mode, u32 sign) {
    const int stays = mode == RZ || (mode == RM && sign == 0) || (mode == RP && sign != 0);
    return sign | (stays ? LARGEST : INFINITE);
}

/* Assembles a float from 24 bits (or 2^24) and a biased exponent. */
INLINE u32 assemble(enum mode mode, u32 sign, s32 e, u32 m) {
    if (m >> 24) e++, m >>= 1;
    if (e < 1) return sign;
    if (e > 254) return too_large(mode, sign);
    return sign | ((u32)e << 23) | (m & 0x7fffff);
}

/* ---- division ---- */

INLINE u32 divide(enum mode mode, u32 a, u32 b) {
    const u32 sign = (a ^ b) & 0x80000000;
    if (is_nan(a) || is_nan(b)) return NOT_A_NUMBER;
    if (is_infinite(a)) return is_infinite(b) ? NOT_A_NUMBER : sign | INFINITE;
    if (is_infinite(b)) return sign;
    if (is_zero(b)) return is_zero(a) ? NOT_A_NUMBER : sign | INFINITE;
    if (is_zero(a)) return sign;
    u32 x = fraction(a);
    const u32 y = fraction(b);
    s32 e = (s32)exponent(a) - (s32)exponent(b) + 127;
    if (x < y) x <<= 1, e--;
    /* 25 bits of the quotient: the first is 1, then eight at a time */
    u32 r = x - y, q = 1;
    for (int i = 0; i < 3; i++) {
        r <<= 8;
        const u32 digit = r / y;
        q = (q << 8) | digit;
        r -= digit * y;
    }
    const u32 m = q >> 1;
    return assemble(mode, sign, e, m + goes_up(mode, sign, m & 1, q & 1, r != 0));
}

ROUTINE u32 __div_rn(u32 a, u32 b) { return divide(RN, a, b); }
ROUTINE u32 __div_rm(u32 a, u32 b) { return divide(RM, a, b); }
ROUTINE u32 __div_rp(u32 a, u32 b) { return divide(RP, a, b); }
ROUTINE u32 __div_rz(u32 a, u32 b) { return divide(RZ, a, b); }

/* ---- root ---- */

INLINE u32 root(enum mode mode, u32 a) {
    if (is_nan(a)) return NOT_A_NUMBER;
    if (is_zero(a)) return a & 0x80000000;
    if (a >> 31) return NOT_A_NUMBER;
    if (is_infinite(a)) return a;
    /* m * 2^(e - 150) with an even exponent; 25 bits of the root of m * 2^26 or 2^27 */
    const u32 e = exponent(a), odd = ~e & 1;
    const u64 m = (u64)fraction(a) << (25 + odd);
    u32 q = 0, step = 1u << 24;
    u64 rest = m;
    /* bit by bit: (q + s)^2 - q^2 = s * (2 q + s) */
    for (u32 bit = 25; bit-- > 0;) {
        const u64 more = (u64)(2 * q + step) << bit;
        if (rest >= more) {
            rest -= more;
            q += step;
        }
        step >>= 1;
    }
    const u32 n = q >> 1;
    return assemble(mode, 0, (s32)((e + 127 - odd) >> 1), n + goes_up(mode, 0, n & 1, q & 1, rest != 0));
}

ROUTINE u32 __sqrt_rn(u32 a) { return root(RN, a); }
ROUTINE u32 __sqrt_rm(u32 a) { return root(RM, a); }
ROUTINE u32 __sqrt_rp(u32 a) { return root(RP, a); }
ROUTINE u32 __sqrt_rz(u32 a) { return root(RZ, a); }

/* ---- fused multiply-add ---- */

/* Rounds x / 2^62 at exponent e, where bit 62 is the highest; x is not 0 and is normalised here. */
INLINE u32 round64(enum mode mode, u32 sign, s32 e, u64 x) {
    const s32 shift = (s32)zeros64(x) - 1;
    x <<= shift;
    e -= shift;
    const u32 m = (u32)(x >> 39), next = (u32)(x >> 38) & 1;
    const u32 rest = (x & ((1ull << 38) - 1)) != 0;
    return assemble(mode, sign, e, m + goes_up(mode, sign, m & 1, next, rest));
}

INLINE u32 fused(enum mode mode, u32 a, u32 b, u32 c) {
    const u32 sp = (a ^ b) & 0x80000000, sc = c & 0x80000000;
    if (is_nan(a) || is_nan(b) || is_nan(c)) return NOT_A_NUMBER;
    if (is_infinite(a) || is_infinite(b)) {
        if (is_zero(a) || is_zero(b) || (is_infinite(c) && sp != sc)) return NOT_A_NUMBER;
        return sp | INFINITE;
    }
    if (is_infinite(c)) return c;
    const u32 zero = sp == sc ? sp : mode == RM ? 0x80000000 : 0;
    const int no_product = is_zero(a) || is_zero(b);
    if (is_zero(c) && no_product) return zero;
    if (no_product) return c;
    u64 x = (u64)fraction(a) * fraction(b) << 14; /* below 2^62 */
    s32 e = (s32)(exponent(a) + exponent(b)) - 127 + 2;
    if (is_zero(c)) return round64(mode, sp, e, x);
    u64 y = (u64)fraction(c) << 37;
    const s32 distance = e - ((s32)exponent(c) + 2);
    if (distance >= 0) {
        y = shift_sticky(y, (u32)distance);
    } else {
        x = shift_sticky(x, (u32)-distance);
        e -= distance;
    }
    if (sp == sc) return round64(mode, sp, e, x + y);
    if (x == y) return zero;
    return x > y ? round64(mode, sp, e, x - y) : round64(mode, sc, e, y - x);
}

ROUTINE u32 __fma_rn(u32 a, u32 b, u32 c) { return fused(RN, a, b, c); }
ROUTINE u32 __fma_rm(u32 a, u32 b, u32 c) { return fused(RM, a, b, c); }
ROUTINE u32 __fma_rp(u32 a, u32 b, u32 c) { return fused(RP, a, b, c); }
ROUTINE u32 __fma_rz(u32 a, u32 b, u32 c) { return fused(RZ, a, b, c); }

/* ---- 64-bit integers ---- */

INLINE u32 from_u64(enum mode mode, u32 sign, u64 x) {
    if (x == 0) return 0;
    const u32 zeros = zeros64(x);
    x <<= zeros;
    const u32 m = (u32)(x >> 40), next = (u32)(x >> 39) & 1;
    const u32 rest = (x & ((1ull << 39) - 1)) != 0;
    return assemble(mode, sign, 127 + 63 - (s32)zeros, m + goes_up(mode, sign, m & 1, next, rest));
}
INLINE u32 from_s64(enum mode mode, s64 x) {
    return from_u64(mode, x < 0 ? 0x80000000 : 0, x < 0 ? 0 - (u64)x : (u64)x);
}

ROUTINE u32 __u64_f32_rn(u64 x) { return from_u64(RN, 0, x); }
ROUTINE u32 __u64_f32_rm(u64 x) { return from_u64(RM, 0, x); }
ROUTINE u32 __u64_f32_rp(u64 x) { return from_u64(RP, 0, x); }
ROUTINE u32 __u64_f32_rz(u64 x) { return from_u64(RZ, 0, x); }
ROUTINE u32 __s64_f32_rn(s64 x) { return from_s64(RN, x); }
ROUTINE u32 __s64_f32_rm(s64 x) { return from_s64(RM, x); }
ROUTINE u32 __s64_f32_rp(s64 x) { return from_s64(RP, x); }
ROUTINE u32 __s64_f32_rz(s64 x) { return from_s64(RZ, x); }

/* Returns the magnitude of an integral value. */
INLINE u64 magnitude(u32 a) {
    const u32 e = exponent(a);
    if (e < 127) return 0;
    return e >= 150 ? (u64)fraction(a) << (e - 150) : fraction(a) >> (150 - e);
}
ROUTINE u64 __f32_u64(u32 a) {
    if (is_nan(a)) return 1ull << 63; /* PTX ISA, cvt */
    if (a >> 31) return 0;
    return exponent(a) >= 127 + 64 ? ~0ull : magnitude(a);
}
ROUTINE s64 __f32_s64(u32 a) {
    if (is_nan(a)) return (s64)(1ull << 63);
    if (exponent(a) >= 127 + 63) return a >> 31 ? (s64)(1ull << 63) : (s64)(~0ull >> 1);
    const u64 m = magnitude(a);
    return (s64)(a >> 31 ? 0 - m : m);
}
