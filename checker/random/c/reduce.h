/* SPDX-License-Identifier: Apache-2.0 */
/* Takes parts of a program's tree away, or puts smaller ones in their place, as long as it fails in the same way. */
#ifndef WARPSTEP_RANDOM_C_REDUCE_H
#define WARPSTEP_RANDOM_C_REDUCE_H

#include "trial.h"

/* Until nothing more can go, or for so many seconds; outcome: of the program as it is then. */
void program_reduce(const struct c_tools *t, struct program *p, const char *name, unsigned seconds,
                    struct c_outcome *outcome);

#endif
