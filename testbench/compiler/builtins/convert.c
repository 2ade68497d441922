/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions, by their definitions. */
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "call.h"

/* A whole number by a rounding; false for a NaN. */
bool whole_of(real r, enum rounding rounding, real *whole) {
    *whole = rounding == TO_ZERO ? truncl(r) : rounding == UP ? ceill(r) : rounding == DOWN ? floorl(r) : rintl(r);
    return !isnan(r);
}

/* long double holds all bits of the sources here. */
float float_of(real r, enum rounding rounding) {
    float f = (float)r; /* to nearest, even */
    if (rounding == NEAREST || isnan(r) || (real)f == r) return f;
    const bool wants_more = rounding == UP || (rounding == TO_ZERO && r < 0);
    if (wants_more && (real)f < r) f = nextafterf(f, INFINITY);
    if (!wants_more && (real)f > r) f = nextafterf(f, -INFINITY);
    return f;
}

/* Of the bits of a half: 10 bits of fraction, denormals from 2^-24 on. */
uint32_t half_of(float f, enum rounding rounding) {
    const uint32_t sign = signbit(f) ? 0x8000 : 0;
    const real size = fabsl((real)f);
    if (isnan(f)) return 0x7fff;
    if (isinf(f)) return sign | 0x7c00;
    int e = size == 0 ? -14 : ilogbl(size);
    if (e < -14) e = -14;
    real n = 0;
    whole_of(copysignl(ldexpl(size, 10 - e), (real)f), rounding, &n);
    const real rounded = ldexpl(fabsl(n), e - 10);
    if (rounded >= 65536) {
        const bool stays = rounding == TO_ZERO || (rounding == UP && sign != 0) || (rounding == DOWN && sign == 0);
        return sign | (stays ? 0x7bff : 0x7c00);
    }
    if (rounded < ldexpl(1, -14)) return sign | (uint32_t)ldexpl(rounded, 24);
    e = ilogbl(rounded);
    return sign | (uint32_t)(e + 15) << 10 | ((uint32_t)ldexpl(rounded, 10 - e) & 0x3ff);
}

float float_of_half(uint32_t half) {
    const int e = (int)(half >> 10 & 31);
    const float fraction = (float)(half & 0x3ff), sign = half >> 15 != 0 ? -1.0F : 1.0F;
    if (e == 31) return fraction != 0 ? NAN : sign * INFINITY;
    return sign * (e == 0 ? ldexpf(fraction, -24) : ldexpf(fraction + 1024, e - 25));
}

static bool to_integer(const struct builtin *b, real r, struct value *result) {
    const struct type *t = &TYPES[b->to];
    const real least = t->is_signed ? -ldexpl(1, (int)(8 * t->bytes) - 1) : 0;
    const real most = least + ldexpl(1, (int)(8 * t->bytes)) - 1;
    real whole = 0;
    /* For a 64-bit type a NaN gives 2^63, as in PTX; OpenCL recommends 0. */
    if (!whole_of(r, b->rounding, &whole)) return *result = value_of(0), b->saturates && t->bytes < 8;
    if (!b->saturates && (whole < least || whole > most)) return false;
    whole = whole < least ? least : whole > most ? most : whole;
    result->u = whole < 0 ? (uint64_t)(int64_t)whole : (uint64_t)whole;
    return true;
}

static bool converted(const struct call *c, const struct value *v, struct value *result) {
    const struct type *from = &TYPES[c->type], *to = &TYPES[c->builtin->to];
    const real r = from->is_real ? v[0].r : from->is_signed ? (real)v[0].s : (real)v[0].u;
    if (to->is_real) return *result = value_of_real((real)float_of(r, c->builtin->rounding)), true;
    if (from->is_real || c->builtin->saturates) return to_integer(c->builtin, r, result);
    *result = v[0];
    return true;
}

static bool same_bits(const struct call *c, const struct value *v, struct value *result) {
    (void)c;
    *result = v[0];
    return true;
}
static bool of_half(const struct call *c, const struct value *v, struct value *result) {
    (void)c;
    *result = value_of_real((real)float_of_half((uint32_t)v[0].u & 0xffff));
    return true;
}
static bool to_half(const struct call *c, const struct value *v, struct value *result) {
    result->u = half_of((float)v[0].r, c->builtin->rounding);
    return true;
}

static const char LETTERS[] = "cCsSiIlLf";

static void add_conversion(struct builtins *all, unsigned to, bool saturates, char rounding) {
    char name[64], text[96];
    if (saturates && TYPES[to].is_real) return;
    snprintf(name, sizeof name, "convert_%s%s%s%.1s", TYPES[to].name, saturates ? "_sat" : "",
             rounding != 0 ? "_rt" : "", rounding != 0 ? &rounding : "");
    snprintf(text, sizeof text, "convert_%s$w%s%s%.1s(x)", TYPES[to].name, saturates ? "_sat" : "",
             rounding != 0 ? "_rt" : "", rounding != 0 ? &rounding : "");
    const enum rounding usual = TYPES[to].is_real ? NEAREST : TO_ZERO;
    add_row(all, (struct builtin){.name = strdup(name),
                                  .types = LETTERS,
                                  .signature = "RT",
                                  .text = strdup(text),
                                  .one = converted,
                                  .to = to,
                                  .saturates = saturates,
                                  .rounding = rounding != 0 ? (enum rounding)rounding : usual});
}

void add_conversions(struct builtins *all) {
    static const char ROUNDINGS[] = {0, NEAREST, TO_ZERO, UP, DOWN};
    for (unsigned to = 0; to < TYPE_COUNT; to++)
        for (unsigned k = 0; k < 2 * sizeof ROUNDINGS; k++) add_conversion(all, to, k % 2 != 0, ROUNDINGS[k / 2]);
    add_row(
        all,
        (struct builtin){
            .name = "as_ of the unsigned", .types = LETTERS, .signature = "UT", .text = "as_$U(x)", .one = same_bits});
    add_row(all, (struct builtin){.name = "as_ from the unsigned",
                                  .types = "cCsSiIlL",
                                  .signature = "TU",
                                  .text = "as_$T(x)",
                                  .one = same_bits});
    add_row(all, (struct builtin){.name = "vload_half",
                                  .types = "f",
                                  .signature = "FH",
                                  .one = of_half,
                                  .text = "vload_half$w(i, (__global const half *)px + $p * i)"});
    add_row(all, (struct builtin){.name = "vloada_half",
                                  .types = "f",
                                  .signature = "FH",
                                  .one = of_half,
                                  .text = "vloada_half$w(i, (__global const half *)px)"});
    for (unsigned k = 0; k < 2 * sizeof ROUNDINGS; k++) {
        char name[64], text[96];
        const char rounding = ROUNDINGS[k / 2];
        snprintf(name, sizeof name, "vstore%s_half%s%.1s", k % 2 != 0 ? "a" : "", rounding != 0 ? "_rt" : "",
                 rounding != 0 ? &rounding : "");
        snprintf(text, sizeof text, "!vstore%s_half$w%s%.1s(x, i, (__global half *)pz%s)", k % 2 != 0 ? "a" : "",
                 rounding != 0 ? "_rt" : "", rounding != 0 ? &rounding : "", k % 2 != 0 ? "" : " + $p * i");
        add_row(all, (struct builtin){.name = strdup(name),
                                      .types = "f",
                                      .signature = "HF",
                                      .text = strdup(text),
                                      .one = to_half,
                                      .rounding = rounding != 0 ? (enum rounding)rounding : NEAREST});
    }
}
