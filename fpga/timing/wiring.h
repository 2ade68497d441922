// SPDX-License-Identifier: Apache-2.0
// The wires of a placement and their costs: their time, each weighted by the slowest path through it; their length; and
// crowding beyond the capacity of routers.
#ifndef WARPSTEP_TIMING_WIRING_H
#define WARPSTEP_TIMING_WIRING_H

#include "fpga/timing/graph.h"
#include "fpga/timing/placement.h"

struct wiring;

// The graph has the delays of cells; wires get the delays of routed wires of their length.
struct wiring *wiring_of(struct graph *g, const struct placement *places);
void wiring_destroy(struct wiring *w);

// Times all paths and weighs the wires: paths count if they are about as slow as the slowest, or take longer than
// `target_ns`. Returns the slowest path, in ns.
double wiring_weigh(struct wiring *w, double target_ns);
// The difference in cost between the present places of these units and those last kept. A unit may be listed twice.
double wiring_compare(struct wiring *w, const int *units, int count);
// Keeps the places of the last comparison.
void wiring_keep(struct wiring *w);

// Wires of large weight: their number, and the units at the ends of one.
int wiring_late_count(const struct wiring *w);
void wiring_late(const struct wiring *w, int late, int units[2]);

// Total length of all nets in tiles, and the excess over the capacity.
long wiring_length(const struct wiring *w);
long wiring_crowd(const struct wiring *w);

#endif
