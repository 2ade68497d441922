/* SPDX-License-Identifier: Apache-2.0 */
/* Records on a time axis: the time that the warp of a record took to get to it, by cause. A slice of a warp goes from
 * its previous record (or one cycle before its first one) to this one: during it the instruction waited, was issued and
 * passed through the pipeline.
 *
 *     struct timeline *t = timeline_create();
 *     struct timeline_slice s;
 *     for each record, in order: if (!timeline_add(t, &record, &s)) out of memory;
 *     timeline_destroy(t);
 */
#ifndef WARPSTEP_TIMELINE_H
#define WARPSTEP_TIMELINE_H

#include "../retire.h"

/* The reason why a warp waited, as far as records show it. */
enum timeline_wait {
    TIMELINE_ISSUE,   /* other warps, or operands of the pipeline */
    TIMELINE_MEMORY,  /* the instruction is a load or an atomic */
    TIMELINE_BARRIER, /* the previous instruction was a barrier */
    TIMELINE_BRANCH,  /* the previous instruction jumped: the warp fetches anew */
    TIMELINE_WAITS
};

struct timeline_slice {
    uint64_t from, to; /* cycles; from < to, except in cycle 0 */
    enum timeline_wait wait;
    bool first; /* first slice of this warp */
    bool last;  /* the warp has finished or trapped */
};

struct timeline;

struct timeline *timeline_create(void); /* NULL if out of memory */
void timeline_destroy(struct timeline *t);

/* Fills *s. False if out of memory. */
bool timeline_add(struct timeline *t, const struct retire *r, struct timeline_slice *s);

/* Calls `visit` for each warp that has begun and not ended, with the place and cycle of its last record. */
typedef void timeline_open_fn(void *state, unsigned sm, unsigned slot, uint64_t cycle);
void timeline_visit_open(const struct timeline *t, timeline_open_fn *visit, void *state);

/* "issue", "memory", "barrier", "branch" */
const char *timeline_wait_name(enum timeline_wait wait);

#endif
