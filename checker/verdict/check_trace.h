/* SPDX-License-Identifier: Apache-2.0 */
/* A recorded trace in place of a simulation: any simulator that can print lines can be checked.
 *
 *     struct trace_check check = {.path = "rtl.txt", .memory = NULL};
 *     if (check_trace(l, &check, &d) != STATUS_OK) return diag_report(stderr, &d);
 *     lockstep_result(l) ...
 */
#ifndef WARPSTEP_CHECK_TRACE_H
#define WARPSTEP_CHECK_TRACE_H

#include "lockstep.h"

struct trace_check {
    const char *path;   /* "-": standard input, line by line */
    const char *memory; /* file of global memory at the end, raw or by suffix .hex, .mif; bytes behind it are 0. NULL:
                           not compared, and results say so */
};

/* Checks all records, the end and memory. The returned error concerns the files: faults of the RTL are in the result.
 * The trace is not read beyond a wrong record. */
enum status check_trace(struct lockstep *l, const struct trace_check *check, struct diag *d);

#endif
