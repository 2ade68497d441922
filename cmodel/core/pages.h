/* SPDX-License-Identifier: Apache-2.0 */
/* Tracks the pages of a memory that were stored to since the last query, and their former contents, so that two states
 * of a large memory are compared without reading all of it.
 *
 *     if (mem->pages != NULL) pages_touch(mem->pages, mem->bytes, addr);      // before each store
 *     for (size_t i = 0; i < pages->count; i++) ... pages->list[i] ...        // numbers of pages, each once
 */
#ifndef WARPSTEP_PAGES_H
#define WARPSTEP_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PAGES_SHIFT = 12, PAGES_BYTES = 1 << PAGES_SHIFT };

struct pages_copy {
    uint32_t page;
    uint8_t *bytes;
};

struct pages {
    uint32_t size;  /* size of the memory in bytes */
    uint8_t *state; /* of each page: 0; in the list; has a copy, or needs none */
    uint32_t *list; /* pages stored to since pages_clear */
    size_t count, room;
    bool keeps; /* stores copy pages first, since pages_keep */
    struct pages_copy *copy;
    size_t copies, copy_room;
    bool failed, keep_failed; /* out of memory: pages are missing from the list, from the copies */
};

struct pages *pages_create(uint32_t size); /* NULL if out of memory */
void pages_destroy(struct pages *p);       /* NULL is allowed */

/* Empties the list, and ends the copying of pages. */
void pages_clear(struct pages *p);

/* From now on the first store to a page copies it; earlier copies are discarded. At most so many pages are copied;
 * beyond that number pages_unchanged returns false. */
enum { PAGES_COPIES_MOST = 4096 };
void pages_keep(struct pages *p);

/* True if the memory is known to be as it was at pages_keep. */
bool pages_unchanged(const struct pages *p, const uint8_t *memory);

/* The first store to this page since it was cleared, or since copying began. */
void pages_touch_first(struct pages *p, const uint8_t *memory, uint32_t page);

enum { PAGES_LISTED = 1, PAGES_COPIED = 2, PAGES_KNOWN = 3 };

static inline void pages_touch(struct pages *p, const uint8_t *memory, uint32_t addr) {
    if (p->state[addr >> PAGES_SHIFT] != PAGES_KNOWN) pages_touch_first(p, memory, addr >> PAGES_SHIFT);
}

/* Bytes of a page: the last page may be shorter. */
static inline uint32_t pages_size(const struct pages *p, uint32_t page) {
    const uint32_t left = p->size - (page << PAGES_SHIFT);
    return left < PAGES_BYTES ? left : PAGES_BYTES;
}

#endif
