/* SPDX-License-Identifier: Apache-2.0 */
#include "sim.h"

const char *const sim_stall_names[SIM_STALL_CAUSES] = {
    "issued",     /* a beat of an instruction was issued */
    "dependency", /* the next instruction waits for a result that is still in the pipeline */
    "memory",     /* the pipeline waits for memory, or every warp that could go on waits for a load */
    "barrier",    /* warps wait at a barrier and no other can issue */
    "branch",     /* warps wait for the branch unit to say where they go */
    "fetch",      /* warps wait for their next word */
    "dispatch",   /* no warp runs: a block is being started */
    "idle",       /* no warp is left */
};
