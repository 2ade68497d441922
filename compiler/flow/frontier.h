/* SPDX-License-Identifier: Apache-2.0 */
/* Dominator tree and dominance frontiers of a graph whose node numbers ascend along its edges. */
#ifndef WARPSTEP_CC_FRONTIER_H
#define WARPSTEP_CC_FRONTIER_H

#include "../base/context.h"

struct frontier_edge {
    uint32_t from, to;
};

struct frontier_node {
    uint32_t dominator;            /* immediate dominator; node 0 is its own */
    uint32_t first, size;          /* position in the tree, and number of nodes in its subtree, itself included */
    uint32_t first_child, sibling; /* node number + 1; 0 if none */
    uint32_t *list;                /* the dominance frontier */
    size_t count, capacity;
};

struct frontier {
    struct frontier_node *nodes;
    uint32_t count;
};

/* Fills in everything but the dominators, which the caller sets. Edges are sorted by `from`. */
void frontier_find(struct cc *cc, struct frontier *f, const struct frontier_edge *edges, size_t edge_count);

static inline bool frontier_dominates(const struct frontier *f, uint32_t a, uint32_t b) {
    return f->nodes[b].first - f->nodes[a].first < f->nodes[a].size;
}

#endif
