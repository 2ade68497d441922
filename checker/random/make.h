/* SPDX-License-Identifier: Apache-2.0 */
/* A random kernel from a seed alone: the same on every machine, whatever was made before.
 *
 *     struct table table; table_find(&table);
 *     const struct make_options options = {MAKE_ANY, JUDGE_STEPS};
 *     if (make_kernel(k, 7, &options, &table, why)) kernel_print(k, stdout); */
#ifndef WARPSTEP_RANDOM_MAKE_H
#define WARPSTEP_RANDOM_MAKE_H

#include "draw.h"
#include "shape.h"

enum make_kind {
    MAKE_ANY,  /* one of the other kinds, by the seed */
    MAKE_RUNS, /* ends without a trap; most read nothing undefined */
    MAKE_TRAP, /* must end in a trap, which it declares */
    MAKE_WILD, /* straight code that may trap anywhere */
};

enum { MAKE_STEPS_LEAST = 250 }; /* a limit that suffices for a kernel of each seed and kind */

struct make_options {
    enum make_kind kind;
    unsigned steps; /* limit of warp instructions: MAKE_STEPS_LEAST to JUDGE_STEPS, the usual limit */
};

/* Makes the kernel and runs it on the model, which must confirm the kernel's own claims. False if no such kernel was
 * found, which is an error of the generator, or if out of memory: `why`, JUDGE_WHY bytes (judge.h), has the last
 * reason. */
bool make_kernel(struct kernel *k, uint64_t seed, const struct make_options *options, const struct table *table,
                 char *why);

#endif
