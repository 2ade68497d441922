// SPDX-License-Identifier: Apache-2.0
// The slowest paths from register to register of an ECP5 netlist, by line of the VHDL: estimated from the netlist, or
// with the delays of a placed or routed one.
//
//     paths [-n COUNT] [-v] [-m LEVELS] NETLIST.json [FILE.sdf]
//
// First a line with the longest path: its time and its LUT levels. Then the COUNT slowest, one for each pair of lines.
// With -v, each cell on the path: the time when the signal leaves it, its source, its name. With -m, exits 1 if a path
// has more levels.
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fpga/timing/graph.h"
#include "fpga/timing/have.h"
#include "fpga/timing/netlist.h"
#include "fpga/timing/sdf.h"

#define LABEL 512

// Suffixes that yosys and nextpnr append to a register's name.
static const char *const TAILS[] = {
    "_TRELLIS_FF_", "_LUT4_", "_CCU2C_", "_MULT18X18D_", "_DP16KD_", "_TRELLIS_DPR16X4_", ".access_memory", "$", "["};
// Prefixes of everything in the machine.
static const char *const HEADS[] = {"u_gpu.", "multiprocessor_n1_u_sm."};

// The name of the register or memory that a cell is part of; copies (lane_n3_) share one.
static void signal_of(const char *cell, char *name) {
    size_t length = 0;
    for (size_t i = 0; i < sizeof HEADS / sizeof HEADS[0]; i++)
        if (!strncmp(cell, HEADS[i], strlen(HEADS[i]))) cell += strlen(HEADS[i]);
    size_t end = strlen(cell);
    for (size_t i = 0; i < sizeof TAILS / sizeof TAILS[0]; i++) {
        const char *tail = strstr(cell, TAILS[i]);
        if (tail && tail > cell && (size_t)(tail - cell) < end) end = (size_t)(tail - cell);
    }
    for (size_t i = 0; i < end && length < LABEL - 1; i++) {
        if (!strncmp(cell + i, "_n", 2) && strspn(cell + i + 2, "0123456789")) {
            i += 1 + strspn(cell + i + 2, "0123456789");
            continue;
        }
        name[length++] = cell[i];
    }
    name[length] = '\0';
}

static void label_of(json_t *cells, const char *cell, char *label) {
    char name[LABEL];
    size_t length = 0;
    const char *source = netlist_source(cells, cell, &length);
    signal_of(cell, name);
    snprintf(label, 2 * LABEL, "%.*s %s", (int)length, source ? source : "", name);
}

static int start_of(const struct graph *g, int pin) {
    while (graph_at(g, pin)->before >= 0) pin = graph_at(g, pin)->before;
    return pin;
}

// The entities on the path, by instance, with their number of cells.
static void print_way(const struct graph *g, int pin) {
    char way[64][LABEL], name[LABEL];
    int cells[64], count = 0;
    for (; pin >= 0; pin = graph_at(g, pin)->before) {
        const int before = graph_at(g, pin)->before;
        if (before >= 0 && !strcmp(graph_at(g, before)->cell, graph_at(g, pin)->cell)) continue;
        signal_of(graph_at(g, pin)->cell, name);
        char *dot = strrchr(name, '.');
        if (dot) *dot = '\0';
        if (count && !strcmp(way[count - 1], name)) {
            cells[count - 1]++;
        } else if (count < 64) {
            snprintf(way[count], sizeof way[count], "%s", name);
            cells[count++] = 1;
        }
    }
    printf("         by");
    while (count-- > 0) printf(" %s %d%s", way[count], cells[count], count ? "," : "\n");
}

static const char *place_of(json_t *cells, const char *cell) {
    json_t *bel = json_object_get(json_object_get(json_object_get(cells, cell), "attributes"), "NEXTPNR_BEL");
    return json_is_string(bel) ? json_string_value(bel) : "";
}

// From the start on; each cell once, at the pin where the signal leaves it or ends.
static void print_cells(const struct graph *g, json_t *cells, int pin, const char *next) {
    const struct pin *p = graph_at(g, pin);
    if (p->before >= 0) print_cells(g, cells, p->before, p->cell);
    if (!next || strcmp(next, p->cell) != 0)
        printf("%9.2f ns  %-20s %s.%s\n", p->arrival_ns, place_of(cells, p->cell), p->cell, p->port);
}

static double time_of(const struct pin *p) { return p->arrival_ns + p->setup_ns; }

static const struct graph *sorted;
static int later(const void *a, const void *b) {
    const double x = time_of(graph_at(sorted, *(const int *)a)), y = time_of(graph_at(sorted, *(const int *)b));
    return x < y ? 1 : x > y ? -1 : *(const int *)a - *(const int *)b;
}

// Ends of paths, the slowest first.
static int *ends_of_paths(const struct graph *g, int *count) {
    int *ends = have(malloc((size_t)(graph_pin_count(g) + 1) * sizeof *ends));
    *count = 0;
    for (int i = 0; i < graph_pin_count(g); i++)
        if (graph_at(g, i)->setup_ns >= 0 && graph_at(g, i)->before >= 0) ends[(*count)++] = i;
    sorted = g;
    qsort(ends, (size_t)*count, sizeof *ends, later);
    return ends;
}

static void print_paths(const struct graph *g, json_t *cells, const int *ends, int count, int wanted, bool verbose) {
    char(*printed)[4 * LABEL + 8] = malloc((size_t)wanted * sizeof *printed);
    int done = 0;
    for (int i = 0; printed && i < count && done < wanted; i++) {
        char from[2 * LABEL], to[2 * LABEL];
        bool known = false;
        label_of(cells, graph_at(g, start_of(g, ends[i]))->cell, from);
        label_of(cells, graph_at(g, ends[i])->cell, to);
        snprintf(printed[done], sizeof *printed, "%s -> %s", from, to);
        for (int p = 0; p < done; p++) known |= !strcmp(printed[p], printed[done]);
        if (known) continue;
        printf("%6.2f ns %5.1f levels  %s\n", time_of(graph_at(g, ends[i])), graph_at(g, ends[i])->levels,
               printed[done++]);
        print_way(g, ends[i]);
        if (verbose) print_cells(g, cells, ends[i], NULL);
    }
    free(printed);
}

int main(int argc, char **argv) {
    int option, wanted = 10;
    double most = -1;
    bool verbose = false;
    while ((option = getopt(argc, argv, "n:vm:")) != -1)
        if (option == 'n')
            wanted = atoi(optarg);
        else if (option == 'v')
            verbose = true;
        else if (option == 'm')
            most = strtod(optarg, NULL);
        else
            return 2;
    if (optind == argc || wanted < 0) {
        fprintf(stderr, "usage: paths [-n COUNT] [-v] [-m LEVELS] NETLIST.json [FILE.sdf]\n");
        return 2;
    }
    json_error_t error;
    json_t *design = json_load_file(argv[optind], 0, &error), *cells = netlist_cells(design);
    struct graph *g = graph_create();
    if (!cells) {
        fprintf(stderr, "paths: %s: no netlist: %s\n", argv[optind], error.text);
        return 2;
    }
    if (optind + 1 == argc) {
        netlist_estimate(cells, g);
    } else if (!sdf_read(argv[optind + 1], g)) {
        perror(argv[optind + 1]);
        return 2;
    }
    graph_settle(g);
    int count, status = 0;
    int *ends = ends_of_paths(g, &count);
    double levels = 0;
    for (int i = 0; i < count; i++)
        if (graph_at(g, ends[i])->levels > levels) levels = graph_at(g, ends[i])->levels;
    printf("longest path: %.2f ns (%.1f MHz); most levels: %.1f\n", count ? time_of(graph_at(g, ends[0])) : 0,
           count ? 1000 / time_of(graph_at(g, ends[0])) : 0, levels);
    print_paths(g, cells, ends, count, wanted, verbose);
    if (most >= 0 && levels > most) {
        fprintf(stderr, "paths: %.1f levels, %.1f are the most allowed\n", levels, most);
        status = 1;
    }
    free(ends);
    graph_destroy(g);
    json_decref(design);
    return status;
}
