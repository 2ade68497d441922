// SPDX-License-Identifier: Apache-2.0
#include "fpga/timing/wiring.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fpga/timing/have.h"

// Speed grade 6: ns of a wire of zero length; of a tile; additional, of each of the first NEAR tiles. Medians of 7,000
// wires between LUTs at random places of an otherwise empty LFE5U-85F, routed by nextpnr 0.11. (Before routing it
// estimates up to twice as much for long ones.)
#define WIRE 0.65
#define TILE 0.035
#define NEAR 14

// A wire of a path slower by this much counts e times as much; one of the slowest path counts MOST.
#define LATER 0.6
#define MOST  15.0
#define HOT   0.5   // threshold of a late wire
#define COLD  0.005 // smaller weights count as zero
// Cost of a tile of a net's length. The length for which a bin of tiles has room; twice as much costs CROWD.
#define LENGTH 0.012
#define ROOM   1300.0
#define CROWD  300.0
#define BIN    4 // tiles, each way

enum { COLUMNS = 32, ROWS = 24, LONGER = 256 };

struct wire {
    int arc, from, to; // units
    int weighed;       // its length then
    int length;        // as kept
    float weight;      // at the length when it was weighed
};

struct spot {
    short x, y;
};

struct box {
    short left, right, low, high;
};

struct net {
    int first, count; // of its units
    float wires;      // wires of a net with this number of units, relative to a net of its half perimeter
    struct box box;   // as kept
};

struct list {
    int *items; // of unit u: from[u] .. from[u + 1] - 1
    int *from;
};

struct wiring {
    struct graph *graph;
    const struct placement *places;
    struct wire *wires;
    struct net *nets;
    int *net_units;
    int wire_count, net_count;
    struct list wires_of, nets_of; // wires: those that count
    struct spot *spots;            // where units are
    int *late, late_count;
    double rise[2 * LONGER + 1]; // increase of the cost of a wire of weight 1 that becomes this much longer
    float demand[COLUMNS * ROWS];
    // The nets and wires of the last comparison, with their earlier state.
    int *seen_wire, *seen_net, seen;
    struct box *new_box;
    int *new_length, *changed_wires, *changed_nets, changed_wire_count, changed_net_count;
    int *touched_nets, touched_net_count;
    bool *is_stale; // a touched net with an outdated box
    int moved[MOST_MOVED], moved_count;
    struct spot from[MOST_MOVED];
    float more[COLUMNS * ROWS];
    int touched[COLUMNS * ROWS], touched_count;
    bool is_touched[COLUMNS * ROWS];
};

// ------------------------------------------------------------------------------------------------ lengths

static struct spot spot_of(const struct placement *p, int unit) {
    const struct unit *u = placement_at(p, unit);
    return (struct spot){(short)u->x, (short)u->y};
}

// In units of TILE.
static int length_of(const struct wiring *w, const struct wire *wire) {
    const struct spot a = w->spots[wire->from], b = w->spots[wire->to];
    const int tiles = abs(a.x - b.x) + abs(a.y - b.y);
    return tiles + (tiles < NEAR ? tiles : NEAR);
}

static struct box joined(struct box b, struct spot s) {
    return (struct box){s.x < b.left ? s.x : b.left, s.x > b.right ? s.x : b.right, s.y < b.low ? s.y : b.low,
                        s.y > b.high ? s.y : b.high};
}

static struct box box_of(const struct wiring *w, const struct net *n) {
    const int *units = &w->net_units[n->first];
    const struct spot s = w->spots[units[0]];
    struct box box = {s.x, s.x, s.y, s.y};
    for (int i = 1; i < n->count; i++) box = joined(box, w->spots[units[i]]);
    return box;
}

// True if a box still ends at a unit after one of its units has moved to another spot.
static bool holds(const struct box *b, struct spot from, struct spot to) {
    return (from.x > b->left || to.x <= b->left) && (from.x < b->right || to.x >= b->right) &&
           (from.y > b->low || to.y <= b->low) && (from.y < b->high || to.y >= b->high);
}

static int perimeter(const struct box *b) { return b->right - b->left + b->high - b->low; }

// ------------------------------------------------------------------------------------------------ crowds

// Adds the demand of a net, evenly over its box.
static void spread(struct wiring *w, const struct net *n, const struct box *b, float sign) {
    const int left = b->left / BIN, right = b->right / BIN, low = b->low / BIN, high = b->high / BIN;
    const float each = sign * n->wires * (float)(perimeter(b) + 2) / (float)((right - left + 1) * (high - low + 1));
    for (int y = low; y <= high; y++)
        for (int x = left; x <= right; x++) {
            const int bin = y * COLUMNS + x;
            if (!w->is_touched[bin]) w->touched[w->touched_count++] = bin;
            w->is_touched[bin] = true;
            w->more[bin] += each;
        }
}

static double crowded(double demand) {
    const double over = demand / ROOM - 1;
    return over > 0 ? CROWD * over * over : 0;
}

// The cost of the added demand; `keep`: adds it permanently.
static double settle_spread(struct wiring *w, bool keep) {
    double cost = 0;
    for (int i = 0; i < w->touched_count; i++) {
        const int bin = w->touched[i];
        const float now = w->demand[bin] + w->more[bin];
        cost += crowded(now) - crowded(w->demand[bin]);
        if (keep) w->demand[bin] = now;
    }
    return cost;
}

static void forget_spread(struct wiring *w) {
    for (int i = 0; i < w->touched_count; i++) {
        w->more[w->touched[i]] = 0;
        w->is_touched[w->touched[i]] = false;
    }
    w->touched_count = 0;
}

// --------------------------------------------------------------------------------------------------- setting up

// Carries, a LUT's own register and clocks take no time at any place.
static bool takes_time(const struct pin *from, const struct pin *to, double ns) {
    return strcmp(from->cell, to->cell) != 0 && strcmp(from->port, "FCO") != 0 && strcmp(to->port, "DI") != 0 &&
           !(ns == 0 && !strncmp(to->port, "CLK", 3)) && strcmp(to->port, "WCK") != 0;
}

static void find_wires(struct wiring *w) {
    const int pins = graph_pin_count(w->graph), arcs = graph_arc_count(w->graph);
    int *unit = have(malloc((size_t)(pins + 1) * sizeof *unit));
    for (int i = 0; i < pins; i++) unit[i] = placement_find(w->places, graph_at(w->graph, i)->cell);
    w->wires = have(calloc((size_t)arcs + 1, sizeof *w->wires));
    for (int i = 0; i < arcs; i++) {
        const struct arc *arc = graph_arc_at(w->graph, i);
        const int from = unit[arc->from], to = unit[arc->to];
        if (from < 0 || to < 0 || !takes_time(graph_at(w->graph, arc->from), graph_at(w->graph, arc->to), arc->ns))
            continue;
        w->wires[w->wire_count] = (struct wire){.arc = i, .from = from, .to = to};
        w->wire_count++;
    }
    free(unit);
}

static int by_start(const void *a, const void *b) {
    const int *x = a, *y = b;
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

// A net is driven by one pin: its unit and those of the readers, each once.
static void find_nets(struct wiring *w) {
    const int count = 2 * w->wire_count;
    int(*ends)[2] = have(malloc((size_t)(count + 1) * sizeof *ends)), units = 0;
    for (int i = 0; i < count; i++) {
        const struct wire *wire = &w->wires[i / 2];
        ends[i][0] = graph_arc_at(w->graph, wire->arc)->from;
        ends[i][1] = i % 2 ? wire->to : wire->from;
    }
    qsort(ends, (size_t)count, sizeof *ends, by_start);
    w->nets = have(calloc((size_t)count + 1, sizeof *w->nets));
    w->net_units = have(malloc((size_t)(count + 1) * sizeof *w->net_units));
    w->net_count = 0;
    for (int i = 0; i < count; i++) {
        const bool same_pin = i > 0 && ends[i][0] == ends[i - 1][0];
        if (same_pin && ends[i][1] == ends[i - 1][1]) continue;
        if (!same_pin) w->nets[w->net_count++] = (struct net){.first = units};
        w->nets[w->net_count - 1].count++;
        w->net_units[units++] = ends[i][1];
    }
    free(ends);
    for (int n = 0; n < w->net_count; n++) {
        struct net *net = &w->nets[n];
        net->wires = net->count < 4 ? 1 : powf((float)net->count / 4, 0.35F);
        net->box = box_of(w, net);
        spread(w, net, &net->box, 1);
    }
    settle_spread(w, true);
    forget_spread(w);
}

// Makes a list for each unit from pairs of a unit and an item.
static struct list list_of(int units, const int (*pairs)[2], int count) {
    struct list l = {have(malloc((size_t)(count + 1) * sizeof *l.items)),
                     have(calloc((size_t)units + 2, sizeof *l.from))};
    for (int i = 0; i < count; i++) l.from[pairs[i][0] + 2]++;
    for (int i = 0; i < units; i++) l.from[i + 2] += l.from[i + 1];
    for (int i = 0; i < count; i++) l.items[l.from[pairs[i][0] + 1]++] = pairs[i][1];
    return l;
}

static void list_nets(struct wiring *w) {
    int(*pairs)[2] = have(malloc((size_t)(2 * w->wire_count + 1) * sizeof *pairs)), count = 0;
    for (int n = 0; n < w->net_count; n++)
        for (int i = 0; i < w->nets[n].count; i++) {
            pairs[count][0] = w->net_units[w->nets[n].first + i];
            pairs[count++][1] = n;
        }
    w->nets_of = list_of(placement_count(w->places), (const int(*)[2])pairs, count);
    free(pairs);
}

static void free_list(struct list *l) {
    free(l->items);
    free(l->from);
}

static void list_wires(struct wiring *w) {
    int(*pairs)[2] = have(malloc((size_t)(2 * w->wire_count + 1) * sizeof *pairs)), count = 0;
    for (int i = 0; i < w->wire_count; i++) {
        const struct wire *wire = &w->wires[i];
        if (wire->weight < COLD) continue;
        pairs[count][0] = wire->from;
        pairs[count++][1] = i;
        if (wire->to == wire->from) continue;
        pairs[count][0] = wire->to;
        pairs[count++][1] = i;
    }
    free_list(&w->wires_of);
    w->wires_of = list_of(placement_count(w->places), (const int(*)[2])pairs, count);
    free(pairs);
}

struct wiring *wiring_of(struct graph *g, const struct placement *places) {
    struct wiring *w = have(calloc(1, sizeof *w));
    w->graph = g;
    w->places = places;
    w->spots = have(calloc((size_t)placement_count(places) + 1, sizeof *w->spots));
    for (int i = 0; i < placement_count(places); i++) w->spots[i] = spot_of(places, i);
    for (int i = -LONGER; i <= LONGER; i++) w->rise[i + LONGER] = LATER * exp(i * TILE / LATER);
    find_wires(w);
    find_nets(w);
    list_nets(w);
    w->late = have(calloc((size_t)w->wire_count + 1, sizeof *w->late));
    w->seen_wire = have(calloc((size_t)w->wire_count + 1, sizeof *w->seen_wire));
    w->new_length = have(calloc((size_t)w->wire_count + 1, sizeof *w->new_length));
    w->changed_wires = have(calloc((size_t)w->wire_count + 1, sizeof *w->changed_wires));
    w->seen_net = have(calloc((size_t)w->net_count + 1, sizeof *w->seen_net));
    w->new_box = have(calloc((size_t)w->net_count + 1, sizeof *w->new_box));
    w->changed_nets = have(calloc((size_t)w->net_count + 1, sizeof *w->changed_nets));
    w->touched_nets = have(calloc((size_t)w->net_count + 1, sizeof *w->touched_nets));
    w->is_stale = have(calloc((size_t)w->net_count + 1, sizeof *w->is_stale));
    return w;
}

void wiring_destroy(struct wiring *w) {
    int *const all[] = {w->net_units,  w->late,          w->seen_wire,    w->seen_net,
                        w->new_length, w->changed_wires, w->changed_nets, w->touched_nets};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]);
    free_list(&w->wires_of);
    free_list(&w->nets_of);
    free(w->wires);
    free(w->nets);
    free(w->new_box);
    free(w->is_stale);
    free(w->spots);
    free(w);
}

// ------------------------------------------------------------------------------------------------ costs

// Restores the units that were compared and not kept.
static void take_back(struct wiring *w) {
    for (int i = w->moved_count - 1; i >= 0; i--) w->spots[w->moved[i]] = w->from[i];
    w->moved_count = 0;
}

double wiring_weigh(struct wiring *w, double target_ns) {
    double slowest = 0;
    take_back(w);
    for (int i = 0; i < w->wire_count; i++) {
        struct wire *wire = &w->wires[i];
        wire->length = wire->weighed = length_of(w, wire);
        graph_arc_at(w->graph, wire->arc)->ns = WIRE + TILE * wire->length;
    }
    graph_settle(w->graph);
    for (int i = 0; i < graph_pin_count(w->graph); i++) {
        const struct pin *p = graph_at(w->graph, i);
        if (p->arrival_ns >= 0 && p->after_ns >= 0) slowest = fmax(slowest, p->arrival_ns + p->after_ns);
    }
    w->late_count = 0;
    for (int i = 0; i < w->wire_count; i++) {
        struct wire *wire = &w->wires[i];
        const struct arc *arc = graph_arc_at(w->graph, wire->arc);
        const double before = graph_at(w->graph, arc->from)->arrival_ns, after = graph_at(w->graph, arc->to)->after_ns;
        wire->weight = 0;
        if (before < 0 || after < 0) continue;
        wire->weight = (float)(MOST * exp((before + arc->ns + after - fmax(slowest, target_ns)) / LATER));
        if (wire->weight > HOT) w->late[w->late_count++] = i;
    }
    list_wires(w);
    return slowest;
}

// The time of a wire costs progressively more, so that no path becomes much slower than when it was weighed.
static double time_cost(const struct wiring *w, const struct wire *wire, int length) {
    int longer = length - wire->weighed;
    longer = longer > LONGER ? LONGER : longer < -LONGER ? -LONGER : longer;
    return (double)wire->weight * w->rise[longer + LONGER];
}

static double compare_wires(struct wiring *w, int unit) {
    double cost = 0;
    for (int i = w->wires_of.from[unit]; i < w->wires_of.from[unit + 1]; i++) {
        const int n = w->wires_of.items[i];
        const struct wire *wire = &w->wires[n];
        if (w->seen_wire[n] == w->seen) continue;
        w->seen_wire[n] = w->seen;
        w->new_length[n] = length_of(w, wire);
        if (w->new_length[n] == wire->length) continue;
        w->changed_wires[w->changed_wire_count++] = n;
        cost += time_cost(w, wire, w->new_length[n]) - time_cost(w, wire, wire->length);
    }
    return cost;
}

static void touch_nets(struct wiring *w, int unit, struct spot from) {
    for (int i = w->nets_of.from[unit]; i < w->nets_of.from[unit + 1]; i++) {
        const int n = w->nets_of.items[i];
        struct box *box = &w->new_box[n];
        if (w->seen_net[n] != w->seen) {
            w->seen_net[n] = w->seen;
            w->touched_nets[w->touched_net_count++] = n;
            w->is_stale[n] = false;
            *box = w->nets[n].box;
        }
        w->is_stale[n] = w->is_stale[n] || !holds(box, from, w->spots[unit]);
        *box = joined(*box, w->spots[unit]);
    }
}

static double compare_nets(struct wiring *w) {
    double cost = 0;
    for (int i = 0; i < w->touched_net_count; i++) {
        const int n = w->touched_nets[i];
        const struct net *net = &w->nets[n];
        struct box *box = &w->new_box[n];
        if (w->is_stale[n]) *box = box_of(w, net);
        if (!memcmp(box, &net->box, sizeof *box)) continue;
        w->changed_nets[w->changed_net_count++] = n;
        cost += LENGTH * (perimeter(box) - perimeter(&net->box));
        spread(w, net, &net->box, -1);
        spread(w, net, box, 1);
    }
    return cost;
}

double wiring_compare(struct wiring *w, const int *units, int count) {
    double cost = 0;
    w->seen++;
    w->changed_wire_count = w->changed_net_count = w->touched_net_count = 0;
    forget_spread(w);
    take_back(w);
    for (int i = 0; i < count; i++) {
        w->moved[i] = units[i];
        w->from[i] = w->spots[units[i]];
        w->spots[units[i]] = spot_of(w->places, units[i]);
    }
    w->moved_count = count;
    for (int i = 0; i < count; i++) {
        cost += compare_wires(w, units[i]);
        touch_nets(w, units[i], w->from[i]);
    }
    return cost + compare_nets(w) + settle_spread(w, false);
}

void wiring_keep(struct wiring *w) {
    w->moved_count = 0;
    for (int i = 0; i < w->changed_wire_count; i++)
        w->wires[w->changed_wires[i]].length = w->new_length[w->changed_wires[i]];
    for (int i = 0; i < w->changed_net_count; i++) w->nets[w->changed_nets[i]].box = w->new_box[w->changed_nets[i]];
    settle_spread(w, true);
}

int wiring_late_count(const struct wiring *w) { return w->late_count; }

void wiring_late(const struct wiring *w, int late, int units[2]) {
    units[0] = w->wires[w->late[late]].from;
    units[1] = w->wires[w->late[late]].to;
}

long wiring_length(const struct wiring *w) {
    long length = 0;
    for (int n = 0; n < w->net_count; n++) length += perimeter(&w->nets[n].box);
    return length;
}

long wiring_crowd(const struct wiring *w) {
    double crowd = 0;
    for (int i = 0; i < COLUMNS * ROWS; i++) crowd += fmax(0, w->demand[i] - ROOM);
    return lround(crowd);
}
