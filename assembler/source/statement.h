/* SPDX-License-Identifier: Apache-2.0 */
/* The first pass: turns lines into labels, directives and instructions. */
#ifndef WARPSTEP_STATEMENT_H
#define WARPSTEP_STATEMENT_H

#include "context.h"

/* Fills kernels, items and symbols of *a from its scan. */
void assembler_read(struct assembler *a);

#endif
