/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the reference for kernels/apps/matmul.sass: the product of two N x N matrices of 32-bit words, modulo 2^32.
 *
 *     matmul N A B > PRODUCT */
#include <stdlib.h>

#include "bytes.h"

int main(int argc, char **argv) {
    uint32_t n = number_arg(argc, argv, 1, "N", 1, 4096);
    if (argc != 4) return 2;
    size_t size = (size_t)n * n * 4;
    uint8_t *a = read_bytes(argv[2], size, &size);
    uint8_t *b = read_bytes(argv[3], size, &size);
    uint8_t *product = allocate(size);
    for (size_t row = 0; row < n; row++) {
        for (size_t column = 0; column < n; column++) {
            uint32_t sum = 0;
            for (size_t k = 0; k < n; k++) sum += load_word(a, row * n + k) * load_word(b, k * n + column);
            store_word(product, row * n + column, sum);
        }
    }
    write_bytes(product, size);
    free(a);
    free(b);
    free(product);
    return 0;
}
