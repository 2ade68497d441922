/* SPDX-License-Identifier: Apache-2.0 */
/* Values that break adders, shifters, multipliers and converters: around the ends of 8, 16, 24 and 32 bits, with halves
 * that are corners of their own; and floating-point numbers of each kind. */
#ifndef WARPSTEP_RANDOM_CORNERS_H
#define WARPSTEP_RANDOM_CORNERS_H

#include "rng.h"

/* Zeros, denormals, infinities, NaNs, powers of two, halfway cases, and numbers close enough for sums that cancel; F16
 * in the lower half. */
static inline uint32_t corner_float(struct rng *r) {
    static const uint32_t corners[] = {
        0x00000000, 0x00000001, 0x007fffff, 0x00800000, 0x3effffff, 0x3f000000, 0x3f7fffff, 0x3f800000, 0x3f800001,
        0x3fc00000, 0x4b000000, 0x4b7fffff, 0x4effffff, 0x4f000000, 0x7f000000, 0x7f7fffff, 0x7f800000, 0x7f800001,
        0x7fffffff, 0x0b800000, 0x33000000, 0x00003c00, 0x00007c00, 0x000003ff, 0x00007bff, 0x00007e01,
    };
    const uint32_t sign = rng_below(r, 2) << 31;
    const uint32_t near_one = (uint32_t)(0x3f000000 + rng_below(r, 0x01000000));
    switch (rng_below(r, 3)) {
    case 0: return sign ^ corners[rng_below(r, sizeof corners / sizeof *corners)];
    case 1: return sign ^ (near_one & (0xff800000u | 0xffffffffu << rng_below(r, 23)));
    default: return sign ^ near_one;
    }
}

/* A corner, a small number, or any word. */
static inline uint32_t corner_word(struct rng *r) {
    static const uint32_t corners[] = {
        0,          1,          2,          0x7f,       0x80,       0xff,       0x100,      0x7fff,
        0x8000,     0xffff,     0x10000,    0x10001,    0x7fffff,   0x800000,   0xffffff,   0x1000000,
        0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0xffffff80, 0xffff8000, 0xffff0000,
        0xff800000, 0x7fff8000, 0x80007fff, 0xff7fffff, 0x8000ffff, 0x55555555, 0xaaaaaaaa,
    };
    const uint32_t pick = rng_below(r, 7);
    if (pick >= 5) return corner_float(r);
    if (pick == 0) return (uint32_t)rng_next(r);
    if (pick == 1) return rng_below(r, 40);
    if (pick == 2) { /* next to a power of two */
        const uint32_t power = (uint32_t)1 << rng_below(r, 32);
        return power + rng_below(r, 3) - 1;
    }
    return corners[rng_below(r, sizeof corners / sizeof *corners)];
}

#endif
