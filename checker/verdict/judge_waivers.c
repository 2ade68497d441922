/* SPDX-License-Identifier: Apache-2.0 */
/* overrule.h as a judge. */
#include "judge.h"

static bool before(struct lockstep *l, const struct retire *rtl) {
    if (l->overrule != NULL) overrule_place(l->overrule, l->model, rtl);
    return true;
}

static bool behind(struct lockstep *l, const struct retire *rtl) {
    (void)rtl;
    if (l->overrule == NULL) return true;
    struct retire *expected = &l->result.expected;
    const uint32_t depth = expected->depth;
    overrule_depth(l->overrule, expected);
    opinion_deepen(l->opinion, expected->depth - depth);
    return true;
}

static bool excuse(struct lockstep *l, const struct retire *rtl) {
    struct lockstep_result *r = &l->result;
    struct overrule *o = l->overrule;
    if (o == NULL || !overrule(o, l->model, l->opinion, &r->expected, rtl, &r->differences)) return false;
    r->amended = o->amended;
    return true;
}

static bool after(struct lockstep *l, const struct retire *rtl) {
    (void)rtl;
    if (l->overrule != NULL) model_settle(l->model);
    return true;
}

const struct judge judge_waivers = {.before = before, .behind = behind, .excuse = excuse, .after = after};
