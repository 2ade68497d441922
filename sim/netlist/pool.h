// SPDX-License-Identifier: Apache-2.0
// Memory that lives as long as the design: pieces are taken one by one, and freed together.
//
//     struct pool pool = {0};
//     char *name = pool_format(&pool, "%s_%d", "n", 3);
//     pool_free(&pool);
#ifndef WARPSTEP_NETLIST_POOL_H
#define WARPSTEP_NETLIST_POOL_H

#include <stddef.h>

struct pool_block;
struct pool {
    struct pool_block *blocks; // the newest one first
    size_t used, size;         // bytes of the newest block
};

// This number of bytes, all 0. Out of memory, the program reports it and ends.
void *pool_take(struct pool *pool, size_t bytes);
// Room for one more element in an array of `count` elements of `bytes` each: the array itself if it has room
// (capacities are powers of two), else a copy in twice the room.
void *pool_grow(struct pool *pool, void *array, size_t count, size_t bytes);
char *pool_text(struct pool *pool, const char *text, size_t length);
char *pool_format(struct pool *pool, const char *format, ...) __attribute__((format(printf, 2, 3)));
void pool_free(struct pool *pool);

#endif
