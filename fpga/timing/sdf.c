// SPDX-License-Identifier: Apache-2.0
#include "fpga/timing/sdf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD       4096
#define SLOW_BLOCK 4

// Parentheses are ignored: the words between them suffice.
static bool next_word(FILE *file, char *word) {
    int c = fgetc(file);
    size_t length = 0;
    while (c != EOF && strchr("() \t\r\n\"", c)) c = fgetc(file);
    for (; c != EOF && !strchr("() \t\r\n\"", c) && length < WORD - 1; c = fgetc(file)) {
        if (c == '\\') c = fgetc(file); // a character of a name
        word[length++] = (char)c;
    }
    word[length] = '\0';
    return length > 0;
}

// The maximum of early:usual:late, in ns.
static double late_ns(FILE *file) {
    char word[WORD];
    if (!next_word(file, word)) return 0;
    const char *late = strrchr(word, ':');
    return strtod(late ? late + 1 : word, NULL) / 1000;
}

bool sdf_is_clock(const char *port) { return !strncmp(port, "CLK", 3) || !strcmp(port, "WCK"); }

static void add_path(FILE *file, const char *type, const char *cell, struct graph *g) {
    char from[WORD], to[WORD];
    if (!next_word(file, from) || !next_word(file, to)) return;
    const double ns = late_ns(file);
    const bool block = !strcmp(type, "DP16KD") || !strcmp(type, "MULT18X18D");
    const int out = graph_pin(g, cell, to);
    if (sdf_is_clock(from))
        graph_launch(g, out, ns, block && ns > 2 ? SLOW_BLOCK : 0);
    else
        graph_arc(g, graph_pin(g, cell, from), out, ns,
                  block                                        ? SLOW_BLOCK
                  : !strcmp(from, "FCI") && !strcmp(to, "FCO") ? 0.05
                                                               : 1);
}

static int pin_of_path(struct graph *g, char *path) {
    char *port = strrchr(path, '/');
    if (!port) return -1;
    *port++ = '\0';
    return graph_pin(g, path, port);
}

static void add_wire(FILE *file, struct graph *g) {
    char from[WORD], to[WORD];
    if (!next_word(file, from) || !next_word(file, to)) return;
    const int start = pin_of_path(g, from), end = pin_of_path(g, to);
    if (start >= 0 && end >= 0) graph_arc(g, start, end, late_ns(file), 0);
}

// (SETUPHOLD (posedge PORT) (posedge CLOCK) (setup) (hold))
static void add_check(FILE *file, const char *cell, struct graph *g) {
    char edge[WORD], port[WORD], clock[WORD];
    if (!next_word(file, edge) || !next_word(file, port)) return;
    if (!next_word(file, edge) || !next_word(file, clock)) return;
    const int pin = graph_pin(g, cell, port);
    graph_sample(g, pin, late_ns(file));
}

bool sdf_read(const char *name, struct graph *g) {
    char word[WORD], type[WORD] = "", cell[WORD] = "";
    FILE *file = fopen(name, "r");
    if (!file) return false;
    while (next_word(file, word))
        if (!strcmp(word, "CELLTYPE"))
            next_word(file, type);
        else if (!strcmp(word, "INSTANCE"))
            next_word(file, cell);
        else if (!strcmp(word, "IOPATH"))
            add_path(file, type, cell, g);
        else if (!strcmp(word, "INTERCONNECT"))
            add_wire(file, g);
        else if (!strcmp(word, "SETUPHOLD"))
            add_check(file, cell, g);
    fclose(file);
    return true;
}
