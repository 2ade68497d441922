/* SPDX-License-Identifier: Apache-2.0 */
/* Compares numbers of single precision, for kernels whose compiler chooses which operations to fuse: each must be
 * within ABSOLUTE + RELATIVE |expected|. Exit code 1 if one is not; reports the largest error, as a fraction of that
 * bound.
 *
 *     near ABSOLUTE RELATIVE FOUND EXPECTED */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"

static double load_float(const uint8_t *words, size_t index) {
    const uint32_t bits = load_word(words, index);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

int main(int argc, char **argv) {
    if (argc != 5) return 2;
    const double absolute = strtod(argv[1], NULL), relative = strtod(argv[2], NULL);
    size_t size = 0, other = 0, wrong = 0;
    uint8_t *expected = read_bytes(argv[4], 0, &size);
    uint8_t *found = read_bytes(argv[3], size, &other);
    double worst = 0;
    for (size_t i = 0; i < size / 4; i++) {
        const double is = load_float(found, i), should = load_float(expected, i);
        const double part = fabs(is - should) / (absolute + relative * fabs(should));
        if (!(part <= 1) && wrong++ < 8) printf("# number %zu: expected %.9g, found %.9g\n", i, should, is);
        if (part > worst) worst = part;
    }
    printf("# %zu of %zu numbers are too far off; the worst error is %.2g of what is allowed\n", wrong, size / 4,
           worst);
    free(expected);
    free(found);
    return wrong > 0;
}
