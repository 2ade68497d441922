/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the state that the last step changed, so that amend.c can restore it. Nothing is kept until model_keep_steps is
 * called.
 *
 *     keep_warp(m, warp);                        // before the step
 */
#ifndef WARPSTEP_KEEP_H
#define WARPSTEP_KEEP_H

#include "../core/state.h"

/* Up to four bytes of a memory before a store. */
struct kept_bytes {
    struct mem *mem;
    uint32_t addr, value, defined; /* defined: bit i is byte i */
    unsigned bytes;
};

struct kept {
    struct warp *warp;   /* the warp of the last step; NULL: no step yet */
    struct regfile file; /* its registers, stack and masks before it */
    unsigned depth;
    uint32_t alive;
    bool finishing; /* the warp has finished, but not left its block */
    struct kept_bytes stores[RETIRE_WORDS * WARP_LANES];
    unsigned count;
};

void keep_warp(struct model *m, struct warp *warp);

/* Restores the memories to their state before the last step. */
void keep_undo_stores(struct kept *kept);

/* A launch begins: no step yet. */
void keep_reset(struct model *m);

#endif
