/* SPDX-License-Identifier: Apache-2.0 */
/* The RTL of a machine: its generics, by which a build is named (spec/machine_name.h). */
#ifndef WARPSTEP_MACHINE_BUILD_H
#define WARPSTEP_MACHINE_BUILD_H

#include <stdint.h>

#include "../../cmodel/machine.h"
#include "../../spec/machine_name.h"

C_LINKAGE_BEGIN

/* Of a machine of so many cores an SM, with a bus of so many words or, with 0, none. */
struct machine_build machine_build_of(const struct machine *machine, unsigned cores, unsigned bus_words);

/* The machine whose RTL that is. */
struct machine machine_of_build(const struct machine_build *build);

C_LINKAGE_END

#endif
