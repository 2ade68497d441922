/* SPDX-License-Identifier: Apache-2.0 */
/* The units of a machine (spec/machine.def) that operations need (spec/ops.def). */
#ifndef WARPSTEP_MACHINE_HAS_H
#define WARPSTEP_MACHINE_HAS_H

#include "../spec/instructions.h"
#include "machine.h"

/* True for NEED_NOTHING, false for NEED_NO_MACHINE. */
static inline bool machine_has(const struct machine *machine, enum isa_need need) {
#define HAS(GENERIC, member, ...) \
    if (need == NEED_##GENERIC) return machine->member != 0;
    MACHINE_LIST(MACHINE_NOTHING, MACHINE_NOTHING, HAS, HAS, MACHINE_NOTHING)
#undef HAS
    return need == NEED_NOTHING;
}

#endif
