/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files that print records of printf: print_records.c reads records, print_format.c prints a format with
 * its arguments, print_strings.c reads strings. */
#ifndef WARPSTEP_PRINTER_H
#define WARPSTEP_PRINTER_H

#include "print.h"

enum { PRINTER_STRINGS = 64, PRINTER_LONGEST = 1 << 20 /* characters of a string */ };

struct printer_argument {
    const uint8_t *bytes;
    unsigned size;
    bool is_constant; /* addresses are of constant memory */
};

/* A string of global memory. */
struct printer_string {
    uint32_t addr;
    size_t most; /* maximum number of characters to read */
    char *text;
};

/* A direct-mapped cache of strings, by address. */
struct printer_cache {
    struct printer_string strings[PRINTER_STRINGS];
};

struct printer {
    const struct image *image;
    print_read_fn *read;
    void *state;
    FILE *out;
    struct printer_cache formats, strings; /* separate, so that reading an argument keeps the format */
    bool no_memory;
    struct printer_argument *arguments; /* of the current record, the format first */
    size_t count, capacity, next;
};

/* Returns the string at an address, up to `most` characters; NULL if it cannot be read. It stays valid until another
 * string is read by the same cache. */
const char *printer_read_string(struct printer *p, struct printer_cache *cache, const struct printer_argument *a,
                                size_t most);
void printer_release_strings(struct printer_cache *cache);

/* Prints a format with the next arguments. */
void printer_print_format(struct printer *p, const char *format);

#endif
