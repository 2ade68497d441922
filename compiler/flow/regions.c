/* SPDX-License-Identifier: Apache-2.0 */
/* Reconvergence of divergent threads.
 *
 * Each loop, and the kernel as a whole, is a graph without cycles if each inner loop counts as one node, and back
 * edges, exits and returns are left out. In this graph each divergent branch has a region: the blocks between the
 * branch and its postdominator. SSY stands before the region, and all its paths end at a join (.S) of the region
 * before the postdominator. If a region has another entry, its start moves up until every path into it passes its
 * SSY. Regions with the same end share it.
 *
 * A loop that threads leave one by one is a region of the loop around it: threads that leave wait at the join. If an
 * exit lies within a region, that region would stay open. The loop is then left by BRK (PBK before the loop), which
 * pops all open entries of the thread. Such a loop has one exit block, and a register selects where it continues.
 *
 * The warp stack limits how deep regions nest. Deeper regions have no SSY. */
#include "regions.h"

#include <stdlib.h>

/* ---- normal form ---- */

static bool is_return_edge(const struct ir_block *from, unsigned k) {
    return from->end == IR_BRANCH && from->next[k]->end == IR_RETURN && from->next[k]->first == NULL;
}

/* Merges all returns into one block. */
static void merge_returns(struct ir *ir) {
    size_t count = 0;
    for (size_t i = 0; i < ir->order_count; i++) count += ir->order[i]->end == IR_RETURN;
    if (count < 2) return;
    struct ir_block *end = ir_new_block(ir);
    end->end = IR_RETURN;
    const size_t n = ir->order_count;
    for (size_t i = 0; i < n; i++) {
        struct ir_block *b = ir->order[i];
        for (unsigned k = 0; k < cfg_next_count(b); k++)
            if (b->next[k]->end == IR_RETURN && b->next[k]->first == NULL) b->next[k] = end;
        if (b->end == IR_BRANCH && b->next[0] == b->next[1]) b->end = IR_JUMP;
    }
    for (size_t i = 0; i < n; i++) {
        struct ir_block *b = ir->order[i];
        if (b->end != IR_RETURN || b == end || b->first == NULL) continue;
        b->end = IR_JUMP;
        b->next[0] = end;
    }
}

/* Returns a new block that jumps to `to`. */
static struct ir_block *insert_before(struct ir *ir, struct ir_block *to) {
    struct ir_block *b = ir_new_block(ir);
    b->place = to->place;
    b->end = IR_JUMP;
    b->next[0] = to;
    return b;
}

static bool is_inside(const struct ir_loop *loop, const struct ir_block *b) { return cfg_in_loop(b, loop); }

/* Gives the loop one entry, a jump from a block of the parent loop, and one back edge, from a block of the loop
 * itself. */
static void normalise_loop(struct ir *ir, struct ir_loop *loop) {
    struct ir_block *header = loop->header, *outside = NULL, *back = NULL;
    size_t outside_count = header == ir->entry, back_count = 0;
    for (size_t k = 0; k < header->previous_count; k++) {
        struct ir_block *p = header->previous[k];
        if (is_inside(loop, p))
            back = p, back_count++;
        else
            outside = p, outside_count++;
    }
    const bool has_preheader =
        outside_count == 1 && outside != NULL && outside->end == IR_JUMP && outside->loop == loop->parent;
    if (!has_preheader) {
        struct ir_block *before = insert_before(ir, header);
        if (header == ir->entry) ir->entry = before;
        for (size_t k = 0; k < header->previous_count; k++)
            if (!is_inside(loop, header->previous[k])) cfg_redirect(header->previous[k], header, before);
    }
    if (back_count == 1 && back->loop == loop) return;
    struct ir_block *latch = insert_before(ir, header);
    for (size_t k = 0; k < header->previous_count; k++)
        if (is_inside(loop, header->previous[k])) cfg_redirect(header->previous[k], header, latch);
}

static void normalise(struct ir *ir, struct cfg_loops *loops) {
    merge_returns(ir);
    cfg_order(ir);
    cfg_find_loops(ir, loops);
    for (size_t i = 0; i < loops->count; i++) normalise_loop(ir, loops->list[i]);
}

static void find_preheaders(const struct cfg_loops *loops) {
    for (size_t i = 0; i < loops->count; i++) {
        struct ir_loop *loop = loops->list[i];
        for (size_t k = 0; k < loop->header->previous_count; k++)
            if (!is_inside(loop, loop->header->previous[k])) loop->preheader = loop->header->previous[k];
    }
}

/* ---- loop exits ---- */

static bool is_exit(const struct ir_loop *loop, const struct ir_block *b, unsigned k) {
    return !is_return_edge(b, k) && !is_inside(loop, b->next[k]);
}

static bool inside_divergent_child(const struct ir_loop *loop, const struct ir_block *b) {
    for (const struct ir_loop *l = b->loop; l != loop; l = l->parent)
        if (l->divergent) return true;
    return false;
}

static void decide_exit(const struct ir *ir, struct ir_loop *loop, const struct level *level) {
    bool one_by_one = false;
    loop->breaks = loop->divergent = false;
    for (size_t i = 0; i < loop->exit_count; i++) {
        const struct ir_block *b = loop->exits[i].block;
        if (!is_exit(loop, b, loop->exits[i].way)) continue;
        loop->breaks |= level_in_region(level, b) || inside_divergent_child(loop, b);
        one_by_one |= cfg_is_divergent(ir, b);
    }
    loop->divergent = one_by_one && !loop->breaks;
}

/* Collects the distinct targets of all exits. Returns their number. */
static size_t exit_targets(struct ir *ir, const struct ir_loop *loop, struct ir_block ***targets) {
    size_t count = 0, capacity = 0;
    *targets = NULL;
    for (size_t i = 0; i < loop->exit_count; i++) {
        const struct ir_block *b = loop->exits[i].block;
        const unsigned k = loop->exits[i].way;
        size_t t = 0;
        if (!is_exit(loop, b, k)) continue;
        while (t < count && (*targets)[t] != b->next[k]) t++;
        if (t == count) CC_PUSH_POINTER(ir->cc, *targets, count, capacity, b->next[k]);
    }
    return count;
}

/* Redirects all exits to one dispatch block; a register selects the target. */
static void merge_exits(struct ir *ir, const struct ir_loop *loop, struct ir_block **targets, size_t count) {
    const ir_reg choice = ir_new_reg(ir, IR_R);
    struct ir_block *meet = cfg_dispatch(ir, choice, targets, count);
    for (size_t i = 0; i < loop->exit_count; i++) {
        struct ir_block *b = loop->exits[i].block;
        const unsigned k = loop->exits[i].way;
        uint32_t t = 0;
        if (b->next[k] == meet || !is_exit(loop, b, k)) continue;
        while (targets[t] != b->next[k]) t++;
        struct ir_insn *move = ir_append(ir, b, IR_MOV);
        move->place = b->place;
        move->dst = choice;
        move->src[0] = ir_imm(t);
        b->next[k] = meet;
    }
}

/* Finds the regions of all loops, inner loops first. Returns false if it has changed the graph. */
static bool analyse(struct ir *ir, const struct cfg_loops *loops, struct level **levels) {
    uint32_t *node_of = CC_ARRAY(ir->cc, uint32_t, ir->order_count);
    uint32_t *node_around = CC_ARRAY(ir->cc, uint32_t, ir->order_count);
    *levels = CC_ARRAY(ir->cc, struct level, loops->count + 1);
    for (size_t i = 0; i <= loops->count; i++) {
        (*levels)[i].node_of = node_of;
        (*levels)[i].node_around = node_around;
    }
    for (size_t i = loops->count; i-- > 0;) {
        struct ir_loop *loop = loops->list[i];
        struct ir_block **targets;
        level_find_regions(ir, loop, &(*levels)[i + 1]);
        decide_exit(ir, loop, &(*levels)[i + 1]);
        if (!loop->breaks) continue;
        const size_t count = exit_targets(ir, loop, &targets);
        if (count < 2) continue;
        merge_exits(ir, loop, targets, count);
        return false;
    }
    level_find_regions(ir, NULL, &(*levels)[0]);
    return true;
}

/* ---- instructions ---- */

static struct ir_block *new_join(struct ir *ir, struct ir_block *to) {
    struct ir_block *join = insert_before(ir, to);
    struct ir_insn *nop = ir_append(ir, join, IR_NOP);
    nop->flags = IR_JOIN;
    nop->place = to->first != NULL ? to->first->place : to->place;
    return join;
}

static void open_region(struct ir *ir, struct level *level, const struct region *r) {
    struct ir_block *end = level->nodes[r->end].block, *start = level->nodes[r->start].block;
    struct ir_block **join = &level->nodes[r->end].join;
    if (*join == NULL) *join = new_join(ir, end);
    for (size_t k = 0; k < end->previous_count; k++) {
        struct ir_block *p = end->previous[k];
        const uint32_t node = level_node(level, p);
        if (node != UINT32_MAX && (node == r->start || region_has(level, r, node))) cfg_redirect(p, end, *join);
    }
    struct ir_insn *ssy = ir_append(ir, start, IR_SSY);
    ssy->place = start->place;
    ssy->target = *join;
}

/* Returns how deep regions may nest: the warp stack without the entries of PBK and of calls. */
static uint32_t room_for_regions(const struct ir *ir, const struct cfg_loops *loops) {
    const uint32_t calls = cfg_stack_depth(ir), room = ir->stack_room > calls ? ir->stack_room - calls : 0;
    uint32_t breaks = 0;
    for (size_t i = 0; i < loops->count; i++) {
        uint32_t count = 0;
        for (const struct ir_loop *l = loops->list[i]; l != NULL; l = l->parent) count += l->breaks;
        if (count > breaks) breaks = count;
    }
    return room > breaks ? room - breaks : 0;
}

/* The regions open at a node, innermost first. */
struct open {
    uint32_t end, count;
    struct open *around;
};

static uint32_t count_open(struct open **list, uint32_t node) {
    while (*list != NULL && (*list)->end <= node) *list = (*list)->around;
    return *list != NULL ? (*list)->count : 0;
}

/* Opens each region that fits in the warp stack. Threads of a branch without a region reconverge at the end of the
 * region around it. */
static void open_regions(struct ir *ir, struct level *level, uint32_t room) {
    const uint32_t outside = level->loop != NULL ? level->loop->open : 0;
    struct open **at = CC_ARRAY(ir->cc, struct open *, level->node_count + 1);
    size_t r = 0;
    for (uint32_t n = 0; n < level->node_count; n++) {
        if (n > 0) at[n] = at[level->nodes[n].dominator];
        uint32_t open = count_open(&at[n], n);
        if (level->nodes[n].child != NULL) level->nodes[n].child->open = outside + open;
        for (; r < level->region_count && level->regions[r].start == n; r++) {
            if (outside + open >= room) continue;
            struct open *region = CC_NEW(ir->cc, struct open);
            *region = (struct open){level->regions[r].end, ++open, at[n]};
            at[n] = region;
            open_region(ir, level, &level->regions[r]);
        }
    }
}

static void check_room(const struct ir *ir) {
    if (cfg_stack_depth(ir) > IR_STACK_ROOM)
        cc_fail(ir->cc, ir->place, "loops and calls nest too deep for the warp stack");
}

static void open_breaks(struct ir *ir, struct ir_loop *loop) {
    struct ir_insn *pbk = ir_append(ir, loop->preheader, IR_PBK);
    pbk->place = loop->preheader->place;
    for (size_t i = 0; i < loop->exit_count; i++) {
        struct ir_block *b = loop->exits[i].block;
        const unsigned k = loop->exits[i].way;
        if (!is_exit(loop, b, k)) continue;
        b->breaks[k] = true;
        pbk->target = b->next[k];
    }
}

void cfg_reconverge(struct ir *ir) {
    struct cfg_loops loops = {0};
    struct level *levels;
    normalise(ir, &loops);
    do {
        cfg_order(ir);
        cfg_find_loops(ir, &loops);
        cfg_order(ir);
        find_preheaders(&loops);
        ir_find_live(ir);
        cfg_find_divergence(ir, &loops);
    } while (!analyse(ir, &loops, &levels));
    const size_t before = ir->block_count;
    const uint32_t room = room_for_regions(ir, &loops);
    for (size_t i = 0; i <= loops.count; i++) open_regions(ir, &levels[i], room);
    /* is_exit reads the loop of a block, so each new join gets the loop of its target. */
    for (size_t i = before; i < ir->block_count; i++) ir->blocks[i]->loop = ir->blocks[i]->next[0]->loop;
    for (size_t i = 0; i < loops.count; i++)
        if (loops.list[i]->breaks) open_breaks(ir, loops.list[i]);
    cfg_order(ir);
    cfg_find_loops(ir, &loops);
    cfg_order(ir);
    check_room(ir);
}
