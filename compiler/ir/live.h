/* SPDX-License-Identifier: Apache-2.0 */
/* Liveness: sets block->live_in and block->live_out of all blocks. */
#ifndef WARPSTEP_CC_LIVE_H
#define WARPSTEP_CC_LIVE_H

#include "ir.h"

void ir_find_live(struct ir *ir);

#endif
