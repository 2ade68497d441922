/* SPDX-License-Identifier: Apache-2.0 */
/* How a run on the model ended, in lines for people.
 *
 *     if (result == MODEL_TRAPPED) end_report_trap(m, &run, &machine, stderr);
 *     end_report_summary(m, &run, "trap", stdout);
 */
#ifndef WARPSTEP_END_REPORT_H
#define WARPSTEP_END_REPORT_H

#include <stdio.h>

#include "../model.h"
#include "launch.h"

/* The trap that stopped the grid: which warp, where, what its memory access met. */
void end_report_trap(const struct model *m, const struct launch *run, const struct machine *machine, FILE *out);

/* Every warp that is left. timeout: --max-cycles was reached, else the model found that none gets on. */
void end_report_hang(const struct model *m, const struct launch *run, const struct machine *machine, bool timeout,
                     FILE *out);

/* One line: `status` in a word, and how many instructions were executed. */
void end_report_summary(const struct model *m, const struct launch *run, const char *status, FILE *out);

#endif
