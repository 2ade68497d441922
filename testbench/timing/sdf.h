// SPDX-License-Identifier: Apache-2.0
// The delays of a placed or routed netlist, as nextpnr writes them (SDF).
#ifndef WARPSTEP_TIMING_SDF_H
#define WARPSTEP_TIMING_SDF_H

#include "testbench/timing/graph.h"

// False where the file cannot be read.
bool sdf_read(const char *file, struct graph *g);

#endif
