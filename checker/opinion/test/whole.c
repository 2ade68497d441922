/* SPDX-License-Identifier: Apache-2.0 */
#include "whole.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../../../cmodel/core/state.h"

struct copy {
    uint8_t *bytes;
    size_t size, room;
};

static void add(struct copy *c, const void *from, size_t size) {
    while (c->size + size > c->room) {
        c->room = c->room == 0 ? 1 << 16 : 2 * c->room;
        c->bytes = realloc(c->bytes, c->room);
        assert_non_null(c->bytes);
    }
    if (size > 0) memcpy(c->bytes + c->size, from, size);
    c->size += size;
}

static void add_memory(struct copy *c, const struct mem *mem) {
    add(c, mem->bytes, mem->size);
    if (mem->defined != NULL) add(c, mem->defined, (mem->size + 31) / 32 * sizeof *mem->defined);
}

static void add_warp(struct copy *c, const struct warp *warp) {
    add(c, warp, sizeof *warp);
    if (warp->block == NULL) return;
    add(c, warp->stack.entries, warp->stack.depth * sizeof *warp->stack.entries);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) add_memory(c, &warp->local[lane]);
}

static void add_sm(struct copy *c, const struct sm *sm, const struct machine *machine) {
    add(c, sm, sizeof *sm);
    for (unsigned slot = 0; slot < machine->warps; slot++) add_warp(c, &sm->warps[slot]);
    for (unsigned block = 0; block < machine->blocks; block++) {
        add(c, &sm->blocks[block], sizeof sm->blocks[block]);
        if (sm->blocks[block].present) add_memory(c, &sm->blocks[block].shared);
    }
}

uint8_t *whole_copy(const struct model *m, size_t *size) {
    struct copy c = {0};
    add(&c, m, sizeof *m);
    add_memory(&c, &m->global);
    for (unsigned bank = 0; bank < IMAGE_CONST_BANKS; bank++) add_memory(&c, &m->bank[bank]);
    add(&c, m->undefined.entries, m->undefined.count * sizeof *m->undefined.entries);
    for (unsigned sm = 0; sm < m->grid.machine.sms; sm++) add_sm(&c, &m->grid.sms[sm], &m->grid.machine);
    *size = c.size;
    return c.bytes;
}

void whole_expect(const struct model *m, uint8_t *before, size_t size, const char *what) {
    size_t now_size = 0;
    uint8_t *now = whole_copy(m, &now_size);
    if (now_size != size || memcmp(before, now, size) != 0) fail_msg("%s changes the model's state", what);
    free(before);
    free(now);
}
