/* SPDX-License-Identifier: Apache-2.0 */
/* The list of bugs of a run that goes on: differences, grouped by operation and field. */
#ifndef WARPSTEP_FINDING_H
#define WARPSTEP_FINDING_H

#include "../../assembler/base/linkage.h"
#include "../../cmodel/retire.h"
#include "../opinion/opinion.h"
#include "waive.h"

C_LINKAGE_BEGIN

enum { FINDINGS_MOST = 1000 };

struct lockstep_finding {
    const char *op; /* as in waive.h */
    const struct retire_field *field;
    struct tally met;
    uint64_t last; /* number of the last counted record */
    /* Data of the first difference. */
    uint64_t cycle;
    uint32_t pc, word_lo, word_hi, block_x, block_y, warp;
    int lane; /* -1: the field has no lanes */
    uint64_t expected, actual;
    uint64_t judged[OPINION_SIDES]; /* values, by the side that the third opinion agrees with */
};

struct lockstep_findings {
    struct lockstep_finding *list;
    size_t count, most; /* most: maximum kept */
};

bool findings_create(struct lockstep_findings *f, size_t most); /* false if out of memory */
void findings_destroy(struct lockstep_findings *f);

/* Notes that one value differs in a record; NULL if it is a new finding and the list is full. */
struct lockstep_finding *findings_note(struct lockstep_findings *f, const char *op, const struct retire_field *field,
                                       int lane, uint64_t expected, uint64_t actual, const struct retire *rtl,
                                       uint64_t record);

C_LINKAGE_END

#endif
