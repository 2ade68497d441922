/* SPDX-License-Identifier: Apache-2.0 */
/* Where the cycles of a run went: sums over the counters of a simulation, and how results show them.
 *
 *     for (unsigned sm = 0; sm < sms; sm++)
 *         if (cause_sum(&counters, sm) != counters.cycles) ...;      // a cycle that has no cause, or two
 *     cause_print_json(&counters, &sim, true, stdout);
 */
#ifndef WARPSTEP_CAUSE_H
#define WARPSTEP_CAUSE_H

#include <stdio.h>

#include "sim.h"

uint64_t cause_sum(const struct sim_counters *c, unsigned sm); /* cycles of one SM, of all causes */

/* Members of a JSON object, with a comma before each: "ipc", "utilisation" (see docs/trace.md), and where there are
 * counters "stalls" and "sm_stalls"; without (causes false) "stalls" is all unknown. */
void cause_print_json(const struct sim_counters *c, const struct sim_options *sim, bool causes, FILE *out);

/* A line with the shares of the causes that took a thousandth of the time or more. */
void cause_print_text(const struct sim_counters *c, const struct sim_options *sim, FILE *out);

#endif
