/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPSTEP_SWEEP_STACKS_H
#define WARPSTEP_SWEEP_STACKS_H

#include "program.h"

/* Appends all sequences, and one as deep as the stack; see stacks.c. */
void stacks_emit(struct program *p);

#endif
