// SPDX-License-Identifier: Apache-2.0
// The delays of a placed or routed netlist, as written by nextpnr (SDF).
#ifndef WARPSTEP_TIMING_SDF_H
#define WARPSTEP_TIMING_SDF_H

#include "fpga/timing/graph.h"

// False if the file cannot be read.
bool sdf_read(const char *file, struct graph *g);

// True if a port of this name is a cell's clock.
bool sdf_is_clock(const char *port);

#endif
