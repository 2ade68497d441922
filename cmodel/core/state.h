/* SPDX-License-Identifier: Apache-2.0 */
/* The model as a whole: code, memories, grid, counters. Internal to the model; its users include model.h. */
#ifndef WARPSTEP_STATE_H
#define WARPSTEP_STATE_H

#include "decoded.h"
#include "mem.h"
#include "sched.h"

enum model_mode { MODE_OPEN, MODE_OWN, MODE_FOLLOW }; /* the side that picks the next warp; OPEN until the first step */

/* Places of undefined reads, one entry a pc. */
struct undefined_log {
    uint32_t *seen;                  /* one bit a code word */
    struct model_undefined *entries; /* room for one a code word */
    size_t count;
};

struct model {
    struct code code;
    struct grid grid;
    struct mem global;
    struct mem bank[IMAGE_CONST_BANKS];
    struct model_counts counts;
    struct undefined_log undefined;
    struct model_trap trap;
    enum model_mode mode;
    uint64_t clock_reads;
    bool hung; /* all remaining warps loop for ever */
    char why[256];
};

#endif
