/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the reference for kernels/apps/saxpy.sass: a x + y, for each number of two vectors. A is given as its bits.
 *
 *     saxpy A < X_THEN_Y > SUMS */
#include <stdlib.h>

#include "bytes.h"
#include "real.h"

int main(int argc, char **argv) {
    const struct real a = real_of(number_arg(argc, argv, 1, "A", 0, UINT32_MAX));
    size_t size = 0;
    uint8_t *words = read_bytes("-", 0, &size);
    const size_t count = size / 8;
    double worst = 0;
    for (size_t i = 0; i < count; i++) {
        const struct real x = real_of(load_word(words, i)), y = real_of(load_word(words, count + i));
        real_store(words, i, real_mad(a, x, y), &worst);
    }
    write_bytes(words, 4 * count);
    real_report("saxpy", worst);
    free(words);
    return 0;
}
