/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the reference for kernels/apps/reduce.sass: the sum of each run of COUNT words.
 *
 *     reduce COUNT < WORDS > SUMS */
#include <stdlib.h>

#include "bytes.h"

int main(int argc, char **argv) {
    size_t count = number_arg(argc, argv, 1, "COUNT", 1, 65535);
    size_t size = 0;
    uint8_t *words = read_bytes("-", 0, &size);
    size_t runs = size / 4 / count;
    for (size_t run = 0; run < runs; run++) {
        uint32_t sum = 0;
        for (size_t i = 0; i < count; i++) sum += load_word(words, run * count + i);
        store_word(words, run, sum);
    }
    write_bytes(words, runs * 4);
    free(words);
    return 0;
}
