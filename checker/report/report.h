/* SPDX-License-Identifier: Apache-2.0 */
/* The result as a readable report: the first screen shows the instruction with its warp and lanes, the expected and the
 * actual value, the path of the warp, and how to repeat the run.
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
    const char *command; /* command that repeats the run; NULL: omitted */
    const char *wave;    /* file with waves; NULL: none */
    uint64_t wave_from, wave_to;
    const char *wave_trouble;        /* reason why there is no wave; NULL: none */
    const char *view;                /* a wave file beside which wave_view.h has written its own files; NULL: none */
    const struct stack_watch *stack; /* contents of the RTL's stack; NULL: unknown */
};

void lockstep_report(const struct lockstep *l, const struct lockstep_report_extra *extra, FILE *out);

/* The state of every warp of the model, one line each. */
void lockstep_report_warps(const struct lockstep *l, FILE *out);

C_LINKAGE_END

#endif
