/* SPDX-License-Identifier: Apache-2.0 */
/* Makes numbers of single precision, from LOW to HIGH, from random words.
 *
 *     noise COUNT SEED | reals LOW HIGH > NUMBERS */
#include <stdlib.h>
#include <string.h>

#include "bytes.h"

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    const double low = strtod(argv[1], NULL), high = strtod(argv[2], NULL);
    size_t size = 0;
    uint8_t *words = read_bytes("-", 0, &size);
    for (size_t i = 0; i < size / 4; i++) {
        const float number = (float)(low + (high - low) * load_word(words, i) / 4294967296.0);
        uint32_t bits = 0;
        memcpy(&bits, &number, sizeof bits);
        store_word(words, i, bits);
    }
    write_bytes(words, size);
    free(words);
    return 0;
}
