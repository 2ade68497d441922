/* SPDX-License-Identifier: Apache-2.0 */
/* A random kernel from a seed, and from nothing else: the same on every machine, whatever was made before.
 *
 *     struct table table; table_find(&table);
 *     const struct make_options options = {MAKE_ANY, JUDGE_STEPS};
 *     if (make_kernel(k, 7, &options, &table, why)) kernel_print(k, stdout); */
#ifndef WARPSTEP_RANDOM_MAKE_H
#define WARPSTEP_RANDOM_MAKE_H

#include "draw.h"
#include "shape.h"

enum make_kind {
    MAKE_ANY,  /* one of the others, by the seed */
    MAKE_RUNS, /* ends as it should; most read nothing undefined */
    MAKE_TRAP, /* must trap, and says how */
    MAKE_WILD, /* straight code that may trap anywhere */
};

enum { MAKE_STEPS_LEAST = 250 }; /* a limit that leaves room for a kernel of each seed and kind */

struct make_options {
    enum make_kind kind;
    unsigned steps; /* the most warp instructions that it may take: MAKE_STEPS_LEAST to JUDGE_STEPS, the usual limit */
};

/* Makes the kernel and runs it on the model, which must agree with what the kernel says of itself. False where no
 * kernel that does was found, which is an error of the generator, or memory is out: `why`, JUDGE_WHY bytes (judge.h),
 * says what was wrong last. */
bool make_kernel(struct kernel *k, uint64_t seed, const struct make_options *options, const struct table *table,
                 char *why);

#endif
