/* SPDX-License-Identifier: Apache-2.0 */
/* The control flow of a random kernel: straight code, branches, loops with divergent trip counts, calls, breaks, early
 * exits and barriers, nested. Every thread ends, and every barrier is reached by all threads that a warp has left. */
#ifndef WARPSTEP_RANDOM_SHAPE_H
#define WARPSTEP_RANDOM_SHAPE_H

#include "draw.h"

enum { SHAPE_NO_TRAP = -1 };

struct shape_options {
    unsigned length;       /* items of the main program, each one instruction or one construct */
    unsigned flow_percent; /* how many items are constructs; 0 makes straight code */
    unsigned wild_percent; /* how many instructions may trap; for straight code, as a loop might not end then */
    unsigned nesting;      /* most constructs within each other in one function */
    unsigned levels;       /* of calls: functions of one call those of the next */
    unsigned call_percent; /* how many constructs are calls before anything else */
    int trap_item;         /* the item, counted over all, before which draw_trap adds its own; SHAPE_NO_TRAP: none */
};

/* Adds the body of the kernel, ending in END or RET, and the functions that it calls. Returns how many items there are.
 * The same draws give the same items whether there is a trap or not, as that draws from `trap_rng`. */
int shape_kernel(const struct rules *r, struct rng *rng, struct rng *trap_rng, struct kernel *k,
                 const struct shape_options *options);

#endif
