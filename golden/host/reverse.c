/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the reference for kernels/apps/reverse.sass: each run of COUNT words in reverse order.
 *
 *     reverse COUNT < WORDS > REVERSED */
#include <stdlib.h>

#include "bytes.h"

int main(int argc, char **argv) {
    size_t count = number_arg(argc, argv, 1, "COUNT", 1, 65535);
    size_t size = 0;
    uint8_t *in = read_bytes("-", 0, &size);
    uint8_t *out = allocate(size);
    for (size_t i = 0; i < size / 4; i++) store_word(out, i, load_word(in, i / count * count + count - 1 - i % count));
    write_bytes(out, size);
    free(in);
    free(out);
    return 0;
}
