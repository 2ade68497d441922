/* SPDX-License-Identifier: Apache-2.0 */
/* A run of the RTL without the model: nothing of what it retires is looked at, only memory at the end, where the launch
 * says what it must hold. Good for one thing: the same run in lockstep, held against it, shows what lockstep costs.
 *
 *     status = free_run(api, &sim_options, &run, &exit_code, &d);      // warp-lockstep --unchecked
 */
#ifndef WARPSTEP_FREE_RUN_H
#define WARPSTEP_FREE_RUN_H

#include "../../cmodel/run/launch.h"
#include "../port/sim.h"

/* Runs to the end (or to max_cycles), prints one line or, as the launch asks, JSON on stdout. The exit code is 0, 1
 * where memory is not as expected or the simulation failed, 3 where the kernel trapped or did not end. */
enum status free_run(const struct sim_api *api, const struct sim_options *options, const struct launch *run,
                     int *exit_code, struct diag *d);

#endif
