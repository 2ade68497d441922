/* SPDX-License-Identifier: Apache-2.0 */
/* How a kernel fails: what differs, by operation and field, and which side the third opinion agrees with. A smaller
 * kernel shows the same fault only where it fails so.
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
    enum trap trap; /* that stopped the kernel */
    unsigned count; /* of those that have an operation and a field; the first ones of more */
    struct symptom list[SYMPTOMS_MOST];
};

void symptoms_find(struct lockstep *l, struct symptoms *s);

bool symptom_is(const struct symptom *a, const struct symptom *b);
bool symptoms_have(const struct symptoms *s, const struct symptom *one);

/* Failures of one kind: the same fault and trap, and of what differs `target` (NULL: there is nothing of that kind) and
 * no more than in `than`, unless `more` is fine. */
bool symptoms_show(const struct symptoms *s, const struct symptoms *than, const struct symptom *target, bool more);

/* "IADD:dst, the third opinion agrees with: model". */
void symptom_print(const struct symptom *s, FILE *out);

#endif
