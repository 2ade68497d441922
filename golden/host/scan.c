/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the reference for kernels/apps/scan.sass: for each word the sum of the earlier words in its run of COUNT
 * words.
 *
 *     scan COUNT < WORDS > SUMS */
#include <stdlib.h>

#include "bytes.h"

int main(int argc, char **argv) {
    size_t count = number_arg(argc, argv, 1, "COUNT", 1, 65535);
    size_t size = 0;
    uint8_t *words = read_bytes("-", 0, &size);
    uint32_t sum = 0;
    for (size_t i = 0; i < size / 4; i++) {
        if (i % count == 0) sum = 0;
        uint32_t word = load_word(words, i);
        store_word(words, i, sum);
        sum += word;
    }
    write_bytes(words, size);
    free(words);
    return 0;
}
