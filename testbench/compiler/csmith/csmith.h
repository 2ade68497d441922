/* SPDX-License-Identifier: Apache-2.0 */
/* The header of Csmith's programs: its arithmetic without undefined cases, and its checksum, for gcc and for warp-cc.
 * As CUDA C++, with all variables and functions on the device, a program becomes a kernel k(checksum). */
#ifndef WARPSTEP_CSMITH_H
#define WARPSTEP_CSMITH_H

typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;

#define NULL   nullptr
#define memcpy __builtin_memcpy

#ifdef __CUDA__
#define DEVICE __device__
/* A program declares each variable and function except main static. */
#define static static __device__
#else
#define DEVICE static
#endif

/* ---- the checksum: CRC-32 of all values, as 8 bytes each ---- */

DEVICE uint32_t checksum = 0xffffffffu;

DEVICE inline void checksum_add(uint64_t value) {
    uint32_t sum = checksum;
    for (int i = 0; i < 64; i++) {
        sum ^= (uint32_t)(value >> i) & 1;
        sum = sum >> 1 ^ ((sum & 1) != 0 ? 0xedb88320u : 0);
    }
    checksum = sum;
}

#define transparent_crc(value, name, print) checksum_add((uint64_t)(value))
#define crc32_gentab()
#define platform_main_begin() start_pointers()
#define printf(...)
#define crc32_context checksum

/* arithmetic: an operation without a defined result returns its first operand */

#define LEAST(t) ((t)((t)1 << (sizeof(t) * 8 - 1)))
#define MOST(t)  ((t)~LEAST(t))
#define BITS(t)  ((int)sizeof(t) * 8)

DEVICE inline bool product_fits(int64_t a, int64_t b) {
    const uint64_t x = a < 0 ? 0 - (uint64_t)a : (uint64_t)a, y = b < 0 ? 0 - (uint64_t)b : (uint64_t)b;
    const uint64_t xh = x >> 32, xl = (uint32_t)x, yh = y >> 32, yl = (uint32_t)y;
    const uint64_t cross = xh * yl + xl * yh + (xl * yl >> 32);
    const uint64_t limit = (uint64_t)1 << 63;
    if ((xh != 0 && yh != 0) || cross >> 32 != 0) return false;
    return x * y < limit || (x * y == limit && (a < 0) != (b < 0));
}

#define SAFE_SIGNED(t, u)                                                                                    \
    DEVICE inline t safe_unary_minus_func_##t##_s(t a) { return a == LEAST(t) ? a : (t)-a; }                 \
    DEVICE inline t safe_add_func_##t##_s_s(t a, t b) {                                                      \
        return (a > 0 && b > 0 && a > MOST(t) - b) || (a < 0 && b < 0 && a < LEAST(t) - b) ? a : (t)(a + b); \
    }                                                                                                        \
    DEVICE inline t safe_sub_func_##t##_s_s(t a, t b) {                                                      \
        const t d = (t)((u)a - (u)b);                                                                        \
        return (a < 0) != (b < 0) && (d < 0) != (a < 0) ? a : d;                                             \
    }                                                                                                        \
    DEVICE inline t safe_mul_func_##t##_s_s(t a, t b) {                                                      \
        if (sizeof(t) == 8) return product_fits(a, b) ? (t)(a * b) : a;                                      \
        const int64_t p = (int64_t)a * b;                                                                    \
        return p < LEAST(t) || p > MOST(t) ? a : (t)p;                                                       \
    }                                                                                                        \
    DEVICE inline t safe_div_func_##t##_s_s(t a, t b) {                                                      \
        return b == 0 || (a == LEAST(t) && b == -1) ? a : (t)(a / b);                                        \
    }                                                                                                        \
    DEVICE inline t safe_mod_func_##t##_s_s(t a, t b) {                                                      \
        return b == 0 || (a == LEAST(t) && b == -1) ? a : (t)(a % b);                                        \
    }                                                                                                        \
    DEVICE inline t safe_lshift_func_##t##_s_s(t a, int b) {                                                 \
        return a < 0 || b < 0 || b >= BITS(t) || a > MOST(t) >> b ? a : (t)(a << b);                         \
    }                                                                                                        \
    DEVICE inline t safe_lshift_func_##t##_s_u(t a, unsigned b) {                                            \
        return a < 0 || b >= BITS(t) || a > MOST(t) >> b ? a : (t)(a << b);                                  \
    }                                                                                                        \
    DEVICE inline t safe_rshift_func_##t##_s_s(t a, int b) {                                                 \
        return a < 0 || b < 0 || b >= BITS(t) ? a : (t)(a >> b);                                             \
    }                                                                                                        \
    DEVICE inline t safe_rshift_func_##t##_s_u(t a, unsigned b) { return a < 0 || b >= BITS(t) ? a : (t)(a >> b); }
SAFE_SIGNED(int8_t, uint8_t)
SAFE_SIGNED(int16_t, uint16_t)
SAFE_SIGNED(int32_t, uint32_t)
SAFE_SIGNED(int64_t, uint64_t)

#define SAFE_UNSIGNED(t)                                                                                       \
    DEVICE inline t safe_unary_minus_func_##t##_u(t a) { return (t)(0 - a); }                                  \
    DEVICE inline t safe_add_func_##t##_u_u(t a, t b) { return (t)(a + b); }                                   \
    DEVICE inline t safe_sub_func_##t##_u_u(t a, t b) { return (t)(a - b); }                                   \
    DEVICE inline t safe_mul_func_##t##_u_u(t a, t b) { return (t)((sizeof(t) < 4 ? 1u : (t)1) * a * b); }     \
    DEVICE inline t safe_div_func_##t##_u_u(t a, t b) { return b == 0 ? a : (t)(a / b); }                      \
    DEVICE inline t safe_mod_func_##t##_u_u(t a, t b) { return b == 0 ? a : (t)(a % b); }                      \
    DEVICE inline t safe_lshift_func_##t##_u_s(t a, int b) {                                                   \
        return b < 0 || b >= BITS(t) || a > (t) ~(t)0 >> b ? a : (t)(a << b);                                  \
    }                                                                                                          \
    DEVICE inline t safe_lshift_func_##t##_u_u(t a, unsigned b) {                                              \
        return b >= BITS(t) || a > (t) ~(t)0 >> b ? a : (t)(a << b);                                           \
    }                                                                                                          \
    DEVICE inline t safe_rshift_func_##t##_u_s(t a, int b) { return b < 0 || b >= BITS(t) ? a : (t)(a >> b); } \
    DEVICE inline t safe_rshift_func_##t##_u_u(t a, unsigned b) { return b >= BITS(t) ? a : (t)(a >> b); }
SAFE_UNSIGNED(uint8_t)
SAFE_UNSIGNED(uint16_t)
SAFE_UNSIGNED(uint32_t)
SAFE_UNSIGNED(uint64_t)

/* ---- main ---- */

#ifdef __CUDA__
#pragma clang force_cuda_host_device begin
DEVICE uint32_t result;
#define platform_main_end(sum, print) (void)(result = (sum))
int program(void);
extern "C" __global__ void k(uint32_t *to) {
    program();
    *to = result;
}
#define main program
#else
#undef printf
extern "C" int printf(const char *format, ...);
#define platform_main_end(sum, print) printf("%08x\n", (unsigned)(sum))
#endif

#endif
