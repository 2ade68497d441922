/* SPDX-License-Identifier: Apache-2.0 */
/* A launch as the list of register and window writes that a host makes: clear of global memory, code, constants, launch
 * registers, parameters, initial global memory. The list excludes the start.
 *
 *     struct host_write_op *writes = NULL;
 *     size_t count = host_plan(&run, &machine, &writes);     // 0: out of memory
 *     for (size_t i = 0; i < count; i++) bus_write(writes[i].adr, writes[i].value);
 *     bus_write(HOST_CONTROL, 1);
 *     free(writes);
 */
#ifndef WARPSTEP_HOST_PLAN_H
#define WARPSTEP_HOST_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../assembler/base/linkage.h"
#include "../../cmodel/run/launch.h"

C_LINKAGE_BEGIN

enum { HOST_CLEAR_GLOBAL = 2 }; /* to HOST_CONTROL */

struct host_write_op {
    uint32_t adr, value; /* addresses of host_regs.h */
};

/* Makes the list, which the caller frees, and returns its length; 0 if out of memory. */
size_t host_plan(const struct launch *run, const struct machine *machine, struct host_write_op **writes);

/* The same for a launch that keeps global memory, which is neither cleared nor written. */
size_t host_plan_again(const struct launch *run, const struct machine *machine, struct host_write_op **writes);

/* The writes of `size` bytes to global memory at `addr`, both multiples of 4. */
size_t host_plan_poke(uint32_t addr, const uint8_t *bytes, size_t size, struct host_write_op **writes);

/* The bits of a launch register, or of a word of a window, that read back as written. */
uint32_t host_plan_readable(uint32_t adr);

/* The value of HOST_CONFIG on a machine. */
uint32_t host_config(unsigned cores, const struct machine *machine);

/* The launch's local memory: a slice of global memory that avoids the bytes that the launch initialises, expects and
 * (if there is room) dumps. It lies at the top of global memory if it fits there, else at the top of the largest gap.
 * Not every warp slot needs local memory: only as many as blocks can be resident, and as there is room for. */
struct host_local {
    uint32_t base;  /* first byte of the slice, a multiple of 128; the end of global memory if there is none */
    uint32_t size;  /* bytes of the slice: all warp slots of all SMs */
    uint32_t bytes; /* per thread; 0: the launch needs none */
    unsigned warps; /* warp slots of each SM that have local memory */
    uint32_t room;  /* bytes of the gap that holds it, or that was too small */
};

/* Finds the slice. False if one block of each SM does not fit. */
bool host_plan_local(const struct launch *run, const struct machine *machine, struct host_local *local);

C_LINKAGE_END

#endif
