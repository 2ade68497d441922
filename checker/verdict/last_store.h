/* SPDX-License-Identifier: Apache-2.0 */
/* The last store to a wrong place of global memory: read by a load that differs, or different at the end. Found in the
 * records of a second run.
 *
 *     last_store_ask(&s, result);
 *     for each record: last_store_see(&s, &record);
 *     last_store_print(&s, image, out);               // nothing without a question
 */
#ifndef WARPSTEP_LAST_STORE_H
#define WARPSTEP_LAST_STORE_H

#include <stdbool.h>
#include <stdio.h>

#include "../../assembler/base/linkage.h"
#include "../../assembler/image/image.h"
#include "../../cmodel/retire.h"

C_LINKAGE_BEGIN

struct last_store {
    bool asked, over, found;
    uint32_t addr, bytes; /* the place */
    struct retire until;  /* the load; its cycle is 0 at the end of a run */
    struct retire record; /* the store */
    unsigned lane;        /* the last lane of the store to that place */
};

struct lockstep_result;
void last_store_ask(struct last_store *s, const struct lockstep_result *r);
void last_store_see(struct last_store *s, const struct retire *record);
void last_store_print(const struct last_store *s, const struct image *image, FILE *out);

C_LINKAGE_END

#endif
