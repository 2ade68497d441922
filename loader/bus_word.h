/* SPDX-License-Identifier: Apache-2.0 */
/* The order of a bus word's four bytes on the line: highest first. */
#ifndef WARPSTEP_BUS_WORD_H
#define WARPSTEP_BUS_WORD_H

#include <stdint.h>

static inline void bus_word_put(uint8_t *bytes, uint32_t word) {
    for (unsigned i = 0; i < 4; i++) bytes[i] = (uint8_t)(word >> (24 - 8 * i));
}

static inline uint32_t bus_word_at(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

#endif
