/* SPDX-License-Identifier: Apache-2.0 */
/* Names of an assembly: labels (of one kernel), constants and aliases (of the file). Names are not copied: they point
 * into the source text. */
#ifndef WARPSTEP_SYMBOLS_H
#define WARPSTEP_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../isa/isa.h"

#define SYMBOLS_FILE_SCOPE UINT32_MAX

struct symbol_entry {
    const char *name; /* NULL: free */
    size_t length;
    uint32_t scope; /* number of the kernel, or SYMBOLS_FILE_SCOPE */
    struct isa_symbol symbol;
};

struct symbols {
    struct symbol_entry *entry; /* hash table, linear probing, at most half full */
    size_t capacity, count;
};

enum symbols_result { SYMBOLS_ADDED, SYMBOLS_DUPLICATE, SYMBOLS_NO_MEMORY };

enum symbols_result symbols_add(struct symbols *s, const char *name, size_t length, uint32_t scope,
                                const struct isa_symbol *symbol);

/* Searches the kernel's scope first, then the file's. */
bool symbols_find(const struct symbols *s, const char *name, size_t length, uint32_t scope, struct isa_symbol *symbol);

/* The name nearest to this one (edit distance at most 2), for suggestions; NULL if none. */
const struct symbol_entry *symbols_nearest(const struct symbols *s, const char *name, size_t length, uint32_t scope);

void symbols_release(struct symbols *s);

#endif
