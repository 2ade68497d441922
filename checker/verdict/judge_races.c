/* SPDX-License-Identifier: Apache-2.0 */
/* race.h as a judge. */
#include "judge.h"

static bool out_of_memory(struct lockstep *l) {
    return lockstep_fault(l, LOCKSTEP_MISMATCH, FAULT_FAILED, "out of memory");
}

bool lockstep_races_settled(struct lockstep *l, uint64_t now) {
    const struct race_pending *p = l->races != NULL ? races_overdue(l->races, now) : NULL;
    if (p == NULL) return true;
    retire_copy(&l->result.expected, &p->expected);
    retire_copy(&l->result.actual, &p->actual);
    l->result.cycle = p->actual.cycle;
    compare_records(&l->result.expected, &l->result.actual, &l->result.differences);
    return lockstep_differs(l);
}

static bool before(struct lockstep *l, const struct retire *rtl) {
    if (l->races == NULL || races_before_step(l->races, model_global(l->model), rtl)) return true;
    return out_of_memory(l);
}

static bool behind(struct lockstep *l, const struct retire *rtl) {
    if (l->races == NULL || l->result.expected.trap == TRAP_NONE) return true;
    return races_after_trap(l->races, l->model, (unsigned)rtl->sm, rtl->cycle) || out_of_memory(l);
}

static bool excuse(struct lockstep *l, const struct retire *rtl) {
    struct lockstep_result *r = &l->result;
    if (l->races == NULL || !races_explain(l->races, l->model, &r->expected, rtl, &r->differences)) return false;
    r->differences.count = 0;
    return true;
}

static bool after(struct lockstep *l, const struct retire *rtl) {
    (void)rtl;
    if (l->races != NULL) l->result.raced = races_adopted(l->races);
    return true;
}

const struct judge judge_races = {.before = before, .behind = behind, .excuse = excuse, .after = after};
