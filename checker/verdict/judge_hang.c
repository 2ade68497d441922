/* SPDX-License-Identifier: Apache-2.0 */
/* The model notices when every remaining warp loops for ever or waits at a barrier. */
#include "judge.h"

/* With several SMs a load may return the old value while a store is on its way (race.h). So a loop counts only if it is
 * found when none is. */
static bool is_settled(struct lockstep *l, const struct retire *rtl) {
    if (rtl->mem_kind == RETIRE_MEM_GLOBAL_STORE || rtl->mem_kind == RETIRE_MEM_GLOBAL_ATOMIC) {
        l->settles = rtl->cycle + RACE_WINDOW;
        l->settled = false;
    }
    if (rtl->cycle <= l->settles) return false;
    if (!l->settled) model_forget_loops(l->model);
    l->settled = true;
    return true;
}

static bool is_hung(struct lockstep *l, const struct retire *rtl) {
    return l->overrule == NULL && (l->races == NULL || is_settled(l, rtl)) && model_is_hung(l->model);
}

static bool after(struct lockstep *l, const struct retire *rtl) {
    if (!is_hung(l, rtl)) return true;
    if (!lockstep_races_settled(l, UINT64_MAX)) return false;
    return lockstep_fault(l, LOCKSTEP_HANG, FAULT_STUCK,
                          "the kernel hangs: every warp that is left loops for ever or waits at a barrier");
}

const struct judge judge_hang = {.after = after};
