/* SPDX-License-Identifier: Apache-2.0 */
/* CRC-32 as of zlib and Ethernet (reflected, polynomial 0xedb88320), over words, lowest byte first.
 *
 *     uint32_t sum = CRC_NOTHING;
 *     sum = crc_word(sum, 0x34333231);                        // "1234"
 */
#ifndef WARPSTEP_CRC_H
#define WARPSTEP_CRC_H

#include <stdint.h>

enum { CRC_NOTHING = 0 }; /* of zero bytes */

/* Extends the checksum `sum` by `word`. */
static inline uint32_t crc_word(uint32_t sum, uint32_t word) {
    sum = ~sum ^ word;
    for (int i = 0; i < 32; i++) sum = sum >> 1 ^ (UINT32_C(0xedb88320) & -(sum & 1));
    return ~sum;
}

#endif
