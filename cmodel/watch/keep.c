/* SPDX-License-Identifier: Apache-2.0 */
/* The state before the last step, see keep.h. */
#include "keep.h"

#include <assert.h>
#include <stdlib.h>

bool model_keep_steps(struct model *m) {
    if (m->kept == NULL) m->kept = calloc(1, sizeof *m->kept);
    return m->kept != NULL;
}

void model_settle(struct model *m) {
    if (m->kept == NULL || !m->kept->finishing) return;
    m->kept->finishing = false;
    sched_finish_warp(&m->grid, m->kept->warp);
}

void keep_warp(struct model *m, struct warp *warp) {
    struct kept *kept = m->kept;
    if (kept == NULL) return;
    kept->warp = warp;
    kept->file = warp->file;
    kept->depth = warp->stack.depth;
    kept->alive = warp->alive;
    kept->count = 0;
}

void keep_bytes(struct model *m, struct mem *mem, uint32_t addr, unsigned bytes) {
    struct kept *kept = m->kept;
    assert(kept->count < sizeof kept->stores / sizeof kept->stores[0]);
    const uint32_t mask = ((uint32_t)1 << bytes) - 1;
    const uint32_t defined = mem->defined != NULL ? mem->defined[addr / 32] >> addr % 32 & mask : mask;
    kept->stores[kept->count++] = (struct kept_bytes){mem, addr, mem_load(mem, addr, bytes), defined, bytes};
}

void keep_undo_stores(struct kept *kept) {
    while (kept->count > 0) {
        const struct kept_bytes *b = &kept->stores[--kept->count];
        const uint32_t mask = ((uint32_t)1 << b->bytes) - 1;
        mem_store(b->mem, b->addr, b->bytes, b->value);
        if (b->mem->defined != NULL) b->mem->defined[b->addr / 32] &= ~((mask & ~b->defined) << b->addr % 32);
    }
}

void keep_finish(struct model *m, struct warp *warp) {
    if (m->kept != NULL)
        m->kept->finishing = true;
    else
        sched_finish_warp(&m->grid, warp);
}
