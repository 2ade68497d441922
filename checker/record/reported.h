/* SPDX-License-Identifier: Apache-2.0 */
/* Records that lack fields. An RTL may declare fields that it does not report: the checker takes those from the model,
 * and says with each result that they were not compared. Fields that follow from the instruction word alone may be
 * declared to be filled in: of the word that the RTL reports, or else of the code at its pc.
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
    bool no_memory;                  /* memory at the end was not compared */
    bool cut;                        /* the records end before the run does, as they say */
};

/* Declares the fields of a list with blanks or commas between; dst and data include their further words. `names` may be
 * NULL. `who` is named in the message: fields without which nothing can be followed (sm, slot, block, warp, pc) must be
 * reported, and only static ones can be filled in. A name that is none tells how far into the list it stands, as the
 * column. */
enum status reported_declare(struct reported *r, const char *names, enum reported_how how, const char *who,
                             struct diag *d);

/* Whether a field, by its name, is not the RTL's. */
bool reported_misses(const struct reported *r, const char *name);

void reported_fill(const struct reported *r, const struct model *m, const struct image *image, struct retire *rtl);
void reported_complete(const struct reported *r, const struct retire *expected, struct retire *rtl);

/* "; fields not compared: depth, state; filled from the instruction word: dst_reg"; nothing where all is compared. */
void reported_print_text(const struct reported *r, FILE *out);

/* Members of a JSON object, with a comma before each: "not_compared" and "filled". */
void reported_print_json(const struct reported *r, FILE *out);

C_LINKAGE_END

#endif
