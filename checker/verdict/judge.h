/* SPDX-License-Identifier: Apache-2.0 */
/* The judges: each has a say in every record, beside the comparison. lockstep.c asks them in the order below, and
 * behind the step in reverse order.
 *
 *     step       asked                     may
 *     before     the model has not stepped look at the model, move its warp, or refuse the record
 *     behind     the model has stepped     correct what is expected
 *     excuse     the records differ        say why that is no mismatch; the next judges are not asked then
 *     accuse     nobody has excused it     add to the result
 *     after      the record is counted     settle, or end the run
 *
 * A judge has the steps that it needs. It keeps its state in struct lockstep (state.h). before, behind and after return
 * false, with the fault noted (lockstep_fault), when the run is to end.
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

extern const struct judge judge_incomplete; /* records that lack fields get the model's */
extern const struct judge judge_races;      /* of several SMs, a load may read what a store on its way leaves */
extern const struct judge judge_waivers;    /* known deviations, and the findings of a run that goes on */
extern const struct judge judge_opinion;    /* whose value is right, by the rules of docs/isa.md */
extern const struct judge judge_drain;      /* after a trap the other SMs finish what they have issued, and no more */
extern const struct judge judge_hang;       /* a kernel that can only loop or wait for ever */

#endif
