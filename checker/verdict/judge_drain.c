/* SPDX-License-Identifier: Apache-2.0 */
/* A trap stops the grid: the following records belong to instructions that were already issued. */
#include "judge.h"

enum { DRAIN_RECORDS = 64 }; /* maximum of issued but not retired instructions of an SM when another one traps */

static bool behind(struct lockstep *l, const struct retire *rtl) {
    if (l->result.expected.trap != TRAP_NONE && rtl->sm < SIM_MAX_SMS) l->trap_cycle[rtl->sm] = rtl->cycle;
    return true;
}

static bool after(struct lockstep *l, const struct retire *rtl) {
    if (model_get_trap(l->model).code == TRAP_NONE) return true;
    if (++l->after_trap <= (uint64_t)DRAIN_RECORDS * l->options.machine.sms) return true;
    l->result.actual = *rtl;
    return lockstep_fault(l, LOCKSTEP_MISMATCH, FAULT_LATE, "sm %u goes on after a trap has stopped the grid",
                          (unsigned)rtl->sm);
}

const struct judge judge_drain = {.behind = behind, .after = after};
