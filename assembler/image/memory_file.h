/* SPDX-License-Identifier: Apache-2.0 */
/* Files that hold a memory as text, told apart by their suffix: .hex (32-bit words in order, `#` comments), .mif
 * (Altera), .coe (Xilinx), and .mem or .vmem as $readmemh reads them. Words go to bytes least significant byte first;
 * those of .coe and .mem are as wide as the longest of them is written, 1, 2, 4 or 8 bytes.
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

/* A growing array of bytes, of at most `limit`; `full`: more were to be stored. */
struct memory_bytes {
    uint8_t *data;
    size_t size, capacity, limit;
    bool full;
    unsigned width; /* bytes of a word, as the file has them; 0: not known */
};

/* False: beyond the limit, or memory is out; memory_bytes_failed says so in *d. */
bool memory_bytes_resize(struct memory_bytes *b, size_t size);
/* Stores `count` bytes of value, least significant first. */
bool memory_bytes_put(struct memory_bytes *b, size_t offset, uint64_t value, unsigned count);
enum status memory_bytes_failed(const struct memory_bytes *b, const char *path, struct diag *d);

/* 16 and more: c is no digit. */
unsigned memory_digit(char c);
/* Digits of `radix` up to the first other character; false: none, or more than max. */
bool memory_digits(const char **text, unsigned radix, uint64_t max, uint64_t *value);

/* Whether the suffix of a file is one of these. */
bool memory_file_is(const char *path);
/* text ends in a NUL, and is changed. */
enum status memory_file_read(const char *path, char *text, struct memory_bytes *b, struct diag *d);

#endif
