/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the reference for kernels/apps/collatz.sass: for each number, the count of steps (halving if even, tripling
 * plus one if odd) until it is 1.
 *
 *     collatz < NUMBERS > STEPS */
#include <stdlib.h>

#include "bytes.h"

static uint32_t count_steps(uint32_t n) {
    uint32_t steps = 0;
    while (n > 1) {
        n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        steps++;
    }
    return steps;
}

int main(void) {
    size_t size = 0;
    uint8_t *numbers = read_bytes("-", 0, &size);
    for (size_t i = 0; i < size / 4; i++) store_word(numbers, i, count_steps(load_word(numbers, i)));
    write_bytes(numbers, size);
    free(numbers);
    return 0;
}
