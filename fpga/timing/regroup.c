// SPDX-License-Identifier: Apache-2.0
// In a placed netlist, lets the readers of a copy (replicate.c) read the nearest copy. Copies are made before
// placement, when cells that share one may end up anywhere.
//
//     regroup PLACED.json > PLACED.json
//
// All readers in a tile get the same copy, because its registers have few enables and resets to choose from. A register
// beside the LUT that it reads keeps it; so do products, four of which share theirs.
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fpga/timing/have.h"
#include "fpga/timing/netlist.h"

struct tile {
    int x, y;
};

// The original or a copy of it.
struct copy {
    struct tile tile;
    json_int_t wire;
};

struct group {
    struct copy *copies;
    size_t count;
    struct group *next;
};

struct groups {
    struct group *first;
    json_t *wire_of;        // by the name of an original: one of its group's wires
    struct group **of_wire; // of each wire; NULL: no copies
};

static json_t *connections_of(json_t *cell) { return json_object_get(cell, "connections"); }
static const char *type_of(json_t *cell) { return json_string_value(json_object_get(cell, "type")); }

static bool is_placed(json_t *cell, struct tile *tile) {
    const char *at = json_string_value(json_object_get(json_object_get(cell, "attributes"), "NEXTPNR_BEL"));
    return at && sscanf(at, "X%d/Y%d/", &tile->x, &tile->y) == 2;
}

// The wire that a register or LUT drives; below 0: none.
static json_int_t output_of(json_t *cell) {
    const char *port = !strcmp(type_of(cell), "TRELLIS_FF") ? "Q" : "F";
    json_t *bit = json_array_get(json_object_get(connections_of(cell), port), 0);
    return json_is_integer(bit) ? json_integer_value(bit) : -1;
}

static void add(struct groups *groups, struct group *g, json_t *cell) {
    struct copy c;
    if (!cell || !is_placed(cell, &c.tile) || (c.wire = output_of(cell)) < 0) return;
    g->copies = have(realloc(g->copies, (g->count + 1) * sizeof *g->copies));
    g->copies[g->count++] = c;
    groups->of_wire[c.wire] = g;
}

// The group of an original; a new one contains this.
static struct group *group_of(struct groups *groups, json_t *cells, const char *original) {
    json_t *known = json_object_get(groups->wire_of, original);
    if (known) return groups->of_wire[json_integer_value(known)];
    struct group *g = have(calloc(1, sizeof *g));
    g->next = groups->first;
    groups->first = g;
    add(groups, g, json_object_get(cells, original));
    if (g->count) json_object_set_new(groups->wire_of, original, json_integer(g->copies[0].wire));
    return g;
}

static struct groups find_groups(json_t *cells) {
    struct groups groups = {.wire_of = json_object(),
                            .of_wire = have(calloc(netlist_wires(cells) + 1, sizeof(struct group *)))};
    const char *name;
    json_t *cell;
    json_object_foreach(cells, name, cell) {
        const char *mark = strstr(name, NETLIST_COPY);
        if (!mark) continue;
        char *original = have(strndup(name, (size_t)(mark - name)));
        add(&groups, group_of(&groups, cells, original), cell);
        free(original);
    }
    return groups;
}

static void forget(struct groups *groups) {
    for (struct group *g = groups->first, *next; g; g = next) {
        next = g->next;
        free(g->copies);
        free(g);
    }
    free(groups->of_wire);
    json_decref(groups->wire_of);
}

static const struct copy *nearest(const struct group *g, struct tile to) {
    const struct copy *best = g->copies;
    int least = INT_MAX;
    for (const struct copy *c = g->copies; c < g->copies + g->count; c++) {
        const int distance = abs(c->tile.x - to.x) + abs(c->tile.y - to.y);
        if (distance >= least) continue;
        best = c;
        least = distance;
    }
    return best;
}

static bool may_choose(const char *type, const char *port) {
    return strcmp(type, "MULT18X18D") != 0 && strcmp(type, "TRELLIS_IO") != 0 && strcmp(port, "DI") != 0;
}

// The number of readers that change copies.
static long regroup(json_t *cells, const struct groups *groups) {
    const char *name, *port;
    json_t *cell, *bits, *bit;
    size_t i;
    long changed = 0;
    json_object_foreach(cells, name, cell) {
        struct tile tile;
        if (!is_placed(cell, &tile)) continue;
        json_object_foreach(connections_of(cell), port, bits) json_array_foreach(bits, i, bit) {
            const struct group *g = json_is_integer(bit) ? groups->of_wire[json_integer_value(bit)] : NULL;
            if (!g || !netlist_is_input(cell, port) || !may_choose(type_of(cell), port)) continue;
            const json_int_t wire = nearest(g, tile)->wire;
            if (wire == json_integer_value(bit)) continue;
            json_array_set_new(bits, i, json_integer(wire));
            changed++;
        }
    }
    return changed;
}

int main(int argc, char **argv) {
    json_error_t error;
    if (argc != 2) {
        fprintf(stderr, "usage: regroup PLACED.json > PLACED.json\n");
        return 2;
    }
    json_t *design = json_load_file(argv[1], 0, &error), *cells = netlist_cells(design);
    if (!cells) {
        fprintf(stderr, "regroup: %s: no netlist: %s\n", argv[1], error.text);
        return 2;
    }
    struct groups groups = find_groups(cells);
    const long changed = regroup(cells, &groups);
    fprintf(stderr, "regroup: %zu signals have copies; %ld readers have a nearer one now\n",
            json_object_size(groups.wire_of), changed);
    forget(&groups);
    const int failed = json_dumpf(design, stdout, JSON_COMPACT);
    json_decref(design);
    return failed ? 2 : 0;
}
