/* SPDX-License-Identifier: Apache-2.0 */
/* Detects a repeated machine state. Scheduling picks warps in turn and is part of the state, as registers, stacks,
 * barriers and memories are, so a repeated state never ends. A kernel that reads the clock repeats none. Loops that store one value after the other, and wait for each other, are found here;
 * those of single warps, in any order of warps, by repeat.h, which says how copies are made.
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
