/* SPDX-License-Identifier: Apache-2.0 */
/* Values that break adders, shifters, multipliers and converters: around the ends of 8, 16, 24 and 32 bits, with halves
 * that are corners of their own. */
#ifndef WARPSTEP_RANDOM_CORNERS_H
#define WARPSTEP_RANDOM_CORNERS_H

#include "rng.h"

/* A corner, a small number, or any word. */
static inline uint32_t corner_word(struct rng *r) {
    static const uint32_t corners[] = {
        0,          1,          2,          0x7f,       0x80,       0xff,       0x100,      0x7fff,
        0x8000,     0xffff,     0x10000,    0x10001,    0x7fffff,   0x800000,   0xffffff,   0x1000000,
        0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0xffffff80, 0xffff8000, 0xffff0000,
        0xff800000, 0x7fff8000, 0x80007fff, 0xff7fffff, 0x8000ffff, 0x55555555, 0xaaaaaaaa,
    };
    const uint32_t pick = rng_below(r, 5);
    if (pick == 0) return (uint32_t)rng_next(r);
    if (pick == 1) return rng_below(r, 40);
    if (pick == 2) { /* next to a power of two */
        const uint32_t power = (uint32_t)1 << rng_below(r, 32);
        return power + rng_below(r, 3) - 1;
    }
    return corners[rng_below(r, sizeof corners / sizeof *corners)];
}

#endif
