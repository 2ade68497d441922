/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a failing kernel smaller while it still fails: a smaller launch, fewer constructs and lines, simpler
 * instructions, simpler data. The predicate alone decides whether a kernel fails, and whether it is legal.
 *
 *     const unsigned tries = shrink_kernel(k, fails, &state, 2000); */
#ifndef WARPSTEP_RANDOM_SHRINK_H
#define WARPSTEP_RANDOM_SHRINK_H

#include "kernel.h"

typedef bool shrink_fails_fn(void *state, const struct kernel *k);

/* *k fails before and after the call. Calls the predicate at most `most` times; returns the number of calls. */
unsigned shrink_kernel(struct kernel *k, shrink_fails_fn *fails, void *state, unsigned most);

#endif
