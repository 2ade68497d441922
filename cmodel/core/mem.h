/* SPDX-License-Identifier: Apache-2.0 */
/* A byte-addressed little-endian memory, with one bit a byte that tells whether the byte was ever written (absent from
 * global memory and constants, which are all defined).
 *
 *     enum trap trap = mem_check(&block->shared, addr, 4, TRAP_SHARED_ALIGN);
 *     if (trap == TRAP_NONE) value = mem_load(&block->shared, addr, 4);
 */
#ifndef WARPSTEP_MEM_H
#define WARPSTEP_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../retire.h"
#include "pages.h"

struct mem {
    uint8_t *bytes;
    uint32_t size;
    uint32_t room;       /* allocated bytes */
    uint32_t *defined;   /* bit i % 32 of word i / 32 is byte i; NULL: all defined */
    struct pages *pages; /* page tracking of large memories (global memory); else NULL */
};

/* Allocates `size` zero bytes, with definedness bits if `tracked`, or with pages; false if out of memory. */
bool mem_create(struct mem *mem, uint32_t size, bool tracked);
/* Like mem_create, for a memory that may exist already: reuses its allocation, with undefined contents. */
bool mem_resize(struct mem *mem, uint32_t size, bool tracked);
bool mem_create_paged(struct mem *mem, uint32_t size);
void mem_destroy(struct mem *mem);

/* Fills the memory with zero bytes, all undefined. */
void mem_reset(struct mem *mem);

/* TRAP_NONE if [addr, addr + bytes) lies in the memory at a multiple of `bytes`, else `align` or `align + 1`, the
 * memory's pair of traps; alignment is checked first. addr is 64 bits wide: A + offset does not wrap. */
static inline enum trap mem_check(const struct mem *mem, uint64_t addr, unsigned bytes, enum trap align) {
    if ((addr & (bytes - 1)) != 0) return align;
    return addr + bytes <= mem->size ? TRAP_NONE : (enum trap)(align + 1);
}

/* The value of 1, 2 or 4 bytes, zero-extended. The access must have passed mem_check. */
static inline uint32_t mem_load(const struct mem *mem, uint32_t addr, unsigned bytes) {
    const uint8_t *p = mem->bytes + addr;
    switch (bytes) {
    case 1: return p[0];
    case 2: return (uint32_t)p[0] | (uint32_t)p[1] << 8;
    default: return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    }
}

/* To be called before stores within [addr, addr + 16), a multiple of their size. */
static inline void mem_touch(const struct mem *mem, uint32_t addr) {
    if (mem->pages != NULL) pages_touch(mem->pages, mem->bytes, addr);
}

/* Stores the low 1, 2 or 4 bytes of value; they are defined from now on. */
static inline void mem_store(struct mem *mem, uint32_t addr, unsigned bytes, uint32_t value) {
    for (unsigned i = 0; i < bytes; i++) mem->bytes[addr + i] = (uint8_t)(value >> 8 * i);
    if (mem->defined != NULL) mem->defined[addr / 32] |= (((uint32_t)1 << bytes) - 1) << addr % 32;
}

/* True if every byte of an access that has passed mem_check was written. */
static inline bool mem_is_defined(const struct mem *mem, uint32_t addr, unsigned bytes) {
    const uint32_t mask = (((uint32_t)1 << bytes) - 1) << addr % 32;
    return mem->defined == NULL || (mem->defined[addr / 32] & mask) == mask;
}

#endif
