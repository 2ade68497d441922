/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the reference for kernels/apps/edge.sass: the Sobel gradient of a grey picture (one byte a pixel, row by
 * row), as the sum of the two absolute slopes, at most 255. The outermost pixels, which lack neighbours, are 0.
 *
 *     edge WIDTH HEIGHT < PICTURE > EDGES */
#include <stdlib.h>

#include "bytes.h"

/* Brightness of the three pixels from p on, `step` apart, the middle one twice. */
static int weigh(const uint8_t *p, size_t step) { return p[0] + 2 * p[step] + p[2 * step]; }

/* `corner` is the upper left of the 3 x 3 pixels around the pixel. */
static uint8_t gradient(const uint8_t *corner, size_t width) {
    int across = weigh(corner + 2, width) - weigh(corner, width);
    int down = weigh(corner + 2 * width, 1) - weigh(corner, 1);
    int sum = abs(across) + abs(down);
    return (uint8_t)(sum > 255 ? 255 : sum);
}

int main(int argc, char **argv) {
    size_t width = number_arg(argc, argv, 1, "WIDTH", 1, 65535);
    size_t height = number_arg(argc, argv, 2, "HEIGHT", 1, 65535);
    size_t size = 0;
    uint8_t *picture = read_bytes("-", width * height, &size);
    uint8_t *edges = allocate(size);
    for (size_t y = 1; y + 1 < height; y++)
        for (size_t x = 1; x + 1 < width; x++)
            edges[y * width + x] = gradient(picture + (y - 1) * width + x - 1, width);
    write_bytes(edges, size);
    free(picture);
    free(edges);
    return 0;
}
