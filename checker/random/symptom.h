/* SPDX-License-Identifier: Apache-2.0 */
/* The symptoms of a failing kernel: the differing operations and fields, and the side that the third opinion agrees
 * with. A smaller kernel shows the same fault only with the same symptoms.
 *
 *     struct symptoms s;
 *     symptoms_find(lockstep, &s);
 *     if (symptoms_have(&s, &known)) ... */
#ifndef WARPSTEP_RANDOM_SYMPTOM_H
#define WARPSTEP_RANDOM_SYMPTOM_H

#include "../verdict/lockstep.h"

enum { SYMPTOMS_MOST = 256 };

struct symptom {
    char op[16]; /* as in waive.h */
    unsigned field;
    enum opinion_side side;
};

struct symptoms {
    enum lockstep_fault fault;
    enum trap trap; /* trap that stopped the kernel */
    unsigned count; /* of those with an operation and a field; only the first ones are kept */
    struct symptom list[SYMPTOMS_MOST];
};

void symptoms_find(struct lockstep *l, struct symptoms *s);

bool symptom_is(const struct symptom *a, const struct symptom *b);
bool symptoms_have(const struct symptoms *s, const struct symptom *one);

/* True for failures of one kind: the same fault and trap; the differences include `target` (NULL: none) and, unless
 * `more` is set, no others than those of `than`. */
bool symptoms_show(const struct symptoms *s, const struct symptoms *than, const struct symptom *target, bool more);

/* "IADD:dst, the third opinion agrees with: model". */
void symptom_print(const struct symptom *s, FILE *out);

#endif
