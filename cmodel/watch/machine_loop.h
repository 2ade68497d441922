/* SPDX-License-Identifier: Apache-2.0 */
/* A machine that comes back to a state it was in: it goes on so for ever, as its own scheduling, which picks warps in
 * turn, is part of the state, and all else is: registers, stacks, barriers, memories. Only the clock is not; a machine
 * that reads it has not been there before. Copies are made as in warp_loop.h. */
#ifndef WARPSTEP_MACHINE_LOOP_H
#define WARPSTEP_MACHINE_LOOP_H

#include "../core/state.h"

struct machine_loop;

/* True when the machine has been in this state, just as `warp` executes the same instruction. *loop is NULL before the
 * first look. */
bool machine_loop_look(struct machine_loop **loop, const struct model *m, const struct warp *warp);

void machine_loop_destroy(struct machine_loop *loop); /* may be NULL */

#endif
