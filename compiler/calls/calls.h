/* SPDX-License-Identifier: Apache-2.0 */
/* Inlining, and the registers of routines that are not inlined: docs/c.md. */
#ifndef WARPSTEP_CC_CALLS_H
#define WARPSTEP_CC_CALLS_H

#include "../ir/ir.h"

/* Decides which routines of a kernel are inlined, inlines them, and assigns registers to the arguments and results
 * of the others. Each routine stands behind its callees. most: registers of a thread. */
void calls_resolve(struct ir *kernel, struct ir_routine *const *routines, size_t count, unsigned most);

/* inline.c: replaces calls of routines that do not stay by their bodies. */
void calls_inline(struct ir *ir);

/* convention.c: the inputs of a routine, and its outputs, are in R0 and up. */
void calls_place_ends(struct ir_routine *r);
void calls_place_values(struct ir *ir);

/* Returns the registers, flags and address registers that a kernel or routine uses, callees included. Called after
 * register allocation. */
struct calls_use {
    unsigned registers, flags, addresses;
};
struct calls_use calls_find_use(const struct ir *ir, unsigned registers);

#endif
