/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the reference for kernels/apps/histogram.sass: for each run of COUNT bytes the numbers of bytes with upper
 * four bits 0, 1 ... 15.
 *
 *     histogram COUNT < BYTES > COUNTS */
#include <stdlib.h>

#include "bytes.h"

int main(int argc, char **argv) {
    size_t count = number_arg(argc, argv, 1, "COUNT", 1, 65535);
    size_t size = 0;
    uint8_t *bytes = read_bytes("-", 0, &size);
    size_t runs = size / count;
    uint8_t *counts = allocate(runs * 64);
    for (size_t i = 0; i < runs * count; i++) {
        size_t bin = i / count * 16 + bytes[i] / 16;
        store_word(counts, bin, load_word(counts, bin) + 1);
    }
    write_bytes(counts, runs * 64);
    free(bytes);
    free(counts);
    return 0;
}
