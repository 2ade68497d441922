/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays of 32 lane values and 32-bit lane masks (bit L is lane L). The loops have a fixed length and no calls, so that
 * the compiler vectorises them; LANE_BIT replaces the per-lane shift that SSE2 lacks.
 *
 *     uint32_t sum[WARP_LANES];
 *     for (unsigned i = 0; i < WARP_LANES; i++) sum[i] = a[i] + b[i];
 *     lanes_write(reg, sum, exec);
 */
#ifndef WARPSTEP_LANES_H
#define WARPSTEP_LANES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "../retire.h"

#define LANES_ALL UINT32_MAX

/* A function with loops over lanes can be compiled twice: NAME runs on any processor, NAME_avx2 only if
 * lanes_have_avx2(). Same result, faster. Functions with loops that the body calls must be LANES_INLINE to be part of
 * both.
 *
 *     TWICE(unit_alu, (struct step *s), (s)) { body }
 */
#define LANES_INLINE static inline __attribute__((always_inline))
#ifdef __x86_64__
#define LANES_AVX2 __attribute__((target("avx2,popcnt")))
static inline bool lanes_have_avx2(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"); }
#else
#define LANES_AVX2
static inline bool lanes_have_avx2(void) { return false; }
#endif
#define TWICE(name, parameters, arguments)                            \
    LANES_INLINE void name##_body parameters;                         \
    void name parameters { name##_body arguments; }                   \
    LANES_AVX2 void name##_avx2 parameters { name##_body arguments; } \
    LANES_INLINE void name##_body parameters

static const uint32_t LANES_ZERO[WARP_LANES];

static const uint32_t LANE_BIT[WARP_LANES] = {
    0x00000001, 0x00000002, 0x00000004, 0x00000008, 0x00000010, 0x00000020, 0x00000040, 0x00000080,
    0x00000100, 0x00000200, 0x00000400, 0x00000800, 0x00001000, 0x00002000, 0x00004000, 0x00008000,
    0x00010000, 0x00020000, 0x00040000, 0x00080000, 0x00100000, 0x00200000, 0x00400000, 0x00800000,
    0x01000000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000, 0x80000000,
};

/* dst = value in all lanes; in blocks as wide as AVX2's registers, which compilers do not make of memcpy. */
LANES_INLINE void lanes_move(uint32_t *dst, const uint32_t *value) {
    typedef uint32_t block __attribute__((vector_size(32), aligned(4), may_alias));
    for (unsigned i = 0; i < WARP_LANES; i += sizeof(block) / sizeof *dst)
        *(block *)&dst[i] = *(const block *)&value[i];
}

/* dst = value in the lanes of mask, unchanged elsewhere. */
LANES_INLINE void lanes_write(uint32_t *dst, const uint32_t *value, uint32_t mask) {
    if (mask == LANES_ALL) { /* same result, faster */
        lanes_move(dst, value);
        return;
    }
    for (unsigned i = 0; i < WARP_LANES; i++) dst[i] = (mask & LANE_BIT[i]) != 0 ? value[i] : dst[i];
}

/* dst = value in the lanes of mask, 0 elsewhere. */
LANES_INLINE void lanes_copy(uint32_t *dst, const uint32_t *value, uint32_t mask) {
    for (unsigned i = 0; i < WARP_LANES; i++) dst[i] = (mask & LANE_BIT[i]) != 0 ? value[i] : 0;
}

LANES_INLINE void lanes_fill(uint32_t *dst, uint32_t value) {
    for (unsigned i = 0; i < WARP_LANES; i++) dst[i] = value;
}

/* The lanes whose value is zero. */
LANES_INLINE uint32_t lanes_where_zero(const uint32_t *value) {
    uint32_t mask = 0;
    for (unsigned i = 0; i < WARP_LANES; i++) mask |= value[i] == 0 ? LANE_BIT[i] : 0;
    return mask;
}

/* The lanes whose value has at least one of the bits of `bits` set. */
LANES_INLINE uint32_t lanes_where_set(const uint32_t *value, uint32_t bits) {
    uint32_t mask = 0;
    for (unsigned i = 0; i < WARP_LANES; i++) mask |= (value[i] & bits) != 0 ? LANE_BIT[i] : 0;
    return mask;
}

/* The lowest lane of a mask that is not empty, and the mask without it: `for (m = mask; m != 0; m = lanes_rest(m))`. */
LANES_INLINE unsigned lanes_first(uint32_t mask) { return (unsigned)__builtin_ctz(mask); }
LANES_INLINE uint32_t lanes_rest(uint32_t mask) { return mask & (mask - 1); }
LANES_INLINE unsigned lanes_count(uint32_t mask) { return (unsigned)__builtin_popcount(mask); }

#endif
