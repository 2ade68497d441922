// SPDX-License-Identifier: Apache-2.0
// Moves cells of a placed ECP5 netlist so that its slowest paths become shorter and no wires crowd: nextpnr's placers
// minimise the total length of wires first. Simulated annealing, with the costs of wiring.h.
//
//     refine [-f MHZ] [-c NET=MHZ]... [-r ROUNDS] [-p FROM-TO] [-s SEED] PLACED.json DELAYS.sdf > PLACED.json
//
// With -p only the rounds from FROM up to but excluding TO: other tools may change the netlist (regroup.c) in between.
//
// From the delays, which nextpnr wrote with the placement, it takes those of cells, and the list of wires. Its progress
// and the clocks before and after go to stderr. Beyond MHZ there is no gain; nor on the clock NET beyond its own rate:
// a path that ends there counts as longer by the difference of the periods. A cell with any port on that clock counts
// as clocked by it, and a path from another clock counts like any other.
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fpga/timing/graph.h"
#include "fpga/timing/placement.h"
#include "fpga/timing/sdf.h"
#include "fpga/timing/wiring.h"

#define FAR    14   // initial maximum distance of a move, in tiles
#define HEAT   0.06 // initially: a change that costs this much more is accepted in one of e cases
#define TRIES  2    // changes tried in a round for each unit
#define PAIRS  4    // one in this many moves of late wires moves both ends
#define SHOWN  20   // number of rounds reported
#define CLOCKS 8    // of other frequencies, at most
#define USAGE \
    "usage: refine [-f MHZ] [-c NET=MHZ]... [-r ROUNDS] [-p FROM-TO] [-s SEED] PLACED.json DELAYS.sdf > PLACED.json\n"

struct refine {
    struct graph *graph;
    struct placement *places;
    struct wiring *wiring;
    uint64_t random;
};

// xorshift64*
static uint32_t random_below(struct refine *r, uint32_t limit) {
    r->random ^= r->random >> 12;
    r->random ^= r->random << 25;
    r->random ^= r->random >> 27;
    return (uint32_t)((r->random * 2685821657736338717u >> 32) * limit >> 32);
}

static int near_by(struct refine *r, int at, int far) { return at + (int)random_below(r, 2 * (uint32_t)far + 1) - far; }

// A trial: a unit moves, or both units of a late wire move by the same distance. (If a path returns the way it came,
// moving one of them lengthens one wire by as much as it shortens the other.)
struct trial {
    struct change moves[2];
    int count;
};

static void undo(struct refine *r, const struct trial *t) {
    for (int i = t->count - 1; i >= 0; i--) placement_undo(r->places, &t->moves[i]);
}

// A unit of logic, by a number of tiles.
static bool shift(struct refine *r, int unit, int x, int y, struct trial *t) {
    const struct unit *u = placement_at(r->places, unit);
    if (u->fixed || !placement_move(r->places, unit, u->x + x, u->y + y, (int)random_below(r, 8), &t->moves[t->count]))
        return false;
    t->count++;
    return true;
}

static bool shift_both(struct refine *r, const int units[2], int far, struct trial *t) {
    const int x = near_by(r, 0, far), y = near_by(r, 0, far);
    if (units[0] == units[1]) return false;
    if (shift(r, units[0], x, y, t) && shift(r, units[1], x, y, t)) return true;
    undo(r, t);
    return false;
}

// At random: a unit to anywhere, or a unit of a late wire (as often as not near its other end), or both units of one.
static bool change(struct refine *r, int far, struct trial *t) {
    const int late = wiring_late_count(r->wiring);
    int unit = (int)random_below(r, (uint32_t)placement_count(r->places)), near = unit;
    t->count = 0;
    if (late && random_below(r, 2)) {
        int ends[2];
        wiring_late(r->wiring, (int)random_below(r, (uint32_t)late), ends);
        if (random_below(r, PAIRS) == 0) return shift_both(r, ends, far, t);
        const unsigned end = random_below(r, 2);
        unit = ends[end];
        near = ends[end ^ random_below(r, 2)];
    }
    struct change *c = &t->moves[0];
    t->count = 1;
    if (placement_is_block(r->places, unit)) return placement_move_block(r->places, unit, random_below(r, 1u << 16), c);
    const struct unit *to = placement_at(r->places, near);
    const int reach = near == unit ? far : 1 + far / 4;
    const int x = near_by(r, to->x, reach), y = near_by(r, to->y, reach);
    if (placement_at(r->places, unit)->fixed) return placement_move_tile(r->places, unit, x, y, c);
    return placement_move(r->places, unit, x, y, (int)random_below(r, 8), c);
}

// The increase of the cost.
static double compare(struct refine *r, struct trial *t) {
    struct change *c = &t->moves[0];
    if (t->count == 1) return wiring_compare(r->wiring, c->units, c->count);
    int units[2 * FEW_MOVED], count = 0;
    for (int i = 0; i < t->count; i++)
        for (int k = 0; k < t->moves[i].count; k++) units[count++] = t->moves[i].units[k];
    return wiring_compare(r->wiring, units, count);
}

static bool accepts(struct refine *r, double worse, double heat) {
    return worse <= 0 || (heat > 0 && random_below(r, 1u << 24) < exp(-worse / heat) * (1u << 24));
}

struct rounds {
    int all, from, to;
};

static void anneal(struct refine *r, struct rounds rounds, double target_ns) {
    struct trial t;
    for (int round = rounds.from; round < rounds.to; round++) {
        const double left = 1 - (double)round / rounds.all, slowest = wiring_weigh(r->wiring, target_ns);
        const double heat = round + 1 < rounds.all ? HEAT * left * left : 0;
        const int far = 1 + (int)(FAR * left * left);
        const long tries = (long)TRIES * placement_count(r->places);
        if (round % (1 + rounds.all / SHOWN) == 0)
            fprintf(stderr, "refine: round %d: %.2f ns, %ld tiles of wire, %ld too many, %d late wires\n", round,
                    slowest, wiring_length(r->wiring), wiring_crowd(r->wiring), wiring_late_count(r->wiring));
        for (long i = 0; i < tries; i++) {
            if (!change(r, far, &t)) continue;
            if (accepts(r, compare(r, &t), heat))
                wiring_keep(r->wiring);
            else
                undo(r, &t);
        }
    }
}

static json_t *first_module(json_t *design) {
    return json_object_iter_value(json_object_iter(json_object_get(design, "modules")));
}

// The wire of a net, or -1.
static json_int_t wire_of(json_t *module, const char *net) {
    json_t *bits = json_object_get(json_object_get(json_object_get(module, "netnames"), net), "bits");
    return json_array_size(bits) == 1 ? json_integer_value(json_array_get(bits, 0)) : -1;
}

static bool has_clock(json_t *cell, json_int_t wire) {
    const char *port;
    json_t *bits;
    json_object_foreach(json_object_get(cell, "connections"), port, bits) {
        if (sdf_is_clock(port) && json_integer_value(json_array_get(bits, 0)) == wire) return true;
    }
    return false;
}

// In nanoseconds, from a text in MHz; 0 if invalid.
static double period_of(const char *mhz) {
    char *end;
    const double value = strtod(mhz, &end);
    return end == mhz || *end || !(value > 0) || !isfinite(value) ? 0 : 1000 / value;
}

struct clock {
    char *net;
    double period_ns;
};

// NET=MHZ of an argument, which is cut in two.
static bool clock_of(char *argument, struct clock *clock) {
    char *mhz = strrchr(argument, '=');
    if (!mhz) return false;
    *mhz = '\0';
    *clock = (struct clock){.net = argument, .period_ns = period_of(mhz + 1)};
    return clock->period_ns > 0;
}

// Moves the sampling edge of this clock forward by this amount.
static bool hurry(struct graph *g, json_t *design, const char *net, double ns) {
    json_t *module = first_module(design);
    const json_int_t wire = wire_of(module, net);
    for (int i = 0, pins = graph_pin_count(g); i < pins && wire >= 0; i++) {
        const struct pin *pin = graph_at(g, i);
        if (pin->setup_ns >= 0 && has_clock(json_object_get(json_object_get(module, "cells"), pin->cell), wire))
            graph_sample(g, i, pin->setup_ns + ns);
    }
    if (wire < 0) fprintf(stderr, "refine: no net '%s'\n", net);
    return wire >= 0;
}

int main(int argc, char **argv) {
    struct refine r = {.random = 88172645463325252u};
    int option, clock_count = 0;
    struct rounds rounds = {1350, 0, INT_MAX};
    double target_ns = 10;
    struct clock clocks[CLOCKS];
    bool good = true;
    while ((option = getopt(argc, argv, "f:c:r:p:s:")) != -1)
        if (option == 'f')
            good = good && (target_ns = period_of(optarg)) > 0;
        else if (option == 'c')
            good = good && clock_count < CLOCKS && clock_of(optarg, &clocks[clock_count++]);
        else if (option == 'r')
            rounds.all = atoi(optarg);
        else if (option == 'p')
            good = good && sscanf(optarg, "%d-%d", &rounds.from, &rounds.to) == 2 && rounds.from >= 0;
        else if (option == 's')
            r.random += strtoull(optarg, NULL, 10) * 2654435761u;
        else
            good = false;
    if (!good || optind + 2 != argc) {
        fputs(USAGE, stderr);
        return 2;
    }
    if (rounds.to > rounds.all) rounds.to = rounds.all;
    json_error_t error;
    json_t *design = json_load_file(argv[optind], 0, &error);
    if (!design) {
        fprintf(stderr, "refine: %s:%d:%d: %s\n", argv[optind], error.line, error.column, error.text);
        return 2;
    }
    r.graph = graph_create();
    r.places = placement_of(design);
    if (!r.places) return 2;
    if (!sdf_read(argv[optind + 1], r.graph)) {
        perror(argv[optind + 1]);
        return 2;
    }
    for (int i = 0; i < clock_count; i++)
        if (!hurry(r.graph, design, clocks[i].net, target_ns - clocks[i].period_ns)) return 2;
    r.wiring = wiring_of(r.graph, r.places);
    const double before = wiring_weigh(r.wiring, target_ns);
    anneal(&r, rounds, target_ns);
    fprintf(stderr, "refine: %.2f MHz expected, %.2f before; %ld tiles of wire, %ld too many\n",
            1000 / wiring_weigh(r.wiring, target_ns), 1000 / before, wiring_length(r.wiring), wiring_crowd(r.wiring));
    placement_store(r.places);
    const bool written = json_dumpf(design, stdout, JSON_COMPACT) == 0;
    wiring_destroy(r.wiring);
    placement_destroy(r.places);
    graph_destroy(r.graph);
    json_decref(design);
    return written ? 0 : 2;
}
