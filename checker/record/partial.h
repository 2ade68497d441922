/* SPDX-License-Identifier: Apache-2.0 */
/* Stores and atomics on global memory that trapped. The model's have no effect, but lanes of the RTL's may have stored
 * before another one trapped: the RTL decides the contents of those bytes.
 *
 *     struct partial p;
 *     if (partial_of(model, sm, &p)) ...      // p.bytes from p.addr[lane] on, for each of p.lanes
 */
#ifndef WARPSTEP_LOCKSTEP_PARTIAL_H
#define WARPSTEP_LOCKSTEP_PARTIAL_H

#include "../../cmodel/model.h"

struct partial {
    uint32_t lanes;
    uint32_t addr[WARP_LANES];
    unsigned bytes;
    bool anywhere; /* the address of some lane is undefined */
};

/* The bytes that the trap which stopped an SM may have stored; false if there are none. */
bool partial_of(const struct model *model, unsigned sm, struct partial *p);

#endif
