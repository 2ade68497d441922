/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the reference for kernels/apps/vecadd.sass: the sums of two vectors of 32-bit words.
 *
 *     vecadd A B > C */
#include <stdlib.h>

#include "bytes.h"

int main(int argc, char **argv) {
    size_t size = 0;
    uint8_t *a = read_bytes(argc > 1 ? argv[1] : "-", 0, &size);
    uint8_t *b = read_bytes(argc > 2 ? argv[2] : "-", size, &size);
    for (size_t i = 0; i < size / 4; i++) store_word(a, i, load_word(a, i) + load_word(b, i));
    write_bytes(a, size);
    free(a);
    free(b);
    return 0;
}
