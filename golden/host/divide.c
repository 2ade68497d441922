/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the reference for kernels/apps/divide.sass: quotient and remainder of each pair of words, first as unsigned
 * numbers, then as signed ones, with the quotient rounded toward zero. Quotient and remainder by zero are ffffffff.
 *
 *     divide < PAIRS > RESULTS                    four words a pair
 *     noise 3_TIMES_COUNT SEED | divide pairs > PAIRS     COUNT random pairs of any size
 *     divide corners > PAIRS                      all pairs of numbers where carries, signs and roundings change */
#include <stdlib.h>
#include <string.h>

#include "bytes.h"

static uint32_t negated_if(uint32_t negative, uint32_t x) { return negative != 0 ? 0 - x : x; }

static void divide(uint32_t a, uint32_t b, uint8_t *out) {
    if (b == 0) {
        for (size_t i = 0; i < 4; i++) store_word(out, i, UINT32_MAX);
        return;
    }
    store_word(out, 0, a / b);
    store_word(out, 1, a % b);
    const uint32_t a_size = negated_if(a >> 31, a), b_size = negated_if(b >> 31, b);
    store_word(out, 2, negated_if((a ^ b) >> 31, a_size / b_size));
    store_word(out, 3, negated_if(a >> 31, a_size % b_size));
}

/* Three random words make a pair: the third one gives the width of each. */
static void write_pairs(void) {
    size_t size = 0;
    uint8_t *words = read_bytes("-", 0, &size);
    const size_t count = size / 12;
    for (size_t i = 0; i < count; i++) {
        const uint32_t a = load_word(words, 3 * i), b = load_word(words, 3 * i + 1), how = load_word(words, 3 * i + 2);
        store_word(words, 2 * i, a >> (how >> 8 & 31));
        store_word(words, 2 * i + 1, b >> (how >> 16 & 31));
    }
    write_bytes(words, 8 * count);
    free(words);
}

/* 2^k - 1, 2^k, 2^k + 1 for k around the ends of bytes, fractions and words, and their negatives. */
static void write_corners(void) {
    static const unsigned bits[] = {0, 1, 2, 8, 16, 23, 24, 25, 30, 31};
    enum { POWERS = sizeof bits / sizeof *bits, CORNERS = 6 * POWERS };
    uint32_t corners[CORNERS];
    for (size_t i = 0; i < POWERS; i++) {
        for (uint32_t off = 0; off < 3; off++) {
            corners[6 * i + 2 * off] = (1u << bits[i]) + off - 1;
            corners[6 * i + 2 * off + 1] = 0 - corners[6 * i + 2 * off];
        }
    }
    uint8_t *pairs = allocate(8 * CORNERS * CORNERS);
    for (size_t i = 0; i < CORNERS * CORNERS; i++) {
        store_word(pairs, 2 * i, corners[i / CORNERS]);
        store_word(pairs, 2 * i + 1, corners[i % CORNERS]);
    }
    write_bytes(pairs, 8 * CORNERS * CORNERS);
    free(pairs);
}

static void write_results(void) {
    size_t size = 0;
    uint8_t *pairs = read_bytes("-", 0, &size);
    const size_t count = size / 8;
    uint8_t *results = allocate(16 * count);
    for (size_t i = 0; i < count; i++) divide(load_word(pairs, 2 * i), load_word(pairs, 2 * i + 1), results + 16 * i);
    write_bytes(results, 16 * count);
    free(pairs);
    free(results);
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "pairs") == 0)
        write_pairs();
    else if (argc == 2 && strcmp(argv[1], "corners") == 0)
        write_corners();
    else
        write_results();
    return 0;
}
