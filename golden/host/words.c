/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the reference for kernels/extension/words.sass: for each pair of words a, b, with c the complement of b and
 * a word k: products of 64 bits, sums with them, divisions. A flag nibble is Z 1, S 2, C 4, O 8.
 *
 *     words K < PAIRS > RESULTS          twelve words a pair; divide.c writes pairs */
#include <stdlib.h>

#include "bytes.h"

enum { RESULTS = 12, ZERO = 1, SIGN = 2, CARRY = 4, OVERFLOW = 8 };

/* x + y + carry, followed by its flags */
static void add(uint32_t x, uint32_t y, uint32_t carry, uint8_t *out, size_t index) {
    const uint64_t sum = (uint64_t)x + y + carry;
    const uint32_t word = (uint32_t)sum;
    const uint32_t overflows = ~(x ^ y) & (x ^ word);
    store_word(out, index, word);
    store_word(out, index + 1,
               (word == 0 ? ZERO : 0u) | (word >> 31 != 0 ? SIGN : 0u) | (sum >> 32 != 0 ? CARRY : 0u) |
                   (overflows >> 31 != 0 ? OVERFLOW : 0u));
}

/* Division by zero gives all ones. C rounds towards zero; the one quotient that does not fit is the number itself. */
static void divide(uint32_t a, uint32_t b, uint8_t *out, size_t index) {
    const int64_t x = (int32_t)a, y = (int32_t)b;
    store_word(out, index, b == 0 ? UINT32_MAX : a / b);
    store_word(out, index + 1, b == 0 ? UINT32_MAX : a % b);
    store_word(out, index + 2, b == 0 ? UINT32_MAX : (uint32_t)(x / y));
    store_word(out, index + 3, b == 0 ? UINT32_MAX : (uint32_t)(x % y));
}

static void compute(uint32_t a, uint32_t b, uint32_t k, uint8_t *out) {
    const uint64_t product = (uint64_t)a * b, with_k = (uint64_t)k * b;
    store_word(out, 0, (uint32_t)product);
    store_word(out, 1, (uint32_t)(product >> 32));
    add((uint32_t)product, ~b, 0, out, 2);
    add((uint32_t)(product >> 32), ~b, (load_word(out, 3) & CARRY) / CARRY, out, 4);
    divide(a, b, out, 6);
    store_word(out, 10, (uint32_t)(with_k >> 32) + ~b);
    store_word(out, 11, a / k);
}

int main(int argc, char **argv) {
    const uint32_t k = number_arg(argc, argv, 1, "K", 1, UINT32_MAX);
    size_t size = 0;
    uint8_t *pairs = read_bytes("-", 0, &size);
    const size_t count = size / 8;
    uint8_t *results = allocate(4 * RESULTS * count);
    for (size_t i = 0; i < count; i++)
        compute(load_word(pairs, 2 * i), load_word(pairs, 2 * i + 1), k, results + 4 * RESULTS * i);
    write_bytes(results, 4 * RESULTS * count);
    free(pairs);
    free(results);
    return 0;
}
