/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the reference for kernels/apps/radix-sort.sass and merge.sass: each run of RUN unsigned words, the last of
 * which may be shorter, in ascending order.
 *
 *     sort RUN < KEYS > SORTED */
#include <stdlib.h>

#include "bytes.h"

static int by_value(const void *a, const void *b) {
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

int main(int argc, char **argv) {
    const size_t run = number_arg(argc, argv, 1, "RUN", 1, UINT32_MAX);
    size_t size = 0;
    uint8_t *words = read_bytes("-", 0, &size);
    const size_t total = size / 4;
    uint32_t *keys = allocate(total * sizeof *keys);
    for (size_t i = 0; i < total; i++) keys[i] = load_word(words, i);
    for (size_t first = 0; first < total; first += run)
        qsort(keys + first, total - first < run ? total - first : run, sizeof *keys, by_value);
    for (size_t i = 0; i < total; i++) store_word(words, i, keys[i]);
    write_bytes(words, 4 * total);
    free(keys);
    free(words);
    return 0;
}
