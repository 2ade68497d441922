// SPDX-License-Identifier: Apache-2.0
#include "fpga/timing/graph.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fpga/timing/have.h"

struct graph {
    struct pin *pins;
    int pin_count, pin_room;
    struct arc *arcs;
    int arc_count, arc_room;
    int *order; // order of the pins, each after the sources of its arcs
    int ordered;
    int *slots; // hash table of pins, below 0: free
    size_t slot_count;
};

static void *grow(void *items, int count, int *room, size_t size) {
    if (count < *room) return items;
    *room = *room ? 2 * *room : 1024;
    return have(realloc(items, (size_t)*room * size));
}

static size_t hash(const char *cell, const char *port) {
    uint64_t h = 14695981039346656037u; // FNV-1a
    for (; *cell; cell++) h = (h ^ (unsigned char)*cell) * 1099511628211u;
    for (; *port; port++) h = (h ^ (unsigned char)*port) * 1099511628211u;
    return (size_t)(h ^ h >> 32);
}

static size_t slot_of(const struct graph *g, const char *cell, const char *port) {
    size_t slot = hash(cell, port) % g->slot_count;
    while (g->slots[slot] >= 0) {
        const struct pin *p = &g->pins[g->slots[slot]];
        if (!strcmp(p->port, port) && !strcmp(p->cell, cell)) break;
        slot = (slot + 1) % g->slot_count;
    }
    return slot;
}

static void make_room_for_slots(struct graph *g) {
    if (2 * (size_t)g->pin_count < g->slot_count) return;
    free(g->slots);
    g->slot_count = 4 * (size_t)g->pin_count + 4093;
    g->slots = have(malloc(g->slot_count * sizeof *g->slots));
    for (size_t i = 0; i < g->slot_count; i++) g->slots[i] = -1;
    for (int i = 0; i < g->pin_count; i++) g->slots[slot_of(g, g->pins[i].cell, g->pins[i].port)] = i;
}

struct graph *graph_create(void) {
    struct graph *g = have(calloc(1, sizeof *g));
    return g;
}

void graph_destroy(struct graph *g) {
    for (int i = 0; i < g->pin_count; i++) {
        free(g->pins[i].cell);
        free(g->pins[i].port);
    }
    free(g->pins);
    free(g->arcs);
    free(g->slots);
    free(g->order);
    free(g);
}

int graph_pin(struct graph *g, const char *cell, const char *port) {
    make_room_for_slots(g);
    const size_t slot = slot_of(g, cell, port);
    if (g->slots[slot] >= 0) return g->slots[slot];
    g->pins = grow(g->pins, g->pin_count, &g->pin_room, sizeof *g->pins);
    g->pins[g->pin_count] = (struct pin){.cell = strdup(cell),
                                         .port = strdup(port),
                                         .launch_ns = -1,
                                         .setup_ns = -1,
                                         .arrival_ns = -1,
                                         .after_ns = -1,
                                         .before = -1,
                                         .first_arc = -1,
                                         .place = -1};
    g->slots[slot] = g->pin_count;
    return g->pin_count++;
}

int graph_pin_count(const struct graph *g) { return g->pin_count; }

const struct pin *graph_at(const struct graph *g, int pin) { return &g->pins[pin]; }

void graph_launch(struct graph *g, int pin, double ns, double levels) {
    g->pins[pin].launch_ns = ns;
    g->pins[pin].launch_levels = levels;
}

void graph_sample(struct graph *g, int pin, double setup_ns) { g->pins[pin].setup_ns = setup_ns; }

void graph_arc(struct graph *g, int from, int to, double ns, double levels) {
    g->arcs = grow(g->arcs, g->arc_count, &g->arc_room, sizeof *g->arcs);
    g->arcs[g->arc_count] = (struct arc){from, to, g->pins[to].first_arc, ns, levels};
    g->pins[to].first_arc = g->arc_count++;
}

int graph_arc_count(const struct graph *g) { return g->arc_count; }

struct arc *graph_arc_at(struct graph *g, int arc) {
    return &g->arcs[arc];
}

static void put_in_order(struct graph *g, int pin) {
    if (g->pins[pin].place != -1) return;
    g->pins[pin].place = -2; // in progress: a path that returns here has closed a loop
    for (int a = g->pins[pin].first_arc; a >= 0; a = g->arcs[a].next) put_in_order(g, g->arcs[a].from);
    g->pins[pin].place = g->ordered;
    g->order[g->ordered++] = pin;
}

static void order_pins(struct graph *g) {
    if (g->ordered == g->pin_count) return;
    free(g->order);
    g->order = have(calloc((size_t)g->pin_count + 1, sizeof *g->order));
    g->ordered = 0;
    for (int i = 0; i < g->pin_count; i++) g->pins[i].place = -1;
    for (int i = 0; i < g->pin_count; i++) put_in_order(g, i);
}

static bool closes_loop(const struct graph *g, const struct arc *arc) {
    return g->pins[arc->from].place >= g->pins[arc->to].place;
}

static void find_arrival(struct graph *g, struct pin *p) {
    p->arrival_ns = p->launch_ns;
    p->levels = p->launch_levels;
    p->before = -1;
    for (int a = p->first_arc; a >= 0; a = g->arcs[a].next) {
        const struct arc *arc = &g->arcs[a];
        const struct pin *from = &g->pins[arc->from];
        if (from->arrival_ns < 0 || from->arrival_ns + arc->ns <= p->arrival_ns || closes_loop(g, arc)) continue;
        p->arrival_ns = from->arrival_ns + arc->ns;
        p->levels = from->levels + arc->levels;
        p->before = arc->from;
    }
}

// Propagates the delay after a pin to the pins before it.
static void tell_after(struct graph *g, const struct pin *p) {
    for (int a = p->first_arc; p->after_ns >= 0 && a >= 0; a = g->arcs[a].next) {
        const struct arc *arc = &g->arcs[a];
        struct pin *from = &g->pins[arc->from];
        if (from->after_ns < p->after_ns + arc->ns && !closes_loop(g, arc)) from->after_ns = p->after_ns + arc->ns;
    }
}

void graph_settle(struct graph *g) {
    order_pins(g);
    for (int i = 0; i < g->pin_count; i++) find_arrival(g, &g->pins[g->order[i]]);
    for (int i = 0; i < g->pin_count; i++) g->pins[i].after_ns = g->pins[i].setup_ns;
    for (int i = g->pin_count - 1; i >= 0; i--) tell_after(g, &g->pins[g->order[i]]);
}
