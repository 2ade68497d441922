/* SPDX-License-Identifier: Apache-2.0 */
/* See machine_loop.h. */
#include "machine_loop.h"

#include <stdlib.h>

struct machine_loop {
    uint8_t *bytes; /* a copy of the state, in the order of visit_machine */
    size_t size, room, at;
    bool saves;         /* the state is being copied, otherwise compared */
    uint32_t age, span; /* comparisons since the last copy, and until the next one */
};

/* Copies a piece of the state, or compares it with that of the copy. False if it differs, or if out of memory. */
static bool piece(struct machine_loop *r, const void *bytes, size_t size) {
    if (!r->saves) {
        const bool same = r->at + size <= r->size && memcmp(r->bytes + r->at, bytes, size) == 0;
        r->at += size;
        return same;
    }
    if (r->room - r->size < size) {
        const size_t room = 2 * r->room + size;
        uint8_t *more = realloc(r->bytes, room);
        if (more == NULL) return false;
        r->bytes = more;
        r->room = room;
    }
    memcpy(r->bytes + r->size, bytes, size);
    r->size += size;
    return true;
}

#define PIECE(r, member) piece(r, &(member), sizeof(member))

static bool visit_memory(struct machine_loop *r, const struct mem *mem) {
    return piece(r, mem->bytes, mem->size) &&
           (mem->defined == NULL || piece(r, mem->defined, (mem->size + 31) / 32 * sizeof *mem->defined));
}

/* The state that differs in most loops comes first. */
static bool visit_warp(struct machine_loop *r, const struct warp *w) {
    return PIECE(r, w->pc) && PIECE(r, w->active) && piece(r, w->file.reg, w->file.count * sizeof *w->file.reg) &&
           PIECE(r, w->state) && PIECE(r, w->index) && PIECE(r, w->barrier) && PIECE(r, w->alive) &&
           PIECE(r, w->parked_call) && PIECE(r, w->parked_break) && PIECE(r, w->stack.depth) &&
           piece(r, w->stack.entries, w->stack.depth * sizeof *w->stack.entries) && PIECE(r, w->file.half_defined) &&
           PIECE(r, w->file.areg) && PIECE(r, w->file.areg_defined) && PIECE(r, w->file.creg) &&
           PIECE(r, w->file.creg_defined);
}

static bool visit_block(struct machine_loop *r, const struct block *b) {
    return PIECE(r, b->x) && PIECE(r, b->y) && PIECE(r, b->unfinished) && PIECE(r, b->arrived) && PIECE(r, b->warp);
}

static bool visit_sm(struct machine_loop *r, const struct grid *grid, const struct sm *sm) {
    bool same = PIECE(r, sm->ready) && PIECE(r, sm->last);
    for (unsigned b = 0; same && b < grid->machine.blocks; b++)
        same = PIECE(r, sm->blocks[b].present) && (!sm->blocks[b].present || visit_block(r, &sm->blocks[b]));
    for (unsigned i = 0; same && i < grid->machine.warps; i++) {
        const struct warp *w = &sm->warps[i];
        const ptrdiff_t block = w->block != NULL ? w->block - sm->blocks : -1;
        same = PIECE(r, block) && (w->block == NULL || visit_warp(r, w));
    }
    return same;
}

static bool visit_memories(struct machine_loop *r, const struct grid *grid, const struct sm *sm) {
    bool same = true;
    for (unsigned b = 0; same && b < grid->machine.blocks; b++)
        if (sm->blocks[b].present) same = visit_memory(r, &sm->blocks[b].shared);
    for (unsigned i = 0; same && i < grid->machine.warps && grid->shape.local_bytes > 0; i++)
        for (unsigned lane = 0; same && sm->warps[i].block != NULL && lane < WARP_LANES; lane++)
            same = visit_memory(r, &sm->warps[i].local[lane]);
    return same;
}

static bool visit_machine(struct machine_loop *r, const struct model *m, const struct warp *now) {
    const struct grid *grid = &m->grid;
    bool same = PIECE(r, now->sm) && PIECE(r, now->slot) && visit_warp(r, now) && PIECE(r, m->clock_reads) &&
                PIECE(r, grid->next_block) && PIECE(r, grid->finished_blocks) && PIECE(r, grid->next_sm);
    for (unsigned i = 0; same && i < grid->machine.sms; i++) same = visit_sm(r, grid, &grid->sms[i]);
    for (unsigned i = 0; same && i < grid->machine.sms; i++) same = visit_memories(r, grid, &grid->sms[i]);
    return same && (r->saves || pages_unchanged(m->global.pages, m->global.bytes));
}

static void save(struct machine_loop *r, const struct model *m, const struct warp *now, uint32_t span) {
    r->saves = true;
    r->size = 0;
    if (!visit_machine(r, m, now)) r->size = 0;
    pages_keep(m->global.pages);
    r->age = 0;
    r->span = span;
}

bool machine_loop_look(struct machine_loop **loop, const struct model *m, const struct warp *now) {
    struct machine_loop *r = *loop;
    if (r == NULL) {
        r = *loop = calloc(1, sizeof *r);
        if (r != NULL) save(r, m, now, 1);
        return false;
    }
    r->saves = false;
    r->at = 0;
    if (r->size > 0 && visit_machine(r, m, now) && r->at == r->size) return true;
    if (++r->age == r->span) save(r, m, now, 2 * r->span);
    return false;
}

void machine_loop_destroy(struct machine_loop *loop) {
    if (loop == NULL) return;
    free(loop->bytes);
    free(loop);
}
