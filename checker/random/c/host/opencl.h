/* SPDX-License-Identifier: Apache-2.0 */
/* The part of OpenCL C that random programs use, for clang and a machine with plain memory. */
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

#define VECTORS(t)                                      \
    typedef t t##2 __attribute__((ext_vector_type(2))); \
    typedef t t##4 __attribute__((ext_vector_type(4))); \
    typedef t t##8 __attribute__((ext_vector_type(8)));
VECTORS(char)
VECTORS(uchar)
VECTORS(short)
VECTORS(ushort)
VECTORS(int)
VECTORS(uint)
VECTORS(long)
VECTORS(ulong)
VECTORS(float)
VECTORS(double)

#define CLK_LOCAL_MEM_FENCE 1
uint get_global_id(uint dimension);
uint get_local_id(uint dimension);
uint get_group_id(uint dimension);
uint get_local_size(uint dimension);
void barrier(uint fence);

#define PLAIN         static inline __attribute__((overloadable))
#define LEAST(t)      ((t)((t)-1 < 0 ? (ulong)1 << (sizeof(t) * 8 - 1) : 0))
#define MOST(t)       ((t)~LEAST(t))
#define CLAMPED(t, x) ((x) < (long)LEAST(t) ? LEAST(t) : (x) > (long)MOST(t) ? MOST(t) : (t)(x))

/* Of up to 64 bits. */
#define WORDS(t, u)                                                                         \
    PLAIN t min(t a, t b) { return b < a ? b : a; }                                         \
    PLAIN t max(t a, t b) { return a < b ? b : a; }                                         \
    PLAIN u abs(t a) { return a < 0 ? (u)(0 - (u)a) : (u)a; }                               \
    PLAIN t clz(t a) {                                                                      \
        uint n = 0;                                                                         \
        while (n < sizeof(t) * 8 && ((ulong)(u)a >> (sizeof(t) * 8 - 1 - n) & 1) == 0) n++; \
        return (t)n;                                                                        \
    }                                                                                       \
    PLAIN t popcount(t a) {                                                                 \
        uint n = 0;                                                                         \
        for (uint i = 0; i < sizeof(t) * 8; i++) n += (uint)((ulong)(u)a >> i) & 1;         \
        return (t)n;                                                                        \
    }                                                                                       \
    PLAIN t rotate(t a, t b) {                                                              \
        const uint n = (uint)b & (sizeof(t) * 8 - 1);                                       \
        return n == 0 ? a : (t)((ulong)(u)a << n | (ulong)(u)a >> (sizeof(t) * 8 - n));     \
    }
WORDS(char, uchar)
WORDS(uchar, uchar)
WORDS(short, ushort)
WORDS(ushort, ushort)
WORDS(int, uint)
WORDS(uint, uint)
WORDS(long, ulong)
WORDS(ulong, ulong)

/* Of up to 32 bits: through 64. */
#define SHORT_WORDS(t, u)                                                            \
    PLAIN t mul_hi(t a, t b) { return (t)(((long)a * (long)b) >> (sizeof(t) * 8)); } \
    PLAIN t hadd(t a, t b) { return (t)(((long)a + (long)b) >> 1); }                 \
    PLAIN t rhadd(t a, t b) { return (t)(((long)a + (long)b + 1) >> 1); }            \
    PLAIN t add_sat(t a, t b) { return CLAMPED(t, (long)a + (long)b); }              \
    PLAIN t sub_sat(t a, t b) { return CLAMPED(t, (long)a - (long)b); }              \
    PLAIN u abs_diff(t a, t b) { return (u)(a < b ? (long)b - (long)a : (long)a - (long)b); }
SHORT_WORDS(char, uchar)
SHORT_WORDS(uchar, uchar)
SHORT_WORDS(short, ushort)
SHORT_WORDS(ushort, ushort)
SHORT_WORDS(int, uint)
PLAIN uint mul_hi(uint a, uint b) { return (uint)(((ulong)a * (ulong)b) >> 32); }
PLAIN uint hadd(uint a, uint b) { return (uint)(((long)a + (long)b) >> 1); }
PLAIN uint rhadd(uint a, uint b) { return (uint)(((long)a + (long)b + 1) >> 1); }
PLAIN uint add_sat(uint a, uint b) { return CLAMPED(uint, (long)a + (long)b); }
PLAIN uint sub_sat(uint a, uint b) { return CLAMPED(uint, (long)a - (long)b); }
PLAIN uint abs_diff(uint a, uint b) { return (uint)(a < b ? (long)b - (long)a : (long)a - (long)b); }

PLAIN float fmin(float a, float b) { return a < b ? a : b; }
PLAIN float fmax(float a, float b) { return a > b ? a : b; }
PLAIN float fabs(float a) { return __builtin_astype(__builtin_astype(a, uint) & 0x7fffffffu, float); }
PLAIN double fabs(double a) { return __builtin_astype(__builtin_astype(a, ulong) & 0x7fffffffffffffffUL, double); }

#define ATOMIC(name, t, value)                           \
    PLAIN t atomic_##name(volatile __global t *p, t a) { \
        const t old = *p;                                \
        *p = value;                                      \
        return old;                                      \
    }
ATOMIC(add, uint, old + a)
ATOMIC(sub, uint, old - a)
ATOMIC(and, uint, old &a)
ATOMIC(or, uint, old | a)
ATOMIC(xor, uint, old ^ a)
ATOMIC(min, uint, min(old, a))
ATOMIC(max, uint, max(old, a))
ATOMIC(min, int, min(old, a))
ATOMIC(max, int, max(old, a))
PLAIN uint atomic_inc(volatile __global uint *p) { return atomic_add(p, 1u); }
PLAIN uint atomic_dec(volatile __global uint *p) { return atomic_sub(p, 1u); }
