/* SPDX-License-Identifier: Apache-2.0 */
/* See exact.h. */
#include "exact.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const real PI = 3.14159265358979323846264338327950288L;

static real sine_of_pi(real x) {
    const real whole = rintl(x);
    return (fmodl(whole, 2) != 0 ? -1 : 1) * sinl(PI * (x - whole));
}
static real cosine_of_pi(real x) { return sine_of_pi(0.5L - fabsl(fmodl(x, 2))); }

static real of_acospi(real x, real y) { return (void)y, acosl(x) / PI; }
static real of_asinpi(real x, real y) { return (void)y, asinl(x) / PI; }
static real of_atanpi(real x, real y) { return (void)y, atanl(x) / PI; }
static real of_sinpi(real x, real y) { return (void)y, sine_of_pi(x); }
static real of_cospi(real x, real y) { return (void)y, cosine_of_pi(x); }
static real of_tanpi(real x, real y) {
    (void)y;
    const real whole = floorl(x);
    if (x - whole == 0.5L) return fmodl(whole, 2) == 0 ? INFINITY : -INFINITY;
    return sine_of_pi(x) / cosine_of_pi(x);
}
static real of_exp10(real x, real y) { return (void)y, powl(10, x); }
static real of_rsqrt(real x, real y) { return (void)y, 1 / sqrtl(x); }
static real of_reciprocal(real x, real y) { return (void)y, 1 / x; }
static real of_quotient(real x, real y) { return x / y; }
static real of_atan2pi(real x, real y) { return atan2l(x, y) / PI; }
static real of_fma(real x, real y) { return x * y + x; } /* exact up to the 64 bits of the significand */
static real of_pown(real x, real y) { return powl(x, fabsl(y) < 1e9L ? truncl(y) : 2); }
static real of_powr(real x, real y) {
    if (isnan(x) || isnan(y) || x < 0 || (y == 0 && (x == 0 || isinf(x))) || (x == 1 && isinf(y))) return NAN;
    return powl(fabsl(x), y);
}
static int root_of(real y) { return fabsl(y) >= 1 && fabsl(y) < 1e9L ? (int)y : 3; }
static real of_rootn(real x, real y) {
    const int n = root_of(y);
    if (x < 0 && n % 2 == 0) return NAN;
    return copysignl(powl(fabsl(x), 1.0L / n), n % 2 == 0 ? 1 : x);
}
static real of_lgamma(real x, real y) { return (void)y, lgammal(fabsl(x)); }
static real of_maxmag(real x, real y) { return fabsl(x) > fabsl(y) ? x : fabsl(y) > fabsl(x) ? y : fmaxl(x, y); }
static real of_minmag(real x, real y) { return fabsl(x) < fabsl(y) ? x : fabsl(y) < fabsl(x) ? y : fminl(x, y); }

#define ONE(name) \
    static real of_##name(real x, real y) { return (void)y, name##l(x); }
#define TWO(name) \
    static real of_##name(real x, real y) { return name##l(x, y); }
ONE(acos)
ONE(acosh)
ONE(asin)
ONE(asinh)
ONE(atan)
ONE(atanh)
ONE(cbrt)
ONE(ceil)
ONE(cos)
ONE(cosh)
ONE(erf)
ONE(erfc)
ONE(exp)
ONE(exp2)
ONE(expm1)
ONE(fabs)
ONE(floor)
ONE(log)
ONE(log10)
ONE(log1p)
ONE(log2)
ONE(rint)
ONE(round)
ONE(sin)
ONE(sinh)
ONE(sqrt)
ONE(tan)
ONE(tanh)
ONE(tgamma)
ONE(trunc)
TWO(atan2)
TWO(copysign)
TWO(fdim)
TWO(fmax)
TWO(fmin)
TWO(fmod)
TWO(hypot)
TWO(pow)
TWO(remainder)

const struct function FUNCTIONS[] = {
    {"x / y",     "x / y",                                                 2.5, of_quotient  },
    {"1 / x",     "1 / x",                                                 2.5, of_reciprocal},
    {"fma",       "fma(x, y, x)",                                          0.5, of_fma       },
    {"sqrt",      "sqrt(x)",                                               3,   of_sqrt      },
    {"rsqrt",     "rsqrt(x)",                                              2,   of_rsqrt     },
    {"cbrt",      "cbrt(x)",                                               2,   of_cbrt      },
    {"hypot",     "hypot(x, y)",                                           4,   of_hypot     },
    {"exp",       "exp(x)",                                                3,   of_exp       },
    {"exp2",      "exp2(x)",                                               3,   of_exp2      },
    {"exp10",     "exp10(x)",                                              3,   of_exp10     },
    {"expm1",     "expm1(x)",                                              3,   of_expm1     },
    {"log",       "log(x)",                                                3,   of_log       },
    {"log2",      "log2(x)",                                               3,   of_log2      },
    {"log10",     "log10(x)",                                              3,   of_log10     },
    {"log1p",     "log1p(x)",                                              2,   of_log1p     },
    {"pow",       "pow(x, y)",                                             16,  of_pow       },
    {"powr",      "powr(x, y)",                                            16,  of_powr      },
    {"pown",      "pown(x, fabs(y) < 1e9f ? (int)y : 2)",                  16,  of_pown      },
    {"rootn",     "rootn(x, fabs(y) >= 1 && fabs(y) < 1e9f ? (int)y : 3)", 16,  of_rootn     },
    {"sin",       "sin(x)",                                                4,   of_sin       },
    {"cos",       "cos(x)",                                                4,   of_cos       },
    {"tan",       "tan(x)",                                                5,   of_tan       },
    {"sinpi",     "sinpi(x)",                                              4,   of_sinpi     },
    {"cospi",     "cospi(x)",                                              4,   of_cospi     },
    {"tanpi",     "tanpi(x)",                                              6,   of_tanpi     },
    {"asin",      "asin(x)",                                               4,   of_asin      },
    {"acos",      "acos(x)",                                               4,   of_acos      },
    {"atan",      "atan(x)",                                               5,   of_atan      },
    {"atan2",     "atan2(x, y)",                                           6,   of_atan2     },
    {"asinpi",    "asinpi(x)",                                             5,   of_asinpi    },
    {"acospi",    "acospi(x)",                                             5,   of_acospi    },
    {"atanpi",    "atanpi(x)",                                             5,   of_atanpi    },
    {"atan2pi",   "atan2pi(x, y)",                                         6,   of_atan2pi   },
    {"sinh",      "sinh(x)",                                               4,   of_sinh      },
    {"cosh",      "cosh(x)",                                               4,   of_cosh      },
    {"tanh",      "tanh(x)",                                               5,   of_tanh      },
    {"asinh",     "asinh(x)",                                              4,   of_asinh     },
    {"acosh",     "acosh(x)",                                              4,   of_acosh     },
    {"atanh",     "atanh(x)",                                              5,   of_atanh     },
    {"erf",       "erf(x)",                                                16,  of_erf       },
    {"erfc",      "erfc(x)",                                               16,  of_erfc      },
    {"tgamma",    "tgamma(x)",                                             16,  of_tgamma    },
    {"lgamma",    "lgamma(fabs(x))",                                       16,  of_lgamma    },
    {"fmod",      "fmod(x, y)",                                            0,   of_fmod      },
    {"remainder", "remainder(x, y)",                                       0,   of_remainder },
    {"ceil",      "ceil(x)",                                               0,   of_ceil      },
    {"floor",     "floor(x)",                                              0,   of_floor     },
    {"rint",      "rint(x)",                                               0,   of_rint      },
    {"round",     "round(x)",                                              0,   of_round     },
    {"trunc",     "trunc(x)",                                              0,   of_trunc     },
    {"fabs",      "fabs(x)",                                               0,   of_fabs      },
    {"fdim",      "fdim(x, y)",                                            0.5, of_fdim      },
    {"fmax",      "fmax(x, y)",                                            0,   of_fmax      },
    {"fmin",      "fmin(x, y)",                                            0,   of_fmin      },
    {"maxmag",    "maxmag(x, y)",                                          0,   of_maxmag    },
    {"minmag",    "minmag(x, y)",                                          0,   of_minmag    },
    {"copysign",  "copysign(x, y)",                                        0,   of_copysign  },
};
const unsigned FUNCTION_COUNT = sizeof FUNCTIONS / sizeof *FUNCTIONS;

/* ---- operands ---- */

uint32_t random32(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

float number_of(uint32_t bits) {
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* No denormals, no NaN: of every exponent, below 1, up to 100, of medium size, whole. */
float draw_number(uint64_t *state) {
    const uint32_t bits = random32(state), kind = random32(state) % 8;
    const int32_t whole = (int32_t)bits / 256;
    const float unit = (float)whole / 8388608.0f;
    if (kind == 0 || kind == 7) {
        const float f = number_of(bits);
        return isnormal(f) ? f : bits >> 31 ? -0.0f : 0.0f;
    }
    if (kind <= 2) return unit;
    if (kind <= 4) return unit * 100;
    return kind == 5 ? ldexpf(unit, (int)(bits & 31) - 16) : rintf(unit * 20);
}

/* ---- errors ---- */

double error_of(float found, real exact) {
    if (isnan(exact)) return isnan(found) ? 0 : HUGE_VAL;
    if (isnan(found)) return HUGE_VAL;
    const real magnitude = fabsl(exact), least = 0x1p-126L;
    if (magnitude >= 0x1.ffffffp127L) /* half a unit above the largest */
        return isinf(found) && !signbit(found) == !signbit(exact) ? 0 : isinf(exact) ? HUGE_VAL : 1;
    if (isinf(found)) return magnitude > 0x1.fffff0p127L ? 1 : HUGE_VAL;
    if (magnitude < least) return fabsf(found) <= (float)least ? 0 : (double)(fabsl(found - exact) / 0x1p-149L);
    return (double)(fabsl(found - exact) / ldexpl(1, ilogbl(magnitude) - 23));
}
