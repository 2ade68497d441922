// SPDX-License-Identifier: Apache-2.0
// A netlist of ECP5 cells as yosys writes it (JSON): the source line of a cell in the VHDL, and an estimate of its
// timing before placement.
#ifndef WARPSTEP_TIMING_NETLIST_H
#define WARPSTEP_TIMING_NETLIST_H

#include <jansson.h>
#include <stdbool.h>

#include "fpga/timing/graph.h"

// The cells of a design's top module, borrowed from it; NULL if there is none.
json_t *netlist_cells(json_t *design);

// The source of a cell: "rtl/front/sched.vhd:60", with its length in `length`; NULL if yosys does not know it.
const char *netlist_source(json_t *cells, const char *cell, size_t *length);

// True for an input of the cell.
bool netlist_is_input(json_t *cell, const char *port);

// The text after the original's name in that of a copy (replicate.c), before a number.
#define NETLIST_COPY "_copy_"

// The number of wires: one more than the largest number at a pin of a cell.
size_t netlist_wires(json_t *cells);

// All pins and arcs, with the delays of speed grade 6 and an average delay for wires.
void netlist_estimate(json_t *cells, struct graph *g);

#endif
