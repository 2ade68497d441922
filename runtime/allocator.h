/* SPDX-License-Identifier: Apache-2.0 */
/* Allocator of a device's global memory: a list of blocks in order of address. Buffers are placed from the bottom,
 * variables of programs from the top, so that a program that is loaded again finds its place free. The caller locks. */
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
    uint64_t begin, end; /* range of addresses that it allocates */
};

enum { ALLOCATOR_ALIGN = 256 };

void allocator_init(struct allocator *a, uint64_t begin, uint64_t end);
void allocator_release(struct allocator *a);

/* Allocates the first free block of this size, aligned to ALLOCATOR_ALIGN, or the last one. Size 0 counts as 1.
 * Returns false if none is large enough, or if host memory is exhausted. */
bool allocator_allocate(struct allocator *a, uint64_t size, uint32_t *address);
bool allocator_allocate_last(struct allocator *a, uint64_t size, uint32_t *address);

/* Allocates the block at this address; returns false unless all of it is free. */
bool allocator_allocate_at(struct allocator *a, uint32_t address, uint64_t size);

/* Frees the block at this address. */
void allocator_free(struct allocator *a, uint32_t address);

#endif
