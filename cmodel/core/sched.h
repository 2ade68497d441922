/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks and the multiprocessors that they run on: residency, placement, barriers, and the choice of the next warp.
 *
 *     sched_dispatch(g);                                  // own scheduling: place blocks as long as one fits
 *     struct warp *w = sched_next_warp(g);                // round robin over the SMs and their ready warps
 */
#ifndef WARPSTEP_SCHED_H
#define WARPSTEP_SCHED_H

#include "../../assembler/image/image.h"
#include "../machine.h"
#include "blockset.h"
#include "warp.h"
#include "watch.h"

enum { SCHED_MAX_WARPS = 64, SCHED_BARRIERS = 16 };

/* A block that is resident on an SM. Warp masks have bit i for warp i of the block. */
struct block {
    bool present;
    uint16_t x, y;
    uint8_t sm;
    uint64_t unfinished;
    uint64_t arrived[SCHED_BARRIERS];   /* warps that have arrived at each barrier since its last release */
    struct warp *warp[SCHED_MAX_WARPS]; /* NULL: slot not known yet */
    struct mem shared;
};

struct sm {
    struct warp *warps;   /* machine.warps slots */
    struct block *blocks; /* machine.blocks slots */
    uint64_t ready;       /* warp slots that can run */
    unsigned last;        /* slot that ran last */
    unsigned used_warps, used_threads, used_registers;
    uint32_t used_shared;
    struct model_trap trap; /* trap that stopped this SM; code TRAP_NONE: none */
};

/* Resources of one block of the launch, and the shape of the grid. */
struct block_shape {
    uint32_t grid_x, grid_y;
    uint32_t dim[3];
    unsigned threads, warps, regs, registers; /* registers: of all its warps, 32 lanes each */
    uint32_t shared_bytes, local_bytes;
    uint32_t params[64];
    unsigned param_count;
};

struct grid {
    struct machine machine;
    struct block_shape shape;
    struct sm *sms;
    uint64_t blocks;     /* in the grid */
    uint64_t next_block; /* own scheduling: the first unplaced block */
    uint64_t finished_blocks;
    struct blockset started; /* lockstep: the blocks that were placed */
    unsigned next_sm;        /* own scheduling: the SM whose turn it is */
    struct watch watch;
};

bool sched_create(struct grid *grid, const struct machine *machine); /* false if out of memory */
void sched_destroy(struct grid *grid);

/* Takes the shape of an image that fits the machine and empties all SMs; false if out of memory. */
bool sched_launch(struct grid *grid, const struct image *image);

/* Removes every block from its SM: the grid has not started. False if out of memory. */
bool sched_clear(struct grid *grid);

/* True if SM `sm` has room for one more block. */
bool sched_has_room(const struct grid *grid, unsigned sm);

/* Places block (x, y) on an SM that has room, with its header and parameters in shared memory, and none of its warps in
 * a slot yet. */
struct block *sched_place_block(struct grid *grid, unsigned sm, uint16_t x, uint16_t y);

/* Puts warp `index` of a block into a free slot. */
struct warp *sched_place_warp(struct grid *grid, struct block *block, unsigned index, unsigned slot);

/* Own scheduling: places the next blocks of the grid while one fits, each on the first SM with room, its warps in the
 * lowest free slots. */
void sched_dispatch(struct grid *grid);

/* The resident block (x, y), or NULL. */
struct block *sched_find_block(const struct grid *grid, uint16_t x, uint16_t y);

/* The warp that runs next under the model's own scheduling, NULL if none can run. */
struct warp *sched_next_warp(struct grid *grid);

/* A warp arrives at a barrier, and waits there if told to. The last warp to arrive releases all. */
void sched_arrive(struct grid *grid, struct warp *warp, unsigned barrier, bool wait);

/* A warp has finished: barriers no longer wait for it. The last warp of a block frees the block's slot. */
void sched_finish_warp(struct grid *grid, struct warp *warp);

static inline bool sched_is_done(const struct grid *grid) { return grid->finished_blocks == grid->blocks; }

#endif
