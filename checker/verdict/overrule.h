/* SPDX-License-Identifier: Apache-2.0 */
/* Going on where RTL and model differ: as far as waivers (waive.h) or a list of findings (finding.h) allow, the model
 * takes the RTL's side, in what it reports and in its state.
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
    struct waivers *waivers;            /* the caller's, NULL: none */
    struct lockstep_findings *findings; /* NULL: what no waiver covers is a mismatch */
    uint64_t record;                    /* number of the record at hand, from 1 */
    uint64_t amended;                   /* records in which the model has taken the RTL's side */
    bool full;                          /* one finding more than the list holds */
    unsigned slots;                     /* of an SM */
    struct overrule_slot *depths;
};

/* How far the RTL's stack is deeper than the model's, in each warp slot, and of which warp that is. */
struct overrule_slot {
    uint32_t block_x, block_y, warp;
    int32_t deeper;
};

/* NULL when memory is out. `keep_going`: how many findings to collect, 0 none. */
struct overrule *overrule_create(const struct machine *machine, struct waivers *waivers, size_t keep_going);
void overrule_destroy(struct overrule *o);

/* A record is at hand. Where the RTL's warp is elsewhere, or has other lanes, and that may be, the model's goes there.
 */
void overrule_place(struct overrule *o, struct model *m, const struct retire *rtl);

/* Behind the step. Adds to the depth of *expected what was taken over before. */
void overrule_depth(const struct overrule *o, struct retire *expected);

/* True when nothing is left that differs: *expected is then the RTL's record, and the model's state follows it. Else
 * *expected has what is covered, and *differences are the rest. `opinion` has noted the warp before the step
 * (opinion_before) and judges what is found. */
bool overrule(struct overrule *o, struct model *m, struct opinion *opinion, struct retire *expected,
              const struct retire *rtl, struct compare_result *differences);

#endif
