/* SPDX-License-Identifier: Apache-2.0 */
/* Random words below LIMIT (0: any) as inputs of tests, the same for equal seeds.
 *
 *     noise COUNT SEED [LIMIT] > WORDS */
#include <stdlib.h>

#include "bytes.h"

int main(int argc, char **argv) {
    size_t count = number_arg(argc, argv, 1, "COUNT", 0, 1u << 24);
    uint32_t state = number_arg(argc, argv, 2, "SEED", 1, UINT32_MAX);
    uint32_t limit = argc > 3 ? number_arg(argc, argv, 3, "LIMIT", 0, UINT32_MAX) : 0;
    uint8_t *words = allocate(4 * count);
    for (size_t i = 0; i < count; i++) {
        state ^= state << 13; /* xorshift32; source: Marsaglia 2003 */
        state ^= state >> 17;
        state ^= state << 5;
        store_word(words, i, limit == 0 ? state : state % limit);
    }
    write_bytes(words, 4 * count);
    free(words);
    return 0;
}
