// SPDX-License-Identifier: Apache-2.0
// Distributes the readers of a heavily loaded driver, a flip-flop or a LUT, over copies of it: a wire across the whole
// device is slow, and copies can be near their readers. Readers with similar names, and so mostly of one entity and
// lane, share a copy. Only logic, block RAM and products read copies. All other readers, such as cells at pins, read
// the original.
//
//     replicate [-n READERS] NETLIST.json > NETLIST.json     at most READERS of one driver: default 24
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fpga/timing/have.h"
#include "fpga/timing/netlist.h"

struct reader {
    const char *cell, *port;
    size_t index; // of the wire among the port's wires
};

struct wire {
    const char *driver, *port; // NULL if a copy is not allowed
    struct reader *readers;
    size_t count, room;
};

struct netlist {
    json_t *cells;
    struct wire *wires;
    size_t count;
    int copies;
};

static struct wire *wire_of(struct netlist *n, json_t *bit) {
    return json_is_integer(bit) ? &n->wires[json_integer_value(bit)] : NULL;
}

static void add_reader(struct wire *wire, struct reader reader) {
    if (wire->count == wire->room) {
        wire->room = 2 * wire->room + 4;
        wire->readers = have(realloc(wire->readers, wire->room * sizeof *wire->readers));
    }
    wire->readers[wire->count++] = reader;
}

// True if the placer chooses the cell's site.
static bool is_logic(const char *type) {
    static const char *const logic[] = {"LUT4",  "TRELLIS_FF", "TRELLIS_DPR16X4", "PFUMX",
                                        "CCU2C", "L6MUX21",    "DP16KD",          "MULT18X18D"};
    for (size_t i = 0; i < sizeof logic / sizeof *logic; i++)
        if (!strcmp(type, logic[i])) return true;
    return false;
}

static void forget(struct netlist *n) {
    for (size_t i = 0; i < n->count; i++) free(n->wires[i].readers);
    free(n->wires);
    n->wires = NULL;
    n->count = 0;
}

// Driver and readers of each wire; only drivers of this type.
static void look_around(struct netlist *n, const char *type, const char *output) {
    const char *name, *port;
    json_t *cell, *bits, *bit;
    size_t i;
    forget(n);
    n->count = netlist_wires(n->cells);
    n->wires = have(malloc(n->count * sizeof *n->wires));
    memset(n->wires, 0, n->count * sizeof *n->wires);
    json_object_foreach(n->cells, name, cell) {
        const char *kind = json_string_value(json_object_get(cell, "type"));
        const bool drives = !strcmp(kind, type), moves = is_logic(kind);
        json_object_foreach(json_object_get(cell, "connections"), port, bits) json_array_foreach(bits, i, bit) {
            struct wire *wire = wire_of(n, bit);
            if (!wire) continue;
            if (netlist_is_input(cell, port)) {
                if (moves) add_reader(wire, (struct reader){name, port, i});
            } else if (drives && !strcmp(port, output)) {
                wire->driver = name;
                wire->port = port;
            }
        }
    }
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct reader *)a)->cell, ((const struct reader *)b)->cell);
}

// Copies the wire's driver; the copy drives the wire of this number, which these readers read instead.
static void copy_driver(json_t *cells, const struct wire *wire, const struct reader *readers, size_t count,
                        size_t number) {
    const size_t size = strlen(wire->driver) + 32;
    char *name = have(malloc(size));
    json_t *copy = json_deep_copy(json_object_get(cells, wire->driver));
    json_t *bit = json_integer((json_int_t)number);
    snprintf(name, size, "%s" NETLIST_COPY "%zu", wire->driver, number);
    json_object_set_new(json_object_get(copy, "connections"), wire->port, json_pack("[O]", bit));
    for (size_t i = 0; i < count; i++) {
        json_t *connections = json_object_get(json_object_get(cells, readers[i].cell), "connections");
        json_array_set(json_object_get(connections, readers[i].port), readers[i].index, bit);
    }
    json_object_set_new(cells, name, copy);
    json_decref(bit);
    free(name);
}

// Leaves no wire of such drivers with more readers, except those that copying adds. True if there was one.
static bool replicate(struct netlist *n, const char *type, const char *output, size_t most) {
    const int before = n->copies;
    look_around(n, type, output);
    size_t next = n->count; // the first free wire number
    for (size_t w = 0, wires = n->count; w < wires; w++) {
        struct wire *wire = &n->wires[w];
        if (!wire->driver || wire->count <= most) continue;
        qsort(wire->readers, wire->count, sizeof *wire->readers, by_name);
        const size_t groups = (wire->count + most - 1) / most;
        for (size_t g = 1; g < groups; g++) {
            const size_t first = g * wire->count / groups, end = (g + 1) * wire->count / groups;
            copy_driver(n->cells, wire, wire->readers + first, end - first, next++);
            n->copies++;
        }
    }
    return n->copies > before;
}

int main(int argc, char **argv) {
    size_t most = 24;
    json_error_t error;
    for (int option; (option = getopt(argc, argv, "n:")) != -1;)
        if (option != 'n' || (most = strtoul(optarg, NULL, 10)) < 2) optind = argc + 1;
    if (optind != argc - 1) {
        fprintf(stderr, "usage: replicate [-n READERS] NETLIST.json > NETLIST.json\n");
        return 2;
    }
    json_t *design = json_load_file(argv[optind], 0, &error);
    struct netlist n = {.cells = netlist_cells(design)};
    if (!n.cells) {
        fprintf(stderr, "replicate: %s: no netlist: %s\n", argv[optind], error.text);
        return 2;
    }
    // A copy reads the inputs of its original: each kind may add readers to wires of the other.
    for (int round = 0; round < 4; round++) {
        const bool registers = replicate(&n, "TRELLIS_FF", "Q", most);
        if (!replicate(&n, "LUT4", "Z", most) && !registers) break;
    }
    fprintf(stderr, "replicate: %d copies\n", n.copies);
    const int failed = json_dumpf(design, stdout, JSON_COMPACT);
    forget(&n);
    json_decref(design);
    return failed ? 2 : 0;
}
