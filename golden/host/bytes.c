/* SPDX-License-Identifier: Apache-2.0 */
#include "bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *what, const char *name) {
    fprintf(stderr, "%s: %s\n", name, what);
    exit(2);
}

void *allocate(size_t size) {
    void *memory = calloc(1, size > 0 ? size : 1);
    if (memory == NULL) fail("out of memory", "golden");
    return memory;
}

uint32_t number_arg(int argc, char **argv, int index, const char *name, uint32_t low, uint32_t high) {
    if (index >= argc) fail("missing on the command line", name);
    char *end = NULL;
    unsigned long value = strtoul(argv[index], &end, 0);
    if (end == argv[index] || *end != '\0' || value < low || value > high) fail("not a number in range", argv[index]);
    return (uint32_t)value;
}

uint8_t *read_bytes(const char *path, size_t expected, size_t *size) {
    FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (in == NULL) fail("cannot be read", path);
    size_t capacity = 4096;
    uint8_t *bytes = allocate(capacity);
    *size = 0;
    for (size_t got; (got = fread(bytes + *size, 1, capacity - *size, in)) > 0;) {
        *size += got;
        if (*size < capacity) continue;
        uint8_t *more = realloc(bytes, capacity *= 2);
        if (more == NULL) fail("out of memory", path);
        bytes = more;
    }
    if (ferror(in) != 0) fail("cannot be read", path);
    if (in != stdin) fclose(in);
    if (expected != 0 && *size != expected) fail("has an unexpected length", path);
    return bytes;
}

void write_bytes(const uint8_t *bytes, size_t size) {
    if (fwrite(bytes, 1, size, stdout) != size || fflush(stdout) != 0) fail("cannot be written", "output");
}

uint32_t load_word(const uint8_t *bytes, size_t index) {
    const uint8_t *b = bytes + 4 * index;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

void store_word(uint8_t *bytes, size_t index, uint32_t word) {
    for (unsigned i = 0; i < 4; i++) bytes[4 * index + i] = (uint8_t)(word >> 8 * i);
}
