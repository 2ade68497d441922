/* SPDX-License-Identifier: Apache-2.0 */
/* Makes loops with several entries reducible: all entries jump to one dispatch block, which continues at the target
 * that a register selects. */
#include "regions.h"

struct component {
    struct ir_block **blocks;
    size_t count, capacity;
};

/* State of the search at a block, by block number. */
struct mark {
    uint32_t index, low, component;
    bool on_stack, is_header;
    unsigned next;
};

struct search {
    struct ir *ir;
    struct mark *nodes;
    struct ir_block **stack, **path;
    size_t depth, path_depth;
    uint32_t index, region; /* region: the component that is searched; 0 for the whole graph */
    uint32_t components;
    struct component *found;
    size_t found_count, found_capacity;
};

static void pop_component(struct search *s, const struct ir_block *root) {
    struct component c = {0};
    struct ir_block *b;
    s->components++;
    do {
        b = s->stack[--s->depth];
        s->nodes[b->number].on_stack = false;
        s->nodes[b->number].component = s->components;
        CC_PUSH_POINTER(s->ir->cc, c.blocks, c.count, c.capacity, b);
    } while (b != root);
    const bool loops_alone = c.count == 1 && (b->next[0] == b || (b->end == IR_BRANCH && b->next[1] == b));
    if (c.count > 1 || loops_alone) CC_PUSH(s->ir->cc, s->found, s->found_count, s->found_capacity, c);
}

static void enter(struct search *s, struct ir_block *b) {
    struct mark *n = &s->nodes[b->number];
    n->index = n->low = ++s->index;
    n->on_stack = true;
    n->next = 0;
    s->stack[s->depth++] = b;
    s->path[s->path_depth++] = b;
}

/* Finds strongly connected components among blocks of region `region`, ignoring jumps to headers. */
static void search_from(struct search *s, struct ir_block *start, const uint32_t *region_of, uint32_t region) {
    enter(s, start);
    while (s->path_depth > 0) {
        struct ir_block *b = s->path[s->path_depth - 1];
        struct mark *n = &s->nodes[b->number];
        if (n->next < cfg_next_count(b)) {
            struct ir_block *to = b->next[n->next++];
            struct mark *t = &s->nodes[to->number];
            if (region_of[to->number] != region || t->is_header) continue;
            if (t->index == 0)
                enter(s, to);
            else if (t->on_stack && t->index < n->low)
                n->low = t->index;
            continue;
        }
        s->path_depth--;
        if (n->low == n->index) pop_component(s, b);
        if (s->path_depth == 0) continue;
        struct mark *parent = &s->nodes[s->path[s->path_depth - 1]->number];
        if (n->low < parent->low) parent->low = n->low;
    }
}

static struct ir_block *landing(struct ir *ir, ir_reg choice, uint32_t number, struct ir_block *to) {
    struct ir_block *b = ir_new_block(ir);
    struct ir_insn *move = ir_append(ir, b, IR_MOV);
    move->dst = choice;
    move->src[0] = ir_imm(number);
    b->end = IR_JUMP;
    b->next[0] = to;
    return b;
}

/* Builds a chain of comparisons that jumps to targets[choice]. Returns its first block. */
struct ir_block *cfg_dispatch(struct ir *ir, ir_reg choice, struct ir_block *const *targets, size_t count) {
    struct ir_block *first = ir_new_block(ir), *b = first;
    for (uint32_t i = 0; i + 1 < count; i++) {
        struct ir_block *rest = i + 2 == count ? targets[count - 1] : ir_new_block(ir);
        struct ir_insn *test = ir_append(ir, b, IR_ISET);
        test->src[0] = ir_use(choice);
        test->src[1] = ir_imm(i);
        test->sub = IR_EQ;
        test->fdst = ir_new_reg(ir, IR_C);
        b->end = IR_BRANCH;
        b->guard = test->fdst;
        b->cond = IR_NE;
        b->next[0] = targets[i];
        b->next[1] = rest;
        b = rest;
    }
    return first;
}

static size_t find_entries(const struct ir *ir, const struct component *c, const uint32_t *mark, uint32_t stamp,
                           struct ir_block **entries) {
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++) {
        struct ir_block *b = c->blocks[i];
        bool entered = b == ir->entry;
        for (size_t k = 0; k < b->previous_count; k++) entered |= mark[b->previous[k]->number] != stamp;
        if (entered) entries[count++] = b;
    }
    return count;
}

/* Entries from outside and from inside get separate landing blocks, so that they do not meet before the dispatch. */
static void add_dispatch(struct ir *ir, struct ir_block *const *entries, size_t count, const uint32_t *region_of,
                         uint32_t region) {
    const ir_reg choice = ir_new_reg(ir, IR_R);
    struct ir_block *d = cfg_dispatch(ir, choice, entries, count);
    for (uint32_t i = 0; i < count; i++) {
        struct ir_block *outside = landing(ir, choice, i, d), *inside = landing(ir, choice, i, d);
        for (size_t k = 0; k < entries[i]->previous_count; k++) {
            struct ir_block *p = entries[i]->previous[k];
            cfg_redirect(p, entries[i], region_of[p->number] == region ? inside : outside);
        }
        if (ir->entry == entries[i]) ir->entry = outside;
    }
}

/* Searches the loops level by level until some have several entries, and gives each of these one. Loops found at
 * that point are disjoint. Returns whether any had several entries. */
static bool dispatch_level(struct ir *ir) {
    const size_t n = ir->order_count;
    struct search s = {.ir = ir,
                       .nodes = CC_ARRAY(ir->cc, struct mark, n),
                       .stack = CC_ARRAY(ir->cc, struct ir_block *, n),
                       .path = CC_ARRAY(ir->cc, struct ir_block *, n)};
    struct ir_block **entries = CC_ARRAY(ir->cc, struct ir_block *, n);
    uint32_t *region_of = CC_ARRAY(ir->cc, uint32_t, n), stamp = 0;
    bool any = false;
    search_from(&s, ir->entry, region_of, 0);
    for (size_t i = 0; i < s.found_count; i++) {
        const struct component c = s.found[i];
        stamp++;
        for (size_t k = 0; k < c.count; k++) region_of[c.blocks[k]->number] = stamp;
        const size_t count = find_entries(ir, &c, region_of, stamp, entries);
        if (count > 1) {
            add_dispatch(ir, entries, count, region_of, stamp);
            any = true;
        }
        if (any) continue;
        if (count == 1) s.nodes[entries[0]->number].is_header = true;
        for (size_t k = 0; k < c.count; k++) s.nodes[c.blocks[k]->number].index = 0;
        for (size_t k = 0; k < c.count; k++)
            if (s.nodes[c.blocks[k]->number].index == 0 && !s.nodes[c.blocks[k]->number].is_header)
                search_from(&s, c.blocks[k], region_of, stamp);
    }
    return any;
}

void cfg_make_reducible(struct ir *ir) {
    while (!cfg_is_reducible(ir) && dispatch_level(ir)) cfg_order(ir);
}
