/* SPDX-License-Identifier: Apache-2.0 */
/* Tests whether an adapter is honest: changes one digit of one field of a trace that agrees (apart from waivers), many
 * times, and counts for each field how many changes the checker notices.
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
    unsigned changes;        /* number of changes to try */
    uint32_t seed;           /* the same seed draws the same changes */
    struct waivers *waivers; /* allowed differences of the trace; NULL: none */
};

/* Prints the table to `out`, as one JSON object if run->json is set. *exit_code is 1 if the trace itself does not
 * agree, and nothing was changed; else 0, for any number of noticed changes. */
enum status audit_run(const struct audit *audit, FILE *out, int *exit_code, struct diag *d);

#endif
