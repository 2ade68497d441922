/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by double.c and double_convert.c. */
#ifndef WARPSTEP_CC_SUPPORT_DOUBLE_H
#define WARPSTEP_CC_SUPPORT_DOUBLE_H

#include "words.h"

#define SIGN     0x8000000000000000ull
#define INFINITE 0x7ff0000000000000ull
#define HIDDEN   0x0010000000000000ull
#define QUIET    0x0008000000000000ull

INLINE u64 magnitude(u64 a) { return a & ~SIGN; }
INLINE u64 sign_of(u64 a) { return a & SIGN; }
INLINE int is_negative(u64 a) { return (s64)a < 0; }
INLINE int is_nan(u64 a) { return magnitude(a) > INFINITE; }
INLINE int is_infinite(u64 a) { return magnitude(a) == INFINITE; }
INLINE int is_zero(u64 a) { return magnitude(a) == 0; }
INLINE s32 exponent(u64 a) { return (s32)((u32)(a >> 52) & 0x7ff); }
INLINE u64 fraction(u64 a) { return (a & (HIDDEN - 1)) | (exponent(a) != 0 ? HIDDEN : 0); }

/* Returns whether a magnitude is rounded up. last: its last bit; lost: 2 if the half bit was lost, plus 1 if lower
 * bits were. */
INLINE u32 goes_up(enum mode mode, int negative, u32 last, u32 lost) {
    switch (mode) {
    case RN: return (lost + last) > 2;
    case RM: return negative && lost != 0;
    case RP: return !negative && lost != 0;
    default: return 0;
    }
}

#endif
