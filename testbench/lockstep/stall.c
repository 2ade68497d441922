/* SPDX-License-Identifier: Apache-2.0 */
#include "sim.h"

const char *const sim_stall_names[SIM_STALL_CAUSES] = {
    "issued",     /* a row of an instruction was issued */
    "idle",       /* no warp is resident: nothing dispatched yet, or nothing left */
    "barrier",    /* every warp that is left waits at a barrier */
    "dependency", /* no warp whose operands are ready: results still in the pipeline */
    "memory",     /* ... results of a load from global memory, or the memory port is busy */
    "fetch",      /* ... instruction words not there yet */
    "replay",     /* the issue slot is taken by bank conflicts or further segments of an access */
    "other",
};
