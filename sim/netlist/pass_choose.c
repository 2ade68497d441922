// SPDX-License-Identifier: Apache-2.0
// Writes a chain of conditions in place of ghdl's form of a VHDL case or selected assignment: a bit for each choice,
// concatenated to a vector, and a Verilog case over that. Verilator builds the vector and splits it again; of the chain
// it computes no more conditions than necessary. Only one choice holds at a time, so the default needs no condition. A
// default of X is never chosen, because one choice always holds then (gate 2 of `make lint` proves it): instead, the
// most frequent value becomes the default.
#include <string.h>

#include "pass.h"

// The bit of the vector, from the left, that a choice names; -1 unless it names a single one.
static int bit_named(const struct expr *label, size_t width) {
    unsigned bits;
    const char *digits = expr_binary_digits(label, &bits);
    const char *one = digits ? strchr(digits, '1') : NULL;
    return one && strlen(digits) == width && !strchr(one + 1, '1') ? (int)(one - digits) : -1;
}

static bool is_simple(const struct expr *e) {
    return e->kind == EXPR_NET || e->kind == EXPR_NUMBER || e->kind == EXPR_BIT ||
           (e->kind == EXPR_SLICE && strcmp(e->text, ":") == 0);
}

static bool is_unknown(const struct expr *e) {
    unsigned bits;
    const char *digits = expr_binary_digits(e, &bits);
    return digits && (strcmp(digits, "x") == 0 || strcmp(digits, "X") == 0);
}

// The most frequent value of the choices; of equally frequent ones, the first to reach that number.
static const struct expr *most_frequent(const struct stmt *stmt) {
    const struct expr *most = NULL;
    unsigned most_uses = 0;
    for (const struct stmt *choice = stmt->first; choice; choice = choice->next) {
        if (!choice->label) continue;
        unsigned uses = 1;
        for (const struct stmt *before = stmt->first; before != choice; before = before->next)
            if (before->label && expr_same(before->value, choice->value)) uses++;
        if (uses <= most_uses) continue;
        most_uses = uses;
        most = choice->value;
    }
    return most;
}

// The chain; NULL if the case has another form.
static const struct expr *chain_of(struct design *design, const struct stmt *stmt, const struct expr *join) {
    const struct expr *otherwise = NULL;
    size_t choices = 0;
    for (const struct stmt *choice = stmt->first; choice; choice = choice->next) {
        if (choice->kind != STMT_ASSIGN || !is_simple(choice->value)) return NULL;
        if (!choice->label) {
            if (!is_unknown(choice->value)) otherwise = choice->value;
        } else if (bit_named(choice->label, join->count) < 0)
            return NULL;
        else
            choices++;
    }
    if (choices != join->count) return NULL;
    const struct expr *rest = otherwise ? otherwise : most_frequent(stmt);
    const struct expr *chain = rest;
    for (const struct stmt *choice = stmt->first; choice; choice = choice->next)
        if (choice->label && !expr_same(choice->value, rest))
            chain = expr_choice(design, join->part[bit_named(choice->label, join->count)], choice->value, chain);
    return chain;
}

static bool is_flat_join(const struct expr *e) {
    if (e->kind != EXPR_JOIN) return false;
    for (size_t i = 0; i < e->count; i++)
        if (!is_simple(e->part[i])) return false;
    return true;
}

bool pass_choose(struct design *design, const char *argument, struct fault *fault) {
    (void)argument, (void)fault;
    for (struct module *module = design->modules; module; module = module->next) {
        const struct expr **joined = module_notes(module, sizeof(struct expr *));
        for (struct item *item = module->items; item; item = item->next) {
            struct net *target = expr_is_net(item->target);
            if (item->kind == ITEM_ASSIGN && target && !item->remark && is_flat_join(item->value))
                joined[target->id] = item->value;
            if (item->kind != ITEM_ALWAYS || item->does->kind != STMT_CASE) continue;
            struct net *vector = expr_is_net(item->does->value);
            if (!vector || !joined[vector->id]) continue;
            const struct expr *chain = chain_of(design, item->does, joined[vector->id]);
            if (chain) item->does = stmt_assign(design, item->does->first->target, true, chain);
        }
    }
    return true;
}
