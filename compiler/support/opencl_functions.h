/* SPDX-License-Identifier: Apache-2.0 */
/* OpenCL C that neither clang nor libclc has for nvptx: native_* as single instructions, half precision in memory,
 * mad_hi, fences. The driver gives it to clang before each source. */
#define WARP_OVERLOAD __attribute__((overloadable))

/* ---- vectors by their components ---- */

#define WARP_MAP1(f, v)                                                   \
    WARP_INLINE v##2 f(v##2 a) { return (v##2)(f(a.x), f(a.y)); }         \
    WARP_INLINE v##3 f(v##3 a) { return (v##3)(f(a.x), f(a.y), f(a.z)); } \
    WARP_INLINE v##4 f(v##4 a) { return (v##4)(f(a.lo), f(a.hi)); }       \
    WARP_INLINE v##8 f(v##8 a) { return (v##8)(f(a.lo), f(a.hi)); }       \
    WARP_INLINE v##16 f(v##16 a) { return (v##16)(f(a.lo), f(a.hi)); }
#define WARP_MAP2(f, v)                                                                          \
    WARP_INLINE v##2 f(v##2 a, v##2 b) { return (v##2)(f(a.x, b.x), f(a.y, b.y)); }              \
    WARP_INLINE v##3 f(v##3 a, v##3 b) { return (v##3)(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z)); } \
    WARP_INLINE v##4 f(v##4 a, v##4 b) { return (v##4)(f(a.lo, b.lo), f(a.hi, b.hi)); }          \
    WARP_INLINE v##8 f(v##8 a, v##8 b) { return (v##8)(f(a.lo, b.lo), f(a.hi, b.hi)); }          \
    WARP_INLINE v##16 f(v##16 a, v##16 b) { return (v##16)(f(a.lo, b.lo), f(a.hi, b.hi)); }

/* ---- single instructions ---- */

#define WARP_NATIVE1(f, value)                     \
    WARP_INLINE float f(float a) { return value; } \
    WARP_MAP1(f, float)
#define WARP_NATIVE2(f, value)                              \
    WARP_INLINE float f(float a, float b) { return value; } \
    WARP_MAP2(f, float)
WARP_NATIVE1(native_recip, warp_rcp(a))
WARP_NATIVE1(native_rsqrt, __nvvm_rsqrt_approx_ftz_f(a))
WARP_NATIVE1(native_sqrt, __nvvm_sqrt_approx_ftz_f(a))
WARP_NATIVE1(native_sin, __nvvm_sin_approx_ftz_f(a))
WARP_NATIVE1(native_cos, __nvvm_cos_approx_ftz_f(a))
WARP_NATIVE1(native_exp2, __nvvm_ex2_approx_ftz_f(a))
WARP_NATIVE1(native_log2, __nvvm_lg2_approx_ftz_f(a))
WARP_NATIVE1(native_exp, native_exp2(a * 1.44269504f))
WARP_NATIVE1(native_exp10, native_exp2(a * 3.32192809f))
WARP_NATIVE1(native_log, native_log2(a) * 0.693147181f)
WARP_NATIVE1(native_log10, native_log2(a) * 0.301029996f)
WARP_NATIVE1(native_tan, native_sin(a) * native_recip(native_cos(a)))
WARP_NATIVE2(native_divide, a *native_recip(b))
WARP_NATIVE2(native_powr, native_exp2(b *native_log2(a)))

/* ---- math_functions.h; of double, libclc's ---- */

#define WARP_DECLARE1(f, v)     \
    v WARP_OVERLOAD f(v);       \
    v##2 WARP_OVERLOAD f(v##2); \
    v##3 WARP_OVERLOAD f(v##3); \
    v##4 WARP_OVERLOAD f(v##4); \
    v##8 WARP_OVERLOAD f(v##8); \
    v##16 WARP_OVERLOAD f(v##16);
#define WARP_DECLARE2(f, v)           \
    v WARP_OVERLOAD f(v, v);          \
    v##2 WARP_OVERLOAD f(v##2, v##2); \
    v##3 WARP_OVERLOAD f(v##3, v##3); \
    v##4 WARP_OVERLOAD f(v##4, v##4); \
    v##8 WARP_OVERLOAD f(v##8, v##8); \
    v##16 WARP_OVERLOAD f(v##16, v##16);
#define WARP_MATH1(f)                                    \
    WARP_INLINE float f(float a) { return warp_##f(a); } \
    WARP_MAP1(f, float)                                  \
    WARP_DECLARE1(f, double)
#define WARP_MATH2(f)                                                \
    WARP_INLINE float f(float a, float b) { return warp_##f(a, b); } \
    WARP_MAP2(f, float)                                              \
    WARP_DECLARE2(f, double)
WARP_MATH1(acos)
WARP_MATH1(acosh)
WARP_MATH1(acospi)
WARP_MATH1(asin)
WARP_MATH1(asinh)
WARP_MATH1(asinpi)
WARP_MATH1(atan)
WARP_MATH1(atanh)
WARP_MATH1(atanpi)
WARP_MATH1(cbrt)
WARP_MATH1(cos)
WARP_MATH1(cosh)
WARP_MATH1(cospi)
WARP_MATH1(erf)
WARP_MATH1(erfc)
WARP_MATH1(exp)
WARP_MATH1(exp10)
WARP_MATH1(exp2)
WARP_MATH1(expm1)
WARP_MATH1(lgamma)
WARP_MATH1(log)
WARP_MATH1(log10)
WARP_MATH1(log1p)
WARP_MATH1(log2)
WARP_MATH1(sin)
WARP_MATH1(sinh)
WARP_MATH1(sinpi)
WARP_MATH1(tan)
WARP_MATH1(tanh)
WARP_MATH1(tanpi)
WARP_MATH1(tgamma)
WARP_MATH2(atan2)
WARP_MATH2(atan2pi)
WARP_MATH2(hypot)
WARP_MATH2(pow)
WARP_MATH2(powr)

/* Of a float and an int. */
#define WARP_MAP_INT(f)                                                                                \
    WARP_INLINE float2 f(float2 a, int2 b) { return (float2)(f(a.x, b.x), f(a.y, b.y)); }              \
    WARP_INLINE float3 f(float3 a, int3 b) { return (float3)(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z)); } \
    WARP_INLINE float4 f(float4 a, int4 b) { return (float4)(f(a.lo, b.lo), f(a.hi, b.hi)); }          \
    WARP_INLINE float8 f(float8 a, int8 b) { return (float8)(f(a.lo, b.lo), f(a.hi, b.hi)); }          \
    WARP_INLINE float16 f(float16 a, int16 b) { return (float16)(f(a.lo, b.lo), f(a.hi, b.hi)); }      \
    double WARP_OVERLOAD f(double, int);                                                               \
    double2 WARP_OVERLOAD f(double2, int2);                                                            \
    double3 WARP_OVERLOAD f(double3, int3);                                                            \
    double4 WARP_OVERLOAD f(double4, int4);                                                            \
    double8 WARP_OVERLOAD f(double8, int8);                                                            \
    double16 WARP_OVERLOAD f(double16, int16);
WARP_INLINE float pown(float a, int b) { return warp_pown(a, b); }
WARP_INLINE float rootn(float a, int b) { return warp_rootn(a, b); }
WARP_MAP_INT(pown)
WARP_MAP_INT(rootn)

/* Of a number; the second result goes through a pointer. */
#define WARP_MAP_POINTER(f, space, v, u)                           \
    WARP_INLINE v##2 f(v##2 a, space u##2 * b) {                   \
        u y, z;                                                    \
        const v##2 d = (v##2)(f(a.x, &y), f(a.y, &z));             \
        *b = (u##2)(y, z);                                         \
        return d;                                                  \
    }                                                              \
    WARP_INLINE v##3 f(v##3 a, space u##3 * b) {                   \
        u x, y, z;                                                 \
        const v##3 d = (v##3)(f(a.x, &x), f(a.y, &y), f(a.z, &z)); \
        *b = (u##3)(x, y, z);                                      \
        return d;                                                  \
    }                                                              \
    WARP_MAP_POINTER_HALVES(f, space, v##4, u##4, u##2)            \
    WARP_MAP_POINTER_HALVES(f, space, v##8, u##8, u##4)            \
    WARP_MAP_POINTER_HALVES(f, space, v##16, u##16, u##8)
#define WARP_MAP_POINTER_HALVES(f, space, v, u, part) \
    WARP_INLINE v f(v a, space u *b) {                \
        part y, z;                                    \
        const v d = (v)(f(a.lo, &y), f(a.hi, &z));    \
        *b = (u)(y, z);                               \
        return d;                                     \
    }
WARP_INLINE float sincos(float a, __private float *b) { return warp_sincos(a, b); }
WARP_INLINE float lgamma_r(float a, __private int *b) {
    *b = warp_sign_of_gamma(a);
    return warp_lgamma(a);
}
#define WARP_POINTER(f, space, u)              \
    WARP_INLINE float f(float a, space u *b) { \
        u second;                              \
        const float first = f(a, &second);     \
        *b = second;                           \
        return first;                          \
    }                                          \
    WARP_MAP_POINTER(f, space, float, u)
WARP_MAP_POINTER(sincos, __private, float, float)
WARP_POINTER(sincos, __global, float)
WARP_POINTER(sincos, __local, float)
WARP_MAP_POINTER(lgamma_r, __private, float, int)
WARP_POINTER(lgamma_r, __global, int)
WARP_POINTER(lgamma_r, __local, int)

/* Within three units, and two. */
WARP_NATIVE1(sqrt, __nvvm_sqrt_approx_f(a))
WARP_NATIVE1(rsqrt, __nvvm_rsqrt_approx_f(a))
WARP_INLINE double sqrt(double a) { return __nvvm_sqrt_rn_d(a); }
WARP_INLINE double rsqrt(double a) { return 1 / __nvvm_sqrt_rn_d(a); }
WARP_MAP1(sqrt, double)
WARP_MAP1(rsqrt, double)

/* mad is FMAD; fma is exact, and takes long. */
#define WARP_MAD(v)                                        \
    WARP_INLINE v mad(v a, v b, v c) { return a * b + c; } \
    WARP_INLINE v mix(v a, v b, v c) { return a + (b - a) * c; }
WARP_MAD(float)
WARP_MAD(float2)
WARP_MAD(float3)
WARP_MAD(float4)
WARP_MAD(float8)
WARP_MAD(float16)
WARP_MAD(double)
WARP_INLINE float2 mix(float2 a, float2 b, float c) { return a + (b - a) * c; }
WARP_INLINE float3 mix(float3 a, float3 b, float c) { return a + (b - a) * c; }
WARP_INLINE float4 mix(float4 a, float4 b, float c) { return a + (b - a) * c; }
WARP_INLINE float dot(float a, float b) { return a * b; }
WARP_INLINE float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
WARP_INLINE float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
WARP_INLINE float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

/* -cl-fast-relaxed-math */
#ifdef __FAST_RELAXED_MATH__
#define sin   native_sin
#define cos   native_cos
#define tan   native_tan
#define exp   native_exp
#define exp2  native_exp2
#define exp10 native_exp10
#define log   native_log
#define log2  native_log2
#define log10 native_log10
#define rsqrt native_rsqrt
#define sqrt  native_sqrt
#define powr  native_powr
#endif

/* ---- integers ---- */

#define WARP_MAD_HI(t) \
    WARP_INLINE t mad_hi(t a, t b, t c) { return mul_hi(a, b) + c; }
#define WARP_MAD_HI_ALL(t) \
    WARP_MAD_HI(t) WARP_MAD_HI(t##2) WARP_MAD_HI(t##3) WARP_MAD_HI(t##4) WARP_MAD_HI(t##8) WARP_MAD_HI(t##16)
WARP_MAD_HI_ALL(char)
WARP_MAD_HI_ALL(uchar)
WARP_MAD_HI_ALL(short)
WARP_MAD_HI_ALL(ushort)
WARP_MAD_HI_ALL(int)
WARP_MAD_HI_ALL(uint)
WARP_MAD_HI_ALL(long)
WARP_MAD_HI_ALL(ulong)

/* ---- the grid, fences ---- */

WARP_INLINE uint get_work_dim(void) {
    if (get_global_size(2) > 1) return 3;
    return get_global_size(1) > 1 ? 2 : 1;
}
#if __OPENCL_C_VERSION__ >= 200
WARP_INLINE size_t get_enqueued_local_size(uint d) { return get_local_size(d); }
WARP_INLINE size_t get_local_linear_id(void) {
    return (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
}
WARP_INLINE size_t get_global_linear_id(void) {
    return (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
}
WARP_INLINE void work_group_barrier(uint flags) { __syncthreads(); }
#endif
WARP_INLINE void mem_fence(uint flags) { __nvvm_membar_cta(); }
WARP_INLINE void read_mem_fence(uint flags) { __nvvm_membar_cta(); }
WARP_INLINE void write_mem_fence(uint flags) { __nvvm_membar_cta(); }

/* ---- half precision in memory: libclc's bodies ---- */

#ifndef cl_khr_fp16
#define WARP_LOADS(space)                                                        \
    float __attribute__((overloadable)) vload_half(size_t, const space half *);  \
    float __attribute__((overloadable)) vloada_half(size_t, const space half *); \
    WARP_LOAD_VECTOR(space, 2)                                                   \
    WARP_LOAD_VECTOR(space, 3)                                                   \
    WARP_LOAD_VECTOR(space, 4)                                                   \
    WARP_LOAD_VECTOR(space, 8)                                                   \
    WARP_LOAD_VECTOR(space, 16)
#define WARP_LOAD_VECTOR(space, n)                                                    \
    float##n __attribute__((overloadable)) vload_half##n(size_t, const space half *); \
    float##n __attribute__((overloadable)) vloada_half##n(size_t, const space half *);
#define WARP_STORES(space, suffix)                                                        \
    void __attribute__((overloadable)) vstore_half##suffix(float, size_t, space half *);  \
    void __attribute__((overloadable)) vstorea_half##suffix(float, size_t, space half *); \
    WARP_STORE_VECTOR(space, 2, suffix)                                                   \
    WARP_STORE_VECTOR(space, 3, suffix)                                                   \
    WARP_STORE_VECTOR(space, 4, suffix)                                                   \
    WARP_STORE_VECTOR(space, 8, suffix)                                                   \
    WARP_STORE_VECTOR(space, 16, suffix)
#define WARP_STORE_VECTOR(space, n, suffix)                                                    \
    void __attribute__((overloadable)) vstore_half##n##suffix(float##n, size_t, space half *); \
    void __attribute__((overloadable)) vstorea_half##n##suffix(float##n, size_t, space half *);
WARP_LOADS(__global)
WARP_LOADS(__constant)
WARP_LOADS(__local)
WARP_LOADS(__private)
#define WARP_STORES_ALL(space) \
    WARP_STORES(space, )       \
    WARP_STORES(space, _rte) WARP_STORES(space, _rtz) WARP_STORES(space, _rtp) WARP_STORES(space, _rtn)
WARP_STORES_ALL(__global)
WARP_STORES_ALL(__local)
WARP_STORES_ALL(__private)
#endif
