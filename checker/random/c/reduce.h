/* SPDX-License-Identifier: Apache-2.0 */
/* Removes parts of a program's tree, or replaces them by smaller ones, as long as it fails in the same way. */
#ifndef WARPSTEP_RANDOM_C_REDUCE_H
#define WARPSTEP_RANDOM_C_REDUCE_H

#include "trial.h"

/* Continues until nothing more can be removed, or for a number of seconds; outcome: of the final program. */
void program_reduce(const struct c_tools *t, struct program *p, const char *name, unsigned seconds,
                    struct c_outcome *outcome);

#endif
