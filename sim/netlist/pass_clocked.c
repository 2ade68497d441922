// SPDX-License-Identifier: Apache-2.0
// Prints, instead of the design, the top module for Verilator: gpu_clocked, the ports of gpu_flat, or of the module
// TOP, with a register behind every input except the clock. The driver sets the inputs before the edge after which they
// shall change, and the registers take them at the edge, so that the timing is that of gpu_flat. Reason: Verilator
// evaluates all logic behind an input of the top again at every change of any input, including the falling edge of the
// clock, which took a third of the time. With the registers nothing depends on inputs. A run begins in reset, so that
// no assertion sees the registers' initial state.
//
// In addition it has a clock for each group of modules that the pass `gate` names, and an output that tells, before an
// edge, whether anything there moves: for modules that the pass has changed; otherwise always 1. Those of the decoders'
// stages are vectors.
//
//     clocked:TOP                  for a design without gating
//     clocked:TOP:WAVE_VIEW.def    for one with gating
//
// The latter also has two functions for the driver: warpstep_stages returns the contents of an SM's stages, those of
// the list in order, 35 bits each, the first one lowest, and the number of cycles from RESOLVE to WRITE; warpstep_entry
// returns an entry of a warp's stack. They cost nothing unless called.
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pass.h"

struct clocked {
    struct pool *pool;
    FILE *out;
    const struct module *top;
    const char *gpu; // the instance of gpu.vhd in it, followed by a dot
    const char **sm; // likewise for each SM
    unsigned sms;
    unsigned decode_stages; // after the first one
    unsigned delay;         // from stage RESOLVE to WRITE
    bool has_special;       // the SM has special units
    const char **stage;     // the contents of each stage, as an expression in which BELOW stands for the SM
    unsigned stages;
};

// --------------------------------------------------------------------------------------------- structure of the design

// The number after the nth underscore of a name.
static unsigned generic_of(const char *name, unsigned n) {
    for (; n > 0 && name; n--) {
        name = strchr(name, '_');
        if (name) name++;
    }
    return name ? (unsigned)strtoul(name, NULL, 10) : 0;
}

static bool is_sm(const struct item *item) {
    static const char before[] = "multiprocessor_n";
    size_t length = strlen(item->instance);
    return strncmp(item->instance, before, sizeof before - 1) == 0 && length > 5 &&
           strcmp(item->instance + length - 5, "_u_sm") == 0;
}

static void look_at(struct clocked *c, const struct module *module, const struct item *item) {
    if (item->kind == ITEM_INSTANCE && is_sm(item)) {
        c->sm = pool_grow(c->pool, c->sm, c->sms, sizeof *c->sm);
        c->sm[c->sms++] = pool_format(c->pool, "%s%s.", c->gpu, item->instance);
    }
    // Its second generic is the number of stages after the first one.
    if (item->kind == ITEM_INSTANCE && strcmp(item->instance, "u_writeback") == 0)
        c->delay = generic_of(item->text, 2) + 1;
    if (item->kind == ITEM_DECLARATION && strncmp(module->name, "decode_word_", 12) == 0 &&
        strcmp(item->net->name, "moves") == 0)
        c->decode_stages = item->net->bits;
    // ghdl removes it without them.
    if (item->kind == ITEM_DECLARATION && strncmp(module->name, "execute_", 8) == 0 &&
        strcmp(item->net->name, "special_moves") == 0)
        c->has_special = true;
}

static bool look(struct clocked *c, const struct design *design, const char *top) {
    c->gpu = strcmp(top, "gpu_flat") == 0 ? "u_gpu." : "u_gpu.u_gpu.";
    for (const struct module *module = design->modules; module; module = module->next) {
        if (strcmp(module->name, top) == 0) c->top = module;
        for (const struct item *item = module->items; item; item = item->next) look_at(c, module, item);
    }
    return c->top && c->top->ports;
}

// -------------------------------------------------------------------------------------------------------------- stages

// A signal below the SM, whose records and arrays the waves name: stages[1].valid is \stages .at[1].\valid .
static const char *signal(struct clocked *c, const char *path) {
    const char *text = "";
    while (*path) {
        size_t length = strspn(path, "abcdefghijklmnopqrstuvwxyz_0123456789");
        if (isalpha((unsigned char)*path) || *path == '_') {
            text = pool_format(c->pool, "%s\\%.*s ", text, (int)length, path);
            path += length;
        } else {
            text = pool_format(c->pool, "%s%s%c", text, *path == '[' ? ".at" : "", *path);
            path++;
        }
    }
    return text;
}

// The contents of a stage, highest bits first: valid, last beat, part, row, slot, pc. A beat of the dispatcher does not
// count.
static const char *stage_of(struct clocked *c, const char *valid, const char *slot, const char *row, const char *pc) {
    const char *where = pc ? pool_format(c->pool, "BELOW%s", signal(c, pc)) : "24'd0";
    if (!row)
        return pool_format(c->pool, "BELOW%s, 1'b0, 2'd0, 2'd0, BELOW%s, %s", signal(c, valid), signal(c, slot), where);
    const char *beat = pool_format(c->pool, "%.*s", (int)(strlen(valid) - strlen(".valid")), valid);
    return pool_format(c->pool, "BELOW%s & ~BELOW%s, BELOW%s, BELOW%s, BELOW%s, BELOW%s, %s", signal(c, valid),
                       signal(c, pool_format(c->pool, "%s.insn.is_init", beat)),
                       signal(c, pool_format(c->pool, "%s.last", beat)),
                       signal(c, pool_format(c->pool, "%s.insn.part", beat)), signal(c, row), signal(c, slot), where);
}

// STAGE("ADDRESS", "stages[2].valid", "stages[2].insn.slot", "stages[2].row", NULL)
static bool read_stage(struct clocked *c, char *line) {
    char *field[5] = {0};
    for (int i = 0; i < 5; i++) {
        char *next = line + strspn(line, "STAGE(), ");
        line = *next == '"' ? strchr(next + 1, '"') : strncmp(next, "NULL", 4) == 0 ? next + 3 : NULL;
        if (!line) return false;
        field[i] = *next == '"' ? next + 1 : NULL;
        *line++ = '\0';
    }
    if (!field[1] || !field[2]) return false;
    c->stage = pool_grow(c->pool, c->stage, c->stages, sizeof *c->stage);
    c->stage[c->stages++] = stage_of(c, field[1], field[2], field[3], field[4]);
    return true;
}

static bool read_stages(struct clocked *c, const char *path, struct fault *fault) {
    FILE *in = fopen(path, "r");
    if (!in) return fault_set(fault, (struct place){0}, "%s: %s", path, strerror(errno));
    char *line = NULL;
    size_t size = 0;
    bool fine = true;
    while (fine && getline(&line, &size, in) > 0)
        if (strncmp(line, "STAGE(", 6) == 0) fine = read_stage(c, line);
    free(line);
    fclose(in);
    return fine || fault_set(fault, (struct place){0}, "%s: a stage that is none", path);
}

// ------------------------------------------------------------------------------------------------ movement

// A vector of the movements in any SM: its name, below the SM, and the operation on each before it.
static void moves_of(struct clocked *c, const char *name, const char *before) {
    for (unsigned i = 0; i < c->sms; i++)
        fprintf(c->out, "%s%sgpu_flat.%s%s", i > 0 ? " | " : "", before, c->sm[i], name);
}

static void moves(struct clocked *c, const char *name) { moves_of(c, name, "|"); }

static void runs_a_grid(struct clocked *c) {
    fprintf(c->out, "gpu_flat.%s%s == 2'd1", c->gpu, signal(c, "status.state"));
}

// Signals of gpu.vhd that move resting SMs: a running grid, and the host's actions before it starts one. 128 cycles
// later they are certainly at rest.
static void show_sm_moves(struct clocked *c) {
    static const char *const stirs[] = {"grid_rst",     "start",         "host.param_we",
                                        "host.bank_we", "host.const_we", "host.const_re"};
    fputs("  wire stirs = ", c->out);
    runs_a_grid(c);
    for (size_t i = 0; i < sizeof stirs / sizeof *stirs; i++)
        fprintf(c->out, " | gpu_flat.%s%s", c->gpu, signal(c, stirs[i]));
    fputs(";\n  reg [7:0] rest = 0;\n"
          "  always @(posedge clk) rest <= stirs ? 0 : rest + {7'd0, ~rest[7]};\n"
          "  assign sm_moves = stirs | ~rest[7];\n",
          c->out);
}

// True if the SMs' copy of the launch may change: while no grid runs, and after a request of the host.
static void show_launch_moves(struct clocked *c) {
    fprintf(c->out, "  reg host_asked;\n  always @(posedge clk) host_asked <= gpu_flat.%s%s;\n", c->gpu,
            signal(c, "u_host.request.stb"));
    fputs("  assign launch_moves = !(", c->out);
    runs_a_grid(c);
    fputs(") | host_asked;\n", c->out);
}

// From bit 2 on, the stages of the decoders that take a word, the last stage lowest; bit 1, a word arrives before them;
// bit 0, any of these.
static void show_decode_moves(struct clocked *c) {
    fputs("  assign decode_moves = {", c->out);
    moves_of(c, "u_decode.moves", "");
    fputs(", ", c->out);
    moves(c, "u_decode.arrives_i");
    fputs(", ", c->out);
    moves(c, "u_decode.moves");
    fputs(" | ", c->out);
    moves(c, "u_decode.arrives_i");
    fputs("};\n", c->out);
}

static void show_moves(struct clocked *c) {
    show_sm_moves(c);
    show_launch_moves(c);
    show_decode_moves(c);
    fputs("  assign store_moves = ", c->out);
    moves(c, "u_execute.u_stores.enters_i");
    fputs(" | ", c->out);
    moves(c, "u_execute.u_stores.sort_moves");
    fputs(";\n  assign unit_moves = ", c->out);
    moves(c, "u_execute.float_moves");
    if (c->has_special) {
        fputs(" | ", c->out);
        moves(c, "u_execute.special_moves");
    }
    fputs(";\n", c->out);
}

// ----------------------------------------------------------------------------------------------------------- functions

static void print_below(struct clocked *c, const char *text, const char *sm) {
    for (const char *at; (at = strstr(text, "BELOW")) != NULL; text = at + strlen("BELOW"))
        fprintf(c->out, "%.*sgpu_flat.%s", (int)(at - text), text, sm);
    fputs(text, c->out);
}

// The case of each SM of a function.
static void each_sm(struct clocked *c, const char *text) {
    fputs("    case (sm)\n", c->out);
    for (unsigned i = 0; i < c->sms; i++) {
        fputs(i + 1 < c->sms ? pool_format(c->pool, "      %u: ", i) : "      default: ", c->out);
        print_below(c, text, c->sm[i]);
        fputs(";\n", c->out);
    }
    fputs("    endcase\n  endfunction\n", c->out);
}

static void show(struct clocked *c) {
    const char *all = "";
    for (unsigned i = c->stages; i-- > 0;)
        all = pool_format(c->pool, "%s%s%s", all, i + 1 < c->stages ? ",\n        " : "", c->stage[i]);
    fprintf(c->out,
            "  export \"DPI-C\" function warpstep_stages;\n  export \"DPI-C\" function warpstep_entry;\n"
            "  function void warpstep_stages(input int sm, output int delay, output bit [%u:0] stages);\n"
            "    delay = %u;\n",
            35 * c->stages - 1, c->delay);
    each_sm(c, pool_format(c->pool, "stages = {%s}", all));
    fputs("  function void warpstep_entry(input int sm, input int at, output bit [57:0] entry);\n", c->out);
    each_sm(c, "entry = BELOWu_execute.u_branch.u_stack.access_memory_memory[at[10:0]]");
}

// --------------------------------------------------------------------------------------------------------- the module

static bool is_taken(const struct port *port) {
    return strcmp(port->word, "input") == 0 && strcmp(port->net->name, "clk") != 0;
}

static void print_ports(struct clocked *c) {
    fprintf(c->out,
            "module gpu_clocked (\n  input sm_clk, store_clk, unit_clk, launch_clk,\n  input [%u:0] decode_clk,\n"
            "  output sm_moves, store_moves, unit_moves, launch_moves,\n  output [%u:0] decode_moves,\n",
            c->decode_stages + 1, c->decode_stages + 1);
    for (const struct port *port = c->top->ports; port; port = port->next)
        fprintf(c->out, "  %-6s %s%s%s%s", port->word, port->range ? port->range : "", port->range ? " " : "",
                port->net->name, port->next ? ",\n" : ");\n");
}

static void print_registers(struct clocked *c) {
    for (const struct port *port = c->top->ports; port; port = port->next) {
        const char *name = port->net->name;
        if (!is_taken(port)) continue;
        fprintf(c->out, "  reg %s%s%s_r%s;\n  always @(posedge clk) %s_r <= %s;\n", port->range ? port->range : "",
                port->range ? " " : "", name, strcmp(name, "rst") == 0 ? " = 1'b1" : "", name, name);
    }
    fprintf(c->out, "  %s gpu_flat (\n", c->top->name);
    for (const struct port *port = c->top->ports; port; port = port->next)
        fprintf(c->out, "    .%s(%s%s)%s", port->net->name, port->net->name, is_taken(port) ? "_r" : "",
                port->next ? ",\n" : ");\n");
}

static void print_all(struct clocked *c, bool gated) {
    print_ports(c);
    print_registers(c);
    if (gated) {
        show_moves(c);
        show(c);
    } else {
        fputs("  assign {sm_moves, store_moves, unit_moves, launch_moves, decode_moves} = ~0;\n", c->out);
    }
    fputs("endmodule\n", c->out);
}

bool pass_clocked(struct design *design, const char *argument, struct fault *fault) {
    struct clocked c = {.pool = &design->pool};
    size_t length = strcspn(argument, ":");
    const char *top = pool_text(c.pool, argument, length), *list = argument[length] ? argument + length + 1 : NULL;
    if (!look(&c, design, top)) return fault_set(fault, (struct place){0}, "no ports of a module %s found", top);
    if (list && c.sms == 0) return fault_set(fault, (struct place){0}, "no SM found");
    if (list && !read_stages(&c, list, fault)) return false;
    char *text = NULL;
    size_t size = 0;
    c.out = open_memstream(&text, &size);
    if (!c.out) return fault_set(fault, (struct place){0}, "no memory");
    print_all(&c, list != NULL);
    fclose(c.out);
    design->report = pool_text(c.pool, text, size);
    free(text);
    return true;
}
