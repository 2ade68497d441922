/* SPDX-License-Identifier: Apache-2.0 */
/* Reports the end of a run on the model, in readable lines.
 *
 *     if (result == MODEL_TRAPPED) end_report_trap(m, &run, &machine, stderr);
 *     end_report_summary(m, &run, "trap", stdout);
 */
#ifndef WARPSTEP_END_REPORT_H
#define WARPSTEP_END_REPORT_H

#include <stdio.h>

#include "../model.h"
#include "launch.h"

/* The trap that stopped the grid: its warp, its place, its memory access. */
void end_report_trap(const struct model *m, const struct launch *run, const struct machine *machine, FILE *out);

/* Every remaining warp. timeout: --max-cycles was reached; otherwise the model found that no warp makes progress. */
void end_report_hang(const struct model *m, const struct launch *run, const struct machine *machine, bool timeout,
                     FILE *out);

/* One line: `status` in a word, and the number of executed instructions. */
void end_report_summary(const struct model *m, const struct launch *run, const char *status, FILE *out);

#endif
