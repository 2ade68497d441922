/* SPDX-License-Identifier: Apache-2.0 */
/* What was found, for people: the first screen says which instruction of which warp and lanes, what was expected and
 * what came, how the warp got there, and how to see it again.
 *
 *     struct lockstep_report_extra extra = {.command = "warp-lockstep ...", .wave = "/tmp/x.fst"};
 *     lockstep_report(l, &extra, stdout);
 */
#ifndef WARPSTEP_REPORT_H
#define WARPSTEP_REPORT_H

#include "../../assembler/base/linkage.h"
#include "../verdict/lockstep.h"

C_LINKAGE_BEGIN

struct stack_watch;

struct lockstep_report_extra {
    const char *command; /* repeats the run; NULL: not said */
    const char *wave;    /* file with waves; NULL: none */
    uint64_t wave_from, wave_to;
    const char *wave_trouble;        /* why there is no wave; NULL: nothing to say */
    const char *view;                /* a file of waves beside which wave_view.h has written its own; NULL: none */
    const struct stack_watch *stack; /* what the RTL's stack held; NULL: not known */
};

void lockstep_report(const struct lockstep *l, const struct lockstep_report_extra *extra, FILE *out);

/* The state of every warp of the model, one line each. */
void lockstep_report_warps(const struct lockstep *l, FILE *out);

C_LINKAGE_END

#endif
