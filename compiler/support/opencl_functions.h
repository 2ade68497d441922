/* SPDX-License-Identifier: Apache-2.0 */
/* OpenCL C that neither clang nor libclc has for nvptx: native_* as single instructions, half precision in memory,
 * mad_hi, fences. The driver gives it to clang before each source. */
#define WARP_INLINE static inline __attribute__((always_inline, nodebug, overloadable))

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

WARP_INLINE float warp_reciprocal(float a) {
    float d;
    __asm__("rcp.approx.ftz.f32 %0, %1;" : "=f"(d) : "f"(a));
    return d;
}
#define WARP_NATIVE1(f, value)                     \
    WARP_INLINE float f(float a) { return value; } \
    WARP_MAP1(f, float)
#define WARP_NATIVE2(f, value)                              \
    WARP_INLINE float f(float a, float b) { return value; } \
    WARP_MAP2(f, float)
WARP_NATIVE1(native_recip, warp_reciprocal(a))
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

/* Single instructions, which libclc makes of shifts and comparisons. */
WARP_INLINE int mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
WARP_INLINE uint mul24(uint a, uint b) { return __nvvm_mul24_ui(a, b); }
#define WARP_MAD24(t) \
    WARP_INLINE t mad24(t a, t b, t c) { return mul24(a, b) + c; }
#define WARP_MAD24_ALL(t) \
    WARP_MAP2(mul24, t)   \
    WARP_MAD24(t) WARP_MAD24(t##2) WARP_MAD24(t##3) WARP_MAD24(t##4) WARP_MAD24(t##8) WARP_MAD24(t##16)
WARP_MAD24_ALL(int)
WARP_MAD24_ALL(uint)
WARP_INLINE uint abs_diff(int a, int b) {
    uint d;
    __asm__("sad.s32 %0, %1, %2, 0;" : "=r"(d) : "r"(a), "r"(b));
    return d;
}
WARP_INLINE uint abs_diff(uint a, uint b) {
    uint d;
    __asm__("sad.u32 %0, %1, %2, 0;" : "=r"(d) : "r"(a), "r"(b));
    return d;
}
WARP_INLINE int add_sat(int a, int b) {
    int d;
    __asm__("add.sat.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    return d;
}
WARP_INLINE int sub_sat(int a, int b) {
    int d;
    __asm__("sub.sat.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    return d;
}
WARP_MAP2(add_sat, int)
WARP_MAP2(sub_sat, int)

/* ---- the grid, fences ---- */

WARP_INLINE uint get_work_dim(void) {
    if (get_global_size(2) > 1) return 3;
    return get_global_size(1) > 1 ? 2 : 1;
}
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
