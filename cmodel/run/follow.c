/* SPDX-License-Identifier: Apache-2.0 */
/* Stepping in lockstep: finds or places the warp that a record names, and refuses impossible records. */
#include <stdarg.h>
#include <stdio.h>

#include "../core/execute.h"
#include "../watch/keep.h"

static enum model_result refuse(struct model *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

static enum model_result refuse(struct model *m, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(m->why, sizeof m->why, format, args);
    va_end(args);
    return MODEL_REFUSED;
}

/* Checks that the names of a record are within the machine and the grid. */
static enum model_result check_names(struct model *m, const struct retire *rtl) {
    const struct block_shape *shape = &m->grid.shape;
    const struct machine *machine = &m->grid.machine;
    if (rtl->sm >= machine->sms) return refuse(m, "sm %u: the machine has %u", (unsigned)rtl->sm, machine->sms);
    if (rtl->slot >= machine->warps) return refuse(m, "warp slot %u: an sm has %u", rtl->slot, machine->warps);
    if (rtl->block_x >= shape->grid_x || rtl->block_y >= shape->grid_y) {
        return refuse(m, "block (%u,%u) is outside the grid of %u x %u", rtl->block_x, rtl->block_y, shape->grid_x,
                      shape->grid_y);
    }
    if (rtl->warp >= shape->warps) {
        return refuse(m, "warp %u of block (%u,%u): a block has %u", rtl->warp, rtl->block_x, rtl->block_y,
                      shape->warps);
    }
    return MODEL_RETIRED;
}

static enum model_result check_slot(struct model *m, const struct retire *rtl) {
    const struct warp *other = &m->grid.sms[rtl->sm].warps[rtl->slot];
    if (other->block != NULL) {
        return refuse(m, "sm %u slot %u is taken by warp %u of block (%u,%u)", (unsigned)rtl->sm, rtl->slot,
                      other->index, other->block->x, other->block->y);
    }
    return MODEL_RETIRED;
}

/* Checks that a block that is not resident is new and fits. */
static enum model_result check_new_block(struct model *m, const struct retire *rtl) {
    const uint64_t number = (uint64_t)rtl->block_y * m->grid.shape.grid_x + rtl->block_x;
    if (blockset_has(&m->grid.started, number))
        return refuse(m, "block (%u,%u) has finished before, it cannot run twice", rtl->block_x, rtl->block_y);
    if (!sched_has_room(&m->grid, (unsigned)rtl->sm)) {
        return refuse(m, "block (%u,%u) does not fit on sm %u beside the blocks that are there", rtl->block_x,
                      rtl->block_y, (unsigned)rtl->sm);
    }
    return check_slot(m, rtl);
}

static enum model_result check_resident_block(struct model *m, const struct retire *rtl, const struct block *block) {
    const struct warp *warp = block->warp[rtl->warp];
    if (block->sm != rtl->sm)
        return refuse(m, "block (%u,%u) is on sm %u, not on sm %u", block->x, block->y, block->sm, (unsigned)rtl->sm);
    if (warp == NULL) return check_slot(m, rtl);
    if (warp->slot != rtl->slot) {
        return refuse(m, "warp %u of block (%u,%u) is in slot %u, not in slot %u", warp->index, block->x, block->y,
                      warp->slot, rtl->slot);
    }
    if (warp->state == RETIRE_BARRIER) {
        return refuse(m, "warp %u of block (%u,%u) waits at barrier %u", warp->index, block->x, block->y,
                      warp->barrier);
    }
    if (warp->state == RETIRE_FINISHED)
        return refuse(m, "warp %u of block (%u,%u) has finished", warp->index, block->x, block->y);
    return MODEL_RETIRED;
}

/* Before the first step, own scheduling has placed blocks so that state can be inspected; removes them, because the RTL
 * places them. */
static enum model_result start_following(struct model *m) {
    if (m->mode == MODE_OWN) return refuse(m, "the model has been scheduling by itself");
    if (m->mode == MODE_OPEN && !sched_clear(&m->grid)) return refuse(m, "out of memory");
    m->mode = MODE_FOLLOW;
    return MODEL_RETIRED;
}

enum model_result model_step_follow(struct model *m, const struct retire *rtl, struct retire *out) {
    model_settle(m);
    if (start_following(m) == MODEL_REFUSED || check_names(m, rtl) == MODEL_REFUSED) return MODEL_REFUSED;
    if (m->grid.sms[rtl->sm].trap.code != TRAP_NONE) {
        refuse(m, "sm %u was stopped by a trap", (unsigned)rtl->sm);
        return MODEL_TRAPPED;
    }
    struct block *block = sched_find_block(&m->grid, (uint16_t)rtl->block_x, (uint16_t)rtl->block_y);
    const enum model_result possible = block == NULL ? check_new_block(m, rtl) : check_resident_block(m, rtl, block);
    if (possible == MODEL_REFUSED) return possible;
    if (block == NULL) {
        if (!blockset_add(&m->grid.started, (uint64_t)rtl->block_y * m->grid.shape.grid_x + rtl->block_x))
            return refuse(m, "out of memory");
        block = sched_place_block(&m->grid, (unsigned)rtl->sm, (uint16_t)rtl->block_x, (uint16_t)rtl->block_y);
    }
    struct warp *warp = block->warp[rtl->warp];
    if (warp == NULL) warp = sched_place_warp(&m->grid, block, rtl->warp, rtl->slot);
    keep_warp(m, warp);
    step_best(m)(m, warp, rtl, out);
    return MODEL_RETIRED;
}
