/* SPDX-License-Identifier: Apache-2.0 */
/* Which pages of a memory were stored at since somebody asked last, and what they held: so that a large memory is
 * compared without a look at all of it.
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
    uint32_t size;  /* of the memory, bytes */
    uint8_t *state; /* of each page: 0, or that it is in the list, that it has a copy or needs none */
    uint32_t *list; /* stored at since pages_clear */
    size_t count, room;
    bool keeps; /* copies are made, since pages_keep */
    struct pages_copy *copy;
    size_t copies, copy_room;
    bool failed, keep_failed; /* memory ran out, and pages are missing in the list, among the copies */
};

struct pages *pages_create(uint32_t size); /* NULL when memory is out */
void pages_destroy(struct pages *p);       /* NULL is nothing */

/* No page was stored at, and none is copied from now on. */
void pages_clear(struct pages *p);

/* From now on a page is copied before it is stored at; the copies that there are go. Of so many pages at most: with
 * more of them nothing is known to be unchanged. */
enum { PAGES_COPIES_MOST = 4096 };
void pages_keep(struct pages *p);

/* Memory is as it was at pages_keep. */
bool pages_unchanged(const struct pages *p, const uint8_t *memory);

/* The first store at this page since it was cleared, or since copies are made. */
void pages_touch_first(struct pages *p, const uint8_t *memory, uint32_t page);

enum { PAGES_LISTED = 1, PAGES_COPIED = 2, PAGES_KNOWN = 3 };

static inline void pages_touch(struct pages *p, const uint8_t *memory, uint32_t addr) {
    if (p->state[addr >> PAGES_SHIFT] != PAGES_KNOWN) pages_touch_first(p, memory, addr >> PAGES_SHIFT);
}

/* Bytes of a page: the last one may be shorter. */
static inline uint32_t pages_size(const struct pages *p, uint32_t page) {
    const uint32_t left = p->size - (page << PAGES_SHIFT);
    return left < PAGES_BYTES ? left : PAGES_BYTES;
}

#endif
