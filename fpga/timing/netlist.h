// SPDX-License-Identifier: Apache-2.0
// A netlist of ECP5 cells as yosys writes it (JSON): which line of the VHDL a cell comes from, and an estimate of its
// timing before anything is placed.
#ifndef WARPSTEP_TIMING_NETLIST_H
#define WARPSTEP_TIMING_NETLIST_H

#include <jansson.h>
#include <stdbool.h>

#include "fpga/timing/graph.h"

// The cells of the module that is the top of a design, borrowed from it; NULL where there is none.
json_t *netlist_cells(json_t *design);

// Where a cell comes from: "rtl/front/sched.vhd:60" and its length in `length`; NULL where yosys knows nothing of it.
const char *netlist_source(json_t *cells, const char *cell, size_t *length);

// Whether this is an input of the cell.
bool netlist_is_input(json_t *cell, const char *port);

// What follows the original's name in that of a copy (replicate.c), before a number.
#define NETLIST_COPY "_copy_"

// Wires have numbers: one more than the largest that a pin of a cell has.
size_t netlist_wires(json_t *cells);

// All pins and arcs, with the delays of speed grade 6. A wire takes what it takes on average.
void netlist_estimate(json_t *cells, struct graph *g);

#endif
