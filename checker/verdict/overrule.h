/* SPDX-License-Identifier: Apache-2.0 */
/* Continues after a difference between RTL and model: as far as waivers (waive.h) or a list of findings (finding.h)
 * allow, the model takes the RTL's side, in its record and in its state.
 *
 *     overrule_place(o, model, &rtl);                              // before the step: pc and active mask
 *     model_step_follow(model, &rtl, &expected);
 *     if (!compare_records(&expected, &rtl, &differences))
 *         overrule(o, model, opinion, &expected, &rtl, &differences) ...
 */
#ifndef WARPSTEP_OVERRULE_H
#define WARPSTEP_OVERRULE_H

#include "../../cmodel/model.h"
#include "../record/compare.h"
#include "finding.h"

struct overrule {
    struct waivers *waivers;            /* the caller's; NULL: none */
    struct lockstep_findings *findings; /* NULL: a difference without a waiver is a mismatch */
    uint64_t record;                    /* number of the current record, from 1 */
    uint64_t amended;                   /* records in which the model has taken the RTL's side */
    bool full;                          /* the list of findings overflowed */
    unsigned slots;                     /* of an SM */
    struct overrule_slot *depths;
};

/* The difference in depth between the RTL's stack and the model's, in each warp slot, with the warp that it belongs
 * to. */
struct overrule_slot {
    uint32_t block_x, block_y, warp;
    int32_t deeper;
};

/* NULL if out of memory. `keep_going`: number of findings to collect, 0 none. */
struct overrule *overrule_create(const struct machine *machine, struct waivers *waivers, size_t keep_going);
void overrule_destroy(struct overrule *o);

/* A record has arrived. If the RTL's warp is elsewhere, or has other lanes, and this is allowed, the model's warp
 * follows.
 */
void overrule_place(struct overrule *o, struct model *m, const struct retire *rtl);

/* After the step. Adds the accumulated difference to the depth of *expected. */
void overrule_depth(const struct overrule *o, struct retire *expected);

/* True if no difference is left: *expected is then the RTL's record, and the model's state follows it. Else *expected
 * has the covered bits, and *differences the rest. `opinion` has saved the warp before the step (opinion_before) and
 * judges the findings. */
bool overrule(struct overrule *o, struct model *m, struct opinion *opinion, struct retire *expected,
              const struct retire *rtl, struct compare_result *differences);

#endif
