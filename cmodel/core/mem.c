/* SPDX-License-Identifier: Apache-2.0 */
/* Memories, see mem.h. */
#include "mem.h"

#include <stdlib.h>

static size_t defined_words(const struct mem *mem) { return (mem->size + 31) / 32; }

bool mem_create(struct mem *mem, uint32_t size, bool tracked) {
    mem->size = size;
    mem->bytes = calloc(size > 0 ? size : 1, 1);
    mem->defined = tracked ? calloc(defined_words(mem) + 1, sizeof *mem->defined) : NULL;
    if (mem->bytes == NULL || (tracked && mem->defined == NULL)) {
        mem_destroy(mem);
        return false;
    }
    return true;
}

void mem_destroy(struct mem *mem) {
    free(mem->bytes);
    free(mem->defined);
    *mem = (struct mem){0};
}

void mem_reset(struct mem *mem) {
    memset(mem->bytes, 0, mem->size);
    if (mem->defined != NULL) memset(mem->defined, 0, defined_words(mem) * sizeof *mem->defined);
}
