/* SPDX-License-Identifier: Apache-2.0 */
/* What regions.c and level.c share: the regions of one loop, or of the kernel outside of loops. */
#ifndef WARPSTEP_CC_REGIONS_H
#define WARPSTEP_CC_REGIONS_H

#include "../ir/live.h"
#include "cfg.h"
#include "frontier.h"

/* A block of the loop itself, or an inner loop as a whole (its header). Numbers ascend along all edges; the end, where
 * the loop jumps back or the thread ends, has the highest. */
struct node {
    struct ir_block *block;
    struct ir_loop *child;
    uint32_t *next, *previous;
    size_t next_count, next_capacity, previous_count, previous_capacity;
    uint32_t dominator, postdominator;
    struct ir_block *join;
    bool in_region;
};

/* Inside is what the start dominates and comes before the end: all ways there pass the start, all ways out the end. */
struct region {
    uint32_t start, end;
};

struct level {
    const struct ir_loop *loop; /* NULL: the kernel */
    struct node *nodes;
    uint32_t node_count;   /* without the end */
    uint32_t *node_of;     /* of all levels, by block number: its node in its own loop's */
    uint32_t *node_around; /* of a header: the node of its loop in the one around */
    struct frontier frontier;
    struct region *regions; /* outer ones before inner ones */
    size_t region_count, region_capacity;
};

/* level has node_of and node_around; of the loops inside breaks and divergent are known. */
void level_find_regions(struct ir *ir, const struct ir_loop *loop, struct level *level);

uint32_t level_node(const struct level *level, const struct ir_block *b); /* UINT32_MAX: not in it */
bool level_in_region(const struct level *level, const struct ir_block *b);
bool region_has(const struct level *level, const struct region *r, uint32_t node); /* inside */

/* reduce.c: comparisons that lead to the target of a number. */
struct ir_block *cfg_dispatch(struct ir *ir, ir_reg choice, struct ir_block *const *targets, size_t count);

#endif
