/* SPDX-License-Identifier: Apache-2.0 */
/* Trace events in JSON for Perfetto: a process for each SM, a thread for each warp slot, both named, numbered from 1. A
 * thread has a slice for each warp of a block; it contains a slice for each instruction, from the warp's previous
 * record to its own, which contains the wait, by its cause. Counters of each SM: resident warps, warps at barriers,
 * lanes of the last instruction; of each slot: stack entries. A cycle is a microsecond.
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

/* Begins the file. image: source lines; may be NULL. NULL if out of memory. */
struct perfetto *perfetto_create(FILE *out, const struct image *image);

/* trap: description of the record's trap; "" if none. */
void perfetto_record(struct perfetto *p, const struct retire *r, const char *instruction, const char *trap);

/* Ends the file, with a note on its truncation ("": complete), and destroys p, which may be NULL. False: out of memory,
 * records are missing. */
bool perfetto_finish(struct perfetto *p, const char *cut);

#endif
