/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of whole vectors. */
#include <math.h>

#include "call.h"

typedef struct value arguments[MOST_ARGUMENTS][WIDEST];

static real product(unsigned width, const struct value *a, const struct value *b) {
    real sum = 0;
    for (unsigned i = 0; i < width; i++) sum += a[i].r * b[i].r;
    return sum;
}

static bool dot_all(const struct call *c, arguments v, struct value *result) {
    *result = value_of_real(product(c->width, v[2], v[2]));
    return true;
}
static bool length_all(const struct call *c, arguments v, struct value *result) {
    *result = value_of_real(sqrtl(product(c->width, v[2], v[2])));
    return true;
}
static bool length_of_any(const struct call *c, arguments v, struct value *result) {
    for (unsigned i = 0; i < c->width; i++)
        if (!isfinite(v[0][i].r)) return false;
    *result = value_of_real(sqrtl(product(c->width, v[0], v[0])));
    return true;
}
static bool distance_all(const struct call *c, arguments v, struct value *result) {
    real sum = 0;
    for (unsigned i = 0; i < c->width; i++) sum += (v[2][i].r - 1) * (v[2][i].r - 1);
    *result = value_of_real(sqrtl(sum));
    return true;
}
static bool normalize_all(const struct call *c, arguments v, struct value *result) {
    const real size = sqrtl(product(c->width, v[2], v[2]));
    for (unsigned i = 0; i < c->width; i++) result[i] = value_of_real(v[2][i].r / size);
    return true;
}
/* With (1, 2, 3, 4). */
static bool cross_all(const struct call *c, arguments v, struct value *result) {
    const struct value *a = v[2];
    result[0] = value_of_real(a[1].r * 3 - a[2].r * 2);
    result[1] = value_of_real(a[2].r * 1 - a[0].r * 3);
    result[2] = value_of_real(a[0].r * 2 - a[1].r * 1);
    if (c->width == 4) result[3] = value_of_real(0);
    return true;
}
static bool shuffle_all(const struct call *c, arguments v, struct value *result) {
    for (unsigned i = 0; i < c->width; i++) result[i] = v[0][v[1][i].u % c->width];
    return true;
}
static bool shuffle2_all(const struct call *c, arguments v, struct value *result) {
    for (unsigned i = 0; i < c->width; i++) {
        const unsigned from = (unsigned)(v[2][i].u % (2 * c->width));
        result[i] = from < c->width ? v[0][from] : v[1][from - c->width];
    }
    return true;
}
static bool turned_all(const struct call *c, arguments v, struct value *result) {
    for (unsigned i = 0; i < c->width; i++) result[i] = v[0][(i + c->width / 2) % c->width];
    return true;
}

#define G(n, s, b, t, f, least, most)                                                                             \
    {                                                                                                             \
        .name = (n), .types = "f", .signature = (s), .bound = (b), .text = (t), .all = f, .least_width = (least), \
        .most_width = (most)                                                                                      \
    }
#define V(n, s, t, f, least)                                                                               \
    {                                                                                                      \
        .name = (n), .types = "cCsSiIlL", .signature = (s), .text = (t), .all = f, .least_width = (least), \
        .is_of_powers = true                                                                               \
    }
static const struct builtin ROWS[] = {
    G("dot", "fFFF", -1e-5, "dot(w, w)", dot_all, 1, 4),
    G("length", "fFFF", 8, "length(w)", length_all, 1, 4),
    G("length of any size", "fF", 8, "length(x)", length_of_any, 1, 4),
    G("fast_length", "fFFF", 8192, "fast_length(w)", length_all, 1, 4),
    G("distance", "fFFF", 8, "distance(w, ($F)1.0f)", distance_all, 1, 4),
    G("fast_distance", "fFFF", 8192, "fast_distance(w, ($F)1.0f)", distance_all, 1, 4),
    G("normalize", "FFFF", 8, "normalize(w)", normalize_all, 1, 4),
    G("fast_normalize", "FFFF", 8192, "fast_normalize(w)", normalize_all, 1, 4),
    G("cross", "FFFF", -1e-5, "cross(w, (float3)(1, 2, 3))", cross_all, 3, 3),
    G("cross", "FFFF", -1e-5, "cross(w, (float4)(1, 2, 3, 4))", cross_all, 4, 4),
    V("shuffle", "TTU", NULL, shuffle_all, 2),
    V("shuffle2", "TTTU", NULL, shuffle2_all, 2),
    V("hi, lo", "TT", "($T)(x.hi, x.lo)", turned_all, 4),
};

void add_vectors(struct builtins *all) {
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) add_row(all, ROWS[i]);
}
