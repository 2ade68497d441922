/* SPDX-License-Identifier: Apache-2.0 */
/* Double precision by integers, correctly rounded, with denormals. The compiler calls these routines for .f64; the
 * test compiles the same text for the host. A double is its 64 bits, a single its 32. The first NaN operand is the
 * result, made quiet; a new NaN is fff8000000000000. No loop takes 64 steps. make_support.sh compiles this file to
 * PTX. */
#include "double.h"

#define INDEFINITE 0xfff8000000000000ull

/* ---- pieces ---- */

INLINE int is_special(u64 a) { return (~(u32)(a >> 32) & 0x7ff00000) == 0; }
INLINE u64 product32(u32 a, u32 b) { return (u64)a * b; }

/* Returns the first operand that is a NaN, made quiet. */
INLINE u64 first_nan(u64 a, u64 b) { return (is_nan(a) ? a : b) | QUIET; }

/* A finite number, not 0: bit 52 of m is set, e may be out of range. */
struct number {
    s32 e;
    u64 m;
};
INLINE struct number normal(u64 a) {
    struct number n = {exponent(a), (a & (HIDDEN - 1)) | HIDDEN};
    if (n.e == 0) {
        const u32 shift = zeros64(magnitude(a)) - 11;
        n.m = magnitude(a) << shift;
        n.e = 1 - (s32)shift;
    }
    return n;
}

/* ---- rounding ---- */

INLINE u64 too_large(enum mode mode, u64 sign) {
    const int stays = mode == RZ || (mode == RM && sign == 0) || (mode == RP && sign != 0);
    return sign | (INFINITE - (u64)stays);
}

/* Rounds x / 2^62 at exponent e; bit 62 of x is its highest. */
INLINE u64 round_normal(enum mode mode, u64 sign, s32 e, u64 x) {
    if (e > 2046) return too_large(mode, sign);
    if (e < 1) {
        x = shift_sticky(x, (u32)(1 - e));
        e = 1;
    }
    const u32 low = (u32)x & 0x3ff;
    const u64 m = x >> 10;
    const u32 lost = (low >> 9 << 1) | ((low & 0x1ff) != 0);
    const u32 up = goes_up(mode, sign != 0, (u32)m & 1, lost);
    return sign | (((u64)(u32)(e - 1) << 52) + m + up);
}

/* Rounds x / 2^62 at exponent e; x is not 0, and below 2^63. */
INLINE u64 round_any(enum mode mode, u64 sign, s32 e, u64 x) {
    const u32 shift = zeros64(x) - 1;
    return round_normal(mode, sign, e - (s32)shift, x << shift);
}

/* ---- sum ---- */

INLINE u64 sum_special(u64 a, u64 b) {
    if (is_nan(a) || is_nan(b)) return first_nan(a, b);
    if (is_infinite(a)) return is_infinite(b) && a != b ? INDEFINITE : a;
    return b;
}

INLINE u64 sum(enum mode mode, u64 a, u64 b) {
    if (is_special(a) || is_special(b)) return sum_special(a, b);
    if (magnitude(a) < magnitude(b)) {
        const u64 t = a;
        a = b;
        b = t;
    }
    s32 ea = exponent(a), eb = exponent(b);
    const u64 x = fraction(a) << 9;
    u64 y = fraction(b) << 9;
    ea += ea == 0;
    eb += eb == 0;
    y = shift_sticky(y, (u32)(ea - eb));
    const u64 z = sign_of(a ^ b) != 0 ? x - y : x + y;
    if (z == 0) return sign_of(a ^ b) == 0 ? sign_of(a) : mode == RM ? SIGN : 0;
    return round_any(mode, sign_of(a), ea + 1, z);
}

ROUTINE u64 __add64(u64 a, u64 b) { return sum(RN, a, b); }
ROUTINE u64 __sub64(u64 a, u64 b) { return __add64(a, is_nan(b) ? b : b ^ SIGN); }

/* ---- product ---- */

/* Returns the upper 64 bits of a product; the last bit is set if a lower one is. */
INLINE u64 product_high(u64 x, u64 y) {
    const u32 x0 = (u32)x, x1 = (u32)(x >> 32), y0 = (u32)y, y1 = (u32)(y >> 32);
    const u64 low = product32(x0, y0), a = product32(x1, y0), b = product32(x0, y1);
    const u64 middle = (low >> 32) + (u32)a + (u32)b;
    const u64 high = product32(x1, y1) + (a >> 32) + (b >> 32) + (middle >> 32);
    return high | (((u32)low | (u32)middle) != 0);
}

INLINE u64 product_special(u64 a, u64 b) {
    const u64 sign = sign_of(a ^ b);
    if (is_nan(a) || is_nan(b)) return first_nan(a, b);
    if (is_infinite(a) || is_infinite(b)) return is_zero(a) || is_zero(b) ? INDEFINITE : sign | INFINITE;
    return sign;
}

INLINE u64 product(enum mode mode, u64 a, u64 b) {
    if (is_special(a) || is_special(b) || is_zero(a) || is_zero(b)) return product_special(a, b);
    const struct number x = normal(a), y = normal(b);
    return round_any(mode, sign_of(a ^ b), x.e + y.e - 1023 + 1, product_high(x.m << 10, y.m << 11));
}

ROUTINE u64 __mul64(u64 a, u64 b) { return product(RN, a, b); }

/* ---- quotient ---- */

/* Returns slightly less than 2^84 / y, for y in [2^52, 2^53): 16 bits by a division, the rest by Newton's method,
 * both from below. */
INLINE u32 reciprocal32(u64 y) {
    const u32 d = (u32)(y >> 21);
    const u32 v = 0xffffffffu / ((d >> 16) + 1);
    const u64 error = (1ull << 48) - product32(d, v) - v; /* remainder for v (d + 1), below 2^34 */
    return (v << 15) + (u32)(product32((u32)(error >> 3), v) >> 30);
}

/* Returns 28 bits of *r / y. An estimate that is some units too small is corrected. *r < y becomes the remainder,
 * times 2^28. */
INLINE u32 digit28(u64 *r, u64 y, u32 v) {
    u32 q = (u32)(product32((u32)(*r >> 21), v) >> 35);
    u64 rest = (*r << 28) - (product32((u32)y, q) + ((u64)((u32)(y >> 32) * q) << 32));
    while (rest >= y) {
        rest -= y;
        q++;
    }
    *r = rest;
    return q;
}

INLINE u64 quotient_special(u64 a, u64 b) {
    const u64 sign = sign_of(a ^ b);
    if (is_nan(a) || is_nan(b)) return first_nan(a, b);
    if (is_infinite(a)) return is_infinite(b) ? INDEFINITE : sign | INFINITE;
    if (is_infinite(b)) return sign;
    if (is_zero(b)) return is_zero(a) ? INDEFINITE : sign | INFINITE;
    return sign;
}

INLINE u64 quotient(enum mode mode, u64 a, u64 b) {
    if (is_special(a) || is_special(b) || is_zero(a) || is_zero(b)) return quotient_special(a, b);
    const struct number x = normal(a), y = normal(b);
    s32 e = x.e - y.e + 1023;
    u64 r = x.m;
    if (r < y.m) r <<= 1, e--;
    /* 57 bits of the quotient; the first is 1 */
    r -= y.m;
    const u32 v = reciprocal32(y.m);
    const u32 first = digit28(&r, y.m, v);
    const u32 second = digit28(&r, y.m, v);
    const u64 q = (1ull << 56) | ((u64)first << 28) | second;
    return round_normal(mode, sign_of(a ^ b), e, (q << 6) | (r != 0));
}

ROUTINE u64 __div64(u64 a, u64 b) { return quotient(RN, a, b); }

/* ---- root ---- */

/* Returns the 16-bit root of x >= 2^30. */
INLINE u32 root16(u32 x) {
    u32 root = 0;
    for (u32 bit = 1u << 30; bit != 0; bit >>= 2) {
        const u32 more = root + bit;
        root >>= 1;
        if (x >= more) {
            x -= more;
            root += bit;
        }
    }
    return root;
}

/* Returns the 32-bit root of n >= 2^62, and in *rest n minus its square. The lower 16 bits come from a division,
 * which may be one too large. */
INLINE u32 root32(u64 n, u64 *rest) {
    const u32 high = (u32)(n >> 32), half = root16(high);
    u32 q = (((high - half * half) << 15) | ((u32)(n >> 17) & 0x7fff)) / half;
    if (q > 0xffff) q = 0xffff;
    u32 s = (half << 16) | q;
    s64 r = (s64)(n - product32(s, s));
    if (r < 0) {
        s--;
        r += 2 * (s64)s + 1;
    }
    *rest = (u64)r;
    return s;
}

INLINE u64 root(enum mode mode, u64 a) {
    if (is_nan(a)) return a | QUIET;
    if (is_zero(a) || a == INFINITE) return a;
    if (is_negative(a)) return INDEFINITE;
    const struct number x = normal(a);
    const u32 odd = ~(u32)x.e & 1;
    u64 r;
    const u32 s = root32(x.m << (10 + odd), &r);
    /* 28 bits more: (s 2^28 + q)^2 is below n 2^56; 2 s q is subtracted with the digit */
    const u64 y = (u64)s << 21;
    u64 t = r << 20;
    const u64 q = digit28(&t, y, reciprocal32(y));
    u64 z = ((u64)s << 28) + q;
    s64 rest = (s64)(((t >> 20) << 28) - q * q);
    while (rest < 0) {
        z--;
        rest += 2 * (s64)z + 1;
    }
    return round_normal(mode, 0, (x.e + 1023 - (s32)odd) >> 1, (z << 3) | (rest != 0));
}

ROUTINE u64 __sqrt64(u64 a) { return root(RN, a); }

/* ---- fused multiply-add ---- */

struct wide {
    u64 high, low;
};

INLINE struct wide product128(u64 x, u64 y) {
    const u32 x0 = (u32)x, x1 = (u32)(x >> 32), y0 = (u32)y, y1 = (u32)(y >> 32);
    const u64 low = product32(x0, y0), a = product32(x1, y0), b = product32(x0, y1);
    const u64 middle = (low >> 32) + (u32)a + (u32)b;
    const struct wide z = {product32(x1, y1) + (a >> 32) + (b >> 32) + (middle >> 32), (middle << 32) | (u32)low};
    return z;
}

INLINE struct wide shift128_sticky(struct wide x, u32 n) {
    const u32 within = n & 63;
    if (n > 127) {
        const struct wide none = {0, (x.high | x.low) != 0};
        return none;
    }
    if (n > 63) {
        x.low = x.high | (x.low != 0);
        x.high = 0;
    }
    if (within == 0) return x;
    const struct wide z = {x.high >> within,
                           (x.high << (64 - within)) | (x.low >> within) | ((x.low << (64 - within)) != 0)};
    return z;
}

/* Returns the larger magnitude minus the smaller, and whether y was larger. */
INLINE struct wide difference(struct wide x, struct wide y, int *swapped) {
    *swapped = x.high < y.high || (x.high == y.high && x.low < y.low);
    const struct wide a = *swapped ? y : x, b = *swapped ? x : y;
    const struct wide z = {a.high - b.high - (a.low < b.low), a.low - b.low};
    return z;
}

/* Rounds x; bit 126 is 1.0 at exponent e. */
INLINE u64 round128(enum mode mode, u64 sign, s32 e, struct wide x) {
    if (x.high == 0) {
        x.high = x.low >> 1;
        x.low <<= 63;
        e -= 63;
    }
    if (x.high == 0) {
        x.high = x.low >> 1;
        x.low = 0;
        e -= 63;
    }
    const u32 shift = zeros64(x.high) - 1;
    if (shift != 0) {
        x.high = (x.high << shift) | (x.low >> (64 - shift));
        x.low <<= shift;
    }
    return round_normal(mode, sign, e - (s32)shift, x.high | (x.low != 0));
}

INLINE u64 fused_special(u64 a, u64 b, u64 c) {
    if (is_nan(a) || is_nan(b)) return first_nan(a, b);
    if (is_nan(c)) return c | QUIET;
    if (!is_infinite(a) && !is_infinite(b)) return c;
    const u64 sign = sign_of(a ^ b);
    if (is_zero(a) || is_zero(b) || (is_infinite(c) && sign_of(c) != sign)) return INDEFINITE;
    return sign | INFINITE;
}

INLINE u64 fused(enum mode mode, u64 a, u64 b, u64 c) {
    if (is_special(a) || is_special(b) || is_special(c)) return fused_special(a, b, c);
    const u64 sign = sign_of(a ^ b), zero = sign == sign_of(c) ? sign : mode == RM ? SIGN : 0;
    if (is_zero(a) || is_zero(b)) return is_zero(c) ? zero : c;
    const struct number x = normal(a), y = normal(b);
    struct wide p = product128(x.m << 10, y.m << 10); /* the highest bit is 124 or 125 */
    s32 e = x.e + y.e - 1023;
    if (is_zero(c)) return round128(mode, sign, e + 2, p);
    const struct number z = normal(c);
    struct wide w = {z.m << 8, 0};
    const s32 distance = e - z.e;
    if (distance >= 0) {
        w = shift128_sticky(w, (u32)distance);
    } else {
        p = shift128_sticky(p, (u32)-distance);
        e = z.e;
    }
    if (sign == sign_of(c)) {
        const u64 low = p.low + w.low;
        const struct wide total = {p.high + w.high + (low < w.low), low};
        return round128(mode, sign, e + 2, total);
    }
    int swapped;
    const struct wide rest = difference(p, w, &swapped);
    if ((rest.high | rest.low) == 0) return zero;
    return round128(mode, swapped ? sign_of(c) : sign, e + 2, rest);
}

ROUTINE u64 __fma64(u64 a, u64 b, u64 c) { return fused(RN, a, b, c); }

/* ---- order ---- */

/* Maps numbers to integers in the same order; both zeros map to 0. */
INLINE s64 rank(u64 a) { return is_negative(a) ? -(s64)magnitude(a) : (s64)a; }
INLINE int unordered(u64 a, u64 b) { return is_nan(a) | is_nan(b); }

ROUTINE int __nan64(u64 a, u64 b) { return unordered(a, b); }
ROUTINE int __num64(u64 a, u64 b) { return !unordered(a, b); }
ROUTINE int __eq64(u64 a, u64 b) { return !unordered(a, b) & (rank(a) == rank(b)); }
ROUTINE int __ne64(u64 a, u64 b) { return !unordered(a, b) & (rank(a) != rank(b)); }
ROUTINE int __lt64(u64 a, u64 b) { return !unordered(a, b) & (rank(a) < rank(b)); }
ROUTINE int __le64(u64 a, u64 b) { return !unordered(a, b) & (rank(a) <= rank(b)); }
ROUTINE int __gt64(u64 a, u64 b) { return !unordered(a, b) & (rank(a) > rank(b)); }
ROUTINE int __ge64(u64 a, u64 b) { return !unordered(a, b) & (rank(a) >= rank(b)); }
ROUTINE int __equ64(u64 a, u64 b) { return unordered(a, b) | (rank(a) == rank(b)); }
ROUTINE int __neu64(u64 a, u64 b) { return unordered(a, b) | (rank(a) != rank(b)); }
ROUTINE int __ltu64(u64 a, u64 b) { return unordered(a, b) | (rank(a) < rank(b)); }
ROUTINE int __leu64(u64 a, u64 b) { return unordered(a, b) | (rank(a) <= rank(b)); }
ROUTINE int __gtu64(u64 a, u64 b) { return unordered(a, b) | (rank(a) > rank(b)); }
ROUTINE int __geu64(u64 a, u64 b) { return unordered(a, b) | (rank(a) >= rank(b)); }

/* Returns the smaller or larger operand. A number wins over a NaN; -0 is below +0. */
INLINE u64 select(u64 a, u64 b, int smaller) {
    if (is_nan(a)) return is_nan(b) ? a | QUIET : b;
    if (is_nan(b)) return a;
    const s64 x = is_negative(a) ? (s64)(a ^ ~SIGN) : (s64)a, y = is_negative(b) ? (s64)(b ^ ~SIGN) : (s64)b;
    return (x < y) == smaller ? a : b;
}
ROUTINE u64 __min64(u64 a, u64 b) { return select(a, b, 1); }
ROUTINE u64 __max64(u64 a, u64 b) { return select(a, b, 0); }
