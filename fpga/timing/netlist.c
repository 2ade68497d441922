// SPDX-License-Identifier: Apache-2.0
#include "fpga/timing/netlist.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assembler/base/begins.h"
#include "fpga/timing/have.h"

// Maximum delays in nanoseconds at speed grade 6, from nextpnr-ecp5 0.11 for placed cells.
#define FF_OUT                 0.53
#define FF_SETUP               0.30
#define LUT                    0.24
#define CARRY_IN               0.45
#define CARRY                  0.07
#define CARRY_OUT              0.44
#define RAM_OUT                5.83
#define RAM_OUT_REGISTERED     0.96
#define RAM_SETUP              0.25
#define DSP                    3.93
#define DSP_OUT                3.86
#define DSP_OUT_REGISTERED     0.74
#define DSP_SETUP              0.08
#define DSP_SETUP_UNREGISTERED 3.49
// The delay of a wire, and its increase each time the number of driven pins doubles (beyond four): averages, assumed.
// For the one machine that was placed they gave 18.1 MHz, nextpnr 17.42.
#define WIRE    0.90
#define FAN_OUT 0.20

// Levels: a LUT with its wire, entry to and exit from a carry chain count 1, a product and a block RAM without an
// output register 4.
#define SLOW_BLOCK 4

struct bit {
    int driver; // pin, below 0: none
    int readers;
    bool from_logic;
};

struct bits {
    struct bit *at;
    json_int_t count;
};

json_t *netlist_cells(json_t *design) {
    const char *name;
    json_t *module;
    json_object_foreach(json_object_get(design, "modules"), name, module) {
        if (json_object_get(json_object_get(module, "attributes"), "top")) return json_object_get(module, "cells");
    }
    return NULL;
}

size_t netlist_wires(json_t *cells) {
    json_int_t count = 0;
    const char *name, *port;
    json_t *cell, *bits, *bit;
    size_t i;
    json_object_foreach(cells, name, cell) json_object_foreach(json_object_get(cell, "connections"), port, bits)
        json_array_foreach(bits, i, bit) {
        if (json_is_integer(bit) && json_integer_value(bit) >= count) count = json_integer_value(bit) + 1;
    }
    return (size_t)count;
}

const char *netlist_source(json_t *cells, const char *cell, size_t *length) {
    json_t *found = json_object_get(cells, cell);
    const char *src = json_string_value(json_object_get(json_object_get(found, "attributes"), "src"));
    // Bars separate sources, one of which is yosys' own library. A column follows the line number.
    for (; src; src = strchr(src, '|') ? strchr(src, '|') + 1 : NULL) {
        const char *number = strstr(src, ".vhd:");
        if (!number || (strchr(src, '|') && number > strchr(src, '|'))) continue;
        number += strlen(".vhd:");
        *length = (size_t)(number - src) + strspn(number, "0123456789");
        return src;
    }
    return NULL;
}

static const char *parameter(json_t *cell, const char *name, const char *otherwise) {
    const char *value = json_string_value(json_object_get(json_object_get(cell, "parameters"), name));
    return value ? value : otherwise;
}

static bool is_clock(const char *port) { return begins(port, "CLK") || !strcmp(port, "WCK"); }

// Launches and samples of the cell's pin; `in` is the pin's direction.
static void ends_of(json_t *cell, const char *type, const char *port, bool in, struct graph *g, int pin) {
    if (!strcmp(type, "TRELLIS_FF")) {
        if (in)
            graph_sample(g, pin, !strcmp(port, "DI") ? 0 : FF_SETUP);
        else
            graph_launch(g, pin, FF_OUT, 0);
    } else if (!strcmp(type, "DP16KD") || !strcmp(type, "PDPW16KD")) {
        const char *mode = parameter(cell, strchr(port, 'B') ? "REGMODE_B" : "REGMODE_A", "NOREG");
        const bool registered = !strcmp(mode, "OUTREG");
        if (in)
            graph_sample(g, pin, RAM_SETUP);
        else
            graph_launch(g, pin, registered ? RAM_OUT_REGISTERED : RAM_OUT, registered ? 0 : SLOW_BLOCK);
    } else if (!strcmp(type, "TRELLIS_DPR16X4")) {
        if (!in)
            graph_launch(g, pin, FF_OUT, 0);
        else if (!begins(port, "RAD"))
            graph_sample(g, pin, FF_SETUP);
    } else if (!strcmp(type, "MULT18X18D")) {
        const bool out = strcmp(parameter(cell, "REG_OUTPUT_CLK", "NONE"), "NONE") != 0;
        const bool a = strcmp(parameter(cell, "REG_INPUTA_CLK", "NONE"), "NONE") != 0;
        const bool b = strcmp(parameter(cell, "REG_INPUTB_CLK", "NONE"), "NONE") != 0;
        const bool registered = (port[0] == 'A' && a) || (port[0] == 'B' && b);
        if (!in) {
            if (out)
                graph_launch(g, pin, DSP_OUT_REGISTERED, 0);
            else if (a && b)
                graph_launch(g, pin, DSP_OUT, SLOW_BLOCK);
        } else if (registered || begins(port, "CE"))
            graph_sample(g, pin, DSP_SETUP);
        else if (out)
            graph_sample(g, pin, DSP_SETUP_UNREGISTERED);
    }
}

// True if a signal passes the cell from one port to another, with the delay.
static bool passes(json_t *cell, const char *type, const char *from, const char *to, double *ns, double *levels) {
    *levels = 1;
    *ns = LUT;
    if (!strcmp(type, "LUT4") || !strcmp(type, "PFUMX") || !strcmp(type, "L6MUX21")) return true;
    if (!strcmp(type, "TRELLIS_DPR16X4")) return begins(from, "RAD");
    if (!strcmp(type, "CCU2C")) {
        const bool chained = !strcmp(from, "CIN"), on = !strcmp(to, "COUT");
        *ns = chained ? (on ? CARRY : CARRY_OUT) : (on ? CARRY_IN : LUT);
        *levels = chained && on ? 0.1 : 1;
        return true;
    }
    if (strcmp(type, "MULT18X18D") != 0) return false;
    *ns = DSP;
    *levels = SLOW_BLOCK;
    return (from[0] == 'A' || from[0] == 'B') && !strcmp(parameter(cell, "REG_OUTPUT_CLK", "NONE"), "NONE") &&
           !strcmp(parameter(cell, from[0] == 'A' ? "REG_INPUTA_CLK" : "REG_INPUTB_CLK", "NONE"), "NONE");
}

bool netlist_is_input(json_t *cell, const char *port) {
    const char *direction = json_string_value(json_object_get(json_object_get(cell, "port_directions"), port));
    return direction && !strcmp(direction, "input");
}

// A port of one bit is named without an index.
static int pin_of(struct graph *g, const char *cell, const char *port, size_t bit, size_t width) {
    char name[64];
    if (width == 1) return graph_pin(g, cell, port);
    snprintf(name, sizeof name, "%s[%zu]", port, bit);
    return graph_pin(g, cell, name);
}

static void count_bits(json_t *cells, struct bits *bits) {
    const char *name, *port;
    json_t *cell, *wires, *wire;
    size_t i;
    json_object_foreach(cells, name, cell) json_object_foreach(json_object_get(cell, "connections"), port, wires)
        json_array_foreach(wires, i, wire) if (json_integer_value(wire) >= bits->count)
            bits->count = json_integer_value(wire) + 1;
    bits->at = have(calloc((size_t)bits->count + 1, sizeof *bits->at));
    for (json_int_t b = 0; b < bits->count; b++) bits->at[b].driver = -1;
}

static void add_outputs(json_t *cells, struct graph *g, struct bits *bits) {
    const char *name, *port;
    json_t *cell, *wires, *wire;
    size_t i;
    json_object_foreach(cells, name, cell) {
        const char *type = json_string_value(json_object_get(cell, "type"));
        json_object_foreach(json_object_get(cell, "connections"), port, wires) json_array_foreach(wires, i, wire) {
            if (!json_is_integer(wire)) continue;
            struct bit *bit = &bits->at[json_integer_value(wire)];
            if (netlist_is_input(cell, port)) {
                bit->readers++;
                continue;
            }
            bit->driver = pin_of(g, name, port, i, json_array_size(wires));
            bit->from_logic = !strcmp(type, "LUT4") || !strcmp(type, "CCU2C");
            ends_of(cell, type, port, false, g, bit->driver);
        }
    }
}

static double wire_ns(const struct bit *bit, const char *type, const char *port) {
    // A register is beside a LUT that only it reads; a carry continues in place.
    if (!strcmp(port, "CIN")) return 0;
    if (!strcmp(type, "TRELLIS_FF") && !strcmp(port, "DI") && bit->from_logic && bit->readers == 1) return 0;
    return WIRE + (bit->readers > 4 ? FAN_OUT * log2(bit->readers / 4.0) : 0);
}

static void add_inputs(json_t *cells, struct graph *g, const struct bits *bits) {
    const char *name, *port, *out;
    json_t *cell, *wires, *wire, *outs;
    size_t i, o;
    json_object_foreach(cells, name, cell) {
        const char *type = json_string_value(json_object_get(cell, "type"));
        json_t *connections = json_object_get(cell, "connections");
        json_object_foreach(connections, port, wires) {
            if (!netlist_is_input(cell, port) || is_clock(port)) continue;
            json_array_foreach(wires, i, wire) {
                if (!json_is_integer(wire)) continue;
                const struct bit *bit = &bits->at[json_integer_value(wire)];
                if (bit->driver < 0) continue;
                const int pin = pin_of(g, name, port, i, json_array_size(wires));
                ends_of(cell, type, port, true, g, pin);
                graph_arc(g, bit->driver, pin, wire_ns(bit, type, port), 0);
                json_object_foreach(connections, out, outs) {
                    double ns, levels;
                    if (netlist_is_input(cell, out) || !passes(cell, type, port, out, &ns, &levels)) continue;
                    for (o = 0; o < json_array_size(outs); o++)
                        graph_arc(g, pin, pin_of(g, name, out, o, json_array_size(outs)), ns, levels);
                }
            }
        }
    }
}

void netlist_estimate(json_t *cells, struct graph *g) {
    struct bits bits = {0};
    count_bits(cells, &bits);
    add_outputs(cells, g, &bits);
    add_inputs(cells, g, &bits);
    free(bits.at);
}
