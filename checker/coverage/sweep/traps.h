/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPSTEP_SWEEP_TRAPS_H
#define WARPSTEP_SWEEP_TRAPS_H

#include <stdbool.h>

/* Writes a kernel for each cause of a trap that kernels/traps lacks; false on an error. */
bool traps_write(const char *directory);

#endif
