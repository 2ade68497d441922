/* SPDX-License-Identifier: Apache-2.0 */
/* The judges: each takes part in every record, beside the comparison. lockstep.c calls them in the order below, and
 * after the step in reverse order.
 *
 *     step       called                    may
 *     before     the model has not stepped read the model, move its warp, or refuse the record
 *     behind     the model has stepped     correct the expected record
 *     excuse     the records differ        explain the difference; later judges are not called then
 *     accuse     no judge has excused it   add to the result
 *     after      the record is counted     settle, or end the run
 *
 * A judge has the steps that it needs. Its state is in struct lockstep (state.h). before, behind and after return
 * false, with the fault noted (lockstep_fault), to end the run. The report shows result.actual: lockstep.c has copied
 * the record there for accuse; a judge that ends the run over a record copies that one itself.
 */
#ifndef WARPSTEP_LOCKSTEP_JUDGE_H
#define WARPSTEP_LOCKSTEP_JUDGE_H

#include "state.h"

struct judge {
    bool (*before)(struct lockstep *l, const struct retire *rtl);
    bool (*behind)(struct lockstep *l, const struct retire *rtl);
    bool (*excuse)(struct lockstep *l, const struct retire *rtl);
    void (*accuse)(struct lockstep *l, const struct retire *rtl);
    bool (*after)(struct lockstep *l, const struct retire *rtl);
};

extern const struct judge judge_incomplete; /* completes records that lack fields from the model */
extern const struct judge judge_races;      /* of several SMs: a load may read the value before a store that is on its
                                             * way */
extern const struct judge judge_waivers;    /* known deviations, and the findings of a run that goes on */
extern const struct judge judge_opinion;    /* the side that is right, by the rules of docs/isa.md */
extern const struct judge judge_drain;      /* after a trap the other SMs finish their issued instructions, and no
                                             * more */
extern const struct judge judge_hang;       /* a kernel that can only loop or wait for ever */

#endif
