/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPSTEP_BASE_WORD_AT_H
#define WARPSTEP_BASE_WORD_AT_H

#include <stdint.h>

/* The word of the four bytes at p, the lowest first. */
static inline uint32_t word_at(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline void put_word_at(uint8_t *p, uint32_t word) {
    for (unsigned i = 0; i < 4; i++) p[i] = (uint8_t)(word >> 8 * i);
}

#endif
