/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions from and to double precision, see double.c. */
#include "double.h"

/* Rounds x / 2^62 with exponent e (bit 62 of x is its highest) to a float of `bits` fraction bits and largest
 * exponent `top`: 23 and 255, or 10 and 31. e is biased by top / 2. */
INLINE u32 narrow(enum mode mode, int negative, s32 e, u64 x, u32 bits, s32 top) {
    const u32 sign = (u32)negative << (bits == 23 ? 31 : 15), infinite = (u32)top << bits;
    if (e >= top) {
        const int stays = mode == RZ || (mode == RM && !negative) || (mode == RP && negative);
        return sign | (infinite - (u32)stays);
    }
    if (e < 1) {
        x = shift_sticky(x, (u32)(1 - e));
        e = 1;
    }
    const u64 two = shift_sticky(x, 62 - bits - 2); /* two more bits, the last one sticky */
    const u32 m = (u32)(two >> 2), lost = ((u32)two & 2) | (((u32)two & 1) != 0);
    return sign | (((u32)(e - 1) << bits) + m + goes_up(mode, negative, m & 1, lost));
}

INLINE u32 narrow_double(enum mode mode, u64 a, u32 bits, s32 top) {
    const int negative = (s64)a < 0;
    const u32 sign = (u32)negative << (bits == 23 ? 31 : 15), infinite = (u32)top << bits;
    if (is_nan(a)) return sign | infinite | (1u << (bits - 1)) | (u32)((a & (HIDDEN - 1)) >> (52 - bits));
    if (magnitude(a) == INFINITE) return sign | infinite;
    if (exponent(a) == 0) /* below every number of the narrow type */
        return sign | goes_up(mode, negative, 0, magnitude(a) != 0);
    return narrow(mode, negative, exponent(a) - 1023 + top / 2, fraction(a) << 10, bits, top);
}

ROUTINE u32 __f64_f32_rn(u64 a) { return narrow_double(RN, a, 23, 255); }
ROUTINE u32 __f64_f32_rm(u64 a) { return narrow_double(RM, a, 23, 255); }
ROUTINE u32 __f64_f32_rp(u64 a) { return narrow_double(RP, a, 23, 255); }
ROUTINE u32 __f64_f32_rz(u64 a) { return narrow_double(RZ, a, 23, 255); }
ROUTINE u32 __f64_f16_rn(u64 a) { return narrow_double(RN, a, 10, 31); }
ROUTINE u32 __f64_f16_rm(u64 a) { return narrow_double(RM, a, 10, 31); }
ROUTINE u32 __f64_f16_rp(u64 a) { return narrow_double(RP, a, 10, 31); }
ROUTINE u32 __f64_f16_rz(u64 a) { return narrow_double(RZ, a, 10, 31); }

ROUTINE u64 __f32_f64(u32 a) {
    const u64 sign = (u64)(a >> 31) << 63;
    const u32 m = a & 0x7fffffff;
    if (m > 0x7f800000) return sign | INFINITE | QUIET | ((u64)(m & 0x7fffff) << 29);
    if (m == 0x7f800000) return sign | INFINITE;
    if (m >= 0x00800000) return sign | (((u64)m << 29) + ((u64)(1023 - 127) << 52));
    if (m == 0) return sign;
    const u32 shift = (u32)__builtin_clz(m) - 8;
    return sign | (((u64)(1023 - 127 - shift) << 52) + ((u64)(m << shift) << 29));
}

/* ---- integers to double ---- */

INLINE u64 from_u32(u64 sign, u32 x) {
    if (x == 0) return 0;
    const u32 zeros = (u32)__builtin_clz(x);
    return sign | (((u64)(1023 + 31 - 1 - zeros) << 52) + ((u64)(x << zeros) << 21));
}
ROUTINE u64 __u32_f64(u32 x) { return from_u32(0, x); }
ROUTINE u64 __s32_f64(s32 x) { return from_u32(x < 0 ? SIGN : 0, x < 0 ? 0 - (u32)x : (u32)x); }

INLINE u64 from_u64(enum mode mode, u64 sign, u64 x) {
    if (x == 0) return 0;
    const u32 zeros = zeros64(x);
    x <<= zeros;
    const u64 m = x >> 11;
    const u32 low = (u32)x & 0x7ff, lost = (low >> 10 << 1) | ((low & 0x3ff) != 0);
    const u32 up = goes_up(mode, sign != 0, (u32)m & 1, lost);
    return sign | (((u64)(1023 + 63 - 1 - zeros) << 52) + m + up);
}
INLINE u64 from_s64(enum mode mode, s64 x) { return from_u64(mode, x < 0 ? SIGN : 0, x < 0 ? 0 - (u64)x : (u64)x); }

ROUTINE u64 __u64_f64_rn(u64 x) { return from_u64(RN, 0, x); }
ROUTINE u64 __u64_f64_rm(u64 x) { return from_u64(RM, 0, x); }
ROUTINE u64 __u64_f64_rp(u64 x) { return from_u64(RP, 0, x); }
ROUTINE u64 __u64_f64_rz(u64 x) { return from_u64(RZ, 0, x); }
ROUTINE u64 __s64_f64_rn(s64 x) { return from_s64(RN, x); }
ROUTINE u64 __s64_f64_rm(s64 x) { return from_s64(RM, x); }
ROUTINE u64 __s64_f64_rp(s64 x) { return from_s64(RP, x); }
ROUTINE u64 __s64_f64_rz(s64 x) { return from_s64(RZ, x); }

/* ---- double to integers ---- */

/* Rounds a magnitude below 2^64 to an integer. */
INLINE u64 integer(enum mode mode, u64 a) {
    const s32 e = exponent(a) - 1023;
    const int negative = (s64)a < 0;
    if (e >= 52) return fraction(a) << (e - 52);
    if (e < -1) return goes_up(mode, negative, 0, magnitude(a) != 0);
    const u64 rest = fraction(a) << (11 + 1 + e); /* bit 63 is the half */
    const u64 m = e < 0 ? 0 : fraction(a) >> (52 - e);
    const u32 lost = ((u32)(rest >> 62) & 2) | ((rest << 1) != 0);
    return m + goes_up(mode, negative, (u32)m & 1, lost);
}

/* Saturates; a NaN gives the top bit alone. */
INLINE u64 to_unsigned(enum mode mode, u64 a, u32 bits) {
    const u64 most = ~0ull >> (64 - bits);
    if (is_nan(a)) return 1ull << (bits - 1);
    if (exponent(a) >= 1023 + (s32)bits) return (s64)a < 0 ? 0 : most;
    const u64 m = integer(mode, a);
    if ((s64)a < 0) return 0;
    return m > most ? most : m;
}
INLINE u64 to_signed(enum mode mode, u64 a, u32 bits) {
    const u64 most = (1ull << (bits - 1)) - 1;
    const int negative = (s64)a < 0;
    if (is_nan(a)) return most + 1;
    if (exponent(a) >= 1023 + (s32)bits - 1) return negative ? most + 1 : most;
    u64 m = integer(mode, a);
    if (!negative && m > most) m = most;
    return negative ? 0 - m : m;
}

ROUTINE s32 __f64_s32_rn(u64 a) { return (s32)to_signed(RN, a, 32); }
ROUTINE s32 __f64_s32_rm(u64 a) { return (s32)to_signed(RM, a, 32); }
ROUTINE s32 __f64_s32_rp(u64 a) { return (s32)to_signed(RP, a, 32); }
ROUTINE s32 __f64_s32_rz(u64 a) { return (s32)to_signed(RZ, a, 32); }
ROUTINE u32 __f64_u32_rn(u64 a) { return (u32)to_unsigned(RN, a, 32); }
ROUTINE u32 __f64_u32_rm(u64 a) { return (u32)to_unsigned(RM, a, 32); }
ROUTINE u32 __f64_u32_rp(u64 a) { return (u32)to_unsigned(RP, a, 32); }
ROUTINE u32 __f64_u32_rz(u64 a) { return (u32)to_unsigned(RZ, a, 32); }
ROUTINE u32 __f64_u16_rn(u64 a) { return (u32)to_unsigned(RN, a, 16); }
ROUTINE u32 __f64_u16_rm(u64 a) { return (u32)to_unsigned(RM, a, 16); }
ROUTINE u32 __f64_u16_rp(u64 a) { return (u32)to_unsigned(RP, a, 16); }
ROUTINE u32 __f64_u16_rz(u64 a) { return (u32)to_unsigned(RZ, a, 16); }
ROUTINE u32 __f64_u8_rn(u64 a) { return (u32)to_unsigned(RN, a, 8); }
ROUTINE u32 __f64_u8_rm(u64 a) { return (u32)to_unsigned(RM, a, 8); }
ROUTINE u32 __f64_u8_rp(u64 a) { return (u32)to_unsigned(RP, a, 8); }
ROUTINE u32 __f64_u8_rz(u64 a) { return (u32)to_unsigned(RZ, a, 8); }
ROUTINE s64 __f64_s64_rn(u64 a) { return (s64)to_signed(RN, a, 64); }
ROUTINE s64 __f64_s64_rm(u64 a) { return (s64)to_signed(RM, a, 64); }
ROUTINE s64 __f64_s64_rp(u64 a) { return (s64)to_signed(RP, a, 64); }
ROUTINE s64 __f64_s64_rz(u64 a) { return (s64)to_signed(RZ, a, 64); }
ROUTINE u64 __f64_u64_rn(u64 a) { return to_unsigned(RN, a, 64); }
ROUTINE u64 __f64_u64_rm(u64 a) { return to_unsigned(RM, a, 64); }
ROUTINE u64 __f64_u64_rp(u64 a) { return to_unsigned(RP, a, 64); }
ROUTINE u64 __f64_u64_rz(u64 a) { return to_unsigned(RZ, a, 64); }

/* ---- to an integral value ---- */

INLINE u64 integral(enum mode mode, u64 a) {
    const s32 e = exponent(a) - 1023;
    const u64 sign = a & SIGN;
    if (is_nan(a)) return a | QUIET;
    if (e >= 52) return a;
    if (e < 0) {
        const u32 lost = e < -1 ? magnitude(a) != 0 : 2 | ((a & (HIDDEN - 1)) != 0);
        return sign | (goes_up(mode, sign != 0, 0, lost) ? (u64)1023 << 52 : 0);
    }
    /* the last kept bit may be in the exponent, which then takes the carry */
    const u64 unit = 1ull << (52 - e), kept = a & (0 - unit), rest = a & (unit - 1);
    const u32 lost = ((rest & (unit >> 1)) != 0 ? 2 : 0) | ((rest & ((unit >> 1) - 1)) != 0);
    const u32 last = e == 0 ? 1 : (kept & unit) != 0;
    return goes_up(mode, sign != 0, last, lost) ? kept + unit : kept;
}

ROUTINE u64 __f64_f64_rn(u64 a) { return integral(RN, a); }
ROUTINE u64 __f64_f64_rm(u64 a) { return integral(RM, a); }
ROUTINE u64 __f64_f64_rp(u64 a) { return integral(RP, a); }
ROUTINE u64 __f64_f64_rz(u64 a) { return integral(RZ, a); }
