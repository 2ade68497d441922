/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of single precision: those of exact.c, and the rest. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "call.h"

#define ONE(name, expression)                                                                   \
    static bool name##_one(const struct call *c, const struct value *v, struct value *result) { \
        const real x = v[0].r, y = v[1].r, w = v[2].r;                                          \
        (void)c, (void)x, (void)y, (void)w;                                                     \
        *result = value_of_real(expression);                                                    \
        return true;                                                                            \
    }
#define INTEGER(name, expression)                                                               \
    static bool name##_one(const struct call *c, const struct value *v, struct value *result) { \
        const real x = v[0].r, y = v[1].r, w = v[2].r;                                          \
        (void)c, (void)x, (void)y, (void)w;                                                     \
        *result = value_of(expression);                                                         \
        return true;                                                                            \
    }
#define RELATION(name, expression) INTEGER(name, c->width == 1 ? (expression) != 0 : -((expression) != 0))

static const real PI = 3.14159265358979323846264338327950288L;

static real clamped(real x, real least, real most) { return fminl(fmaxl(x, least), most); }
static real smooth(real t) { return t * t * (3 - 2 * t); }
static real fraction(real x) {
    int e = 0;
    return frexpl(x, &e);
}
static int exponent(real x) {
    int e = 0;
    frexpl(x, &e);
    return isfinite(x) ? e : 0;
}
static int power(const struct value *v) { return (int)(v[1].s % 20); }
static real divided(real x, real y, int *quotient) { return (real)remquof((float)x, (float)y, quotient); }

ONE(mad, x *w + w)
ONE(degrees, x *(180 / PI))
ONE(radians, x *(PI / 180))
/* Without cancellation. */
static bool mix_one(const struct call *c, const struct value *v, struct value *result) {
    const real x = v[0].r, change = (v[1].r - x) * v[2].r;
    (void)c;
    *result = value_of_real(x + change);
    return fabsl(x + change) >= fmaxl(fabsl(x), fabsl(change)) / 16;
}
ONE(step, y < x ? 0 : 1)
ONE(smoothstep, smooth(clamped((w + 2) / 4, 0, 1)))
ONE(sign, isnan(x) ? 0 : x > 0 ? 1 : x < 0 ? -1 : x)
ONE(size, fabsl(w))
ONE(up_to_one, fminl(w, 1))
ONE(fract, isinf(x) ? copysignl(0, x) : isnan(x) ? x : fminl((float)(x - floorl(x)), 0x1.fffffep-1L))
ONE(whole, isnan(x) ? x : floorl(x))
ONE(modf, isinf(x) ? copysignl(0, x) : x - truncl(x))
ONE(truncated, truncl(x))
ONE(frexp, fraction(x))
INTEGER(frexp_exponent, exponent(x))
ONE(ldexp, ldexpl(x, power(v)))
ONE(pown, powl(x, power(v)))
ONE(rootn, power(v) % 2 == 0 && x < 0 ? NAN
           : power(v) == 0            ? NAN
                                      : copysignl(powl(fabsl(x), 1.0L / power(v)), power(v) % 2 == 0 ? 1 : x))
INTEGER(ilogb, x == 0 ? INT32_MIN : isfinite(x) ? ilogbl(x) : INT32_MAX)
ONE(logb, logbl(x))
ONE(nextafter, nextafterf((float)x, (float)y))
ONE(nan, NAN)
ONE(sin, sinl(x))
ONE(cos, cosl(x))
ONE(sin_near, sinl(w))
ONE(cos_near, cosl(w))
ONE(tan_near, tanl(w))
ONE(exp_near, expl(w))
ONE(exp2_near, exp2l(w))
ONE(exp10_near, powl(10, w))
ONE(log_near, logl(fabsl(w)))
ONE(log2_near, log2l(fabsl(w)))
ONE(log10_near, log10l(fabsl(w)))
ONE(powr_near, powl(fabsl(w), w))
ONE(divide_near, x / w)
ONE(recip_near, 1 / w)
ONE(sqrt_near, sqrtl(fabsl(w)))
ONE(rsqrt_near, 1 / sqrtl(fabsl(w)))
ONE(lgamma_near, lgammal(w))
INTEGER(lgamma_sign, w < 0 && fmodl(floorl(w), 2) != 0 ? -1 : 1)
RELATION(isequal, x == y)
RELATION(isnotequal, x != y)
RELATION(isgreater, isgreater(x, y))
RELATION(isgreaterequal, isgreaterequal(x, y))
RELATION(isless, isless(x, y))
RELATION(islessequal, islessequal(x, y))
RELATION(islessgreater, islessgreater(x, y))
RELATION(isfinite, isfinite(x))
RELATION(isinf, isinf(x))
RELATION(isnan, isnan(x))
RELATION(isnormal, isfinite(x) && x != 0)
RELATION(isordered, !isunordered(x, y))
RELATION(isunordered, isunordered(x, y))
RELATION(signbit, v[0].u >> 31 & 1)
ONE(chosen, (c->width == 1 ? v[2].u != 0 : v[2].s < 0) ? y : x)

static bool remquo_one(const struct call *c, const struct value *v, struct value *result) {
    int quotient = 0;
    (void)c;
    *result = value_of_real(divided(v[0].r, v[1].r, &quotient));
    return true;
}
/* The sign, and seven bits. */
static bool remquo_quotient_one(const struct call *c, const struct value *v, struct value *result) {
    (void)c;
    int quotient = 0;
    if (isnan(divided(v[0].r, v[1].r, &quotient))) return false;
    *result = value_of(quotient % 8);
    return true;
}
static bool bits_one(const struct call *c, const struct value *v, struct value *result) {
    (void)c;
    result->u = (v[0].u & ~v[2].u) | (v[1].u & v[2].u);
    return true;
}

/* For a NaN, the result of comparisons is accepted, too. */
static bool clamp_one(const struct call *c, const struct value *v, struct value *result) {
    (void)c;
    *result = value_of_real(clamped(v[0].r, fminl(v[1].r, v[2].r), fmaxl(v[1].r, v[2].r)));
    return !isnan(v[0].r) && !isnan(v[1].r);
}

#define F(n, s, b, t, f) \
    { .name = (n), .types = "f", .signature = (s), .bound = (b), .text = (t), .one = f##_one }
#define SECOND(type, call) "!$" type " p; " call "; *out = p"
static const struct builtin ROWS[] = {
    F("mad", "FFFF", -1e-6, "mad(x, w, w)", mad),
    F("clamp", "FFFF", 0, "clamp(x, fmin(y, w), fmax(y, w))", clamp),
    F("clamp of scalars", "FFff", 0, "clamp(x, fmin(y, w), fmax(y, w))", clamp),
    F("degrees", "FF", 3, NULL, degrees),
    F("radians", "FF", 3, NULL, radians),
    F("mix", "FFFF", -1e-5, "mix(x, y, w)", mix),
    F("mix by a scalar", "FFFf", -1e-5, "mix(x, y, w)", mix),
    F("step", "FFF", 0, NULL, step),
    F("step of a scalar", "FfF", 0, "step(x, y)", step),
    F("smoothstep", "FFFF", -1e-6, "smoothstep(($F)-2.0f, ($F)2.0f, w)", smoothstep),
    F("smoothstep of scalars", "FFFF", -1e-6, "smoothstep(-2.0f, 2.0f, w)", smoothstep),
    F("sign", "FF", 0, NULL, sign),
    F("fract", "FF", 0, "!$F p; *out = fract(x, &p)", fract),
    F("fract, whole", "FF", 0, SECOND("F", "fract(x, &p)"), whole),
    F("modf", "FF", 0, "!$F p; *out = modf(x, &p)", modf),
    F("modf, whole", "FF", 0, SECOND("F", "modf(x, &p)"), truncated),
    F("modf in memory", "FF", 0, "!modf(x, out)", truncated),
    F("frexp", "FF", 0, "!$I p; *out = frexp(x, &p)", frexp),
    F("frexp, exponent", "IF", 0, SECOND("I", "frexp(x, &p)"), frexp_exponent),
    F("ldexp", "FFI", 0.5, "ldexp(x, y % 20)", ldexp),
    F("pown", "FFI", 16, "pown(x, y % 20)", pown),
    F("rootn", "FFI", 16, "rootn(x, y % 20)", rootn),
    F("logb", "FF", 0, NULL, logb),
    F("ilogb", "IF", 0, NULL, ilogb),
    F("nextafter", "FFF", 0, NULL, nextafter),
    F("nan", "FU", 0, "nan(x)", nan),
    F("remquo", "FFF", 0, "!$I p; *out = remquo(x, y, &p)", remquo),
    F("remquo, quotient", "IFF", 0, SECOND("I", "remquo(x, y, &p)") " % 8", remquo_quotient),
    F("sincos", "FF", 4, "!$F p; *out = sincos(x, &p)", sin),
    F("sincos, cosine", "FF", 4, SECOND("F", "sincos(x, &p)"), cos),
    F("sincos in memory", "FF", 4, "!sincos(x, out)", cos),
    F("lgamma_r", "FFFF", -1e-5, "!$I p; *out = lgamma_r(w, &p)", lgamma_near),
    F("lgamma_r, sign", "IFFF", 0, SECOND("I", "lgamma_r(w, &p)"), lgamma_sign),
    F("native_sin", "FFFF", -1e-5, "native_sin(w)", sin_near),
    F("native_cos", "FFFF", -1e-5, "native_cos(w)", cos_near),
    F("native_tan", "FFFF", 1e9, "native_tan(w)", tan_near),
    F("native_exp", "FFFF", 64, "native_exp(w)", exp_near),
    F("native_exp2", "FFFF", 64, "native_exp2(w)", exp2_near),
    F("native_exp10", "FFFF", 64, "native_exp10(w)", exp10_near),
    F("native_log", "FFFF", -1e-6, "native_log(fabs(w))", log_near),
    F("native_log2", "FFFF", -1e-6, "native_log2(fabs(w))", log2_near),
    F("native_log10", "FFFF", -1e-6, "native_log10(fabs(w))", log10_near),
    F("native_powr", "FFFF", 256, "native_powr(fabs(w), w)", powr_near),
    F("native_divide", "FFFF", 1e9, "native_divide(x, w)", divide_near),
    F("native_recip", "FFFF", 3, "native_recip(w)", recip_near),
    F("native_sqrt", "FFFF", 4, "native_sqrt(fabs(w))", sqrt_near),
    F("native_rsqrt", "FFFF", 4, "native_rsqrt(fabs(w))", rsqrt_near),
    F("half_sin", "FFFF", 8192, "half_sin(w)", sin_near),
    F("half_cos", "FFFF", 8192, "half_cos(w)", cos_near),
    F("half_tan", "FFFF", 8192, "half_tan(w)", tan_near),
    F("half_exp", "FFFF", 8192, "half_exp(w)", exp_near),
    F("half_exp2", "FFFF", 8192, "half_exp2(w)", exp2_near),
    F("half_exp10", "FFFF", 8192, "half_exp10(w)", exp10_near),
    F("half_log", "FFFF", 8192, "half_log(fabs(w))", log_near),
    F("half_log2", "FFFF", 8192, "half_log2(fabs(w))", log2_near),
    F("half_log10", "FFFF", 8192, "half_log10(fabs(w))", log10_near),
    F("half_powr", "FFFF", 8192, "half_powr(fabs(w), w)", powr_near),
    F("half_divide", "FFFF", 8192, "half_divide(x, w)", divide_near),
    F("half_recip", "FFFF", 8192, "half_recip(w)", recip_near),
    F("half_sqrt", "FFFF", 8192, "half_sqrt(fabs(w))", sqrt_near),
    F("half_rsqrt", "FFFF", 8192, "half_rsqrt(fabs(w))", rsqrt_near),
    F("isequal", "BFF", 0, NULL, isequal),
    F("isnotequal", "BFF", 0, NULL, isnotequal),
    F("isgreater", "BFF", 0, NULL, isgreater),
    F("isgreaterequal", "BFF", 0, NULL, isgreaterequal),
    F("isless", "BFF", 0, NULL, isless),
    F("islessequal", "BFF", 0, NULL, islessequal),
    F("islessgreater", "BFF", 0, NULL, islessgreater),
    F("isfinite", "BF", 0, NULL, isfinite),
    F("isinf", "BF", 0, NULL, isinf),
    F("isnan", "BF", 0, NULL, isnan),
    F("isnormal", "BF", 0, NULL, isnormal),
    F("isordered", "BFF", 0, NULL, isordered),
    F("isunordered", "BFF", 0, NULL, isunordered),
    F("signbit", "BF", 0, NULL, signbit),
    F("==", "BFF", 0, "x == y", isequal),
    F("<", "BFF", 0, "x < y", isless),
    F("bitselect", "UUUU", 0, "as_$U(bitselect(as_$F(x), as_$F(y), as_$F(w)))", bits),
    F("select", "FFFI", 0, NULL, chosen),
    F("max", "FFFF", 0, "max(w, -w)", size),
    F("min", "FFFF", 0, "min(w, 1.0f)", up_to_one),
};

static bool by_table(const struct call *c, const struct value *v, struct value *result) {
    *result = value_of_real(c->builtin->exact(v[0].r, v[1].r));
    return true;
}

void add_reals(struct builtins *all) {
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) add_row(all, ROWS[i]);
    for (unsigned i = 0; i < FUNCTION_COUNT; i++)
        if (strchr(FUNCTIONS[i].expression, '?') == NULL)
            add_row(all, (struct builtin){.name = FUNCTIONS[i].name,
                                          .types = "f",
                                          .signature = "FFF",
                                          .text = FUNCTIONS[i].expression,
                                          .one = by_table,
                                          .bound = FUNCTIONS[i].bound,
                                          .exact = FUNCTIONS[i].exact});
}
