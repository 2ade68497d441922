/* SPDX-License-Identifier: Apache-2.0 */
/* The RTL of a machine: its generics, which name a build (spec/machine_name.h). */
#ifndef WARPSTEP_MACHINE_BUILD_H
#define WARPSTEP_MACHINE_BUILD_H

#include <stdint.h>

#include "../../cmodel/machine.h"
#include "../../spec/machine_name.h"

C_LINKAGE_BEGIN

/* The generics of a machine with this number of cores an SM, and a bus of this number of words (0: no bus). */
struct machine_build machine_build_of(const struct machine *machine, unsigned cores, unsigned bus_words);

/* The machine that this RTL implements. */
struct machine machine_of_build(const struct machine_build *build);

C_LINKAGE_END

#endif
