/* SPDX-License-Identifier: Apache-2.0 */
/* Records that lack fields. An RTL may declare fields that it does not report: the checker takes those from the model,
 * and notes in each result that they were not compared. Fields that follow from the instruction word alone may be
 * declared as filled in: from the word that the RTL reports, or else from the code at its pc.
 *
 *     struct reported r = {0};
 *     if (reported_declare(&r, "depth state", REPORTED_NOT, "a.so", &d) != STATUS_OK) ...
 *     reported_fill(&r, model, image, &rtl);            // before the model's step
 *     reported_complete(&r, &expected, &rtl);           // behind it: the records are compared now
 */
#ifndef WARPSTEP_REPORTED_H
#define WARPSTEP_REPORTED_H

#include <stdio.h>

#include "../../assembler/base/diag.h"
#include "../../assembler/base/linkage.h"
#include "../../assembler/image/image.h"
#include "../../cmodel/model.h"
#include "field.h"

C_LINKAGE_BEGIN

enum reported_how { REPORTED, REPORTED_NOT, REPORTED_FILLED };

struct reported {
    uint8_t how[RETIRE_FIELD_COUNT]; /* enum reported_how; all 0: the records are complete */
    bool incomplete;                 /* some field is not REPORTED */
    bool no_memory;                  /* memory was not compared at the end */
    bool cut;                        /* the records declare that they end before the run does */
};

/* Declares the fields of a list separated by blanks or commas; dst and data include their further words. `names` may be
 * NULL. `source` is named in messages: fields without which nothing can be followed (sm, slot, block, warp, pc) must be
 * reported, and only static ones can be filled in. For an unknown name the column is its position in the list. */
enum status reported_declare(struct reported *r, const char *names, enum reported_how how, const char *source,
                             struct diag *d);

/* True if a field, by its name, does not come from the RTL. */
bool reported_misses(const struct reported *r, const char *name);

void reported_fill(const struct reported *r, const struct model *m, const struct image *image, struct retire *rtl);
void reported_complete(const struct reported *r, const struct retire *expected, struct retire *rtl);

/* "; fields not compared: depth, state; filled from the instruction word: dst_reg"; nothing if all are compared. */
void reported_print_text(const struct reported *r, FILE *out);

/* Members of a JSON object, with a comma before each: "not_compared" and "filled". */
void reported_print_json(const struct reported *r, FILE *out);

C_LINKAGE_END

#endif
