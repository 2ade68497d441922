/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the RTL without the model: ignores its records, and compares only memory at the end, if the launch has
 * expectations. Comparing its time with that of the same run in lockstep shows the cost of lockstep.
 *
 *     status = free_run(api, &sim_options, &run, &exit_code, &d);      // warp-lockstep --unchecked
 */
#ifndef WARPSTEP_FREE_RUN_H
#define WARPSTEP_FREE_RUN_H

#include "../../cmodel/run/launch.h"
#include "../port/sim.h"

/* Runs to the end (or to max_cycles), prints one line or, if the launch requests it, JSON on stdout. The exit code is
 * 0; 1 if memory differs from the expectations or the simulation failed; 3 if the kernel trapped or did not end. */
enum status free_run(const struct sim_api *api, const struct sim_options *options, const struct launch *run,
                     int *exit_code, struct diag *d);

#endif
