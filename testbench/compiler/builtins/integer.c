/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of integers. */
#include "call.h"

__extension__ typedef __int128 wide;

__extension__ typedef unsigned __int128 unsigned_wide;

struct integers {
    wide x, y, w, least, most;
    unsigned bits;
    const struct value *v;
    bool is_signed, is_scalar;
};

static struct integers integers_of(const struct call *c, const struct value *v) {
    const struct type *t = &TYPES[c->type];
    struct integers a = {.bits = 8 * t->bytes, .v = v, .is_signed = t->is_signed, .is_scalar = c->width == 1};
    a.x = t->is_signed ? (wide)v[0].s : (wide)v[0].u;
    a.y = t->is_signed ? (wide)v[1].s : (wide)v[1].u;
    a.w = t->is_signed ? (wide)v[2].s : (wide)v[2].u;
    a.least = t->is_signed ? -((wide)1 << (a.bits - 1)) : 0;
    a.most = a.least + ((wide)1 << a.bits) - 1;
    return a;
}

#define ONE(name, expression)                                                             \
    static bool name(const struct call *c, const struct value *v, struct value *result) { \
        const struct integers a = integers_of(c, v);                                      \
        (void)a;                                                                          \
        *result = value_of((int64_t)(uint64_t)(expression));                              \
        return true;                                                                      \
    }

static wide between(wide x, wide least, wide most) { return x < least ? least : x > most ? most : x; }
static wide half_down(wide x) { return x >= 0 ? x / 2 : -((1 - x) / 2); }

/* A product of unsigned integers may exceed a signed 128-bit integer. */
static wide high_of_product(const struct integers *a) {
    if (a->is_signed) return (a->x * a->y) >> a->bits;
    return (wide)(((unsigned_wide)a->x * (unsigned_wide)a->y) >> a->bits);
}
static wide saturated(const struct integers *a) {
    if (a->is_signed) return between(a->x * a->y + a->w, a->least, a->most);
    const unsigned_wide product = (unsigned_wide)a->x * (unsigned_wide)a->y;
    return product > (unsigned_wide)a->most ? a->most : between((wide)product + a->w, a->least, a->most);
}
static wide zeros(const struct integers *a) {
    unsigned n = 0;
    while (n < a->bits && ((a->v[0].u >> (a->bits - 1 - n)) & 1) == 0) n++;
    return n;
}
static wide ones(const struct integers *a) {
    unsigned n = 0;
    for (unsigned i = 0; i < a->bits; i++) n += (unsigned)(a->v[0].u >> i) & 1;
    return n;
}
static wide rotated(const struct integers *a) {
    const unsigned n = (unsigned)(a->v[1].u % a->bits);
    const uint64_t x = a->v[0].u & (~UINT64_C(0) >> (64 - a->bits));
    return (wide)(n == 0 ? x : (x << n) | (x >> (a->bits - n)));
}
static bool is_chosen(const struct integers *a) {
    return a->is_scalar ? a->v[2].u != 0 : ((a->v[2].u >> (a->bits - 1)) & 1) != 0;
}
/* A scalar is extended to int first. */
static unsigned shifted_bits(const struct integers *a) { return a->is_scalar && a->bits < 32 ? 32 : a->bits; }
static int truth(const struct integers *a, bool is_true) { return a->is_scalar ? is_true : -is_true; }

ONE(abs_one, a.x < 0 ? -a.x : a.x)
ONE(abs_diff_one, a.x < a.y ? a.y - a.x : a.x - a.y)
ONE(add_sat_one, between(a.x + a.y, a.least, a.most))
ONE(sub_sat_one, between(a.x - a.y, a.least, a.most))
ONE(hadd_one, half_down(a.x + a.y))
ONE(rhadd_one, half_down(a.x + a.y + 1))
ONE(clamp_one, between(a.x, a.y < a.w ? a.y : a.w, a.y < a.w ? a.w : a.y))
ONE(least_one, a.x < a.y ? a.x : a.y)
ONE(most_one, a.x > a.y ? a.x : a.y)
ONE(mul_hi_one, high_of_product(&a))
ONE(mad_hi_one, high_of_product(&a) + a.w)
ONE(mad_sat_one, saturated(&a))
ONE(clz_one, zeros(&a))
ONE(popcount_one, ones(&a))
ONE(rotate_one, rotated(&a))
ONE(mul24_one, (a.x >> 8) * (a.y >> 8))
ONE(mad24_one, (a.x >> 8) * (a.y >> 8) + a.w)
ONE(upsample_one, v[0].u << a.bits | v[1].u)
ONE(sum_one, v[0].u *v[1].u + v[2].u - (v[0].u ^ v[1].u))
ONE(left_one, v[0].u << (v[1].u % shifted_bits(&a)))
ONE(right_one, a.x >> (v[1].u % shifted_bits(&a)))
ONE(bitselect_one, (v[0].u & ~v[2].u) | (v[1].u & v[2].u))
ONE(select_one, is_chosen(&a) ? a.y : a.x)
ONE(less_one, truth(&a, a.x < a.y))
ONE(equal_one, truth(&a, (a.x | 1) == (a.y | 1)))
ONE(same_one, a.x)

static bool divided(const struct call *c, const struct value *v, struct value *result) {
    const struct integers a = integers_of(c, v);
    const wide y = a.y | 1;
    if (y == -1 && a.x == a.least) return false;
    *result = value_of((int64_t)(uint64_t)(c->builtin->name[0] == 'q' ? a.x / y : a.x % y));
    return true;
}

static bool any_all(const struct call *c, struct value v[MOST_ARGUMENTS][WIDEST], struct value *result) {
    unsigned set = 0;
    for (unsigned i = 0; i < c->width; i++) set += v[0][i].s < 0;
    result->u = c->builtin->name[1] == 'n' ? set > 0 : set == c->width;
    return true;
}

#define ALL "cCsSiIlL"
#define ROW(n, t, s, x, o, a, w) \
    { .name = (n), .types = (t), .signature = (s), .text = (x), .one = (o), .all = (a), .least_width = (w) }
static const struct builtin ROWS[] = {
    ROW("abs", ALL, "UT", NULL, abs_one, NULL, 0),
    ROW("abs_diff", ALL, "UTT", NULL, abs_diff_one, NULL, 0),
    ROW("add_sat", ALL, "TTT", NULL, add_sat_one, NULL, 0),
    ROW("sub_sat", ALL, "TTT", NULL, sub_sat_one, NULL, 0),
    ROW("hadd", ALL, "TTT", NULL, hadd_one, NULL, 0),
    ROW("rhadd", ALL, "TTT", NULL, rhadd_one, NULL, 0),
    ROW("clamp", ALL, "TTTT", "clamp(x, min(y, w), max(y, w))", clamp_one, NULL, 0),
    ROW("clamp of scalars", ALL, "TTtt", "clamp(x, min(y, w), max(y, w))", clamp_one, NULL, 0),
    ROW("min", ALL, "TTT", NULL, least_one, NULL, 0),
    ROW("max", ALL, "TTT", NULL, most_one, NULL, 0),
    ROW("min of a scalar", ALL, "TTt", "min(x, y)", least_one, NULL, 0),
    ROW("max of a scalar", ALL, "TTt", "max(x, y)", most_one, NULL, 0),
    ROW("mul_hi", ALL, "TTT", NULL, mul_hi_one, NULL, 0),
    ROW("mad_hi", ALL, "TTTT", NULL, mad_hi_one, NULL, 0),
    ROW("mad_sat", ALL, "TTTT", NULL, mad_sat_one, NULL, 0),
    ROW("clz", ALL, "TT", NULL, clz_one, NULL, 0),
    ROW("popcount", ALL, "TT", NULL, popcount_one, NULL, 0),
    ROW("rotate", ALL, "TTT", NULL, rotate_one, NULL, 0),
    ROW("mul24", "iI", "TTT", "mul24(x >> 8, y >> 8)", mul24_one, NULL, 0),
    ROW("mad24", "iI", "TTTT", "mad24(x >> 8, y >> 8, w)", mad24_one, NULL, 0),
    ROW("upsample", "cCsSiI", "DTU", NULL, upsample_one, NULL, 0),
    ROW("quotient", ALL, "TTT", "x / (y | ($t)1)", divided, NULL, 0),
    ROW("rest", ALL, "TTT", "x % (y | ($t)1)", divided, NULL, 0),
    ROW("operators", ALL, "TTTT", "x * y + w - (x ^ y)", sum_one, NULL, 0),
    ROW("left", ALL, "TTT", "x << y", left_one, NULL, 0),
    ROW("right", ALL, "TTT", "x >> y", right_one, NULL, 0),
    ROW("less", ALL, "BTT", "x < y", less_one, NULL, 0),
    ROW("equal", ALL, "BTT", "(x | ($t)1) == (y | ($t)1)", equal_one, NULL, 0),
    ROW("bitselect", ALL, "TTTT", NULL, bitselect_one, NULL, 0),
    ROW("select", ALL, "TTTS", NULL, select_one, NULL, 0),
    ROW("select, unsigned", ALL, "TTTU", "select(x, y, w)", select_one, NULL, 0),
    ROW("any", "csil", "iT", NULL, NULL, any_all, 0),
    ROW("all", "csil", "iT", NULL, NULL, any_all, 0),
    ROW("vload, vstore", ALL, "TT", "!vstore$w(vload$w(i, px + $p * i), i, pz + $p * i)", same_one, NULL, 2),
    ROW("private", ALL, "TT", "!$T place[4]; for (int k = 0; k < 4; k++) place[(k + i) & 3] = x; *out = place[i & 3]",
        same_one, NULL, 0),
};

void add_integers(struct builtins *all) {
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) add_row(all, ROWS[i]);
}
