/* SPDX-License-Identifier: Apache-2.0 */
/* Launches one after another in lockstep, over a global memory that lasts. The simulation stays open, and so does the
 * model; both begin with a memory that is all 0, and what the host writes goes to both.
 *
 *     struct lasting *memory = NULL;
 *     lasting_open(api, &sim_options, host_bytes, &memory, &d);
 *     lasting_write(memory, 0x1000, bytes, size, &d);
 *     struct lockstep_options options = {.run = &run, .machine = sim_options.machine, .lasting = memory};
 *     struct lockstep *l = lockstep_create(&options, &d);       // for each launch
 *     lasting_run(memory, l, &d);
 *     if (lockstep_result(l)->status != LOCKSTEP_PASS) lockstep_report(l, NULL, stderr);
 *     lockstep_destroy(l);
 *     lasting_read(memory, 0x1000, bytes, size, &d);
 *     lasting_close(memory);
 *
 * What is compared when: every record, in the launch. At its end, of global memory, what the launch has stored at: the
 * pages of the model's stores, and those at which the simulation's memory has seen stores arrive (sim_api.stored); all
 * others hold what they held when they were compared last. A simulation that does not tell has, besides the model's, a
 * few more pages compared after each launch, in turn, so that a store that went astray is found later: then, or when
 * the host reads the place, or when a kernel loads what is there, by that record. Of code and constants some words
 * after each launch, in turn. Behind host_bytes is local memory, which the RTL alone has there; the model takes over
 * what it finds. */
#ifndef WARPSTEP_LASTING_H
#define WARPSTEP_LASTING_H

#include <stdbool.h>

#include "../../assembler/base/diag.h"
#include "../../assembler/base/linkage.h"
#include "../port/sim.h"
#include "lockstep.h"

C_LINKAGE_BEGIN

struct lasting;

/* Opens the simulation, of version 8 or later, with these options, which are copied but for their texts.
 * STATUS_BAD_INPUT where it cannot be opened or has no launch over what is there. */
enum status lasting_open(const struct sim_api *api, const struct sim_options *options, uint32_t host_bytes,
                         struct lasting **memory, struct diag *d);
void lasting_close(struct lasting *memory); /* NULL is nothing */

/* Bytes below host_bytes. lasting_read gives the RTL's; STATUS_DIFFERS where the model has others, which the RTL has
 * then, too. STATUS_BAD_INPUT: the simulation has failed. */
enum status lasting_write(struct lasting *memory, uint32_t addr, const uint8_t *bytes, size_t size, struct diag *d);
enum status lasting_read(struct lasting *memory, uint32_t addr, uint8_t *bytes, size_t size, struct diag *d);

/* Runs the launch of `l` to its end, checking everything; lockstep_result has what came of it. Where that is neither a
 * pass nor a trap the simulation is opened anew, with the model's memory. False with *d filled where that failed: then
 * nothing but lasting_close is left. */
bool lasting_run(struct lasting *memory, struct lockstep *l, struct diag *d);

/* Waves of the launches from the next one on go to `path`. False where the simulation cannot. */
bool lasting_wave(struct lasting *memory, const char *path);

C_LINKAGE_END

#endif
