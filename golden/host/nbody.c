/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the reference for kernels/apps/nbody.sass: the acceleration of each body by all of them, m d / (d d +
 * EPSILON)^(3/2) for each, where d is the distance to it. A body is four numbers: place x, y, z and mass m. EPSILON, as
 * its bits, prevents a division by zero for the body itself.
 *
 *     nbody EPSILON < BODIES > ACCELERATIONS */
#include <stdlib.h>

#include "bytes.h"
#include "real.h"

static void accelerate(const uint8_t *bodies, size_t body, size_t count, struct real epsilon, struct real out[3]) {
    for (unsigned axis = 0; axis < 3; axis++) out[axis] = real_of(0);
    for (size_t other = 0; other < count; other++) {
        struct real distance[3], square = epsilon;
        for (unsigned axis = 0; axis < 3; axis++) {
            const struct real here = real_of(load_word(bodies, 4 * body + axis));
            distance[axis] = real_add(real_of(load_word(bodies, 4 * other + axis)), real_negate(here));
            square = real_mad(distance[axis], distance[axis], square);
        }
        const struct real inverse = real_rsq(square);
        const struct real mass = real_of(load_word(bodies, 4 * other + 3));
        const struct real pull = real_mul(mass, real_mul(real_mul(inverse, inverse), inverse));
        for (unsigned axis = 0; axis < 3; axis++) out[axis] = real_mad(distance[axis], pull, out[axis]);
    }
}

int main(int argc, char **argv) {
    const struct real epsilon = real_of(number_arg(argc, argv, 1, "EPSILON", 0, UINT32_MAX));
    real_open();
    size_t size = 0;
    uint8_t *bodies = read_bytes("-", 0, &size);
    const size_t count = size / 16;
    uint8_t *accelerations = allocate(12 * count);
    double worst = 0;
    for (size_t body = 0; body < count; body++) {
        struct real out[3];
        accelerate(bodies, body, count, epsilon, out);
        for (unsigned axis = 0; axis < 3; axis++) real_store(accelerations, 3 * body + axis, out[axis], &worst);
    }
    write_bytes(accelerations, 12 * count);
    real_report("nbody", worst);
    free(bodies);
    free(accelerations);
    return 0;
}
