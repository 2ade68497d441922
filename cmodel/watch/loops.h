/* SPDX-License-Identifier: Apache-2.0 */
/* Detects endless loops, at backward branches. There are two detectors: warp_loop.h watches one warp, in any order of
 * the warps, and so serves lockstep, too; machine_loop.h watches the whole machine under its own scheduling, and so
 * also finds warps that store and wait for each other. */
#ifndef WARPSTEP_LOOPS_H
#define WARPSTEP_LOOPS_H

#include "../core/state.h"

bool loops_create(struct model *m); /* false if out of memory */
void loops_reset(struct model *m);  /* a launch begins */
void loops_destroy(struct model *m);

/* True if the warp repeats itself in the present state. */
bool loops_hold(const struct model *m, const struct warp *warp);

#endif
