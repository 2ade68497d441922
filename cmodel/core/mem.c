/* SPDX-License-Identifier: Apache-2.0 */
/* Memories, see mem.h. */
#include "mem.h"

#include <stdlib.h>

static size_t defined_words(const struct mem *mem) { return (mem->size + 31) / 32; }

bool mem_create(struct mem *mem, uint32_t size, bool tracked) {
    mem->size = mem->room = size;
    mem->bytes = calloc(size > 0 ? size : 1, 1);
    mem->defined = tracked ? calloc(defined_words(mem) + 1, sizeof *mem->defined) : NULL;
    if (mem->bytes == NULL || (tracked && mem->defined == NULL)) {
        mem_destroy(mem);
        return false;
    }
    return true;
}

bool mem_resize(struct mem *mem, uint32_t size, bool tracked) {
    if (size > mem->room || (mem->bytes == NULL && size > 0)) {
        mem_destroy(mem);
        return mem_create(mem, size, tracked);
    }
    mem->size = size;
    return true;
}

bool mem_create_paged(struct mem *mem, uint32_t size) {
    if (!mem_create(mem, size, false)) return false;
    mem->pages = pages_create(size);
    if (mem->pages == NULL) mem_destroy(mem);
    return mem->pages != NULL;
}

void mem_destroy(struct mem *mem) {
    free(mem->bytes);
    free(mem->defined);
    pages_destroy(mem->pages);
    *mem = (struct mem){0};
}

void mem_reset(struct mem *mem) {
    memset(mem->bytes, 0, mem->size);
    if (mem->defined != NULL) memset(mem->defined, 0, defined_words(mem) * sizeof *mem->defined);
}
