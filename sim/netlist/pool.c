// SPDX-License-Identifier: Apache-2.0
#include "pool.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 20, ALIGNMENT = 16 };

struct pool_block {
    struct pool_block *next;
    size_t padding; // aligns the following bytes
};

static void add_block(struct pool *pool, size_t bytes) {
    size_t size = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
    struct pool_block *block = calloc(1, sizeof *block + size);
    if (!block) {
        perror(program_invocation_short_name);
        exit(2);
    }
    block->next = pool->blocks;
    pool->blocks = block;
    pool->used = 0;
    pool->size = size;
}

void *pool_take(struct pool *pool, size_t bytes) {
    size_t size = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!pool->blocks || pool->size - pool->used < size) add_block(pool, size);
    char *taken = (char *)(pool->blocks + 1) + pool->used;
    pool->used += size;
    return taken;
}

void *pool_grow(struct pool *pool, void *array, size_t count, size_t bytes) {
    if (count > 0 && (count & (count - 1)) != 0) return array;
    void *larger = pool_take(pool, (count > 0 ? 2 * count : 1) * bytes);
    if (count > 0) memcpy(larger, array, count * bytes);
    return larger;
}

char *pool_text(struct pool *pool, const char *text, size_t length) {
    char *copy = pool_take(pool, length + 1);
    if (length > 0) memcpy(copy, text, length);
    return copy;
}

char *pool_format(struct pool *pool, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    char *text = pool_take(pool, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(args);
    va_end(again);
    return text;
}

void pool_free(struct pool *pool) {
    while (pool->blocks) {
        struct pool_block *block = pool->blocks;
        pool->blocks = block->next;
        free(block);
    }
    *pool = (struct pool){0};
}
