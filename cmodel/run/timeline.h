/* SPDX-License-Identifier: Apache-2.0 */
/* Records in time: how long the warp of a record took to get to it, and what for. A slice of a warp goes from its
 * record before, or one cycle before its first one, to this one: in it the instruction waited, was issued and passed
 * the pipeline.
 *
 *     struct timeline *t = timeline_create();
 *     struct timeline_slice s;
 *     for each record, in order: if (!timeline_add(t, &record, &s)) out of memory;
 *     timeline_destroy(t);
 */
#ifndef WARPSTEP_TIMELINE_H
#define WARPSTEP_TIMELINE_H

#include "../retire.h"

/* What a warp waited for, as far as records say it. */
enum timeline_wait {
    TIMELINE_ISSUE,   /* other warps, or operands of the pipeline */
    TIMELINE_MEMORY,  /* the instruction loads, or is atomic */
    TIMELINE_BARRIER, /* the one before was a barrier */
    TIMELINE_BRANCH,  /* the one before went on elsewhere: fetched anew */
    TIMELINE_WAITS
};

struct timeline_slice {
    uint64_t from, to; /* cycles; from < to, but in cycle 0 */
    enum timeline_wait wait;
    bool first; /* of this warp */
    bool last;  /* it has finished or trapped */
};

struct timeline;

struct timeline *timeline_create(void); /* NULL when memory is out */
void timeline_destroy(struct timeline *t);

/* Fills *s. False when memory is out. */
bool timeline_add(struct timeline *t, const struct retire *r, struct timeline_slice *s);

/* Calls `visit` for each warp that has begun and not ended: its last record's place and cycle. */
typedef void timeline_open_fn(void *state, unsigned sm, unsigned slot, uint64_t cycle);
void timeline_visit_open(const struct timeline *t, timeline_open_fn *visit, void *state);

/* "issue", "memory", "barrier", "branch" */
const char *timeline_wait_name(enum timeline_wait wait);

#endif
