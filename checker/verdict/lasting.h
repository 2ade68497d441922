/* SPDX-License-Identifier: Apache-2.0 */
/* Launches one after another in lockstep, over persistent global memory. The simulation and the model stay open; both
 * begin with zeroed memory, and the host's writes go to both.
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
 * Comparisons: every record, during the launch. At its end, in global memory, the pages of the model's stores, and
 * those to which the simulation's memory has seen stores (sim_api.stored); all others are unchanged since their last
 * comparison. If a simulation does not report its stores, a few more pages are compared after each launch, in turn, so
 * that a stray store is found later: in that page's turn, when the host reads it, or by the record of a kernel that
 * loads it. Of code and constants some words are compared after each launch, in turn. Local memory, beyond host_bytes,
 * exists only in the RTL; the model adopts its contents. */
#ifndef WARPSTEP_LASTING_H
#define WARPSTEP_LASTING_H

#include <stdbool.h>

#include "../../assembler/base/diag.h"
#include "../../assembler/base/linkage.h"
#include "../port/sim.h"
#include "lockstep.h"

C_LINKAGE_BEGIN

struct lasting;

/* Opens the simulation, of version 8 or later, with these options, which are copied except their texts.
 * STATUS_BAD_INPUT if it cannot be opened or does not support persistent memory. */
enum status lasting_open(const struct sim_api *api, const struct sim_options *options, uint32_t host_bytes,
                         struct lasting **memory, struct diag *d);
void lasting_close(struct lasting *memory); /* NULL is allowed */

/* Bytes below host_bytes. lasting_read returns the RTL's; STATUS_DIFFERS if the model's differ, which the RTL then
 * gets, too. STATUS_BAD_INPUT: the simulation has failed. */
enum status lasting_write(struct lasting *memory, uint32_t addr, const uint8_t *bytes, size_t size, struct diag *d);
enum status lasting_read(struct lasting *memory, uint32_t addr, uint8_t *bytes, size_t size, struct diag *d);

/* Runs the launch of `l` to its end and checks everything; lockstep_result has the result. After anything but a pass or
 * a trap the simulation is reopened with the model's memory. False with *d filled if that failed: then only
 * lasting_close is allowed. */
bool lasting_run(struct lasting *memory, struct lockstep *l, struct diag *d);

/* Waves of the launches from the next one on go to `path`. False if the simulation does not support it. */
bool lasting_wave(struct lasting *memory, const char *path);

C_LINKAGE_END

#endif
