/* SPDX-License-Identifier: Apache-2.0 */
/* The routines of double precision against the doubles of this machine, bit by bit: numbers of every kind in every
 * pair, then random ones. Two NaNs are equal. */
#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define ROUTINE_TO static __attribute__((noinline))
#include "../support/double_modes.c" /* first: the others are inline then */

#include "../support/double_convert.c"

enum { RANDOM = 300000 };

static const int MODES[] = {[RN] = FE_TONEAREST, [RM] = FE_DOWNWARD, [RP] = FE_UPWARD, [RZ] = FE_TOWARDZERO};

static double number_of(u64 a) {
    double d;
    memcpy(&d, &a, sizeof d);
    return d;
}
static u64 bits_of(double d) {
    u64 a;
    memcpy(&a, &d, sizeof a);
    return a;
}
static u32 single_bits(float f) {
    u32 a;
    memcpy(&a, &f, sizeof a);
    return a;
}

/* ---- numbers ---- */

static u64 random64(u64 *state) {
    u64 z = *state += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

/* Exponents near 1.0, small, large or any; fractions of few bits, of long runs, or any. */
static u64 draw(u64 *state) {
    const u64 shape = random64(state);
    u64 exponent_bits = random64(state) & 0x7ff, bits = random64(state);
    switch (shape & 7) {
    case 0: exponent_bits = 0; break;
    case 1: exponent_bits = 1 + (exponent_bits & 63); break;
    case 2: exponent_bits = 0x7fe - (exponent_bits & 63); break;
    case 3:
    case 4:
    case 5: exponent_bits = 1023 - 64 + (exponent_bits & 127); break;
    default: break;
    }
    switch (shape >> 3 & 3) {
    case 0:
        for (unsigned i = 0; i < 3; i++) bits &= random64(state);
        break;
    case 1: bits = (bits & 1 ? ~0ull : 0) << (bits >> 1 & 63) ^ (1ull << (bits >> 8 & 63)); break;
    case 2: bits &= ~0ull << (bits >> 2 & 63); break;
    default: break;
    }
    return (shape & SIGN) | exponent_bits << 52 | (bits & (HIDDEN - 1));
}

static const u64 CORNERS[] = {
    0,
    1,
    2,
    3,
    0x0007ffffffffffffull,
    0x0008000000000000ull,
    0x000fffffffffffffull,
    0x0010000000000000ull,
    0x0010000000000001ull,
    0x001fffffffffffffull,
    0x0020000000000000ull,
    0x0340000000000000ull,
    0x1ff0000000000000ull,
    0x3690000000000000ull,
    0x36a0000000000001ull,
    0x380fffffe0000000ull,
    0x380fffffffffffffull,
    0x3810000000000000ull,
    0x3ca0000000000000ull,
    0x3cb0000000000000ull,
    0x3e6fffffffffffffull,
    0x3f0fffffffffffffull,
    0x3fdfffffffffffffull,
    0x3fe0000000000000ull,
    0x3fe0000000000001ull,
    0x3fefffffffffffffull,
    0x3ff0000000000000ull,
    0x3ff0000000000001ull,
    0x3ff8000000000000ull,
    0x3fffffffffffffffull,
    0x4000000000000000ull,
    0x4004000000000000ull,
    0x4008000000000000ull,
    0x400c000000000000ull,
    0x40effffffffffffeull,
    0x41dfffffffc00000ull,
    0x41dfffffffe00000ull,
    0x41e0000000000000ull,
    0x41efffffffe00000ull,
    0x41effffffff00000ull,
    0x41f0000000000000ull,
    0x432fffffffffffffull,
    0x4330000000000001ull,
    0x433fffffffffffffull,
    0x4340000000000000ull,
    0x43dfffffffffffffull,
    0x43e0000000000000ull,
    0x43efffffffffffffull,
    0x43f0000000000000ull,
    0x47efffffe0000000ull,
    0x47effffff0000000ull,
    0x47efffffefffffffull,
    0x5ff0000000000000ull,
    0x7fe0000000000000ull,
    0x7fefffffffffffffull,
    0x7ff0000000000000ull,
    0x7ff8000000000000ull,
    0x7ff0000000000001ull,
};
enum { CORNER_COUNT = 2 * sizeof CORNERS / sizeof *CORNERS };

static u64 corner(size_t i) { return CORNERS[i / 2] | (i & 1 ? SIGN : 0); }

/* ---- checks ---- */

static void same(const char *what, u64 a, u64 b, u64 c, double wanted, u64 found) {
    if (isnan(wanted) ? is_nan(found) : bits_of(wanted) == found) return;
    fail_msg("%s of %016llx, %016llx, %016llx is %016llx, not %016llx", what, a, b, c, found, bits_of(wanted));
}
static void same_integer(const char *what, u64 a, u64 b, u64 wanted, u64 found) {
    if (wanted != found) fail_msg("%s of %016llx, %016llx is %016llx, not %016llx", what, a, b, found, wanted);
}

static void same_flag(const char *what, u64 a, u64 b, int wanted, int found) {
    if (wanted != found) fail_msg("%s of %016llx, %016llx is %d", what, a, b, found);
}

static void check_pair(u64 a, u64 b) {
    const volatile double x = number_of(a), y = number_of(b);
    same("sum", a, b, 0, x + y, __add64(a, b));
    same("difference", a, b, 0, x - y, __sub64(a, b));
    same("product", a, b, 0, x * y, __mul64(a, b));
    same("quotient", a, b, 0, x / y, __div64(a, b));
    const int open = isnan(x) || isnan(y);
    same_flag("eq", a, b, x == y, __eq64(a, b));
    same_flag("ne", a, b, !open && x != y, __ne64(a, b));
    same_flag("lt", a, b, isless(x, y), __lt64(a, b));
    same_flag("le", a, b, islessequal(x, y), __le64(a, b));
    same_flag("gt", a, b, isgreater(x, y), __gt64(a, b));
    same_flag("ge", a, b, isgreaterequal(x, y), __ge64(a, b));
    same_flag("equ", a, b, open || x == y, __equ64(a, b));
    same_flag("neu", a, b, x != y, __neu64(a, b));
    same_flag("ltu", a, b, open || x < y, __ltu64(a, b));
    same_flag("leu", a, b, open || x <= y, __leu64(a, b));
    same_flag("gtu", a, b, open || x > y, __gtu64(a, b));
    same_flag("geu", a, b, open || x >= y, __geu64(a, b));
    same_flag("num", a, b, !open, __num64(a, b));
    same_flag("nan", a, b, open, __nan64(a, b));
    if (x != 0 || y != 0) { /* C leaves the sign of zero and signalling NaNs unspecified */
        same("minimum", a, b, 0, isnan(x) ? y : isnan(y) ? x : fmin(x, y), __min64(a, b));
        same("maximum", a, b, 0, isnan(x) ? y : isnan(y) ? x : fmax(x, y), __max64(a, b));
    }
}

static void check_fused(u64 a, u64 b, u64 c) {
    const volatile double x = number_of(a), y = number_of(b), z = number_of(c);
    same("fma", a, b, c, fma(x, y, z), __fma64(a, b, c));
}

/* Checks all rounding modes; c is the addend of fma. */
static void check_rounded(u64 a, u64 b, u64 c) {
    const volatile double x = number_of(a), y = number_of(b), z = number_of(c);
    for (enum mode m = RN; m <= RZ; m++) {
        fesetround(MODES[m]);
        const volatile double total = x + y, rest = x - y, all = x * y, part = x / y, side = sqrt(x),
                              one = fma(x, y, z);
        fesetround(FE_TONEAREST);
        same("rounded sum", a, b, m, total, __add64_to(m, a, b));
        same("rounded difference", a, b, m, rest, __sub64_to(m, a, b));
        same("rounded product", a, b, m, all, __mul64_to(m, a, b));
        same("rounded quotient", a, b, m, part, __div64_to(m, a, b));
        same("rounded root", a, m, 0, side, __sqrt64_to(m, a));
        same("rounded fma", a, b, c, one, __fma64_to(m, a, b, c));
    }
}

static void test_pairs_of_corners(void **state) {
    (void)state;
    for (size_t i = 0; i < CORNER_COUNT; i++)
        for (size_t k = 0; k < CORNER_COUNT; k++) {
            check_pair(corner(i), corner(k));
            check_rounded(corner(i), corner(k), corner((i * 31 + k) % CORNER_COUNT));
            for (size_t n = 0; n < CORNER_COUNT; n++) check_fused(corner(i), corner(k), corner(n));
        }
}

static void test_random_pairs(void **state) {
    (void)state;
    u64 seed = 1;
    for (int i = 0; i < RANDOM; i++) {
        const u64 a = draw(&seed), b = draw(&seed);
        check_pair(a, b);
        check_pair(a, a ^ (b & 0x8000000000000007ull)); /* near each other: cancellation, quotients near 1 */
    }
}

static void test_random_fused(void **state) {
    (void)state;
    u64 seed = 2;
    for (int i = 0; i < RANDOM; i++) {
        const u64 a = draw(&seed), b = draw(&seed), c = draw(&seed);
        check_fused(a, b, c);
        const u64 near = bits_of(-(number_of(a) * number_of(b)));
        check_fused(a, b, near ^ (c & 3));
        check_fused(a, b, near ^ (c & 0x01f0000000000001ull));
    }
}

static void test_roundings(void **state) {
    (void)state;
    u64 seed = 5;
    for (int i = 0; i < RANDOM / 4; i++) {
        const u64 a = draw(&seed), b = draw(&seed), c = draw(&seed);
        check_rounded(a, b, c);
        check_rounded(magnitude(a), a ^ (c & 0x8000000000000007ull), bits_of(-(number_of(a) * number_of(b))) ^ (c & 3));
    }
}

static void test_zeros(void **state) {
    (void)state;
    const u64 minus = SIGN;
    assert_true(__min64(0, minus) == minus && __min64(minus, 0) == minus);
    assert_true(__max64(0, minus) == 0 && __max64(minus, 0) == 0);
}

static void check_root(u64 a) { same("root", a, 0, 0, sqrt(number_of(a)), __sqrt64(a)); }

static void test_roots(void **state) {
    (void)state;
    u64 seed = 3;
    for (size_t i = 0; i < CORNER_COUNT; i++) check_root(corner(i));
    for (int i = 0; i < RANDOM; i++) {
        const u64 a = draw(&seed);
        check_root(a);
        check_root(magnitude(a));
        const double exact = number_of(a & 0xfffffffff8000000ull); /* its square has at most 53 bits */
        check_root(bits_of(exact * exact));
        check_root(bits_of(exact * exact) - 1);
        check_root(bits_of(exact * exact) + 1);
    }
}

/* ---- conversions ---- */

typedef u32 to_single(u64);
typedef s32 to_signed_word(u64);
typedef u32 to_unsigned_word(u64);
typedef s64 to_signed_long(u64);
typedef u64 to_long(u64);
typedef u64 from_signed(s64);

static to_single *const TO_F32[] = {__f64_f32_rn, __f64_f32_rm, __f64_f32_rp, __f64_f32_rz};
static to_single *const TO_F16[] = {__f64_f16_rn, __f64_f16_rm, __f64_f16_rp, __f64_f16_rz};
static to_signed_word *const TO_S32[] = {__f64_s32_rn, __f64_s32_rm, __f64_s32_rp, __f64_s32_rz};
static to_unsigned_word *const TO_U32[] = {__f64_u32_rn, __f64_u32_rm, __f64_u32_rp, __f64_u32_rz};
static to_unsigned_word *const TO_U16[] = {__f64_u16_rn, __f64_u16_rm, __f64_u16_rp, __f64_u16_rz};
static to_unsigned_word *const TO_U8[] = {__f64_u8_rn, __f64_u8_rm, __f64_u8_rp, __f64_u8_rz};
static to_signed_long *const TO_S64[] = {__f64_s64_rn, __f64_s64_rm, __f64_s64_rp, __f64_s64_rz};
static to_long *const TO_U64[] = {__f64_u64_rn, __f64_u64_rm, __f64_u64_rp, __f64_u64_rz};
static to_long *const TO_F64[] = {__f64_f64_rn, __f64_f64_rm, __f64_f64_rp, __f64_f64_rz};
static to_long *const OF_U64[] = {__u64_f64_rn, __u64_f64_rm, __u64_f64_rp, __u64_f64_rz};
static from_signed *const OF_S64[] = {__s64_f64_rn, __s64_f64_rm, __s64_f64_rp, __s64_f64_rz};

/* An integral double cut to a type of integers; `least` and `above` are powers of two, or 0. */
static u64 clamped(double whole, double least, double above, u64 nan) {
    if (isnan(whole)) return nan;
    const u64 most = above == 0x1p64 ? ~0ull : (u64)above - 1;
    if (whole >= above) return most;
    if (whole < least) return least < 0 ? 0 - (u64)-least : 0;
    return whole < 0 ? 0 - (u64)-whole : (u64)whole;
}

/* A half of a double: the unit of its last bit is a power of two, and a quotient by it is exact. */
static u64 half_of(double x, int mode) {
    const u64 sign = signbit(x) ? 0x8000 : 0;
    const double size = fabs(x);
    if (isnan(x)) return sign | 0x7e00 | (bits_of(x) >> 42 & 0x3ff);
    if (isinf(x)) return sign | 0x7c00;
    const int e = size < 0x1p-14 ? -14 : size >= 0x1p16 ? 15 : ilogb(size);
    fesetround(mode);
    const double units = fabs(nearbyint(ldexp(x, 10 - e)));
    fesetround(FE_TONEAREST);
    const int stays = mode == FE_TOWARDZERO || (mode == FE_DOWNWARD && sign == 0) || (mode == FE_UPWARD && sign != 0);
    if (units >= 2048 && e == 15) return sign | (stays ? 0x7bff : 0x7c00);
    return sign | ((u64)((e + 14) * 1024) + (u64)units);
}

static void check_to(u64 a, enum mode m) {
    const volatile double x = number_of(a);
    fesetround(MODES[m]);
    const volatile float narrow_one = (float)x;
    const volatile double whole = nearbyint(x);
    fesetround(FE_TONEAREST);
    same_integer("single", a, m, single_bits(narrow_one), TO_F32[m](a));
    same_integer("half", a, m, half_of(x, MODES[m]), TO_F16[m](a));
    same("integral value", a, m, 0, whole, TO_F64[m](a));
    same_integer("s32", a, m, (u32)clamped(whole, -0x1p31, 0x1p31, 0x80000000), (u32)TO_S32[m](a));
    same_integer("u32", a, m, clamped(whole, 0, 0x1p32, 0x80000000), TO_U32[m](a));
    same_integer("u16", a, m, clamped(whole, 0, 0x1p16, 0x8000), TO_U16[m](a));
    same_integer("u8", a, m, clamped(whole, 0, 0x1p8, 0x80), TO_U8[m](a));
    same_integer("s64", a, m, clamped(whole, -0x1p63, 0x1p63, SIGN), (u64)TO_S64[m](a));
    same_integer("u64", a, m, clamped(whole, 0, 0x1p64, SIGN), TO_U64[m](a));
}

static void check_from(u64 a, enum mode m) {
    fesetround(MODES[m]);
    const volatile double x = (double)(s64)a, y = (double)a;
    fesetround(FE_TONEAREST);
    same("s64", a, m, 0, x, OF_S64[m]((s64)a));
    same("u64", a, m, 0, a == 0 ? 0 : y, OF_U64[m](a));
}

static void check_exact(u64 a) {
    const u32 word = (u32)a;
    float single;
    memcpy(&single, &word, sizeof single);
    same("f32", word, 0, 0, (double)single, __f32_f64(word));
    same("s32", word, 0, 0, (double)(s32)word, __s32_f64((s32)word));
    same("u32", word, 0, 0, (double)word, __u32_f64(word));
}

static void test_conversions(void **state) {
    (void)state;
    u64 seed = 4;
    for (enum mode m = RN; m <= RZ; m++) {
        for (size_t i = 0; i < CORNER_COUNT; i++) check_to(corner(i), m);
        for (int i = 0; i < RANDOM / 4; i++) {
            const u64 a = draw(&seed), b = random64(&seed);
            check_to(a, m);
            check_to((a & (SIGN | (HIDDEN - 1))) | (1023 - 30 + b % 96) << 52, m);
            check_to(__u64_f64_rn(b >> (b & 63)) - 0x0010000000000000ull, m); /* many halves */
            check_from(b, m);
            check_from(b >> (a & 63), m);
            check_from((u64)((s64)b >> (a & 63)), m);
            check_exact(b);
            check_exact(b >> (32 + (a & 31)));
        }
        for (u64 a = 0; a < 70; a++) {
            check_from(1ull << (a & 63), m);
            check_from((1ull << (a & 63)) - 1, m);
            check_from(0 - (1ull << (a & 63)), m);
            check_exact(a * 0x00100000 - 1);
            check_exact(a);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs_of_corners),
        cmocka_unit_test(test_random_pairs),
        cmocka_unit_test(test_random_fused),
        cmocka_unit_test(test_roundings),
        cmocka_unit_test(test_zeros),
        cmocka_unit_test(test_roots),
        cmocka_unit_test(test_conversions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
