/* SPDX-License-Identifier: Apache-2.0 */
#include "siphash.h"

enum { ROUNDS = 2, LAST_ROUNDS = 4 };

static uint64_t rotated(uint64_t x, unsigned n) { return x << n | x >> (64 - n); }

static void mix(uint64_t v[4], unsigned rounds) {
    for (unsigned i = 0; i < rounds; i++) {
        v[0] += v[1];
        v[2] += v[3];
        v[1] = rotated(v[1], 13) ^ v[0];
        v[3] = rotated(v[3], 16) ^ v[2];
        v[0] = rotated(v[0], 32) + v[3];
        v[2] += v[1];
        v[3] = rotated(v[3], 21) ^ v[0];
        v[1] = rotated(v[1], 17) ^ v[2];
        v[2] = rotated(v[2], 32);
    }
}

static void add_word(struct siphash *h, uint64_t word) {
    h->v[3] ^= word;
    mix(h->v, ROUNDS);
    h->v[0] ^= word;
}

struct siphash siphash_begin(uint64_t low_key, uint64_t high_key) {
    return (struct siphash){
        .v = {low_key ^ 0x736f6d6570736575, high_key ^ 0x646f72616e646f6d ^ 0xee, low_key ^ 0x6c7967656e657261,
              high_key ^ 0x7465646279746573}
    };
}

void siphash_add(struct siphash *h, const void *bytes, size_t size) {
    const uint8_t *at = bytes;
    for (size_t i = 0; i < size; i++) {
        h->tail |= (uint64_t)at[i] << h->size % 8 * 8;
        if (++h->size % 8 != 0) continue;
        add_word(h, h->tail);
        h->tail = 0;
    }
}

void siphash_end(struct siphash *h, uint64_t result[2]) {
    static const unsigned MARKS[] = {0xee, 0xdd};
    add_word(h, h->tail | h->size << 56);
    for (unsigned i = 0; i < 2; i++) {
        h->v[i == 0 ? 2 : 1] ^= MARKS[i];
        mix(h->v, LAST_ROUNDS);
        result[i] = h->v[0] ^ h->v[1] ^ h->v[2] ^ h->v[3];
    }
}
