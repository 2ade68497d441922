/* SPDX-License-Identifier: Apache-2.0 */
/* SipHash-2-4 of 128 bits (Aumasson and Bernstein, 2012): names for texts, which differ where the texts do. It is no
 * protection against those that look for two texts of one name.
 *
 *     struct siphash h = siphash_begin(0, 0);
 *     siphash_add(&h, bytes, size);
 *     uint64_t result[2];
 *     siphash_end(&h, result);
 */
#ifndef WARPSTEP_SIPHASH_H
#define WARPSTEP_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

struct siphash {
    uint64_t v[4];
    uint64_t tail; /* bytes that fill no word yet, the first one lowest */
    uint64_t size; /* of all that was added, in bytes */
};

struct siphash siphash_begin(uint64_t low_key, uint64_t high_key);
void siphash_add(struct siphash *h, const void *bytes, size_t size);

/* The first word first. Nothing can be added after it. */
void siphash_end(struct siphash *h, uint64_t result[2]);

#endif
