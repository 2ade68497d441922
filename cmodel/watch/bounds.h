/* SPDX-License-Identifier: Apache-2.0 */
/* The check of ../bounds.h, which sits in front of the callback that was there. */
#ifndef WARPSTEP_WATCH_BOUNDS_H
#define WARPSTEP_WATCH_BOUNDS_H

#include "../bounds.h"

struct grid;

/* A launch begins: nothing is checked. */
void bounds_end(struct grid *grid);

#endif
