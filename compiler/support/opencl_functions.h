/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of OpenCL C that neither clang nor libclc has for nvptx: native_* as single instructions, half precision
 * in memory, mad_hi, fences. The driver puts it before each source. */
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

#define WARP_MAP3(f, v)                                                                                     \
    WARP_INLINE v##2 f(v##2 a, v##2 b, v##2 c) { return (v##2)(f(a.x, b.x, c.x), f(a.y, b.y, c.y)); }       \
    WARP_INLINE v##3 f(v##3 a, v##3 b, v##3 c) {                                                            \
        return (v##3)(f(a.x, b.x, c.x), f(a.y, b.y, c.y), f(a.z, b.z, c.z));                                \
    }                                                                                                       \
    WARP_INLINE v##4 f(v##4 a, v##4 b, v##4 c) { return (v##4)(f(a.lo, b.lo, c.lo), f(a.hi, b.hi, c.hi)); } \
    WARP_INLINE v##8 f(v##8 a, v##8 b, v##8 c) { return (v##8)(f(a.lo, b.lo, c.lo), f(a.hi, b.hi, c.hi)); } \
    WARP_INLINE v##16 f(v##16 a, v##16 b, v##16 c) { return (v##16)(f(a.lo, b.lo, c.lo), f(a.hi, b.hi, c.hi)); }
#define WARP_ALL_WIDTHS(define, t) define(t, ) define(t, 2) define(t, 3) define(t, 4) define(t, 8) define(t, 16)

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

/* ---- math_functions.h; double functions are libclc's ---- */

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

/* Functions of a float and an int. */
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

/* Functions with a second result, through a pointer. */
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
#define WARP_POINTER(f, space, v, u)   \
    WARP_INLINE v f(v a, space u *b) { \
        u second;                      \
        const v first = f(a, &second); \
        *b = second;                   \
        return first;                  \
    }                                  \
    WARP_MAP_POINTER(f, space, v, u)
WARP_MAP_POINTER(sincos, __private, float, float)
WARP_POINTER(sincos, __global, float, float)
WARP_POINTER(sincos, __local, float, float)
WARP_MAP_POINTER(lgamma_r, __private, float, int)
WARP_POINTER(lgamma_r, __global, float, int)
WARP_POINTER(lgamma_r, __local, float, int)
WARP_INLINE double sincos(double a, __private double *b) {
    *b = cos(a);
    return sin(a);
}
WARP_MAP_POINTER(sincos, __private, double, double)
WARP_POINTER(sincos, __global, double, double)
WARP_POINTER(sincos, __local, double, double)
double WARP_OVERLOAD lgamma_r(double, __private int *);
WARP_MAP_POINTER(lgamma_r, __private, double, int)
WARP_POINTER(lgamma_r, __global, double, int)
WARP_POINTER(lgamma_r, __local, double, int)

/* Within three units and two units. */
WARP_NATIVE1(sqrt, __nvvm_sqrt_approx_f(a))
WARP_NATIVE1(rsqrt, __nvvm_rsqrt_approx_f(a))
WARP_INLINE double sqrt(double a) { return __nvvm_sqrt_rn_d(a); }
WARP_INLINE double rsqrt(double a) { return 1 / __nvvm_sqrt_rn_d(a); }
WARP_MAP1(sqrt, double)
WARP_MAP1(rsqrt, double)

/* Functions of lower precision: a single instruction if it is within 8192 units. */
WARP_NATIVE1(half_cos, warp_cos(a))
WARP_NATIVE1(half_exp, warp_exp(a))
WARP_NATIVE1(half_exp10, warp_exp10(a))
WARP_NATIVE1(half_exp2, warp_ex2(a))
WARP_NATIVE1(half_log, warp_log(a))
WARP_NATIVE1(half_log10, warp_log10(a))
WARP_NATIVE1(half_log2, warp_log2(a))
WARP_NATIVE1(half_recip, 1 / a)
WARP_NATIVE1(half_rsqrt, warp_rsq(a))
WARP_NATIVE1(half_sin, warp_sin(a))
WARP_NATIVE1(half_sqrt, __nvvm_sqrt_approx_ftz_f(a))
WARP_NATIVE1(half_tan, warp_tan(a))
WARP_NATIVE2(half_divide, a / b)
WARP_NATIVE2(half_powr, warp_powr(a, b))

/* mad is FMAD; fma is correctly rounded, and takes many instructions. */
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
WARP_MAD(double2)
WARP_MAD(double3)
WARP_MAD(double4)
WARP_MAD(double8)
WARP_MAD(double16)
WARP_INLINE float2 mix(float2 a, float2 b, float c) { return a + (b - a) * c; }
WARP_INLINE float3 mix(float3 a, float3 b, float c) { return a + (b - a) * c; }
WARP_INLINE float4 mix(float4 a, float4 b, float c) { return a + (b - a) * c; }
WARP_INLINE float dot(float a, float b) { return a * b; }
WARP_INLINE float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
WARP_INLINE float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
WARP_INLINE float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

/* ---- geometry ---- */

/* Scales a vector by a power of 2 to compute its length, so that the squares neither overflow nor underflow. */
WARP_INLINE uint warp_exponent(float a) {
    const uint power = warp_bits(a) & 0x7f800000;
    return power > 0x7e800000 ? 0x7e800000 : power;
}
WARP_INLINE float warp_most(float a) { return warp_size(a); }
WARP_INLINE float warp_most(float2 a) { return __nvvm_fmax_f(warp_size(a.x), warp_size(a.y)); }
WARP_INLINE float warp_most(float3 a) { return __nvvm_fmax_f(warp_most(a.xy), warp_size(a.z)); }
WARP_INLINE float warp_most(float4 a) { return __nvvm_fmax_f(warp_most(a.xy), warp_most(a.zw)); }
#define WARP_GEOMETRY(v)                                                                                         \
    WARP_INLINE float length(v a) {                                                                              \
        const uint power = warp_exponent(warp_most(a));                                                          \
        const v scaled = a * warp_number(0x7f000000 - power);                                                    \
        const float square = dot(scaled, scaled);                                                                \
        return square == 0 || square == WARP_INFINITY ? square : square * warp_rsq(square) * warp_number(power); \
    }                                                                                                            \
    WARP_INLINE v normalize(v a) {                                                                               \
        const v scaled = a * warp_number(0x7f000000 - warp_exponent(warp_most(a)));                              \
        const float square = dot(scaled, scaled);                                                                \
        return square == 0 ? a : scaled * warp_rsq(square);                                                      \
    }                                                                                                            \
    WARP_INLINE float distance(v a, v b) { return length(a - b); }                                               \
    WARP_INLINE float fast_length(v a) { return __nvvm_sqrt_approx_ftz_f(dot(a, a)); }                           \
    WARP_INLINE float fast_distance(v a, v b) { return fast_length(a - b); }                                     \
    WARP_INLINE v fast_normalize(v a) {                                                                          \
        const float square = dot(a, a);                                                                          \
        return square == 0 ? a : a * warp_rsq(square);                                                           \
    }
WARP_GEOMETRY(float)
WARP_GEOMETRY(float2)
WARP_GEOMETRY(float3)
WARP_GEOMETRY(float4)
WARP_INLINE float3 cross(float3 a, float3 b) { return a.yzx * b.zxy - a.zxy * b.yzx; }
WARP_INLINE float4 cross(float4 a, float4 b) { return (float4)(cross(a.xyz, b.xyz), 0); }
#define WARP_DECLARE_GEOMETRY(v)         \
    double WARP_OVERLOAD length(v);      \
    double WARP_OVERLOAD distance(v, v); \
    v WARP_OVERLOAD normalize(v);        \
    double WARP_OVERLOAD dot(v, v);
WARP_DECLARE_GEOMETRY(double)
WARP_DECLARE_GEOMETRY(double2)
WARP_DECLARE_GEOMETRY(double3)
WARP_DECLARE_GEOMETRY(double4)
double3 WARP_OVERLOAD cross(double3, double3);
double4 WARP_OVERLOAD cross(double4, double4);

WARP_INLINE float smoothstep(float low, float high, float a) {
    const float t = __nvvm_fmin_f(__nvvm_fmax_f((a - low) / (high - low), 0), 1);
    return t * t * (3 - 2 * t);
}
WARP_MAP3(smoothstep, float)
#define WARP_SMOOTHSTEP_SCALAR(v) \
    WARP_INLINE v smoothstep(float low, float high, v a) { return smoothstep((v)low, (v)high, a); }
WARP_SMOOTHSTEP_SCALAR(float2)
WARP_SMOOTHSTEP_SCALAR(float3)
WARP_SMOOTHSTEP_SCALAR(float4)
WARP_SMOOTHSTEP_SCALAR(float8)
WARP_SMOOTHSTEP_SCALAR(float16)
#define WARP_DECLARE_SMOOTHSTEP(t, n) t##n WARP_OVERLOAD smoothstep(t##n, t##n, t##n);
WARP_ALL_WIDTHS(WARP_DECLARE_SMOOTHSTEP, double)
#define WARP_MIX_SCALAR(v) \
    WARP_INLINE v mix(v a, v b, float c) { return a + (b - a) * c; }
WARP_MIX_SCALAR(float8)
WARP_MIX_SCALAR(float16)

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

/* Single instructions, where libclc uses shifts and comparisons; other types are libclc's. */
WARP_INLINE int mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
WARP_INLINE uint mul24(uint a, uint b) { return __nvvm_mul24_ui(a, b); }
#define WARP_MAD24(t, n) \
    WARP_INLINE t##n mad24(t##n a, t##n b, t##n c) { return mul24(a, b) + c; }
WARP_MAP2(mul24, int)
WARP_MAP2(mul24, uint)
WARP_ALL_WIDTHS(WARP_MAD24, int)
WARP_ALL_WIDTHS(WARP_MAD24, uint)
#define WARP_SINGLE(f, d, t, instruction)                     \
    WARP_INLINE d f(t a, t b) {                               \
        d result;                                             \
        __asm__(instruction : "=r"(result) : "r"(a), "r"(b)); \
        return result;                                        \
    }
WARP_SINGLE(abs_diff, uint, int, "sad.s32 %0, %1, %2, 0;")
WARP_SINGLE(abs_diff, uint, uint, "sad.u32 %0, %1, %2, 0;")
WARP_SINGLE(add_sat, int, int, "add.sat.s32 %0, %1, %2;")
WARP_SINGLE(sub_sat, int, int, "sub.sat.s32 %0, %1, %2;")
WARP_MAP2(abs_diff, uint)
WARP_MAP2(add_sat, int)
WARP_MAP2(sub_sat, int)
WARP_INLINE uint2 abs_diff(int2 a, int2 b) { return (uint2)(abs_diff(a.x, b.x), abs_diff(a.y, b.y)); }
WARP_INLINE uint3 abs_diff(int3 a, int3 b) { return (uint3)(abs_diff(a.xy, b.xy), abs_diff(a.z, b.z)); }
WARP_INLINE uint4 abs_diff(int4 a, int4 b) { return (uint4)(abs_diff(a.lo, b.lo), abs_diff(a.hi, b.hi)); }
WARP_INLINE uint8 abs_diff(int8 a, int8 b) { return (uint8)(abs_diff(a.lo, b.lo), abs_diff(a.hi, b.hi)); }
WARP_INLINE uint16 abs_diff(int16 a, int16 b) { return (uint16)(abs_diff(a.lo, b.lo), abs_diff(a.hi, b.hi)); }
#define WARP_DECLARE_ABS_DIFF(t, n)             \
    u##t##n WARP_OVERLOAD abs_diff(t##n, t##n); \
    u##t##n WARP_OVERLOAD abs_diff(u##t##n, u##t##n);
#define WARP_DECLARE_ADD_SAT(t, n) t##n WARP_OVERLOAD add_sat(t##n, t##n);
WARP_ALL_WIDTHS(WARP_DECLARE_ABS_DIFF, char)
WARP_ALL_WIDTHS(WARP_DECLARE_ABS_DIFF, short)
WARP_ALL_WIDTHS(WARP_DECLARE_ABS_DIFF, long)
WARP_ALL_WIDTHS(WARP_DECLARE_ADD_SAT, char)
WARP_ALL_WIDTHS(WARP_DECLARE_ADD_SAT, uchar)
WARP_ALL_WIDTHS(WARP_DECLARE_ADD_SAT, short)
WARP_ALL_WIDTHS(WARP_DECLARE_ADD_SAT, ushort)
WARP_ALL_WIDTHS(WARP_DECLARE_ADD_SAT, uint)
WARP_ALL_WIDTHS(WARP_DECLARE_ADD_SAT, long)
WARP_ALL_WIDTHS(WARP_DECLARE_ADD_SAT, ulong)

/* Corrects libclc-14: sub_sat of 0 and the most negative number, 64-bit mad_sat, and rounding of wide integers to
 * float. */
#define WARP_SUB_SAT(t, n)                                                                                         \
    WARP_INLINE t##n sub_sat(t##n a, t##n b) {                                                                     \
        const t##n d = (t##n)(a - b), limit = (t##n)(a < (t##n)0 ? (t##n)WARP_LEAST_##t : (t##n) ~WARP_LEAST_##t); \
        return (t##n)(((a ^ b) & (a ^ d)) < (t##n)0 ? limit : d);                                                  \
    }
#define WARP_SUB_SAT_UNSIGNED(t, n) \
    WARP_INLINE t##n sub_sat(t##n a, t##n b) { return a < b ? (t##n)0 : (t##n)(a - b); }
#define WARP_LEAST_char  ((char)-128)
#define WARP_LEAST_short ((short)-32768)
#define WARP_LEAST_long  ((long)0x8000000000000000)
WARP_ALL_WIDTHS(WARP_SUB_SAT, char)
WARP_ALL_WIDTHS(WARP_SUB_SAT, short)
WARP_ALL_WIDTHS(WARP_SUB_SAT, long)
WARP_ALL_WIDTHS(WARP_SUB_SAT_UNSIGNED, uchar)
WARP_ALL_WIDTHS(WARP_SUB_SAT_UNSIGNED, ushort)
WARP_ALL_WIDTHS(WARP_SUB_SAT_UNSIGNED, uint)
WARP_ALL_WIDTHS(WARP_SUB_SAT_UNSIGNED, ulong)

#define WARP_DECLARE_MAD_SAT(t, n) t##n WARP_OVERLOAD mad_sat(t##n, t##n, t##n);
WARP_ALL_WIDTHS(WARP_DECLARE_MAD_SAT, char)
WARP_ALL_WIDTHS(WARP_DECLARE_MAD_SAT, uchar)
WARP_ALL_WIDTHS(WARP_DECLARE_MAD_SAT, short)
WARP_ALL_WIDTHS(WARP_DECLARE_MAD_SAT, ushort)
WARP_ALL_WIDTHS(WARP_DECLARE_MAD_SAT, int)
WARP_ALL_WIDTHS(WARP_DECLARE_MAD_SAT, uint)
WARP_INLINE long mad_sat(long a, long b, long c) {
    const ulong product = (ulong)a * (ulong)b, low = product + (ulong)c;
    const long high = mul_hi(a, b) + (c >> 63) + (low < product);
    if (high == (long)low >> 63) return (long)low;
    return high < 0 ? WARP_LEAST_long : ~WARP_LEAST_long;
}
WARP_INLINE ulong mad_sat(ulong a, ulong b, ulong c) {
    const ulong product = a * b, low = product + c;
    return mul_hi(a, b) != 0 || low < product ? ~0ul : low;
}
WARP_MAP3(mad_sat, long)
WARP_MAP3(mad_sat, ulong)

#define WARP_ROUND_ONE(t, mode, type, letter)                                 \
    WARP_INLINE float warp_round_##t##_##mode(t a) {                          \
        float d;                                                              \
        __asm__("cvt." #mode ".f32." #type " %0, %1;" : "=f"(d) : letter(a)); \
        return d;                                                             \
    }
#define WARP_ROUND_FOUR(mode)            \
    WARP_ROUND_ONE(int, mode, s32, "r")  \
    WARP_ROUND_ONE(uint, mode, u32, "r") \
    WARP_ROUND_ONE(long, mode, s64, "l") \
    WARP_ROUND_ONE(ulong, mode, u64, "l")
WARP_ROUND_FOUR(rz)
WARP_ROUND_FOUR(rp)
WARP_ROUND_FOUR(rm)
#define WARP_ROUND_HALVES(t, rounding, n, half_n)                                                              \
    WARP_INLINE float##n convert_float##n##_##rounding(t##n a) {                                               \
        return (float##n)(convert_float##half_n##_##rounding(a.lo), convert_float##half_n##_##rounding(a.hi)); \
    }
#define WARP_ROUND(t, rounding, value)                                                                                \
    WARP_INLINE float convert_float_##rounding(t a) { return value; }                                                 \
    WARP_ROUND_HALVES(t, rounding, 2, )                                                                               \
    WARP_INLINE float3 convert_float3_##rounding(t##3 a) {                                                            \
        return (float3)(convert_float_##rounding(a.x), convert_float_##rounding(a.y), convert_float_##rounding(a.z)); \
    }                                                                                                                 \
    WARP_ROUND_HALVES(t, rounding, 4, 2)                                                                              \
    WARP_ROUND_HALVES(t, rounding, 8, 4)                                                                              \
    WARP_ROUND_HALVES(t, rounding, 16, 8)
#define WARP_ROUND_ALL(rounding, mode)                      \
    WARP_ROUND(int, rounding, warp_round_int_##mode(a))     \
    WARP_ROUND(uint, rounding, warp_round_uint_##mode(a))   \
    WARP_ROUND(long, rounding, warp_round_long_##mode(a))   \
    WARP_ROUND(ulong, rounding, warp_round_ulong_##mode(a)) \
    WARP_KEEP_ALL(rounding, char)                           \
    WARP_KEEP_ALL(rounding, uchar)                          \
    WARP_KEEP_ALL(rounding, short)                          \
    WARP_KEEP_ALL(rounding, ushort)                         \
    WARP_KEEP_ALL(rounding, float)                          \
    WARP_KEEP_ALL(rounding, double)
#define WARP_KEEP_ALL(rounding, t)                        \
    float WARP_OVERLOAD convert_float_##rounding(t);      \
    float2 WARP_OVERLOAD convert_float2_##rounding(t##2); \
    float3 WARP_OVERLOAD convert_float3_##rounding(t##3); \
    float4 WARP_OVERLOAD convert_float4_##rounding(t##4); \
    float8 WARP_OVERLOAD convert_float8_##rounding(t##8); \
    float16 WARP_OVERLOAD convert_float16_##rounding(t##16);
WARP_ROUND_ALL(rtz, rz)
WARP_ROUND_ALL(rtp, rp)
WARP_ROUND_ALL(rtn, rm)

/* ---- the grid, fences ---- */

WARP_INLINE uint get_work_dim(void) {
#ifdef __WARPSTEP_RANGE__
    return warp_range[15];
#else
    if (get_global_size(2) > 1) return 3;
    return get_global_size(1) > 1 ? 2 : 1;
#endif
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
WARP_INLINE cl_mem_fence_flags get_fence(const void *p) {
    return __nvvm_isspacep_shared(p) ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE;
}
#endif
WARP_INLINE void mem_fence(uint flags) { __nvvm_membar_cta(); }
WARP_INLINE void read_mem_fence(uint flags) { __nvvm_membar_cta(); }
WARP_INLINE void write_mem_fence(uint flags) { __nvvm_membar_cta(); }

/* ---- atomic operations on local memory ---- */

/* sm_10 has no such instruction. A lock in global memory admits one warp of a group at a time, with all its lanes;
 * then one lane after the other does its operation. The end of a lane's turn is hidden from the compiler, which
 * would otherwise move the guarded operation behind the loop, where lanes with the lock wait for lanes without. */
#ifdef __WARPSTEP_RANGE__
#define WARP_LOCKS 64
#define WARP_LOCAL(name, t, value, ...)                                                                        \
    WARP_INLINE t name(volatile __local t *p __VA_ARGS__) {                                                    \
        const uint thread =                                                                                    \
            (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);     \
        const uint group =                                                                                     \
            __nvvm_read_ptx_sreg_ctaid_y() * __nvvm_read_ptx_sreg_nctaid_x() + __nvvm_read_ptx_sreg_ctaid_x(); \
        const uint own = group << 4 | thread >> 5 | 1u << 31, lane = thread & 31;                              \
        volatile __global uint *lock = (volatile __global uint *)warp_range[16] + group % WARP_LOCKS;          \
        t old = 0;                                                                                             \
        uint done = 0;                                                                                         \
        do {                                                                                                   \
            const uint holder = atomic_cmpxchg(lock, 0u, own);                                                 \
            if (holder == 0 || holder == own) {                                                                \
                _Pragma("unroll 1") for (uint i = 0; i < 32; i++) if (i == lane) {                             \
                    old = *p;                                                                                  \
                    *p = value;                                                                                \
                }                                                                                              \
                *lock = 0;                                                                                     \
                __asm__ volatile("mov.u32 %0, 1;" : "=r"(done));                                               \
            }                                                                                                  \
        } while (done == 0);                                                                                   \
        return old;                                                                                            \
    }
#define WARP_LOCAL_OF(t)                                                                            \
    WARP_LOCAL(atomic_add, t, old + a, , t a)                                                       \
    WARP_LOCAL(atomic_sub, t, old - a, , t a)                                                       \
    WARP_LOCAL(atomic_xchg, t, a, , t a)                                                            \
    WARP_LOCAL(atomic_inc, t, old + 1)                                                              \
    WARP_LOCAL(atomic_dec, t, old - 1)                                                              \
    WARP_LOCAL(atomic_cmpxchg, t, old == a ? b : old, , t a, t b)                                   \
    WARP_LOCAL(atomic_min, t, old < a ? old : a, , t a)                                             \
    WARP_LOCAL(atomic_max, t, old > a ? old : a, , t a)                                             \
    WARP_LOCAL(atomic_and, t, old &a, , t a)                                                        \
    WARP_LOCAL(atomic_or, t, old | a, , t a)                                                        \
    WARP_LOCAL(atomic_xor, t, old ^ a, , t a)                                                       \
    WARP_INLINE t atom_add(volatile __local t *p, t a) { return atomic_add(p, a); }                 \
    WARP_INLINE t atom_sub(volatile __local t *p, t a) { return atomic_sub(p, a); }                 \
    WARP_INLINE t atom_xchg(volatile __local t *p, t a) { return atomic_xchg(p, a); }               \
    WARP_INLINE t atom_inc(volatile __local t *p) { return atomic_inc(p); }                         \
    WARP_INLINE t atom_dec(volatile __local t *p) { return atomic_dec(p); }                         \
    WARP_INLINE t atom_cmpxchg(volatile __local t *p, t a, t b) { return atomic_cmpxchg(p, a, b); } \
    WARP_INLINE t atom_min(volatile __local t *p, t a) { return atomic_min(p, a); }                 \
    WARP_INLINE t atom_max(volatile __local t *p, t a) { return atomic_max(p, a); }                 \
    WARP_INLINE t atom_and(volatile __local t *p, t a) { return atomic_and(p, a); }                 \
    WARP_INLINE t atom_or(volatile __local t *p, t a) { return atomic_or(p, a); }                   \
    WARP_INLINE t atom_xor(volatile __local t *p, t a) { return atomic_xor(p, a); }
/* Those on global memory are libclc's; the functions here would hide them, so they are declared again. */
#define WARP_GLOBAL_OF(atomic, t)                                  \
    t WARP_OVERLOAD atomic##_add(volatile __global t *, t);        \
    t WARP_OVERLOAD atomic##_sub(volatile __global t *, t);        \
    t WARP_OVERLOAD atomic##_xchg(volatile __global t *, t);       \
    t WARP_OVERLOAD atomic##_inc(volatile __global t *);           \
    t WARP_OVERLOAD atomic##_dec(volatile __global t *);           \
    t WARP_OVERLOAD atomic##_cmpxchg(volatile __global t *, t, t); \
    t WARP_OVERLOAD atomic##_min(volatile __global t *, t);        \
    t WARP_OVERLOAD atomic##_max(volatile __global t *, t);        \
    t WARP_OVERLOAD atomic##_and(volatile __global t *, t);        \
    t WARP_OVERLOAD atomic##_or(volatile __global t *, t);         \
    t WARP_OVERLOAD atomic##_xor(volatile __global t *, t);
WARP_GLOBAL_OF(atomic, int)
WARP_GLOBAL_OF(atomic, uint)
WARP_GLOBAL_OF(atom, int)
WARP_GLOBAL_OF(atom, uint)
float WARP_OVERLOAD atomic_xchg(volatile __global float *, float);
WARP_LOCAL_OF(int)
WARP_LOCAL_OF(uint)
WARP_LOCAL(atomic_xchg, float, a, , float a)
#endif
/* ---- atomic operations: bodies in libclc, 32 bits only ---- */

#define WARP_NO_ATOM overloadable, unavailable("there are no atomic operations of 64 bits")
#define WARP_ATOM(t, space, is)                             \
    __attribute__((is)) t atom_inc(volatile space t *);     \
    __attribute__((is)) t atom_dec(volatile space t *);     \
    __attribute__((is)) t atom_add(volatile space t *, t);  \
    __attribute__((is)) t atom_sub(volatile space t *, t);  \
    __attribute__((is)) t atom_xchg(volatile space t *, t); \
    __attribute__((is)) t atom_min(volatile space t *, t);  \
    __attribute__((is)) t atom_max(volatile space t *, t);  \
    __attribute__((is)) t atom_and(volatile space t *, t);  \
    __attribute__((is)) t atom_or(volatile space t *, t);   \
    __attribute__((is)) t atom_xor(volatile space t *, t);  \
    __attribute__((is)) t atom_cmpxchg(volatile space t *, t, t);
WARP_ATOM(int, __global, overloadable)
WARP_ATOM(uint, __global, overloadable)
WARP_ATOM(long, __global, WARP_NO_ATOM)
WARP_ATOM(ulong, __global, WARP_NO_ATOM)
#ifndef __WARPSTEP_RANGE__
WARP_ATOM(int, __local, overloadable)
WARP_ATOM(uint, __local, overloadable)
#endif
WARP_ATOM(long, __local, WARP_NO_ATOM)
WARP_ATOM(ulong, __local, WARP_NO_ATOM)

/* ---- half precision in memory ---- */

#ifndef cl_khr_fp16
WARP_INLINE float warp_of_half(ushort a) {
    float d;
    __asm__("cvt.f32.f16 %0, %1;" : "=f"(d) : "h"(a));
    return d;
}
#define WARP_TO_HALF(mode)                                           \
    WARP_INLINE ushort warp_half_##mode(float a) {                   \
        ushort d;                                                    \
        __asm__("cvt." #mode ".f16.f32 %0, %1;" : "=h"(d) : "f"(a)); \
        return d;                                                    \
    }
WARP_TO_HALF(rn)
WARP_TO_HALF(rz)
WARP_TO_HALF(rp)
WARP_TO_HALF(rm)
#ifdef cl_khr_fp64
/* Rounds a double to a float that each mode rounds to the same half: odd if bits are lost. */
WARP_INLINE float warp_odd(double a) {
    const ulong bits = as_ulong(a), size = bits << 1 >> 1, tiny = 0x39b0000000000000ul; /* 2^-100 */
    float d;
    if (size != 0 && size < tiny) return as_float((uint)(bits >> 32) & 0x80000000u | 0x0d800000u);
    __asm__("cvt.rz.f32.f64 %0, %1;" : "=f"(d) : "d"(a));
    return as_float(as_uint(d) | ((bits & 0x1fffffff) != 0));
}
#define WARP_ODD_TO_HALF(mode) \
    WARP_INLINE ushort warp_half_##mode(double a) { return warp_half_##mode(warp_odd(a)); }
WARP_ODD_TO_HALF(rn)
WARP_ODD_TO_HALF(rz)
WARP_ODD_TO_HALF(rp)
WARP_ODD_TO_HALF(rm)
#endif
#define WARP_LOAD_VECTOR(f, space, n, stride)                                           \
    WARP_INLINE float##n f##n(size_t i, const space half *p) {                          \
        const space ushort *from = (const space ushort *)p + stride * i;                \
        float##n a;                                                                     \
        for (int k = 0; k < n; k++) ((__private float *)&a)[k] = warp_of_half(from[k]); \
        return a;                                                                       \
    }
#define WARP_STORE_VECTOR(t, f, suffix, mode, space, n, stride)                       \
    WARP_INLINE void f##n##suffix(t##n a, size_t i, space half *p) {                  \
        space ushort *to = (space ushort *)p + stride * i;                            \
        for (int k = 0; k < n; k++) to[k] = warp_half_##mode(((__private t *)&a)[k]); \
    }
#define WARP_LOADS(f, space, three)                                                                           \
    WARP_INLINE float f(size_t i, const space half *p) { return warp_of_half(((const space ushort *)p)[i]); } \
    WARP_LOAD_VECTOR(f, space, 2, 2)                                                                          \
    WARP_LOAD_VECTOR(f, space, 3, three)                                                                      \
    WARP_LOAD_VECTOR(f, space, 4, 4)                                                                          \
    WARP_LOAD_VECTOR(f, space, 8, 8)                                                                          \
    WARP_LOAD_VECTOR(f, space, 16, 16)
#define WARP_STORES(t, f, suffix, mode, space, three)                                                          \
    WARP_INLINE void f##suffix(t a, size_t i, space half *p) { ((space ushort *)p)[i] = warp_half_##mode(a); } \
    WARP_STORE_VECTOR(t, f, suffix, mode, space, 2, 2)                                                         \
    WARP_STORE_VECTOR(t, f, suffix, mode, space, 3, three)                                                     \
    WARP_STORE_VECTOR(t, f, suffix, mode, space, 4, 4)                                                         \
    WARP_STORE_VECTOR(t, f, suffix, mode, space, 8, 8)                                                         \
    WARP_STORE_VECTOR(t, f, suffix, mode, space, 16, 16)
#define WARP_LOADS_OF(space)         \
    WARP_LOADS(vload_half, space, 3) \
    WARP_LOADS(vloada_half, space, 4)
#define WARP_STORES_TO(t, suffix, mode, space)          \
    WARP_STORES(t, vstore_half, suffix, mode, space, 3) \
    WARP_STORES(t, vstorea_half, suffix, mode, space, 4)
#define WARP_STORES_ALL(t, space)      \
    WARP_STORES_TO(t, , rn, space)     \
    WARP_STORES_TO(t, _rte, rn, space) \
    WARP_STORES_TO(t, _rtz, rz, space) \
    WARP_STORES_TO(t, _rtp, rp, space) \
    WARP_STORES_TO(t, _rtn, rm, space)
WARP_LOADS_OF(__global)
WARP_LOADS_OF(__constant)
WARP_LOADS_OF(__local)
WARP_LOADS_OF(__private)
WARP_STORES_ALL(float, __global)
WARP_STORES_ALL(float, __local)
WARP_STORES_ALL(float, __private)
#ifdef cl_khr_fp64
WARP_STORES_ALL(double, __global)
WARP_STORES_ALL(double, __local)
WARP_STORES_ALL(double, __private)
#endif
#endif
