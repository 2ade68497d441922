/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the reference for kernels/apps/mandelbrot.sass: a grey picture of the Mandelbrot set. A pixel is STEP times
 * the number of iterations z = z z + c, at most LIMIT, until |z| exceeds 2, modulo 256. The upper left pixel is LEFT +
 * i TOP, the distance of pixels SIZE; these three are given as their bits.
 *
 * Where the bound of |z| leaves no doubt, exact arithmetic must agree with each decision; the number of pixels without
 * any doubt is reported.
 *
 *     mandelbrot WIDTH HEIGHT LEFT TOP SIZE LIMIT STEP > PICTURE */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "../float/reference.h"
#include "bytes.h"
#include "real.h"

#define GREATER 4u /* FSET's relation */

struct window {
    struct real left, top, size;
    uint32_t limit;
};

static bool exceeds(struct real a, struct real b, bool *doubt) {
    const bool greater = reference_fset(a.bits, b.bits, GREATER) != 0;
    const bool open = !(a.value - a.error > b.value) && !(a.value + a.error <= b.value);
    if (!open && greater != (a.value > b.value)) {
        fprintf(stderr, "%g must be %g within %g\n", a.value, b.value, a.error);
        exit(1);
    }
    *doubt = *doubt || open;
    return greater;
}

static uint32_t iterations(struct window w, uint32_t column, uint32_t row, bool *doubt) {
    const struct real re = real_mad(real_constant(column), w.size, w.left);
    const struct real im = real_mad(real_negate(real_constant(row)), w.size, w.top);
    struct real x = real_of(0), y = real_of(0);
    for (uint32_t i = 0; i < w.limit; i++) {
        const struct real xx = real_mul(x, x), yy = real_mul(y, y);
        if (exceeds(real_add(xx, yy), real_constant(4), doubt)) return i;
        const struct real product = real_mul(x, y);
        x = real_add(real_add(xx, real_negate(yy)), re);
        y = real_mad(product, real_constant(2), im);
    }
    return w.limit;
}

int main(int argc, char **argv) {
    const uint32_t width = number_arg(argc, argv, 1, "WIDTH", 1, 4096);
    const uint32_t height = number_arg(argc, argv, 2, "HEIGHT", 1, 4096);
    const struct window w = {real_of(number_arg(argc, argv, 3, "LEFT", 0, UINT32_MAX)),
                             real_of(number_arg(argc, argv, 4, "TOP", 0, UINT32_MAX)),
                             real_of(number_arg(argc, argv, 5, "SIZE", 0, UINT32_MAX)),
                             number_arg(argc, argv, 6, "LIMIT", 1, 65535)};
    const uint32_t step = number_arg(argc, argv, 7, "STEP", 1, 255);
    uint8_t *picture = allocate((size_t)width * height);
    size_t sure = 0;
    for (uint32_t row = 0; row < height; row++) {
        for (uint32_t column = 0; column < width; column++) {
            bool doubt = false;
            picture[(size_t)row * width + column] = (uint8_t)(iterations(w, column, row, &doubt) * step);
            sure += !doubt;
        }
    }
    write_bytes(picture, (size_t)width * height);
    fprintf(stderr, "# mandelbrot: %zu of %zu pixels are beyond doubt\n", sure, (size_t)width * height);
    free(picture);
    return 0;
}
