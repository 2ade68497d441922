/* SPDX-License-Identifier: Apache-2.0 */
/* Which registers a block finds alive, and which it leaves so: block->live_in, live_out. */
#ifndef WARPSTEP_CC_LIVE_H
#define WARPSTEP_CC_LIVE_H

#include "ir.h"

void ir_find_live(struct ir *ir);

#endif
