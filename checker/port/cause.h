/* SPDX-License-Identifier: Apache-2.0 */
/* The use of the cycles of a run: sums over the counters of a simulation, and their form in results.
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

/* Members of a JSON object, with a comma before each: "ipc", "utilisation" (see docs/trace.md), and with counters
 * "stalls" and "sm_stalls"; without (causes false) all of "stalls" is unknown. */
void cause_print_json(const struct sim_counters *c, const struct sim_options *sim, bool causes, FILE *out);

/* A line with the shares of the causes that took at least a thousandth of the time. */
void cause_print_text(const struct sim_counters *c, const struct sim_options *sim, FILE *out);

#endif
