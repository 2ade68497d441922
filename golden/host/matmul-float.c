/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the reference for kernels/apps/matmul-float.sass: the product of two N x N matrices of single precision.
 * Each sum begins with zero and adds the products one by one.
 *
 *     matmul-float N < A_THEN_B > PRODUCT */
#include <stdlib.h>

#include "bytes.h"
#include "real.h"

int main(int argc, char **argv) {
    const size_t n = number_arg(argc, argv, 1, "N", 1, 4096);
    size_t size = 0;
    uint8_t *factors = read_bytes("-", 8 * n * n, &size);
    uint8_t *product = allocate(4 * n * n);
    double worst = 0;
    for (size_t row = 0; row < n; row++) {
        for (size_t column = 0; column < n; column++) {
            struct real sum = real_of(0);
            for (size_t k = 0; k < n; k++) {
                const struct real a = real_of(load_word(factors, row * n + k));
                const struct real b = real_of(load_word(factors, (n + k) * n + column));
                sum = real_mad(a, b, sum);
            }
            real_store(product, row * n + column, sum, &worst);
        }
    }
    write_bytes(product, 4 * n * n);
    real_report("matmul-float", worst);
    free(factors);
    free(product);
    return 0;
}
