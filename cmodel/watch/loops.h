/* SPDX-License-Identifier: Apache-2.0 */
/* Loops without an end, looked for at branches back. There are two detectors: warp_loop.h looks at one warp, in
 * whatever order warps run, and so it serves lockstep, too; machine_loop.h looks at the machine as a whole under its
 * own scheduling, and so it also finds warps that store and wait for each other. */
#ifndef WARPSTEP_LOOPS_H
#define WARPSTEP_LOOPS_H

#include "../core/state.h"

bool loops_create(struct model *m); /* false when memory is out */
void loops_reset(struct model *m);  /* a launch begins */
void loops_destroy(struct model *m);

/* Does the warp repeat itself as things are? */
bool loops_hold(const struct model *m, const struct warp *warp);

#endif
