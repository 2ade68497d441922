/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the reference for kernels/apps/life.sass: Conway's game of life on a torus. A byte a cell: 0 is dead; the
 * output has 0 and 255.
 *
 *     life WIDTH HEIGHT GENERATIONS < CELLS > RESULT */
#include <stdlib.h>

#include "bytes.h"

static uint8_t next(const uint8_t *cells, size_t width, size_t height, size_t x, size_t y) {
    unsigned neighbours = 0;
    for (size_t i = 0; i < 9; i++) {
        const size_t nx = (x + width + i % 3 - 1) % width, ny = (y + height + i / 3 - 1) % height;
        if (i != 4) neighbours += cells[ny * width + nx] != 0;
    }
    return neighbours == 3 || (neighbours == 2 && cells[y * width + x] != 0) ? 255 : 0;
}

int main(int argc, char **argv) {
    const size_t width = number_arg(argc, argv, 1, "WIDTH", 1, 65535);
    const size_t height = number_arg(argc, argv, 2, "HEIGHT", 1, 65535);
    const uint32_t generations = number_arg(argc, argv, 3, "GENERATIONS", 0, UINT32_MAX);
    size_t size = 0;
    uint8_t *cells = read_bytes("-", width * height, &size);
    uint8_t *other = allocate(size);
    for (size_t i = 0; i < size; i++) cells[i] = cells[i] != 0 ? 255 : 0;
    for (uint32_t g = 0; g < generations; g++) {
        for (size_t i = 0; i < size; i++) other[i] = next(cells, width, height, i % width, i / width);
        uint8_t *before = cells;
        cells = other;
        other = before;
    }
    write_bytes(cells, size);
    free(cells);
    free(other);
    return 0;
}
