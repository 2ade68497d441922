/* SPDX-License-Identifier: Apache-2.0 */
/* The state before the last step, see keep.h. */
#include "keep.h"

#include <assert.h>
#include <stdlib.h>

static void keep_bytes(struct model *m, struct mem *mem, uint32_t addr, unsigned bytes) {
    struct kept *kept = m->grid.watch.kept;
    assert(kept->count < sizeof kept->stores / sizeof kept->stores[0]);
    const uint32_t mask = ((uint32_t)1 << bytes) - 1;
    const uint32_t defined = mem->defined != NULL ? mem->defined[addr / 32] >> addr % 32 & mask : mask;
    kept->stores[kept->count++] = (struct kept_bytes){mem, addr, mem_load(mem, addr, bytes), defined, bytes};
}

/* The warp leaves its block when the next step begins. */
static void keep_finish(struct model *m, struct warp *warp) {
    (void)warp;
    m->grid.watch.kept->finishing = true;
}

bool model_keep_steps(struct model *m) {
    struct watch *watch = &m->grid.watch;
    if (watch->kept == NULL) watch->kept = calloc(1, sizeof *watch->kept);
    if (watch->kept == NULL) return false;
    watch->overwrites = keep_bytes;
    watch->finished = keep_finish;
    return true;
}

void keep_reset(struct model *m) {
    struct kept *kept = m->grid.watch.kept;
    if (kept != NULL) memset(kept, 0, sizeof *kept);
}

void model_settle(struct model *m) {
    struct kept *kept = m->grid.watch.kept;
    if (kept == NULL || !kept->finishing) return;
    kept->finishing = false;
    sched_finish_warp(&m->grid, kept->warp);
}

void keep_warp(struct model *m, struct warp *warp) {
    struct kept *kept = m->grid.watch.kept;
    if (kept == NULL) return;
    kept->warp = warp;
    kept->file = warp->file;
    kept->depth = warp->stack.depth;
    kept->alive = warp->alive;
    kept->count = 0;
}

void keep_undo_stores(struct kept *kept) {
    while (kept->count > 0) {
        const struct kept_bytes *b = &kept->stores[--kept->count];
        const uint32_t mask = ((uint32_t)1 << b->bytes) - 1;
        mem_store(b->mem, b->addr, b->bytes, b->value);
        if (b->mem->defined != NULL) b->mem->defined[b->addr / 32] &= ~((mask & ~b->defined) << b->addr % 32);
    }
}
