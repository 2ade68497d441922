/* SPDX-License-Identifier: Apache-2.0 */
/* Text files with the contents of a memory, recognised by their suffix: .hex (32-bit words in order, `#` comments),
 * .mif (Altera), .coe (Xilinx), and .mem or .vmem as $readmemh reads them. Words become bytes, least significant first;
 * words of .coe and .mem are as wide as the longest one written: 1, 2, 4 or 8 bytes.
 *
 *     struct memory_bytes b = {.limit = 1 << 20};
 *     if (memory_file_read("k.mif", text, &b, &d) != STATUS_OK) ...
 *     free(b.data);
 */
#ifndef WARPSTEP_MEMORY_FILE_H
#define WARPSTEP_MEMORY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/diag.h"

/* A growing array of bytes, of at most `limit`; `full`: the limit was exceeded. */
struct memory_bytes {
    uint8_t *data;
    size_t size, capacity, limit;
    bool full;
    unsigned width; /* bytes of a word in the file; 0: unknown */
};

/* False: beyond the limit, or out of memory; memory_bytes_failed puts the reason into *d. */
bool memory_bytes_resize(struct memory_bytes *b, size_t size);
/* Stores `count` bytes of value, least significant first. */
bool memory_bytes_put(struct memory_bytes *b, size_t offset, uint64_t value, unsigned count);
enum status memory_bytes_failed(const struct memory_bytes *b, const char *path, struct diag *d);

/* 16 and more: c is no digit. */
unsigned memory_digit(char c);
/* Digits of `radix` up to the first other character; false: none, or a value above max. */
bool memory_digits(const char **text, unsigned radix, uint64_t max, uint64_t *value);

/* True if a file has one of these suffixes. */
bool memory_file_is(const char *path);
/* text ends in a NUL, and is modified. */
enum status memory_file_read(const char *path, char *text, struct memory_bytes *b, struct diag *d);

#endif
