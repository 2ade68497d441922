/* SPDX-License-Identifier: Apache-2.0 */
/* See number.h. */
#include "number.h"

const struct number_format FORMAT_F16 = {16, 10, 15};
const struct number_format FORMAT_F32 = {32, 23, 127};
const struct number_format FORMAT_F64 = {64, 52, 1023};

const struct number_format *number_format_of(unsigned bits) {
    return bits == 16 ? &FORMAT_F16 : bits == 32 ? &FORMAT_F32 : &FORMAT_F64;
}

/* The highest bit of m, which is not 0. */
static int top(wide m) {
    const uint64_t high = (uint64_t)(m >> 64);
    return high != 0 ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)m);
}

/* m / 2^n, with bit 0 set if bits are lost. */
static wide shifted_right(wide m, int n) {
    if (n <= 0) return m;
    if (n >= 128) return m != 0;
    return m >> n | ((m & (((wide)1 << n) - 1)) != 0);
}

/* ------------------------------------------------------------------------------------------------------ formats */

struct number number_unpack(uint64_t bits, const struct number_format *f, bool flush) {
    const uint64_t exponents = ((uint64_t)1 << (f->bits - 1 - f->fraction)) - 1;
    const uint64_t exponent = bits >> f->fraction & exponents;
    const uint64_t fraction = bits & (((uint64_t)1 << f->fraction) - 1);
    struct number n = {.negative = (bits >> (f->bits - 1) & 1) != 0};
    if (exponent == exponents) {
        n.kind = fraction != 0 ? NOT_A_NUMBER : INFINITE;
    } else if (exponent != 0 || (fraction != 0 && !flush)) {
        n.kind = FINITE;
        n.m = exponent != 0 ? fraction | (uint64_t)1 << f->fraction : fraction;
        n.exponent = (exponent != 0 ? (int)exponent : 1) - f->bias - (int)f->fraction;
    }
    return n;
}

static bool rounds_up(wide m, int lost, bool negative, enum rounding rounding) {
    if (lost <= 0) return false;
    const wide rest = lost >= 128 ? m : m & (((wide)1 << lost) - 1);
    const wide half = lost > 128 ? 0 : (wide)1 << (lost - 1);
    const bool odd = lost < 128 && (m >> lost & 1) != 0;
    if (rounding == DOWNWARD) return negative && rest != 0;
    if (rounding == UPWARD) return !negative && rest != 0;
    if (rounding == TO_ZERO || half == 0) return false;
    return rest > half || (rest == half && odd);
}

/* m * 2^-lost as an integer, rounded. */
static wide rounded(wide m, int lost, bool negative, enum rounding rounding) {
    if (lost <= 0) return m << -lost;
    return (lost >= 128 ? 0 : m >> lost) + (rounds_up(m, lost, negative, rounding) ? 1 : 0);
}

static uint64_t infinity_of(const struct number_format *f) {
    return (((uint64_t)1 << (f->bits - 1 - f->fraction)) - 1) << f->fraction;
}

/* A NaN is 7fff, 7fffffff, or 7ff8000000000000. */
static uint64_t nan_of(const struct number_format *f) {
    return f->bits == 64 ? 0x7ff8000000000000u : ((uint64_t)1 << (f->bits - 1)) - 1;
}

static uint64_t pack_finite(struct number n, const struct number_format *f, enum rounding rounding, bool flush) {
    const int least = 1 - f->bias;
    const int exponent = top(n.m) + n.exponent;
    const bool subnormal = exponent < least && !flush;
    const int quantum = (subnormal ? least : exponent) - (int)f->fraction;
    const uint64_t whole = (uint64_t)rounded(n.m, quantum - n.exponent, n.negative, rounding);
    const uint64_t infinity = infinity_of(f);
    if (subnormal) return whole;
    const int most = f->bias + 1; /* beyond the range of the exponent */
    const int64_t bits = ((exponent < most ? exponent : most) + f->bias) * ((int64_t)1 << f->fraction) +
                         (int64_t)whole - ((int64_t)1 << f->fraction);
    if (bits < (int64_t)1 << f->fraction) return 0;
    if ((uint64_t)bits < infinity) return (uint64_t)bits;
    const bool stays = rounding == TO_ZERO || rounding == (n.negative ? UPWARD : DOWNWARD);
    return stays ? infinity - 1 : infinity;
}

uint64_t number_pack(struct number n, const struct number_format *f, enum rounding rounding, bool flush) {
    const uint64_t sign = (uint64_t)n.negative << (f->bits - 1);
    if (n.kind == NOT_A_NUMBER) return nan_of(f);
    if (n.kind == INFINITE) return sign | infinity_of(f);
    if (n.kind == ZERO) return sign;
    return sign | pack_finite(n, f, rounding, flush);
}

/* --------------------------------------------------------------------------------------------------- arithmetic */

static const struct number NAN_NUMBER = {.kind = NOT_A_NUMBER};

struct number number_negate(struct number a) {
    a.negative = !a.negative;
    return a;
}

/* With the highest bit of m moved up to `bit`. */
static struct number raised(struct number a, int bit) {
    const int n = bit - top(a.m);
    a.m <<= n;
    a.exponent -= n;
    return a;
}

static struct number add_finite(struct number a, struct number b, enum rounding rounding) {
    if (top(a.m) + a.exponent < top(b.m) + b.exponent) return add_finite(b, a, rounding);
    a = raised(a, 125);
    b = raised(b, 125);
    b.m = shifted_right(b.m, a.exponent - b.exponent);
    if (a.negative == b.negative) {
        a.m += b.m;
    } else if (a.m >= b.m) {
        a.m -= b.m;
    } else {
        a.m = b.m - a.m;
        a.negative = b.negative;
    }
    if (a.m == 0) return (struct number){.kind = ZERO, .negative = rounding == DOWNWARD};
    return a;
}

struct number number_add(struct number a, struct number b, enum rounding rounding) {
    if (a.kind == NOT_A_NUMBER || b.kind == NOT_A_NUMBER) return NAN_NUMBER;
    if (a.kind == INFINITE && b.kind == INFINITE) return a.negative == b.negative ? a : NAN_NUMBER;
    if (a.kind == INFINITE || b.kind == INFINITE) return a.kind == INFINITE ? a : b;
    if (a.kind == ZERO && b.kind == ZERO) {
        if (a.negative != b.negative) a.negative = rounding == DOWNWARD;
        return a;
    }
    if (a.kind == ZERO || b.kind == ZERO) return a.kind == ZERO ? b : a;
    return add_finite(a, b, rounding);
}

struct number number_multiply(struct number a, struct number b) {
    const bool negative = a.negative != b.negative;
    if (a.kind == NOT_A_NUMBER || b.kind == NOT_A_NUMBER) return NAN_NUMBER;
    if (a.kind == INFINITE || b.kind == INFINITE)
        return a.kind == ZERO || b.kind == ZERO ? NAN_NUMBER : (struct number){.kind = INFINITE, .negative = negative};
    if (a.kind == ZERO || b.kind == ZERO) return (struct number){.kind = ZERO, .negative = negative};
    return (struct number){FINITE, negative, a.exponent + b.exponent, a.m * b.m};
}

struct number number_divide(struct number a, struct number b) {
    const bool negative = a.negative != b.negative;
    if (a.kind == NOT_A_NUMBER || b.kind == NOT_A_NUMBER || (a.kind == b.kind && a.kind != FINITE)) return NAN_NUMBER;
    if (a.kind == INFINITE || b.kind == ZERO) return (struct number){.kind = INFINITE, .negative = negative};
    if (a.kind == ZERO || b.kind == INFINITE) return (struct number){.kind = ZERO, .negative = negative};
    a = raised(a, 126);
    const wide quotient = a.m / b.m;
    return (struct number){FINITE, negative, a.exponent - b.exponent, quotient | (quotient * b.m != a.m)};
}

struct number number_root(struct number a) {
    if (a.kind == ZERO || a.kind == NOT_A_NUMBER) return a;
    if (a.negative) return NAN_NUMBER;
    if (a.kind == INFINITE) return a;
    a = raised(a, 125);
    if (a.exponent % 2 != 0) {
        a.m >>= 1; /* moved up by more than one bit: nothing is lost */
        a.exponent++;
    }
    wide root = 0;
    for (int bit = 62; bit >= 0; bit--) {
        const wide more = root | (wide)1 << bit;
        if (more * more <= a.m) root = more;
    }
    return (struct number){FINITE, false, a.exponent / 2 - 1, root << 1 | (root * root != a.m)};
}

int number_order(struct number a, struct number b) {
    const int signs[2] = {a.negative ? -1 : 1, b.negative ? -1 : 1};
    if (a.kind == ZERO && b.kind == ZERO) return 0;
    if (a.kind == ZERO) return -signs[1];
    if (b.kind == ZERO) return signs[0];
    if (signs[0] != signs[1]) return signs[0];
    if (a.kind == INFINITE || b.kind == INFINITE)
        return a.kind == b.kind ? 0 : a.kind == INFINITE ? signs[0] : -signs[0];
    const struct number difference = number_add(a, number_negate(b), TO_NEAREST);
    return difference.kind == ZERO ? 0 : difference.negative ? -1 : 1;
}

/* -------------------------------------------------------------------------------------------------- conversions */

struct number number_of_integer(uint64_t magnitude, bool negative) {
    if (magnitude == 0) return (struct number){.kind = ZERO};
    return (struct number){FINITE, negative, 0, magnitude};
}

struct number number_integral(struct number n, enum rounding rounding) {
    if (n.kind != FINITE || n.exponent >= 0) return n;
    const wide whole = rounded(n.m, -n.exponent, n.negative, rounding);
    if (whole == 0) return (struct number){.kind = ZERO, .negative = n.negative};
    return (struct number){FINITE, n.negative, 0, whole};
}

static uint64_t limit_of(bool negative, bool is_signed, unsigned bits) {
    const uint64_t half = (uint64_t)1 << (bits - 1);
    if (is_signed) return negative ? half : half - 1;
    return negative ? 0 : half - 1 + half;
}

uint64_t number_to_integer(struct number n, enum rounding rounding, bool is_signed, unsigned bits) {
    const uint64_t limit = limit_of(n.negative, is_signed, bits);
    if (n.kind == NOT_A_NUMBER || n.kind == ZERO) return 0;
    if (n.kind == INFINITE || top(n.m) + n.exponent > 64) return limit;
    n = number_integral(n, rounding);
    if (n.kind == ZERO) return 0;
    const wide magnitude = n.m << (n.exponent > 0 ? n.exponent : 0);
    if (magnitude >= limit) return limit;
    const uint64_t mask = bits == 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1;
    return (n.negative ? 0 - (uint64_t)magnitude : (uint64_t)magnitude) & mask;
}

uint64_t number_literal(enum literal literal, uint64_t bits, unsigned wanted) {
    const struct number_format *from = literal == F32_BITS ? &FORMAT_F32 : &FORMAT_F64;
    if (literal == INTEGER || from->bits == wanted || wanted < 16) return bits;
    return number_pack(number_unpack(bits, from, false), number_format_of(wanted), TO_NEAREST, false);
}

uint64_t number_literal_of_integer(int64_t value, unsigned wanted) {
    const struct number n = number_of_integer(value < 0 ? 0 - (uint64_t)value : (uint64_t)value, value < 0);
    return number_pack(n, number_format_of(wanted), TO_NEAREST, false);
}
