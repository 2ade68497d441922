/* SPDX-License-Identifier: Apache-2.0 */
/* The model as a whole: code, memories, grid, counters. Internal to the model; its users see model.h. */
#ifndef WARPSTEP_STATE_H
#define WARPSTEP_STATE_H

#include "decoded.h"
#include "mem.h"
#include "sched.h"

enum model_mode { MODE_OPEN, MODE_OWN, MODE_FOLLOW }; /* who picks the next warp; OPEN until the first step */

/* Where undefined values were read, once per pc. */
struct undefined_log {
    uint32_t *seen;                  /* one bit a code word */
    struct model_undefined *entries; /* room for one a code word */
    size_t count;
};

struct kept;
struct recur;

struct model {
    struct code code;
    struct grid grid;
    struct mem global;
    struct mem bank[IMAGE_CONST_BANKS];
    struct model_counts counts;
    struct undefined_log undefined;
    struct model_trap trap;
    enum model_mode mode;
    uint64_t stores; /* instructions that have changed memory, for repeat.h */
    uint64_t clock_reads;
    bool hung;           /* the warps that are left repeat themselves */
    struct recur *recur; /* recur.h; NULL: nobody has looked yet */
    struct kept *kept;   /* keep.h; NULL: steps are not kept */
    char why[256];
};

#endif
