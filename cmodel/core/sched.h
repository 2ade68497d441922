/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks and the multiprocessors they run on: what fits, who is placed where, who waits at which barrier, who runs
 * next.
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

enum { SCHED_MAX_WARPS = 64, SCHED_BARRIERS = 16 };

/* A block that is resident on an SM. Warp masks have bit i for warp i of the block. */
struct block {
    bool present;
    uint16_t x, y;
    uint8_t sm;
    uint64_t unfinished;
    uint64_t arrived[SCHED_BARRIERS];   /* at each barrier, since it last released */
    struct warp *warp[SCHED_MAX_WARPS]; /* NULL: its slot is not known yet */
    struct mem shared;
};

struct racecheck;

struct sm {
    struct warp *warps;     /* machine.warps slots */
    struct block *blocks;   /* machine.blocks slots */
    struct repeat *repeats; /* of each warp slot */
    uint64_t ready;         /* warp slots that can run */
    unsigned last;          /* slot that ran last */
    unsigned used_warps, used_threads, used_registers;
    uint32_t used_shared;
    struct model_trap trap; /* what stopped this SM; code TRAP_NONE: nothing */
};

/* What one block of the launch needs, and the shape of the grid. */
struct block_shape {
    uint32_t grid_x, grid_y;
    uint32_t dim[3];
    unsigned threads, warps, regs, registers; /* registers: of all its warps, each of 32 lanes whether used or not */
    uint32_t shared_bytes, local_bytes;
    uint32_t params[64];
    unsigned param_count;
};

struct grid {
    struct machine machine;
    struct block_shape shape;
    struct sm *sms;
    uint64_t blocks;     /* in the grid */
    uint64_t next_block; /* own scheduling: the first block that was not placed */
    uint64_t finished_blocks;
    struct blockset started;     /* following: the blocks that were placed */
    unsigned next_sm;            /* own scheduling: whose turn it is */
    struct racecheck *racecheck; /* racecheck.h; NULL: nobody asks for races */
};

bool sched_create(struct grid *grid, const struct machine *machine); /* false when memory is out */
void sched_destroy(struct grid *grid);

/* Takes the shape of an image that fits the machine and empties all SMs; false when memory is out. */
bool sched_launch(struct grid *grid, const struct image *image);

/* Takes every block off its SM again: the grid has not started. False when memory is out. */
bool sched_clear(struct grid *grid);

/* True when SM `sm` has room for one more block. */
bool sched_has_room(const struct grid *grid, unsigned sm);

/* Places block (x, y) on an SM that has room, its shared memory filled with header and parameters, none of its warps
 * in a slot. */
struct block *sched_place_block(struct grid *grid, unsigned sm, uint16_t x, uint16_t y);

/* Puts warp `index` of a block into a free slot. */
struct warp *sched_place_warp(struct grid *grid, struct block *block, unsigned index, unsigned slot);

/* Own scheduling: places the next blocks of the grid as long as one fits, each on the first SM with room, its warps in
 * the lowest free slots. */
void sched_dispatch(struct grid *grid);

/* The resident block (x, y), or NULL. */
struct block *sched_find_block(const struct grid *grid, uint16_t x, uint16_t y);

/* The warp that runs next by the model's own scheduling, NULL when none can. */
struct warp *sched_next_warp(struct grid *grid);

/* A warp has arrived at a barrier and waits there, or only arrives. The last arriver releases all. */
void sched_arrive(struct grid *grid, struct warp *warp, unsigned barrier, bool wait);

/* A warp has finished: barriers no longer wait for it, and with its last warp the block leaves. */
void sched_finish_warp(struct grid *grid, struct warp *warp);

static inline bool sched_is_done(const struct grid *grid) { return grid->finished_blocks == grid->blocks; }

#endif
