/* SPDX-License-Identifier: Apache-2.0 */
/* CUDA C's vector types, mathematics (the bodies are libclc's), intrinsics and atomic operations. The driver gives it
 * to clang before each source. */
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
WARP_VECTORS(longlong, long long, 16, 16)
WARP_VECTORS(ulonglong, unsigned long long, 16, 16)
WARP_VECTORS(float, float, 8, 16)
WARP_VECTORS(double, double, 16, 16)

/* ---- mathematics ---- */

/* Of double, and some of float, the bodies are libclc's. */
#define WARP_LIBRARY1(name, mangled)                                  \
    WARP_LIBRARY double warp_##name##_d(double) __asm__(mangled "d"); \
    WARP_INLINE double name(double a) { return warp_##name##_d(a); }
#define WARP_LIBRARY2(name, mangled)                                           \
    WARP_LIBRARY double warp_##name##_d(double, double) __asm__(mangled "dd"); \
    WARP_INLINE double name(double a, double b) { return warp_##name##_d(a, b); }
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
    WARP_INLINE double name(double a) { return whole(a); }
#define WARP_BUILTIN2(name, single, whole)                               \
    WARP_INLINE float name##f(float a, float b) { return single(a, b); } \
    WARP_INLINE float name(float a, float b) { return single(a, b); }    \
    WARP_INLINE double name(double a, double b) { return whole(a, b); }
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
WARP_MATH2(pow, "_Z3pow")
WARP_OTHER2(remainder, "_Z9remainder")
WARP_INLINE float fmaf(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
WARP_INLINE float fma(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
WARP_INLINE double fma(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }

/* ---- the least and the largest ---- */

#define WARP_ORDER(t)                                     \
    WARP_INLINE t min(t a, t b) { return b < a ? b : a; } \
    WARP_INLINE t max(t a, t b) { return a < b ? b : a; }
WARP_ORDER(int)
WARP_ORDER(unsigned)
WARP_ORDER(long long)
WARP_ORDER(unsigned long long)
WARP_INLINE float min(float a, float b) { return fmin(a, b); }
WARP_INLINE float max(float a, float b) { return fmax(a, b); }
WARP_INLINE double min(double a, double b) { return fmin(a, b); }
WARP_INLINE double max(double a, double b) { return fmax(a, b); }
WARP_INLINE int abs(int a) { return a < 0 ? -a : a; }
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
