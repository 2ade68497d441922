// SPDX-License-Identifier: Apache-2.0
// Writes products of signed numbers as such. ghdl extends both factors to the width of the product and multiplies them
// as unsigned numbers, which is equivalent, but a multiplier of four times the size. Other forms are unchanged.
#include <string.h>

#include "pass.h"

// The remark is exactly this one.
static bool remark_is(const struct item *item, const char *text) {
    return item->remark && strcmp(item->remark, text) == 0;
}

// {{COUNT{FACTOR[HIGH]}}, FACTOR}
static struct net *extended_of(const struct item *item) {
    const struct expr *e = item->value;
    if (!remark_is(item, " // sext") || e->kind != EXPR_JOIN || e->count != 2) return NULL;
    const struct expr *sign = e->part[0];
    struct net *factor = expr_is_net(e->part[1]);
    if (!factor || sign->kind != EXPR_REPEAT || sign->part[1]->count != 1) return NULL;
    sign = sign->part[1]->part[0];
    return sign->kind == EXPR_BIT && sign->net == factor ? factor : NULL;
}

static const struct expr *as_signed(struct design *design, struct net *net) {
    struct expr *call = expr_new(design, EXPR_CALL, "$signed", 1);
    call->part[0] = expr_net(design, net);
    return call;
}

static void change_module(struct design *design, struct module *module) {
    struct net **extended = module_notes(module, sizeof(struct net *));
    for (struct item *item = module->items; item; item = item->next) {
        if (item->kind != ITEM_ASSIGN) continue;
        struct net *target = expr_is_net(item->target);
        if (target && extended_of(item)) extended[target->id] = extended_of(item);
        const struct expr *e = item->value;
        if (!remark_is(item, " // smul") || e->kind != EXPR_BINARY || strcmp(e->text, "*") != 0) continue;
        struct net *left = expr_is_net(e->part[0]), *right = expr_is_net(e->part[1]);
        if (!left || !right || !extended[left->id] || !extended[right->id]) continue;
        item->value =
            expr_binary(design, "*", as_signed(design, extended[left->id]), as_signed(design, extended[right->id]));
    }
}

bool pass_products(struct design *design, const char *argument, struct fault *fault) {
    (void)argument, (void)fault;
    for (struct module *module = design->modules; module; module = module->next) change_module(design, module);
    return true;
}
