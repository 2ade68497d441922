// SPDX-License-Identifier: Apache-2.0
// Writes bits as a number where ghdl writes them as a string, as version 2 does in some places with constants of more
// than 32 bits. In Verilog "10" is two letters, of eight bits each.
#include <string.h>

#include "pass.h"

static const struct expr *as_number(struct design *design, const struct expr *e, void *with) {
    (void)with;
    if (e->kind != EXPR_STRING) return e;
    size_t bits = strspn(e->text + 1, "01XZ");
    if (bits == 0 || e->text[bits + 1] != '"') return e;
    return expr_number(design, pool_format(&design->pool, "%zu'b%.*s", bits, (int)bits, e->text + 1));
}

bool pass_bits(struct design *design, const char *argument, struct fault *fault) {
    (void)argument, (void)fault;
    for (struct module *module = design->modules; module; module = module->next)
        for (struct item *item = module->items; item; item = item->next) item_rewrite(design, item, as_number, NULL);
    return true;
}
