/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the third opinion: what it keeps between a step and its judgement (opinion.c), of which form.c makes the
 * record that the instruction should give. */
#ifndef WARPSTEP_OPINION_FORM_H
#define WARPSTEP_OPINION_FORM_H

#include "../../assembler/isa/isa.h"
#include "opinion.h"

struct opinion {
    const struct image *image;
    struct machine machine;
    bool ready;               /* `saved` is the warp of the record */
    struct model_saved saved; /* before the step */
    uint32_t deeper;          /* see opinion_deepen */
    uint64_t undefined_reads; /* of the model until then */
    uint32_t atomic_lanes;    /* an atomic: lanes whose word was noted, */
    uint32_t atomic_address[WARP_LANES], atomic_word[WARP_LANES];
    bool knows_values, knows_state; /* of the last record formed: dst and flags; state */
};

/* The words of the warp's instruction; false: its pc is beyond the code. */
bool form_fetch(const struct opinion *o, uint32_t *lo, uint32_t *hi);

#endif
