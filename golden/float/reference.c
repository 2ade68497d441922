/* SPDX-License-Identifier: Apache-2.0 */
/* See reference.h. */
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEAREST, DOWN, UP, CHOP };
enum { NAN_BITS = 0x7fffffff, INF_BITS = 0x7f800000 };

static const uint32_t SIGN = 0x80000000u;

/* ------------------------------------------------------------------------------------------------- rows of bits */

/* A nonnegative number, exactly: bit i of the row stands for 2^(i - ORIGIN). */
enum { WORDS = 10, ROW_BITS = 64 * WORDS, ORIGIN = 300 };

struct row {
    uint64_t word[WORDS];
};

static unsigned bit(const struct row *r, int i) { return i < 0 || i >= ROW_BITS ? 0 : r->word[i / 64] >> (i % 64) & 1; }

/* m * 2^e */
static inline struct row row_of(uint64_t m, int e) {
    struct row r = {{0}};
    const int at = (e + ORIGIN) / 64;
    const int shift = (e + ORIGIN) % 64;
    r.word[at] = m << shift;
    r.word[at + 1] = m >> 1 >> (63 - shift);
    return r;
}

/* The highest bit, -1 of zero. */
static inline int top(const struct row *r) {
    for (int w = WORDS - 1; w >= 0; w--)
        if (r->word[w] != 0) return 64 * w + 63 - __builtin_clzll(r->word[w]);
    return -1;
}

static int order(const struct row *a, const struct row *b) {
    for (int w = WORDS - 1; w >= 0; w--)
        if (a->word[w] != b->word[w]) return a->word[w] < b->word[w] ? -1 : 1;
    return 0;
}

static struct row plus(const struct row *a, const struct row *b) {
    struct row r;
    uint64_t carry = 0;
    for (int w = 0; w < WORDS; w++) {
        const uint64_t sum = a->word[w] + b->word[w];
        r.word[w] = sum + carry;
        carry = sum < a->word[w] || r.word[w] < sum;
    }
    return r;
}

/* a - b, if a is not the smaller one. */
static struct row minus(const struct row *a, const struct row *b) {
    struct row r;
    uint64_t borrow = 0;
    for (int w = 0; w < WORDS; w++) {
        const uint64_t difference = a->word[w] - b->word[w];
        r.word[w] = difference - borrow;
        borrow = a->word[w] < b->word[w] || difference < borrow;
    }
    return r;
}

/* The 64 bits from `low` on. */
static inline uint64_t from_bit(const struct row *r, int low) {
    return r->word[low / 64] >> (low % 64) | r->word[low / 64 + 1] << 1 << (63 - low % 64);
}

static inline bool any_below(const struct row *r, int low) {
    for (int w = 0; w < low / 64; w++)
        if (r->word[w] != 0) return true;
    return (r->word[low / 64] & (((uint64_t)1 << (low % 64)) - 1)) != 0;
}

/* The row as a multiple of bit `low`, rounded. */
static inline uint64_t rounded(const struct row *r, int low, bool negative, unsigned code) {
    const uint64_t whole = from_bit(r, low);
    const bool half = bit(r, low - 1) != 0;
    const bool beyond = any_below(r, low - 1);
    bool up = false;
    if (code == NEAREST) up = half && (beyond || (whole & 1) != 0);
    if (code == DOWN) up = negative && (half || beyond);
    if (code == UP) up = !negative && (half || beyond);
    return whole + (up ? 1 : 0);
}

/* --------------------------------------------------------------------------------------------------- F32 and F16 */

static bool is_nan(uint32_t x) { return (x & 0x7fffffff) > INF_BITS; }
static bool is_inf(uint32_t x) { return (x & 0x7fffffff) == INF_BITS; }
static bool is_zero(uint32_t x) { return (x & INF_BITS) == 0; }
static bool is_negative(uint32_t x) { return x >= SIGN; }
static int field(uint32_t x) { return (int)(x >> 23 & 255); }
static uint32_t mantissa(uint32_t x) { return 0x800000 | (x & 0x7fffff); }

/* |x| of a finite x. */
static inline struct row magnitude(uint32_t x) { return row_of(is_zero(x) ? 0 : mantissa(x), field(x) - 150); }

static uint32_t too_large(uint32_t sign, unsigned code, uint32_t infinity) {
    const bool stays = code == CHOP || (code == DOWN && sign == 0) || (code == UP && sign != 0);
    return sign | (stays ? infinity - 1 : infinity);
}

/* A row that is not zero, to F32. */
static uint32_t to_f32(const struct row *r, uint32_t sign, unsigned code) {
    int exponent = top(r) - ORIGIN;
    uint64_t n = rounded(r, top(r) - 23, sign != 0, code);
    if (n == 1 << 24) n = 1 << 23, exponent++;
    if (exponent < -126) return sign;
    if (exponent > 127) return too_large(sign, code, INF_BITS);
    return sign | (uint32_t)(exponent + 127) << 23 | ((uint32_t)n & 0x7fffff);
}

static uint32_t widen(uint32_t half) {
    const uint32_t sign = (half & 0x8000) << 16;
    const uint32_t exponent = half >> 10 & 31;
    const uint32_t fraction = half & 1023;
    if (exponent == 31) return fraction != 0 ? NAN_BITS : sign | INF_BITS;
    if (exponent == 0 && fraction == 0) return sign;
    const struct row r = exponent == 0 ? row_of(fraction, -24) : row_of(1024 | fraction, (int)exponent - 25);
    return to_f32(&r, sign, NEAREST);
}

/* A finite or infinite F32 to F16; `bits_code` rounds the bits, `code` decides about an overflow. */
static uint32_t narrow(uint32_t x, unsigned bits_code, unsigned code) {
    const uint32_t sign = x >> 16 & 0x8000;
    if (is_nan(x)) return 0x7fff;
    if (is_inf(x)) return sign | 0x7c00;
    const struct row r = magnitude(x);
    const int exponent = top(&r) - ORIGIN;
    if (is_zero(x) || exponent < -33) return sign;
    const int low = exponent < -14 ? -24 : exponent - 10;
    struct row result = row_of(rounded(&r, low + ORIGIN, sign != 0, bits_code), low);
    const int now = top(&result);
    if (now < 0) return sign;
    if (now - ORIGIN > 15) return too_large(sign, code, 0x7c00);
    if (now - ORIGIN < -14) return sign | (uint32_t)from_bit(&result, ORIGIN - 24);
    return sign | (uint32_t)(now - ORIGIN + 15) << 10 | ((uint32_t)from_bit(&result, now - 10) & 1023);
}

uint32_t reference_saturate(uint32_t x) {
    if (is_nan(x)) return NAN_BITS;
    if (is_negative(x)) return 0;
    return x > 0x3f800000 ? 0x3f800000 : x;
}

/* ------------------------------------------------------------------------------------------------- arithmetic */

uint32_t reference_fadd(uint32_t a, uint32_t b, unsigned code) {
    if (is_nan(a) || is_nan(b)) return NAN_BITS;
    if (is_inf(a) && is_inf(b)) return a == b ? a : NAN_BITS;
    if (is_inf(a)) return a;
    if (is_inf(b)) return b;
    const struct row x = magnitude(a);
    const struct row y = magnitude(b);
    const bool same = is_negative(a) == is_negative(b);
    const int which = order(&x, &y);
    const struct row sum = same ? plus(&x, &y) : which >= 0 ? minus(&x, &y) : minus(&y, &x);
    if (top(&sum) < 0 && code == DOWN) return is_negative(a) || is_negative(b) ? SIGN : 0;
    if (top(&sum) < 0) return is_negative(a) && is_negative(b) ? SIGN : 0;
    return to_f32(&sum, (which >= 0 ? a : b) & SIGN, code);
}

static struct row product_of(uint32_t a, uint32_t b) {
    return row_of((uint64_t)mantissa(a) * mantissa(b), field(a) + field(b) - 300);
}

uint32_t reference_fmul(uint32_t a, uint32_t b, unsigned code) {
    const uint32_t sign = (a ^ b) & SIGN;
    if (is_nan(a) || is_nan(b)) return NAN_BITS;
    if ((is_inf(a) && is_zero(b)) || (is_zero(a) && is_inf(b))) return NAN_BITS;
    if (is_inf(a) || is_inf(b)) return sign | INF_BITS;
    if (is_zero(a) || is_zero(b)) return sign;
    const struct row p = product_of(a, b);
    return to_f32(&p, sign, code);
}

uint32_t reference_fmad(uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t sign = (a ^ b) & SIGN;
    if (is_nan(a) || is_nan(b) || is_nan(c)) return NAN_BITS;
    if ((is_inf(a) && is_zero(b)) || (is_zero(a) && is_inf(b))) return NAN_BITS;
    if (is_inf(a) || is_inf(b)) return is_inf(c) && (c & SIGN) != sign ? NAN_BITS : sign | INF_BITS;
    if (is_inf(c)) return c;
    if (is_zero(a) || is_zero(b) || is_zero(c)) return reference_fadd(reference_fmul(a, b, NEAREST), c, NEAREST);
    struct row p = product_of(a, b);
    p = row_of(from_bit(&p, top(&p) - 23), top(&p) - 23 - ORIGIN);
    const struct row y = magnitude(c);
    const int which = order(&p, &y);
    const struct row sum = sign == (c & SIGN) ? plus(&p, &y) : which >= 0 ? minus(&p, &y) : minus(&y, &p);
    const uint32_t sign_sum = which >= 0 ? sign : c & SIGN;
    const struct row smallest = row_of(1, -126);
    const struct row below = row_of(0xffffff, -150); /* 2^-126 - 2^-150 */
    if (top(&sum) < 0) return 0;
    if (order(&sum, &smallest) < 0) return sign_sum | (order(&sum, &below) >= 0 ? 0x00800000 : 0);
    return to_f32(&sum, sign_sum, NEAREST);
}

/* ----------------------------------------------------------------------------------------- compare and select */

/* -1 less, 0 equal, 1 greater, of two numbers. */
static int relation_of(uint32_t a, uint32_t b) {
    const struct row infinity = row_of(1, 128);
    const struct row x = is_inf(a) ? infinity : magnitude(a);
    const struct row y = is_inf(b) ? infinity : magnitude(b);
    if (top(&x) < 0 && top(&y) < 0) return 0;
    if (is_negative(a) != is_negative(b)) return is_negative(a) ? -1 : 1;
    return is_negative(a) ? order(&y, &x) : order(&x, &y);
}

uint32_t reference_fset(uint32_t a, uint32_t b, unsigned relations) {
    static const unsigned BITS[3] = {1, 2, 4};
    const unsigned which = is_nan(a) || is_nan(b) ? 8 : BITS[relation_of(a, b) + 1];
    return (relations & which) != 0 ? 0xffffffff : 0;
}

static uint32_t flushed(uint32_t x) { return is_zero(x) ? x & SIGN : x; }

static uint32_t extreme(uint32_t a, uint32_t b, int wanted) {
    if (is_nan(a) && is_nan(b)) return NAN_BITS;
    if (is_nan(a)) return flushed(b);
    if (is_nan(b)) return flushed(a);
    int relation = relation_of(a, b);
    if (relation == 0 && is_negative(a) != is_negative(b)) relation = is_negative(a) ? -1 : 1;
    return flushed(relation == wanted ? a : b);
}

uint32_t reference_fmax(uint32_t a, uint32_t b) { return extreme(a, b, 1); }
uint32_t reference_fmin(uint32_t a, uint32_t b) { return extreme(a, b, -1); }

uint32_t reference_fcmp(uint32_t a, uint32_t b, uint32_t c) {
    if (is_nan(c)) return b;
    return is_negative(c) && !is_zero(c) ? b : a;
}

/* ------------------------------------------------------------------------------------------------- conversions */

uint32_t reference_i2f(uint32_t x, const struct reference_conversion *how) {
    const int64_t low = (int64_t)(x & (how->source == 32 ? 0xffffffffu : (1u << how->source) - 1));
    const int64_t half_range = (int64_t)1 << (how->source - 1);
    const int64_t v = how->source_signed && low >= half_range ? low - 2 * half_range : low;
    bool negative = v < 0 && !how->absolute;
    uint32_t m = (uint32_t)(v < 0 ? -v : v);
    if (how->negate) negative = !negative;
    if (how->result == 16) {
        const bool away = how->code == NEAREST || (how->code == UP && !negative) || (how->code == DOWN && negative);
        bool ones = true;
        for (int i = 5; i <= 29; i++) ones = ones && (m >> i & 1) != 0;
        if (away && ones) m = 0;
        const uint32_t t = m - (v < 0 ? 1 : 0);
        unsigned n = 2;
        while (n < 7 && (t >> (15 - (n - 2)) & 1) == 0) n++;
        for (unsigned i = 0; i < n; i++) m &= ~(SIGN >> i);
    }
    const struct row r = row_of(m, 0);
    uint32_t f = negative ? SIGN : 0;
    if (m != 0) f = to_f32(&r, f, how->code);
    if (how->saturate) f = reference_saturate(f);
    return how->result == 16 ? narrow(f, how->code, how->code) : f;
}

static uint32_t modified(uint32_t x, const struct reference_conversion *how) {
    uint32_t f = how->source == 16 ? widen(x & 0xffff) : x;
    if (how->absolute) f &= ~SIGN;
    if (how->negate) f ^= SIGN;
    return is_nan(f) ? NAN_BITS : flushed(f);
}

uint32_t reference_f2i(uint32_t x, const struct reference_conversion *how) {
    const uint32_t f = modified(x, how);
    const int64_t range = (int64_t)1 << how->result;
    const int64_t least = how->result_signed ? -range / 2 : 0;
    const int64_t most = how->result_signed ? range / 2 - 1 : range - 1;
    if (is_nan(f)) return 0;
    int64_t n = most; /* for |x| beyond 2^40 */
    if (field(f) < 127 + 40) {
        const struct row r = magnitude(f);
        n = (int64_t)rounded(&r, ORIGIN, is_negative(f), how->code);
        n = is_negative(f) ? -n : n;
    } else if (is_negative(f)) {
        n = least;
    }
    if (n < least) n = least;
    if (n > most) n = most;
    return (uint32_t)((uint64_t)n & (uint64_t)(range - 1));
}

uint32_t reference_f2f(uint32_t x, const struct reference_conversion *how) {
    uint32_t f = modified(x, how);
    if (how->saturate) f = reference_saturate(f);
    if (how->integral && !is_nan(f) && field(f) < 127 + 23) {
        const struct row r = magnitude(f);
        const struct row whole = row_of(rounded(&r, ORIGIN, is_negative(f), how->code), 0);
        f = top(&whole) < 0 ? f & SIGN : to_f32(&whole, f & SIGN, NEAREST);
    }
    return how->result == 32 ? f : narrow(f, how->integral ? CHOP : how->code, how->code);
}

/* ------------------------------------------------------------------------------------------ special functions */

enum { RCP, RSQ, SINE, EX2, LG2, FUNCTIONS, INTERVALS = 128 };

static const struct {
    const char *name;
    unsigned n, s0, s2, t;
    int64_t k;
} SHAPE[FUNCTIONS] = {
    {"rcp", 16, 13, 0, 15, 0x47e7},
    {"rsq", 17, 14, 2, 16, 0x7fff},
    {"sin", 17, 11, 0, 0,  0     },
    {"ex2", 17, 13, 0, 15, 0x77e2},
    {"lg2", 17, 12, 1, 2,  0x3345},
};

static const int64_t coefficient[FUNCTIONS][INTERVALS][3] = {
#include "sfu_tables.def"
};

/* For every operand of the squarer: filled once by float_reference_open, then constant. */
static uint16_t square[1 << 17];
static bool has_squares;

/* The squarer has only the columns from 2^18 on: products of two different bits i < j there, and the square of a bit
 * from i = 10 on. So each bit h adds its products with the bits below it, and its own square. */
static uint32_t square_of(uint32_t y) {
    uint32_t sum = 0;
    while (y != 0) {
        const unsigned h = 31 - (unsigned)__builtin_clz(y);
        y -= 1u << h;
        sum += (y >> (18 - h)) + (h >= 10 ? 1u << (2 * h - 19) : 0);
    }
    return sum;
}

bool float_reference_open(const char *path) {
    char line[128];
    unsigned rows = 0;
    FILE *f = fopen(path, "r");
    if (f == NULL) return false;
    while (fgets(line, sizeof line, f) != NULL) {
        char name[8];
        long index, c0, c1, c2;
        if (sscanf(line, "%7[a-z0-9],%ld,%ld,%ld,%ld", name, &index, &c0, &c1, &c2) != 5) continue;
        for (int k = 0; k < FUNCTIONS; k++) {
            if (strcmp(name, SHAPE[k].name) != 0 || index < 0 || index >= INTERVALS) continue;
            const int64_t *c = coefficient[k][index];
            rows += c[0] == c0 && c[1] == c1 && c[2] == c2;
        }
    }
    fclose(f);
    for (uint32_t y = 0; y < 1 << 17; y++) square[y] = (uint16_t)square_of(y);
    has_squares = true;
    return rows == 448;
}

static uint64_t polynomial(int k, uint32_t f) {
    const int64_t *c = coefficient[k][f >> SHAPE[k].n];
    const uint32_t x = f % (1u << SHAPE[k].n);
    const uint32_t y = x << (17 - SHAPE[k].n);
    const int64_t q = has_squares ? square[y] : square_of(y);
    const int64_t sum = c[0] * (1 << SHAPE[k].s0) + c[1] * (int64_t)x + c[2] * q * (1 << SHAPE[k].s2) + SHAPE[k].k;
    return (uint64_t)sum / ((uint64_t)1 << SHAPE[k].t);
}

/* n of 24 bits, or 2^24; e is the biased exponent of its bit 23. */
static uint32_t assemble(uint32_t sign, int e, uint64_t n) {
    if (n == 1 << 24) n = 1 << 23, e++;
    if (e < 1) return sign;
    if (e > 254) return sign | INF_BITS;
    return sign | (uint32_t)e << 23 | ((uint32_t)n & 0x7fffff);
}

/* n / 2^scale, truncated to 24 bits. */
static uint32_t cut(uint32_t sign, uint64_t n, int scale) {
    if (n == 0) return sign;
    const int high = 63 - __builtin_clzll(n);
    return assemble(sign, 127 + high - scale, high >= 23 ? n >> (high - 23) : n << (23 - high));
}

uint32_t reference_rcp(uint32_t x) {
    if (is_nan(x)) return NAN_BITS;
    if (is_inf(x)) return x & SIGN;
    if (is_zero(x)) return (x & SIGN) | INF_BITS;
    return assemble(x & SIGN, 253 - field(x), polynomial(RCP, x & 0x7fffff));
}

uint32_t reference_rsq(uint32_t x) {
    if (is_nan(x)) return NAN_BITS;
    if (is_zero(x)) return (x & SIGN) | INF_BITS;
    if (is_negative(x)) return NAN_BITS;
    if (is_inf(x)) return 0;
    /* u = field - 127 is odd if the field is even; (u - odd) / 2 = h */
    const uint32_t odd = field(x) % 2 == 0 ? 1 : 0;
    const int h = (field(x) - 127 - (int)odd) / 2;
    const uint32_t f = odd * 0x800000 + (x & 0x7fffff);
    return f == 0 ? assemble(0, 127 - h, 0x800000) : assemble(0, 126 - h, polynomial(RSQ, f));
}

uint32_t reference_lg2(uint32_t x) {
    if (is_nan(x)) return NAN_BITS;
    if (is_zero(x)) return SIGN | INF_BITS;
    if (is_negative(x)) return NAN_BITS;
    if (is_inf(x)) return x;
    const int64_t unit = (int64_t)1 << 36;
    const int64_t r = (x == 0x3f800000 ? 0 : (int64_t)polynomial(LG2, x & 0x7fffff)) + unit * (field(x) - 127);
    return r < 0 ? cut(SIGN, (uint64_t)(-r - 1), 36) : cut(0, (uint64_t)r, 36);
}

static uint32_t wave(uint32_t x, unsigned quarter, uint32_t sign) {
    if ((x >> 30 & 1) != 0) return NAN_BITS;
    uint32_t f = x & 0x7fffff;
    if (quarter % 2 != 0) f = 0x7fffff - f;
    if (quarter % 4 >= 2) sign ^= SIGN;
    return cut(sign, polynomial(SINE, f), 37);
}

uint32_t reference_sin(uint32_t x) { return wave(x, x >> 23 & 3, x & SIGN); }
uint32_t reference_cos(uint32_t x) { return wave(x, (x >> 23 & 3) + 1, 0); }

uint32_t reference_ex2(uint32_t x) {
    int n = (int)(x >> 23 & 127);
    uint32_t f = x & 0x7fffff;
    if ((x >> 30 & 1) != 0) return (x >> 23 & 1) == 0 ? NAN_BITS : is_negative(x) ? 0 : INF_BITS;
    if (is_negative(x)) {
        n = f == 0 ? -n : -n - 1;
        f = f == 0 ? 0 : 0x7fffff - f;
    }
    return assemble(0, n + 127, polynomial(EX2, f));
}

uint32_t reference_rro_sin(uint32_t x) {
    if (is_nan(x)) return (x & SIGN) | 0x40000000;
    if (is_inf(x)) return (x & SIGN) | 0x40800000;
    if (is_zero(x)) return x & SIGN;
    const struct row p = row_of((uint64_t)mantissa(x) * 0xa2f983 >> 16, field(x) - 127 - 8);
    return (x & SIGN) | ((uint32_t)from_bit(&p, ORIGIN) & 0x1ffffff);
}

uint32_t reference_rro_ex2(uint32_t x) {
    if (is_nan(x)) return (x & SIGN) | 0x40000000;
    if (field(x) - 127 >= 7) return (x & SIGN) | 0x40800000;
    if (is_zero(x)) return x & SIGN;
    const struct row r = magnitude(x);
    return (x & SIGN) | (uint32_t)from_bit(&r, ORIGIN - 23);
}
