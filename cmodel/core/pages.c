/* SPDX-License-Identifier: Apache-2.0 */
/* Pages of a memory, see pages.h. */
#include "pages.h"

#include <stdlib.h>
#include <string.h>

#include "../../assembler/base/grow.h"

struct pages *pages_create(uint32_t size) {
    struct pages *p = calloc(1, sizeof *p);
    if (p == NULL) return NULL;
    p->size = size;
    p->state = calloc(((size_t)size >> PAGES_SHIFT) + 1, 1);
    if (p->state != NULL) return p;
    free(p);
    return NULL;
}

static void drop_copies(struct pages *p) {
    for (size_t i = 0; i < p->copies; i++) free(p->copy[i].bytes);
    p->copies = 0;
    p->keeps = p->keep_failed = false;
}

void pages_destroy(struct pages *p) {
    if (p == NULL) return;
    drop_copies(p);
    free(p->copy);
    free(p->list);
    free(p->state);
    free(p);
}

void pages_clear(struct pages *p) {
    drop_copies(p);
    if (p->failed)
        memset(p->state, 0, ((size_t)p->size >> PAGES_SHIFT) + 1);
    else
        for (size_t i = 0; i < p->count; i++) p->state[p->list[i]] = 0;
    p->count = 0;
    p->failed = false;
}

void pages_keep(struct pages *p) {
    drop_copies(p);
    p->keeps = true;
    for (size_t i = 0; i < p->count; i++) p->state[p->list[i]] = PAGES_LISTED;
}

bool pages_unchanged(const struct pages *p, const uint8_t *memory) {
    if (!p->keeps || p->keep_failed || p->failed) return false;
    for (size_t i = 0; i < p->copies; i++) {
        const struct pages_copy *c = &p->copy[i];
        if (memcmp(memory + ((size_t)c->page << PAGES_SHIFT), c->bytes, pages_size(p, c->page)) != 0) return false;
    }
    return true;
}

static void put_in_list(struct pages *p, uint32_t page) {
    uint32_t *list = grow_array(p->list, p->count, &p->room, sizeof *list);
    if (list == NULL) {
        p->failed = true;
        return;
    }
    p->list = list;
    p->list[p->count++] = page;
}

static void keep_copy(struct pages *p, const uint8_t *memory, uint32_t page) {
    if (p->copies == PAGES_COPIES_MOST) {
        drop_copies(p);
        return;
    }
    const uint32_t size = pages_size(p, page);
    struct pages_copy *copy = grow_array(p->copy, p->copies, &p->copy_room, sizeof *copy);
    if (copy != NULL) p->copy = copy;
    uint8_t *bytes = copy != NULL ? malloc(size) : NULL;
    if (bytes == NULL) {
        p->keep_failed = true;
        return;
    }
    memcpy(bytes, memory + ((size_t)page << PAGES_SHIFT), size);
    p->copy[p->copies++] = (struct pages_copy){page, bytes};
}

void pages_touch_first(struct pages *p, const uint8_t *memory, uint32_t page) {
    if ((p->state[page] & PAGES_LISTED) == 0) put_in_list(p, page);
    if (p->keeps && (p->state[page] & PAGES_COPIED) == 0) keep_copy(p, memory, page);
    p->state[page] = PAGES_KNOWN;
}
