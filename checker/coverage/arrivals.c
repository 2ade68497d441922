/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers: the order in which the warps of a block arrive, and the event that ends the barrier. */
#include "parts.h"

static struct block_watch *block_of(struct collector *c, const struct retire *r) {
    struct block_watch *blocks = &c->blocks[r->sm * BARRIER_BLOCKS], *empty = NULL;
    for (unsigned i = 0; i < BARRIER_BLOCKS; i++) {
        if (blocks[i].present && blocks[i].x == r->block_x && blocks[i].y == r->block_y) return &blocks[i];
        if (!blocks[i].present) empty = &blocks[i];
    }
    if (empty == NULL) empty = blocks; /* of blocks that ended with a barrier pending: dropped */
    *empty = (struct block_watch){.present = true, .x = r->block_x, .y = r->block_y, .last_id = -1};
    return empty;
}

static void note_order(struct collector *c, const struct barrier_watch *b) {
    enum barrier_order order = ORDER_MIXED;
    if (b->arrived == 1)
        order = ORDER_ALONE;
    else if (b->ascending)
        order = ORDER_ASCENDING;
    else if (b->descending)
        order = ORDER_DESCENDING;
    mark(c, c->space->barrier_orders + order);
}

static void clear(struct barrier_watch *b) { *b = (struct barrier_watch){.round = b->round + 1}; }

static void note_end(struct collector *c, struct block_watch *block, unsigned id) {
    struct barrier_watch *b = &block->barrier[id];
    note_order(c, b);
    mark(c, c->space->barrier_events + BARRIER_BY_ARRIVAL);
    if (b->arrived <= BARRIER_WARPS) mark(c, c->space->barrier_warps + b->arrived - 1);
    if (block->last_id == (int)id) mark(c, c->space->barrier_events + BARRIER_AGAIN);
    block->last_id = (int)id;
    clear(b);
}

static void arrive(struct barrier_watch *b, unsigned warp) {
    b->ascending = b->arrived == 0 || (b->ascending && warp > b->last_warp);
    b->descending = b->arrived == 0 || (b->descending && warp < b->last_warp);
    b->last_warp = warp;
    b->arrived++;
}

static bool another_pends(const struct block_watch *block, unsigned id) {
    for (unsigned i = 0; i < BARRIERS; i++)
        if (i != id && block->barrier[i].arrived > 0) return true;
    return false;
}

static void note_bar(struct collector *c, struct warp_watch *warp, const struct isa_insn *insn,
                     const struct retire *r) {
    struct block_watch *block = block_of(c, r);
    const unsigned id = insn->barrier % BARRIERS;
    struct barrier_watch *b = &block->barrier[id];
    mark(c, c->space->barrier_ids + 2 * id + insn->barrier_wait);
    arrive(b, r->warp);
    if (another_pends(block, id)) mark(c, c->space->barrier_events + BARRIER_TWO_IDS);
    warp->waiting = r->state == RETIRE_BARRIER;
    warp->barrier = id;
    warp->round = b->round;
    const bool all = insn->barrier_wait ? !warp->waiting : b->arrived + block->finished >= c->setting.block_warps;
    if (all) note_end(c, block, id);
}

/* Notes why a waiting warp continues: another one arrived, or one left. */
static void note_release(struct collector *c, struct warp_watch *warp, const struct retire *r) {
    struct barrier_watch *b = &block_of(c, r)->barrier[warp->barrier];
    warp->waiting = false;
    if (b->round != warp->round) return;
    mark(c, c->space->barrier_events + BARRIER_BY_EXIT);
    clear(b);
}

void note_arrival(struct collector *c, struct warp_watch *warp, const struct word *w, const struct retire *r) {
    if (warp->waiting) note_release(c, warp, r);
    if (w->insn.op == OP_BAR && r->trap == TRAP_NONE) note_bar(c, warp, &w->insn, r);
}

void note_finished(struct collector *c, const struct retire *r) {
    struct block_watch *block = block_of(c, r);
    if (++block->finished >= c->setting.block_warps) block->present = false;
}
