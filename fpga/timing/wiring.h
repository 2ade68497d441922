// SPDX-License-Identifier: Apache-2.0
// The wires of a placement and what they cost: their time, each weighted by how late the slowest path through it is;
// their length; and the crowds of wires that no router finds room for.
#ifndef WARPSTEP_TIMING_WIRING_H
#define WARPSTEP_TIMING_WIRING_H

#include "fpga/timing/graph.h"
#include "fpga/timing/placement.h"

struct wiring;

// The graph has the delays of cells; wires get those of routed ones of their distance.
struct wiring *wiring_of(struct graph *g, const struct placement *places);
void wiring_destroy(struct wiring *w);

// Times all paths and weighs the wires: paths count that are about as slow as the slowest, or take longer than
// `target_ns`. Returns the slowest path, in ns.
double wiring_weigh(struct wiring *w, double target_ns);
// How much more, or less, the places of these units cost than those that were kept last. One may be named twice.
double wiring_compare(struct wiring *w, const int *units, int count);
// Keeps the places that were compared last.
void wiring_keep(struct wiring *w);

// Wires that count much: their number, and the units at the ends of one.
int wiring_late_count(const struct wiring *w);
void wiring_late(const struct wiring *w, int late, int units[2]);

// Tiles of length of all nets, and how many of them are too many where they are.
long wiring_length(const struct wiring *w);
long wiring_crowd(const struct wiring *w);

#endif
