/* SPDX-License-Identifier: Apache-2.0 */
#include "sim.h"

const char *const sim_cause_names[SIM_CAUSES] = {
    [SIM_CAUSE_ISSUE] = "issue",
    [SIM_CAUSE_NO_WARP] = "no_warp",
    [SIM_CAUSE_DEPENDENCY] = "dependency",
    [SIM_CAUSE_SHARED_REPLAY] = "shared_replay",
    [SIM_CAUSE_GLOBAL_WAIT] = "global_wait",
    [SIM_CAUSE_BARRIER] = "barrier",
    [SIM_CAUSE_BRANCH] = "branch",
    [SIM_CAUSE_FETCH] = "fetch",
    [SIM_CAUSE_DISPATCH] = "dispatch",
    [SIM_CAUSE_DRAIN] = "drain",
};

uint64_t sim_cycles_by_cause(const struct sim_counters *c, unsigned sms, enum sim_cause cause) {
    uint64_t sum = 0;
    for (unsigned sm = 0; sm < sms; sm++) sum += c->cause[sm][cause];
    return sum;
}
