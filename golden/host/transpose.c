/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the reference for kernels/apps/transpose.sass: the transpose of a matrix of 32-bit words, stored row by row.
 *
 *     transpose COLUMNS ROWS < MATRIX > TRANSPOSED */
#include <stdlib.h>

#include "bytes.h"

int main(int argc, char **argv) {
    uint32_t columns = number_arg(argc, argv, 1, "COLUMNS", 1, 65535);
    uint32_t rows = number_arg(argc, argv, 2, "ROWS", 1, 65535);
    size_t size = (size_t)columns * rows * 4;
    uint8_t *in = read_bytes("-", size, &size);
    uint8_t *out = allocate(size);
    for (size_t y = 0; y < rows; y++)
        for (size_t x = 0; x < columns; x++) store_word(out, x * rows + y, load_word(in, y * columns + x));
    write_bytes(out, size);
    free(in);
    free(out);
    return 0;
}
