/* SPDX-License-Identifier: Apache-2.0 */
/* Types, rounding modes and shifts of the device routines. */
#ifndef WARPSTEP_CC_SUPPORT_WORDS_H
#define WARPSTEP_CC_SUPPORT_WORDS_H

typedef unsigned int u32;
typedef unsigned long long u64;
typedef int s32;
typedef long long s64;

enum mode { RN, RM, RP, RZ };

#define INLINE static inline __attribute__((always_inline))
#ifndef ROUTINE
#define ROUTINE extern __attribute__((noinline, used))
#endif

INLINE u32 zeros64(u64 x) {
    const u32 high = (u32)(x >> 32);
    return high != 0 ? (u32)__builtin_clz(high) : 32 + (u32)__builtin_clz((u32)x);
}

/* Shifts right; the last bit is set if a lost bit is. */
INLINE u64 shift_sticky(u64 x, u32 n) {
    if (n == 0) return x;
    if (n > 63) return x != 0;
    return (x >> n) | ((x << (64 - n)) != 0);
}

#endif
