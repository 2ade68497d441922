/* SPDX-License-Identifier: Apache-2.0 */
/* See warp_loop.h. */
#include "warp_loop.h"

static void copy(struct warp_loop *r, const struct model *m, const struct warp *w, uint64_t stores, uint32_t span) {
    *r = (struct warp_loop){.valid = w->stack.depth <= MODEL_SAVED_STACK,
                            .stores = stores,
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

static bool is_same(const struct warp_loop *r, const struct warp *w) {
    return r->pc == w->pc && r->active == w->active && r->alive == w->alive && r->parked_call == w->parked_call &&
           r->parked_break == w->parked_break && r->depth == w->stack.depth &&
           memcmp(r->stack, w->stack.entries, r->depth * sizeof *r->stack) == 0 &&
           memcmp(r->file.reg, w->file.reg, w->file.count * sizeof *w->file.reg) == 0 &&
           memcmp(r->file.areg, w->file.areg, sizeof w->file.areg) == 0 &&
           memcmp(r->file.creg, w->file.creg, sizeof w->file.creg) == 0;
}

/* True if the copy is no longer valid. */
static bool is_stale(const struct warp_loop *r, const struct model *m, const struct warp *w, uint64_t stores) {
    return w->touched || (w->loaded && r->stores != stores) || r->adopted != m->counts.adopted;
}

bool warp_loop_holds(const struct warp_loop *r, const struct model *m, const struct warp *w, uint64_t stores) {
    return r->valid && r->found && !is_stale(r, m, w, stores);
}

void warp_loop_look(struct warp_loop *r, const struct model *m, struct warp *w, uint64_t stores) {
    if (!r->valid || is_stale(r, m, w, stores)) {
        const bool quiet = !w->touched;
        w->touched = w->loaded = false;
        if (quiet) copy(r, m, w, stores, 1);
        r->valid = r->valid && quiet; /* a warp that stores is not copied again and again */
        return;
    }
    r->found = is_same(r, w);
    if (!r->found && ++r->age == r->span) {
        w->loaded = false;
        copy(r, m, w, stores, 2 * r->span);
    }
}
