// SPDX-License-Identifier: Apache-2.0
// For proofs by yosys. Prints one module, and those inside it, after the pass `mutants`: the input `mutant` selects the
// active mutant. Assertions, which yosys does not read, are omitted.
//
//     entity:MODULE:boxes    of inner modules only the ports, as black boxes
//     entity:MODULE:whole    all inner modules except memories
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "pass.h"
#include "print.h"

struct entity {
    struct design *design;
    FILE *out;
    bool is_whole;
    struct module seen; // names of modules
};

static struct module *module_named(const struct design *design, const char *name) {
    struct module *module = design->modules;
    while (module && strcmp(module->name, name) != 0) module = module->next;
    return module;
}

static bool is_box(const struct entity *e, const char *module) {
    return !e->is_whole || strncmp(module, "ram_", 4) == 0;
}

static bool is_assertion(const struct item *item) {
    if (item->kind != ITEM_ALWAYS || item->edges || item->does->kind != STMT_IF) return false;
    const struct expr *condition = item->does->value;
    const struct net *net = condition->kind == EXPR_UNARY ? expr_is_net(condition->part[0]) : NULL;
    return net && strcmp(condition->text, "!") == 0 && name_ends(net->name, "_q");
}

static bool is_left_out(const struct item *item) {
    return is_assertion(item) || (item->kind == ITEM_TEXT && strcmp(item->text, "  `MUTANTS\n") == 0);
}

static const struct expr *mutant_of(struct entity *e, struct module *module) {
    return expr_net(e->design, module_net(module, "mutant", strlen("mutant")));
}

static void add_port(struct entity *e, struct module *module) {
    struct port *port = pool_take(&e->design->pool, sizeof *port);
    *port = (struct port){.next = module->ports, .word = "input", .range = "[15:0]"};
    port->net = mutant_of(e, module)->net;
    module->ports = port;
}

static void connect(struct entity *e, struct module *module, struct item *instance) {
    struct connection *connection = pool_take(&e->design->pool, sizeof *connection);
    *connection = (struct connection){instance->connections, "mutant", mutant_of(e, module)};
    instance->connections = connection;
}

static void print_box(struct entity *e, const struct module *module) {
    struct module box = *module;
    box.items = NULL;
    fputs("(* blackbox *)\n", e->out);
    print_module(e->out, &box);
}

static void print_entity(struct entity *e, struct module *module) {
    unsigned first = e->seen.net_count;
    add_port(e, module);
    for (struct item **item = &module->items; *item;) {
        if (is_left_out(*item)) {
            *item = (*item)->next;
            continue;
        }
        if ((*item)->kind == ITEM_INSTANCE && module_named(e->design, (*item)->text)) {
            if (!is_box(e, (*item)->text)) connect(e, module, *item);
            module_net(&e->seen, (*item)->text, strlen((*item)->text));
        }
        item = &(*item)->next;
    }
    print_module(e->out, module);
    unsigned end = e->seen.net_count;
    for (unsigned i = first; i < end; i++) {
        struct module *inner = module_named(e->design, e->seen.nets[i]->name);
        if (is_box(e, inner->name))
            print_box(e, inner);
        else
            print_entity(e, inner);
    }
}

// `MUTANT(7) is (mutant == 7).
static const char *without_macros(struct pool *pool, const char *text) {
    static const char macro[] = "`MUTANT(", number[] = "(mutant == ";
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, macro)) != NULL; at++) count++;
    char *copy = pool_take(pool, strlen(text) + count * sizeof number + 1), *end = copy;
    for (const char *at; (at = strstr(text, macro)) != NULL; text = at + strlen(macro)) {
        memcpy(end, text, (size_t)(at - text));
        end = stpcpy(end + (at - text), number);
    }
    memcpy(end, text, strlen(text) + 1);
    return copy;
}

bool pass_entity(struct design *design, const char *argument, struct fault *fault) {
    struct entity e = {.design = design, .seen = {.pool = &design->pool}};
    const char *colon = strchr(argument, ':');
    e.is_whole = colon && strcmp(colon + 1, "whole") == 0;
    if (!e.is_whole && (!colon || strcmp(colon + 1, "boxes") != 0))
        return fault_set(fault, (struct place){0}, "is entity:MODULE:boxes or entity:MODULE:whole");
    const char *name = pool_text(&design->pool, argument, (size_t)(colon - argument));
    struct module *module = module_named(design, name);
    if (!module) return fault_set(fault, (struct place){0}, "there is no module '%s'", name);
    char *text = NULL;
    size_t size = 0;
    e.out = open_memstream(&text, &size);
    if (!e.out) return fault_set(fault, (struct place){0}, "no memory");
    print_entity(&e, module);
    fclose(e.out);
    design->report = without_macros(&design->pool, text);
    free(text);
    return true;
}
