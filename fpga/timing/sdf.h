// SPDX-License-Identifier: Apache-2.0
// The delays of a placed or routed netlist, as nextpnr writes them (SDF).
#ifndef WARPSTEP_TIMING_SDF_H
#define WARPSTEP_TIMING_SDF_H

#include "fpga/timing/graph.h"

// False where the file cannot be read.
bool sdf_read(const char *file, struct graph *g);

// Whether cells have a clock at a port of this name.
bool sdf_is_clock(const char *port);

#endif
