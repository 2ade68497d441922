/* SPDX-License-Identifier: Apache-2.0 */
/* The set of blocks that have started, see blockset.h. */
#include "blockset.h"

#include <stdlib.h>

enum { PAGE_WORDS = 1024, PAGE_BITS = PAGE_WORDS * 32 };

bool blockset_create(struct blockset *set, uint64_t blocks) {
    set->page_count = (size_t)((blocks + PAGE_BITS - 1) / PAGE_BITS);
    set->pages = calloc(set->page_count, sizeof *set->pages);
    return set->pages != NULL;
}

void blockset_destroy(struct blockset *set) {
    for (size_t i = 0; set->pages != NULL && i < set->page_count; i++) free(set->pages[i]);
    free(set->pages);
    *set = (struct blockset){0};
}

bool blockset_has(const struct blockset *set, uint64_t block) {
    const uint32_t *page = set->pages[block / PAGE_BITS];
    return page != NULL && (page[block % PAGE_BITS / 32] >> block % 32 & 1u) != 0;
}

bool blockset_add(struct blockset *set, uint64_t block) {
    uint32_t **page = &set->pages[block / PAGE_BITS];
    if (*page == NULL) *page = calloc(PAGE_WORDS, sizeof **page);
    if (*page == NULL) return false;
    (*page)[block % PAGE_BITS / 32] |= (uint32_t)1 << block % 32;
    return true;
}
