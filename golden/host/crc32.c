/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the reference for kernels/apps/crc32.sass: the CRC-32 of each message of LENGTH bytes, bit by bit, and the
 * remainders of the 256 bytes.
 *
 *     crc32 table > TABLE
 *     crc32 COUNT LENGTH < MESSAGES > RESULTS */
#include <stdlib.h>
#include <string.h>

#include "bytes.h"

static uint32_t after_byte(uint32_t remainder, uint8_t byte) {
    remainder ^= byte;
    for (unsigned bit = 0; bit < 8; bit++) remainder = remainder >> 1 ^ ((remainder & 1) != 0 ? 0xedb88320u : 0);
    return remainder;
}

static void write_table(void) {
    uint8_t table[1024];
    for (unsigned i = 0; i < 256; i++) store_word(table, i, after_byte(0, (uint8_t)i));
    write_bytes(table, sizeof table);
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "table") == 0) {
        write_table();
        return 0;
    }
    const size_t count = number_arg(argc, argv, 1, "COUNT", 1, UINT32_MAX);
    const size_t length = number_arg(argc, argv, 2, "LENGTH", 0, UINT32_MAX);
    size_t size = 0;
    uint8_t *messages = read_bytes("-", count * length, &size);
    uint8_t *results = allocate(4 * count);
    for (size_t i = 0; i < count; i++) {
        uint32_t remainder = UINT32_MAX;
        for (size_t j = 0; j < length; j++) remainder = after_byte(remainder, messages[i * length + j]);
        store_word(results, i, ~remainder);
    }
    write_bytes(results, 4 * count);
    free(messages);
    free(results);
    return 0;
}
