/* SPDX-License-Identifier: Apache-2.0 */
/* Which bytes of a device's global memory are taken: a list of blocks in order of their addresses. Buffers come from
 * below, variables of programs from above, so that a program that is loaded again finds its place free. The caller
 * locks. */
#ifndef WARPSTEP_RUNTIME_ALLOCATOR_H
#define WARPSTEP_RUNTIME_ALLOCATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct allocator_block {
    uint64_t begin, end;
};

struct allocator {
    struct allocator_block *blocks;
    size_t count, capacity;
    uint64_t begin, end; /* bytes that may be given out */
};

enum { ALLOCATOR_ALIGN = 256 };

void allocator_init(struct allocator *a, uint64_t begin, uint64_t end);
void allocator_release(struct allocator *a);

/* The first block that is free, at a multiple of ALLOCATOR_ALIGN; or the last one. False: there is none of that size,
 * or the list finds no memory. Size 0 is taken as 1. */
bool allocator_take(struct allocator *a, uint64_t size, uint32_t *address);
bool allocator_take_last(struct allocator *a, uint64_t size, uint32_t *address);

/* This very block; false where it is not all free. */
bool allocator_take_at(struct allocator *a, uint32_t address, uint64_t size);

/* Frees the block that begins there. */
void allocator_give(struct allocator *a, uint32_t address);

#endif
