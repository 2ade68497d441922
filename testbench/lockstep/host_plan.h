/* SPDX-License-Identifier: Apache-2.0 */
/* A launch as the list of register and window writes that a host makes: clear of global memory, code, constants, launch
 * registers, parameters, initial global memory. The start is not among them.
 *
 *     struct host_write_op *writes = NULL;
 *     size_t count = host_plan(&run, &machine, &writes);     // 0: out of memory
 *     for (size_t i = 0; i < count; i++) bus_write(writes[i].adr, writes[i].value);
 *     bus_write(HOST_CONTROL, 1);
 *     free(writes);
 */
#ifndef WARPSTEP_HOST_PLAN_H
#define WARPSTEP_HOST_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "../../cmodel/launch.h"

struct host_write_op {
    uint32_t adr, value; /* addresses of host_regs.h */
};

/* Makes the list, which the caller frees, and returns its length; 0 when memory is out. */
size_t host_plan(const struct launch *run, const struct machine *machine, struct host_write_op **writes);

/* Where the launch's local memory lies: the top of global memory, one slice for every thread that can be resident. */
uint32_t host_local_base(const struct launch *run, const struct machine *machine);

#endif
