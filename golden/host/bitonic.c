/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the reference for kernels/apps/bitonic.sass: each run of COUNT signed words in ascending order.
 *
 *     bitonic COUNT < WORDS > SORTED */
#include <stdlib.h>

#include "bytes.h"

static int by_value(const void *a, const void *b) {
    const int32_t left = *(const int32_t *)a;
    const int32_t right = *(const int32_t *)b;
    return (left > right) - (left < right);
}

int main(int argc, char **argv) {
    size_t count = number_arg(argc, argv, 1, "COUNT", 1, 65535);
    size_t size = 0;
    uint8_t *words = read_bytes("-", 0, &size);
    int32_t *run = allocate(count * sizeof *run);
    for (size_t first = 0; first + count <= size / 4; first += count) {
        for (size_t i = 0; i < count; i++) run[i] = (int32_t)load_word(words, first + i);
        qsort(run, count, sizeof *run, by_value);
        for (size_t i = 0; i < count; i++) store_word(words, first + i, (uint32_t)run[i]);
    }
    write_bytes(words, size);
    free(run);
    free(words);
    return 0;
}
