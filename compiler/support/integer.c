/* SPDX-License-Identifier: Apache-2.0 */
/* Unsigned 64-bit quotient and remainder, by float quotients that are never too large. Each step subtracts its share
 * and leaves at most 2^-19 of the dividend, so four steps are enough. For division by zero the quotient is all ones,
 * as on NVIDIA's chips, and the remainder is the dividend. */
#include "words.h"

/* Upper bound of the error of 1 / b and the product, in units of 2^-24: 2 for b's halves and their sum, 2 for the
 * reciprocal, 3 for a and the product. A unit in the last place is at least 2^-24 of the number. */
enum { UNITS = 10 };

INLINE float to_float(u64 x) { return (float)(u32)(x >> 32) * 0x1p32f + (float)(u32)x; }

/* Returns 1 / b, or slightly less. */
INLINE float reciprocal(u64 b) {
    union {
        float number;
        u32 bits;
    } x;
    __asm__("rcp.approx.ftz.f32 %0, %1;" : "=f"(x.number) : "f"(to_float(b)));
    x.bits -= UNITS;
    return x.number;
}

/* Returns the integer part. */
INLINE u64 truncated(float x) {
    const u32 high = (u32)(x * 0x1p-32f);
    return (u64)high << 32 | (u32)(x - (float)high * 0x1p32f);
}

INLINE u64 divide(u64 a, u64 b, u64 *remainder) {
    u64 q = 0, r = a;
    if (b == 0) {
        q = ~0ull;
    } else if ((a | b) >> 32 == 0) {
        q = (u32)a / (u32)b;
        r = a - (u32)q * (u32)b;
    } else {
        const float inverse = reciprocal(b);
        while (r >= b) {
            const u64 step = truncated(to_float(r) * inverse);
            const u64 taken = step != 0 ? step : 1;
            q += taken;
            r -= taken * b;
        }
    }
    *remainder = r;
    return q;
}

ROUTINE u64 __quotient64(u64 a, u64 b) {
    u64 r;
    return divide(a, b, &r);
}

ROUTINE u64 __remainder64(u64 a, u64 b) {
    u64 r;
    divide(a, b, &r);
    return r;
}
