/* SPDX-License-Identifier: Apache-2.0 */
/* What the last step found before it changed it, so that amend.c can change it back. Nothing is kept until
 * model_keep_steps asks for it.
 *
 *     keep_warp(m, warp);                        // before the step
 *     keep_bytes(m, mem, addr, 4);               // before each store of it, where m->kept is there
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
    struct warp *warp;   /* that made the last step; NULL: none has */
    struct regfile file; /* its registers, stack and masks before it */
    unsigned depth;
    uint32_t alive;
    bool finishing; /* the warp has finished, and has not left its block yet */
    struct kept_bytes stores[RETIRE_WORDS * WARP_LANES];
    unsigned count;
};

void keep_warp(struct model *m, struct warp *warp);
void keep_bytes(struct model *m, struct mem *mem, uint32_t addr, unsigned bytes); /* 1, 2 or 4, checked */

/* The memories are again as they were before the last step. */
void keep_undo_stores(struct kept *kept);

/* A warp that has finished leaves its block: at once, or where steps are kept when the next one begins. */
void keep_finish(struct model *m, struct warp *warp);

#endif
