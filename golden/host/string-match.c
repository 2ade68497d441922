/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the reference for kernels/apps/string-match.sass: for each byte of a text 1 if the pattern begins there,
 * else 0.
 *
 *     string-match TEXT PATTERN > FLAGS            files */
#include <stdlib.h>
#include <string.h>

#include "bytes.h"

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    size_t size = 0, length = 0;
    uint8_t *text = read_bytes(argv[1], 0, &size);
    uint8_t *pattern = read_bytes(argv[2], 0, &length);
    uint8_t *flags = allocate(size);
    for (size_t i = 0; i + length <= size && i < size; i++) flags[i] = memcmp(text + i, pattern, length) == 0;
    write_bytes(flags, size);
    free(text);
    free(pattern);
    free(flags);
    return 0;
}
