/* SPDX-License-Identifier: Apache-2.0 */
/* Trace events in JSON for Perfetto: a process for each SM, a thread for each warp slot, both with a name and numbers
 * from 1. On a thread a slice for each warp of a block; in it one for each instruction, from the record of that warp
 * before to its own; in that the wait, by its cause. Counters of each SM: warps there, warps at barriers, lanes of the
 * last instruction; of each slot: entries on the stack. A cycle is a microsecond.
 *
 *     struct perfetto *p = perfetto_create(out, image);
 *     perfetto_record(p, &record, "IADD R1, R2, R3", "");
 *     if (!perfetto_finish(p, "")) out of memory;
 */
#ifndef WARPSTEP_PERFETTO_H
#define WARPSTEP_PERFETTO_H

#include <stdio.h>

#include "../../assembler/image/image.h"
#include "../retire.h"

struct perfetto;

/* Begins the file. image: source lines; may be NULL. NULL when memory is out. */
struct perfetto *perfetto_create(FILE *out, const struct image *image);

/* trap: what the record's trap met, in words; "" of none. */
void perfetto_record(struct perfetto *p, const struct retire *r, const char *instruction, const char *trap);

/* Ends the file, with what it says of where it was cut ("": it was not), and destroys p, which may be NULL. False:
 * memory ran out, and records are missing. */
bool perfetto_finish(struct perfetto *p, const char *cut);

#endif
