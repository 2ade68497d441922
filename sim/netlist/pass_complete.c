// SPDX-License-Identifier: Apache-2.0
// Gives each case its missing default: unknown. ghdl 2 writes no default, and if the choices do not cover all values
// (five literals of three bits) yosys would keep the old value, in a latch. Gate 2 of `make lint` refuses a default
// that loses something, a reachable `others` (vhdl_others.c).
//
// A case has choices of one literal, each of which assigns to the same register. Any other form is refused, instead of
// guessing what is missing.
#include "pass.h"

static bool complete(struct design *design, struct stmt *stmt, struct fault *fault) {
    struct net *net = NULL;
    struct stmt **end = &stmt->first;
    bool has_default = false;
    for (; *end; end = &(*end)->next) {
        struct stmt *choice = *end;
        struct net *assigned = choice->kind == STMT_ASSIGN ? expr_is_net(choice->target) : NULL;
        unsigned bits;
        if (choice->label && !expr_binary_digits(choice->label, &bits))
            return fault_set(fault, choice->place, "a choice that is no binary number");
        if (!assigned || !choice->waits || (net && net != assigned))
            return fault_set(fault, choice->place, "not a choice of one net");
        net = assigned;
        has_default = has_default || !choice->label;
    }
    if (!net) return fault_set(fault, stmt->place, "a case without a choice");
    if (!net->is_register || net->bits == 0) return fault_set(fault, stmt->place, "%s is declared nowhere", net->name);
    if (!has_default)
        *end = stmt_assign(design, expr_net(design, net), true,
                           expr_number(design, pool_format(&design->pool, "%u'bx", net->bits)));
    return true;
}

// A case is the only statement of its process.
static bool look_at(struct design *design, struct stmt *stmt, struct fault *fault) {
    if (stmt->kind == STMT_CASE) return complete(design, stmt, fault);
    for (struct stmt *inner = stmt->first; inner; inner = inner->next)
        if (!look_at(design, inner, fault)) return false;
    return !stmt->otherwise || look_at(design, stmt->otherwise, fault);
}

bool pass_complete(struct design *design, const char *argument, struct fault *fault) {
    (void)argument;
    for (struct module *module = design->modules; module; module = module->next)
        for (struct item *item = module->items; item; item = item->next)
            if (item->does && !look_at(design, item->does, fault)) return false;
    return true;
}
