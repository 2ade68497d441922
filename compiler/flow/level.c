/* SPDX-License-Identifier: Apache-2.0 */
/* The regions of one loop, see regions.h. */
#include <stdlib.h>
#include <string.h>

#include "regions.h"

static bool is_return_edge(const struct ir_block *from, unsigned k) {
    return from->end == IR_BRANCH && from->next[k]->end == IR_RETURN && from->next[k]->first == NULL;
}

uint32_t level_node(const struct level *level, const struct ir_block *b) {
    if (b->number == UINT32_MAX) return UINT32_MAX;
    const struct ir_loop *l = b->loop;
    if (l == level->loop) return level->node_of[b->number];
    while (l != NULL && l->parent != level->loop) l = l->parent;
    return l == NULL ? UINT32_MAX : level->node_around[l->header->number];
}

bool region_has(const struct level *level, const struct region *r, uint32_t node) {
    return node != r->start && node < r->end && frontier_dominates(&level->frontier, r->start, node);
}

bool level_in_region(const struct level *level, const struct ir_block *b) {
    const uint32_t node = level_node(level, b);
    return node != UINT32_MAX && level->nodes[node].in_region;
}

/* ---- the graph ---- */

static void connect(struct ir *ir, struct level *level, uint32_t from, uint32_t to) {
    struct node *f = &level->nodes[from], *t = &level->nodes[to];
    for (size_t i = 0; i < f->next_count; i++)
        if (f->next[i] == to) return;
    CC_PUSH(ir->cc, f->next, f->next_count, f->next_capacity, to);
    CC_PUSH(ir->cc, t->previous, t->previous_count, t->previous_capacity, from);
}

static void connect_edge(struct ir *ir, struct level *level, uint32_t from, const struct ir_block *b, unsigned k) {
    const struct ir_block *to = b->next[k];
    if (is_return_edge(b, k)) return;
    if (level->loop != NULL && to == level->loop->header) {
        connect(ir, level, from, level->node_count);
    } else if (level->loop == NULL || cfg_in_loop(to, level->loop)) {
        const uint32_t node = level_node(level, to);
        if (node != from && node != UINT32_MAX) connect(ir, level, from, node);
    }
}

/* Connects a node to its successors; for an inner loop, along the exits of that loop. */
static void connect_node(struct ir *ir, struct level *level, uint32_t from) {
    const struct node *node = &level->nodes[from];
    if (node->child == NULL && node->block->end == IR_RETURN) connect(ir, level, from, level->node_count);
    for (unsigned k = 0; node->child == NULL && k < cfg_next_count(node->block); k++)
        connect_edge(ir, level, from, node->block, k);
    for (size_t i = 0; node->child != NULL && i < node->child->exit_count; i++)
        connect_edge(ir, level, from, node->child->exits[i].block, node->child->exits[i].way);
    if (node->next_count == 0) connect(ir, level, from, level->node_count);
}

static void add_node(struct level *level, struct ir_block *b, struct ir_loop *child) {
    (child != NULL ? level->node_around : level->node_of)[b->number] = level->node_count;
    level->nodes[level->node_count++] = (struct node){.block = b, .child = child};
}

static void make_nodes(struct ir *ir, const struct ir_loop *loop, struct level *level) {
    struct ir_block **blocks = loop != NULL ? loop->members : ir->order;
    const size_t count = loop != NULL ? loop->member_count : ir->order_count;
    level->loop = loop;
    level->nodes = CC_ARRAY(ir->cc, struct node, count + 1);
    for (size_t i = 0; i < count; i++) {
        struct ir_block *b = blocks[i];
        if (b->loop == loop)
            add_node(level, b, NULL);
        else if (b->loop->parent == loop && b->loop->header == b)
            add_node(level, b, b->loop);
    }
    for (uint32_t n = 0; n < level->node_count; n++) connect_node(ir, level, n);
}

static uint32_t common_dominator(const struct level *level, uint32_t a, uint32_t b) {
    while (a != b)
        if (a > b)
            a = level->nodes[a].dominator;
        else
            b = level->nodes[b].dominator;
    return a;
}

static uint32_t common_postdominator(const struct level *level, uint32_t a, uint32_t b) {
    while (a != b)
        if (a < b)
            a = level->nodes[a].postdominator;
        else
            b = level->nodes[b].postdominator;
    return a;
}

static void find_dominators(struct level *level) {
    const uint32_t n = level->node_count;
    for (uint32_t i = 0; i <= n; i++) {
        struct node *node = &level->nodes[i];
        uint32_t d = node->previous_count > 0 ? node->previous[0] : 0;
        for (size_t k = 1; k < node->previous_count; k++) d = common_dominator(level, d, node->previous[k]);
        node->dominator = d;
    }
    level->nodes[n].postdominator = n;
    for (uint32_t i = n; i-- > 0;) {
        struct node *node = &level->nodes[i];
        uint32_t d = node->next[0];
        for (size_t k = 1; k < node->next_count; k++) d = common_postdominator(level, d, node->next[k]);
        node->postdominator = d;
    }
}

/* ---- regions ---- */

/* Returns the node that can hold SSY: for a loop, the block before it. */
static uint32_t start_of(const struct level *level, uint32_t node) {
    const struct ir_loop *child = level->nodes[node].child;
    return child != NULL ? level_node(level, child->preheader) : node;
}

static void find_frontiers(struct ir *ir, struct level *level) {
    struct frontier *f = &level->frontier;
    struct frontier_edge *edges = NULL;
    size_t count = 0, capacity = 0;
    f->count = level->node_count + 1;
    f->nodes = CC_ARRAY(ir->cc, struct frontier_node, f->count);
    for (uint32_t n = 0; n < f->count; n++) {
        f->nodes[n].dominator = level->nodes[n].dominator;
        for (size_t k = 0; k < level->nodes[n].next_count; k++) {
            const struct frontier_edge edge = {n, level->nodes[n].next[k]};
            CC_PUSH(ir->cc, edges, count, capacity, edge);
        }
    }
    frontier_find(ir->cc, f, edges, count);
}

/* Returns a node of the region that can be reached without passing the start; the region's end if none exists. */
static uint32_t find_other_entry(const struct level *level, const struct region *r) {
    const struct frontier_node *start = &level->frontier.nodes[r->start];
    for (size_t i = 0; i < start->count; i++)
        if (start->list[i] < r->end) return start->list[i];
    return r->end;
}

/* Moves start and end outward until every path into the region passes the start, and every path out passes the end. */
static void close_region(const struct level *level, struct region *r) {
    for (uint32_t in; (in = find_other_entry(level, r)) != r->end;) {
        r->start = start_of(level, common_dominator(level, r->start, in));
        r->end = common_postdominator(level, r->end, level->nodes[r->start].postdominator);
    }
}

static int outer_first(const void *a, const void *b) {
    const struct region *x = a, *y = b;
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    return x->end > y->end ? -1 : x->end < y->end;
}

/* Merges the first two regions that overlap without nesting. Returns false if none do. */
static bool merge_overlapping(struct ir *ir, struct level *level) {
    size_t *open = CC_ARRAY(ir->cc, size_t, level->region_count), depth = 0, kept = 0;
    if (level->region_count == 0) return false;
    qsort(level->regions, level->region_count, sizeof *level->regions, outer_first);
    for (size_t i = 0; i < level->region_count; i++) {
        const struct region r = level->regions[i];
        struct region *same = NULL, *crossed = NULL;
        while (depth > 0 && level->regions[open[depth - 1]].end <= r.start) depth--;
        for (size_t k = depth; k-- > 0 && same == NULL && crossed == NULL;) {
            struct region *outer = &level->regions[open[k]];
            if (outer->start != r.start && !region_has(level, outer, r.start)) continue;
            if (outer->end == r.end)
                same = outer;
            else if (region_has(level, outer, r.end))
                break;
            else
                crossed = outer;
        }
        if (same != NULL) continue; /* nested in it, with the same end */
        if (crossed != NULL) {
            crossed->start = start_of(level, common_dominator(level, crossed->start, r.start));
            crossed->end = common_postdominator(level, crossed->end, r.end);
            crossed->end = common_postdominator(level, crossed->end, level->nodes[crossed->start].postdominator);
            close_region(level, crossed);
            while (++i < level->region_count) level->regions[kept++] = level->regions[i];
            level->region_count = kept;
            return true;
        }
        level->regions[kept] = r;
        open[depth++] = kept++;
    }
    level->region_count = kept;
    return false;
}

/* Drops regions with equal start and end early, because there may be many. */
static void drop_duplicates(struct level *level) {
    size_t kept = 0;
    if (level->region_count == 0) return;
    qsort(level->regions, level->region_count, sizeof *level->regions, outer_first);
    for (size_t i = 0; i < level->region_count; i++) {
        const struct region *r = &level->regions[i];
        if (kept > 0 && level->regions[kept - 1].start == r->start && level->regions[kept - 1].end == r->end) continue;
        level->regions[kept++] = *r;
    }
    level->region_count = kept;
}

static bool diverges(const struct ir *ir, const struct node *node) {
    if (node->child != NULL) return node->child->divergent;
    return node->next_count > 1 && cfg_is_divergent(ir, node->block);
}

/* Walks down the dominator tree. A node is in a region if a region that starts at it or at a dominator ends behind
 * it. */
static void mark_regions(struct ir *ir, struct level *level) {
    /* end of the outermost region that starts at the node or a dominator */
    uint32_t *end = CC_ARRAY(ir->cc, uint32_t, level->node_count);
    for (size_t i = 0; i < level->region_count; i++)
        if (end[level->regions[i].start] < level->regions[i].end) end[level->regions[i].start] = level->regions[i].end;
    for (uint32_t n = 0; n < level->node_count; n++) {
        const uint32_t d = level->nodes[n].dominator;
        if (n > 0 && end[d] > n && end[d] > end[n]) end[n] = end[d];
        level->nodes[n].in_region = end[n] > n;
    }
}

void level_find_regions(struct ir *ir, const struct ir_loop *loop, struct level *level) {
    make_nodes(ir, loop, level);
    find_dominators(level);
    find_frontiers(ir, level);
    for (uint32_t n = 0; n < level->node_count; n++) {
        struct node *node = &level->nodes[n];
        if (!diverges(ir, node)) continue;
        struct region r = {.start = start_of(level, n), .end = node->postdominator};
        if (r.end == level->node_count) continue; /* all paths end the thread */
        close_region(level, &r);
        if (r.end < level->node_count) CC_PUSH(ir->cc, level->regions, level->region_count, level->region_capacity, r);
    }
    drop_duplicates(level);
    while (merge_overlapping(ir, level)) drop_duplicates(level);
    mark_regions(ir, level);
}
