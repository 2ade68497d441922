/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations of system and CUDA headers that CUDA C kernels use; the headers themselves are empty. Types, limits,
 * constants, assert, printf. Comes after cuda_functions.h. */

/* ---- types ---- */

typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef struct warp_file FILE;
typedef int cudaError_t;
typedef struct warp_stream *cudaStream_t;
typedef struct warp_event *cudaEvent_t;

/* ---- constants ---- */

#ifndef NULL
#define NULL 0
#endif
#define CHAR_BIT   8
#define SCHAR_MIN  (-128)
#define SCHAR_MAX  127
#define UCHAR_MAX  255
#define CHAR_MIN   SCHAR_MIN
#define CHAR_MAX   SCHAR_MAX
#define SHRT_MIN   (-32768)
#define SHRT_MAX   32767
#define USHRT_MAX  65535
#define INT_MIN    (-2147483647 - 1)
#define INT_MAX    2147483647
#define UINT_MAX   4294967295u
#define LONG_MIN   (-__LONG_MAX__ - 1)
#define LONG_MAX   __LONG_MAX__
#define ULONG_MAX  (2ul * __LONG_MAX__ + 1)
#define LLONG_MIN  (-9223372036854775807ll - 1)
#define LLONG_MAX  9223372036854775807ll
#define ULLONG_MAX 18446744073709551615ull
#define INT8_MAX   SCHAR_MAX
#define INT16_MAX  SHRT_MAX
#define INT32_MIN  INT_MIN
#define INT32_MAX  INT_MAX
#define INT64_MAX  LLONG_MAX
#define UINT8_MAX  UCHAR_MAX
#define UINT16_MAX USHRT_MAX
#define UINT32_MAX UINT_MAX
#define UINT64_MAX ULLONG_MAX

#define FLT_MIN     __FLT_MIN__
#define FLT_MAX     __FLT_MAX__
#define FLT_EPSILON __FLT_EPSILON__
#define FLT_DIG     __FLT_DIG__
#define DBL_MIN     __DBL_MIN__
#define DBL_MAX     __DBL_MAX__
#define DBL_EPSILON __DBL_EPSILON__
#define INFINITY    __builtin_inff()
#define NAN         __builtin_nanf("")
#define HUGE_VAL    __builtin_inf()
#define HUGE_VALF   __builtin_inff()

#define M_E        2.7182818284590452354
#define M_LOG2E    1.4426950408889634074
#define M_LOG10E   0.43429448190325182765
#define M_LN2      0.69314718055994530942
#define M_LN10     2.30258509299404568402
#define M_PI       3.14159265358979323846
#define M_PI_2     1.57079632679489661923
#define M_PI_4     0.78539816339744830962
#define M_1_PI     0.31830988618379067154
#define M_2_PI     0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2    1.41421356237309504880
#define M_SQRT1_2  0.70710678118654752440

#define CUDART_INF_F        __builtin_inff()
#define CUDART_NAN_F        __builtin_nanf("")
#define CUDART_MAX_NORMAL_F __FLT_MAX__
#define CUDART_PI_F         3.141592654f
#define CUDART_PIO2_F       1.570796327f
#define CUDART_PIO4_F       0.785398163f
#define CUDART_SQRT_TWO_F   1.414213562f
#define CUDART_INF          __builtin_inf()
#define CUDART_PI           3.1415926535897931

/* ---- functions ---- */

#define assert(condition) ((condition) ? (void)0 : __trap())
extern "C" __attribute__((device)) int printf(const char *, ...);

#define WARP_BOTH static inline __attribute__((device, host, always_inline, nodebug))
WARP_BOTH void *memcpy(void *to, const void *from, size_t n) { return __builtin_memcpy(to, from, n); }
WARP_BOTH void *memmove(void *to, const void *from, size_t n) { return __builtin_memmove(to, from, n); }
WARP_BOTH void *memset(void *to, int c, size_t n) { return __builtin_memset(to, c, n); }
inline __attribute__((device, host)) void *operator new(size_t, void *at) noexcept { return at; }

#define WARP_LIMITS(t, least, most, small)                                                                            \
    template <> struct numeric_limits<t> {                                                                            \
        static constexpr __attribute__((device, host)) t min() { return least; }                                      \
        static constexpr __attribute__((device, host)) t max() { return most; }                                       \
        static constexpr __attribute__((device, host)) t lowest() { return (small) != 0 ? -most : least; }            \
        static constexpr __attribute__((device, host)) t epsilon() { return small; }                                  \
        static constexpr __attribute__((device, host)) t infinity() { return (small) != 0 ? (t)__builtin_inf() : 0; } \
        static constexpr bool is_integer = small == 0;                                                                \
    };

namespace std {
template <class T> struct numeric_limits;
WARP_LIMITS(float, FLT_MIN, FLT_MAX, FLT_EPSILON)
WARP_LIMITS(double, DBL_MIN, DBL_MAX, DBL_EPSILON)
WARP_LIMITS(char, CHAR_MIN, CHAR_MAX, 0)
WARP_LIMITS(unsigned char, 0, UCHAR_MAX, 0)
WARP_LIMITS(short, SHRT_MIN, SHRT_MAX, 0)
WARP_LIMITS(unsigned short, 0, USHRT_MAX, 0)
WARP_LIMITS(int, INT_MIN, INT_MAX, 0)
WARP_LIMITS(unsigned, 0, UINT_MAX, 0)
WARP_LIMITS(long long, LLONG_MIN, LLONG_MAX, 0)
WARP_LIMITS(unsigned long long, 0, ULLONG_MAX, 0)
template <class T> static inline __attribute__((device, always_inline)) void swap(T &a, T &b) {
    const T old = a;
    a = b;
    b = old;
}
using ::abs;
using ::exp;
using ::fabs;
using ::floor;
using ::log;
using ::max;
using ::memcpy;
using ::memmove;
using ::memset;
using ::min;
using ::pow;
using ::size_t;
using ::sqrt;
} // namespace std

/* ---- complex numbers ---- */

#define WARP_COMPLEX(type, vector, real, f)                                                                            \
    typedef vector type;                                                                                               \
    WARP_INLINE type make_##type(real x, real y) { return make_##vector(x, y); }                                       \
    WARP_INLINE real cuCreal##f(type a) { return a.x; }                                                                \
    WARP_INLINE real cuCimag##f(type a) { return a.y; }                                                                \
    WARP_INLINE type cuConj##f(type a) { return make_##vector(a.x, -a.y); }                                            \
    WARP_INLINE type cuCadd##f(type a, type b) { return make_##vector(a.x + b.x, a.y + b.y); }                         \
    WARP_INLINE type cuCsub##f(type a, type b) { return make_##vector(a.x - b.x, a.y - b.y); }                         \
    WARP_INLINE type cuCmul##f(type a, type b) { return make_##vector(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); } \
    WARP_INLINE type cuCdiv##f(type a, type b) {                                                                       \
        const real s = fabs(b.x) + fabs(b.y);                                                                          \
        const real ax = a.x / s, ay = a.y / s, bx = b.x / s, by = b.y / s, n = bx * bx + by * by;                      \
        return make_##vector((ax * bx + ay * by) / n, (ay * bx - ax * by) / n);                                        \
    }                                                                                                                  \
    WARP_INLINE real cuCabs##f(type a) { return hypot(a.x, a.y); }
WARP_COMPLEX(cuFloatComplex, float2, float, f)
WARP_COMPLEX(cuDoubleComplex, double2, double, )
typedef cuFloatComplex cuComplex;
WARP_INLINE cuDoubleComplex cuComplexFloatToDouble(cuComplex a) { return make_double2(a.x, a.y); }
WARP_INLINE cuComplex cuComplexDoubleToFloat(cuDoubleComplex a) { return make_float2((float)a.x, (float)a.y); }
WARP_INLINE cuComplex make_cuComplex(float x, float y) { return make_float2(x, y); }

/* ---- textures, declared to report their use ---- */

enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
#define cudaTextureType1D 1
#define cudaTextureType2D 2
#define cudaTextureType3D 3
template <class T, int dimensions = 1, cudaTextureReadMode mode = cudaReadModeElementType> struct texture {};
typedef unsigned long long cudaTextureObject_t;
#define WARP_FETCH(name)                                                                                \
    template <class T, int d, cudaTextureReadMode m, class... A>                                        \
    static inline __attribute__((device, unavailable("there are no textures on this machine"))) T name( \
        texture<T, d, m>, A...);                                                                        \
    template <class T, class... A>                                                                      \
    static inline __attribute__((device, unavailable("there are no textures on this machine"))) T name( \
        cudaTextureObject_t, A...);
WARP_FETCH(tex1Dfetch)
WARP_FETCH(tex1D)
WARP_FETCH(tex2D)
WARP_FETCH(tex3D)
