/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks, their placement and their barriers, see sched.h. */
#include "sched.h"

#include <assert.h>
#include <stdlib.h>

#include "../../spec/memory.h"

static uint64_t bit64(unsigned i) { return (uint64_t)1 << i; }

bool sched_create(struct grid *grid, const struct machine *machine) {
    *grid = (struct grid){.machine = *machine};
    grid->sms = calloc(machine->sms, sizeof *grid->sms);
    if (grid->sms == NULL || machine->warps > SCHED_MAX_WARPS) return false;
    for (unsigned i = 0; i < machine->sms; i++) {
        struct sm *sm = &grid->sms[i];
        sm->warps = calloc(machine->warps, sizeof *sm->warps);
        sm->blocks = calloc(machine->blocks, sizeof *sm->blocks);
        if (sm->warps == NULL || sm->blocks == NULL) return false;
        for (unsigned slot = 0; slot < machine->warps; slot++) {
            sm->warps[slot].sm = (uint8_t)i;
            sm->warps[slot].slot = (uint8_t)slot;
            if (!stack_create(&sm->warps[slot].stack, machine->stack_depth)) return false;
        }
    }
    return true;
}

static void destroy_memories(struct grid *grid) {
    for (unsigned i = 0; i < grid->machine.sms; i++) {
        struct sm *sm = &grid->sms[i];
        for (unsigned slot = 0; sm->warps != NULL && slot < grid->machine.warps; slot++)
            for (unsigned lane = 0; lane < WARP_LANES; lane++) mem_destroy(&sm->warps[slot].local[lane]);
        for (unsigned b = 0; sm->blocks != NULL && b < grid->machine.blocks; b++) mem_destroy(&sm->blocks[b].shared);
    }
}

void sched_destroy(struct grid *grid) {
    if (grid->sms == NULL) return;
    destroy_memories(grid);
    for (unsigned i = 0; i < grid->machine.sms; i++) {
        struct sm *sm = &grid->sms[i];
        for (unsigned slot = 0; sm->warps != NULL && slot < grid->machine.warps; slot++)
            stack_destroy(&sm->warps[slot].stack);
        free(sm->warps);
        free(sm->blocks);
    }
    blockset_destroy(&grid->started);
    free(grid->sms);
    grid->sms = NULL;
}

static void take_shape(struct block_shape *shape, const struct image *image) {
    *shape = (struct block_shape){
        .grid_x = image->grid[0],
        .grid_y = image->grid[1],
        .dim = {image->block[0], image->block[1], image->block[2]},
        .threads = block_threads(image->block),
        .warps = block_warps(image->block),
        .regs = image->regs,
        .shared_bytes = image->shared_bytes,
        .local_bytes = image->local_bytes,
        .param_count = (unsigned)image->param_count,
    };
    shape->registers = shape->warps * WARP_LANES * shape->regs;
    if (image->param_count > 0) memcpy(shape->params, image->params, image->param_count * sizeof *image->params);
}

/* Placement clears the memories of blocks and warps. */
static bool size_memories(struct grid *grid) {
    for (unsigned i = 0; i < grid->machine.sms; i++) {
        struct sm *sm = &grid->sms[i];
        for (unsigned b = 0; b < grid->machine.blocks; b++)
            if (!mem_resize(&sm->blocks[b].shared, grid->shape.shared_bytes, true)) return false;
        for (unsigned slot = 0; slot < grid->machine.warps; slot++) {
            for (unsigned lane = 0; lane < WARP_LANES; lane++)
                if (!mem_resize(&sm->warps[slot].local[lane], grid->shape.local_bytes, true)) return false;
        }
    }
    return true;
}

bool sched_launch(struct grid *grid, const struct image *image) {
    assert(image->param_count <= sizeof grid->shape.params / sizeof grid->shape.params[0]);
    take_shape(&grid->shape, image);
    grid->blocks = (uint64_t)grid->shape.grid_x * grid->shape.grid_y;
    return size_memories(grid) && sched_clear(grid);
}

bool sched_clear(struct grid *grid) {
    for (unsigned i = 0; i < grid->machine.sms; i++) {
        struct sm *sm = &grid->sms[i];
        for (unsigned slot = 0; slot < grid->machine.warps; slot++) sm->warps[slot].block = NULL;
        for (unsigned b = 0; b < grid->machine.blocks; b++) sm->blocks[b].present = false;
        sm->ready = 0;
        sm->last = grid->machine.warps - 1;
        sm->used_warps = sm->used_threads = sm->used_registers = 0;
        sm->used_shared = 0;
        sm->trap = (struct model_trap){0};
    }
    grid->next_block = grid->finished_blocks = 0;
    grid->next_sm = 0;
    blockset_destroy(&grid->started);
    return blockset_create(&grid->started, grid->blocks);
}

static struct block *free_block(const struct grid *grid, unsigned sm) {
    for (unsigned b = 0; b < grid->machine.blocks; b++)
        if (!grid->sms[sm].blocks[b].present) return &grid->sms[sm].blocks[b];
    return NULL;
}

bool sched_has_room(const struct grid *grid, unsigned sm) {
    const struct sm *s = &grid->sms[sm];
    const struct block_shape *shape = &grid->shape;
    const struct machine *machine = &grid->machine;
    return free_block(grid, sm) != NULL && s->used_warps + shape->warps <= machine->warps &&
           s->used_threads + shape->threads <= machine->threads &&
           s->used_registers + shape->registers <= machine->registers &&
           s->used_shared + shape->shared_bytes <= machine->shared_bytes;
}

/* Source: docs/isa.md 2.2. */
static void fill_header(struct block *block, const struct block_shape *shape) {
    const uint32_t header[HEADER_BYTES / 2] = {
        [HEADER_BLOCK_X / 2] = shape->dim[0], [HEADER_BLOCK_Y / 2] = shape->dim[1],
        [HEADER_BLOCK_Z / 2] = shape->dim[2], [HEADER_GRID_X / 2] = shape->grid_x,
        [HEADER_GRID_Y / 2] = shape->grid_y,  [HEADER_INDEX_X / 2] = block->x,
        [HEADER_INDEX_Y / 2] = block->y,
    };
    mem_reset(&block->shared);
    for (unsigned i = 0; i < HEADER_BYTES / 2; i++) mem_store(&block->shared, 2 * i, 2, header[i]);
    for (unsigned i = 0; i < shape->param_count; i++)
        mem_store(&block->shared, HEADER_BYTES + 4 * i, 4, shape->params[i]);
}

struct block *sched_place_block(struct grid *grid, unsigned sm, uint16_t x, uint16_t y) {
    struct sm *s = &grid->sms[sm];
    struct block *block = free_block(grid, sm);
    assert(block != NULL);
    block->present = true;
    block->x = x;
    block->y = y;
    block->sm = (uint8_t)sm;
    block->unfinished = grid->shape.warps == SCHED_MAX_WARPS ? UINT64_MAX : bit64(grid->shape.warps) - 1;
    memset(block->arrived, 0, sizeof block->arrived);
    memset(block->warp, 0, sizeof block->warp);
    fill_header(block, &grid->shape);
    s->used_warps += grid->shape.warps;
    s->used_threads += grid->shape.threads;
    s->used_registers += grid->shape.registers;
    s->used_shared += grid->shape.shared_bytes;
    return block;
}

/* R0 at thread start: x | y << 16 | z << 26. Source: docs/isa.md 2.2. */
static void fill_r0(uint32_t r0[WARP_LANES], const struct block_shape *shape, unsigned first_thread) {
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint32_t id = first_thread + lane;
        const uint32_t x = id % shape->dim[0];
        const uint32_t y = id / shape->dim[0] % shape->dim[1];
        const uint32_t z = id / shape->dim[0] / shape->dim[1];
        r0[lane] = id < shape->threads ? x | y << 16 | z << 26 : 0;
    }
}

struct warp *sched_place_warp(struct grid *grid, struct block *block, unsigned index, unsigned slot) {
    struct sm *sm = &grid->sms[block->sm];
    struct warp *warp = &sm->warps[slot];
    const struct block_shape *shape = &grid->shape;
    const unsigned left = shape->threads - index * WARP_LANES;
    uint32_t r0[WARP_LANES];
    assert(warp->block == NULL && index < shape->warps);
    fill_r0(r0, shape, index * WARP_LANES);
    regfile_reset(&warp->file, shape->regs, r0);
    for (unsigned lane = 0; lane < WARP_LANES && shape->local_bytes > 0; lane++) mem_reset(&warp->local[lane]);
    warp->block = block;
    warp->index = (uint8_t)index;
    warp->state = RETIRE_READY;
    warp->barrier = 0;
    warp->pc = 0;
    warp->alive = left >= WARP_LANES ? LANES_ALL : ((uint32_t)1 << left) - 1;
    warp->active = warp->alive;
    warp->parked_call = warp->parked_break = 0;
    warp->stack.depth = 0;
    warp->steps = 0;
    warp->jumps = 0;
    warp->touched = warp->loaded = false;
    block->warp[index] = warp;
    sm->ready |= bit64(slot);
    if (grid->watch.placed != NULL) grid->watch.placed(grid, warp);
    return warp;
}

static void place_all_warps(struct grid *grid, struct block *block) {
    unsigned slot = 0;
    for (unsigned index = 0; index < grid->shape.warps; index++) {
        while (grid->sms[block->sm].warps[slot].block != NULL) slot++;
        sched_place_warp(grid, block, index, slot);
    }
}

static bool dispatch_block(struct grid *grid) {
    for (unsigned sm = 0; sm < grid->machine.sms && grid->next_block < grid->blocks; sm++) {
        if (sched_has_room(grid, sm)) {
            const uint16_t x = (uint16_t)(grid->next_block % grid->shape.grid_x);
            const uint16_t y = (uint16_t)(grid->next_block / grid->shape.grid_x);
            place_all_warps(grid, sched_place_block(grid, sm, x, y));
            grid->next_block++;
            return true;
        }
    }
    return false;
}

void sched_dispatch(struct grid *grid) {
    while (dispatch_block(grid)) {}
}

struct block *sched_find_block(const struct grid *grid, uint16_t x, uint16_t y) {
    for (unsigned sm = 0; sm < grid->machine.sms; sm++) {
        for (unsigned b = 0; b < grid->machine.blocks; b++) {
            struct block *block = &grid->sms[sm].blocks[b];
            if (block->present && block->x == x && block->y == y) return block;
        }
    }
    return NULL;
}

/* The first set bit after `last`, wrapping around. */
static unsigned next_bit(uint64_t mask, unsigned last) {
    const uint64_t above = last >= 63 ? 0 : mask & ~(bit64(last + 1) - 1);
    return (unsigned)__builtin_ctzll(above != 0 ? above : mask);
}

struct warp *sched_next_warp(struct grid *grid) {
    for (unsigned i = 0; i < grid->machine.sms; i++) {
        struct sm *sm = &grid->sms[grid->next_sm];
        grid->next_sm = grid->next_sm + 1 < grid->machine.sms ? grid->next_sm + 1 : 0;
        if (sm->ready != 0) {
            sm->last = next_bit(sm->ready, sm->last);
            return &sm->warps[sm->last];
        }
    }
    return NULL;
}

/* Releases barrier `id` once every unfinished warp of the block has arrived. Source: docs/isa.md 6.6. */
static void release_when_complete(struct grid *grid, struct block *block, unsigned id) {
    if ((block->unfinished & ~block->arrived[id]) != 0) return;
    block->arrived[id] = 0;
    for (unsigned i = 0; i < grid->shape.warps; i++) {
        struct warp *warp = block->warp[i];
        if (warp != NULL && warp->state == RETIRE_BARRIER && warp->barrier == id) {
            warp->state = RETIRE_READY;
            grid->sms[block->sm].ready |= bit64(warp->slot);
            if (grid->watch.left != NULL) grid->watch.left(grid, warp, id);
        }
    }
}

void sched_arrive(struct grid *grid, struct warp *warp, unsigned barrier, bool wait) {
    struct block *block = warp->block;
    const bool again = (block->arrived[barrier] & bit64(warp->index)) != 0;
    if (grid->watch.arrived != NULL && !again) grid->watch.arrived(grid, warp, barrier);
    block->arrived[barrier] |= bit64(warp->index);
    if (wait) {
        warp->state = RETIRE_BARRIER;
        warp->barrier = (uint8_t)barrier;
        grid->sms[warp->sm].ready &= ~bit64(warp->slot);
    }
    release_when_complete(grid, block, barrier);
}

static void remove_block(struct grid *grid, struct block *block) {
    struct sm *sm = &grid->sms[block->sm];
    for (unsigned i = 0; i < grid->shape.warps; i++) block->warp[i]->block = NULL;
    block->present = false;
    sm->used_warps -= grid->shape.warps;
    sm->used_threads -= grid->shape.threads;
    sm->used_registers -= grid->shape.registers;
    sm->used_shared -= grid->shape.shared_bytes;
    grid->finished_blocks++;
}

void sched_finish_warp(struct grid *grid, struct warp *warp) {
    struct block *block = warp->block;
    grid->sms[warp->sm].ready &= ~bit64(warp->slot);
    block->unfinished &= ~bit64(warp->index);
    if (block->unfinished == 0) {
        remove_block(grid, block);
        return;
    }
    for (unsigned id = 0; id < SCHED_BARRIERS; id++) {
        if (grid->watch.arrived != NULL) grid->watch.arrived(grid, warp, id);
        release_when_complete(grid, block, id);
    }
}
