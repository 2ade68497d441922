/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the reference for kernels/apps/convolve.sass: a convolution layer. PICTURE has IN planes of bytes, WEIGHTS
 * OUT times IN squares of SIDE x SIDE signed bytes, BIASES OUT words. A pixel of the result is the bias and the sum of
 * pixels times weights, shifted right by SHIFT and clamped to 0..255; beyond the edges pixels are 0.
 *
 *     convolve WIDTH HEIGHT IN OUT SIDE SHIFT PICTURE WEIGHTS BIASES > RESULT */
#include <stdlib.h>

#include "bytes.h"

struct layer {
    size_t width, height, in, side;
    const uint8_t *picture;
};

static uint32_t sum_at(const struct layer *l, const uint8_t *weights, size_t x, size_t y) {
    uint32_t sum = 0;
    for (size_t i = 0; i < l->in * l->side * l->side; i++) {
        const size_t column = x + i % l->side - l->side / 2, row = y + i / l->side % l->side - l->side / 2;
        if (column >= l->width || row >= l->height) continue;
        const size_t plane = i / (l->side * l->side);
        const int32_t product = l->picture[(plane * l->height + row) * l->width + column] * (int8_t)weights[i];
        sum += (uint32_t)product;
    }
    return sum;
}

static uint8_t limited(uint32_t sum, uint32_t shift) {
    if (sum >> 31 != 0) return 0;
    return sum >> shift > 255 ? 255 : (uint8_t)(sum >> shift);
}

int main(int argc, char **argv) {
    struct layer l = {.width = number_arg(argc, argv, 1, "WIDTH", 1, 65535),
                      .height = number_arg(argc, argv, 2, "HEIGHT", 1, 65535),
                      .in = number_arg(argc, argv, 3, "IN", 0, 65535),
                      .side = number_arg(argc, argv, 5, "SIDE", 1, 255)};
    const size_t out = number_arg(argc, argv, 4, "OUT", 1, 65535), plane = l.width * l.height;
    const uint32_t shift = number_arg(argc, argv, 6, "SHIFT", 0, 31);
    if (argc != 10) return 2;
    const size_t squares = l.in * l.side * l.side;
    size_t size = 0;
    uint8_t *picture = read_bytes(argv[7], l.in * plane, &size);
    uint8_t *weights = read_bytes(argv[8], out * squares, &size);
    uint8_t *biases = read_bytes(argv[9], 4 * out, &size);
    uint8_t *result = allocate(out * plane);
    l.picture = picture;
    for (size_t i = 0; i < out * plane; i++) {
        const size_t o = i / plane, x = i % l.width, y = i % plane / l.width;
        result[i] = limited(load_word(biases, o) + sum_at(&l, weights + o * squares, x, y), shift);
    }
    write_bytes(result, out * plane);
    free(picture);
    free(weights);
    free(biases);
    free(result);
    return 0;
}
