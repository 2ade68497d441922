/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPSTEP_SWEEP_TRAPS_H
#define WARPSTEP_SWEEP_TRAPS_H

#include <stdbool.h>

/* Writes a kernel for each cause of a trap that no kernel of kernels/traps has; false where it cannot. */
bool traps_write(const char *directory);

#endif
