/* SPDX-License-Identifier: Apache-2.0 */
/* Reports the races found by model_check_races, in readable lines and as a member of --json; and the option that
 * requests them.
 *
 *     if (strcmp(option, RACE_REPORT_OPTION) == 0) ...
 *     race_report_print(m, run, stderr);
 *     race_report_json(m, stdout);                    // ,"races":[...]
 */
#ifndef WARPSTEP_RACE_REPORT_H
#define WARPSTEP_RACE_REPORT_H

#include <stdio.h>

#include "../model.h"
#include "launch.h"

#define RACE_REPORT_OPTION "--check-races"

void race_report_print_help(FILE *out);

/* Prints nothing if there are none. */
void race_report_print(const struct model *m, const struct launch *run, FILE *out);

void race_report_json(const struct model *m, FILE *out);

#endif
