/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by regions.c and level.c: the regions of one loop, or of the kernel outside of loops. */
#ifndef WARPSTEP_CC_REGIONS_H
#define WARPSTEP_CC_REGIONS_H

#include "../ir/live.h"
#include "cfg.h"
#include "frontier.h"

/* A block of the loop itself, or an inner loop (by its header). Numbers ascend along edges. The end node, for the
 * back edge or the end of the thread, has the highest number. */
struct node {
    struct ir_block *block;
    struct ir_loop *child;
    uint32_t *next, *previous;
    size_t next_count, next_capacity, previous_count, previous_capacity;
    uint32_t dominator, postdominator;
    struct ir_block *join;
    bool in_region;
};

/* Contains the nodes that the start dominates and that come before the end. Every path in passes the start, every
 * path out passes the end. */
struct region {
    uint32_t start, end;
};

struct level {
    const struct ir_loop *loop; /* NULL for the kernel */
    struct node *nodes;
    uint32_t node_count;   /* end node excluded */
    uint32_t *node_of;     /* shared by all levels, by block number: its node in the graph of its loop */
    uint32_t *node_around; /* by number of a header: the node of its loop in the graph of the parent loop */
    struct frontier frontier;
    struct region *regions; /* outer regions before inner ones */
    size_t region_count, region_capacity;
};

/* Needs level->node_of and node_around, and the members breaks and divergent of all inner loops. */
void level_find_regions(struct ir *ir, const struct ir_loop *loop, struct level *level);

uint32_t level_node(const struct level *level, const struct ir_block *b); /* UINT32_MAX if not in it */
bool level_in_region(const struct level *level, const struct ir_block *b);
bool region_has(const struct level *level, const struct region *r, uint32_t node); /* start and end excluded */

/* reduce.c: builds a chain of comparisons that jumps to targets[choice]. */
struct ir_block *cfg_dispatch(struct ir *ir, ir_reg choice, struct ir_block *const *targets, size_t count);

#endif
