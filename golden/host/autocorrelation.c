/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the reference for kernels/apps/autocorrelation.sass: for each lag the sum of the products of 16-bit samples
 * at that distance, modulo 2^32.
 *
 *     autocorrelation COUNT < SAMPLES > SUMS */
#include <stdlib.h>

#include "bytes.h"

static uint32_t sample(const uint8_t *bytes, size_t i) {
    return (uint32_t)(int32_t)(int16_t)(bytes[2 * i] | bytes[2 * i + 1] << 8);
}

int main(int argc, char **argv) {
    uint32_t count = number_arg(argc, argv, 1, "COUNT", 1, 65535);
    size_t size = 0;
    uint8_t *samples = read_bytes("-", (size_t)count * 2, &size);
    uint8_t *sums = allocate((size_t)count * 4);
    for (size_t lag = 0; lag < count; lag++) {
        uint32_t sum = 0;
        for (size_t i = 0; i + lag < count; i++) sum += sample(samples, i) * sample(samples, i + lag);
        store_word(sums, lag, sum);
    }
    write_bytes(sums, (size_t)count * 4);
    free(samples);
    free(sums);
    return 0;
}
