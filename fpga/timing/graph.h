// SPDX-License-Identifier: Apache-2.0
// A netlist for timing analysis: pins, and arcs with delays. Signals are launched at pins (by a clock, from a register)
// and end at pins that a clock samples.
//
//     struct graph *g = graph_create();
//     graph_launch(g, graph_pin(g, "reg", "Q"), 0.5, 0);
//     graph_arc(g, graph_pin(g, "reg", "Q"), graph_pin(g, "lut", "A"), 0.9, 0);
//     ...
//     graph_settle(g);
#ifndef WARPSTEP_TIMING_GRAPH_H
#define WARPSTEP_TIMING_GRAPH_H

#include <stdbool.h>
#include <stddef.h>

struct pin {
    char *cell;
    char *port;
    double launch_ns; // from the clock's edge to this pin; below 0: not launched by a clock
    double launch_levels;
    double setup_ns;   // before the clock's next edge; below 0: not sampled
    double arrival_ns; // of the latest signal; below 0: none arrives
    double levels;     // of the path of that signal
    double after_ns;   // the slowest path from this pin to a sampling clock, with setup; below 0: none
    int before;        // the previous pin of this path; below 0: launched here
    int first_arc;     // of those that end here
    int place;         // in the order of signal flow; below 0: not known yet
};

struct arc {
    int from, to;
    int next; // of those that end at the same pin
    double ns;
    double levels;
};

struct graph;

struct graph *graph_create(void);
void graph_destroy(struct graph *g);

// The number of a pin, which is created if missing.
int graph_pin(struct graph *g, const char *cell, const char *port);
int graph_pin_count(const struct graph *g);
// Valid until the next pin is created.
const struct pin *graph_at(const struct graph *g, int pin);

void graph_launch(struct graph *g, int pin, double ns, double levels);
void graph_sample(struct graph *g, int pin, double setup_ns);
void graph_arc(struct graph *g, int from, int to, double ns, double levels);
int graph_arc_count(const struct graph *g);
// Readable, with a writable delay; valid until the next arc is created.
struct arc *graph_arc_at(struct graph *g, int arc);

// Computes the times of all pins from the arcs; to be repeated after delays have changed. An arc that closes a loop is
// ignored.
void graph_settle(struct graph *g);

#endif
