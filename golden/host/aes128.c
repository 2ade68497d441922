/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the reference for kernels/apps/aes128.sass: AES-128 (FIPS 197) of each block of 16 bytes, as the standard
 * describes it, a byte at a time; and the kernel's tables.
 *
 *     aes128 table 0|1|2|3 > TABLE
 *     aes128 encrypt KEY < PLAIN > CIPHER          KEY: a file of 16 bytes */
#include <stdlib.h>
#include <string.h>

#include "bytes.h"

enum { ROUNDS = 10 };

static uint8_t times(uint8_t a, uint8_t b) {
    unsigned product = 0;
    for (unsigned bit = 0; bit < 8; bit++) product ^= (b >> bit & 1) != 0 ? (unsigned)a << bit : 0;
    for (unsigned bit = 14; bit >= 8; bit--) product ^= (product >> bit & 1) != 0 ? 0x11bu << (bit - 8) : 0;
    return (uint8_t)product;
}

static uint8_t substituted(uint8_t byte) {
    uint8_t inverse = byte; /* byte^254 */
    for (unsigned i = 0; i < 253; i++) inverse = times(inverse, byte);
    uint8_t result = 0x63;
    for (unsigned turn = 0; turn < 5; turn++) result ^= (uint8_t)(inverse << turn | inverse >> (8 - turn));
    return result;
}

struct aes {
    uint8_t sbox[256];
    uint8_t keys[ROUNDS + 1][16];
};

static void fill_sbox(struct aes *aes) {
    for (unsigned i = 0; i < 256; i++) aes->sbox[i] = substituted((uint8_t)i);
}

static void expand_key(struct aes *aes, const uint8_t *key) {
    uint8_t constant = 1;
    memcpy(aes->keys[0], key, 16);
    for (unsigned r = 1; r <= ROUNDS; r++) {
        const uint8_t *before = aes->keys[r - 1];
        for (unsigned i = 0; i < 16; i++) {
            const uint8_t last = i < 4 ? aes->sbox[before[12 + (i + 1) % 4]] : aes->keys[r][i - 4];
            aes->keys[r][i] = (uint8_t)(before[i] ^ last ^ (i == 0 ? constant : 0));
        }
        constant = times(constant, 2);
    }
}

static void substitute_and_shift(const struct aes *aes, uint8_t state[16]) {
    uint8_t old[16];
    memcpy(old, state, 16);
    for (unsigned i = 0; i < 16; i++) state[i] = aes->sbox[old[(i + 4 * (i % 4)) % 16]];
}

static void mix_columns(uint8_t state[16]) {
    for (unsigned column = 0; column < 16; column += 4) {
        uint8_t a[4];
        memcpy(a, state + column, 4);
        for (unsigned row = 0; row < 4; row++)
            state[column + row] =
                (uint8_t)(times(a[row], 2) ^ times(a[(row + 1) % 4], 3) ^ a[(row + 2) % 4] ^ a[(row + 3) % 4]);
    }
}

static void add_key(uint8_t state[16], const uint8_t key[16]) {
    for (unsigned i = 0; i < 16; i++) state[i] ^= key[i];
}

static void encrypt(const struct aes *aes, uint8_t state[16]) {
    add_key(state, aes->keys[0]);
    for (unsigned r = 1; r <= ROUNDS; r++) {
        substitute_and_shift(aes, state);
        if (r < ROUNDS) mix_columns(state);
        add_key(state, aes->keys[r]);
    }
}

/* The contribution of a byte of this row to its new column, substituted. */
static void write_table(const struct aes *aes, uint32_t row) {
    uint8_t table[1024] = {0};
    for (unsigned i = 0; i < 256; i++) {
        uint8_t state[16] = {0};
        state[row] = aes->sbox[i];
        mix_columns(state);
        memcpy(table + 4 * (size_t)i, state, 4);
    }
    write_bytes(table, sizeof table);
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    struct aes aes;
    fill_sbox(&aes);
    if (strcmp(argv[1], "table") == 0) {
        write_table(&aes, number_arg(argc, argv, 2, "ROW", 0, 3));
        return 0;
    }
    size_t size = 0;
    uint8_t *key = read_bytes(argv[2], 16, &size);
    uint8_t *blocks = read_bytes("-", 0, &size);
    expand_key(&aes, key);
    for (size_t at = 0; at + 16 <= size; at += 16) encrypt(&aes, blocks + at);
    write_bytes(blocks, size / 16 * 16);
    free(key);
    free(blocks);
    return 0;
}
