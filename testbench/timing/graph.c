// SPDX-License-Identifier: Apache-2.0
#include "testbench/timing/graph.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arc {
    int from;
    int next; // of those that end at the same pin
    double ns;
    double levels;
};

struct graph {
    struct pin *pins;
    int pin_count, pin_room;
    struct arc *arcs;
    int arc_count, arc_room;
    int *slots; // hash table of pins, below 0: free
    size_t slot_count;
};

static void *grow(void *items, int count, int *room, size_t size) {
    if (count < *room) return items;
    *room = *room ? 2 * *room : 1024;
    void *more = realloc(items, (size_t)*room * size);
    if (!more) {
        perror("paths");
        exit(2);
    }
    return more;
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
    g->slots = malloc(g->slot_count * sizeof *g->slots);
    if (!g->slots) {
        perror("paths");
        exit(2);
    }
    for (size_t i = 0; i < g->slot_count; i++) g->slots[i] = -1;
    for (int i = 0; i < g->pin_count; i++) g->slots[slot_of(g, g->pins[i].cell, g->pins[i].port)] = i;
}

struct graph *graph_create(void) {
    struct graph *g = calloc(1, sizeof *g);
    if (!g) {
        perror("paths");
        exit(2);
    }
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
                                         .before = -1,
                                         .first_arc = -1};
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
    g->arcs[g->arc_count] = (struct arc){from, g->pins[to].first_arc, ns, levels};
    g->pins[to].first_arc = g->arc_count++;
}

static void settle(struct graph *g, int pin) {
    struct pin *p = &g->pins[pin];
    if (p->settled) return;
    p->settled = true;
    p->arrival_ns = p->launch_ns;
    p->levels = p->launch_levels;
    for (int a = p->first_arc; a >= 0; a = g->arcs[a].next) {
        const struct arc *arc = &g->arcs[a];
        settle(g, arc->from);
        const struct pin *from = &g->pins[arc->from];
        if (from->arrival_ns < 0 || from->arrival_ns + arc->ns <= p->arrival_ns) continue;
        p->arrival_ns = from->arrival_ns + arc->ns;
        p->levels = from->levels + arc->levels;
        p->before = arc->from;
    }
}

void graph_settle(struct graph *g) {
    for (int i = 0; i < g->pin_count; i++) settle(g, i);
}
