/* SPDX-License-Identifier: Apache-2.0 */
/* A machine that comes back to a state it was in: it goes on so for ever, as its own scheduling, which picks warps in
 * turn, is part of the state, and all else is: registers, stacks, barriers, memories, of global memory what was stored
 * at since (pages.h). Only the clock is not; who reads it has not been there before. Loops that store one value after
 * the other, and wait for each other, are found here; those of single warps, in any order of warps, by repeat.h, which
 * says how copies are made.
 *
 *     if (m->mode == MODE_OWN) m->hung = recur_look(m, warp);         // at branches back
 */
#ifndef WARPSTEP_RECUR_H
#define WARPSTEP_RECUR_H

#include "../core/warp.h"

struct recur;

/* True when the machine has been in this state, just as `warp` executes the same instruction. */
bool recur_look(struct model *m, const struct warp *warp);

/* Forgets all: a launch, the end. recur may be NULL. */
void recur_destroy(struct recur *recur);

#endif
