/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a kernel that takes long, by the model alone, which is a thousand times as fast as an RTL.
 *
 * The RTL may run the warps in any order. So what the model finds in its own order counts only if no other order can
 * change it: if no two warps race (cmodel/watch/racecheck.h) and no instruction shows order or place, then each warp
 * executes the same instructions with the same results in every order. */
#ifndef WARPSTEP_OUTLOOK_H
#define WARPSTEP_OUTLOOK_H

#include "state.h"

struct outlook {
    enum {
        OUTLOOK_OPEN,
        OUTLOOK_UNKNOWN, /* the model alone has not ended, and has run long enough */
        OUTLOOK_ORDER,   /* the model alone does not end, or not soon; another order may */
        OUTLOOK_LATE,    /* no order ends within max_cycles */
        OUTLOOK_REPEATS  /* no order ends: the state repeats */
    } is;
    uint64_t steps; /* warp instructions until this was known */
    char loop[200]; /* the loop that ran most often, and how often */
};

/* Looks ahead from this cycle. OPEN, too, if the options do not ask for it, with several SMs, behind another launch,
 * for kernels that read undefined values or the clock, or if the model takes the RTL's side anywhere. */
struct outlook outlook_of(const struct lockstep *l, uint64_t cycle);

#endif
