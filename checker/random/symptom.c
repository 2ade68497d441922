/* SPDX-License-Identifier: Apache-2.0 */
#include "symptom.h"

#include <string.h>

static void add(struct symptoms *s, const char *op, const struct retire_field *field, enum opinion_side side) {
    if (s->count == SYMPTOMS_MOST) return;
    struct symptom *one = &s->list[s->count++];
    *one = (struct symptom){.field = (unsigned)retire_field_index(field), .side = side};
    snprintf(one->op, sizeof one->op, "%.15s", op);
}

/* The side that is right in most of the values. */
static enum opinion_side side_of(const struct lockstep_finding *f) {
    unsigned best = OPINION_NONE;
    for (unsigned side = OPINION_NONE + 1; side < OPINION_SIDES; side++)
        if (f->judged[side] > 0 && (best == OPINION_NONE || f->judged[side] > f->judged[best])) best = side;
    return (enum opinion_side)best;
}

void symptoms_find(struct lockstep *l, struct symptoms *s) {
    const struct lockstep_result *r = lockstep_result(l);
    *s = (struct symptoms){.fault = r->fault, .trap = model_get_trap(lockstep_model(l)).code};
    for (size_t i = 0; r->findings != NULL && i < r->findings->count; i++) {
        const struct lockstep_finding *f = &r->findings->list[i];
        add(s, f->op, f->field, side_of(f));
    }
    if (r->fault != FAULT_FIELD && r->fault != FAULT_REPEATED && r->fault != FAULT_SKIPPED) return;
    const struct waiver_ops op = waivers_op(r->expected.word_lo, r->expected.word_hi);
    for (size_t i = 0; i < r->differences.count; i++) {
        const struct retire_field *field = r->differences.diff[i].field;
        add(s, waivers_op_of(&op, field->name), field, r->opinion);
    }
}

bool symptom_is(const struct symptom *a, const struct symptom *b) {
    return strcmp(a->op, b->op) == 0 && a->field == b->field && a->side == b->side;
}

bool symptoms_have(const struct symptoms *s, const struct symptom *one) {
    for (unsigned i = 0; i < s->count; i++)
        if (symptom_is(&s->list[i], one)) return true;
    return false;
}

bool symptoms_show(const struct symptoms *s, const struct symptoms *than, const struct symptom *target, bool more) {
    if (target != NULL && !symptoms_have(s, target)) return false;
    if (more && target != NULL) return true;
    if (s->fault != than->fault || s->trap != than->trap) return false;
    for (unsigned i = 0; i < s->count; i++)
        if (!symptoms_have(than, &s->list[i])) return false;
    return true;
}

void symptom_print(const struct symptom *s, FILE *out) {
    const char *field = retire_field_at(s->field)->name;
    if (s->side == OPINION_NONE)
        fprintf(out, "%s:%s, the third opinion: has none", s->op, field);
    else
        fprintf(out, "%s:%s, the third opinion agrees with: %s", s->op, field, opinion_side_name(s->side));
}
