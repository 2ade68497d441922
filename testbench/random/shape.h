/* SPDX-License-Identifier: Apache-2.0 */
/* The control flow of a random kernel: straight code, branches, loops with divergent trip counts, calls, breaks, early
 * exits and barriers, nested. Every thread ends, and every barrier is reached by all threads that a warp has left. */
#ifndef WARPSTEP_RANDOM_SHAPE_H
#define WARPSTEP_RANDOM_SHAPE_H

#include "draw.h"

struct shape_options {
    unsigned length;       /* items of the main program, each one instruction or one construct */
    unsigned flow_percent; /* how many items are constructs; 0 makes straight code */
    unsigned wild_percent; /* how many instructions may trap; for straight code, as a loop might not end then */
};

/* Adds the body of the kernel, ending in END or RET, and the functions that it calls. */
void shape_kernel(const struct rules *r, struct rng *rng, struct program *p, const struct shape_options *options);

#endif
