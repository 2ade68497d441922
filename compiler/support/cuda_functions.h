/* SPDX-License-Identifier: Apache-2.0 */
/* CUDA C's vector types, mathematics (bodies in libclc), intrinsics and atomic operations. The driver puts it before
 * each source. */
#define WARP_LIBRARY extern "C" __attribute__((device))

/* ---- vectors ---- */

#define WARP_VECTORS(name, t, two, four)                                            \
    struct name##1 {                                                                \
        t x;                                                                        \
    };                                                                              \
    struct __attribute__((aligned(two))) name##2 {                                  \
        t x, y;                                                                     \
    };                                                                              \
    struct name##3 {                                                                \
        t x, y, z;                                                                  \
    };                                                                              \
    struct __attribute__((aligned(four))) name##4 {                                 \
        t x, y, z, w;                                                               \
    };                                                                              \
    WARP_INLINE name##1 make_##name##1(t x) { return name##1 {x}; }                 \
    WARP_INLINE name##2 make_##name##2(t x, t y) { return name##2 {x, y}; }         \
    WARP_INLINE name##3 make_##name##3(t x, t y, t z) { return name##3 {x, y, z}; } \
    WARP_INLINE name##4 make_##name##4(t x, t y, t z, t w) { return name##4 {x, y, z, w}; }
WARP_VECTORS(char, signed char, 2, 4)
WARP_VECTORS(uchar, unsigned char, 2, 4)
WARP_VECTORS(short, short, 4, 8)
WARP_VECTORS(ushort, unsigned short, 4, 8)
WARP_VECTORS(int, int, 8, 16)
WARP_VECTORS(uint, unsigned int, 8, 16)
WARP_VECTORS(long, long, 8, 16)
WARP_VECTORS(ulong, unsigned long, 8, 16)
WARP_VECTORS(longlong, long long, 16, 16)
WARP_VECTORS(ulonglong, unsigned long long, 16, 16)
WARP_VECTORS(float, float, 8, 16)
WARP_VECTORS(double, double, 16, 16)

struct dim3 {
    unsigned x, y, z;
    __attribute__((device, host)) constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    __attribute__((device, host)) constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
};

#define WARP_INDEX(type)                                                                            \
    inline __attribute__((device, nodebug)) type::operator uint3() const { return uint3{x, y, z}; } \
    inline __attribute__((device, nodebug)) type::operator dim3() const { return dim3(x, y, z); }
WARP_INDEX(__warp_tid)
WARP_INDEX(__warp_ctaid)
WARP_INDEX(__warp_ntid)
WARP_INDEX(__warp_nctaid)

/* ---- mathematics ---- */

/* Of integers, in double precision. */
#define WARP_WHOLE1(name)                                      \
    WARP_INLINE double name(int a) { return name((double)a); } \
    WARP_INLINE double name(unsigned a) { return name((double)a); }
#define WARP_WHOLE2(name)                                                        \
    WARP_INLINE double name(double a, int b) { return name(a, (double)b); }      \
    WARP_INLINE double name(int a, double b) { return name((double)a, b); }      \
    WARP_INLINE double name(int a, int b) { return name((double)a, (double)b); } \
    WARP_INLINE double name(float a, double b) { return name((double)a, b); }    \
    WARP_INLINE double name(double a, float b) { return name(a, (double)b); }    \
    WARP_INLINE float name(float a, int b) { return name(a, (float)b); }         \
    WARP_INLINE float name(int a, float b) { return name((float)a, b); }

/* Bodies of double functions, and of some float functions, are libclc's. */
#define WARP_LIBRARY1(name, mangled)                                  \
    WARP_LIBRARY double warp_##name##_d(double) __asm__(mangled "d"); \
    WARP_INLINE double name(double a) { return warp_##name##_d(a); }  \
    WARP_WHOLE1(name)
#define WARP_LIBRARY2(name, mangled)                                              \
    WARP_LIBRARY double warp_##name##_d(double, double) __asm__(mangled "dd");    \
    WARP_INLINE double name(double a, double b) { return warp_##name##_d(a, b); } \
    WARP_WHOLE2(name)
#define WARP_MATH1(name, mangled)                                 \
    WARP_INLINE float name##f(float a) { return warp_##name(a); } \
    WARP_INLINE float name(float a) { return warp_##name(a); }    \
    WARP_LIBRARY1(name, mangled)
#define WARP_MATH2(name, mangled)                                             \
    WARP_INLINE float name##f(float a, float b) { return warp_##name(a, b); } \
    WARP_INLINE float name(float a, float b) { return warp_##name(a, b); }    \
    WARP_LIBRARY2(name, mangled)
#define WARP_OTHER1(name, mangled)                                    \
    WARP_LIBRARY float warp_##name##_f(float) __asm__(mangled "f");   \
    WARP_INLINE float name##f(float a) { return warp_##name##_f(a); } \
    WARP_INLINE float name(float a) { return warp_##name##_f(a); }    \
    WARP_LIBRARY1(name, mangled)
#define WARP_OTHER2(name, mangled)                                                \
    WARP_LIBRARY float warp_##name##_f(float, float) __asm__(mangled "ff");       \
    WARP_INLINE float name##f(float a, float b) { return warp_##name##_f(a, b); } \
    WARP_INLINE float name(float a, float b) { return warp_##name##_f(a, b); }    \
    WARP_LIBRARY2(name, mangled)
#define WARP_BUILTIN1(name, single, whole)                   \
    WARP_INLINE float name##f(float a) { return single(a); } \
    WARP_INLINE float name(float a) { return single(a); }    \
    WARP_INLINE double name(double a) { return whole(a); }   \
    WARP_WHOLE1(name)
#define WARP_BUILTIN2(name, single, whole)                               \
    WARP_INLINE float name##f(float a, float b) { return single(a, b); } \
    WARP_INLINE float name(float a, float b) { return single(a, b); }    \
    WARP_INLINE double name(double a, double b) { return whole(a, b); }  \
    WARP_WHOLE2(name)
WARP_BUILTIN1(ceil, __builtin_ceilf, __builtin_ceil)
WARP_BUILTIN1(fabs, __builtin_fabsf, __builtin_fabs)
WARP_BUILTIN1(floor, __builtin_floorf, __builtin_floor)
WARP_BUILTIN1(rint, __builtin_rintf, __builtin_rint)
WARP_BUILTIN1(trunc, __builtin_truncf, __builtin_trunc)
WARP_BUILTIN1(sqrt, __nvvm_sqrt_approx_f, __nvvm_sqrt_rn_d)
WARP_BUILTIN1(rsqrt, __nvvm_rsqrt_approx_f, 1 / __nvvm_sqrt_rn_d)
WARP_BUILTIN2(copysign, __builtin_copysignf, __builtin_copysign)
WARP_BUILTIN2(fmax, __nvvm_fmax_f, __nvvm_fmax_d)
WARP_BUILTIN2(fmin, __nvvm_fmin_f, __nvvm_fmin_d)
WARP_INLINE float nearbyintf(float a) { return __builtin_rintf(a); }
WARP_INLINE float nearbyint(float a) { return __builtin_rintf(a); }
WARP_INLINE double nearbyint(double a) { return __builtin_rint(a); }
WARP_MATH1(acos, "_Z4acos")
WARP_MATH1(acosh, "_Z5acosh")
WARP_MATH1(asin, "_Z4asin")
WARP_MATH1(asinh, "_Z5asinh")
WARP_MATH1(atan, "_Z4atan")
WARP_MATH1(atanh, "_Z5atanh")
WARP_MATH1(cbrt, "_Z4cbrt")
WARP_MATH1(cos, "_Z3cos")
WARP_MATH1(cosh, "_Z4cosh")
WARP_MATH1(erf, "_Z3erf")
WARP_MATH1(erfc, "_Z4erfc")
WARP_MATH1(exp, "_Z3exp")
WARP_MATH1(exp2, "_Z4exp2")
WARP_MATH1(exp10, "_Z5exp10")
WARP_MATH1(expm1, "_Z5expm1")
WARP_MATH1(lgamma, "_Z6lgamma")
WARP_MATH1(log, "_Z3log")
WARP_MATH1(log10, "_Z5log10")
WARP_MATH1(log1p, "_Z5log1p")
WARP_MATH1(log2, "_Z4log2")
WARP_OTHER1(logb, "_Z4logb")
WARP_OTHER1(round, "_Z5round")
WARP_MATH1(sin, "_Z3sin")
WARP_MATH1(sinh, "_Z4sinh")
WARP_MATH1(sinpi, "_Z5sinpi")
WARP_MATH1(cospi, "_Z5cospi")
WARP_MATH1(tan, "_Z3tan")
WARP_MATH1(tanh, "_Z4tanh")
WARP_MATH1(tgamma, "_Z6tgamma")
WARP_MATH2(atan2, "_Z5atan2")
WARP_OTHER2(fdim, "_Z4fdim")
WARP_OTHER2(fmod, "_Z4fmod")
WARP_MATH2(hypot, "_Z5hypot")
WARP_OTHER2(nextafter, "_Z9nextafter")
WARP_MATH2(pow, "_Z3pow")
WARP_OTHER2(remainder, "_Z9remainder")
WARP_INLINE float fmaf(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
WARP_INLINE float fma(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
WARP_INLINE double fma(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }

#define WARP_CLASS(name, value)                      \
    WARP_INLINE bool name(float a) { return value; } \
    WARP_INLINE bool name(double a) { return value; }
WARP_CLASS(isnan, a != a)
WARP_CLASS(isinf, fabs(a) == __builtin_inff())
WARP_CLASS(isfinite, fabs(a) < __builtin_inff())
WARP_INLINE bool signbit(float a) { return __builtin_bit_cast(int, a) < 0; }
WARP_INLINE bool signbit(double a) { return __builtin_bit_cast(long long, a) < 0; }

WARP_LIBRARY float warp_ldexp_f(float, int) __asm__("_Z5ldexpfi");
WARP_LIBRARY double warp_ldexp_d(double, int) __asm__("_Z5ldexpdi");
WARP_LIBRARY int warp_ilogb_f(float) __asm__("_Z5ilogbf");
WARP_LIBRARY int warp_ilogb_d(double) __asm__("_Z5ilogbd");
WARP_INLINE float ldexpf(float a, int b) { return warp_ldexp_f(a, b); }
WARP_INLINE float ldexp(float a, int b) { return warp_ldexp_f(a, b); }
WARP_INLINE double ldexp(double a, int b) { return warp_ldexp_d(a, b); }
WARP_INLINE float scalbnf(float a, int b) { return warp_ldexp_f(a, b); }
WARP_INLINE double scalbn(double a, int b) { return warp_ldexp_d(a, b); }
WARP_INLINE int ilogbf(float a) { return warp_ilogb_f(a); }
WARP_INLINE int ilogb(float a) { return warp_ilogb_f(a); }
WARP_INLINE int ilogb(double a) { return warp_ilogb_d(a); }
WARP_INLINE float frexp(float a, int *e) {
    if (a == 0 || !isfinite(a)) {
        *e = 0;
        return a;
    }
    *e = ilogb(a) + 1;
    return ldexp(a, -*e);
}
WARP_INLINE double frexp(double a, int *e) {
    if (a == 0 || !isfinite(a)) {
        *e = 0;
        return a;
    }
    *e = ilogb(a) + 1;
    return ldexp(a, -*e);
}
WARP_INLINE float frexpf(float a, int *e) { return frexp(a, e); }
WARP_INLINE float modf(float a, float *whole) {
    *whole = trunc(a);
    return isinf(a) ? copysign(0.0f, a) : copysign(a - *whole, a);
}
WARP_INLINE double modf(double a, double *whole) {
    *whole = trunc(a);
    return isinf(a) ? copysign(0.0, a) : copysign(a - *whole, a);
}
WARP_INLINE float modff(float a, float *whole) { return modf(a, whole); }
WARP_INLINE void sincosf(float a, float *s, float *c) {
    *s = sinf(a);
    *c = cosf(a);
}
WARP_INLINE void sincos(float a, float *s, float *c) { sincosf(a, s, c); }
WARP_INLINE void sincos(double a, double *s, double *c) {
    *s = sin(a);
    *c = cos(a);
}
WARP_INLINE long lrintf(float a) { return (long)rint(a); }
WARP_INLINE long lrint(double a) { return (long)rint(a); }
WARP_INLINE long lroundf(float a) { return (long)round(a); }
WARP_INLINE long lround(double a) { return (long)round(a); }
WARP_INLINE float rcbrtf(float a) { return 1 / cbrtf(a); }
WARP_INLINE float normcdff(float a) { return 0.5f * erfcf(-0.70710678118654752f * a); }
WARP_INLINE double normcdf(double a) { return 0.5 * erfc(-0.70710678118654752440 * a); }
WARP_INLINE float nanf(const char *) { return __builtin_nanf(""); }
WARP_INLINE double nan(const char *) { return __builtin_nan(""); }

/* ---- the least and the largest ---- */

#define WARP_ORDER(t)                                     \
    WARP_INLINE t min(t a, t b) { return b < a ? b : a; } \
    WARP_INLINE t max(t a, t b) { return a < b ? b : a; }
WARP_ORDER(int)
WARP_ORDER(unsigned)
WARP_ORDER(long long)
WARP_ORDER(unsigned long long)
WARP_ORDER(long)
WARP_ORDER(unsigned long)
WARP_INLINE unsigned min(int a, unsigned b) { return min((unsigned)a, b); }
WARP_INLINE unsigned min(unsigned a, int b) { return min(a, (unsigned)b); }
WARP_INLINE unsigned max(int a, unsigned b) { return max((unsigned)a, b); }
WARP_INLINE unsigned max(unsigned a, int b) { return max(a, (unsigned)b); }
WARP_INLINE float min(float a, int b) { return fmin(a, (float)b); }
WARP_INLINE float min(int a, float b) { return fmin((float)a, b); }
WARP_INLINE float max(float a, int b) { return fmax(a, (float)b); }
WARP_INLINE float max(int a, float b) { return fmax((float)a, b); }
WARP_INLINE double min(double a, float b) { return fmin(a, (double)b); }
WARP_INLINE double min(float a, double b) { return fmin((double)a, b); }
WARP_INLINE double max(double a, float b) { return fmax(a, (double)b); }
WARP_INLINE double max(float a, double b) { return fmax((double)a, b); }
WARP_INLINE unsigned umin(unsigned a, unsigned b) { return min(a, b); }
WARP_INLINE unsigned umax(unsigned a, unsigned b) { return max(a, b); }
WARP_INLINE float min(float a, float b) { return fmin(a, b); }
WARP_INLINE float max(float a, float b) { return fmax(a, b); }
WARP_INLINE double min(double a, double b) { return fmin(a, b); }
WARP_INLINE double max(double a, double b) { return fmax(a, b); }
WARP_INLINE int abs(int a) { return a < 0 ? -a : a; }
WARP_INLINE long abs(long a) { return a < 0 ? -a : a; }
WARP_INLINE long long abs(long long a) { return a < 0 ? -a : a; }
WARP_INLINE long labs(long a) { return abs(a); }
WARP_INLINE long long llabs(long long a) { return abs(a); }
WARP_INLINE float abs(float a) { return fabs(a); }
WARP_INLINE double abs(double a) { return fabs(a); }

/* ---- intrinsics ---- */

WARP_INLINE float __frcp_approx(float a) {
    float d;
    __asm__("rcp.approx.ftz.f32 %0, %1;" : "=f"(d) : "f"(a));
    return d;
}
WARP_INLINE float __sinf(float a) { return __nvvm_sin_approx_ftz_f(a); }
WARP_INLINE float __cosf(float a) { return __nvvm_cos_approx_ftz_f(a); }
WARP_INLINE float __tanf(float a) { return __sinf(a) * __frcp_approx(__cosf(a)); }
WARP_INLINE float __log2f(float a) { return __nvvm_lg2_approx_ftz_f(a); }
WARP_INLINE float __logf(float a) { return __log2f(a) * 0.693147181f; }
WARP_INLINE float __log10f(float a) { return __log2f(a) * 0.301029996f; }
WARP_INLINE float __expf(float a) { return __nvvm_ex2_approx_ftz_f(a * 1.44269504f); }
WARP_INLINE float __exp10f(float a) { return __nvvm_ex2_approx_ftz_f(a * 3.32192809f); }
WARP_INLINE float __powf(float a, float b) { return __nvvm_ex2_approx_ftz_f(b * __log2f(a)); }
WARP_INLINE float __fdividef(float a, float b) { return a * __frcp_approx(b); }
WARP_INLINE float __saturatef(float a) { return __nvvm_saturate_f(a); }
WARP_INLINE int __mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
WARP_INLINE unsigned __umul24(unsigned a, unsigned b) { return __nvvm_mul24_ui(a, b); }
WARP_INLINE int __mulhi(int a, int b) { return __nvvm_mulhi_i(a, b); }
WARP_INLINE unsigned __umulhi(unsigned a, unsigned b) { return __nvvm_mulhi_ui(a, b); }
WARP_INLINE int __clz(int a) { return a == 0 ? 32 : __builtin_clz((unsigned)a); }
WARP_INLINE int __popc(unsigned a) { return __builtin_popcount(a); }
WARP_INLINE int __ffs(int a) { return __builtin_ffs(a); }
WARP_INLINE unsigned __brev(unsigned a) { return __builtin_bitreverse32(a); }
WARP_INLINE int __float_as_int(float a) { return __builtin_bit_cast(int, a); }
WARP_INLINE unsigned __float_as_uint(float a) { return __builtin_bit_cast(unsigned, a); }
WARP_INLINE float __int_as_float(int a) { return __builtin_bit_cast(float, a); }
WARP_INLINE float __uint_as_float(unsigned a) { return __builtin_bit_cast(float, a); }
WARP_INLINE long long __double_as_longlong(double a) { return __builtin_bit_cast(long long, a); }
WARP_INLINE double __longlong_as_double(long long a) { return __builtin_bit_cast(double, a); }
WARP_INLINE int __double2hiint(double a) { return (int)(__double_as_longlong(a) >> 32); }
WARP_INLINE int __double2loint(double a) { return (int)__double_as_longlong(a); }
WARP_INLINE double __hiloint2double(int high, int low) {
    return __longlong_as_double((long long)high << 32 | (unsigned)low);
}
WARP_INLINE int __clzll(long long a) { return a == 0 ? 64 : __builtin_clzll((unsigned long long)a); }
WARP_INLINE int __popcll(unsigned long long a) { return __builtin_popcountll(a); }
WARP_INLINE int __ffsll(long long a) { return __builtin_ffsll(a); }
WARP_INLINE unsigned long long __brevll(unsigned long long a) { return __builtin_bitreverse64(a); }
WARP_INLINE long long __mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
WARP_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return __nvvm_mulhi_ull(a, b); }
WARP_INLINE unsigned __sad(int a, int b, unsigned c) { return __nvvm_sad_i(a, b, (int)c); }
WARP_INLINE unsigned __usad(unsigned a, unsigned b, unsigned c) { return __nvvm_sad_ui(a, b, c); }
WARP_INLINE int __hadd(int a, int b) { return (a & b) + ((a ^ b) >> 1); }
WARP_INLINE int __rhadd(int a, int b) { return (a | b) - ((a ^ b) >> 1); }
WARP_INLINE unsigned __uhadd(unsigned a, unsigned b) { return (a & b) + ((a ^ b) >> 1); }
WARP_INLINE unsigned __urhadd(unsigned a, unsigned b) { return (a | b) - ((a ^ b) >> 1); }
WARP_INLINE unsigned __byte_perm(unsigned a, unsigned b, unsigned s) { return __nvvm_prmt(a, b, s & 0x7777); }
WARP_INLINE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned n) {
    return (n & 31) == 0 ? high : high << (n & 31) | low >> (32 - (n & 31));
}
WARP_INLINE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned n) {
    return (n & 31) == 0 ? low : low >> (n & 31) | high << (32 - (n & 31));
}

/* Round to nearest, down, up, and to zero. Float operations to nearest are never fused into a multiply-add. */
#define WARP_ALONE(name, operation)                                               \
    WARP_INLINE float name##_rn(float a, float b) {                               \
        float result;                                                             \
        __asm__(operation ".rn.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b)); \
        return result;                                                            \
    }
WARP_ALONE(__fadd, "add")
WARP_ALONE(__fmul, "mul")
WARP_ALONE(__fsub, "sub")
WARP_INLINE double __dadd_rn(double a, double b) { return __nvvm_add_rn_d(a, b); }
WARP_INLINE double __dmul_rn(double a, double b) { return __nvvm_mul_rn_d(a, b); }
#define WARP_ROUND2(name, operation, t, suffix)                                          \
    WARP_INLINE t name##_rz(t a, t b) { return __nvvm_##operation##_rz_##suffix(a, b); } \
    WARP_INLINE t name##_rd(t a, t b) { return __nvvm_##operation##_rm_##suffix(a, b); } \
    WARP_INLINE t name##_ru(t a, t b) { return __nvvm_##operation##_rp_##suffix(a, b); }
WARP_ROUND2(__fadd, add, float, f)
WARP_ROUND2(__fmul, mul, float, f)
WARP_ROUND2(__dadd, add, double, d)
WARP_ROUND2(__dmul, mul, double, d)
WARP_INLINE double __dsub_rn(double a, double b) { return __dadd_rn(a, -b); }
WARP_INLINE float __fdiv_rn(float a, float b) { return __nvvm_div_rn_f(a, b); }
WARP_INLINE double __ddiv_rn(double a, double b) { return __nvvm_div_rn_d(a, b); }
WARP_INLINE float __frcp_rn(float a) { return __nvvm_rcp_rn_f(a); }
WARP_INLINE float __fsqrt_rn(float a) { return __nvvm_sqrt_rn_f(a); }
WARP_INLINE double __dsqrt_rn(double a) { return __nvvm_sqrt_rn_d(a); }
WARP_INLINE float __frsqrt_rn(float a) { return (float)(1 / __nvvm_sqrt_rn_d(a)); }
WARP_INLINE float __fmaf_rn(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
WARP_INLINE double __fma_rn(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }
WARP_INLINE void __sincosf(float a, float *s, float *c) {
    *s = __sinf(a);
    *c = __cosf(a);
}
#define WARP_CONVERT(from, to, s, t, built)                                       \
    WARP_INLINE t __##from##2##to##_rn(s a) { return (t)__nvvm_##built##_rn(a); } \
    WARP_INLINE t __##from##2##to##_rz(s a) { return (t)__nvvm_##built##_rz(a); } \
    WARP_INLINE t __##from##2##to##_rd(s a) { return (t)__nvvm_##built##_rm(a); } \
    WARP_INLINE t __##from##2##to##_ru(s a) { return (t)__nvvm_##built##_rp(a); }
WARP_CONVERT(float, int, float, int, f2i)
WARP_CONVERT(float, uint, float, unsigned, f2ui)
WARP_CONVERT(float, ll, float, long long, f2ll)
WARP_CONVERT(float, ull, float, unsigned long long, f2ull)
WARP_CONVERT(int, float, int, float, i2f)
WARP_CONVERT(uint, float, unsigned, float, ui2f)
WARP_CONVERT(ll, float, long long, float, ll2f)
WARP_CONVERT(ull, float, unsigned long long, float, ull2f)
WARP_CONVERT(double, int, double, int, d2i)
WARP_CONVERT(double, uint, double, unsigned, d2ui)
WARP_CONVERT(double, float, double, float, d2f)
WARP_INLINE double __int2double_rn(int a) { return a; }
WARP_INLINE double __uint2double_rn(unsigned a) { return a; }

static const int warpSize = 32;
typedef long clock_t;
WARP_INLINE clock_t clock() { return __nvvm_read_ptx_sreg_clock(); }
WARP_INLINE long long clock64() { return (unsigned)__nvvm_read_ptx_sreg_clock(); }
template <class T> static inline __attribute__((device, always_inline, nodebug)) T __ldg(const T *p) { return *p; }
WARP_INLINE void __trap() { __asm__ volatile("trap;"); }
WARP_INLINE void __brkpt() {}
WARP_INLINE void __prof_trigger(int) {}
WARP_INLINE void __syncwarp(unsigned = 0xffffffffu) { __nvvm_membar_cta(); }
WARP_INLINE void __threadfence_system() { __nvvm_membar_gl(); }
WARP_INLINE void __threadfence() { __nvvm_membar_gl(); }
WARP_INLINE void __threadfence_block() { __nvvm_membar_cta(); }

/* ---- atomic operations ---- */

#define WARP_ATOMIC(name, t, value) \
    WARP_INLINE t name(t *p, t a) { return (t)(value); }
WARP_ATOMIC(atomicAdd, int, __nvvm_atom_add_gen_i(p, a))
WARP_ATOMIC(atomicAdd, unsigned, __nvvm_atom_add_gen_i((int *)p, (int)a))
WARP_ATOMIC(atomicSub, int, __nvvm_atom_add_gen_i(p, -a))
WARP_ATOMIC(atomicSub, unsigned, __nvvm_atom_add_gen_i((int *)p, -(int)a))
WARP_ATOMIC(atomicExch, int, __nvvm_atom_xchg_gen_i(p, a))
WARP_ATOMIC(atomicExch, unsigned, __nvvm_atom_xchg_gen_i((int *)p, (int)a))
WARP_ATOMIC(atomicMin, int, __nvvm_atom_min_gen_i(p, a))
WARP_ATOMIC(atomicMin, unsigned, __nvvm_atom_min_gen_ui(p, a))
WARP_ATOMIC(atomicMax, int, __nvvm_atom_max_gen_i(p, a))
WARP_ATOMIC(atomicMax, unsigned, __nvvm_atom_max_gen_ui(p, a))
WARP_ATOMIC(atomicAnd, int, __nvvm_atom_and_gen_i(p, a))
WARP_ATOMIC(atomicAnd, unsigned, __nvvm_atom_and_gen_i((int *)p, (int)a))
WARP_ATOMIC(atomicOr, int, __nvvm_atom_or_gen_i(p, a))
WARP_ATOMIC(atomicOr, unsigned, __nvvm_atom_or_gen_i((int *)p, (int)a))
WARP_ATOMIC(atomicXor, int, __nvvm_atom_xor_gen_i(p, a))
WARP_ATOMIC(atomicXor, unsigned, __nvvm_atom_xor_gen_i((int *)p, (int)a))
WARP_ATOMIC(atomicInc, unsigned, __nvvm_atom_inc_gen_ui(p, a))
WARP_ATOMIC(atomicDec, unsigned, __nvvm_atom_dec_gen_ui(p, a))
WARP_INLINE int atomicCAS(int *p, int a, int b) { return __nvvm_atom_cas_gen_i(p, a, b); }
WARP_INLINE unsigned atomicCAS(unsigned *p, unsigned a, unsigned b) {
    return (unsigned)__nvvm_atom_cas_gen_i((int *)p, (int)a, (int)b);
}
#define WARP_WIDE(name)                                                                                        \
    __attribute__((device, unavailable("there are no atomic operations of 64 bits"))) unsigned long long name( \
        unsigned long long *, unsigned long long);
WARP_WIDE(atomicAdd)
WARP_WIDE(atomicExch)
WARP_WIDE(atomicMin)
WARP_WIDE(atomicMax)
__attribute__((device, unavailable("there are no atomic operations of 64 bits"))) unsigned long long atomicCAS(
    unsigned long long *, unsigned long long, unsigned long long);

/* By compare and swap, because there is no such instruction. */
WARP_INLINE float atomicExch(float *p, float a) { return __int_as_float(atomicExch((int *)p, __float_as_int(a))); }
WARP_INLINE float atomicAdd(float *p, float a) {
    int old = *(volatile int *)p, seen;
    do {
        seen = old;
        old = atomicCAS((int *)p, seen, __float_as_int(__int_as_float(seen) + a));
    } while (old != seen);
    return __int_as_float(old);
}
