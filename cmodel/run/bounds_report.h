/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of a compiled kernel outside its buffers (../bounds.h), which are errors with --strict. The buffers are of
 * --arg, of --global, and the variables of its file.
 *
 *     model_launch(m, run.image, &d);
 *     if (!bounds_report_begin(m, &run)) return STATUS_NO_MEMORY;
 *     model_run(m, UINT64_MAX, &steps);
 *     const bool strayed = bounds_report_print(m, &run, stderr) > 0;
 */
#ifndef WARPSTEP_BOUNDS_REPORT_H
#define WARPSTEP_BOUNDS_REPORT_H

#include <stdio.h>

#include "../bounds.h"
#include "launch.h"

/* Does nothing without --strict and --arg. False if out of memory. */
bool bounds_report_begin(struct model *m, const struct launch *run);

/* For each instruction that strayed: its first access, the distance to the nearest buffer, its line. Returns how many
 * did. */
size_t bounds_report_print(const struct model *m, const struct launch *run, FILE *out);

#endif
