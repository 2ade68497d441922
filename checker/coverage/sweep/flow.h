/* SPDX-License-Identifier: Apache-2.0 */
/* The same for flow: each word is in a small program of its own that ends behind it. */
#ifndef WARPSTEP_SWEEP_FLOW_H
#define WARPSTEP_SWEEP_FLOW_H

#include "vary.h"

/* True for a row that changes where the warp goes, or waits. */
bool flow_is(size_t row);

void flow_base(size_t row, struct isa_fields *base); /* the plainest word */

/* One word of the row, unchanged or with one field changed, so that all lanes that enter also leave. `behind`: its
 * target lies before it. */
void flow_emit(struct program *p, size_t row, const struct isa_fields *fields, bool behind);

void flow_vary(struct program *p, size_t row);

#endif
