/* SPDX-License-Identifier: Apache-2.0 */
/* Single-precision mathematics of OpenCL C and CUDA C for sm_10. a * b + c is FMAD, which truncates the product, so
 * products whose low bits matter have factors of 12 bits. EX2 is correct to half a unit at multiples of 1/64.
 * Denormals are zero. The error bounds are OpenCL's. Polynomials are minimax fits, rounded coefficient by
 * coefficient. The driver puts it before the functions of the language. */
#ifdef __OPENCL_C_VERSION__
#define WARP_INLINE static inline __attribute__((always_inline, nodebug, overloadable))
WARP_INLINE unsigned warp_bits(float a) { return as_uint(a); }
WARP_INLINE float warp_number(unsigned a) { return as_float(a); }
#else
#define WARP_INLINE static __attribute__((device, always_inline, nodebug)) inline
WARP_INLINE unsigned warp_bits(float a) { return __builtin_bit_cast(unsigned, a); }
WARP_INLINE float warp_number(unsigned a) { return __builtin_bit_cast(float, a); }
#endif
/* Sums are not reassociated, even with -cl-unsafe-math-optimizations. */
#define WARP_EXACT _Pragma("clang fp reassociate(off)")

#define WARP_INFINITY warp_number(0x7f800000)
#define WARP_NAN      warp_number(0x7fffffff)

WARP_INLINE float warp_size(float a) { return __builtin_fabsf(a); }
WARP_INLINE float warp_ex2(float a) { return __nvvm_ex2_approx_ftz_f(a); }
WARP_INLINE float warp_lg2(float a) { return __nvvm_lg2_approx_ftz_f(a); }
WARP_INLINE float warp_rsq(float a) { return __nvvm_rsqrt_approx_ftz_f(a); }
WARP_INLINE float warp_rcp(float a) {
    WARP_EXACT
    float d;
    __asm__("rcp.approx.ftz.f32 %0, %1;" : "=f"(d) : "f"(a));
    return d;
}
WARP_INLINE float warp_half(float a) { return warp_number(warp_bits(a) & 0xfffff000); } /* the first 12 bits */
WARP_INLINE float warp_with_sign(float a, unsigned sign) { return warp_number(warp_bits(a) ^ (sign & 0x80000000)); }
/* Of a >= 0, finite; NaN below zero. */
WARP_INLINE float warp_root(float a) {
    WARP_EXACT
    const float inverse = warp_rsq(a + 0x1p-110f), s = a * inverse;
    return s + s * (0.5f - s * (inverse * 0.5f));
}
WARP_INLINE float warp_quotient(float a, float b) {
    WARP_EXACT
    const float inverse = warp_rcp(b), q = a * inverse;
    return q + (a - q * b) * inverse;
}

/* ---- powers of 2, e and 10: EX2 of a multiple of 1/64, times a correction ---- */

/* Error of EX2 for such a number, which is too large; RRO makes negative ones smaller by 2^-23. */
WARP_INLINE float warp_ex2_error(float v) { return v < 0 ? 5.4e-08f : -3.7e-08f; }
/* e^r - 1 and 2^r - 1 with that error. They are added to 1 before the product, which may be below 2^-126. */
WARP_INLINE float warp_exp_rest(float r, float error) {
    WARP_EXACT
    return r * (r * (r * 0.166667506f + 0.500004053f) + 1) + error;
}
WARP_INLINE float warp_exp2_rest(float r, float error) {
    WARP_EXACT
    return r * (r * (r * 0.0554966778f + 0.240228415f) + 0.693147182f) + error;
}

/* Truncates to a multiple of 1/64. Its power is infinite only if the result is. */
WARP_INLINE float warp_grid(float scaled) { return __builtin_truncf(scaled) * 0.015625f; }
/* x - v * ln 2 */
WARP_INLINE float warp_exp_residue(float x, float v) {
    WARP_EXACT
    return (x - v * 0x1.62cp-1f) - v * 0x1.217f7ep-12f;
}

WARP_INLINE float warp_exp(float x) {
    WARP_EXACT
    const float v = warp_grid(x * 92.3324f), power = warp_ex2(v);
    const float y = power * (1 + warp_exp_rest(warp_exp_residue(x, v), warp_ex2_error(x)));
    return warp_size(x) < 89.0f ? y : power;
}
WARP_INLINE float warp_exp2(float x) {
    WARP_EXACT
    const float v = warp_grid(x * 64), power = warp_ex2(v);
    const float y = power * (1 + warp_exp2_rest(x - v, warp_ex2_error(x)));
    return warp_size(x) < 128.0f ? y : power;
}
WARP_INLINE float warp_exp10(float x) {
    WARP_EXACT
    const float v = warp_grid(x * 212.6032f), power = warp_ex2(v);
    const float r = (x - v * 0x1.344p-2f) - v * 0x1.3509f8p-18f;
    const float y = power * (1 + warp_exp_rest(r * 2.30258512f, warp_ex2_error(x)));
    return warp_size(x) < 39.0f ? y : power;
}
WARP_INLINE float warp_expm1(float x) {
    WARP_EXACT
    const float v = warp_grid(x * 92.3324f), power = warp_ex2(v);
    const float y = (power - 1) + power * warp_exp_rest(warp_exp_residue(x, v), warp_ex2_error(x));
    float p = x * 0.000198179099f + 0.001395097f;
    p = p * x + 0.00833350047f;
    p = p * x + 0.0416663066f;
    p = p * x + 0.166666657f;
    p = p * x + 0.5f;
    if (warp_size(x) < 0.4f) return x + x * x * p;
    return warp_size(x) < 89.0f ? y : power - 1;
}

/* ---- logarithms: a power of two, and 1 + f between the roots of 1/2 and 2 ---- */

WARP_INLINE unsigned warp_power_of(float x) { return (warp_bits(x) - 0x3f3504f3) & 0xff800000; } /* times 2^23 */
WARP_INLINE float warp_scaled(float x, unsigned power) {
    WARP_EXACT
    return warp_number(warp_bits(x) - power);
}
WARP_INLINE float warp_as_real(unsigned power) { return (float)(int)power; }
/* Returns whether x is positive, normal and finite. */
WARP_INLINE int warp_is_positive(float x) { return warp_bits(x) - 0x00800000 < 0x7f000000; }

/* log(1 + f) - f */
WARP_INLINE float warp_log_rest(float f) {
    WARP_EXACT
    float p = f * -0.0764514953f + 0.127783552f;
    p = p * f + -0.131642282f;
    p = p * f + 0.141998321f;
    p = p * f + -0.166227743f;
    p = p * f + 0.200012848f;
    p = p * f + -0.250008374f;
    p = p * f + 0.333333313f;
    return f * f * (p * f + -0.5f);
}
WARP_INLINE float warp_log_sum(float k, float f) {
    WARP_EXACT
    return k * 0x1.62cp-24f + (f + (k * 0x1.217f7ep-35f + warp_log_rest(f)));
}
WARP_INLINE float warp_log(float x) {
    WARP_EXACT
    const unsigned power = warp_power_of(x);
    const float y = warp_log_sum(warp_as_real(power), warp_scaled(x, power) - 1);
    return warp_is_positive(x) ? y : warp_lg2(x);
}
WARP_INLINE float warp_log2(float x) {
    WARP_EXACT
    const unsigned power = warp_power_of(x);
    const float f = warp_scaled(x, power) - 1, y = f + warp_log_rest(f);
    const float sum = warp_as_real(power) * 0x1p-23f + y * 1.44269502f;
    return warp_is_positive(x) ? sum : warp_lg2(x);
}
WARP_INLINE float warp_log10(float x) {
    WARP_EXACT
    const unsigned power = warp_power_of(x);
    const float f = warp_scaled(x, power) - 1, y = f + warp_log_rest(f), k = warp_as_real(power);
    const float sum = k * 0x1.344p-25f + (k * 0x1.3509f8p-41f + y * 0.434294492f);
    return warp_is_positive(x) ? sum : warp_lg2(x);
}
/* log1p: 1 + f is (1 + x) / 2^k, where x / 2^k is exact. */
WARP_INLINE float warp_log1p(float x) {
    WARP_EXACT
    const float u = 1 + x;
    const unsigned power = warp_power_of(u);
    const float scale = warp_number(0x3f800000 - power);
    const float f = x < 0x1p30f ? x * scale + (scale - 1) : warp_scaled(u, power) - 1;
    const float y = warp_log_sum(warp_as_real(power), f);
    return warp_is_positive(u) ? y : warp_lg2(u);
}

/* ---- powers: the logarithm as a sum of two ---- */

struct warp_pair {
    float high, low;
};

/* log2(a) - less for a positive a: 2 / ln 2 * (s + s^3 / 3 + ...), s = f / (2 + f) in two parts. */
WARP_INLINE struct warp_pair warp_log2_pair(float a, float less) {
    WARP_EXACT
    const unsigned power = warp_power_of(a);
    const float m = warp_scaled(a, power), f = m - 1, d = m + 1, inverse = warp_rcp(d);
    const float s = warp_half(f * inverse), d_high = warp_half(d), d_low = (d - d_high) + (m - (d - 1));
    const float s_low = ((f - s * d_high) - s * d_low) * inverse;
    const float all = s + s_low, t = all * all;
    const float rest = s_low + all * t * (t * (t * 0.149360687f + 0.199887767f) + 0.33333388f);
    const float k = warp_as_real(power) * 0x1p-23f - less, first = s * 0x1.714p+1f;
    const float sum = k + first;
    const float low = (first - (sum - k)) + (s * 0x1.47652cp-11f + rest * 2.88539004f);
    struct warp_pair result;
    result.high = sum + low;
    result.low = low - (result.high - sum);
    return result;
}
/* 2^((y + y_low) * l + more - less); less is an integer */
WARP_INLINE float warp_exp2_of_product(float y, float y_low, struct warp_pair l, float more, float less) {
    WARP_EXACT
    const float y_high = warp_half(y), high = warp_half(l.high);
    const float p = y_high * high;
    const float q = ((y - y_high) * high + y * ((l.high - high) + l.low)) + (y_low * l.high + more);
    const float w = p + q, v = warp_grid(w * 64), power = warp_ex2(v - less);
    const float z = power * (1 + warp_exp2_rest((p - v) + q, warp_ex2_error(w)));
    return warp_size(w - less) < 128.0f ? z : warp_ex2(w - less);
}
WARP_INLINE float warp_power(float a, float y, float y_low) {
    WARP_EXACT
    return warp_exp2_of_product(y, y_low, warp_log2_pair(a, 0), 0, 0);
}
WARP_INLINE float warp_powr(float x, float y) {
    WARP_EXACT
    const float z = warp_power(x, y, 0);
    return warp_is_positive(x) && warp_size(y) < WARP_INFINITY ? z : warp_ex2(y * warp_lg2(x));
}
WARP_INLINE float warp_pow(float x, float y) {
    WARP_EXACT
    const float a = warp_size(x), middle = y * 0.5f;
    const int is_whole = __builtin_truncf(y) == y, is_odd = is_whole && __builtin_truncf(middle) != middle;
    float z = warp_powr(a, y);
    if (a == 1.0f && y == y) z = 1;
    if (x < 0 && !is_whole && a < WARP_INFINITY) z = WARP_NAN;
    if (is_odd) z = warp_with_sign(z, warp_bits(x));
    return x == 1.0f || y == 0.0f ? 1.0f : z;
}
WARP_INLINE float warp_pown(float x, int n) {
    WARP_EXACT
    const float a = warp_size(x), y = (float)n;
    const float z = warp_power(a, y, (float)(n - (int)y));
    const float magnitude = warp_is_positive(a) ? z : warp_ex2(y * warp_lg2(a));
    return n == 0 ? 1.0f : warp_with_sign(magnitude, (n & 1) != 0 ? warp_bits(x) : 0);
}
WARP_INLINE float warp_rootn(float x, int n) {
    WARP_EXACT
    const float a = warp_size(x), y = (float)n, inverse = warp_rcp(y), first = warp_half(inverse);
    const float y_high = warp_half(y), rest = ((1 - first * y_high) - first * (y - y_high)) * inverse;
    const float z = warp_power(a, first, rest);
    const float magnitude = warp_is_positive(a) ? z : warp_ex2(inverse * warp_lg2(a));
    if (n == 0 || ((n & 1) == 0 && x < 0)) return WARP_NAN;
    return warp_with_sign(magnitude, (n & 1) != 0 ? warp_bits(x) : 0);
}

/* ---- roots ---- */

/* Product of c, with 8 bits and so an exact cube, and (1 + u)^(1/3), u = x / c^3 - 1. */
WARP_INLINE float warp_cbrt(float x) {
    WARP_EXACT
    const float size = warp_size(x);
    const int is_small = size < 0x1p-60f;
    const float a = is_small ? size * 0x1p60f : size;
    const float c = warp_number(warp_bits(warp_ex2(warp_lg2(a) * 0.333333313f)) & 0xffff0000), inverse = warp_rcp(c);
    const float u = (a - c * c * c) * inverse * inverse * inverse;
    const float y = c + c * (u * (u * (u * 0.0598249473f + -0.111084111f) + 0.333333224f));
    const float scaled = is_small ? y * 0x1p-20f : y;
    return warp_is_positive(size) ? warp_with_sign(scaled, warp_bits(x)) : x + x;
}
WARP_INLINE float warp_hypot(float x, float y) {
    WARP_EXACT
    const float a = warp_size(x), b = warp_size(y), most = __nvvm_fmax_f(a, b);
    const unsigned exponent = warp_bits(most) & 0x7f800000, power = exponent > 0x7e800000 ? 0x7e800000 : exponent;
    const float scale = warp_number(0x7f000000 - power); /* 2^-k */
    const float p = a * scale, q = b * scale, sum = p * p + q * q, z = sum * warp_rsq(sum) * warp_number(power);
    if (a == WARP_INFINITY || b == WARP_INFINITY) return WARP_INFINITY;
    return most == 0.0f ? a + b : z;
}

/* ---- trigonometric functions ---- */

/* For r between -pi/4 and pi/4. */
WARP_INLINE float warp_sin_near(float r) {
    WARP_EXACT
    const float t = r * r;
    return r + r * t * (t * (t * -0.000195178945f + 0.00833218731f) + -0.166666552f);
}
WARP_INLINE float warp_cos_near(float r) {
    WARP_EXACT
    const float t = r * r;
    return (1 - t * 0.5f) + t * t * (t * (t * 2.44306611e-05f + -0.00138873013f) + 0.0416666456f);
}

struct warp_angle {
    float rest;
    unsigned quarter;
};

WARP_INLINE unsigned warp_high(unsigned a, unsigned b) { return __nvvm_mulhi_ui(a, b); }
WARP_INLINE unsigned warp_funnel(unsigned high, unsigned low, unsigned n) {
    WARP_EXACT
    return (high << n) | ((low >> 1) >> (31 - n));
}

/* For a large a: 24 bits times 96 bits of 2 / pi, without multiples of 4. */
WARP_INLINE struct warp_angle warp_reduce_large(float a) {
    WARP_EXACT
    const unsigned bits = warp_bits(a), m = (bits & 0x7fffff) | 0x800000, offset = (bits >> 23) - 120;
    const unsigned by = offset & 31, place = offset >> 5;
    unsigned w0 = 0, w1 = 0xa2f9836e, w2 = 0x4e441529, w3 = 0xfc2757d1, w4 = 0xf534ddc0;
    if (place & 2) w0 = w2, w1 = w3, w2 = w4, w3 = 0xdb629599, w4 = 0x3c439041;
    if (place & 1) w0 = w1, w1 = w2, w2 = w3, w3 = w4;
    if (place & 4) w0 = 0xf534ddc0, w1 = 0xdb629599, w2 = 0x3c439041, w3 = 0xfe5163ab;
    const unsigned x = warp_funnel(w0, w1, by), y = warp_funnel(w1, w2, by), z = warp_funnel(w2, w3, by);
    const unsigned middle = m * y, low = middle + warp_high(m, z);
    const unsigned high = m * x + warp_high(m, y) + (low < middle);
    struct warp_angle result;
    result.quarter = (high + 0x20000000) >> 30;
    const int rest = (int)(high - (result.quarter << 30));
    const float first = (float)(rest >> 8) * 0x1p-22f;
    const float second = (float)((((unsigned)rest & 255) << 16) | (low >> 16)) * 0x1p-46f;
    const float r = ((first + second) + (float)(low & 0xffff) * 0x1p-62f) * 1.57079637f;
    result.rest = a < WARP_INFINITY ? r : WARP_NAN;
    return result;
}
/* Subtracts multiples of pi/2 from a >= 0; the first three parts of pi/2 have 12 bits. */
WARP_INLINE struct warp_angle warp_reduce(float a) {
    WARP_EXACT
    struct warp_angle result;
    if (a < 6400.0f) {
        const float n = __builtin_rintf(a * 0.636619747f);
        result.rest = (((a - n * 0x1.92p+0f) - n * 0x1.fb4p-12f) - n * 0x1.444p-24f) - n * 0x1.68c234p-39f;
        result.quarter = (unsigned)(int)n;
    } else {
        result = warp_reduce_large(a);
    }
    return result;
}
/* By quarter: sin, cos, -sin, -cos. */
WARP_INLINE float warp_turn(float r, unsigned quarter) {
    WARP_EXACT
    const float s = warp_sin_near(r), c = warp_cos_near(r);
    return warp_with_sign((quarter & 1) != 0 ? c : s, quarter << 30);
}
WARP_INLINE float warp_sin(float x) {
    WARP_EXACT
    const struct warp_angle angle = warp_reduce(warp_size(x));
    return warp_with_sign(warp_turn(angle.rest, angle.quarter), warp_bits(x));
}
WARP_INLINE float warp_cos(float x) {
    WARP_EXACT
    const struct warp_angle angle = warp_reduce(warp_size(x));
    return warp_turn(angle.rest, angle.quarter + 1);
}
WARP_INLINE float warp_sincos(float x, float *cosine) {
    WARP_EXACT
    const struct warp_angle angle = warp_reduce(warp_size(x));
    *cosine = warp_turn(angle.rest, angle.quarter + 1);
    return warp_with_sign(warp_turn(angle.rest, angle.quarter), warp_bits(x));
}
WARP_INLINE float warp_quotient_of_turn(float r, unsigned quarter) {
    WARP_EXACT
    const float s = warp_sin_near(r), c = warp_cos_near(r);
    const int is_odd = (quarter & 1) != 0;
    return warp_quotient(is_odd ? -c : s, is_odd ? s : c);
}
WARP_INLINE float warp_tan(float x) {
    WARP_EXACT
    const struct warp_angle angle = warp_reduce(warp_size(x));
    return warp_with_sign(warp_quotient_of_turn(angle.rest, angle.quarter), warp_bits(x));
}
/* Subtracts multiples of 1/2, exactly. */
WARP_INLINE struct warp_angle warp_reduce_pi(float size) {
    WARP_EXACT
    const float a = size >= 0x1p24f ? size - size : size, n = __builtin_rintf(a * 2);
    struct warp_angle result;
    result.rest = (a - n * 0.5f) * 3.14159274f;
    result.quarter = (unsigned)(int)n;
    return result;
}
WARP_INLINE float warp_sinpi(float x) {
    WARP_EXACT
    const struct warp_angle angle = warp_reduce_pi(warp_size(x));
    return warp_with_sign(warp_turn(angle.rest, angle.quarter), warp_bits(x));
}
WARP_INLINE float warp_cospi(float x) {
    WARP_EXACT
    const struct warp_angle angle = warp_reduce_pi(warp_size(x));
    return warp_turn(angle.rest, angle.quarter + 1);
}
WARP_INLINE float warp_tanpi(float x) {
    const struct warp_angle angle = warp_reduce_pi(warp_size(x));
    const float y = warp_quotient_of_turn(angle.rest, angle.quarter);
    const float limit = warp_with_sign((angle.quarter & 1) != 0 ? WARP_INFINITY : 0.0f, angle.quarter << 30);
    return warp_with_sign(angle.rest == 0.0f ? limit : y, warp_bits(x));
}

/* ---- inverse trigonometric functions ---- */

/* asin of s up to 1/2, t = s * s */
WARP_INLINE float warp_asin_near(float s, float t) {
    WARP_EXACT
    float p = t * 0.0422185212f + 0.0241488498f;
    p = p * t + 0.0454765297f;
    p = p * t + 0.0749524981f;
    p = p * t + 0.166667536f;
    return s + s * t * p;
}
WARP_INLINE float warp_asin(float x) {
    WARP_EXACT
    const float a = warp_size(x);
    const int is_large = a > 0.5f;
    const float t = is_large ? 0.5f - a * 0.5f : a * a;
    const float p = warp_asin_near(is_large ? warp_root(t) : a, t);
    return warp_with_sign(is_large ? 1.57079637f - (p * 2 + 4.37113883e-08f) : p, warp_bits(x));
}
WARP_INLINE float warp_acos(float x) {
    WARP_EXACT
    const float a = warp_size(x);
    const int is_large = a > 0.5f;
    const float t = is_large ? 0.5f - a * 0.5f : a * a;
    const float p = warp_asin_near(is_large ? warp_root(t) : a, t);
    const float near = x > 0 ? p * 2 : 3.14159274f - (p * 2 + 8.74227766e-08f);
    return is_large ? near : 1.57079637f - (warp_with_sign(p, warp_bits(x)) + 4.37113883e-08f);
}
/* For r between 0 and 1. */
WARP_INLINE float warp_atan_near(float r) {
    WARP_EXACT
    const float t = r * r;
    float p = t * 0.00292035984f + -0.0163665209f;
    p = p * t + 0.0432094261f;
    p = p * t + -0.0755199343f;
    p = p * t + 0.106658928f;
    p = p * t + -0.142110243f;
    p = p * t + 0.199937686f;
    p = p * t + -0.333331525f;
    return r + r * t * p;
}
WARP_INLINE float warp_atan(float x) {
    WARP_EXACT
    const float a = warp_size(x), p = warp_atan_near(a > 1.0f ? warp_rcp(a) : a);
    return warp_with_sign(a > 1.0f ? 1.57079637f - p : p, warp_bits(x));
}
WARP_INLINE float warp_atan2(float y, float x) {
    WARP_EXACT
    const float a = warp_size(x), b = warp_size(y), most = __nvvm_fmax_f(a, b), least = __nvvm_fmin_f(a, b);
    const float scale = most > 0x1p64f ? 0x1p-32f : 1.0f;
    float r = least * scale * warp_rcp(most * scale);
    if (least == most) r = 1;
    if (most == 0.0f) r = 0;
    float angle = warp_atan_near(r);
    if (b > a) angle = 1.57079637f - angle;
    if ((int)warp_bits(x) < 0) angle = 3.14159274f - angle;
    return x != x || y != y ? WARP_NAN : warp_with_sign(angle, warp_bits(y));
}
WARP_INLINE float warp_asinpi(float x) { return warp_asin(x) * 0.318309873f; }
WARP_INLINE float warp_acospi(float x) { return warp_acos(x) * 0.318309873f; }
WARP_INLINE float warp_atanpi(float x) { return warp_atan(x) * 0.318309873f; }
WARP_INLINE float warp_atan2pi(float y, float x) { return warp_atan2(y, x) * 0.318309873f; }

/* ---- hyperbolic functions ---- */

/* e^a / 2 for a >= 0 */
WARP_INLINE float warp_half_exp(float a) {
    WARP_EXACT
    const float v = warp_grid(a * 92.3324f), power = warp_ex2(v - 1);
    const float y = power + power * warp_exp_rest(warp_exp_residue(a, v), -3.7e-08f);
    return a < 89.42f ? y : power;
}
WARP_INLINE float warp_sinh(float x) {
    WARP_EXACT
    const float a = warp_size(x), t = a * a, e = warp_half_exp(a), large = e - 0.25f * warp_rcp(e);
    float p = t * 2.78221319e-06f + 0.000198428956f;
    p = p * t + 0.00833331048f;
    p = p * t + 0.166666672f;
    return warp_with_sign(a < 1.0f ? a + a * t * p : large, warp_bits(x));
}
WARP_INLINE float warp_cosh(float x) {
    WARP_EXACT
    const float e = warp_half_exp(warp_size(x));
    return e + 0.25f * warp_rcp(e);
}
WARP_INLINE float warp_tanh(float x) {
    WARP_EXACT
    const float a = warp_size(x), t = a * a, large = 1 - warp_rcp(warp_half_exp(a * 2) + 0.5f);
    float p = t * -0.00624284893f + 0.021050714f;
    p = p * t + -0.0538475476f;
    p = p * t + 0.133325443f;
    p = p * t + -0.333333164f;
    return warp_with_sign(a < 0.55f ? a + a * t * p : large, warp_bits(x));
}
WARP_INLINE float warp_asinh(float x) {
    WARP_EXACT
    const float a = warp_size(x), t = a * a;
    const int is_large = a > 0x1p28f;
    const float z = a + t * warp_rcp(1 + warp_root(t + 1));
    const float y = warp_log1p(is_large ? a : z);
    return warp_with_sign(is_large ? y + 0.693147182f : y, warp_bits(x));
}
WARP_INLINE float warp_acosh(float x) {
    WARP_EXACT
    const float t = x - 1, w = t * t + t * 2;
    const int is_large = x > 0x1p28f;
    const float y = warp_log1p(is_large ? x : t + warp_root(w));
    return is_large ? y + 0.693147182f : t < 0 ? WARP_NAN : y;
}
WARP_INLINE float warp_atanh(float x) {
    WARP_EXACT
    const float a = warp_size(x);
    const float y = warp_log1p(a * 2 * warp_rcp(1 - a)) * 0.5f;
    return a > 1.0f ? WARP_NAN : warp_with_sign(y, warp_bits(x));
}

/* ---- the error function, gamma ---- */

/* erf of x up to 1/2 */
WARP_INLINE float warp_erf_near(float x) {
    WARP_EXACT
    const float t = x * x;
    float p = t * 0.00283994526f + -0.0258159172f;
    p = p * t + 0.112680629f;
    p = p * t + -0.37611866f;
    return x * 0.128379166f + (x + x * t * p);
}
/* erfc of a from 0.45: exp(-a^2), with a^2 in two parts, times a polynomial of 1 / (1 + a / 2) */
WARP_INLINE float warp_erfc_far(float a) {
    WARP_EXACT
    const float high = warp_half(a), low = (a - high) * (a + high), square = high * high;
    const float v = warp_grid(a * a * -92.3324f), t = warp_rcp(1 + a * 0.5f);
    const float r = warp_exp_residue(-square, v) - low;
    float p = t * -0.0624696091f + 0.300726175f;
    p = p * t + -0.518870056f;
    p = p * t + 0.311624557f;
    p = p * t + -0.0476408862f;
    p = p * t + 0.210642561f;
    p = p * t + 0.241328701f;
    p = p * t + 0.282588422f;
    p = p * t + 0.282075882f;
    const float y = warp_ex2(v) * (p * t * (1 + warp_exp_rest(r, 5.4e-08f)));
    return a > 12.0f ? 0.0f : y;
}
WARP_INLINE float warp_erf(float x) {
    WARP_EXACT
    const float a = warp_size(x);
    return a < 0.5f ? warp_erf_near(x) : warp_with_sign(1 - warp_erfc_far(a), warp_bits(x));
}
WARP_INLINE float warp_erfc(float x) {
    WARP_EXACT
    const float a = warp_size(x), far = warp_erfc_far(a);
    return a < 0.5f ? 1 - warp_erf_near(x) : x < 0 ? 2 - far : far;
}

/* Stirling's series from 4, below after four steps of recurrence; below 1/2 by the reflection formula. */
WARP_INLINE float warp_tgamma(float x) {
    WARP_EXACT
    const int is_reflected = x < 0.5f;
    const float z = is_reflected ? 1 - x : x, z_low = is_reflected ? (1 - z) - x : 0;
    const int is_small = z < 4.0f;
    const float w = is_small ? z + 4 : z, w_low = is_small ? (z - (w - 4)) + z_low : z_low;
    const float inverse = warp_rcp(w), t = inverse * inverse;
    const float series = inverse * (t * (t * 0.00105773867f + -0.00400476949f) + 0.120224565f);
    /* (w - 1/2) (log2(w) - log2(e)) + log2(sqrt(2 pi / e)) */
    struct warp_pair l = warp_log2_pair(w, 0x1.714p+0f);
    l.low = l.low - 0x1.47652cp-12f;
    const float more = 0.60440054f + (series + w_low * warp_lg2(w));
    const float y = w - 0.5f, factor = is_small ? z * (z + 1) * ((z + 2) * (z + 3)) : 1.0f;
    const float sine = warp_sinpi(x);
    const float power =
        warp_exp2_of_product(is_reflected ? -y : y, 0, l, is_reflected ? -more : more, is_reflected ? -24.0f : 0.0f);
    const float reflected = power * (factor * 3.14159274f) * (warp_rcp(sine) * 0x1p-24f);
    if (x < 0 && __builtin_truncf(x) == x) return WARP_NAN;
    return is_reflected ? reflected : x == WARP_INFINITY ? x : power * warp_rcp(factor);
}
/* lgamma(2 + f), f between -1/2 and 1 */
WARP_INLINE float warp_lgamma_near(float f) {
    WARP_EXACT
    float p = f * 5.65386035e-05f + -0.000228436111f;
    p = p * f + 0.000531818776f;
    p = p * f + -0.00119315041f;
    p = p * f + 0.0028867987f;
    p = p * f + -0.00738679059f;
    p = p * f + 0.0205810964f;
    p = p * f + -0.0673520416f;
    p = p * f + 0.322467029f;
    return f * 0.422784328f + f * f * p;
}
/* For a > 0. */
WARP_INLINE float warp_lgamma_positive(float a) {
    WARP_EXACT
    const float inverse = warp_rcp(a), t = inverse * inverse;
    const float series = inverse * (t * (t * 0.000735673239f + -0.00277606794f) + 0.0833333209f);
    const float near = warp_lgamma_near(a < 0.5f ? a : a < 1.5f ? a - 1 : a < 3.0f ? a - 2 : a - 3);
    const float log = warp_log(a < 0.5f ? a * (a + 1) : a < 1.5f ? a : a < 3.0f ? 1.0f : a < 4.0f ? a - 1 : a);
    const float far = (a - 0.5f) * (log - 1) + (0.418938533f + series);
    return a < 3.0f ? near - log : a < 4.0f ? near + log : far;
}
WARP_INLINE float warp_lgamma(float x) {
    WARP_EXACT
    const float a = warp_size(x), positive = warp_lgamma_positive(a);
    if (!(x < 0)) return positive;
    if (a < 0x1p-24f) return -warp_log(a);
    return warp_log(3.14159274f * warp_rcp(warp_size(warp_sinpi(x)) * a)) - positive;
}
WARP_INLINE int warp_sign_of_gamma(float x) {
    WARP_EXACT
    const float whole = __builtin_floorf(x), middle = whole * 0.5f;
    return x < 0 && __builtin_truncf(middle) != middle ? -1 : 1;
}
