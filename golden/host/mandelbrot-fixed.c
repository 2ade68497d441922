/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the reference for kernels/apps/mandelbrot-fixed.sass: a grey picture of the Mandelbrot set in fixed point,
 * with 16 fraction bits. A pixel is STEP times the number of iterations z = z z + c, at most LIMIT, until |z| exceeds
 * 2, modulo 256. The upper left pixel is LEFT + i TOP, the distance of pixels SIZE.
 *
 *     mandelbrot-fixed WIDTH HEIGHT LEFT TOP SIZE LIMIT STEP > PICTURE */
#include <stdlib.h>

#include "bytes.h"

/* The low 24 bits, with their sign. */
static int64_t factor(uint32_t x) { return (int64_t)(x & 0x7fffff) - (int64_t)(x & 0x800000); }

/* Bits 16 to 47. */
static uint32_t product(uint32_t a, uint32_t b) { return (uint32_t)((uint64_t)(factor(a) * factor(b)) >> 16); }

static uint32_t iterations(uint32_t re, uint32_t im, uint32_t limit) {
    uint32_t x = 0, y = 0;
    for (uint32_t i = 0; i < limit; i++) {
        const uint32_t xx = product(x, x), yy = product(y, y);
        if ((int32_t)(xx + yy) > 4 << 16) return i;
        const uint32_t xy = product(x, y);
        x = xx - yy + re;
        y = 2 * xy + im;
    }
    return limit;
}

int main(int argc, char **argv) {
    const uint32_t width = number_arg(argc, argv, 1, "WIDTH", 1, 4096);
    const uint32_t height = number_arg(argc, argv, 2, "HEIGHT", 1, 4096);
    const uint32_t left = number_arg(argc, argv, 3, "LEFT", 0, UINT32_MAX);
    const uint32_t top = number_arg(argc, argv, 4, "TOP", 0, UINT32_MAX);
    const uint32_t size = number_arg(argc, argv, 5, "SIZE", 0, 0xffffff);
    const uint32_t limit = number_arg(argc, argv, 6, "LIMIT", 1, 65535);
    const uint32_t step = number_arg(argc, argv, 7, "STEP", 1, 255);
    uint8_t *picture = allocate((size_t)width * height);
    for (uint32_t i = 0; i < width * height; i++)
        picture[i] = (uint8_t)(step * iterations(left + i % width * size, top - i / width * size, limit));
    write_bytes(picture, (size_t)width * height);
    free(picture);
    return 0;
}
