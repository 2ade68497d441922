/* SPDX-License-Identifier: Apache-2.0 */
/* Detects a repeated machine state. The model's own scheduling is deterministic, so a repeated state never ends. The
 * state comprises registers, stacks, barriers and memories, but not the clock: a machine that reads the clock does not
 * repeat itself. Copies are made as in warp_loop.h. */
#ifndef WARPSTEP_MACHINE_LOOP_H
#define WARPSTEP_MACHINE_LOOP_H

#include "../core/state.h"

struct machine_loop;

/* True if the machine has been in this state before, with `warp` at the same instruction. *loop is NULL before the
 * first call. */
bool machine_loop_look(struct machine_loop **loop, const struct model *m, const struct warp *warp);

void machine_loop_destroy(struct machine_loop *loop); /* may be NULL */

#endif
