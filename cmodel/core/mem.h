/* SPDX-License-Identifier: Apache-2.0 */
/* A byte-addressed little-endian memory, with one bit a byte that says whether the byte was ever written (none where
 * all of it is defined: global memory and constants).
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
    uint32_t room;       /* bytes that are allocated */
    uint32_t *defined;   /* bit i % 32 of word i / 32 is byte i; NULL: all defined */
    struct pages *pages; /* of what is large: global memory; else NULL */
};

/* Allocates `size` zero bytes, with definedness where `tracked`, or with pages; false when memory is out. */
bool mem_create(struct mem *mem, uint32_t size, bool tracked);
/* The same for one that may be there already: what is allocated is used again, and holds anything. */
bool mem_resize(struct mem *mem, uint32_t size, bool tracked);
bool mem_create_paged(struct mem *mem, uint32_t size);
void mem_destroy(struct mem *mem);

/* Zero bytes, none of them defined. */
void mem_reset(struct mem *mem);

/* TRAP_NONE when [addr, addr + bytes) lies in the memory at a multiple of `bytes`, else `align` or `align + 1`, the
 * memory's pair of traps; alignment comes first. addr is 64 bits wide: A + offset does not wrap. */
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

/* Before stores within [addr, addr + 16), a multiple of their size. */
static inline void mem_touch(const struct mem *mem, uint32_t addr) {
    if (mem->pages != NULL) pages_touch(mem->pages, mem->bytes, addr);
}

/* Stores the low 1, 2 or 4 bytes of value; they are defined from now on. */
static inline void mem_store(struct mem *mem, uint32_t addr, unsigned bytes, uint32_t value) {
    for (unsigned i = 0; i < bytes; i++) mem->bytes[addr + i] = (uint8_t)(value >> 8 * i);
    if (mem->defined != NULL) mem->defined[addr / 32] |= (((uint32_t)1 << bytes) - 1) << addr % 32;
}

/* True when every byte of an access that has passed mem_check was written. */
static inline bool mem_is_defined(const struct mem *mem, uint32_t addr, unsigned bytes) {
    const uint32_t mask = (((uint32_t)1 << bytes) - 1) << addr % 32;
    return mem->defined == NULL || (mem->defined[addr / 32] & mask) == mask;
}

#endif
