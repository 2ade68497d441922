/* SPDX-License-Identifier: Apache-2.0 */
/* The same for flow: each word stands in a little program of its own that comes out behind it. */
#ifndef WARPSTEP_SWEEP_FLOW_H
#define WARPSTEP_SWEEP_FLOW_H

#include "vary.h"

/* Rows that change where the warp goes or waits. */
bool flow_is(size_t row);

void flow_base(size_t row, struct isa_fields *base); /* the plainest word */

/* One word of the row, as it is or with one field changed, so that all lanes that come in come out. `behind`: its
 * target lies before it. */
void flow_emit(struct program *p, size_t row, const struct isa_fields *fields, bool behind);

void flow_vary(struct program *p, size_t row);

#endif
