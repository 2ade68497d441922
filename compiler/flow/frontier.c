/* SPDX-License-Identifier: Apache-2.0 */
#include "frontier.h"

/* Numbers the tree so that the nodes of a subtree are consecutive. */
static void number_tree(struct cc *cc, struct frontier *f) {
    uint32_t *used = CC_ARRAY(cc, uint32_t, f->count);
    for (uint32_t i = 0; i < f->count; i++) f->nodes[i].size = 1;
    for (uint32_t i = f->count; i-- > 1;) {
        struct frontier_node *n = &f->nodes[i], *d = &f->nodes[n->dominator];
        d->size += n->size;
        n->sibling = d->first_child;
        d->first_child = i + 1;
    }
    for (uint32_t i = 1; i < f->count; i++) {
        struct frontier_node *n = &f->nodes[i];
        n->first = f->nodes[n->dominator].first + 1 + used[n->dominator];
        used[n->dominator] += n->size;
    }
}

static void add(struct cc *cc, struct frontier *f, uint32_t node, uint32_t to, uint32_t *stamp) {
    struct frontier_node *n = &f->nodes[node];
    if (f->nodes[to].dominator == node || stamp[to] == node + 1) return;
    stamp[to] = node + 1;
    CC_PUSH(cc, n->list, n->count, n->capacity, to);
}

void frontier_find(struct cc *cc, struct frontier *f, const struct frontier_edge *edges, size_t edge_count) {
    uint32_t *stamp = CC_ARRAY(cc, uint32_t, f->count);
    number_tree(cc, f);
    for (uint32_t i = f->count; i-- > 0;) {
        for (; edge_count > 0 && edges[edge_count - 1].from == i; edge_count--)
            add(cc, f, i, edges[edge_count - 1].to, stamp);
        for (uint32_t c = f->nodes[i].first_child; c != 0; c = f->nodes[c - 1].sibling)
            for (size_t k = 0; k < f->nodes[c - 1].count; k++) add(cc, f, i, f->nodes[c - 1].list[k], stamp);
    }
}
