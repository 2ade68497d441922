/* SPDX-License-Identifier: Apache-2.0 */
/* The list of blocks, see allocator.h. */
#include "allocator.h"

#include <stdlib.h>
#include <string.h>

#include "../assembler/base/grow.h"

void allocator_init(struct allocator *a, uint64_t begin, uint64_t end) {
    *a = (struct allocator){.begin = begin, .end = end};
}

void allocator_release(struct allocator *a) {
    free(a->blocks);
    *a = (struct allocator){0};
}

static uint64_t align_up(uint64_t value) { return (value + ALLOCATOR_ALIGN - 1) / ALLOCATOR_ALIGN * ALLOCATOR_ALIGN; }

/* Address of the free bytes before block i; behind the last block for i = count. */
static uint64_t gap_begin(const struct allocator *a, size_t i) {
    return align_up(i > 0 ? a->blocks[i - 1].end : a->begin);
}
static uint64_t gap_end(const struct allocator *a, size_t i) { return i < a->count ? a->blocks[i].begin : a->end; }

static bool insert(struct allocator *a, size_t i, uint64_t begin, uint64_t size) {
    struct allocator_block *grown = grow_array(a->blocks, a->count, &a->capacity, sizeof *grown);
    if (grown == NULL) return false;
    a->blocks = grown;
    memmove(&grown[i + 1], &grown[i], (a->count - i) * sizeof *grown);
    grown[i] = (struct allocator_block){begin, begin + size};
    a->count++;
    return true;
}

bool allocator_allocate(struct allocator *a, uint64_t size, uint32_t *address) {
    if (size == 0) size = 1;
    for (size_t i = 0; i <= a->count; i++) {
        const uint64_t begin = gap_begin(a, i), end = gap_end(a, i);
        if (begin > end || end - begin < size) continue;
        *address = (uint32_t)begin;
        return insert(a, i, begin, size);
    }
    return false;
}

bool allocator_allocate_last(struct allocator *a, uint64_t size, uint32_t *address) {
    if (size == 0) size = 1;
    for (size_t i = a->count + 1; i-- > 0;) {
        const uint64_t begin = gap_begin(a, i), end = gap_end(a, i);
        if (begin > end || end - begin < size) continue;
        const uint64_t last = (end - size) / ALLOCATOR_ALIGN * ALLOCATOR_ALIGN;
        if (last < begin) continue;
        *address = (uint32_t)last;
        return insert(a, i, last, size);
    }
    return false;
}

bool allocator_allocate_at(struct allocator *a, uint32_t address, uint64_t size) {
    if (size == 0) size = 1;
    for (size_t i = 0; i <= a->count; i++) {
        const uint64_t begin = i > 0 ? a->blocks[i - 1].end : a->begin;
        if (address >= begin && address + size <= gap_end(a, i)) return insert(a, i, address, size);
    }
    return false;
}

void allocator_free(struct allocator *a, uint32_t address) {
    for (size_t i = 0; i < a->count; i++) {
        if (a->blocks[i].begin != address) continue;
        a->count--;
        memmove(&a->blocks[i], &a->blocks[i + 1], (a->count - i) * sizeof *a->blocks);
        return;
    }
}
