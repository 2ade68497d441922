/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the reference for kernels/apps/edge-rgb.sass: a colour picture (bytes R, G, B of each pixel, row by row) in
 * grey, or its edges: the sum of the four neighbours, minus four times the pixel, 0 to 255. Neighbours beyond the
 * border do not count. The weights of the colours are 0.299, 0.587 and 0.114 in 65536ths, as in FlexGrip's benchmark.
 *
 *     edge-rgb grey|edges WIDTH HEIGHT < PICTURE > BYTES */
#include <stdlib.h>
#include <string.h>

#include "bytes.h"

static uint8_t clamp(int value) { return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value); }

static uint8_t grey_of(const uint8_t *colour) {
    return clamp(colour[0] * 0x4c84 / 65536 + colour[1] * 0x9645 / 65536 + colour[2] * 0x12df / 65536);
}

static uint8_t laplacian(const uint8_t *grey, size_t width, size_t height, size_t x, size_t y) {
    const uint8_t *p = grey + y * width + x;
    int sum = -4 * *p;
    if (x > 0) sum += p[-1];
    if (x + 1 < width) sum += p[1];
    if (y > 0) sum += *(p - width);
    if (y + 1 < height) sum += p[width];
    return clamp(sum);
}

int main(int argc, char **argv) {
    size_t width = number_arg(argc, argv, 2, "WIDTH", 1, 65535);
    size_t height = number_arg(argc, argv, 3, "HEIGHT", 1, 65535);
    size_t size = 0;
    uint8_t *picture = read_bytes("-", 3 * width * height, &size);
    uint8_t *grey = allocate(width * height);
    uint8_t *edges = allocate(width * height);
    for (size_t i = 0; i < width * height; i++) grey[i] = grey_of(picture + 3 * i);
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++) edges[y * width + x] = laplacian(grey, width, height, x, y);
    write_bytes(strcmp(argv[1], "grey") == 0 ? grey : edges, width * height);
    free(picture);
    free(grey);
    free(edges);
    return 0;
}
