/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the reference for kernels/apps/sha256.sass: SHA-256 (FIPS 180-4) of each message of LENGTH bytes. The
 * constants are derived as in the standard: fractions of the square and cube roots of the first primes.
 *
 *     sha256 COUNT LENGTH < MESSAGES > DIGESTS */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"

struct constants {
    uint32_t k[64], h[8];
};

static bool is_prime(uint32_t n) {
    for (uint32_t d = 2; d * d <= n; d++)
        if (n % d == 0) return false;
    return true;
}

/* The first 32 fraction bits; a double has 16 more. */
static uint32_t fraction(double x) { return (uint32_t)((x - floor(x)) * 0x1p32); }

static struct constants derive_constants(void) {
    struct constants c;
    unsigned count = 0;
    for (uint32_t n = 2; count < 64; n++) {
        if (!is_prime(n)) continue;
        if (count < 8) c.h[count] = fraction(sqrt(n));
        c.k[count++] = fraction(cbrt(n));
    }
    return c;
}

static uint32_t rotated(uint32_t x, unsigned n) { return x >> n | x << (32 - n); }

static uint32_t load_big_endian(const uint8_t *b) {
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | (uint32_t)b[3];
}

static void add_block(const struct constants *c, uint32_t hash[8], const uint8_t *block) {
    uint32_t w[64], s[8];
    for (unsigned t = 0; t < 16; t++) w[t] = load_big_endian(block + 4 * t);
    for (unsigned t = 16; t < 64; t++) {
        const uint32_t x = w[t - 15], y = w[t - 2];
        w[t] = w[t - 16] + w[t - 7] + (rotated(x, 7) ^ rotated(x, 18) ^ x >> 3) +
               (rotated(y, 17) ^ rotated(y, 19) ^ y >> 10);
    }
    memcpy(s, hash, sizeof s);
    for (unsigned t = 0; t < 64; t++) {
        const uint32_t a = s[0], e = s[4];
        const uint32_t t1 =
            s[7] + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & s[5]) ^ (~e & s[6])) + c->k[t] + w[t];
        const uint32_t t2 =
            (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (unsigned i = 0; i < 8; i++) hash[i] += s[i];
}

static void digest(const struct constants *c, const uint8_t *message, size_t length, uint8_t *to) {
    const size_t size = (length + 9 + 63) / 64 * 64;
    uint8_t *padded = allocate(size);
    uint32_t hash[8];
    memcpy(hash, c->h, sizeof hash);
    memcpy(padded, message, length);
    padded[length] = 0x80;
    for (unsigned i = 0; i < 8; i++) padded[size - 1 - i] = (uint8_t)((uint64_t)length * 8 >> 8 * i);
    for (size_t at = 0; at < size; at += 64) add_block(c, hash, padded + at);
    for (unsigned i = 0; i < 32; i++) to[i] = (uint8_t)(hash[i / 4] >> (24 - 8 * (i % 4)));
    free(padded);
}

int main(int argc, char **argv) {
    const size_t count = number_arg(argc, argv, 1, "COUNT", 1, UINT32_MAX);
    const size_t length = number_arg(argc, argv, 2, "LENGTH", 0, UINT32_MAX);
    const struct constants c = derive_constants();
    size_t size = 0;
    uint8_t *messages = read_bytes("-", count * length, &size);
    uint8_t *digests = allocate(32 * count);
    for (size_t i = 0; i < count; i++) digest(&c, messages + i * length, length, digests + 32 * i);
    write_bytes(digests, 32 * count);
    free(messages);
    free(digests);
    return 0;
}
