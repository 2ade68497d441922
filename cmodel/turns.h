/* SPDX-License-Identifier: Apache-2.0 */
/* How often loops have run, for reports of a kernel that does not end.
 *
 *     struct model_turns most[3];
 *     const size_t count = model_turns(m, most, 3);      // the most frequent first
 */
#ifndef WARPSTEP_MODEL_TURNS_H
#define WARPSTEP_MODEL_TURNS_H

#include "model.h"

C_LINKAGE_BEGIN

/* Branches back to this pc, of all warps since the launch. Each warp counts them in steps of some hundreds, so that
 * loops that run less often are missing. */
struct model_turns {
    uint32_t pc;
    uint64_t count;
};

/* Fills at most `room` entries; returns their number. */
size_t model_turns(const struct model *m, struct model_turns *most, size_t room);

C_LINKAGE_END

#endif
