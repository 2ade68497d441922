// SPDX-License-Identifier: Apache-2.0
// Writes a design in ghdl's layout: unchanged parts come out byte for byte.
#ifndef WARPSTEP_NETLIST_PRINT_H
#define WARPSTEP_NETLIST_PRINT_H

#include <stdio.h>

#include "tree.h"

void print_design(FILE *out, const struct design *design);
void print_module(FILE *out, const struct module *module);
void print_expression(FILE *out, const struct expr *e);
// The same as text of the pool; for an item, its lines.
const char *print_text(struct pool *pool, const struct expr *e);
const char *print_item_text(struct pool *pool, const struct item *item);

#endif
