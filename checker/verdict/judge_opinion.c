/* SPDX-License-Identifier: Apache-2.0 */
/* The third opinion (../opinion/opinion.h) as a judge. */
#include "../opinion/explain.h"
#include "judge.h"

static bool before(struct lockstep *l, const struct retire *rtl) {
    opinion_before(l->opinion, l->model, rtl);
    return true;
}

static void accuse(struct lockstep *l, const struct retire *rtl) {
    struct lockstep_result *r = &l->result;
    r->opinion = opinion_judge(l->opinion, l->model, &r->expected, rtl, &r->differences);
    if (r->opinion == OPINION_MODEL)
        opinion_explain(l->opinion, l->model, &r->expected, rtl, &r->differences, &r->operand);
}

static bool after(struct lockstep *l, const struct retire *rtl) {
    (void)rtl;
    opinion_after(l->opinion, &l->result.expected);
    return true;
}

const struct judge judge_opinion = {.before = before, .accuse = accuse, .after = after};
