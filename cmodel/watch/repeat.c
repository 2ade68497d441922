/* SPDX-License-Identifier: Apache-2.0 */
/* Loops without an end, see repeat.h. */
#include "repeat.h"

#include "../core/state.h"
#include "recur.h"

static struct repeat *repeat_of(const struct model *m, const struct warp *warp) {
    return &m->grid.sms[warp->sm].repeats[warp->slot];
}

static void copy(struct repeat *r, const struct model *m, const struct warp *w, uint32_t span) {
    *r = (struct repeat){.valid = w->stack.depth <= MODEL_SAVED_STACK,
                         .stores = m->stores,
                         .adopted = m->counts.adopted,
                         .span = span,
                         .pc = w->pc,
                         .active = w->active,
                         .alive = w->alive,
                         .parked_call = w->parked_call,
                         .parked_break = w->parked_break,
                         .depth = w->stack.depth,
                         .file = w->file};
    if (r->valid) memcpy(r->stack, w->stack.entries, r->depth * sizeof *r->stack);
}

static bool is_same(const struct repeat *r, const struct warp *w) {
    return r->pc == w->pc && r->active == w->active && r->alive == w->alive && r->parked_call == w->parked_call &&
           r->parked_break == w->parked_break && r->depth == w->stack.depth &&
           memcmp(r->stack, w->stack.entries, r->depth * sizeof *r->stack) == 0 &&
           memcmp(r->file.reg, w->file.reg, w->file.count * sizeof *w->file.reg) == 0 &&
           memcmp(r->file.areg, w->file.areg, sizeof w->file.areg) == 0 &&
           memcmp(r->file.creg, w->file.creg, sizeof w->file.creg) == 0;
}

/* What the copy says no longer counts. */
static bool is_stale(const struct repeat *r, const struct model *m, const struct warp *w) {
    return w->touched || (w->loaded && r->stores != m->stores) || r->adopted != m->counts.adopted;
}

bool repeat_holds(const struct model *m, const struct warp *w) {
    const struct repeat *r = repeat_of(m, w);
    return r->valid && r->found && !is_stale(r, m, w);
}

/* Nothing will change any more: whoever is ready repeats itself, and nobody else can come. */
static bool is_hung(const struct model *m) {
    const struct grid *grid = &m->grid;
    uint64_t placed = grid->finished_blocks;
    bool room = false;
    for (unsigned i = 0; i < grid->machine.sms; i++) {
        room = room || sched_has_room(grid, i);
        for (unsigned b = 0; b < grid->machine.blocks; b++) {
            const struct block *block = &grid->sms[i].blocks[b];
            placed += block->present;
            for (unsigned n = 0; block->present && n < grid->shape.warps; n++) {
                const struct warp *w = block->warp[n];
                if (w == NULL || (w->state == RETIRE_READY && !repeat_holds(m, w))) return false;
            }
        }
    }
    return placed == grid->blocks || !room;
}

static void look_at_warp(struct model *m, struct warp *w) {
    struct repeat *r = repeat_of(m, w);
    if (!r->valid || is_stale(r, m, w)) {
        const bool quiet = !w->touched;
        w->touched = w->loaded = false;
        if (quiet) copy(r, m, w, 1);
        r->valid = r->valid && quiet; /* who stores is not copied again and again */
        return;
    }
    r->found = is_same(r, w);
    if (r->found) {
        m->hung = is_hung(m);
    } else if (++r->age == r->span) {
        w->loaded = false;
        copy(r, m, w, 2 * r->span);
    }
}

void model_forget_loops(struct model *m) {
    const struct machine *machine = &m->grid.machine;
    m->hung = false;
    for (unsigned sm = 0; sm < machine->sms; sm++)
        for (unsigned slot = 0; slot < machine->warps; slot++) m->grid.sms[sm].repeats[slot].valid = false;
}

void repeat_look(struct model *m, struct warp *w) {
    look_at_warp(m, w);
    if (m->mode == MODE_OWN && !m->hung) m->hung = recur_look(m, w);
}
