/* SPDX-License-Identifier: Apache-2.0 */
/* The set of blocks that have started. A grid can have 65535 x 65535 blocks, which start nearly in order, so the bits
 * are kept in pages that are allocated on first use. */
#ifndef WARPSTEP_BLOCKSET_H
#define WARPSTEP_BLOCKSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct blockset {
    uint32_t **pages;
    size_t page_count;
};

bool blockset_create(struct blockset *set, uint64_t blocks); /* empty; false if out of memory */
void blockset_destroy(struct blockset *set);
bool blockset_has(const struct blockset *set, uint64_t block);
bool blockset_add(struct blockset *set, uint64_t block); /* false if out of memory */

#endif
