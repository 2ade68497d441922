/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of a machine: arguments of the C model's creation, and generics of the RTL. spec/machine.def describes
 * each member. */
#ifndef WARPSTEP_MACHINE_H
#define WARPSTEP_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "../assembler/base/linkage.h"
#include "../spec/machine.def"

C_LINKAGE_BEGIN

enum { WARP_LANES = 32 };

#define MACHINE_NOTHING(...)
#define MACHINE_NUMBER(GENERIC, member, ...) unsigned member;
#define MACHINE_UNIT(GENERIC, member, ...)   bool member;
#define MACHINE_LIMIT(member, ...)           unsigned member;
struct machine {
    MACHINE_LIST(MACHINE_NOTHING, MACHINE_NUMBER, MACHINE_UNIT, MACHINE_NUMBER, MACHINE_LIMIT)
};

/* The defaults of the contract, as an initializer. Source: Roascio 2018; stack: 31 diverged groups and as many nested
 * SSY, CAL and PBK. */
#define MACHINE_NUMBER_DEFAULT(GENERIC, member, number, ...) number,
#define MACHINE_UNIT_DEFAULT(GENERIC, member, model, ...)    model,
#define MACHINE_LIMIT_DEFAULT(member, number, ...)           number,
#define MACHINE_DEFAULT                                                                                     \
    {                                                                                                       \
        MACHINE_LIST(MACHINE_NOTHING, MACHINE_NUMBER_DEFAULT, MACHINE_UNIT_DEFAULT, MACHINE_NUMBER_DEFAULT, \
                     MACHINE_LIMIT_DEFAULT)                                                                 \
    }

/* MACHINE_LEAST_GLOBAL_BYTES, MACHINE_MOST_GLOBAL_BYTES, ...: the bounds of each number. */
#define MACHINE_BOUNDS(GENERIC, member, number, least, most, ...) \
    MACHINE_LEAST_##GENERIC = (least), MACHINE_MOST_##GENERIC = (most),
enum { MACHINE_LIST(MACHINE_BOUNDS, MACHINE_BOUNDS, MACHINE_NOTHING, MACHINE_BOUNDS, MACHINE_NOTHING) };

/* Threads and warps of a block of x * y * z threads. */
static inline unsigned block_threads(const uint32_t dim[3]) { return dim[0] * dim[1] * dim[2]; }
static inline unsigned block_warps(const uint32_t dim[3]) { return (block_threads(dim) + WARP_LANES - 1) / WARP_LANES; }

C_LINKAGE_END

#endif
