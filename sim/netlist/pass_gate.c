// SPDX-License-Identifier: Apache-2.0
// Gives modules whose registers hold while nothing moves a clock of their own, gpu_clocked.NAME_clk, which the driver
// raises only in cycles with movement (pass `clocked`): Verilator then skips all logic behind them. Each stage of the
// decoders has one, because a word passes them once in several cycles. So do the SMs, one for all of them: they hold
// between grids, while the host clears and reads global memory.
//
// The SMs get a copy of the launch, one cycle late, whose clock stands still while a grid runs. They read it three
// cycles after the write that starts a grid at the earliest.
#include <string.h>

#include "assembler/base/begins.h"
#include "names.h"
#include "pass.h"

// decode_word_5_..., and decode_3_1_9ba5: the decoder itself, with its generics.
static bool is_decoder(const char *name) {
    if (!begins(name, "decode_")) return false;
    if (begins(name, "decode_word_")) return true;
    size_t length = strspn(name + 7, "0123456789_");
    length += strspn(name + 7 + length, "0123456789abcdef");
    return length > 0 && name[7 + length] == '\0';
}

static const char *clock_of_module(const char *name) {
    static const char *const units[] = {"float_operands",  "float_product", "float_add",
                                        "float_normalise", "float_round",   "special_unit"};
    if (is_decoder(name)) return "decode";
    if (begins(name, "store_words_")) return "store";
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(name, units[i]) == 0) return "unit";
    return NULL;
}

static void set_clock(struct design *design, struct module *module, struct item *item, const char *clock) {
    struct edge *edge = pool_take(&design->pool, sizeof *edge);
    edge->word = "posedge";
    edge->signal = expr_net(design, module_net(module, clock, strlen(clock)));
    item->edges = edge;
}

static bool has_clock(const struct item *item) {
    struct net *clock = item->kind == ITEM_ALWAYS && item->edges ? expr_is_net(item->edges->signal) : NULL;
    return clock && !item->edges->next && strcmp(clock->name, "clk") == 0;
}

// ---------------------------------------------------------------------------------------------------------- decoders

// Of a net of a decoder: the stage whose movement it reports, from 1; the register that it names; and for the input of
// a register, the stage with which it moves and the value that it otherwise keeps.
struct stage {
    unsigned moves, clock;
    struct net *register_named, *kept;
};

static void learn(struct stage *notes, const struct item *item) {
    struct net *target = expr_is_net(item->target), *net = expr_is_net(item->value);
    const struct expr *e = item->value;
    unsigned high, low;
    if (!target) return;
    struct stage *stage = &notes[target->id];
    if (e->kind == EXPR_BIT && expr_is_slice(e, &high, &low) &&
        (strcmp(e->net->name, "moves") == 0 || strcmp(e->net->name, "moves_i") == 0))
        stage->moves = 2 + low;
    if (net && name_ends(net->name, "_q")) stage->register_named = net;
    struct net *condition = e->kind == EXPR_CHOICE ? expr_is_net(e->part[0]) : NULL;
    if (!condition || notes[condition->id].moves == 0) return;
    stage->clock = notes[condition->id].moves;
    stage->kept = expr_is_net(e->part[2]);
}

// A register that keeps its value unless a stage moves gets the clock of that stage; any other one gets clock 0, that
// of all stages.
static unsigned stage_of(const struct stage *notes, const struct stmt *stmt) {
    struct net *reg = expr_is_net(stmt->target), *taken = expr_is_net(stmt->value);
    if (stmt->kind != STMT_ASSIGN || !reg || !taken) return 0;
    const struct net *kept = notes[taken->id].kept;
    return kept && (kept == reg || notes[kept->id].register_named == reg) ? notes[taken->id].clock : 0;
}

static void gate_decoder(struct design *design, struct module *module) {
    struct net *arrives = module_net(module, "arrives_i", strlen("arrives_i"));
    struct stage *notes = module_notes(module, sizeof *notes);
    notes[arrives->id].moves = 1;
    for (struct item *item = module->items; item; item = item->next) {
        if (item->kind == ITEM_ASSIGN) learn(notes, item);
        if (has_clock(item))
            set_clock(design, module, item,
                      pool_format(&design->pool, "gpu_clocked.decode_clk[%u]", stage_of(notes, item->does)));
    }
}

// --------------------------------------------------------------------------------------------------------------- SMs

static const struct expr *copied(struct design *design, const struct expr *e, void *with) {
    struct net **copies = with;
    struct net *net = expr_is_net(e);
    return net && copies[net->id] ? expr_net(design, copies[net->id]) : e;
}

// A register behind a port: its declaration, and the process that writes it, before the other items.
static void add_copy(struct design *design, struct module *module, struct item ***end, const struct port *port,
                     struct net *copy) {
    struct item *declaration = item_declare(design, "reg", copy, port->net->bits);
    declaration->range = port->range;
    declaration->hidden = HIDDEN_FROM_WAVES;
    struct stmt *take = stmt_assign(design, expr_net(design, copy), true, expr_net(design, port->net));
    struct item *process = item_always(design, "gpu_clocked.launch_clk", module, take);
    **end = declaration;
    declaration->next = process;
    *end = &process->next;
}

static void copy_launch(struct design *design, struct module *module) {
    struct net **copies = pool_take(&design->pool, (2 * (size_t)module->net_count + 2) * sizeof(struct net *));
    struct item *items = module->items, *first = NULL;
    struct item **end = &first;
    for (const struct port *port = module->ports; port; port = port->next) {
        if (strcmp(port->word, "input") != 0 || !begins(port->net->name, "launch_i_")) continue;
        const char *name = pool_format(&design->pool, "launch_h_%s", port->net->name + strlen("launch_i_"));
        copies[port->net->id] = module_net(module, name, strlen(name));
        add_copy(design, module, &end, port, copies[port->net->id]);
    }
    for (struct item *item = items; item; item = item->next) item_rewrite(design, item, copied, copies);
    *end = items;
    module->items = first;
}

static void gate_instance(struct design *design, struct module *module, struct item *item) {
    size_t length = strlen(item->instance);
    if (!begins(item->text, "sm_") || length < 5 || strcmp(item->instance + length - 5, "_u_sm") != 0) return;
    static const char clock[] = "gpu_clocked.sm_clk";
    for (struct connection *c = item->connections; c; c = c->next)
        if (strcmp(c->port, "clk") == 0) c->value = expr_net(design, module_net(module, clock, strlen(clock)));
}

static void gate_module(struct design *design, struct module *module) {
    const char *clock = clock_of_module(module->name);
    if (is_decoder(module->name)) gate_decoder(design, module);
    if (begins(module->name, "sm_")) copy_launch(design, module);
    for (struct item *item = module->items; item; item = item->next) {
        if (item->kind == ITEM_INSTANCE) gate_instance(design, module, item);
        if (clock && has_clock(item))
            set_clock(design, module, item, pool_format(&design->pool, "gpu_clocked.%s_clk", clock));
    }
}

// Their names contain generics: a name that it misses would cost time silently.
bool pass_gate(struct design *design, const char *argument, struct fault *fault) {
    (void)argument;
    unsigned decoders = 0;
    for (struct module *module = design->modules; module; module = module->next) {
        decoders += is_decoder(module->name);
        gate_module(design, module);
    }
    return decoders >= 2 || fault_set(fault, (struct place){0}, "no decoders found");
}
