/* SPDX-License-Identifier: Apache-2.0 */
/* Internals of the third opinion: its state between a step and the judgement (opinion.c), from which form.c makes the
 * record that the instruction should give. */
#ifndef WARPSTEP_OPINION_FORM_H
#define WARPSTEP_OPINION_FORM_H

#include "../../assembler/isa/isa.h"
#include "opinion.h"
#include "past.h"

struct opinion {
    const struct image *image;
    struct machine machine;
    bool ready;               /* `saved` is the warp of the record */
    struct model_saved saved; /* before the step */
    struct past past;         /* before the last write of each register */
    uint32_t deeper;          /* see opinion_deepen */
    uint64_t undefined_reads; /* the model's count so far */
    uint32_t atomic_lanes;    /* an atomic: lanes whose word is noted, */
    uint32_t atomic_address[WARP_LANES], atomic_word[WARP_LANES];
    /* For the last formed record: whether dst and flags, and state, are known; the lanes of each field that depend on
     * an undefined value (any bit for a field without lanes). */
    bool knows_values, knows_state;
    uint32_t doubt[RETIRE_FIELD_COUNT];
    uint8_t *filled; /* shared and local memories with the filling in their undefined bytes */
};

/* The words of the warp's instruction; false: its pc is beyond the code. */
bool form_fetch(const struct opinion *o, uint32_t *lo, uint32_t *hi);

#endif
