/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPSTEP_SWEEP_PAIRS_H
#define WARPSTEP_SWEEP_PAIRS_H

#include "program.h"

/* Appends all pairs; see pairs.c. */
void pairs_emit(struct program *p);

#endif
