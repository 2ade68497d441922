/* SPDX-License-Identifier: Apache-2.0 */
/* What is called and what stands in place of its calls; registers of those that are called: docs/c.md. */
#ifndef WARPSTEP_CC_CALLS_H
#define WARPSTEP_CC_CALLS_H

#include "../ir/ir.h"

/* Decides for all routines of a kernel (each behind those that it calls) whether they stay, puts the others in place of
 * their calls, and gives arguments and results of the rest their registers. most: registers that a thread may have. */
void calls_resolve(struct ir *kernel, struct ir_routine *const *routines, size_t count, unsigned most);

/* inline.c: the bodies of routines that do not stay in place of their calls. */
void calls_inline(struct ir *ir);

/* convention.c: R0 up for the inputs of a routine and for its outputs. */
void calls_place_ends(struct ir_routine *r);
void calls_place_values(struct ir *ir);

/* What a kernel or routine uses, after its registers have been given out: with all that it calls. */
struct calls_use {
    unsigned registers, flags, addresses;
};
struct calls_use calls_find_use(const struct ir *ir, unsigned registers);

#endif
