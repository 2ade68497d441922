/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a kernel that fails smaller while it still fails: a smaller launch, whole constructs and then single lines
 * taken away, plainer instructions, simpler data. It knows nothing of why kernels fail, nor which are legal: that is
 * for the predicate.
 *
 *     const unsigned tries = shrink_kernel(k, fails, &state, 2000); */
#ifndef WARPSTEP_RANDOM_SHRINK_H
#define WARPSTEP_RANDOM_SHRINK_H

#include "kernel.h"

typedef bool shrink_fails_fn(void *state, const struct kernel *k);

/* *k fails, and does so afterwards. Asks the predicate at most `most` times; returns how often. */
unsigned shrink_kernel(struct kernel *k, shrink_fails_fn *fails, void *state, unsigned most);

#endif
