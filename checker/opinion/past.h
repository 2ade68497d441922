/* SPDX-License-Identifier: Apache-2.0 */
/* The value that each register of each warp had before its last write: what an instruction reads that does not wait
 * for that write. */
#ifndef WARPSTEP_OPINION_PAST_H
#define WARPSTEP_OPINION_PAST_H

#include "../../cmodel/model.h"

struct past_value {
    uint32_t lanes; /* that have been written */
    uint32_t value[WARP_LANES];
    uint32_t pc[WARP_LANES]; /* of the write */
};

struct past {
    unsigned sms, warps, registers;
    struct past_value *value; /* by SM, slot, register */
};

/* False: out of memory. */
bool past_create(struct past *p, const struct machine *machine, unsigned registers);
void past_destroy(struct past *p);

/* A warp begins in this slot: none of its registers has been written. */
void past_begin(struct past *p, const struct retire *r);

/* After the step of this record, which began with these registers. */
void past_note(struct past *p, const struct model_saved *before, const struct retire *r);

/* NULL: no such register. */
const struct past_value *past_of(const struct past *p, const struct retire *r, unsigned reg);

#endif
