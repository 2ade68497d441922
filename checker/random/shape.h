/* SPDX-License-Identifier: Apache-2.0 */
/* The control flow of a random kernel: straight code, branches, loops with divergent trip counts, calls, breaks, early
 * exits and barriers, nested. Every thread ends, and all remaining threads of a warp reach every barrier. */
#ifndef WARPSTEP_RANDOM_SHAPE_H
#define WARPSTEP_RANDOM_SHAPE_H

#include "draw.h"

enum { SHAPE_NO_TRAP = -1 };

struct shape_options {
    unsigned length;       /* items of the main program, each one instruction or one construct */
    unsigned flow_percent; /* percentage of items that are constructs; 0 makes straight code */
    unsigned wild_percent; /* percentage of instructions that may trap; for straight code, because a loop might not end
                            * then */
    unsigned nesting;      /* maximum nesting of constructs in one function */
    unsigned levels;       /* levels of calls: functions of one level call those of the next */
    unsigned call_percent; /* percentage of constructs that are calls */
    int trap_item;         /* the item, in a count over all, before which draw_trap adds its own; SHAPE_NO_TRAP: none */
};

/* Adds the body of the kernel, ending in END or RET, and the functions that it calls. Returns the number of items. The
 * items are the same with and without a trap, which draws from `trap_rng`. */
int shape_kernel(const struct rules *r, struct rng *rng, struct rng *trap_rng, struct kernel *k,
                 const struct shape_options *options);

#endif
