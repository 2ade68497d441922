/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of dominators of a graph whose numbers ascend along its edges, and where a way leaves what a node dominates:
 * its frontier. */
#ifndef WARPSTEP_CC_FRONTIER_H
#define WARPSTEP_CC_FRONTIER_H

#include "../base/context.h"

struct frontier_edge {
    uint32_t from, to;
};

struct frontier_node {
    uint32_t dominator;            /* the immediate one; of node 0 itself */
    uint32_t first, size;          /* place in the tree, and nodes below, itself included */
    uint32_t first_child, sibling; /* number + 1; 0: none */
    uint32_t *list;                /* the frontier */
    size_t count, capacity;
};

struct frontier {
    struct frontier_node *nodes;
    uint32_t count;
};

/* nodes have their dominators, all else is found. Edges in the order of `from`. */
void frontier_find(struct cc *cc, struct frontier *f, const struct frontier_edge *edges, size_t edge_count);

static inline bool frontier_dominates(const struct frontier *f, uint32_t a, uint32_t b) {
    return f->nodes[b].first - f->nodes[a].first < f->nodes[a].size;
}

#endif
