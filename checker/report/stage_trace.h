/* SPDX-License-Identifier: Apache-2.0 */
/* A trace for Konata with the stages of the pipeline, from the simulation's view of them in each cycle
 * (sim_options.look). A beat of an instruction is a lane: the first row of the first word of an access is lane 0, which
 * also has the stages before ROWS; of a beat that stays for further passes, the last copy counts. An instruction that
 * the scoreboard rejects, or that a trap stops, is flushed. After RESOLVE a beat is in FLOAT, the stages of floating
 * point, until it is in WRITE. Names and places come from the records: events are written once the record has arrived.
 *
 *     struct stage_trace *t = stage_trace_create(kanata, api->stages, cores, 1, image);
 *     sim_options.look calls stage_trace_look(t, look);
 *     stage_trace_record(t, &record, model);               for each record, of each SM in its order
 *     whole = stage_trace_close(t);
 */
#ifndef WARPSTEP_STAGE_TRACE_H
#define WARPSTEP_STAGE_TRACE_H

#include <stdbool.h>

#include "../../assembler/image/image.h"
#include "../../cmodel/model.h"
#include "../../cmodel/run/kanata.h"
#include "../port/sim.h"

struct stage_trace;

/* Of one launch: sim_look.launch. out and image must stay valid. NULL if out of memory. */
struct stage_trace *stage_trace_create(struct kanata *out, const char *stages, unsigned cores, unsigned launch,
                                       const struct image *image);
void stage_trace_look(struct stage_trace *t, const struct sim_look *look);
void stage_trace_record(struct stage_trace *t, const struct retire *record, const struct model *m);
/* Writes the rest. False if memory ran out; t may be NULL. */
bool stage_trace_close(struct stage_trace *t);

#endif
