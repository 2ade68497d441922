/* SPDX-License-Identifier: Apache-2.0 */
/* Is an adapter honest? Changes one digit of one field of a trace that agrees, but for waivers, many times, and counts
 * for each field how many of the changes the checker notices.
 *
 *     const struct audit audit = {.run = &run, .machine = machine, .path = "rtl.txt", .changes = 5000, .seed = 1};
 *     if (audit_run(&audit, stdout, &exit_code, &d) != STATUS_OK) return diag_report(stderr, &d);
 */
#ifndef WARPSTEP_AUDIT_H
#define WARPSTEP_AUDIT_H

#include <stdio.h>

#include "../../assembler/base/diag.h"
#include "../../cmodel/run/launch.h"
#include "waive.h"

enum { AUDIT_CHANGES = 5000, AUDIT_CHANGES_MOST = 100000000 };

struct audit {
    const struct launch *run; /* must have passed launch_check */
    struct machine machine;
    const char *path;        /* of the trace */
    unsigned changes;        /* how many to try */
    uint32_t seed;           /* the same seed draws the same changes */
    struct waivers *waivers; /* what the trace may differ in; NULL: nothing */
};

/* Prints the table to `out`, as one JSON object where run->json asks for it. *exit_code is 1 where the trace itself
 * does not agree, and nothing was changed; else 0, whatever was noticed. */
enum status audit_run(const struct audit *audit, FILE *out, int *exit_code, struct diag *d);

#endif
