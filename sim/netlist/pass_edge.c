// SPDX-License-Identifier: Apache-2.0
// In modules with a clock of their own (pass `gate`), moves logic that only their registers read into the edge of that
// clock: while it stands still, Verilator computes none of it. Otherwise it would compute at every edge of the SM's
// clock values that the first registers of a resting unit do not take. Moved logic has no waves: signals like s2_in,
// which a register holds one cycle later.
#include <string.h>

#include "names.h"
#include "pass.h"

struct moved {
    const struct item *from; // the item that gives the net its value; NULL: it stays, or has none
    const struct expr *value;
    const char *remark;
    bool is_variable, begun, done;
};

struct edge_of {
    struct design *design;
    struct module *module;
    struct moved *nets;
    struct stmt **end; // end of the statements at the edge
    struct fault *fault;
};

typedef void each_net(struct edge_of *at, struct net *net);

// The nets of an expression, in textual order.
static void each_of(struct edge_of *at, const struct expr *e, each_net *look) {
    if (!e) return;
    if (e->net) look(at, e->net);
    for (size_t i = 0; i < e->count; i++) each_of(at, e->part[i], look);
}

static void each_of_statement(struct edge_of *at, const struct stmt *stmt, each_net *look) {
    each_of(at, stmt->label, look);
    each_of(at, stmt->target, look);
    each_of(at, stmt->value, look);
    for (const struct stmt *inner = stmt->first; inner; inner = inner->next) each_of_statement(at, inner, look);
    if (stmt->otherwise) each_of_statement(at, stmt->otherwise, look);
}

// A net that a remaining item reads must stay, with all nets that it depends on.
static void stay(struct edge_of *at, struct net *net) {
    struct moved *moved = &at->nets[net->id];
    const struct expr *value = moved->value;
    if (!moved->from) return;
    moved->from = NULL;
    each_of(at, value, stay);
}

static void add(struct edge_of *at, struct stmt *stmt) {
    *at->end = stmt;
    at->end = &stmt->next;
}

static void add_value(struct edge_of *at, struct net *net) {
    struct stmt *stmt = stmt_assign(at->design, expr_net(at->design, net), false, at->nets[net->id].value);
    stmt->remark = at->nets[net->id].remark;
    add(at, stmt);
}

// Writes a moved net after the nets that it depends on. A reader of a VHDL variable expects the variable's old value.
static void compute(struct edge_of *at, struct net *net) {
    struct moved *moved = &at->nets[net->id];
    if (!moved->from || moved->is_variable || moved->done) return;
    if (moved->begun) {
        fault_set(at->fault, moved->from->place, "%s: %s is made of itself", at->module->name, net->name);
        return;
    }
    moved->begun = true;
    each_of(at, moved->value, compute);
    moved->done = true;
    add_value(at, net);
}

// ---------------------------------------------------------------------------------------------------- roles of items

// The gated clock of an item.
static struct net *own_clock(const struct item *item) {
    struct net *clock = item->kind == ITEM_ALWAYS && item->edges ? item->edges->signal->net : NULL;
    return clock && strncmp(clock->name, "gpu_clocked.", 12) == 0 ? clock : NULL;
}

static bool remark_is_variable(const struct stmt *stmt) {
    return stmt->remark && strcmp(stmt->remark, " // (isignal)") == 0;
}

// A net whose value an item gives: an assignment, a process of one (ghdl's form of a case), or a variable. A copy of a
// register is its name in waves, and costs nothing.
static struct net *net_of(const struct edge_of *at, const struct item *item) {
    if (item->kind == ITEM_ASSIGN) {
        struct net *copied = expr_is_net(item->value);
        return copied && name_ends(copied->name, "_q") ? NULL : expr_is_net(item->target);
    }
    if (item->kind != ITEM_ALWAYS || item->edges || item->does->kind != STMT_ASSIGN) return NULL;
    struct net *net = expr_is_net(item->does->target);
    return net && (item->does->waits || at->nets[net->id].is_variable) ? net : NULL;
}

// A variable also has a process that initialises it to X.
static bool begins_variable(const struct edge_of *at, const struct item *item) {
    struct net *net = item->kind == ITEM_INITIAL ? expr_is_net(item->does->target) : NULL;
    return net && at->nets[net->id].is_variable;
}

static void learn(struct edge_of *at, const struct item *item) {
    struct net *variable = item->kind == ITEM_ALWAYS && !item->edges ? expr_is_net(item->does->target) : NULL;
    if (variable && remark_is_variable(item->does)) at->nets[variable->id].is_variable = true;
    struct net *net = net_of(at, item);
    if (!net) return;
    struct moved *moved = &at->nets[net->id];
    moved->from = item;
    moved->value = item->kind == ITEM_ASSIGN ? item->value : item->does->value;
    moved->remark = item->kind == ITEM_ASSIGN ? item->remark : item->does->remark;
}

// Keeps all nets that a remaining item reads and writes. A declaration reads nothing.
static void keep(struct edge_of *at, const struct item *item) {
    if (item->kind == ITEM_DECLARATION || begins_variable(at, item) || own_clock(item) || net_of(at, item)) return;
    each_of(at, item->target, stay);
    each_of(at, item->value, stay);
    if (item->does) each_of_statement(at, item->does, stay);
    for (const struct connection *c = item->connections; c; c = c->next) each_of(at, c->value, stay);
}

static bool has_moved(const struct edge_of *at, const struct item *item) {
    if (own_clock(item) || begins_variable(at, item)) return true;
    struct net *net = net_of(at, item);
    return net && at->nets[net->id].from == item;
}

// ------------------------------------------------------------------------------------------------------- the module

// Its single gated clock; NULL if there are none or several.
static struct net *only_clock(const struct module *module) {
    struct net *only = NULL;
    for (const struct item *item = module->items; item; item = item->next) {
        struct net *clock = own_clock(item);
        if (!clock) continue;
        if (only && only != clock) return NULL;
        only = clock;
    }
    return only;
}

static void add_variables(struct edge_of *at) {
    for (unsigned i = 0; i < at->module->net_count; i++)
        if (at->nets[i].is_variable && at->nets[i].from) each_of(at, at->nets[i].value, compute);
    for (unsigned i = 0; i < at->module->net_count; i++)
        if (at->nets[i].is_variable && at->nets[i].from) add_value(at, at->module->nets[i]);
}

// All statements at the edge: the moved ones, then the registers.
static struct stmt *statements(struct edge_of *at) {
    struct stmt *block = stmt_new(at->design, STMT_BLOCK);
    at->end = &block->first;
    for (struct item *item = at->module->items; item; item = item->next)
        if (own_clock(item)) each_of_statement(at, item->does, compute);
    add_variables(at);
    for (struct item *item = at->module->items; item; item = item->next)
        if (own_clock(item)) add(at, item->does);
    return block;
}

static void leave_out(struct edge_of *at, bool moves) {
    for (struct item **item = &at->module->items; *item;) {
        if (moves ? has_moved(at, *item) : begins_variable(at, *item)) {
            *item = (*item)->next;
            continue;
        }
        if ((*item)->kind == ITEM_DECLARATION && at->nets[(*item)->net->id].from) {
            (*item)->text = "reg";
            if ((*item)->hidden == HIDDEN_NOT) (*item)->hidden = HIDDEN_FROM_WAVES;
        }
        item = &(*item)->next;
    }
}

// The initial value of a variable is dropped, because its process computes the variable at once.
static void change_module(struct design *design, struct module *module, struct fault *fault) {
    struct net *clock = only_clock(module);
    struct edge_of at = {.design = design, .module = module, .fault = fault};
    at.nets = module_notes(module, sizeof *at.nets);
    for (struct item *item = module->items; item; item = item->next) learn(&at, item);
    if (!clock) {
        for (unsigned i = 0; i < module->net_count; i++) at.nets[i].from = NULL;
        leave_out(&at, false);
        return;
    }
    for (const struct port *port = module->ports; port; port = port->next) stay(&at, port->net);
    for (struct item *item = module->items; item; item = item->next) keep(&at, item);
    struct item *process = item_always(design, clock->name, module, statements(&at));
    leave_out(&at, true);
    struct item **end = &module->items;
    while (*end) end = &(*end)->next;
    *end = process;
}

bool pass_edge(struct design *design, const char *argument, struct fault *fault) {
    (void)argument;
    for (struct module *module = design->modules; module; module = module->next) change_module(design, module, fault);
    return !fault->found;
}
